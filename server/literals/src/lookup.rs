//! `Lookup`: turns candidate paths of a literal into a verdict. The rules of all languages use it.
//!
//! The first existing candidate is the target. If none exists, another spelling on disk is a finding of its own. A literal is
//! missing only if nothing is known that would generate a candidate: ignore rules, tools, builds, empty submodules and sparse
//! checkouts make it unknown, and so does a candidate outside of the root.

use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checked::{Code, Missing, Reason, Severity, Target, Verdict, Want};
use crate::generated;
use crate::path::{extension, first_places, is_within, name, parent};
use crate::project::Project;
use crate::tree::{Kind, Tree};

/// Maximum number of paths that are tried for one literal.
///
/// A Haskell module is looked up in each source directory of its package, with each extension. A package would need hundreds
/// of directories to reach the limit.
const MAX_TRIED_PATHS: usize = 1024;
/// Number of tried paths from which duplicates are found by a hash set. Below it, comparing is faster.
const MIN_PATHS_FOR_SET: usize = 16;

/// The paths that were tried for one literal.
pub struct Lookup<'a> {
    project: &'a Project,
    want: Want,
    tried: Vec<String>,
    /// A copy of `tried`, filled from [`MIN_PATHS_FOR_SET`] paths on.
    tried_set: FxHashSet<String>,
    /// True if a candidate leads out of the root. Then the verdict is unknown.
    has_outside: bool,
    /// True if there were more than [`MAX_TRIED_PATHS`] candidates.
    is_cut: bool,
}

/// A lookup of many paths of which none exists. Its verdict depends on nothing else in a project.
#[derive(Clone, Hash, PartialEq, Eq)]
struct MissingLookup {
    want: Want,
    severity: Severity,
    tried: Vec<String>,
}

/// The verdicts on lookups of many paths: each rewriting of a file repeats those of all its literals.
#[derive(Default)]
pub(crate) struct MissingLookups(RwLock<FxHashMap<MissingLookup, Verdict>>);

impl MissingLookups {
    /// Maximum number of verdicts. With [`MAX_TRIED_PATHS`] usual paths each, they take 64 MiB.
    const MAX_VERDICTS: usize = 1 << 10;

    fn get(&self, lookup: &MissingLookup) -> Option<Verdict> {
        self.0.read().get(lookup).cloned()
    }

    fn insert(&self, lookup: &MissingLookup, verdict: &Verdict) {
        let mut all = self.0.write();
        if all.len() < Self::MAX_VERDICTS {
            all.insert(lookup.clone(), verdict.clone());
        }
    }
}

impl<'a> Lookup<'a> {
    /// Creates a lookup without tried paths.
    pub fn new(project: &'a Project, want: Want) -> Self {
        Self { project, want, tried: Vec::new(), tried_set: FxHashSet::default(), has_outside: false, is_cut: false }
    }

    /// Tries a path relative to the root and returns whether an entry of the wanted kind exists. `None` is a path that leads out
    /// of the root.
    pub fn try_path(&mut self, path: Option<String>) -> bool {
        self.find_path(path).is_some()
    }

    /// Tries a path and returns it if an entry of the wanted kind exists.
    fn find_path(&mut self, path: Option<String>) -> Option<String> {
        let Some(path) = path else {
            self.has_outside = true;
            return None;
        };
        if self.tried.len() >= MAX_TRIED_PATHS {
            self.is_cut = true;
            return None;
        }
        let exists = match (self.project.tree().kind(&path), self.want) {
            (None, _) | (Some(Kind::File), Want::Directory) | (Some(Kind::Directory), Want::File) => false,
            (Some(_), _) => true,
        };
        let found = exists.then(|| path.clone());
        if !self.was_tried(&path) {
            self.tried.push(path);
        }
        found
    }

    fn was_tried(&mut self, path: &str) -> bool {
        if self.tried.len() < MIN_PATHS_FOR_SET {
            return self.tried.iter().any(|tried| tried == path);
        }
        if self.tried_set.is_empty() {
            self.tried_set.extend(self.tried.iter().cloned());
        }
        !self.tried_set.insert(path.to_owned())
    }

    /// Tries paths in order and returns the first that exists.
    pub fn first(&mut self, paths: impl IntoIterator<Item = Option<String>>) -> Option<String> {
        paths.into_iter().find_map(|path| self.find_path(path))
    }

