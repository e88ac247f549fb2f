//! The user's choice among the candidates of an ambiguous answer.

use pathfinder_core::{Answer, Op, Refusal, Status};

use pathfinder_protocol::paths::{RootName, display_path, plausible_candidates};
use pathfinder_protocol::printable::printable;

/// Option that rejects all candidates.
pub const NONE_OF_THESE: &str = "none of these";

/// Returns the options that the candidates of an answer give: each one's position and text.
pub fn list_options<'a>(roots: &'a [RootName], answer: &'a Answer) -> impl Iterator<Item = (usize, String)> + 'a {
    plausible_candidates(answer)
        .enumerate()
        .map(|(at, candidate)| (at, printable(&display_path(roots, candidate.root, &candidate.path))))
}

/// Applies the user's choice to an answer, if it is one of the options.
pub(super) fn apply(answer: &mut Answer, op: Op, roots: &[RootName], chosen: &str) {
    if answer.status != Status::Ambiguous || op == Op::Write {
        return;
    }
    if chosen == NONE_OF_THESE {
        answer.next_question = None;
        answer.status = Status::NotFound;
        answer.refusal = Some(Refusal::NotFound);
        answer.confidence = 0.0;
        "the user says that none of the candidates is meant".clone_into(&mut answer.why);
        answer.candidates.clear();
        return;
    }
    let Some((at, _)) = list_options(roots, answer).find(|(_, option)| option == chosen) else { return };
    let candidate = answer.candidates.swap_remove(at);
    answer.status = Status::Resolved;
    answer.path = Some((candidate.root, candidate.path.clone()));
    answer.confidence = 1.0;
    answer.may_act = true;
    "chosen by the user".clone_into(&mut answer.why);
    answer.candidates = vec![candidate];
    answer.refusal = None;
    answer.next_question = None;
}
