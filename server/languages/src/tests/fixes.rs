//! Properties of rewritten literals in every language: the literal leads to its target, and no other literal becomes missing.

use super::{SAMPLES, project};
use pathfinder_literals::{Checked, LiteralKind, Rewriting, Source, Verdict};

fn missing_literals(all: &[Checked]) -> Vec<&Checked> {
    all.iter().filter(|literal| matches!(literal.verdict, Verdict::Missing(_))).collect()
}

#[test]
fn rewritten_literals_are_found() {
    let project = project();
    let mut fixed = 0;
    for (path, text) in SAMPLES {
        let source = Source::new(path, text.as_bytes()).expect("a text");
        let all = pathfinder_literals::check(&source, project);
        let rewriting = Rewriting::new(&source, project, &all);
        for literal in missing_literals(&all) {
            for target in project.tree().files().iter().filter(|target| target.as_str() != *path) {
                let Some(new) = rewriting.rewrite(literal, target) else { continue };
                let edited = [&text[..literal.range.start], &new, &text[literal.range.end..]].concat();
                let source = Source::new(path, edited.as_bytes()).expect("a text");
                let now = pathfinder_literals::check(&source, project);
                let range = literal.range.start..literal.range.start + new.len();
                let is_found = |literal: &&Checked| matches!(literal.verdict, Verdict::Found(_));
                assert!(
                    now.iter().filter(is_found).any(|literal| literal.range == range),
                    "{path}: {new} for {target}: {now:#?}"
                );
                // One literal less is missing, and no new one.
                let names = |all: &[Checked], text: &str| -> Vec<(LiteralKind, String)> {
                    missing_literals(all).iter().map(|one| (one.kind, text[one.range.clone()].to_owned())).collect()
                };
                let was = names(&all, text);
                let is = names(&now, &edited);
                assert!(is.len() < was.len() && is.iter().all(|one| was.contains(one)), "{path}: {was:?} {is:?}");
                fixed += 1;
            }
        }
    }
    assert!(fixed >= 40, "number of literals that can be fixed: {fixed}");
}
