//! `Lookup`: the way from candidate paths to a verdict, the same for every language.

pub(crate) use crate::checked::Want;
use crate::checked::{Code, Missing, Reason, Severity, Target, Verdict};
use crate::path::{name, parent};
use crate::project::Project;
use crate::tree::Kind;

/// What was tried for one literal.
pub(crate) struct Lookup<'a> {
    project: &'a Project,
    want: Want,
    tried: Vec<String>,
    /// A candidate that leads out of the root: then nobody can say.
    outside: bool,
}

impl<'a> Lookup<'a> {
    /// Nothing was tried yet.
    pub(crate) fn new(project: &'a Project, want: Want) -> Self {
        Self { project, want, tried: Vec::new(), outside: false }
    }

    /// Tries a path relative to the root (`None`: it leads out of it); true if it is there. The first one that is tried
    /// is what the literal names in the first place.
    pub(crate) fn try_path(&mut self, path: Option<String>) -> bool {
        let Some(path) = path else {
            self.outside = true;
            return false;
        };
        let there = match (self.project.tree().kind(&path), self.want) {
            (None, _) | (Some(Kind::File), Want::Directory) | (Some(Kind::Directory), Want::File) => false,
            (Some(_), _) => true,
        };
        if !self.tried.contains(&path) {
            self.tried.push(path);
        }
        there
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
        if let Some((code, path)) = self.tried.iter().find_map(|path| self.spelt_otherwise(path)) {
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
            _ => format!("{wanted} does not exist"),
        };
        let wanted = wanted.clone();
        Verdict::Missing(Missing { code: Code::MissingPath, severity, reason, wanted, want, instead: None })
    }

    /// Of what was tried the path of which most is there: it is the likeliest to have been meant. Of equal ones the first.
    fn nearest(&self) -> Option<&String> {
        let tree = self.project.tree();
        let missing = |path: &String| {
            let ends = path.rmatch_indices('/').map(|(at, _)| at);
            ends.take_while(|end| tree.kind(&path[..*end]).is_none()).count()
        };
        self.tried.iter().min_by_key(|path| missing(path))
    }

    /// The path as the disk spells it, if it differs in case or Unicode form only.
    fn spelt_otherwise(&self, path: &str) -> Option<(Code, String)> {
        let tree = self.project.tree();
        // What is there as it is written needs no copy.
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        let there = ends.take_while(|end| tree.kind(&path[..*end]).is_some()).last().unwrap_or(0);
        let mut at = path[..there].to_owned();
        let mut code = None;
        for segment in path[there..].split('/').skip(usize::from(there > 0)) {
            let here = if at.is_empty() { segment.to_owned() } else { format!("{at}/{segment}") };
            if tree.kind(&here).is_some() {
                at = here;
                continue;
            }
            let spellings = self.project.spellings(&at);
            let (other, kind) = spellings.of(segment)?;
            code = code.or(Some(kind));
            at = if at.is_empty() { other.to_owned() } else { format!("{at}/{other}") };
        }
        let fits = match (tree.kind(&at)?, self.want) {
            (Kind::File, Want::Directory) | (Kind::Directory, Want::File) => false,
            (_, _) => true,
        };
        code.filter(|_| fits).map(|code| (code, at))
    }
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

    #[test]
    fn what_would_make_it() {
        check("a.md\nignore dist/", "dist/a.js", "ignored dist/a.js");
        check("a.md", "web/.next/a.js", "produced Next.js");
        check("a.md\n.git/info/sparse-checkout = /a.md", "b.md", "sparse -");
        check("a.md\n.gitmodules = path = lib/x", "lib/x/a.md", "submodule lib/x");
        check("b.md\nmoved a.md b.md", "a.md", "moved-path b.md");
        check("a.md", "../a.md", "outside -");
        check("a.md/", "a.md", "missing-path -");
    }
}
