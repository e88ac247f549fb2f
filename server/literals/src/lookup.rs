//! `Lookup`: the way from candidate paths to a verdict, the same for every language.

use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use crate::checked::Want;
use crate::checked::{Code, Missing, Reason, Severity, Target, Verdict};
use crate::path::{name, parent};
use crate::project::Project;
use crate::tree::{Kind, Tree};

/// Paths that are tried for one literal at most: a Haskell module is looked for in each source directory of its package, with each
/// ending; a package would need hundreds of those to get here.
const MAX_TRIED: usize = 1024;
/// From so many paths on it is looked up in a set whether one was tried before: below that, comparing is quicker.
const MANY: usize = 16;

/// What was tried for one literal.
pub(crate) struct Lookup<'a> {
    project: &'a Project,
    want: Want,
    tried: Vec<String>,
    /// What was tried, as soon as that is much.
    seen: FxHashSet<String>,
    /// A candidate that leads out of the root: then nobody can say.
    outside: bool,
    /// There are more candidates than are tried.
    is_cut: bool,
}

impl<'a> Lookup<'a> {
    /// Nothing was tried yet.
    pub(crate) fn new(project: &'a Project, want: Want) -> Self {
        Self { project, want, tried: Vec::new(), seen: FxHashSet::default(), outside: false, is_cut: false }
    }

    /// Tries a path relative to the root (`None`: it leads out of it); true if it is there. The first one that is tried
    /// is what the literal names in the first place.
    pub(crate) fn try_path(&mut self, path: Option<String>) -> bool {
        let Some(path) = path else {
            self.outside = true;
            return false;
        };
        if self.tried.len() >= MAX_TRIED {
            self.is_cut = true;
            return false;
        }
        let there = match (self.project.tree().kind(&path), self.want) {
            (None, _) | (Some(Kind::File), Want::Directory) | (Some(Kind::Directory), Want::File) => false,
            (Some(_), _) => true,
        };
        if !self.was_tried(&path) {
            self.tried.push(path);
        }
        there
    }

    fn was_tried(&mut self, path: &str) -> bool {
        if self.tried.len() < MANY {
            return self.tried.iter().any(|tried| tried == path);
        }
        if self.seen.is_empty() {
            self.seen.extend(self.tried.iter().cloned());
        }
        !self.seen.insert(path.to_owned())
    }

    /// Tries paths in turn until one is there, and gives that.
    pub(crate) fn first(&mut self, paths: impl IntoIterator<Item = Option<String>>) -> Option<String> {
        paths.into_iter().find_map(|path| {
            let text = path.clone();
            self.try_path(path).then_some(text).flatten()
        })
    }

    /// The verdict on paths that are tried in turn: found, or why not.
    pub(crate) fn verdict(
        mut self,
        severity: Severity,
        paths: impl IntoIterator<Item = Option<String>>,
    ) -> (Verdict, Vec<String>) {
        match self.first(paths) {
            Some(path) => (Verdict::Found(Target { path }), self.tried),
            None => self.missing(severity),
        }
    }

    /// The verdict where nothing that was tried is there: missing, unless something is known that would make it.
    pub(crate) fn missing(self, severity: Severity) -> (Verdict, Vec<String>) {
        let verdict = self.why(severity);
        (verdict, self.tried)
    }

