//! Decides which candidates an answer shows: the plausible ones. Called by `decide` and `next_question`.

use super::input::{DecisionInput, RerankBasis};
use super::intent_signals;
use crate::answer::Status;
use crate::features::Feature;
use crate::rank::Ranked;

/// Points behind the first candidate beyond which a candidate is not shown. Four points separate a matching name in the
/// right directory from one that shares nothing.
const REACH_POINTS: f32 = 4.0;

/// Similarity from which stems are related: they share half of their letters or words; see `features/name.rs`.
const RELATED: f32 = 0.5;

/// Returns whether a candidate is shown with an answer of this status.
pub(crate) fn is_shown(input: &DecisionInput<'_>, status: Status, candidate: &Ranked) -> bool {
    let Some(first) = input.ranked.first() else { return false };
    let is_first = (candidate.root, &candidate.path) == (first.root, &first.path);
    match status {
        // If nothing was found, only the nearest file of that name may help.
        Status::NotFound => is_first && has_name(candidate),
        Status::Exists | Status::Resolved | Status::Ambiguous => {
            is_first || candidate.raw > first.raw - REACH_POINTS && is_plausible(input, candidate)
        }
    }
}

/// Returns whether a candidate has anything in common with the request.
pub(super) fn is_plausible(input: &DecisionInput<'_>, candidate: &Ranked) -> bool {
    let has = |feature| candidate.get(feature) > 0.0;
    let related = [Feature::StemEdit, Feature::WordsKept].iter().any(|&feature| candidate.get(feature) >= RELATED);
    // A file of the requested kind in the requested directory may be its successor.
    let directories = !input.query.targets[candidate.target].directories.is_empty();
    let beside =
        directories && has(Feature::ParentSame) && (has(Feature::ExtensionSame) || has(Feature::ExtensionNone));
    let other = [Feature::StemContained, Feature::IndexForm, Feature::Moved, Feature::IntentName];
    // A model compares the caller's words with paths. Without an intent it only compares names again, and unrelated
    // names stay unrelated.
    let is_by_model = input.rerank.is_some_and(|rerank| rerank.basis == RerankBasis::Model);
    let by_model = is_by_model && intent_signals::has_intent(input);
    has_name(candidate) || related || beside || other.into_iter().any(has) || input.evidence.is_some() || by_model
}

fn has_name(candidate: &Ranked) -> bool {
    candidate.get(Feature::StemStyle) > 0.0 || candidate.get(Feature::StemTypo) > 0.0
}

#[cfg(test)]
mod tests {
    use crate::Request;
    use crate::testing::Tree;

    #[track_caller]
    fn check(tree: &str, query: &str, expected: &[&str]) {
        let answer = Tree::new(tree).ask(&Request::new(query));
        let shown: Vec<_> = answer.candidates.iter().map(|candidate| candidate.path.text().into_owned()).collect();
        assert_eq!(shown, expected, "{query}: {:?}", answer.status);
    }

    #[test]
    fn hides_implausible_candidates() {
        let tree = "a/client.go\nb/client.go\nREADME.md\n.gitignore\nMakefile\ndocs/usage.md\n";
        check(tree, "client.go", &["a/client.go", "b/client.go"]);
        check(tree, "zzz.toml", &[]);
        check(tree, "qqq/wwww.rs", &[]);
        // Other extensions are no choice where nothing else speaks for them: only the nearest is shown.
        check("src/net/mod.rs\nsrc/util/mod.rs\nsrc/lib.rs\nCargo.toml\n", "go.mod", &["src/net/mod.rs"]);
    }
}
