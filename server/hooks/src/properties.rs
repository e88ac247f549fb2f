//! Property tests: for any repository and event, a rewritten command keeps program and options and differs in one operand.
//!
//! The operand is an existing path inside the root. Only a failed read shows contents.

use std::cell::Cell;
use std::fs;
use std::path::Path;

use pathfinder_core::secret::is_secret_name;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use super::backend::HookBackend;
use super::event::{Event, Repair};
use super::repair::{HookCapability, repair};
use super::tools;
use pathfinder_project::settings::Overrides;
use pathfinder_vfs::testing::TestTree;

/// Test cases. Each builds a tree on disk, some with commits, so that more would take minutes.
const CASES: u32 = 96;

/// Test cases for option-like names: each program meets each name about once.
const OPTION_CASES: u32 = 16;

/// Contents of files with secret names ([`SECRET_CONTENTS`]) and of all others ([`PLAIN_CONTENTS`]).
const SECRET_CONTENTS: &str = "hunter2";
const PLAIN_CONTENTS: &str = "contents";

/// A repository, a typo in one of its paths, and the command that contains the typo.
#[derive(Clone, Debug)]
struct HookScenario {
    paths: Vec<String>,
    /// Path that a commit renamed, and its new name.
    moved: Option<(Index, String)>,
    target: Index,
    typo: u8,
    program: String,
    before: Vec<String>,
    after: Vec<String>,
    quote: &'static str,
}

/// Names with a special meaning to a shell, to a program or to pathfinder.
const HOSTILE_NAMES: &[&str] = &[
    "-e1emake",
    "-n",
    "-i",
    "--files0-from=x",
    "+5",
    ".env",
    "server.key",
    "$(make)",
    "`make`",
    "a;make",
    "a&b",
    "a|b",
    "a b",
    "a'b",
    "a\"b",
    "a\nb",
    "~",
    "*.rs",
    "a\\b",
    "#a",
    "{a,b}",
    "!a",
    "-",
    "\u{202e}a",
    "\u{fffd}",
];

fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => proptest::sample::select(HOSTILE_NAMES).prop_map(str::to_owned),
        4 => "[a-d]{2,6}(\\.(rs|py|md))?",
        1 => "\\PC{1,5}".prop_filter("a name", |name| !name.contains(['/', '\0']) && name != "." && name != ".."),
    ]
}

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec(segment(), 1..4).prop_map(|segments| segments.join("/"))
}

/// Words before and after the path.
const OPTIONS: &[&str] = &[
    "-n",
    "-20",
    "-n 5",
    "-c3",
    "--",
    "-l",
    "-b a",
    "-i",
    "-e 1p",
    "1,5p",
    "'1,$p'",
    "--lines=3",
    "-la",
    "-f",
    "> x",
    ";make",
];

fn option() -> impl Strategy<Value = String> {
    proptest::sample::select(OPTIONS).prop_map(str::to_owned)
}

fn scenario() -> impl Strategy<Value = HookScenario> {
    let program =
        proptest::sample::select(&["cat", "head", "tail", "nl", "wc", "sed -n 1,9p", "sed -n", "ls", "rm"][..]);
    let quote = proptest::sample::select(&["", "", "'", "\""][..]);
    (
        proptest::collection::vec(path(), 1..5),
        proptest::option::weighted(0.4, (any::<Index>(), path())),
        any::<Index>(),
        0..5_u8,
        program.prop_map(str::to_owned),
        proptest::collection::vec(option(), 0..2),
        proptest::collection::vec(option(), 0..2),
        quote,
    )
        .prop_map(|(paths, moved, target, typo, program, before, after, quote)| HookScenario {
            paths,
            moved,
            target,
            typo,
            program,
            before,
            after,
            quote,
        })
}

impl HookScenario {
    /// Returns the mistyped path, which mostly does not exist.
    fn mistyped(&self) -> String {
        let path = self.target.get(&self.paths);
        match self.typo {
            // A letter missing at the end or the start, a directory missing or added, another directory, or no change.
            0 => path.chars().take(path.chars().count() - 1).collect(),
            1 => path.chars().skip(1).collect(),
            2 => path.split_once('/').map_or_else(|| format!("src/{path}"), |(_, rest)| rest.to_owned()),
            3 => format!("lib/{}", path.rsplit('/').next().unwrap_or_default()),
            _ => path.clone(),
        }
    }

    fn command(&self) -> String {
        let path = format!("{0}{1}{0}", self.quote, self.mistyped());
        let words = [vec![self.program.clone()], self.before.clone(), vec![path], self.after.clone()];
        words.concat().join(" ")
    }

    /// Writes the repository as far as the file system allows it.
    fn lay_out(&self) -> TestTree {
        let tree = TestTree::new("$ git init -q");
        for path in &self.paths {
            write(&tree.path(path));
        }
        if let Some((from, to)) = &self.moved {
            tree.run("git add -A && git commit -q --allow-empty -m one");
            let (from, to) = (tree.path(from.get(&self.paths).as_str()), tree.path(to));
            let has_parent = to.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok());
            if has_parent && !to.exists() && from.is_file() && fs::rename(from, to).is_ok() {
                tree.run("git add -A && git commit -q --allow-empty -m two");
            }
        }
        tree
    }
}

/// Writes a file, unless a file stands where its directories would be.
fn write(path: &Path) {
    let contents = if is_secret_name(path.as_os_str().as_encoded_bytes()) { SECRET_CONTENTS } else { PLAIN_CONTENTS };
    if path.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok()) && !path.exists() {
        _ = fs::write(path, contents);
    }
}

