//! `RootDiagnostics`: one root that is watched over: what is wrong in its files, kept right while files come, go and change.
//!
//! It knows nothing of editors. Who has a file open checks that text with the diagnostics's [`Checker`], and tells the diagnostics
//! what the text mentions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use pathfinder_core::Kind;
use pathfinder_core::index::Change;
use pathfinder_literals::{Checked, Mentions, Verdict, is_configuration, language};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::check::{Checker, FileAnalysis, Finding, Options, Statistics, digest, own_files, within};
use crate::snapshot::WorkspaceSnapshot;

/// Files that are checked before what they say is taken in: often enough that one sees progress, seldom enough that the
/// threads do not wait for one another.
const PORTION: usize = 64;

/// See the module's text.
pub(crate) struct RootDiagnostics {
    now: RwLock<(Arc<WorkspaceSnapshot>, Arc<Checker>)>,
    options: Arc<Options>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    mentions: Mentions,
    /// What is wrong on disk, by file; only files in which anything is.
    findings: BTreeMap<String, Arc<[Finding]>>,
    /// Files in which something is missing, likely broken or not.
    missing: BTreeSet<String>,
    /// Of the contents of each file that was checked: by them a file is known again that was moved.
    digests: FxHashMap<String, u64>,
    /// Files of which a text is open: what that mentions counts, not what the file on disk does.
    texts: BTreeSet<String>,
    /// Goes up with everything that happens to the tree.
    changes: u64,
}

/// Who has to be checked again after something has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Affected {
    /// These files, sorted, relative to the root.
    Files(Vec<String>),
    /// All of them: configuration has changed.
    All,
}

impl RootDiagnostics {
    /// For a session with one root.
    pub(crate) fn new(workspace: &Arc<WorkspaceSnapshot>, options: Arc<Options>) -> Self {
        let checker = Checker::new(workspace, &options).with_statistics(Arc::default());
        let now = RwLock::new((Arc::clone(workspace), Arc::new(checker)));
        Self { now, options, known: Mutex::default() }
    }

    /// Moves on to a session of the same tree of which more is known: how likely what is missing is broken is weighed anew.
    pub(crate) fn renew(&self, workspace: &Arc<WorkspaceSnapshot>) {
        self.renew_with(workspace, Arc::default());
    }

    fn renew_with(&self, workspace: &Arc<WorkspaceSnapshot>, statistics: Arc<Statistics>) {
        let checker = Arc::new(Checker::new(workspace, &self.options).with_statistics(statistics));
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = (Arc::clone(workspace), checker);
        self.known().changes += 1;
    }

    /// Files in which something is missing, likely broken or not.
    pub(crate) fn files_with_missing(&self) -> Vec<String> {
        self.known().missing.iter().cloned().collect()
    }

    /// Takes over what another one of the same root knows of its files.
    pub(crate) fn inherit(&self, other: &Self) {
        let other = other.known();
        *self.known() = Known {
            mentions: other.mentions.clone(),
            findings: other.findings.clone(),
            missing: other.missing.clone(),
            digests: other.digests.clone(),
            texts: other.texts.clone(),
            changes: other.changes,
        };
    }

    /// Forgets what was known of files that are not looked after any more; those of them in which anything was wrong.
    pub(crate) fn forget_others(&self) -> Vec<String> {
        let files: BTreeSet<String> = self.files().into_iter().collect();
        let mut known = self.known();
        let gone: Vec<String> = known.findings.keys().filter(|file| !files.contains(*file)).cloned().collect();
        known.forget(&gone.iter().map(String::as_str).collect());
        gone
    }

    /// Forgets everything, as the root is gone; the files in which anything was wrong.
    pub(crate) fn forget_all(&self) -> Vec<String> {
        let mut known = self.known();
        let changes = known.changes + 1;
        std::mem::replace(&mut *known, Known { changes, ..Known::default() }).findings.into_keys().collect()
    }

