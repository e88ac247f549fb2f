//! Finds the longest existing suffix of a failed path: the path without line numbers, quotes, directories of another machine
//! or the address of a forge. `Engine` calls it before history is searched.
//!
//! An existing path needs neither history nor candidates. A suffix is accepted only if the segments before it can be dropped: a
//! `README.md` at the root is not `docs/README.md`, and `src/lib.rs` is not the file of a missing crate.

use crate::index::Snapshot;
use crate::index::layer::Node;
use crate::path::RelPath;
use crate::probe::Kind;
use crate::query::{ForeignPrefix, Note, Reading};
use crate::request::Op;

/// Suffixes of one path that are looked up. Paths of other machines have up to a dozen segments.
const MAX_SUFFIXES: usize = 48;

/// An existing path that the request names, without the text around it.
#[derive(Debug)]
pub(crate) struct ExistingSuffix {
    /// The root that contains it.
    pub(crate) root: usize,
    /// Its path below that root.
    pub(crate) path: RelPath,
    /// The request read as this path.
    pub(crate) reading: Reading,
}

/// Finds the longest suffix of the request that exists and fits. `None` if several roots have it: then they are candidates.
pub(crate) fn find_existing_suffix(op: Op, readings: &[Reading], snapshots: &[&Snapshot]) -> Option<ExistingSuffix> {
    let mut best: Option<(Reading, Vec<usize>)> = None;
    for reading in readings {
        let found = match reading.foreign_prefix {
            Some(prefix) => find_longest_suffix(op, reading, prefix, snapshots),
            None if is_suffix(reading, readings, snapshots) => {
                let roots = roots_with(op, reading, &reading.segments, snapshots);
                (!roots.is_empty()).then(|| (reading.clone(), roots))
            }
            None => None,
        };
        // Among suffixes of one length the first is the cheapest.
        if let Some(found) = found
            && best.as_ref().is_none_or(|(best, _)| found.0.segments.len() > best.segments.len())
        {
            best = Some(found);
        }
    }
    let (reading, roots) = best?;
    let [root] = roots[..] else { return None };
    let path = RelPath::from(reading.segments.join("/").as_str());
    Some(ExistingSuffix { root, path, reading: Reading { root: Some(root), ..reading } })
}

/// Returns whether the reading is in the tree of a root.
pub(crate) fn is_there(reading: &Reading, root: usize, snapshots: &[&Snapshot]) -> bool {
    reading.root.is_none_or(|wanted| wanted == root)
        && snapshots[root].get(reading.segments.join("/").as_bytes()).is_some()
}

/// Returns whether the segments that a reading drops are directories of the tree: then it takes a path of the project for a
/// foreign one. `whole` are the segments before any were dropped.
pub(crate) fn drops_directories(reading: &Reading, whole: &[String], snapshot: &Snapshot) -> bool {
    let Some(dropped) = whole.len().checked_sub(reading.segments.len()).filter(|dropped| *dropped > 0) else {
        return false;
    };
    whole.ends_with(&reading.segments)
        && whole[dropped - 1] != reading.segments[0]
        && is_directory(&whole[dropped - 1], snapshot)
}

/// Returns whether a reading is a suffix of the request as it stands.
fn is_suffix(reading: &Reading, all: &[Reading], snapshots: &[&Snapshot]) -> bool {
    let surrounded = reading.notes.iter().all(|note| match note {
        // Other directories and other forms are weighed by the ranking.
        Note::FromFile
        | Note::UnderHint
        | Note::LeavesRoot
        | Note::Variable
        | Note::Alias
        | Note::Package
        | Note::IndexForm
        | Note::ModuleFile
        | Note::Module
        | Note::Glob
        | Note::Elided => false,
        // All suffixes of the whole path are tried.
        Note::MachinePrefix | Note::OtherMachine | Note::LeadingSlash => {
            !all.iter().any(|other| other.foreign_prefix.is_some()) && reading.segments.len() > 1
        }
        Note::RootName => {
            !all.iter().any(|other| other.foreign_prefix.is_some()) && !is_in_directory(reading, all, snapshots)
        }
        Note::Repeated | Note::Restarted => reading.segments.len() > 1,
        _ => true,
    });
    surrounded && !reading.outside && !reading.segments.is_empty()
}