/// Returns the hook's reaction to an event in a repository.
fn answer(root: &Path, event: &Event) -> Repair {
    let roots = [root.to_owned()];
    let backend = HookBackend::new(&roots, Overrides::default(), root.to_owned());
    repair(&backend, event, HookCapability::Rewrite).unwrap_or(Repair::Nothing)
}

/// Checks a rewritten command; `Ok(false)` if the command was left alone.
fn check_command(scenario: &HookScenario) -> Result<bool, TestCaseError> {
    let tree = scenario.lay_out();
    let root = tree.path("");
    let command = scenario.command();
    let Some(call) = tools::parse_call_or_command("Bash", &json!({"command": command})) else { return Ok(false) };
    let Repair::Rewrite { input, .. } = answer(&root, &Event::PreTool(call)) else { return Ok(false) };
    let rewritten = input["command"].as_str().unwrap_or_default();
    let (Some(old), Some(new)) = (shlex::split(&command), shlex::split(rewritten)) else {
        return Err(TestCaseError::fail(format!("no words: {command:?} {rewritten:?}")));
    };
    prop_assert_eq!(old.len(), new.len(), "{} {}", &command, rewritten);
    let others: Vec<usize> = (0..old.len()).filter(|&at| old[at] != new[at]).collect();
    prop_assert_eq!(others.len(), 1, "{} {}", &command, rewritten);
    let at = others[0];
    prop_assert!(at > 0 && !old[..at].iter().any(|word| word == "-e" || word == "-f"), "{} {}", &command, rewritten);
    let operand = &new[at];
    prop_assert!(!operand.starts_with(['-', '+']), "{} {}", &command, rewritten);
    let real = dunce::canonicalize(root.join(operand)).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let below = real.strip_prefix(&root).map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert!(!is_secret_name(below.as_os_str().as_encoded_bytes()) && !below.starts_with(".git"), "{}", operand);
    let is_quoted = !scenario.quote.is_empty();
    let is_literal = |c: char| c.is_alphanumeric() || "_./@+-,".contains(c) || is_quoted && " ()[]".contains(c);
    prop_assert!(operand.chars().all(is_literal), "{} {}", &command, rewritten);
    Ok(true)
}

/// Checks that only a failed read shows contents; returns whether a note showed some.
fn check_notes(scenario: &HookScenario) -> Result<bool, TestCaseError> {
    let tree = scenario.lay_out();
    let root = tree.path("");
    let mistyped = scenario.mistyped();
    let read = |tool: &str| tools::parse_call(tool, &json!({"file_path": mistyped}));
    let quiet = [
        Some(Event::CommandOutput(format!("cat: {mistyped}: No such file or directory"))),
        Some(Event::Prompt(format!("look at `{mistyped}`"))),
        read("Read").map(Event::PostTool),
        read("mcp__fs__read_file").map(Event::ToolFailed),
    ];
    for event in quiet.iter().flatten() {
        match answer(&root, event) {
            Repair::Note(note) => prop_assert!(!note.contains("Lines 1-"), "{note}"),
            Repair::Nothing => {}
            Repair::Rewrite { .. } => return Err(TestCaseError::fail("it is too late for that")),
        }
    }
    let Some(call) = read("Read") else { return Ok(false) };
    let Repair::Note(note) = answer(&root, &Event::ToolFailed(call)) else { return Ok(false) };
    prop_assert!(!note.contains(SECRET_CONTENTS), "{note}");
    Ok(note.contains(PLAIN_CONTENTS))
}

/// Runs a check over scenarios of all kinds.
fn try_all_scenarios(check: impl Fn(&HookScenario) -> Result<bool, TestCaseError>) {
    try_scenarios(CASES, scenario(), check);
}

/// Runs a check over scenarios. At least one must have an effect, or the test checks nothing.
fn try_scenarios(
    cases: u32,
    scenarios: impl Strategy<Value = HookScenario>,
    check: impl Fn(&HookScenario) -> Result<bool, TestCaseError>,
) {
    let happened = Cell::new(0);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases) });
    let result = runner.run(&scenarios, |scenario| {
        happened.set(happened.get() + usize::from(check(&scenario)?));
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.map_err(|error| error.to_string()).err().unwrap_or_default());
    assert!(happened.get() > 0, "nothing was tried");
}

#[test]
fn rewrites_one_operand_to_an_existing_path() {
    try_all_scenarios(check_command);
}

/// A file that was renamed to an option-like name. Random scenarios hardly ever contain one.
#[test]
fn never_rewrites_to_an_option() {
    let name = proptest::sample::select(&["-e1emake", "-n", "+5", "-i/a.py"][..]);
    let program = proptest::sample::select(&["cat", "head", "wc", "sed -n 1,9p"][..]);
    let scenarios = (name, program, any::<Index>()).prop_map(|(name, program, target)| HookScenario {
        paths: vec!["settings.py".to_owned()],
        moved: Some((target, name.to_owned())),
        target,
        typo: u8::MAX,
        program: program.to_owned(),
        before: Vec::new(),
        after: Vec::new(),
        quote: "",
    });
    try_scenarios(OPTION_CASES, scenarios, check_command);
}

/// A file that once had a secret name shows no contents under its new name.
#[test]
fn shows_nothing_of_a_renamed_secret() {
    let scenarios = any::<Index>().prop_map(|target| HookScenario {
        paths: vec![".env".to_owned()],
        moved: Some((target, "settings.py".to_owned())),
        target,
        typo: u8::MAX,
        program: "cat".to_owned(),
        before: Vec::new(),
        after: Vec::new(),
        quote: "",
    });
    let check = |scenario: &HookScenario| check_notes(scenario).map(|_| true);
    try_scenarios(1, scenarios, check);
}

#[test]
fn shows_contents_only_for_failed_reads() {
    try_all_scenarios(check_notes);
}
