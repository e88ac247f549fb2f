//! `Project`: a repository made from a text, and runs of the program in it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// As long as a run may take on a machine that does much else; what takes longer hangs.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(5);

/// The message of a hook that ran out of time. It is asked once more then.
const LATE: &str = "no answer in 5 s";

/// A directory for one attack, removed when dropped.
pub(crate) struct Project {
    place: TempDir,
}

/// The result of one run.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// True if the program read its whole input.
    pub(crate) took_all: bool,
}

impl Project {
    /// One entry per line, in order: `file`, `file = contents` (`\n` ends a line), `directory/`, `link -> target`, and `$ command`,
    /// which is run in the root. In names, `\u{…}` is a character.
    pub(crate) fn new(text: &str) -> Self {
        let project = Self { place: TempDir::new().unwrap() };
        fs::create_dir(project.root()).unwrap();
        fs::create_dir(project.home()).unwrap();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            project.make(line);
        }
        project
    }

    fn make(&self, line: &str) {
        if let Some(script) = line.strip_prefix("$ ") {
            assert!(self.shell(script).status().unwrap().success(), "{line}");
            return;
        }
        let (name, contents) = line.split_once(" = ").unwrap_or((line, ""));
        let (name, target) = name.split_once(" -> ").map_or((name, None), |(name, target)| (name, Some(target)));
        let path = self.root().join(unescape(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match target {
            Some(target) => symlink(target, path).unwrap(),
            None if name.ends_with('/') => fs::create_dir_all(path).unwrap(),
            None => fs::write(path, contents.replace("\\n", "\n")).unwrap(),
        }
    }

    pub(crate) fn root(&self) -> PathBuf {
        dunce::canonicalize(self.place.path()).unwrap().join("root")
    }

    fn home(&self) -> PathBuf {
        self.place.path().join("home")
    }

    /// A script in the root, as an agent would run it.
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut command = self.own(Command::new("sh"));
        command.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// A program in the root, with nothing of this process's environment that could matter.
    fn own(&self, mut command: Command) -> Command {
        for (name, _) in std::env::vars_os() {
            let is_ours = ["RESOLVE_", "PATHFINDER_", "XDG_", "INCLUDE_DIRS", "PWD", "GIT_"];
            if is_ours.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        command.current_dir(self.root()).env("HOME", self.home()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.envs([("GIT_AUTHOR_NAME", "t"), ("GIT_AUTHOR_EMAIL", "t@t"), ("GIT_COMMITTER_NAME", "t")]);
        // A machine that stands still for a second must not change what is known of history.
        command.envs([("GIT_COMMITTER_EMAIL", "t@t"), ("PATHFINDER_HISTORY_MS", "60000")]);
        command
    }

    /// The program with these arguments and this input; `ROOT` in the input is the root.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str], stdin: &[u8]) -> Outcome {
        loop {
            let outcome = self.run_once(args, stdin);
            if !outcome.stderr.contains(LATE) {
                return outcome;
            }
        }
    }

    #[track_caller]
    fn run_once(&self, args: &[&str], stdin: &[u8]) -> Outcome {
        let binary = std::env::var_os("PATHFINDER_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_pathfinder").into());
        let mut command = self.own(Command::new(binary));
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (mut input, mut out, mut err) =
            (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
        thread::scope(|scope| {
            let writing = scope.spawn(move || input.write_all(stdin).is_ok());
            let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
            let errors = scope.spawn(move || {
                err.read_to_end(&mut stderr).unwrap();
                stderr
            });
            let output = scope.spawn(move || {
                out.read_to_end(&mut stdout).unwrap();
                stdout
            });
            let started = Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                if started.elapsed() > TIMEOUT {
                    child.kill().unwrap();
                    panic!("{args:?} hangs");
                }
                thread::sleep(Duration::from_millis(2));
            };
            let outcome = Outcome {
                code: status.code(),
                stdout: String::from_utf8(output.join().unwrap()).unwrap(),
                stderr: String::from_utf8_lossy(&errors.join().unwrap()).into_owned(),
                took_all: writing.join().unwrap(),
            };
            assert!(!outcome.stderr.contains("panicked"), "{outcome:?}");
            outcome
        })
    }

    /// Every entry around the root with what is in it, the repository's own state and caches left out.
    pub(crate) fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut entries = BTreeMap::new();
        list(&self.root(), &mut entries);
        entries
    }
}

fn list(directory: &Path, entries: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() && entry.file_name() != ".git" {
            list(&path, entries);
        }
        let contents = if kind.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        entries.insert(path, contents);
    }
}

fn unescape(name: &str) -> String {
    let mut parts = name.split("\\u{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').unwrap();
        out.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
        out.push_str(rest);
    }
    out
}
