//! Go packages that a move has emptied. A Go import names a directory, which stays a package while it holds one file.
//! The names that an importing file uses may have moved away with the others.
//!
//! Only a check with `--since` knows the moves, so only that check calls this.

use std::collections::HashMap;

use pathfinder_literals::path::parent;
use pathfinder_literals::{Checked, Code, Missing, Severity, Source, Verdict, Want};

use super::fixes::{Names, expected_words};
use super::source_tree::SourceTree;

/// Packages with moved files, by directory.
pub(super) struct EmptiedPackages(HashMap<String, EmptiedPackage>);

/// A package from which files moved away.
#[derive(Default)]
struct EmptiedPackage {
    /// Names that the remaining files declare or use.
    remaining: Names,
    /// Directories that files moved to, and the names declared there.
    moved_to: Vec<(String, Names)>,
}

impl EmptiedPackages {
    /// Builds the map from moves (new name to old name).
    pub(super) fn from_moves(tree: &dyn SourceTree, moves: &HashMap<String, String>) -> Self {
        let mut all: HashMap<String, EmptiedPackage> = HashMap::new();
        let mut moves: Vec<(&String, &String)> = moves.iter().filter(|(_, old)| is_go(old)).collect();
        moves.sort_unstable();
        let names = |path: &str| Names::from_text(&tree.read(path).unwrap_or_default());
        for (new, old) in moves {
            let (from, to) = (parent(old), parent(new));
            if from == to || !tree.names(from).iter().any(|name| is_go(name)) {
                continue;
            }
            let left = all.entry(from.to_owned()).or_insert_with(|| {
                let files = tree.names(from).to_vec().into_iter().filter(|name| is_go(name));
                let remaining = files.fold(Names::default(), |all, name| all.merge(names(&format!("{from}/{name}"))));
                EmptiedPackage { remaining, moved_to: Vec::new() }
            });
            match left.moved_to.iter_mut().find(|(directory, _)| directory == to) {
                Some((_, known)) => *known = std::mem::take(known).merge(names(new)),
                None => left.moved_to.push((to.to_owned(), names(new))),
            }
        }
        Self(all)
    }

    /// Marks imports of such packages as missing if nothing that the file uses is left in them.
    pub(super) fn apply(&self, source: &Source<'_>, all: &mut [Checked]) {
        if self.0.is_empty() {
            return;
        }
        for literal in all.iter_mut().filter(|literal| literal.kind.as_str() == "go.import") {
            let Verdict::Found(target) = &literal.verdict else { continue };
            let Some(left) = self.0.get(&target.path) else { continue };
            let skipped = source.offset();
            let wanted = expected_words(source.text(), &(literal.range.start - skipped..literal.range.end - skipped));
            let is_left = |word: &String| left.remaining.declared.contains(word) || left.remaining.used.contains(word);
            if wanted.iter().any(is_left) {
                continue;
            }
            let has = |names: &Names| wanted.iter().filter(|word| names.declared.contains(*word)).count();
            let best = left.moved_to.iter().max_by_key(|(_, names)| has(names)).filter(|(_, names)| has(names) > 0);
            let Some((to, _)) = best else { continue };
            literal.verdict = Verdict::Missing(Missing {
                code: Code::MovedPath,
                severity: Severity::Error,
                reason: format!("what is used of it moved to {to}"),
                wanted: target.path.clone(),
                want: Want::Directory,
                instead: Some(to.clone()),
            });
        }
    }
}

fn is_go(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(stem, ending)| ending == "go" && !stem.ends_with("_test"))
}
