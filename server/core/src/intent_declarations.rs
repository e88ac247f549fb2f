//! Ranks first the candidate that declares what the caller's intent names, where no file has the asked name. Called by
//! `Engine`.
//!
//! A name near the asked one is a guess. A declaration is read: `router.rs` with the intent "Router struct" asks for the
//! file with that struct, and not for `route.rs`.

use crate::features::Feature;
use crate::index::Snapshot;
use crate::index::layer::Node;
use crate::intent_contents::{IntentContents, reorder};
use crate::path::RelPath;
use crate::prepared_query::PreparedQuery;
use crate::rank::{RankWeights, Ranked, rank_entries, sort_ranked};
use crate::root::Root;
use crate::similarity::POOL_MAX;
use crate::symbols::Symbols;
use crate::words::squash;

/// Words for kinds of declarations, sorted: the name beside one of them is a declared name.
const KINDS: [&str; 14] = [
    "class",
    "component",
    "enum",
    "fn",
    "func",
    "function",
    "interface",
    "macro",
    "method",
    "protocol",
    "record",
    "struct",
    "trait",
    "type",
];

/// Names of one intent that are looked up. Each is one bit of a set; an intent names one or two.
const MAX_NAMES: usize = 8;

/// Letters of a shorter name say little: `T` and `id` are declared anywhere.
const MIN_LETTERS: usize = 3;

/// More files that declare a name leave a guess between them.
const MAX_DECLARING: usize = 3;

/// A name in an intent that a file has to declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DeclaredName<'t> {
    text: &'t str,
    /// It spells the asked stem in another way.
    is_asked: bool,
}

/// Returns the names in an intent that spell the asked stem in another way, and the identifiers beside a kind of declaration.
fn declared_names<'t>(intent: &'t str, query: &PreparedQuery) -> Vec<DeclaredName<'t>> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: Vec<&str> = intent.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()).collect();
    let is_kind = |at: usize| words.get(at).is_some_and(|word| KINDS.binary_search(word).is_ok());
    let is_asked = |word: &str| query.names.iter().any(|name| name.key == squash(word.as_bytes()));
    let mut names: Vec<DeclaredName<'t>> = Vec::new();
    for (at, &text) in words.iter().enumerate() {
        let is_identifier = text.contains(|letter: char| letter == '_' || letter.is_uppercase());
        let is_beside = is_identifier && (at > 0 && is_kind(at - 1) || is_kind(at + 1));
        let name = DeclaredName { text, is_asked: is_asked(text) };
        let is_new = text.len() >= MIN_LETTERS && !is_kind(at) && !names.contains(&name);
        if is_new && (is_beside || name.is_asked) && names.len() < MAX_NAMES {
            names.push(name);
        }
    }
    names
}

/// Returns the files of a root that are known to declare one of the names, if these are few.
fn known_files(names: &[DeclaredName<'_>], symbols: &Symbols) -> Vec<RelPath> {
    let mut files: Vec<RelPath> = Vec::new();
    for name in names {
        let found = symbols.find_by_name(name.text).into_iter();
        let mut own: Vec<&str> = found.filter(|one| one.symbol.name == name.text).map(|one| one.file).collect();
        own.dedup();
        if own.len() <= MAX_DECLARING {
            files.extend(own.into_iter().map(RelPath::from));
        }
    }
    files
}

/// Returns files in the directory of a path, at most as many as are compared.
fn files_beside(path: &RelPath, snapshot: &Snapshot) -> Vec<RelPath> {
    let path = path.as_bytes();
    let directory = path.iter().rposition(|&byte| byte == b'/').map_or(&[][..], |end| &path[..end]);
    let files = snapshot.parts().iter().flat_map(|part| {
        let found = if directory.is_empty() {
            Some(Node::ROOT)
        } else {
            part.layer.find(directory.split(|&byte| byte == b'/')).filter(|node| node.is_directory())
        };
        let files = found.map_or(0..0, |node| part.layer.files_in(node.number())).map(Node::file);
        files.filter(|&file| part.is_live(file)).map(|file| RelPath::new(part.layer.path(file)))
    });
    files.take(POOL_MAX).collect()
}

/// Sorts the candidates that declare what the intent names before the others. `ranked` is best first and verified; `rest`
/// follows it unverified. If paths alone are sure of the first, only a name that spells the asked stem counts. Returns false
/// if declarations say nothing; the first may be that of before.
pub(crate) fn rank_by_declarations(
    (intent, query, is_sure): (&str, &PreparedQuery, bool),
    (ranked, rest): (&mut Vec<Ranked>, &[Ranked]),
    (roots, snapshots, weights): (&[Root], &[&Snapshot], &RankWeights),
    there: impl Fn(&Ranked) -> bool,
    contents: &dyn IntentContents,
) -> bool {
    if ranked.first().is_none_or(|first| first.get(Feature::StemStyle) > 0.0) {
        return false;
    }
    let names = declared_names(intent, query);
    if names.is_empty() || is_sure && !names.iter().any(|name| name.is_asked) {
        return false;
    }
    let more = POOL_MAX.saturating_sub(ranked.len());
    ranked.extend(rest.iter().filter(|candidate| there(candidate)).take(more).cloned());
    for (root, snapshot) in snapshots.iter().enumerate() {
        let mut files = known_files(&names, &roots[root].symbols);
        if ranked[0].root == root {
            files.extend(files_beside(&ranked[0].path, snapshot));
        }
        files.retain(|file| !ranked.iter().any(|candidate| (candidate.root, &candidate.path) == (root, file)));
        ranked.extend(rank_entries(query, (root, snapshot), weights, &files).into_iter().filter(&there));
    }
    sort_ranked(&mut ranked[1..]);
    let files: Vec<(usize, &RelPath)> = ranked.iter().map(|candidate| (candidate.root, &candidate.path)).collect();
    let texts: Vec<&str> = names.iter().map(|name| name.text).collect();
    let declared = contents.declared(&texts, &files);
    let scores = scores(&declared, names.len());
    let best = scores.iter().copied().fold(0.0, f32::max);
    let has_asked = |set: u64| names.iter().enumerate().any(|(at, name)| name.is_asked && set >> at & 1 == 1);
    if best <= 0.0 {
        return false;
    }
    // More than half of the best: a file that declares less does not do what the intent says.
    if scores[0] * 2.0 > best {
        return !is_sure && has_asked(declared[0]);
    }
    let is_lifted = |at: usize| scores[at] * 2.0 > best && (!is_sure || has_asked(declared[at]));
    let top = ranked[0].raw;
    let lifted = (0..scores.len()).filter(|&at| is_lifted(at));
    let points: Vec<(usize, f32)> = lifted.map(|at| (at, top - ranked[at].raw + scores[at])).collect();
    if points.is_empty() {
        return false;
    }
    reorder(ranked, points.into_iter());
    true
}

/// Returns the score of each file by the set of names that it declares: a name counts by how few files declare it, and not at
/// all if these are many.
fn scores(declared: &[u64], names: usize) -> Vec<f32> {
    let has = |set: u64, name: usize| set >> name & 1 == 1;
    let worth = |name: usize| match declared.iter().filter(|&&set| has(set, name)).count() {
        count @ 1..=MAX_DECLARING => 1.0 / count as f32,
        _ => 0.0,
    };
    let worths: Vec<f32> = (0..names).map(worth).collect();
    declared.iter().map(|&set| (0..names).filter(|&name| has(set, name)).map(|name| worths[name]).sum()).collect()
}

#[cfg(test)]
mod tests;