    fn why(&self, severity: Severity) -> Verdict {
        let want = self.want;
        let Some(wanted) = self.nearest() else { return Verdict::Unknown(Reason::Outside) };
        // A misspelt name is wrong whatever else could be made there.
        if let Some((code, path)) = self.spelt_otherwise() {
            let reason = format!("the name on disk is {}", name(&path));
            return Verdict::Missing(Missing {
                code,
                severity,
                reason,
                wanted: wanted.clone(),
                want,
                instead: Some(path),
            });
        }
        if self.outside {
            return Verdict::Unknown(Reason::Outside);
        }
        if self.is_cut {
            return Verdict::Unknown(Reason::Undecided(format!("more than {MAX_TRIED} places")));
        }
        if let Some(reason) = self.tried.iter().find_map(|path| self.project.made_by(path)) {
            return Verdict::Unknown(reason);
        }
        let tree = self.project.tree();
        if let Some((wanted, moved)) = self.tried.iter().find_map(|path| Some((path, tree.moved(path)?))) {
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
        let reason = match self.want {
            Want::File if tree.kind(wanted) == Some(Kind::Directory) => format!("{wanted} is a directory"),
            Want::Directory if tree.kind(wanted) == Some(Kind::File) => format!("{wanted} is a file"),
            Want::File if self.tried.iter().any(|path| tree.kind(path) == Some(Kind::Directory)) => {
                let directory = self.tried.iter().find(|path| tree.kind(path) == Some(Kind::Directory));
                format!("{} is a directory without an index", directory.map_or(".", |path| shown(path)))
            }
            // Other rules than the path alone say that it is not meant: `./a/` is no `a.ts`.
            _ if tree.kind(wanted).is_some() => format!("{} exists, but this path does not lead to it", shown(wanted)),
            _ => format!("{} does not exist", shown(wanted)),
        };
        let wanted = wanted.clone();
        Verdict::Missing(Missing { code: Code::MissingPath, severity, reason, wanted, want, instead: None })
    }

    /// Of what was tried the path of which most is there: it is the likeliest to have been meant. Of equal ones the first.
    fn nearest(&self) -> Option<&String> {
        // Most of what is tried differs in its ending only.
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        let mut best: Option<(usize, &String)> = None;
        for path in &self.tried {
            let directory = parent(path);
            let missing = *known.entry(directory).or_insert_with(|| {
                let ends: Vec<usize> = ends(directory).collect();
                ends.len() - count_there(self.project.tree(), directory, &ends)
            });
            if best.is_none_or(|(fewest, _)| missing < fewest) {
                best = Some((missing, path));
            }
        }
        best.map(|(_, path)| path)
    }

    /// The first path that was tried and differs from what is on disk in case or Unicode form only, as the disk spells it.
    fn spelt_otherwise(&self) -> Option<(Code, String)> {
        let mut known: FxHashMap<&str, Option<(String, Option<Code>)>> = FxHashMap::default();
        self.tried.iter().find_map(|path| {
            let directory = known.entry(parent(path)).or_insert_with_key(|directory| self.spelt(directory));
            let (directory, code) = directory.as_ref()?;
            let (path, code) = self.spelt_in(directory, name(path), *code)?;
            let fits = match (self.project.tree().kind(&path)?, self.want) {
                (Kind::File, Want::Directory) | (Kind::Directory, Want::File) => false,
                (_, _) => true,
            };
            code.filter(|_| fits).map(|code| (code, path))
        })
    }

    /// A directory as the disk spells it, and in what that differs first.
    fn spelt(&self, directory: &str) -> Option<(String, Option<Code>)> {
        if directory.is_empty() {
            return Some((String::new(), None));
        }
        let ends: Vec<usize> = ends(directory).collect();
        let count = count_there(self.project.tree(), directory, &ends);
        let there = count.checked_sub(1).map_or(0, |last| ends[last]);
        let rest = directory[there..].split('/').skip(usize::from(there > 0)).filter(|segment| !segment.is_empty());
        let mut spelt = (directory[..there].to_owned(), None);
        for segment in rest {
            spelt = self.spelt_in(&spelt.0, segment, spelt.1)?;
        }
        Some(spelt)
    }

    /// What is called so in a directory, as the disk spells it.
    fn spelt_in(&self, directory: &str, segment: &str, code: Option<Code>) -> Option<(String, Option<Code>)> {
        let within = |name: &str| if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
        let here = within(segment);
        if self.project.tree().kind(&here).is_some() {
            return Some((here, code));
        }
        let spellings = self.project.spellings(directory);
        let (other, kind) = spellings.of(segment)?;
        Some((within(other), code.or(Some(kind))))
    }
}

/// How many of the ends of a path's segments end something that is there. What is there is in something that is there, so that few
/// have to be asked for: most often the last one, or the one before.
pub(crate) fn count_there(tree: &dyn Tree, path: &str, ends: &[usize]) -> usize {
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

/// Where the segments of a path end.
fn ends(path: &str) -> impl Iterator<Item = usize> {
    path.match_indices('/').map(|(at, _)| at).chain((!path.is_empty()).then_some(path.len()))
}

/// A path as a message names it.
fn shown(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

/// `path` with each of these put behind it.
pub(crate) fn with_endings<'p>(path: &'p str, endings: &'p [&'p str]) -> impl Iterator<Item = Option<String>> + 'p {
    endings.iter().map(move |ending| Some(format!("{path}{ending}")))
}

