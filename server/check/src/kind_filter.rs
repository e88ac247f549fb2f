//! `KindFilter`: reports only some kinds of literals.

use pathfinder_literals::LiteralKind;

/// The kinds that are reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindFilter {
    /// Kinds and languages; none stands for all.
    included: Vec<String>,
    excluded: Vec<String>,
}

/// A name that is neither a kind nor the first part of one.
#[derive(Debug, thiserror::Error)]
#[error("unknown kind {0:?}: use a kind such as md.link, or its first part, such as md")]
pub struct UnknownKind(String);

impl KindFilter {
    /// Takes kinds (`md.link`) and their first parts (`md`).
    ///
    /// # Errors
    /// If no language has such a kind.
    pub fn new(included: &[String], excluded: &[String]) -> Result<Self, UnknownKind> {
        for name in included.iter().chain(excluded) {
            let mut known = pathfinder_languages::ALL.iter().flat_map(|language| language.kinds());
            if !known.any(|kind| matches(name, kind.as_str())) {
                return Err(UnknownKind(name.clone()));
            }
        }
        Ok(Self { included: included.to_vec(), excluded: excluded.to_vec() })
    }

    /// Returns whether findings of a kind are reported.
    pub fn accepts(&self, kind: LiteralKind) -> bool {
        let is_in = |names: &[String]| names.iter().any(|name| matches(name, kind.as_str()));
        (self.included.is_empty() || is_in(&self.included)) && !is_in(&self.excluded)
    }
}

fn matches(name: &str, kind: &str) -> bool {
    let name = name.trim_end_matches(".*");
    kind.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