    /// Tries paths in order and returns the verdict with the tried paths.
    pub fn verdict(
        mut self,
        severity: Severity,
        paths: impl IntoIterator<Item = Option<String>>,
    ) -> (Verdict, Vec<String>) {
        match self.first(paths) {
            Some(path) => (Verdict::Found(Target { path }), self.tried),
            None => self.missing(severity),
        }
    }

    /// Returns the verdict if no tried path exists: missing, unless something is known that would generate one.
    pub fn missing(mut self, severity: Severity) -> (Verdict, Vec<String>) {
        if self.tried.len() < MIN_PATHS_FOR_SET || self.has_outside || self.is_cut {
            let verdict = self.missing_verdict(severity);
            return (verdict, self.tried);
        }
        let (project, want) = (self.project, self.want);
        let key = MissingLookup { want, severity, tried: std::mem::take(&mut self.tried) };
        if let Some(verdict) = project.missing_lookups().get(&key) {
            return (verdict, key.tried);
        }
        self.tried = key.tried;
        let verdict = self.missing_verdict(severity);
        let key = MissingLookup { want, severity, tried: self.tried };
        project.missing_lookups().insert(&key, &verdict);
        (verdict, key.tried)
    }

    /// Returns whether a path is that of a page or an asset with a second ending, which a rule for outputs can ignore: `a.png.html`, where
    /// `*.html` is ignored, says nothing of `a.png`.
    fn adds_ending(&self, path: &str) -> bool {
        const ENDINGS: [&str; 15] = [
            "css", "gif", "htm", "html", "ico", "jpeg", "jpg", "json", "md", "pdf", "png", "rst", "svg", "txt", "webp",
        ];
        let is_longer =
            |first: &String| path.strip_prefix(first.as_str()).is_some_and(|rest| rest.starts_with(['.', '/']));
        self.tried.first().is_some_and(|first| ENDINGS.contains(&extension(first).as_str()) && is_longer(first))
    }

    fn missing_verdict(&self, severity: Severity) -> Verdict {
        let want = self.want;
        let Some(wanted) = self.most_likely_path() else { return Verdict::Unknown(Reason::Outside) };
        // A name in the wrong case is wrong even if a build could generate the path.
        if let Some((code, path, differing)) = self.find_other_spelling() {
            let reason = format!("the name on disk is {differing}");
            return Verdict::Missing(Missing {
                code,
                severity,
                reason,
                wanted: wanted.clone(),
                want,
                instead: Some(path),
            });
        }
        if self.has_outside {
            return Verdict::Unknown(Reason::Outside);
        }
        if self.is_cut {
            return Verdict::Unknown(Reason::Undecided(format!("more than {MAX_TRIED_PATHS} places")));
        }
        let is_told =
            |(path, reason): &(&String, Reason)| !matches!(reason, Reason::Ignored(_)) || !self.adds_ending(path);
        let tree = self.project.tree();
        let moved = first_places(&self.tried).find_map(|path| Some((path, tree.moved(path)?)));
        let is_kept = |reason: &Reason| {
            moved.as_ref().is_some_and(|(wanted, moved)| match reason {
                // A file that moved within what a build is said to make is in the repository, and so was the other.
                Reason::Produced(_) => self.project.generated_by(&moved.to).as_ref() == Some(reason),
                // It was a file, of which a rule for directories says nothing. A rule that the file which is in the repository matches as well
                // tells no outputs.
                Reason::Ignored(path) => {
                    let tells = tree.is_ignored_file(path) && !tree.is_ignored_file(&moved.to);
                    *wanted == path && !tells && tree.kind(&moved.to) != Some(Kind::Directory)
                }
                _ => false,
            })
        };
        let mut reasons = self.file_paths().filter_map(|path| Some((path, self.project.generated_by(path)?)));
        if let Some((_, reason)) = reasons.find(is_told).filter(|(_, reason)| !is_kept(reason)) {
            return Verdict::Unknown(reason);
        }
        if let Some((wanted, moved)) = moved {
            // Another path, or a build of one, takes the place of what became a template.
            if generated::is_template_of(&moved.to, wanted) {
                return Verdict::Unknown(Reason::Produced(moved.to));
            }
            let reason = format!("moved to {} in {}", moved.to, moved.commit);
            let instead = Some(moved.to);
            return Verdict::Missing(Missing {
                code: Code::MovedPath,
                severity,
                reason,
                wanted: wanted.clone(),
                want,
                instead,
            });
        }
        // A link that leads nowhere is in the tree, though nothing can be read there.
        let is_listed = || self.project.spellings(parent(wanted)).has(name(wanted));
        if tree.kind(wanted).is_none() && tree.can_have_entries(parent(wanted)) && is_listed() {
            return Verdict::Unknown(Reason::Undecided("a link that leads nowhere".to_owned()));
        }
        let reason = match self.want {
            Want::File if tree.kind(wanted) == Some(Kind::Directory) => format!("{wanted} is a directory"),
            Want::Directory if tree.kind(wanted) == Some(Kind::File) => format!("{wanted} is a file"),
            Want::File if self.tried.iter().any(|path| tree.kind(path) == Some(Kind::Directory)) => {
                let directory = self.tried.iter().find(|path| tree.kind(path) == Some(Kind::Directory));
                format!("{} is a directory without an index", directory.map_or(".", |path| display_path(path)))
            }
            // The path exists, but a rule of the construct excludes it: `./a/` is no `a.ts`.
            _ if tree.kind(wanted).is_some() => {
                format!("{} exists, but this path does not lead to it", display_path(wanted))
            }
            _ => format!("{} does not exist", display_path(wanted)),
        };
        let wanted = wanted.clone();
        Verdict::Missing(Missing { code: Code::MissingPath, severity, reason, wanted, want, instead: None })
    }

