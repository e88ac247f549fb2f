//! Rules of this repository that no compiler checks.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it stands")]

#[path = "tidy/packages.rs"]
mod packages;
#[path = "tidy/words.rs"]
mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All that may lie at the top, beside dotfiles and Markdown. GitHub, Nix and pip look for `action.yml`, `flake.nix` and
/// `pyproject.toml` there and nowhere else.
const TOP: [&str; 15] = [
    "action.yml",
    "flake.nix",
    "pyproject.toml",
    "Cargo.toml",
    "Cargo.lock",
    "deny.toml",
    "docs",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "models",
    "pathfinder.toml",
    "server",
    "tests",
    "vscode-extension",
    "zed-extension",
];

/// Longer files hold more than one thing.
const LINES_MAX: usize = 500;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Returns whether a name has this extension, in small letters as all of ours.
fn is(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == extension)
}

/// Every file that git tracks or would track, relative to the repository.
fn files() -> Vec<String> {
    let listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let output = Command::new("git").args(listed).current_dir(repository()).output().expect("git lists the files");
    assert!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).unwrap();
    let there = |name: &&str| !name.is_empty() && repository().join(name).exists();
    names.split('\0').filter(there).map(str::to_owned).collect()
}

fn read(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn rust_files() -> Vec<(String, String)> {
    let rust = files().into_iter().filter(|name| is(name, "rs"));
    rust.map(|name| (name.clone(), read(&name))).collect()
}

/// Lists what breaks a rule.
#[track_caller]
fn check(rule: &str, broken_by: impl IntoIterator<Item = String>) {
    let broken_by: Vec<_> = broken_by.into_iter().collect();
    assert!(broken_by.is_empty(), "{rule}:\n  {}", broken_by.join("\n  "));
}

#[test]
fn files_are_short() {
    let long = rust_files().into_iter().map(|(name, text)| (name, text.lines().count()));
    let long = long.filter(|(_, lines)| *lines > LINES_MAX).map(|(name, lines)| format!("{name}: {lines}"));
    check("no Rust file is longer than 500 lines", long);
}

#[test]
fn files_say_what_they_are() {
    let silent = rust_files().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(name, _)| name);
    check("every Rust file begins with a `//!` header", silent);
    let scripts = files().into_iter().filter(|name| is(name, "mjs"));
    let text = |name: &String| read(name).trim_start_matches("#!/usr/bin/env node\n").starts_with("// ");
    check("every script begins with a comment that says what it is", scripts.filter(|name| !text(name)));
}

#[test]
fn modules_are_named_by_their_file() {
    check("no mod.rs: `a.rs` beside `a/`", files().into_iter().filter(|name| name.ends_with("/mod.rs")));
}

#[test]
fn nothing_is_left_to_do() {
    // Put together here so that this file does not find itself.
    let marks = [["TO", "DO"].concat(), ["FIX", "ME"].concat(), ["unimpl", "emented!("].concat()];
    let marked = |(name, text): (String, String)| {
        let line = text.lines().position(|line| marks.iter().any(|mark| line.contains(mark.as_str())))?;
        Some(format!("{name}:{}", line + 1))
    };
    check("work that is left is an issue, not a comment", rust_files().into_iter().filter_map(marked));
}

#[test]
fn the_top_is_small() {
    let top: BTreeSet<_> = files().iter().map(|name| name.split('/').next().unwrap().to_owned()).collect();
    let allowed = |name: &String| TOP.contains(&name.as_str()) || name.starts_with('.') || is(name, "md");
    check("only what belongs at the top", top.into_iter().filter(|name| !allowed(name)));
}

#[test]
fn the_settings_document_has_every_setting() {
    let binary = env!("CARGO_BIN_EXE_pathfinder");
    let help = Command::new(binary).args(["help", "settings"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let flags = help.split("[env: ").skip(1).map(|rest| rest.split(']').next().unwrap().to_owned());
    let document = read("docs/settings.md");
    let missing = flags.filter(|variable| !document.contains(&format!("| `{variable}` |")));
    check("settings without a line in docs/settings.md", missing);
    assert!(help.contains("[env: RESOLVE_TOPK]"), "the help lists the settings");
}

#[test]
fn the_documents_name_files_that_are_there() {
    let all = files();
    let known = |path: &str| {
        let path = path.trim_end_matches('/');
        repository().join(path).exists() || all.iter().any(|name| name.ends_with(&format!("/{path}")))
    };
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = read(document);
        let quoted = text.split('`').skip(1).step_by(2);
        let paths = quoted.filter(|text| is(text, "rs") && !text.contains([' ', '*', '<', '{']));
        let missing = paths.filter(|path| !known(path)).map(str::to_owned);
        check(&format!("{document} names files that are not there"), missing);
    }
}
