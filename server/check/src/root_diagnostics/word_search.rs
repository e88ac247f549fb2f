//! Finds files that may mention a path by a search of their texts: those that are not checked yet, and those with literals that no rule
//! resolves. Called by the LSP server, which is asked once for the edits of a move.

use std::collections::BTreeSet;

use memchr::memmem::Finder;
use pathfinder_literals::path::{name, parent};
use pathfinder_literals::{MovedTexts, is_index_file};
use rayon::prelude::*;

use super::RootDiagnostics;
use crate::own_files;

/// Most words searched for in a text. A search for more takes longer than a check of the files.
const MAX_WORDS: usize = 16;
/// Most files with the words of a name that are returned although their literals were checked. Each is checked twice again, and a name
/// that more files have says little.
const MAX_CHECKED_FILES: usize = 200;

impl RootDiagnostics {
    /// Returns the files that contain the words of the name of one of these paths, those with the rarest name first: all that are not
    /// checked yet, then at most `MAX_CHECKED_FILES` others. [`files_naming`](Self::files_naming) lacks them.
    pub fn files_with_words_of<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Vec<String> {
        let files = self.files();
        let unchecked: BTreeSet<String> = {
            let results = self.results();
            let is_checked = |file: &String| results.digests.contains_key(file) || results.open_texts.contains(file);
            files.iter().filter(|file| !is_checked(file)).cloned().collect()
        };
        let words: Option<Vec<Vec<Vec<&str>>>> = paths.into_iter().map(words_of).collect();
        // A name without a word can be written in many ways.
        let Some(words) = words else { return unchecked.into_iter().collect() };
        let names: BTreeSet<Vec<&str>> = words.into_iter().flatten().collect();
        if names.iter().map(Vec::len).sum::<usize>() > MAX_WORDS {
            return unchecked.into_iter().collect();
        }
        let finders_of = |words: &Vec<&str>| words.iter().map(|word| Finder::new(word).into_owned()).collect();
        let finders: Vec<Vec<Finder<'static>>> = names.iter().map(finders_of).collect();
        let checker = self.checker();
        let has_all = |bytes: &[u8], name: &[Finder<'_>]| name.iter().all(|word| word.find(bytes).is_some());
        let names_in = |file: String| {
            let bytes = checker.bytes(&file)?;
            let found: Vec<usize> = (0..finders.len()).filter(|at| has_all(&bytes, &finders[*at])).collect();
            (!found.is_empty()).then_some((file, found))
        };
        let found: Vec<(String, Vec<usize>)> = files.into_par_iter().filter_map(names_in).collect();
        // Few files have a rare name by chance; `package-info` is in many.
        let mut counts = vec![0_usize; finders.len()];
        found.iter().flat_map(|(_, names)| names).for_each(|name| counts[*name] += 1);
        let rarest = |names: &[usize]| names.iter().map(|name| counts[*name]).min();
        let rank = |(file, names): (String, Vec<usize>)| (!unchecked.contains(&file), rarest(&names), file);
        let mut ranked: Vec<_> = found.into_iter().map(rank).collect();
        ranked.sort();
        let count = ranked.partition_point(|(is_checked, ..)| !is_checked);
        ranked.into_iter().take(count + MAX_CHECKED_FILES).map(|(_, _, file)| file).collect()
    }

    /// Returns the files, of any language, that contain one of these texts in quotes.
    pub fn files_with_texts(&self, texts: &MovedTexts) -> Vec<String> {
        if texts.is_empty() {
            return Vec::new();
        }
        let checker = self.checker();
        let has = |file: &String| checker.bytes_of_any(file).is_some_and(|bytes| texts.are_in(&bytes));
        own_files(&self.snapshot()).into_par_iter().filter(has).collect()
    }
}

/// Returns the words that literals for a path contain: all of its name, or all of the directory that an index file stands for. Names can
/// be encoded or lack their extensions, but their longest words stay. `None` if a name has no word.
fn words_of(path: &str) -> Option<Vec<Vec<&str>>> {
    let directory = name(parent(path));
    let names = [name(path), directory];
    let count = if is_index_file(path) && !directory.is_empty() { 2 } else { 1 };
    let words = names[..count].iter().map(|name| longest_words(name));
    words.map(|words| Some(words).filter(|words| !words.is_empty())).collect()
}

/// Returns the longest run of letters and digits in each part of a name before its extensions: one or two, as in `a.test.ts`. Names of
/// classes can have more parts, the first of which says little: `org.example.Service.imports`.
fn longest_words(name: &str) -> Vec<&str> {
    /// Extensions that a literal can lack.
    const MAX_EXTENSIONS: usize = 2;
    let parts: Vec<&str> = name.split('.').filter(|part| !part.is_empty()).collect();
    let stems = &parts[..parts.len().saturating_sub(MAX_EXTENSIONS).max(1).min(parts.len())];
    stems
        .iter()
        .filter_map(|stem| stem.split(|c: char| !c.is_ascii_alphanumeric()).max_by_key(|word| word.len()))
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::words_of;

    #[test]
    fn takes_a_word_of_each_name() {
        let check = |path: &str, expect: &str| {
            let words = words_of(path).map(|names| names.iter().map(|words| words.join("+")).collect::<Vec<_>>());
            assert_eq!(words.map(|names| names.join(" ")).as_deref().unwrap_or("-"), expect, "{path}");
        };
        check("src/components/ReadMore.astro", "ReadMore");
        check("src/a b/some-component.test.ts", "component");
        check("src/card/index.ts", "index card");
        check("index.ts", "index");
        check(".env.local", "env");
        check("docs/\u{e9}.md", "-");
        check("META-INF/org.example.web-app.Service.imports", "org+example+app");
        check("a.b.c.d.e", "a+b+c");
    }
}