    /// Returns the tried paths, without those below the first one if that is written as a file: an ignore rule for `_*` says
    /// nothing about `a.c`, of which `a.c/_index.md` was tried too.
    fn file_paths(&self) -> impl Iterator<Item = &String> {
        let first = self.tried.first().filter(|path| extension(path).contains(|c: char| c.is_ascii_alphabetic()));
        self.tried
            .iter()
            .filter(move |path| !first.is_some_and(|first| path.len() > first.len() && is_within(path, first)))
    }

    /// Returns the tried path with the fewest missing directories, which is the most likely target. Ties go to the first.
    fn most_likely_path(&self) -> Option<&String> {
        // Most tried paths share their directory and differ only in the extension.
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        let mut best: Option<(usize, &String)> = None;
        for path in &self.tried {
            let directory = parent(path);
            let missing = *known.entry(directory).or_insert_with(|| {
                let ends: Vec<usize> = segment_ends(directory).collect();
                ends.len() - count_existing(self.project.tree(), directory, &ends)
            });
            if best.is_none_or(|(fewest, _)| missing < fewest) {
                best = Some((missing, path));
            }
        }
        best.map(|(_, path)| path)
    }

    /// Returns the first existing path that differs from a tried one only in case or Unicode form, as the disk spells it, and its first
    /// segment that differs.
    fn find_other_spelling(&self) -> Option<(Code, String, String)> {
        let mut known: FxHashMap<&str, Option<(String, Option<Code>)>> = FxHashMap::default();
        self.tried.iter().find_map(|path| {
            let directory = known.entry(parent(path)).or_insert_with_key(|directory| self.disk_spelling(directory));
            let (directory, code) = directory.as_ref()?;
            let tried = path;
            let (path, code) = self.disk_spelling_in(directory, name(path), *code)?;
            let fits = match (self.project.tree().kind(&path)?, self.want) {
                (Kind::File, Want::Directory) | (Kind::Directory, Want::File) => false,
                (_, _) => true,
            };
            let code = code.filter(|_| fits)?;
            // Both have as many segments.
            let differing = path.split('/').zip(tried.split('/')).find(|(disk, tried)| disk != tried);
            let differing = differing.map_or(name(&path), |(disk, _)| disk).to_owned();
            Some((code, path, differing))
        })
    }

    /// Returns a directory as the disk spells it, and how its first differing segment differs.
    fn disk_spelling(&self, directory: &str) -> Option<(String, Option<Code>)> {
        if directory.is_empty() {
            return Some((String::new(), None));
        }
        let ends: Vec<usize> = segment_ends(directory).collect();
        let count = count_existing(self.project.tree(), directory, &ends);
        let existing_end = count.checked_sub(1).map_or(0, |last| ends[last]);
        let rest = directory[existing_end..]
            .split('/')
            .skip(usize::from(existing_end > 0))
            .filter(|segment| !segment.is_empty());
        let mut spelt = (directory[..existing_end].to_owned(), None);
        for segment in rest {
            spelt = self.disk_spelling_in(&spelt.0, segment, spelt.1)?;
        }
        Some(spelt)
    }

