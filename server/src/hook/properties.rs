//! Properties for any repository and any event: a rewritten command has the same program and the same options, and differs in one
//! operand, which is an existing path inside the root; and no event but a failed read leads to contents.

use std::cell::Cell;
use std::fs;
use std::path::Path;

use pathfinder_core::secret::is_secret_name;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use super::ask::Engine;
use super::event::{Event, Repair};
use super::repair::{Means, repair};
use super::tools;
use crate::os::tests::tree::Tree;
use crate::settings::Overrides;

/// Each has a tree made on disk, some with commits: more would take minutes.
const CASES: u32 = 96;

/// Each of the programs meets each of the names about once.
const OPTION_CASES: u32 = 16;

/// Contents of files that have the name of a secret, and of all others.
const SECRET: &str = "hunter2";
const PLAIN: &str = "contents";

/// A repository, a slip in one of its paths, and the command in which it is made.
#[derive(Clone, Debug)]
struct Scene {
    paths: Vec<String>,
    /// Which path was moved in a commit, and to where.
    moved: Option<(Index, String)>,
    asked: Index,
    slip: u8,
    program: String,
    before: Vec<String>,
    after: Vec<String>,
    quote: &'static str,
}

/// Names that mean something to a shell, to a program or to us.
const HOSTILE: &[&str] = &[
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
        2 => proptest::sample::select(HOSTILE).prop_map(str::to_owned),
        4 => "[a-d]{2,6}(\\.(rs|py|md))?",
        1 => "\\PC{1,5}".prop_filter("a name", |name| !name.contains(['/', '\0']) && name != "." && name != ".."),
    ]
}

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec(segment(), 1..4).prop_map(|segments| segments.join("/"))
}

/// Words around the path.
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

fn scene() -> impl Strategy<Value = Scene> {
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
        .prop_map(|(paths, moved, asked, slip, program, before, after, quote)| Scene {
            paths,
            moved,
            asked,
            slip,
            program,
            before,
            after,
            quote,
        })
}

impl Scene {
    /// The path that is asked for, and is probably not there.
    fn slipped(&self) -> String {
        let path = self.asked.get(&self.paths);
        match self.slip {
            // A letter less in the name or a directory, a directory less, another one, another extension.
            0 => path.chars().take(path.chars().count() - 1).collect(),
            1 => path.chars().skip(1).collect(),
            2 => path.split_once('/').map_or_else(|| format!("src/{path}"), |(_, rest)| rest.to_owned()),
            3 => format!("lib/{}", path.rsplit('/').next().unwrap_or_default()),
            _ => path.clone(),
        }
    }

    fn command(&self) -> String {
        let path = format!("{0}{1}{0}", self.quote, self.slipped());
        let words = [vec![self.program.clone()], self.before.clone(), vec![path], self.after.clone()];
        words.concat().join(" ")
    }

    /// Lays the repository out as far as the disk allows it.
    fn lay_out(&self) -> Tree {
        let tree = Tree::new("$ git init -q");
        for path in &self.paths {
            write(&tree.path(path));
        }
        if let Some((from, to)) = &self.moved {
            tree.run("git add -A && git commit -q --allow-empty -m one");
            let (from, to) = (tree.path(from.get(&self.paths).as_str()), tree.path(to));
            let is_made = to.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok());
            if is_made && !to.exists() && from.is_file() && fs::rename(from, to).is_ok() {
                tree.run("git add -A && git commit -q --allow-empty -m two");
            }
        }
        tree
    }
}

/// Writes a file, unless another one is where its directories would be.
fn write(path: &Path) {
    let contents = if is_secret_name(path.as_os_str().as_encoded_bytes()) { SECRET } else { PLAIN };
    if path.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok()) && !path.exists() {
        _ = fs::write(path, contents);
    }
}

/// The hook's reaction to an event in a repository.
fn answer(root: &Path, event: &Event) -> Repair {
    let engine = Engine::new(vec![root.to_owned()], Overrides::default(), root.to_owned());
    repair(&engine, event, Means::Rewrite).unwrap_or(Repair::Nothing)
}

