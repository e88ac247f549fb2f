//! Text for shells and manuals. The shells themselves run it in `tests/clients/shells.test.mjs`, `rewrite`.

use crate::tree::{PROJECT, Tree};

/// Checks that the output has each of these lines.
#[track_caller]
fn check(args: &[&str], lines: &[&str]) {
    let run = Tree::new(PROJECT).plan(args).run();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
    for line in lines {
        assert!(run.stdout.lines().any(|printed| printed.contains(line)), "{args:?} prints no {line:?}");
    }
}

#[test]
fn a_manual_page() {
    let commands = ["resolve", "find", "check", "fix", "index", "hook", "mcp", "lsp", "doctor"];
    let commands = commands.map(|command| format!("pathfinder\\-{command}(1)"));
    let lines: Vec<&str> = commands.iter().map(String::as_str).collect();
    check(&["man"], &[&[".TH pathfinder 1", ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS"][..], &lines].concat());
}

#[test]
fn completions() {
    check(&["completions", "bash"], &["_pathfinder()", "complete -F _pathfinder"]);
    check(&["completions", "zsh"], &["#compdef pathfinder"]);
    check(&["completions", "fish"], &["complete -c pathfinder"]);
    check(&["completions", "powershell"], &["Register-ArgumentCompleter"]);
    check(&["completions", "nushell"], &["export extern pathfinder ["]);
    check(&["completions", "elvish"], &["edit:completion:arg-completer[pathfinder]"]);
}
