//! Tests that the caller's words select among files of one name, and do nothing where they do not apply.

use crate::features::Feature;
use crate::testing::Tree;
use crate::{Answer, Request};

const NAMESAKES: &str = "
    crates/rome_js_formatter/src/mod.rs
    crates/rome_formatter/src/mod.rs
    crates/rome_css_formatter/src/mod.rs
    images/base-notebook/Dockerfile
    images/r-notebook/Dockerfile
    images/scipy-notebook/Dockerfile
    x/plan/test/run/notes.md
    x/plan/lines/run/notes.md
    x/plan/rivers/run/notes.md
";

fn ask(failed: &str, intent: &str) -> Answer {
    Tree::new(NAMESAKES).ask(&Request { intent_text: intent.to_owned(), explain: true, ..Request::new(failed) })
}

/// Sums the points of these features for the candidate at a path.
fn points(answer: &Answer, path: &str) -> f32 {
    let names = [Feature::IntentRivals.name(), Feature::IntentWhole.name()];
    let candidate = answer.candidates.iter().find(|candidate| candidate.path.text() == path).expect("a candidate");
    candidate.contributions.iter().filter(|part| names.contains(&part.name)).map(|part| part.points).sum()
}

#[test]
fn unique_words_favour_their_candidate() {
    #[track_caller]
    fn check(failed: &str, intent: &str, expected: &str) {
        let answer = ask(failed, intent);
        assert_eq!(answer.candidates[0].path.text(), expected, "{:?}", answer.candidates);
        let own = points(&answer, expected);
        let others = answer.candidates[1..].iter().map(|candidate| points(&answer, &candidate.path.text()));
        assert!(others.into_iter().all(|other| other < own), "{:?}", answer.candidates);
    }
    // A directory that equals the words as a whole wins over those with further words.
    check("mod.rs", "fix(rome_formatter): best fitting start entry", "crates/rome_formatter/src/mod.rs");
    check("mod.rs", "rome formatter: best fitting start entry", "crates/rome_formatter/src/mod.rs");
    // A word of one letter is noise in a tree and decisive here.
    check("Dockerfile", "fix the r-notebook error", "images/r-notebook/Dockerfile");
    // A word that nearly every sentence has is decisive here too.
    check("notes.md", "test", "x/plan/test/run/notes.md");
}

#[test]
fn inapplicable_words_have_no_effect() {
    #[track_caller]
    fn check(failed: &str, intent: &str, path: &str) {
        assert!(points(&ask(failed, intent), path).abs() < f32::EPSILON);
    }
    check("mod.rs", "", "crates/rome_formatter/src/mod.rs");
    check("mod.rs", "something else", "crates/rome_formatter/src/mod.rs");
    // Requested directories are stronger.
    check("crates/rome_formatter/mod.rs", "fix(rome_formatter): best fit", "crates/rome_formatter/src/mod.rs");
}

#[test]
fn common_words_have_no_effect() {
    let answer = ask("mod.rs", "crates and crates again");
    let points: Vec<u32> =
        answer.candidates[..3].iter().map(|candidate| points(&answer, &candidate.path.text()).to_bits()).collect();
    // All paths but one are equally long, and the longer one scores less.
    assert_eq!(points.iter().filter(|&&each| each == points[1]).count(), 2, "{:?}", answer.candidates);
}