/// The directory of a path, joined with a name.
pub(crate) fn beside(path: &str, name: &str) -> String {
    let parent = parent(path);
    if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::path::join;
    use crate::testing::Forest;

    /// The verdict on one path, as code or reason, and what is there instead.
    #[track_caller]
    fn check(tree: &str, path: &str, expect: &str) {
        let forest = Forest::new(tree);
        let project = Project::new(Arc::new(forest));
        let (verdict, tried) = Lookup::new(&project, Want::File).verdict(Severity::Error, [join("", path)]);
        let verdict = match verdict {
            Verdict::Found(target) => target.path,
            Verdict::Missing(missing) => {
                format!("{} {}", missing.code.name(), missing.instead.as_deref().unwrap_or("-"))
            }
            Verdict::Unknown(reason) => format!("{} {}", reason.name(), reason.detail().unwrap_or("-")),
        };
        assert_eq!(verdict, expect, "{path}");
        assert_eq!(tried.len(), usize::from(!path.starts_with("..")), "what was tried is told");
    }

    #[test]
    fn spelt_otherwise() {
        check("docs/Setup.md", "docs/Setup.md", "docs/Setup.md");
        check("docs/Setup.md", "Docs/setup.md", "case-mismatch docs/Setup.md");
        check("docs/caf\u{e9}.md", "docs/cafe\u{301}.md", "unicode-mismatch docs/caf\u{e9}.md");
        check("docs/setup.md", "docs/startup.md", "missing-path -");
    }

    /// The verdict stays a verdict, however many places a literal could be in.
    #[test]
    fn tries_a_bounded_number_of_paths() {
        let tried = |count: usize, expect: &str| {
            let project = Project::new(Arc::new(Forest::new("a.md")));
            // Each is tried twice, which counts once.
            let paths = (0..count * 2).map(|at| Some(format!("b/{}", at / 2)));
            let (verdict, tried) = Lookup::new(&project, Want::File).verdict(Severity::Error, paths);
            let is_missing = matches!(verdict, Verdict::Missing(_));
            assert_eq!(if is_missing { "missing" } else { "unknown" }, expect, "{count}");
            assert_eq!(tried.len(), count.min(MAX_TRIED));
        };
        for count in [1, MANY - 1, MANY, MANY + 1, MAX_TRIED - 1] {
            tried(count, "missing");
        }
        tried(MAX_TRIED * 3, "unknown");
    }

    /// The nearest path counts, and of what is written otherwise the whole way is told.
    #[test]
    fn many_candidates() {
        let project = Project::new(Arc::new(Forest::new("a/b/C/d.md\na/x.md")));
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
    fn what_would_make_it() {
        check("a.md\nignore dist/", "dist/a.js", "ignored dist/a.js");
        check("a.md", "web/.next/a.js", "produced Next.js");
        check("a.md\n.git/info/sparse-checkout = /a.md", "b.md", "sparse -");
        check("a.md\n.gitmodules = path = lib/x", "lib/x/a.md", "submodule lib/x");
        check("b.md\nmoved a.md b.md", "a.md", "moved-path b.md");
        check("b.template.js\nmoved b.js b.template.js", "b.js", "produced b.template.js");
        check("b.h.in", "b.h", "produced b.h.in");
        check("b.test.js", "b.js", "missing-path -");
        check("a.md", "../a.md", "outside -");
        check("a.md/", "a.md", "missing-path -");
    }
}
