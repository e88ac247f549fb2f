//! Tests of the literal kinds: each has one meaning, and `docs/kinds.md` lists all. `UPDATE_EXPECT=1 cargo test -p
//! pathfinder-languages kinds` writes that file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use expect_test::expect_file;
use pathfinder_literals::LiteralKind;

use crate::ALL;

const HEADER: &str = "\
# Literal kinds

The `kind` of a literal in the output of `pathfinder check` and in the data of diagnostics. The text before the first dot is the
language or format, the rest is the construct. A name does not change between versions.

| kind | literal |
|---|---|
";

/// Returns the kinds of all languages, by name.
fn kinds() -> BTreeMap<&'static str, LiteralKind> {
    ALL.iter().flat_map(|language| language.kinds()).map(|kind| (kind.as_str(), *kind)).collect()
}

#[test]
fn each_kind_has_one_meaning() {
    let kinds = kinds();
    for kind in ALL.iter().flat_map(|language| language.kinds()) {
        assert_eq!(kinds[kind.as_str()], *kind, "two languages describe it differently");
        assert!(!kind.language().is_empty() && !kind.construct().is_empty(), "{kind}: LANGUAGE.CONSTRUCT");
        assert!(kind.description().ends_with('.') && !kind.description().contains(['\n', '|']), "{kind}: one line");
    }
}

#[test]
fn the_documentation_lists_each_kind() {
    let mut text = HEADER.to_owned();
    for kind in kinds().values() {
        _ = writeln!(text, "| `{kind}` | {} |", kind.description().trim_end_matches('.'));
    }
    expect_file!["../../../../docs/kinds.md"].assert_eq(&text);
}

/// The site has a page for each language, whose name its generator knows.
#[test]
fn the_site_names_each_language() {
    let generator = include_str!("../../../../docs/site/generated.py");
    let names = generator.split_once("NAMES = {").and_then(|(_, rest)| rest.split_once('}')).map(|(names, _)| names);
    let names = names.expect("a table of names");
    for kind in kinds().values() {
        let language = kind.language();
        assert!(names.contains(&format!("\"{language}\": ")), "docs/site/generated.py has no name for {language}");
    }
}
