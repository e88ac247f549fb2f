//! Checks words and strings that name a directory, or a file without an ending, which a recent commit moved: `cd tools/old`.
//!
//! Two names with a slash can be anything: a route, an image, a choice. One counts if it is the earlier path from its file, from a directory
//! above it or from the root, if nothing is there or ends like it any more, and if it stood in the file before the move.

use std::ops::Range;

use pathfinder_literals::path::{ancestors, count_names, join, parent, strip_parent_steps};
use pathfinder_literals::{Lookup, Missing, Project, ProjectIndex, Resolution, Severity, Source, Verdict, Want};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::file_moves::end_of;
use crate::path_words;

/// Earlier paths, whose names have no ending, of what recent commits moved.
pub(crate) struct MovedDirectories {
    /// Directories that have lost all their files to one other, and files.
    earlier: FxHashSet<String>,
    /// The paths that these have now.
    later: FxHashSet<String>,
    /// Both, by their last two names.
    by_end: FxHashMap<u64, Vec<String>>,
    /// Hashes of the last two names of the directories and of the files without an ending that the tree has.
    present: FxHashSet<u64>,
}

impl ProjectIndex for MovedDirectories {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut earlier = FxHashSet::default();
        let mut later = FxHashSet::default();
        let mut seen = FxHashSet::default();
        for (from, moved) in tree.recent_moves() {
            let mut is_moved = |path: &&str| {
                let to = tree.moved(path).filter(|_| tree.kind(path).is_none()).map(|moved| moved.to);
                let to = to.filter(|to| !to.is_empty());
                let is_moved = to.is_some();
                later.extend(to);
                is_moved
            };
            let above = ancestors(parent(&from)).take_while(|path| !path.is_empty() && seen.insert((*path).to_owned()));
            earlier.extend(above.filter(&mut is_moved).map(str::to_owned));
            if !path_words::has_ending(&from) {
                earlier.insert(from);
                later.insert(moved.to);
            }
        }
        let mut present = FxHashSet::default();
        let mut known = FxHashSet::default();
        let files = if earlier.is_empty() { &[] } else { tree.files() };
        // Neighbours share their directories.
        for file in files {
            let plain = (!path_words::has_ending(file)).then_some(file.as_str());
            let above = ancestors(parent(file)).take_while(|path| !path.is_empty() && known.insert(*path));
            present.extend(plain.into_iter().chain(above).map(end_of));
        }
        let mut by_end: FxHashMap<u64, Vec<String>> = FxHashMap::default();
        for path in earlier.iter().chain(&later) {
            by_end.entry(end_of(path)).or_default().push(path.clone());
        }
        Self { earlier, later, by_end, present }
    }
}

impl MovedDirectories {
    /// Returns whether a word of a file in a directory is the earlier or the later path of something that moved.
    pub(crate) fn may_name(&self, word: &str, directory: &str) -> bool {
        let is_either = |path: String| self.are_at(&path);
        let may_be = || paths_of(word, directory).any(is_either) || self.ending_with(word).next().is_some();
        !self.earlier.is_empty() && !path_words::has_ending(word) && may_be()
    }

    /// Returns the paths, earlier or later ones, that end with all names of a word below another directory. Fewer than three names are the
    /// end of many paths.
    fn ending_with(&self, word: &str) -> impl Iterator<Item = &String> {
        let word = word.trim_end_matches('/');
        let is_end = move |path: &&String| path.strip_suffix(word).is_some_and(|base| base.ends_with('/'));
        let all = if count_names(word) > 2 { self.by_end.get(&end_of(word)) } else { None };
        all.into_iter().flatten().filter(is_end)
    }

    /// Returns the verdict on a word that is the end of the only path of a directory which moved below the directory that both have, or of
    /// the one that it has now.
    fn resolve_end(&self, source: &Source<'_>, project: &Project, word: &Range<usize>) -> Option<Resolution> {
        let text = &source.text()[word.clone()];
        let mut all = self.ending_with(text);
        let (path, None) = (all.next()?, all.next()) else { return None };
        let look_up = || Lookup::new(project, Want::Any).verdict(Severity::Warning, [Some(path.clone())]);
        if self.later.contains(path) {
            return Some(look_up());
        }
        let base = &path[..path.len() - text.trim_end_matches('/').len()];
        let (verdict, tried) = look_up();
        let Verdict::Missing(Missing { instead: Some(to), .. }) = &verdict else { return None };
        let is_old = || project.tree().had_text_at_origin(source.path(), path, text) == Some(true);
        let is_free = !self.present.contains(&end_of(path)) && !is_in_address(&source.text()[..word.start]);
        (is_free && to.starts_with(base) && is_old() && !path_words::is_record(source, word, to))
            .then_some((verdict, tried))
    }

    /// Returns whether a path is the earlier or the later one of something that moved.
    pub(crate) fn are_at(&self, path: &str) -> bool {
        self.earlier.contains(path) || self.later.contains(path)
    }

