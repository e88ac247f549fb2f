//! Other words for a word: the first of a group in `synonyms.txt` stands for a question's word, the rest for the code's.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::terms::TermReader;

/// Returns the stems that code may use for a question's stem.
pub(crate) fn of_stem(stem: &str, reader: &mut TermReader) -> Vec<String> {
    static GROUPS: OnceLock<FxHashMap<String, Vec<String>>> = OnceLock::new();
    let groups = GROUPS.get_or_init(|| read_groups(include_str!("synonyms.txt"), reader));
    groups.get(stem).cloned().unwrap_or_default()
}

fn read_groups(text: &str, reader: &mut TermReader) -> FxHashMap<String, Vec<String>> {
    let mut groups: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let stems = reader.stems_of(line);
        for stem in &stems {
            let others = groups.entry(stem.clone()).or_default();
            for other in stems.iter().filter(|other| *other != stem) {
                if !others.contains(other) {
                    others.push(other.clone());
                }
            }
        }
    }
    groups
}