    /// Returns the entry of a directory that matches `segment`, as the disk spells it.
    fn disk_spelling_in(&self, directory: &str, segment: &str, code: Option<Code>) -> Option<(String, Option<Code>)> {
        let within = |name: &str| if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
        let here = within(segment);
        if self.project.tree().kind(&here).is_some() {
            return Some((here, code));
        }
        let spellings = self.project.spellings(directory);
        let (other, kind) = spellings.find(segment)?;
        Some((within(other), code.or(Some(kind))))
    }
}

/// Returns how many of the prefixes of `path` that end at `ends` exist.
///
/// An existing entry has existing parents, so that few lookups are needed: mostly the last prefix, or the one before.
pub fn count_existing(tree: &dyn Tree, path: &str, ends: &[usize]) -> usize {
    let is_there = |end: &usize| tree.kind(&path[..*end]).is_some();
    let mut missing = ends.len();
    let mut step = 1;
    while missing > 0 {
        let before = missing.saturating_sub(step);
        if is_there(&ends[before]) {
            return before + 1 + ends[before + 1..missing].partition_point(is_there);
        }
        missing = before;
        step *= 2;
    }
    0
}

/// Returns the byte offsets at which the segments of a path end.
fn segment_ends(path: &str) -> impl Iterator<Item = usize> {
    path.match_indices('/').map(|(at, _)| at).chain((!path.is_empty()).then_some(path.len()))
}

