//! Tests of aliases and site roots from the settings.

use crate::testing::{MemoryTree, new_project};
use pathfinder_literals::{ProjectSettings, Source, Verdict};

/// Checks the only literal of a document.
#[track_caller]
fn check(literal: &str, expect: &str) {
    let tree = MemoryTree::new("web/app/main.ts\nweb/app/box/index.ts\npublic/logo.svg\ndocs/a.md");
    let settings = ProjectSettings {
        aliases: vec![("@/".to_owned(), "web/app".to_owned())],
        site_roots: vec!["public".to_owned()],
    };
    let project = new_project(tree).with_settings(settings);
    let text = format!("[x]({literal})");
    let source = Source::new("docs/a.md", text.as_bytes()).expect("a text");
    let verdicts: Vec<String> = pathfinder_literals::check(&source, &project)
        .into_iter()
        .map(|checked| match checked.verdict {
            Verdict::Found(target) => target.path,
            Verdict::Missing(missing) => format!("missing {}", missing.wanted),
            Verdict::Unknown(reason) => reason.name().to_owned(),
        })
        .collect();
    assert_eq!(verdicts, [expect], "{literal}");
}

#[test]
fn applies_aliases_and_site_roots() {
    check("@/main.ts", "web/app/main.ts");
    check("@/main", "web/app/main.ts");
    check("@/gone.ts", "missing web/app/gone.ts");
    check("/logo.svg?v=1", "public/logo.svg");
    check("/gone.svg", "missing gone.svg");
}
