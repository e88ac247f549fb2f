//! Generates file trees shaped like a monorepo of several languages, always the same for a size and seed.

mod languages;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use fastrand::Rng;

use languages::{GROUPS, LANGUAGES, Language, NameStyle, WORDS};

/// Arbitrary; another seed gives another tree of the same shape.
pub(crate) const SEED: u64 = 15;

/// Contents of the top `.gitignore`.
const IGNORED: &str = "node_modules/\ntarget/\ndist/\n__pycache__/\n*.log\n";

/// One ignored file for every four others: what builds and package managers leave.
const FILES_PER_IGNORED_FILE: usize = 4;

/// Files in one ignored directory: about what a small package or a build step leaves.
const FILES_PER_IGNORED_DIRECTORY: usize = 20;

/// From this size on modules are grouped once more, since a directory would otherwise hold hundreds.
const MIN_FILES_OF_NESTED_GROUPS: usize = 300_000;

/// The paths of a generated tree, relative to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GeneratedTree {
    /// Files that are not ignored, in the order of generation.
    pub(crate) files: Vec<String>,
    pub(crate) ignored: Vec<String>,
}

impl GeneratedTree {
    /// Generates a tree with `size` files that are not ignored.
    pub(crate) fn generate(size: usize, seed: u64) -> Self {
        let mut generator = TreeGenerator {
            rng: Rng::with_seed(seed),
            size,
            files: vec![".gitignore".to_owned(), "BUILD".to_owned(), "README.md".to_owned()],
            modules: BTreeSet::new(),
        };
        generator.files.truncate(size);
        while !generator.is_full() {
            generator.add_module();
        }
        let ignored = generator.generate_ignored();
        Self { files: generator.files, ignored }
    }
}

/// The contents of a file: the least that makes it what its name says.
pub(crate) fn contents(path: &str) -> String {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let own = directory.rsplit('/').next().unwrap_or_default();
    match name {
        ".gitignore" => IGNORED.to_owned(),
        "package.json" => format!("{{\"name\": \"@acme/{own}\"}}\n"),
        "Cargo.toml" => format!("[package]\nname = \"{own}\"\n"),
        "go.mod" => format!("module acme.example/{own}\n"),
        _ => String::new(),
    }
}

struct TreeGenerator {
    rng: Rng,
    size: usize,
    files: Vec<String>,
    /// Directory of each module, and the number of its language.
    modules: BTreeSet<(String, usize)>,
}

impl TreeGenerator {
    fn is_full(&self) -> bool {
        self.files.len() >= self.size
    }

    fn push(&mut self, directory: &str, name: &str) {
        if !self.is_full() {
            self.files.push(format!("{directory}/{name}"));
        }
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.rng.usize(..WORDS.len())]
    }

    /// A name of two or three words: in large trees many files share two words, hardly any share three.
    fn name(&mut self, style: NameStyle) -> String {
        let words: Vec<_> = (0..self.rng.usize(2..=3)).map(|_| self.word()).collect();
        style.join(&words)
    }

    fn add_module(&mut self) {
        let shares: Vec<_> = LANGUAGES.iter().enumerate().flat_map(|(at, language)| vec![at; language.share]).collect();
        let number = shares[self.rng.usize(..shares.len())];
        let language = &LANGUAGES[number];
        let mut place = format!("{}/{}", language.area, GROUPS[self.rng.usize(..GROUPS.len())]);
        if self.size >= MIN_FILES_OF_NESTED_GROUPS {
            place = format!("{place}/{}", self.word());
        }
        let place = format!("{place}/{}", self.name(NameStyle::Kebab));
        if !self.modules.insert((place.clone(), number)) {
            return;
        }
        for mark in language.marks {
            self.push(&place, mark);
        }
        let deep = self.rng.usize(1..=3);
        self.fill_directory(&format!("{place}/{}", language.source), deep, language);
    }

    /// Fills a directory with files and, down to the given depth, with directories.
    fn fill_directory(&mut self, directory: &str, deep: usize, language: &Language) {
        if self.is_full() {
            return;
        }
        for name in language.everywhere {
            self.push(directory, name);
        }
        let mut names = BTreeSet::new();
        for _ in 0..self.rng.usize(3..=9) {
            let ending = language.endings[self.rng.usize(..language.endings.len())];
            names.insert(self.name(language.style) + ending);
        }
        for name in &names {
            self.push(directory, name);
        }
        if deep > 0 {
            let below: BTreeSet<_> = (0..self.rng.usize(1..=3)).map(|_| self.word()).collect();
            for name in below {
                self.fill_directory(&format!("{directory}/{name}"), deep - 1, language);
            }
        }
    }

    /// Build outputs and packages, spread over all modules.
    fn generate_ignored(&mut self) -> Vec<String> {
        let wanted = self.size / FILES_PER_IGNORED_FILE;
        let mut ignored = Vec::with_capacity(wanted);
        let modules: Vec<_> = self.modules.iter().cloned().collect();
        for round in 0.. {
            for (place, language) in &modules {
                let output = LANGUAGES[*language].output_directory;
                let package = self.name(NameStyle::Kebab);
                for number in 0..FILES_PER_IGNORED_DIRECTORY {
                    if ignored.len() == wanted {
                        return ignored;
                    }
                    ignored.push(format!("{place}/{output}/{package}-{round}/chunk-{number:03}.js"));
                }
            }
            if modules.is_empty() {
                break;
            }
        }
        ignored
    }
}