    /// Who checks files as the tree is at this moment.
    pub(crate) fn checker(&self) -> Arc<Checker> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner).1)
    }

    /// The tree as it is at this moment: a session with one root.
    pub(crate) fn snapshot(&self) -> Arc<WorkspaceSnapshot> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner).0)
    }

    /// The directory that it looks after: absolute, through no link.
    pub(crate) fn root(&self) -> PathBuf {
        self.snapshot().opened()[0].root.canonical.clone()
    }

    /// Whether a file is one that is reported of.
    pub(crate) fn wants(&self, file: &str) -> bool {
        self.options.wants(file)
    }

    /// What is wrong in files on disk, by file.
    pub(crate) fn findings(&self) -> BTreeMap<String, Arc<[Finding]>> {
        self.known().findings.clone()
    }

    /// What is wrong in one file on disk.
    pub(crate) fn findings_of(&self, file: &str) -> Arc<[Finding]> {
        self.known().findings.get(file).cloned().unwrap_or_default()
    }

    /// How many files the root has.
    pub(crate) fn count(&self) -> usize {
        self.snapshot().engine().roots()[0].snapshot.stats().files
    }

    /// Every file that is looked after.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut files = own_files(&self.snapshot());
        files.retain(|file| self.wants(file));
        files
    }

    /// How much has happened to the tree. To be asked before [`checker`](Self::checker).
    pub(crate) fn moment(&self) -> u64 {
        self.known().changes
    }

    /// Enters what a text that is open says, be it on disk or not; whether nothing has happened since the moment at which that was
    /// begun to be found out.
    pub(crate) fn set_mentions(&self, file: &str, literals: &[Checked], moment: u64) -> bool {
        let mut known = self.known();
        known.texts.insert(file.to_owned());
        known.mentions.set(file, literals);
        known.changes == moment
    }

    /// The text of a file is not open any more: what is on disk counts, as soon as it is checked.
    pub(crate) fn release(&self, file: &str) {
        self.known().texts.remove(file);
    }

    /// Checks these files as they are on disk, in parallel, until `stop` is set. `done` is told of each file, and whether
    /// anything is different in it from before. In what the tree does not have any more nothing is wrong, be it there or not.
    pub(crate) fn check(&self, files: &[String], stop: &AtomicBool, done: &(dyn Fn(&str, bool) + Sync)) {
        let (mut left, mut size) = (files, PORTION);
        while !left.is_empty() && !stop.load(Ordering::Relaxed) {
            let portion = &left[..size.min(left.len())];
            let moment = self.moment();
            let (workspace, checker) = self.now.read().unwrap_or_else(PoisonError::into_inner).clone();
            let tree = &workspace.engine().roots()[0].snapshot;
            let is_listed = |file: &String| tree.get(file.as_bytes()).is_some();
            let listed: Vec<&str> = portion.iter().filter(|file| is_listed(file)).map(String::as_str).collect();
            let mut known_of: FxHashMap<&str, FileAnalysis> =
                listed.iter().copied().zip(checker.analyze_all(&listed)).collect();
            let looked: Vec<FileAnalysis> =
                portion.iter().map(|file| known_of.remove(file.as_str()).unwrap_or_default()).collect();
            let mut known = self.known();
            if known.changes != moment {
                // Somebody who began later may have said by now what is right after that. Where much happens, less of it falls
                // into the time that fewer files take.
                size = (size / 2).max(1);
                continue;
            }
            (left, size) = (&left[portion.len()..], (size * 2).min(PORTION));
            let mut changed = Vec::with_capacity(portion.len());
            for (file, looked) in portion.iter().zip(looked) {
                if !known.texts.contains(file) {
                    known.mentions.set(file, &looked.literals);
                }
                let is_missing = |literal: &Checked| matches!(literal.verdict, Verdict::Missing(_));
                if looked.literals.iter().any(is_missing) {
                    known.missing.insert(file.clone());
                } else {
                    known.missing.remove(file);
                }
                match looked.digest {
                    Some(digest) => _ = known.digests.insert(file.clone(), digest),
                    None => _ = known.digests.remove(file),
                }
                changed.push(known.replace(file, looked.findings));
            }
            drop(known);
            for (file, changed) in portion.iter().zip(changed) {
                done(file, changed);
            }
        }
    }

    /// Moves on to a session in which these changes have happened, besides which the contents of `written` have changed. The session
    /// may know of later ones: what was removed and is there again by then is looked at.
    pub(crate) fn change(
        &self,
        workspace: &Arc<WorkspaceSnapshot>,
        changes: &[Change],
        written: &[String],
    ) -> Affected {
        let tree = &workspace.engine().roots()[0].snapshot;
        let paths = changes.iter().map(|change| change.path().text().into_owned());
        let (here, gone): (Vec<String>, Vec<String>) = paths.partition(|path| tree.get(path.as_bytes()).is_some());
        let paths = || here.iter().chain(&gone);
        let is_config = written.iter().chain(paths()).any(|path| is_configuration(path));
        let before = self.checker();
        let headings = written.iter().any(|path| before.project().knows_headings_of(path));
        if !changes.is_empty() || is_config || headings {
            let statistics = if is_config { None } else { before.statistics() };
            self.renew_with(workspace, statistics.unwrap_or_default());
        }
        let after = self.checker();
        // Before the lock, for which others wait: it lists the files of a project that nothing was asked of yet.
        let asked = (!is_config).then(paths).into_iter().flatten();
        let touched = Mentions::touched(asked.map(String::as_str), before.project(), after.project());
        let mut known = self.known();
        // Who is looking at a file now, as it or the tree was before, looks again.
        known.changes += 1;
        known.forget(&gone.iter().map(String::as_str).collect());
        if is_config {
            return Affected::All;
        }
        let mut affected: BTreeSet<String> = written.iter().cloned().collect();
        affected.extend(known.mentions.of_all(&touched).into_iter().map(str::to_owned));
        // Headings of a file are part of what others say of it.
        for path in written {
            affected.extend(known.mentions.naming(path).into_iter().map(str::to_owned));
        }
        drop(known);
        affected.extend(here.into_iter().filter(|path| tree.get(path.as_bytes()) != Some(Kind::Directory)));
        affected.extend(self.reweigh(&affected));
        affected.retain(|file| self.wants(file));
        Affected::Files(affected.into_iter().collect())
    }

    /// Takes in what these files say now of how often literals resolve; the other files in which something else is reported by that.
    fn reweigh(&self, affected: &BTreeSet<String>) -> Vec<String> {
        let (workspace, checker) = self.now.read().unwrap_or_else(PoisonError::into_inner).clone();
        let (statistics, languages) = checker.statistics_after(affected);
        if languages.is_empty() {
            return Vec::new();
        }
        self.renew_with(&workspace, statistics);
        let checker = self.checker();
        let is_of = |file: &String| language::of(file).next().is_some_and(|it| languages.contains(it.name()));
        let mut files = self.files_with_missing();
        files.retain(|file| is_of(file) && !affected.contains(file));
        let places = |all: &[Finding]| all.iter().map(|it| (it.range.clone(), it.code)).collect::<Vec<_>>();
        let is_other = |file: &String| {
            let now = checker.bytes(file).map_or_else(Vec::new, |bytes| checker.judge_bytes(file, &bytes));
            places(&now) != places(&self.findings_of(file))
        };
        files.into_par_iter().filter(is_other).collect()
    }

    /// The files that may have a literal which leads to this path or below it, and those that are below it themselves;
    /// sorted.
    pub(crate) fn naming(&self, path: &str) -> Vec<String> {
        let files = own_files(&self.snapshot());
        let below: Vec<&String> = files[files.partition_point(|file| file.as_str() < path)..]
            .iter()
            .take_while(|file| file.starts_with(path))
            .filter(|file| within(file, path))
            .collect();
        let known = self.known();
        let mut named: BTreeSet<String> = known.mentions.naming(path).into_iter().map(str::to_owned).collect();
        for file in below {
            named.extend(known.mentions.naming(file).into_iter().map(str::to_owned));
            // What lies between is named too.
            for (at, _) in file.match_indices('/').filter(|(at, _)| *at > path.len()) {
                named.extend(known.mentions.naming(&file[..at]).into_iter().map(str::to_owned));
            }
            named.insert(file.clone());
        }
        named.retain(|file| self.wants(file));
        named.into_iter().collect()
    }

    /// How many literals of which files would lead nowhere without these files and directories, files that go with them
    /// aside.
    pub(crate) fn broken_without(&self, gone: &[String]) -> Vec<(String, usize)> {
        let checker = self.checker();
        let without = checker.without(gone);
        let named: BTreeSet<String> = gone.iter().flat_map(|path| self.naming(path)).collect();
        let left = named.into_iter().filter(|file| !gone.iter().any(|gone| within(file, gone)));
        let broken = left.filter_map(|file| {
            let (now, then) = (checker.report(&file), without.report(&file));
            let more = then.missing.saturating_sub(now.missing);
            (more > 0).then_some((file, more))
        });
        broken.collect()
    }

    /// Whether what is gone from one path is what is now at another: a file with the same contents, or a directory with the
    /// same files. To be asked before the change is taken in.
    pub(crate) fn is_same(&self, gone: &str, here: &str, kind: Kind) -> bool {
        let root = self.root();
        match kind {
            // By what it knows of files, not by its session: that may be renewed by who knows the change already.
            Kind::File => {
                let known = self.known().digests.get(gone).copied();
                known.is_some_and(|known| self.checker().bytes(here).is_some_and(|bytes| digest(&bytes) == known))
            }
            Kind::Directory => {
                let files = own_files(&self.snapshot());
                let mut below = files.iter().filter_map(|file| file.strip_prefix(gone)?.strip_prefix('/')).peekable();
                below.peek().is_some() && below.all(|file| root.join(here).join(file).is_file())
            }
            Kind::Symlink => false,
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Puts in what is wrong in a file now; whether that is different from before.
    fn replace(&mut self, file: &str, findings: Vec<Finding>) -> bool {
        let before = self.findings.get(file);
        let same = before.map_or(findings.is_empty(), |before| **before == *findings);
        if findings.is_empty() {
            self.findings.remove(file);
        } else {
            self.findings.insert(file.to_owned(), findings.into());
        }
        !same
    }

    /// Forgets these files, and all below these directories.
    fn forget(&mut self, gone: &BTreeSet<&str>) {
        if gone.is_empty() {
            return;
        }
        let is_gone = |file: &str| {
            let mut above = file.match_indices('/').map(|(at, _)| &file[..at]);
            gone.contains(file) || above.any(|directory| gone.contains(directory))
        };
        let silent: Vec<String> = self.findings.keys().filter(|file| is_gone(file)).cloned().collect();
        for file in &silent {
            self.findings.remove(file);
        }
        for file in silent.iter().map(String::as_str).chain(gone.iter().copied()) {
            // A text that is open goes on to say what it says.
            if !self.texts.contains(file) {
                self.mentions.remove(file);
            }
        }
        self.missing.retain(|file| !is_gone(file));
        self.digests.retain(|file, _| !is_gone(file));
    }
}

/// A path as the diagnostics names it: relative to its root, with `/`; `None` if it is outside or no text.
pub(crate) fn relative(root: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok()?.to_str()?;
    Some(relative.replace(std::path::MAIN_SEPARATOR, "/"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use pathfinder_core::RelPath;
    use pathfinder_core::index::Change;

    use super::{Affected, RootDiagnostics};
    use crate::check::Options;
    use crate::os::tests::tree::Tree;
    use crate::settings::{Key, Overrides};
    use crate::snapshot::WorkspaceSnapshot;

    /// Most links resolve: where many do not, a missing path that nothing explains is not reported.
    const FILES: &str = "root/.gitignore: hidden.md
root/ok1.md: ok
root/ok2.md: ok
root/ok3.md: ok
root/ok4.md: ok
root/ok5.md: ok
root/ok6.md: ok
root/a.md: [a](gone.md) [o](ok1.md) [o](ok2.md) [o](ok3.md) [o](ok4.md) [o](ok5.md) [o](ok6.md)
root/hidden.md: [a](gone.md) [o](ok1.md) [o](ok2.md) [o](ok3.md) [o](ok4.md) [o](ok5.md) [o](ok6.md)
root/lib/c.md: [a](lost.md) [o](../ok1.md) [o](../ok2.md) [o](../ok3.md) [o](../ok4.md) [o](../ok5.md) [o](../ok6.md)
root/lib/d.md: [a](gone.md) [o](../ok1.md) [o](../ok2.md) [o](../ok3.md) [o](../ok4.md) [o](../ok5.md) [o](../ok6.md)
root/pkg/package.json: {}
root/pkg/b.md: [a](lost.md) [o](../ok1.md) [o](../ok2.md) [o](../ok3.md) [o](../ok4.md) [o](../ok5.md) [o](../ok6.md)
$ git init -q root";

    fn snapshot(tree: &Tree) -> Arc<WorkspaceSnapshot> {
        let mut given = Overrides::default();
        given.set(Key::CacheDir, tree.path("cache").into());
        Arc::new(WorkspaceSnapshot::open(&[tree.path("root")], &given, Duration::MAX, None).expect("a session"))
    }

    fn checked(tree: &Tree, files: &[&str]) -> RootDiagnostics {
        let diagnostics = RootDiagnostics::new(&snapshot(tree), Arc::new(Options::default()));
        check(&diagnostics, files);
        diagnostics
    }

    fn check(diagnostics: &RootDiagnostics, files: &[&str]) {
        let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
        diagnostics.check(&files, &AtomicBool::new(false), &|_, _| ());
    }

    fn wrong(diagnostics: &RootDiagnostics) -> String {
        diagnostics.findings().into_keys().collect::<Vec<_>>().join(" ")
    }

    /// Who has files checked may have named them while the tree was another.
    #[test]
    fn files_of_another_moment() {
        let tree = Tree::new(FILES);
        assert_eq!(wrong(&checked(&tree, &["a.md", "hidden.md", "never.md", "pkg/b.md"])), "a.md pkg/b.md");
    }

    /// What is wrong, and who is to be looked at, after these commands, of which it is told that this was removed with all that was
    /// below. `None`: all.
    #[track_caller]
    fn removed(commands: &str, told: &str, still: &str, affected: Option<&str>) {
        let tree = Tree::new(FILES);
        let diagnostics = checked(&tree, &["a.md", "lib/c.md", "lib/d.md", "pkg/b.md"]);
        let before = diagnostics.snapshot();
        tree.run(commands);
        let below = before.engine().roots()[0].snapshot.entries_below(told.as_bytes());
        let below = below.into_iter().map(|(path, _)| RelPath::new(path));
        let changes: Vec<Change> = below.chain([RelPath::from(told)]).map(Change::Removed).collect();
        let now = diagnostics.change(&snapshot(&tree), &changes, &[]);
        let expected = affected
            .map_or(Affected::All, |files| Affected::Files(files.split_whitespace().map(str::to_owned).collect()));
        assert_eq!((wrong(&diagnostics).as_str(), now), (still, expected), "{commands}");
    }

    #[test]
    fn what_is_gone_has_nothing_wrong() {
        removed("rm root/a.md", "a.md", "lib/c.md lib/d.md pkg/b.md", Some(""));
        removed("rm root/pkg/b.md", "pkg/b.md", "a.md lib/c.md lib/d.md", Some(""));
        removed("rm -r root/lib", "lib", "a.md pkg/b.md", Some(""));
        removed("rm -r root/pkg", "pkg", "a.md lib/c.md lib/d.md", None);
        // It is there again by the time one hears of it, or some of it.
        removed("true", "a.md", "a.md lib/c.md lib/d.md pkg/b.md", Some("a.md"));
        removed("rm root/lib/c.md", "lib", "a.md lib/d.md pkg/b.md", Some("lib/d.md"));
    }

    /// The file on disk says something else.
    #[test]
    fn what_an_open_text_mentions() {
        let tree = Tree::new(FILES);
        let diagnostics = checked(&tree, &["a.md", "pkg/b.md"]);
        let text = pathfinder_literals::Source::new("a.md", b"[a](new.md)").expect("a text");
        let literals = pathfinder_literals::check(&text, diagnostics.checker().project());
        assert!(diagnostics.set_mentions("a.md", &literals, diagnostics.moment()));
        let come = |diagnostics: &RootDiagnostics, path: &str| {
            tree.run(&format!("touch root/{path}"));
            diagnostics.change(
                &snapshot(&tree),
                &[Change::Added(RelPath::from(path), pathfinder_core::Kind::File)],
                &[],
            )
        };
        check(&diagnostics, &["a.md"]);
        let moment = diagnostics.moment();
        assert_eq!(come(&diagnostics, "new.md"), Affected::Files(vec!["a.md".to_owned(), "new.md".to_owned()]));
        assert!(!diagnostics.set_mentions("a.md", &literals, moment));
        diagnostics.release("a.md");
        check(&diagnostics, &["a.md"]);
        assert_eq!(come(&diagnostics, "lost.md"), Affected::Files(vec!["lost.md".to_owned(), "pkg/b.md".to_owned()]));
        assert_eq!(come(&diagnostics, "gone.md"), Affected::Files(vec!["a.md".to_owned(), "gone.md".to_owned()]));
    }
}