/// Returns a path for a message: `.` for the root.
fn display_path(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::path::join;
    use crate::testing::MemoryTree;

    /// Compares the verdict on one path: the target, or code and replacement, or the reason.
    #[track_caller]
    fn check(tree: &str, path: &str, expect: &str) {
        let project = Project::new(Arc::new(MemoryTree::new(tree)), &[]);
        let (verdict, tried) = Lookup::new(&project, Want::File).verdict(Severity::Error, [join("", path)]);
        let verdict = match verdict {
            Verdict::Found(target) => target.path,
            Verdict::Missing(missing) => {
                format!("{} {}", missing.code.name(), missing.instead.as_deref().unwrap_or("-"))
            }
            Verdict::Unknown(reason) => format!("{} {}", reason.name(), reason.detail().unwrap_or("-")),
        };
        assert_eq!(verdict, expect, "{path}");
        assert_eq!(tried.len(), usize::from(!path.starts_with("..")), "tried paths are returned");
    }

    #[test]
    fn reports_other_case_and_unicode_form() {
        check("docs/Setup.md", "docs/Setup.md", "docs/Setup.md");
        check("docs/Setup.md", "Docs/setup.md", "case-mismatch docs/Setup.md");
        check("docs/caf\u{e9}.md", "docs/cafe\u{301}.md", "unicode-mismatch docs/caf\u{e9}.md");
        check("docs/setup.md", "docs/startup.md", "missing-path -");
    }

    #[test]
    fn names_the_segment_that_differs() {
        let check = |path: &str, expect: &str| {
            let project = Project::new(Arc::new(MemoryTree::new("app/index.tsx")), &[]);
            let (verdict, _) = Lookup::new(&project, Want::File).verdict(Severity::Error, [join("", path)]);
            let Verdict::Missing(missing) = verdict else { panic!("{path} is missing") };
            assert_eq!(missing.reason, expect);
        };
        check("App/index.tsx", "the name on disk is app");
        check("app/Index.tsx", "the name on disk is index.tsx");
    }

    #[test]
    fn tries_a_bounded_number_of_paths() {
        let tried = |count: usize, expect: &str| {
            let project = Project::new(Arc::new(MemoryTree::new("a.md")), &[]);
            // Each path is tried twice, which counts once.
            let paths = (0..count * 2).map(|at| Some(format!("b/{}", at / 2)));
            let (verdict, tried) = Lookup::new(&project, Want::File).verdict(Severity::Error, paths);
            let is_missing = matches!(verdict, Verdict::Missing(_));
            assert_eq!(if is_missing { "missing" } else { "unknown" }, expect, "{count}");
            assert_eq!(tried.len(), count.min(MAX_TRIED_PATHS));
        };
        for count in [1, MIN_PATHS_FOR_SET - 1, MIN_PATHS_FOR_SET, MIN_PATHS_FOR_SET + 1, MAX_TRIED_PATHS - 1] {
            tried(count, "missing");
        }
        tried(MAX_TRIED_PATHS * 3, "unknown");
    }

    #[test]
    fn keeps_the_verdict_on_many_paths() {
        let project = Project::new(Arc::new(MemoryTree::new("a.md\nignore dist/")), &[]);
        let verdict = |want: Want, count: usize, last: &str| {
            let paths = (0..count).map(|at| Some(format!("b/{at}"))).chain([Some(last.to_owned())]);
            Lookup::new(&project, want).verdict(Severity::Error, paths)
        };
        let first = verdict(Want::File, MIN_PATHS_FOR_SET, "c");
        assert_eq!(first, verdict(Want::File, MIN_PATHS_FOR_SET, "c"));
        assert_ne!(first.0, verdict(Want::Any, MIN_PATHS_FOR_SET, "c").0);
        assert_ne!(first.0, verdict(Want::File, MIN_PATHS_FOR_SET, "dist/c").0);
        assert_eq!(project.missing_lookups().0.read().len(), 3);
        verdict(Want::File, 1, "c");
        assert_eq!(project.missing_lookups().0.read().len(), 3, "a lookup of few paths is cheap");
    }

    #[test]
    fn picks_the_candidate_with_most_existing_directories() {
        let project = Project::new(Arc::new(MemoryTree::new("a/b/C/d.md\na/x.md")), &[]);
        let missing = |paths: &[&str]| {
            let paths = paths.iter().map(|path| join("", path));
            match Lookup::new(&project, Want::File).verdict(Severity::Error, paths).0 {
                Verdict::Missing(missing) => (missing.wanted, missing.instead.unwrap_or_default()),
                other => panic!("{other:?}"),
            }
        };
        let both = |wanted: &str, instead: &str| (wanted.to_owned(), instead.to_owned());
        assert_eq!(missing(&["q/r.md", "q/s.md", "a/b/e.md", "a/f.md"]), both("a/b/e.md", ""));
        assert_eq!(missing(&["q/r.md", "A/B/c/D.md"]), both("q/r.md", "a/b/C/d.md"));
        assert_eq!(missing(&["a/b/c/e.md", "a/b/c/D.md"]), both("a/b/c/e.md", "a/b/C/d.md"));
    }

    #[test]
    fn ignores_rules_for_paths_below_a_file() {
        let check = |tried: [&str; 2], expect: &str| {
            let project = Project::new(Arc::new(MemoryTree::new("a.md\nignore *_index.md")), &[]);
            let (verdict, _) =
                Lookup::new(&project, Want::Any).verdict(Severity::Error, tried.map(|path| join("", path)));
            let text = if let Verdict::Unknown(reason) = verdict { reason.name() } else { "missing" };
            assert_eq!(text, expect, "{tried:?}");
        };
        check(["examples/a.c", "examples/a.c/_index.md"], "missing");
        check(["examples/a", "examples/a/_index.md"], "ignored");
        check(["examples/v1.2", "examples/v1.2/_index.md"], "ignored");
    }

    #[test]
    fn explains_missing_paths() {
        check("a.md\nignore dist/", "dist/a.js", "ignored dist/a.js");
        check("a.md", "web/.next/a.js", "produced Next.js");
        check("a.md\n.git/info/sparse-checkout = /a.md", "b.md", "sparse -");
        check("a.md\n.gitmodules = path = lib/x", "lib/x/a.md", "submodule lib/x");
        check("b.md\nmoved a.md b.md", "a.md", "moved-path b.md");
        check("b.template.js\nmoved b.js b.template.js", "b.js", "produced b.template.js");
        check("b.h.in", "b.h", "produced b.h.in");
        check("src/b-unix.h.in\nmoved b.h src/b-unix.h.in", "b.h", "produced src/b-unix.h.in");
        check("src/b.c.in\nmoved b.h src/b.c.in", "b.h", "moved-path src/b.c.in");
        check("b-template.json", "b.json", "produced b-template.json");
        check("b.dart", "b.dart.js", "produced b.dart");
        check("b.test.js", "b.js", "missing-path -");
        check("a.md", "../a.md", "outside -");
        check("a.md/", "a.md", "missing-path -");
    }
}
