//! `PathNames`: the words of a path, split for comparing them with a question. Called by `search`.

use pathfinder_core::words::split_extension;

use crate::terms::for_each_part;

/// The words of a path.
#[derive(Debug)]
pub(crate) struct PathNames<'p> {
    pub(crate) stem: String,
    pub(crate) stem_parts: Vec<String>,
    pub(crate) parent: &'p str,
    pub(crate) parent_parts: Vec<String>,
}

impl<'p> PathNames<'p> {
    pub(crate) fn new(path: &'p str) -> Self {
        let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = directories.rsplit('/').next().unwrap_or_default();
        let stem = stem(name).replace(['-', '.', ' '], "_");
        let parts = |name: &str| {
            let mut parts = Vec::new();
            for_each_part(name, |part| parts.push(part.to_lowercase()));
            parts
        };
        let (stem_parts, parent_parts) = (parts(&stem), parts(&parent.replace(['-', '.', ' '], "_")));
        Self { stem, stem_parts, parent, parent_parts }
    }
}

/// Returns the directory of a path.
pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Returns the stem of a path's name.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    &name[..split_extension(name.as_bytes()).0.len()]
}

/// Returns the stem that a test's name names, squashed.
pub(crate) fn tested_stem(path: &str) -> Option<String> {
    let stem = squashed(stem(path));
    let tested = ["tests", "test", "spec", "specs", "suite"]
        .iter()
        .find_map(|mark| stem.strip_suffix(mark).or_else(|| stem.strip_prefix(mark)))
        .unwrap_or(&stem);
    (!tested.is_empty()).then(|| tested.to_owned())
}

/// Returns the letters and digits in lower case.
pub(crate) fn squashed(name: &str) -> String {
    if name.is_ascii() {
        let letters = name.bytes().filter(u8::is_ascii_alphanumeric);
        return letters.map(|letter| char::from(letter.to_ascii_lowercase())).collect();
    }
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
