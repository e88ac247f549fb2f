//! Checks macros that include a file: `include!`, `include_str!`, `include_dir!` and similar.

use std::ops::Range;

use super::packages::CargoPackages;
use crate::rust::kinds;
use pathfinder_literals::path::{extension, join};
use pathfinder_literals::report::unknown;
use pathfinder_literals::{Lookup, Reason, Report, Verdict, Want};

use super::attributes::CfgCondition;
use super::severity;
use super::tokens::{RustToken, RustTokenKind, tokenize};

/// Words of which each call of such a macro contains one.
pub(super) const MACRO_WORDS: [&str; 6] =
    ["include_str", "include_bytes", "include!", "include_wgsl", "include_spirv", "include_dir"];

/// Macros whose path is relative to the file.
const FILE_RELATIVE_MACROS: [&str; 6] =
    ["include", "include_str", "include_bytes", "include_wgsl", "include_spirv", "include_spirv_raw"];

/// Checks the macro calls in an attribute, or in the arguments of a macro.
pub(super) fn check(report: &mut Report<'_>, range: Range<usize>, name: Option<Range<usize>>, condition: CfgCondition) {
    let text = report.source.text();
    let Some(written) = text.get(range.clone()) else { return };
    if !MACRO_WORDS.iter().any(|word| written.contains(word)) {
        return;
    }
    let outer = name.map(|name| &text[name]).unwrap_or_default();
    let outer = outer.rsplit("::").next().unwrap_or(outer);
    // Quoted code is compiled elsewhere, and so is the expansion of a macro definition.
    if outer.contains("quote") || outer == "macro_rules" {
        return;
    }
    let tokens = tokenize(text, range);
    for (at, window) in tokens.windows(3).enumerate() {
        let [word, bang, open] = window else { continue };
        let opens = [b'(', b'[', b'{'].iter().any(|sign| open.is_punct(*sign));
        if word.kind != RustTokenKind::Word || !bang.is_punct(b'!') || !opens {
            continue;
        }
        let name = &text[word.range.clone()];
        let inner = bracket_tokens(&tokens[at + 3..]);
        if FILE_RELATIVE_MACROS.contains(&name) {
            check_include(report, inner, condition);
        } else if name == "include_dir" {
            check_include_dir(report, inner, condition);
        }
    }
}

/// The tokens up to the closing bracket.
fn bracket_tokens(tokens: &[RustToken]) -> &[RustToken] {
    let mut depth = 1_usize;
    let end = tokens.iter().position(|token| {
        match token.kind {
            RustTokenKind::Punct(b'(' | b'[' | b'{') => depth += 1,
            RustTokenKind::Punct(b')' | b']' | b'}') => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    &tokens[..end.unwrap_or(0)]
}

/// Checks `include_str!("…")`, also with `concat!(env!("CARGO_MANIFEST_DIR"), "…")` in it.
fn check_include(report: &mut Report<'_>, inner: &[RustToken], condition: CfgCondition) {
    let text = report.source.text();
    match inner {
        [string] | [string, _] if string.kind == RustTokenKind::Text => {
            let written = &text[string.range.clone()];
            // A bridge to C++ has includes of its own, which a C++ compiler searches.
            let is_header = matches!(extension(written).as_str(), "h" | "hh" | "hpp" | "hxx");
            if written.starts_with('/') || is_header && text.contains("extern \"C++\"") {
                report.unknown(kinds::INCLUDE, string.range.start, string.range.len(), Reason::Elsewhere);
            } else {
                check_path(report, string, report.source.directory(), condition, Want::File);
            }
        }
        [word, bang, _, rest @ ..] if &text[word.range.clone()] == "concat" && bang.is_punct(b'!') => {
            check_concat(report, rest, condition);
        }
        _ => {}
    }
}

/// Checks the arguments of `concat!`, including the closing bracket.
fn check_concat(report: &mut Report<'_>, tokens: &[RustToken], condition: CfgCondition) {
    let text = report.source.text();
    let strings: Vec<&RustToken> =
        tokens.iter().filter(|token| matches!(token.kind, RustTokenKind::Text | RustTokenKind::Escaped)).collect();
    let [variable, path] = strings.as_slice() else {
        if let Some(last) = strings.last().filter(|last| last.range.len() > 1) {
            report.unknown(kinds::INCLUDE, last.range.start, last.range.len(), Reason::Dynamic);
        }
        return;
    };
    let is_env = matches!(tokens, [word, bang, ..] if &text[word.range.clone()] == "env" && bang.is_punct(b'!'));
    // Only a comma stands between the two.
    let words = tokens.iter().filter(|token| token.kind == RustTokenKind::Word).count();
    let (at, length) = (path.range.start, path.range.len());
    match &text[variable.range.clone()] {
        "CARGO_MANIFEST_DIR" if is_env && words == 1 && path.kind == RustTokenKind::Text => {
            match report.project.index::<CargoPackages>().package_of(report.source.path()) {
                Some(package) => check_path(report, path, package, condition, Want::File),
                None => report.unknown(kinds::INCLUDE, at, length, Reason::Undecided("Cargo.toml".to_owned())),
            }
        }
        "OUT_DIR" if is_env => {
            report.unknown(kinds::INCLUDE, at, length, Reason::Produced("build.rs".to_owned()));
        }
        _ => report.unknown(kinds::INCLUDE, at, length, Reason::Dynamic),
    }
}

/// Checks `include_dir!("$CARGO_MANIFEST_DIR/…")`.
fn check_include_dir(report: &mut Report<'_>, inner: &[RustToken], condition: CfgCondition) {
    let [string] = inner else { return };
    if string.kind != RustTokenKind::Text {
        return;
    }
    let head = "$CARGO_MANIFEST_DIR/";
    let Some(package) = report.project.index::<CargoPackages>().package_of(report.source.path()) else { return };
    if report.source.text()[string.range.clone()].starts_with(head) {
        let rest = RustToken { kind: RustTokenKind::Text, range: string.range.start + head.len()..string.range.end };
        check_path(report, &rest, package, condition, Want::Directory);
    }
}

/// Checks one path relative to a directory.
fn check_path(report: &mut Report<'_>, string: &RustToken, directory: &str, condition: CfgCondition, want: Want) {
    let text = report.source.text();
    let written = &text[string.range.clone()];
    let (at, length) = (string.range.start, string.range.len());
    if written.is_empty() || written.contains(['$', '{', '\n', ':', '\\']) {
        return report.unknown(kinds::INCLUDE, at, length, Reason::Dynamic);
    }
    let severity = severity(report.source.path(), condition);
    let (verdict, tried) = Lookup::new(report.project, want).verdict(severity, [join(directory, written)]);
    let verdict = match verdict {
        // A file that is included under a condition is often generated for that build (bevy's `ci_testing_config.ron`).
        Verdict::Missing(missing) if condition > CfgCondition::Platform && missing.instead.is_none() => {
            return report.add(kinds::INCLUDE, at, length, (unknown(Reason::Optional).0, tried));
        }
        verdict => verdict,
    };
    report.add(kinds::INCLUDE, at, length, (verdict, tried));
}
