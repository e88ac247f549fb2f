//! What holds of a literal that is written anew, in every language: it leads where it is meant to, nothing else is missing
//! that was not, and there is nothing left to mend.

use super::{SAMPLES, project};
use crate::checked::{Checked, Verdict};
use crate::rewrite::Rewriting;
use crate::source::Source;

fn missing(all: &[Checked]) -> Vec<&Checked> {
    all.iter().filter(|literal| matches!(literal.verdict, Verdict::Missing(_))).collect()
}

#[test]
fn what_is_mended_is_right_and_stays() {
    let project = project();
    let mut mended = 0;
    for (path, text) in SAMPLES {
        let source = Source::new(path, text.as_bytes()).expect("a text");
        let all = crate::check(&source, project);
        let rewriting = Rewriting::new(&source, project, &all);
        for literal in missing(&all) {
            for target in project.tree().files().iter().filter(|target| target.as_str() != *path) {
                let Some(new) = rewriting.rewrite(literal, target) else { continue };
                let edited = [&text[..literal.range.start], &new, &text[literal.range.end..]].concat();
                let source = Source::new(path, edited.as_bytes()).expect("a text");
                let now = crate::check(&source, project);
                let range = literal.range.start..literal.range.start + new.len();
                let is_found = |literal: &&Checked| matches!(literal.verdict, Verdict::Found(_));
                assert!(
                    now.iter().filter(is_found).any(|literal| literal.range == range),
                    "{path}: {new} for {target}: {now:#?}"
                );
                // One less is missing, and of the others each was.
                let names = |all: &[Checked], text: &str| -> Vec<(&'static str, String)> {
                    missing(all).iter().map(|one| (one.kind, text[one.range.clone()].to_owned())).collect()
                };
                let was = names(&all, text);
                let is = names(&now, &edited);
                assert!(is.len() < was.len() && is.iter().all(|one| was.contains(one)), "{path}: {was:?} {is:?}");
                mended += 1;
            }
        }
    }
    assert!(mended >= 40, "samples have literals that can be mended: {mended}");
}