/// Whether a command was rewritten as it may be; `Ok(false)` if it was left alone.
fn check_command(scene: &Scene) -> Result<bool, TestCaseError> {
    let tree = scene.lay_out();
    let root = tree.path("");
    let command = scene.command();
    let Some(call) = tools::about("Bash", &json!({"command": command})) else { return Ok(false) };
    let Repair::Rewrite { input, .. } = answer(&root, &Event::Before(call)) else { return Ok(false) };
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
    let is_quoted = !scene.quote.is_empty();
    let is_literal = |c: char| c.is_alphanumeric() || "_./@+-,".contains(c) || is_quoted && " ()[]".contains(c);
    prop_assert!(operand.chars().all(is_literal), "{} {}", &command, rewritten);
    Ok(true)
}

/// Whether a note showed contents.
fn check_notes(scene: &Scene) -> Result<bool, TestCaseError> {
    let tree = scene.lay_out();
    let root = tree.path("");
    let slipped = scene.slipped();
    let read = |tool: &str| tools::call(tool, &json!({"file_path": slipped}));
    let quiet = [
        Some(Event::Printed(format!("cat: {slipped}: No such file or directory"))),
        Some(Event::Prompt(format!("look at `{slipped}`"))),
        read("Read").map(Event::Ended),
        read("mcp__fs__read_file").map(Event::Failed),
    ];
    for event in quiet.iter().flatten() {
        match answer(&root, event) {
            Repair::Note(note) => prop_assert!(!note.contains("Lines 1-"), "{note}"),
            Repair::Nothing => {}
            Repair::Rewrite { .. } => return Err(TestCaseError::fail("it is too late for that")),
        }
    }
    let Some(call) = read("Read") else { return Ok(false) };
    let Repair::Note(note) = answer(&root, &Event::Failed(call)) else { return Ok(false) };
    prop_assert!(!note.contains(SECRET), "{note}");
    Ok(note.contains(PLAIN))
}

/// Tries scenes of all kinds.
fn try_all(check: impl Fn(&Scene) -> Result<bool, TestCaseError>) {
    try_scenes(CASES, scene(), check);
}

/// Tries scenes; some of them have to come to something, or nothing was tried.
fn try_scenes(cases: u32, scenes: impl Strategy<Value = Scene>, check: impl Fn(&Scene) -> Result<bool, TestCaseError>) {
    let happened = Cell::new(0);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases) });
    let result = runner.run(&scenes, |scene| {
        happened.set(happened.get() + usize::from(check(&scene)?));
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.map_err(|error| error.to_string()).err().unwrap_or_default());
    assert!(happened.get() > 0, "nothing was tried");
}

#[test]
fn rewrites_one_operand_to_a_path_that_is_there() {
    try_all(check_command);
}

/// A file that was moved to the name of an option. Among all scenes it is too rare to be met.
#[test]
fn never_rewrites_to_an_option() {
    let name = proptest::sample::select(&["-e1emake", "-n", "+5", "-i/a.py"][..]);
    let program = proptest::sample::select(&["cat", "head", "wc", "sed -n 1,9p"][..]);
    let scenes = (name, program, any::<Index>()).prop_map(|(name, program, asked)| Scene {
        paths: vec!["settings.py".to_owned()],
        moved: Some((asked, name.to_owned())),
        asked,
        slip: u8::MAX,
        program: program.to_owned(),
        before: Vec::new(),
        after: Vec::new(),
        quote: "",
    });
    try_scenes(OPTION_CASES, scenes, check_command);
}

/// What had the name of a secret shows nothing under another one.
#[test]
fn a_secret_that_was_moved_stays_one() {
    let scenes = any::<Index>().prop_map(|asked| Scene {
        paths: vec![".env".to_owned()],
        moved: Some((asked, "settings.py".to_owned())),
        asked,
        slip: u8::MAX,
        program: "cat".to_owned(),
        before: Vec::new(),
        after: Vec::new(),
        quote: "",
    });
    let check = |scene: &Scene| check_notes(scene).map(|_| true);
    try_scenes(1, scenes, check);
}

#[test]
fn shows_contents_only_of_reads_that_failed() {
    try_all(check_notes);
}
