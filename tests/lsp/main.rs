//! The built binary as editors drive it: over stdin and stdout, under the capabilities that each of them declares.
//!
//! The harness (`client`) never sleeps. It fails when a message was left unread, and holds every message against rules that
//! must always hold (`rules`).

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it stands")]
#![expect(clippy::needless_pass_by_value, reason = "parameters of requests are written where they are sent")]

mod actions;
mod bad_input;
mod client;
mod commands;
mod completion;
mod consistency;
mod diagnostics;
mod documents;
mod files;
mod life;
mod look;
mod profile;
mod reports;
mod roots;
mod rules;
mod settings;
mod stress;
mod text;
#[expect(dead_code, reason = "shared with other tests, which need more of it")]
#[path = "../e2e/tree.rs"]
mod tree;
mod uris;
mod workspace;

use tree::Tree;

/// A tree; in contents, `\n` stands for the end of a line.
fn lay(text: &str) -> Tree {
    let tree = Tree::new(text);
    for line in text.lines().map(str::trim) {
        if let Some((name, contents)) = line.split_once(" = ") {
            std::fs::write(tree.root().join(name), contents.replace("\\n", "\n")).unwrap();
        }
    }
    tree
}

/// Runs a shell script of git commands in a tree's root, with an empty home.
#[track_caller]
fn run_git(tree: &Tree, commands: &str) {
    let script = format!("set -e; {commands}");
    let mut shell = std::process::Command::new("sh");
    let status = shell.args(["-c", &script]).current_dir(tree.root()).env("HOME", tree.home()).status().unwrap();
    assert!(status.success(), "{commands}");
}
