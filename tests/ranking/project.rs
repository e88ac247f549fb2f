//! A file of cases: the tree, laid out, and what is asked of it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::case::{self, Case, Title};
use crate::shape::Shape;
use crate::tree::Tree;

/// See the text of `main.rs`.
pub(crate) struct Project {
    pub(crate) name: String,
    tree: Tree,
    pub(crate) cases: Vec<Case>,
}

impl Project {
    #[track_caller]
    pub(crate) fn read(name: &str) -> Self {
        let file = cases().join(name).with_extension("txt");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let lines = text.lines().map(str::trim).enumerate();
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
        let (mut tree, mut session) = (String::new(), 0);
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with("---")) {
            match line.split_once(' ') {
                Some(("tree", shape)) => tree += &Shape::read(shape).text(),
                Some(("session", kept)) => session = kept.parse().unwrap(),
                _ => tree += &(case::unescaped(line) + "\n"),
            }
        }
        let tree = Tree::new(&tree);
        let root = tree.root();
        let (mut title, mut cases) = (Title::default(), Vec::new());
        for (at, line) in lines {
            if let Some(text) = line.strip_prefix("---") {
                title = Title::parse(text);
            } else {
                cases.push(Case::parse(line, at + 1, &title, root.to_str().unwrap()));
            }
        }
        for case in cases.iter().filter_map(|case| case.path.as_ref()).filter(|path| !path.contains('\u{fffd}')) {
            assert!(root.join(case).symlink_metadata().is_ok(), "{name}.txt expects {case}, which is not there");
        }
        let paths: Vec<_> = cases.iter().map(|case| case.path.clone()).collect();
        for (at, case) in cases.iter_mut().enumerate().skip(1).filter(|_| session > 0) {
            let last = paths[at.saturating_sub(session)..at].iter().flatten().cloned();
            case.request["history"] = last.collect();
        }
        Self { name: name.to_owned(), tree, cases }
    }

    /// The lines that a fresh process prints for these lines. All that the tests ask goes through here.
    pub(crate) fn ask(&self, requests: &str) -> Vec<String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pathfinder"));
        command.args(["resolve", "--batch", "--root"]).arg(self.tree.root()).current_dir(self.tree.root());
        command.env_clear().env("HOME", self.tree.home());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let bytes = requests.to_owned().into_bytes();
        let writer = std::thread::spawn(move || stdin.write_all(&bytes).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    /// Each case with its answer.
    #[track_caller]
    pub(crate) fn answers(&self) -> Vec<(&Case, Value)> {
        let answers = self.ask(&self.requests());
        assert_eq!(answers.len(), self.cases.len(), "one answer for each case");
        assert!(!answers.is_empty(), "{} has no cases", self.name);
        self.cases.iter().zip(answers.iter().map(|answer| serde_json::from_str(answer).unwrap())).collect()
    }

    pub(crate) fn requests(&self) -> String {
        self.cases.iter().map(|case| case.request.to_string() + "\n").collect()
    }

    /// Describes a miss: place and text of the case, and the actual answer.
    pub(crate) fn miss(&self, case: &Case, answer: &Value) -> Option<String> {
        let got = case.disagrees(answer)?;
        Some(format!("{}.txt:{}: {}\n    got {got}", self.name, case.line, case.text))
    }
}

pub(crate) fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ranking/cases")
}
