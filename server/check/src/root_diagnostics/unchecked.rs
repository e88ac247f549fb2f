//! Finds files that may mention a path while the first check runs, by a search of their texts. Called by the LSP server, which is
//! asked once for the edits of a move.

use std::collections::BTreeSet;

use memchr::memmem::Finder;
use pathfinder_literals::is_index_file;
use pathfinder_literals::path::{name, parent};
use rayon::prelude::*;

use super::RootDiagnostics;

/// Most words searched for in a text. A search for more takes longer than a check of the files.
const MAX_WORDS: usize = 16;

impl RootDiagnostics {
    /// Returns the files that are not checked yet and contain a word of the name of one of these paths; sorted.
    /// [`files_naming`](Self::files_naming) lacks them.
    pub fn unchecked_files_naming<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Vec<String> {
        let mut files = self.files();
        {
            let results = self.results();
            files.retain(|file| !results.digests.contains_key(file) && !results.open_texts.contains(file));
        }
        let words: Option<Vec<Vec<&str>>> = paths.into_iter().map(words_of).collect();
        // A name without a word can be written in many ways.
        let Some(words) = words.filter(|_| !files.is_empty()) else { return files };
        let words: BTreeSet<&str> = words.into_iter().flatten().collect();
        if words.len() > MAX_WORDS {
            return files;
        }
        let finders: Vec<Finder<'_>> = words.iter().map(|word| Finder::new(*word)).collect();
        let checker = self.checker();
        let names = |file: &String| {
            checker.bytes(file).is_some_and(|bytes| finders.iter().any(|finder| finder.find(&bytes).is_some()))
        };
        files.into_par_iter().filter(names).collect()
    }
}

/// Returns the words that literals for a path contain: one of its name, and one of the directory that an index file stands for.
/// Names can be encoded or lack their extension, but their longest word stays. `None` if a name has no word.
fn words_of(path: &str) -> Option<Vec<&str>> {
    let directory = name(parent(path));
    let names = [name(path), directory];
    let count = if is_index_file(path) && !directory.is_empty() { 2 } else { 1 };
    names[..count].iter().map(|name| longest_word(name)).collect()
}

/// Returns the longest run of letters and digits before the extensions of a name.
fn longest_word(name: &str) -> Option<&str> {
    let stem = name.split('.').find(|part| !part.is_empty())?;
    stem.split(|c: char| !c.is_ascii_alphanumeric()).max_by_key(|word| word.len()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn takes_a_word_of_each_name() {
        let check = |path: &str, expect: &str| {
            assert_eq!(words_of(path).map(|words| words.join(" ")).as_deref().unwrap_or("-"), expect, "{path}");
        };
        check("src/components/ReadMore.astro", "ReadMore");
        check("src/a b/some-component.test.ts", "component");
        check("src/card/index.ts", "index card");
        check("index.ts", "index");
        check(".env.local", "env");
        check("docs/\u{e9}.md", "-");
    }
}
