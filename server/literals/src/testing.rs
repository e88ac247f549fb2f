//! Test support: `MemoryTree`, and `check`, which compares the literals of a file with a table of expected rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::checked::{Checked, Verdict};
use crate::project::Project;
use crate::source::Source;
use crate::tree::{Kind, Moved, Tree};

/// A tree in memory, described by one entry per line: `path`, `path = contents` (`\n` is a line end), `path/`, `ignore PREFIX`,
/// `ignore *.END`, `moved FROM TO`.
pub(crate) struct MemoryTree {
    files: BTreeMap<String, String>,
    directories: BTreeSet<String>,
    ignored: Vec<String>,
    moved: BTreeMap<String, String>,
    list: Vec<String>,
}

impl MemoryTree {
    pub(crate) fn new(text: &str) -> Self {
        let mut tree = Self {
            files: BTreeMap::new(),
            directories: BTreeSet::new(),
            ignored: Vec::new(),
            moved: BTreeMap::new(),
            list: Vec::new(),
        };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(prefix) = line.strip_prefix("ignore ") {
                tree.ignored.push(prefix.to_owned());
            } else if let Some((from, to)) = line.strip_prefix("moved ").and_then(|rest| rest.split_once(' ')) {
                tree.moved.insert(from.to_owned(), to.to_owned());
            } else if let Some(directory) = line.strip_suffix('/') {
                tree.add_directories(&format!("{directory}/x"));
            } else {
                let (path, contents) = line.split_once(" = ").unwrap_or((line, ""));
                tree.add(path, &contents.replace("\\n", "\n"));
            }
        }
        tree
    }

    pub(crate) fn add(&mut self, path: &str, contents: &str) {
        self.add_directories(path);
        self.files.insert(path.to_owned(), contents.to_owned());
        self.list = self.files.keys().filter(|path| !self.is_ignored(path)).cloned().collect();
    }

    fn add_directories(&mut self, path: &str) {
        let ends = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
        self.directories.extend(ends);
    }
}

impl Tree for MemoryTree {
    fn kind(&self, path: &str) -> Option<Kind> {
        if path.is_empty() || self.directories.contains(path) {
            return Some(Kind::Directory);
        }
        self.files.contains_key(path).then_some(Kind::File)
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let all = self.files.keys().chain(&self.directories);
        let below = all.filter_map(|path| path.strip_prefix(&prefix)).filter(|rest| !rest.is_empty());
        below
            .map(|rest| rest.split('/').next().unwrap_or(rest).to_owned())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }

    fn files(&self) -> &[String] {
        &self.list
    }

    fn is_ignored(&self, path: &str) -> bool {
        self.ignored.iter().any(|pattern| match pattern.strip_prefix('*') {
            Some(end) => path.split('/').any(|segment| segment.ends_with(end)),
            None => path.starts_with(pattern.as_str()),
        })
    }

    fn is_tracked(&self, _path: &str) -> Option<bool> {
        None
    }

    fn moved(&self, path: &str) -> Option<Moved> {
        let to = self.moved.get(path)?.clone();
        Some(Moved { to, commit: "1a2b3c4 (2026-03-02)".to_owned() })
    }

    fn origins(&self, path: &str) -> Vec<String> {
        self.moved.iter().filter(|(_, to)| *to == path).map(|(from, _)| from.clone()).collect()
    }
}

/// Checks one file of a tree and compares its literals with the expected rows.
///
/// There is one row per literal, in order: `KIND LITERAL → PATH`, `KIND LITERAL → missing`, or `KIND LITERAL → unknown REASON`.
/// Other codes than `missing-path` have their own name: `→ case-mismatch`. The literal is the text in the file.
#[track_caller]
pub(crate) fn check(tree: &str, path: &str, contents: &str, expect: &str) {
    let mut tree = MemoryTree::new(tree);
    tree.add(path, contents);
    let project = Project::new(Arc::new(tree));
    let source = Source::new(path, contents.as_bytes()).expect("a text");
    let rows: Vec<String> = crate::check(&source, &project).iter().map(|checked| row(checked, contents)).collect();
    let expect: Vec<&str> = expect.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    assert_eq!(rows, expect, "\n{path}:\n{contents}");
}

fn row(checked: &Checked, contents: &str) -> String {
    let literal = contents.get(checked.range.clone()).expect("a range in the file");
    let verdict = match &checked.verdict {
        Verdict::Found(target) if target.path.is_empty() => ".".to_owned(),
        Verdict::Found(target) => target.path.clone(),
        Verdict::Missing(missing) => missing.code.name().trim_end_matches("-path").to_owned(),
        Verdict::Unknown(reason) => format!("unknown {}", reason.name()),
    };
    format!("{} {literal} → {verdict}", checked.kind)
}

/// Asserts that a check does not panic and that every range lies on character boundaries of the file.
pub(crate) fn assert_ranges_valid(path: &str, text: &str) {
    let mut tree = MemoryTree::new("a/b.txt\nc/d.css\nsrc/e.c");
    tree.add(path, text);
    let project = Project::new(Arc::new(tree));
    let Some(source) = Source::new(path, text.as_bytes()) else { return };
    for checked in crate::check(&source, &project) {
        assert!(text.get(checked.range.clone()).is_some(), "{path}: {checked:?} in {text:?}");
    }
}

/// Returns the severities of the findings of one file, in order.
pub(crate) fn severities(tree: &str, path: &str, contents: &str) -> Vec<&'static str> {
    let mut tree = MemoryTree::new(tree);
    tree.add(path, contents);
    let project = Project::new(Arc::new(tree));
    let source = Source::new(path, contents.as_bytes()).expect("a text");
    let missing = crate::check(&source, &project).into_iter().filter_map(|checked| match checked.verdict {
        Verdict::Missing(missing) => Some(missing.severity.name()),
        _ => None,
    });
    missing.collect()
}
