//! `Mentions`: which files have a literal whose verdict a path decides. So that what comes, goes or moves makes only those
//! be checked again.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization as _;

use crate::checked::{Checked, Verdict};
use crate::glob::is_glob;
use crate::path::name;

/// Files by the names that their literals speak of.
///
/// A literal depends on every path that was tried for it, on what those are called in another case or form, and, where no
/// directory is known, on any path that ends alike: all of these have the same last name, extensions aside. So names are
/// what files are entered under. Who is named has to be checked again, which says whether anything has changed.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    by_name: FxHashMap<String, BTreeSet<String>>,
    names: FxHashMap<String, BTreeSet<String>>,
    /// Files with a literal that any path can decide.
    any: BTreeSet<String>,
}

impl Mentions {
    /// Enters what a check of a file found, in the place of what an earlier one did.
    pub fn set(&mut self, file: &str, checked: &[Checked]) {
        self.remove(file);
        let mut names = BTreeSet::new();
        for literal in checked {
            let target = match &literal.verdict {
                Verdict::Found(target) => Some(&target.path),
                Verdict::Missing(missing) => Some(&missing.wanted),
                Verdict::Unknown(_) => None,
            };
            let paths = literal.tried.iter().chain(target);
            let mut is_any = false;
            for path in paths {
                is_any |= is_glob(path);
                names.insert(key(name(path)));
                // The name of a file that stands for its directory says nothing: the directory's does.
                names.extend(path.rsplit('/').nth(1).map(key));
            }
            if is_any {
                self.any.insert(file.to_owned());
            }
        }
        for name in &names {
            self.by_name.entry(name.clone()).or_default().insert(file.to_owned());
        }
        if !names.is_empty() {
            self.names.insert(file.to_owned(), names);
        }
    }

    /// Forgets a file.
    pub fn remove(&mut self, file: &str) {
        self.any.remove(file);
        for name in self.names.remove(file).unwrap_or_default() {
            if let Some(files) = self.by_name.get_mut(&name) {
                files.remove(file);
                if files.is_empty() {
                    self.by_name.remove(&name);
                }
            }
        }
    }

    /// The files to check again when this path has come, gone or changed what it is; sorted. What is configuration
    /// ([`is_configuration`](crate::is_configuration)) decides for all files.
    pub fn of(&self, path: &str) -> Vec<&str> {
        let named = path.split('/').filter_map(|segment| self.by_name.get(&key(segment))).flatten();
        let all: BTreeSet<&str> = named.chain(&self.any).map(String::as_str).collect();
        all.into_iter().collect()
    }

    /// The files that can have a literal which leads to this very path; sorted.
    pub fn naming(&self, path: &str) -> Vec<&str> {
        let named = self.by_name.get(&key(name(path))).into_iter().flatten();
        let all: BTreeSet<&str> = named.chain(&self.any).map(String::as_str).collect();
        all.into_iter().collect()
    }
}

/// What a name is entered under: no extensions, no mark of a part, small letters, composed.
fn key(name: &str) -> String {
    let name = name.trim_start_matches('_');
    let stem = name.find('.').filter(|at| *at > 0).map_or(name, |at| &name[..at]);
    stem.nfc().collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Mentions;
    use crate::configuration::is_configuration;
    use crate::project::Project;
    use crate::source::Source;
    use crate::testing::Forest;
    use crate::tree::Tree as _;

    /// Files of many languages that name one another in as many ways.
    const TREE: &str = "
        README.md = [a](docs/guide.md) [b](docs) [c](GONE.md) <img src='img/a.png'>
        docs/guide.md = [x](../src/lib.rs) [y](setup#top)
        docs/setup.md = # Top
        src/lib.rs = mod parse;\\nmod gone;\\n
        src/parse/mod.rs = mod lex;\\n
        src/parse/lex.rs
        Cargo.toml = [package]\\nname = 'a'\\nreadme = 'README.md'
        web/a.ts = import './b'; import './c/index'; import '../img/a.png'
        web/b.ts
        web/c/index.ts
        py/pyproject.toml = [project]\\nname = 'k'
        py/k/__init__.py = from .m import x\\nfrom . import n
        py/k/m.py = import k.n
        py/k/n.py
        img/a.png
        css/app.scss = @use 'part';
        css/_part.scss
        zig/a.zig = const b = @import(\\\"b.zig\\\");
    ";

    fn verdicts(forest: &Forest, project: &Project, file: &str) -> Option<Vec<crate::Checked>> {
        let text = forest.read(file)?;
        let source = Source::new(file, text.as_bytes())?;
        Some(crate::check(&source, project))
    }

    /// Whoever's verdicts change when a path comes or goes was named.
    #[test]
    fn nobody_is_forgotten() {
        let full = Forest::new(TREE);
        let files: Vec<String> = full.files().to_vec();
        let before = Project::new(Arc::new(Forest::new(TREE)));
        let mut mentions = Mentions::default();
        for file in &files {
            mentions.set(file, &verdicts(&full, &before, file).unwrap_or_default());
        }
        let mut changed = 0;
        for gone in files.iter().filter(|file| !is_configuration(file)) {
            let kept: Vec<&str> = TREE.lines().filter(|line| line.trim().split(" = ").next() != Some(gone)).collect();
            let forest = Forest::new(&kept.join("\n"));
            let after = Project::new(Arc::new(Forest::new(&kept.join("\n"))));
            let named = mentions.of(gone);
            for file in files.iter().filter(|file| *file != gone) {
                if verdicts(&full, &before, file) != verdicts(&forest, &after, file) {
                    changed += 1;
                    assert!(named.contains(&file.as_str()), "{file} depends on {gone}; named are {named:?}");
                }
            }
        }
        assert!(changed >= 12, "the tree has files that depend on one another: {changed}");
    }

    #[test]
    fn what_is_removed_is_forgotten() {
        let forest = Forest::new(TREE);
        let project = Project::new(Arc::new(Forest::new(TREE)));
        let mut mentions = Mentions::default();
        mentions.set("README.md", &verdicts(&forest, &project, "README.md").unwrap_or_default());
        assert_eq!(mentions.of("docs/GUIDE.md"), ["README.md"]);
        assert_eq!(mentions.of("img/other.png"), ["README.md"], "the directory is named");
        assert!(mentions.of("src/parse/lex.rs").is_empty());
        mentions.remove("README.md");
        assert!(mentions.of("docs/guide.md").is_empty() && mentions.by_name.is_empty());
    }
}