    /// Returns the verdict on the word in this range, for which [`may_name`](Self::may_name) holds.
    pub(crate) fn resolve(&self, source: &Source<'_>, project: &Project, word: &Range<usize>) -> Option<Resolution> {
        let text = &source.text()[word.clone()];
        let tail = strip_parent_steps(text)?;
        let directory = path_words::working_directory(source);
        let paths = || paths_of(text, directory);
        let look_up = |path: &String| Lookup::new(project, Want::Any).verdict(Severity::Warning, [Some(path.clone())]);
        if let Some(there) = paths().find(|path| project.tree().kind(path).is_some()) {
            return self.later.get(&there).map(look_up);
        }
        let Some(from) = paths().find_map(|path| self.earlier.get(&path)) else {
            return self.resolve_end(source, project, word);
        };
        // A module beside the file is named without its ending.
        let is_module =
            || join(source.directory(), text).is_some_and(|path| project.find_with_extension(&path).is_some());
        if is_in_address(&source.text()[..word.start]) || is_module() {
            return None;
        }
        let (verdict, tried) = look_up(from);
        let Verdict::Missing(Missing { instead: Some(to), .. }) = &verdict else { return None };
        // Another working directory can have it.
        let is_sure =
            !self.present.contains(&end_of(&tail)) || path_words::is_left_behind(source, project, text, from, to);
        let is_kept = || project.tree().had_text_at_origin(source.path(), from, text) != Some(false);
        (is_sure && !path_words::is_record(source, word, to) && is_kept()).then_some((verdict, tried))
    }
}

/// Returns the paths that a word of a file in a directory can be, from it and from those above. Those have other directories of a name alone.
fn paths_of(word: &str, directory: &str) -> impl Iterator<Item = String> {
    let steps = if word.contains('/') { usize::MAX } else { 1 };
    ancestors(directory).take(steps).filter_map(move |at| join(at, word))
}

/// Returns whether the text before a word makes it a part of an address: a slash behind nothing, or behind a variable that says so.
fn is_in_address(before: &str) -> bool {
    const NAMES: [&str; 8] = ["addr", "domain", "endpoint", "host", "registry", "site", "uri", "url"];
    let Some(rest) = before.strip_suffix('/') else { return false };
    let base = rest.strip_suffix(['"', '\'', '`']).unwrap_or(rest);
    let variable = base.trim_end_matches(['}', ')']);
    let start = variable.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    let variable = variable[start..].to_ascii_lowercase();
    variable.is_empty() || NAMES.iter().any(|name| variable.contains(name))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    const TREE: &str = "lib/core/a.c\nlib/core/x/b.c\nscripts/run\nREADME.md\nmoved src/core lib/core\nmoved src/core/a.c lib/core/a.c\n\
                        moved src/core/x lib/core/x\nmoved src/core/x/b.c lib/core/x/b.c\nmoved tools/run scripts/run";

    #[test]
    fn reads_directories_that_moved() {
        check(TREE, "a.rb", "x.end_with('src/core')\n", "code.string src/core → moved");
        check(TREE, "src/web/a.py", "x = here / '../core'\n", "code.string ../core → moved");
        check(TREE, "a.js", "x(`${root}/src/core/x`)\n", "code.string src/core/x → moved");
        check(TREE, "a.js", "x(`—${root}/src/core/x`)\n// —\n", "code.string src/core/x → moved");
        check(TREE, "Rakefile", "x = './tools/run exec'\n", "code.string ./tools/run → moved");
        check(TREE, "a.sh", "cp -r $TOP/src/core/x .\n", "sh.path src/core/x → moved");
        check(TREE, "a.toml", "x = 'cd src/core && make'\n", "toml.value src/core → moved");
        check(
            TREE,
            "a.yml",
            "x:\n- src/core/**\n- src/core/x/*\n- src/core/*.c\n",
            "yaml.value src/core → moved\nyaml.value src/core/x → moved\nyaml.value src/core → moved",
        );
        check(TREE, "a.py", "x = 'src/core/*'\n", "code.string src/core → moved");
        check(TREE, "src/a.yml", "x: ['core/**', 'a core/**', 'core']\n", "yaml.value core → moved");
        check(TREE, "src/web/a.yml", "x: core/**\n", "");
    }

    #[test]
    fn leaves_other_names() {
        // Routes, addresses, longer words, a name alone, a record, a directory that is still there or elsewhere.
        check(TREE, "a.js", "x('/src/core', `${url}/src/core`, 'a/src/core', 'core')\n", "");
        check(TREE, "a.toml", "x = { 'src/core' = 'lib/core' }\n", "toml.value lib/core → lib/core");
        check(TREE, "a.txt", "src/core\n", "");
        check(&format!("{TREE}\nsrc/core/c.c"), "a.rb", "x 'src/core'\n", "");
        check(&format!("{TREE}\ndemo/src/core/c.c"), "web/a.rb", "x 'src/core'\n", "");
        check(TREE, "tests/fixtures/a.rb", "x 'src/core'\n", "");
    }
}