/// Returns whether only a name is left of a path whose directory exists: it may be a new file in it.
fn is_in_directory(reading: &Reading, all: &[Reading], snapshots: &[&Snapshot]) -> bool {
    let whole = all.iter().find(|other| other.segments.len() == 2 && other.segments[1..] == reading.segments);
    reading.segments.len() == 1
        && whole.is_some_and(|whole| snapshots.iter().any(|snapshot| is_directory(&whole.segments[0], snapshot)))
}

/// The longest existing suffix of a foreign path, if the segments before it can be dropped.
fn find_longest_suffix(
    op: Op,
    whole: &Reading,
    prefix: ForeignPrefix,
    snapshots: &[&Snapshot],
) -> Option<(Reading, Vec<usize>)> {
    let segments = &whole.segments;
    let kept = 0..segments.len().min(MAX_SUFFIXES);
    let (at, roots) =
        kept.map(|at| (at, roots_with(op, whole, &segments[at..], snapshots))).find(|(_, it)| !it.is_empty())?;
    let can_be_left_out = roots.iter().all(|&root| is_foreign(segments, at, prefix, snapshots[root]));
    can_be_left_out.then(|| {
        let mut notes = whole.notes.clone();
        notes.retain(|note| *note != Note::OtherMachine);
        if !notes.contains(&Note::Url) {
            notes.push(if at == 0 { Note::LeadingSlash } else { Note::MachinePrefix });
        }
        let segments = segments[at..].to_vec();
        (Reading { segments, notes, outside: false, foreign_prefix: None, ..whole.clone() }, roots)
    })
}

/// Returns whether the first `at` segments can belong to another machine or a URL.
fn is_foreign(segments: &[String], at: usize, prefix: ForeignPrefix, snapshot: &Snapshot) -> bool {
    let own = |from: usize| {
        let dropped = segments.get(from..at).unwrap_or_default();
        // A project often has the name of its main directory.
        dropped.iter().any(|name| *name != segments[at] && is_directory(name, snapshot))
    };
    // Many projects have a file of this name at their root.
    let bare = segments.len() - at == 1;
    if bare && (at > prefix.project || own(prefix.machine)) || own(prefix.project) {
        return false;
    }
    // Else a file in another directory has more of the path in common.
    at <= prefix.machine || !ends_with(snapshot, &segments[at - 1..])
}

/// The roots in which these segments are an entry that fits the request.
fn roots_with(op: Op, reading: &Reading, segments: &[String], snapshots: &[&Snapshot]) -> Vec<usize> {
    let path = segments.join("/");
    let fits = |kind: Kind| match kind {
        Kind::Directory => reading.is_directory || matches!(op, Op::List | Op::Stat),
        Kind::File => !reading.is_directory,
        Kind::Symlink => true,
    };
    let roots = (0..snapshots.len()).filter(|&root| reading.root.is_none_or(|wanted| wanted == root));
    roots.filter(|&root| snapshots[root].get(path.as_bytes()).is_some_and(fits)).collect()
}

fn is_directory(path: &str, snapshot: &Snapshot) -> bool {
    snapshot.get(path.as_bytes()) == Some(Kind::Directory)
}

/// Returns whether the path of any entry ends with these segments.
fn ends_with(snapshot: &Snapshot, segments: &[String]) -> bool {
    let Some((name, directories)) = segments.split_last() else { return false };
    snapshot.parts().iter().any(|part| {
        let Some(name) = part.layer.names().find(name.as_bytes()) else { return false };
        part.layer.nodes_named(name).filter(|&node| part.is_live(node)).any(|node| {
            let mut directory = part.layer.parent(node);
            directories.iter().rev().all(|name| {
                let same =
                    directory != 0 && part.layer.names().get(part.layer.directory_name(directory)) == name.as_bytes();
                directory = part.layer.parent(Node::directory(directory));
                same
            })
        })
    })
}
