//! Paths whose base directory is not known, and which end as an existing file does, since a recent commit moved it deeper.

use pathfinder_literals::{Lookup, Project, Reason, Resolution, Severity, Verdict, Want};

use crate::file_moves::FileMoves;

/// Returns the outcome for a path that was undecided because a file ends as it does: missing, if that file was at a path that the
/// literal tries until a recent commit moved it, and no other ends so.
pub(crate) fn follow(project: &Project, (want, severity): (Want, Severity), outcome: Resolution) -> Resolution {
    let (Verdict::Unknown(Reason::Undecided(other)), tried) = &outcome else { return outcome };
    let moves = project.index::<FileMoves>();
    let led_there = |path: &&String| {
        moves.was_moved(path)
            && other.strip_suffix(path.as_str()).is_some_and(|above| above.ends_with('/'))
            && project.tree().moved(path).is_some_and(|moved| moved.to == *other)
            && project.find_all_by_suffix(path, 2).len() == 1
    };
    match tried.iter().find(led_there) {
        Some(path) => Lookup::new(project, want).verdict(severity, [Some(path.clone())]),
        None => outcome,
    }
}
