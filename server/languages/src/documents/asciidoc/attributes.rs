//! `Attributes`: the directories that a document's attributes lead to, such as `:rootdir: {docdir}/..`.

use pathfinder_literals::path::{has_scheme, join};
use rustc_hash::FxHashMap;

use crate::learned_bases::is_plain;

/// Attributes of one document that are read; more are data.
const MAX_ATTRIBUTES: usize = 200;

/// The directory of each attribute that a document sets once.
#[derive(Default)]
pub(super) struct Attributes(FxHashMap<String, Option<String>>);

impl Attributes {
    /// Reads the attributes of a document in a directory. One that is set to several directories leads nowhere.
    pub(super) fn parse(text: &str, directory: &str) -> Self {
        let mut known = Self::default();
        for (name, value) in text.lines().filter_map(definition).take(MAX_ATTRIBUTES) {
            let base = known.directory_of(value, directory);
            match known.0.get_mut(name) {
                Some(other) if *other != base => *other = None,
                Some(_) => {}
                None => {
                    known.0.insert(name.to_owned(), base);
                }
            }
        }
        known
    }

    /// Returns the names of the attributes, each with its directory.
    pub(super) fn directories(self) -> impl Iterator<Item = (String, String)> {
        self.0.into_iter().filter_map(|(name, directory)| Some((name, directory?)))
    }

    /// Returns the path of what is below an attribute; `None` if that leads nowhere.
    pub(super) fn path_of(&self, attribute: &str, rest: &str) -> Option<String> {
        join(self.0.get(attribute)?.as_deref()?, rest)
    }

    /// Returns the directory that a value names. The directory of the document is an attribute too.
    fn directory_of(&self, value: &str, directory: &str) -> Option<String> {
        let (attribute, rest) = match value.strip_prefix('{').and_then(|value| value.split_once('}')) {
            Some((attribute, "")) => (attribute, ""),
            Some((attribute, rest)) => (attribute, rest.strip_prefix('/')?),
            None if value.contains('/') && !has_scheme(value) && !value.starts_with('/') => ("docdir", value),
            None => return None,
        };
        if !rest.is_empty() && !is_plain(rest) {
            return None;
        }
        if attribute == "docdir" { join(directory, rest) } else { self.path_of(attribute, rest) }
    }
}

/// Returns the name and the value of a line that sets an attribute: `:name: value`.
pub(super) fn definition(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix(':')?.split_once(": ")?;
    is_name(name).then(|| (name, value.trim()))
}

/// Returns the attribute at the beginning of a target, and the plain path below it.
pub(super) fn split(written: &str) -> Option<(&str, &str)> {
    let (attribute, rest) = written.strip_prefix('{')?.split_once('}')?;
    let rest = rest.strip_prefix('/')?;
    (is_name(attribute) && is_plain(rest)).then_some((attribute, rest))
}

/// Returns whether a text can be the name of an attribute.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}
