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

/// The commands below a command and its options, as its help lists them.
fn listed(command: &[&str]) -> (Vec<String>, Vec<String>) {
    let run = Tree::new("").plan(command).arg("-h").run();
    assert_eq!(run.code, Some(0), "{command:?}");
    let part =
        |title: &str| run.stdout.split(&format!("\n{title}:\n")).nth(1).map(|rest| rest.split("\n\n").next().unwrap());
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let commands =
        part("Commands").into_iter().flat_map(str::lines).filter(|line| !line.starts_with("   ")).filter_map(first);
    let option = |line: &str| {
        let words = line.trim_start().strip_prefix('-').filter(|_| !line.starts_with("         "))?;
        let long = &words[words.find("--").map_or(0, |at| at + 1)..];
        let end =
            long[1..].find(|letter: char| letter != '-' && !letter.is_alphanumeric()).map_or(long.len(), |at| at + 1);
        Some(format!("-{}", &long[..end]))
    };
    (
        commands.filter(|name| name != "help").collect(),
        part("Options").into_iter().flat_map(str::lines).filter_map(option).collect(),
    )
}

/// PowerShell and elvish do not run here, so their scripts are compared with the help of each command.
#[test]
fn completions_have_all_commands_and_options() {
    let scripts = ["powershell", "elvish"].map(|shell| Tree::new("").plan(&["completions", shell]).run().stdout);
    let mut waiting = vec![vec![]];
    let mut compared = 0;
    while let Some(command) = waiting.pop() {
        let (commands, options) = listed(&command.iter().map(String::as_str).collect::<Vec<_>>());
        let key = [&["pathfinder".to_owned()][..], &command].concat().join(";");
        let heads = [format!("\n        '{key}' {{\n"), format!("\n        &'{key}'= {{\n")];
        for ((script, head), end) in scripts.iter().zip(heads).zip(["\n            break\n", "\n        }"]) {
            let offered = script.split(&head).nth(1).and_then(|rest| rest.split(end).next());
            let offered = offered.unwrap_or_else(|| panic!("no {head:?}"));
            for word in commands.iter().chain(&options) {
                let forms = [format!("new('{word}',"), format!("cand {word} '")];
                assert!(forms.iter().any(|form| offered.contains(form)), "{key} lacks {word}: {offered}");
                compared += 1;
            }
        }
        waiting.extend(commands.iter().map(|name| [&command[..], std::slice::from_ref(name)].concat()));
    }
    assert!(compared > 200, "{compared}");
}
