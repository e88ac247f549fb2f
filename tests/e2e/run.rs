//! Runs of the binary: what went in, what came out, and what must hold for every one of them.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::tree::Tree;

/// Far above the half minute that the slowest run takes: a process still running by then hangs.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(20);

/// A command reads git's history for a second by itself. A machine that stands still for that long must not change what it knows.
pub(crate) const HISTORY: (&str, &str) = ("PATHFINDER_HISTORY_MS", "60000");

/// The output of a hook that ran out of time: it lets the call pass. The hook is run once more, as long as it says nothing
/// else.
const LATE: &str = "no answer in 5 s";
/// So often at most: a hook that is always late is wrong.
const LATE_MAX: usize = 3;

/// The output and status of one run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The one line on stdout, as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let [line] = &self.stdout.lines().collect::<Vec<_>>()[..] else { panic!("one line was expected: {self:?}") };
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// All of stdout, as JSON.
    #[track_caller]
    pub(crate) fn json_document(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Every line on stdout, as JSON.
    #[track_caller]
    pub(crate) fn jsons(&self) -> Vec<Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        self.stdout.lines().map(parse).collect()
    }
}

/// A run that is to be made.
pub(crate) struct Plan<'a> {
    tree: &'a Tree,
    command: Command,
    stdin: Vec<u8>,
}

impl Tree {
    /// A run of `pathfinder` in the root, with nothing of this process's environment that could matter.
    pub(crate) fn plan(&self, args: &[&str]) -> Plan<'_> {
        self.plan_by(Command::new(env!("CARGO_BIN_EXE_pathfinder")), args)
    }

    /// Runs as a user without read access to everything. Tests often run as root, which permissions do not
    /// bind: there the run is made without the capabilities that lift them.
    pub(crate) fn plan_without_privileges(&self, args: &[&str]) -> Plan<'_> {
        let is_root = std::fs::metadata("/proc/self").is_ok_and(|this| this.uid() == 0);
        if !is_root {
            return self.plan(args);
        }
        let mut command = Command::new("setpriv");
        command.arg("--bounding-set=-dac_override,-dac_read_search").arg(env!("CARGO_BIN_EXE_pathfinder"));
        self.plan_by(command, args)
    }

    /// Runs in a shell after other commands.
    pub(crate) fn plan_after(&self, before: &str, args: &[&str]) -> Plan<'_> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{before} exec \"$0\" \"$@\"")).arg(env!("CARGO_BIN_EXE_pathfinder"));
        self.plan_by(command, args)
    }

    /// Runs a command line of `pathfinder` in a pseudo terminal. All that it prints is recorded in a file as it comes, its
    /// process id in another one.
    pub(crate) fn plan_in_terminal(&self, line: &str, pid: &Path, record: &Path) -> Plan<'_> {
        // In the background: `script` stops itself with its own child.
        let line = format!("'{}' {line} & echo $! >'{}'; wait $!", env!("CARGO_BIN_EXE_pathfinder"), pid.display());
        let plan = self.plan_by(Command::new("script"), &["-qefc", &line]).arg(record);
        plan.env("SHELL", "/bin/sh").env("TERM", "xterm")
    }

    /// Runs a script, in which `$0` is `pathfinder`, in a mount namespace of its own.
    pub(crate) fn plan_unshared(&self, script: &str) -> Plan<'_> {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_pathfinder")]);
        self.plan_by(command, &[])
    }

    /// A run of another program.
    pub(crate) fn plan_by(&self, mut command: Command, args: &[&str]) -> Plan<'_> {
        command.args(args).current_dir(self.root()).env("HOME", self.home());
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            let ours = ["RESOLVE_", "PATHFINDER_", "XDG_", "INCLUDE_DIRS", "PWD", "GIT_"];
            if ours.iter().any(|prefix| name_text.starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        command.env(HISTORY.0, HISTORY.1);
        Plan { tree: self, command, stdin: Vec::new() }
    }
}

impl Plan<'_> {
    /// More arguments, also such as are not text.
    pub(crate) fn arg(mut self, arg: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Several of them.
    pub(crate) fn arg_all(mut self, args: &[&str]) -> Self {
        self.command.args(args);
        self
    }

    /// Sets the bytes of standard input.
    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// One environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Another current directory.
    pub(crate) fn within(mut self, directory: impl Into<PathBuf>) -> Self {
        self.command.current_dir(directory.into());
        self
    }

    /// Runs it to its end.
    #[track_caller]
    pub(crate) fn run(mut self) -> Run {
        let mut runs = (0..LATE_MAX).map(|_| self.run_once());
        runs.find(|run| !run.stderr.contains(LATE)).expect("an answer in time")
    }

    #[track_caller]
    fn run_once(&mut self) -> Run {
        let mut child = self.spawn();
        let stdin = child.stdin.take().unwrap();
        let asked = format!("{:?} {}", self.command, String::from_utf8_lossy(&self.stdin));
        let bytes = self.stdin.clone();
        // A run that refuses to start does not read its input: that is no failure of the test.
        thread::spawn(move || { stdin }.write_all(&bytes));
        let stdout = collect(child.stdout.take().unwrap());
        let stderr = collect(child.stderr.take().unwrap());
        let (stdout, stderr) = (patient(&mut child, &stdout), patient(&mut child, &stderr));
        let run = Run { code: child.wait().unwrap().code(), stdout, stderr };
        for secret in &self.tree.secrets {
            let said = run.stdout.contains(secret.as_str()) || run.stderr.contains(secret.as_str());
            // Answers echo what was asked, and nothing else.
            assert!(asked.contains(secret.as_str()) || !said, "{secret} lies outside the root: {run:?}");
        }
        assert!(!run.stderr.contains("panicked"), "{run:?}");
        run
    }

    /// Starts a batch that is asked line by line.
    pub(crate) fn converse(mut self) -> Conversation {
        let mut child = self.spawn();
        let (send, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Conversation { stdin: child.stdin.take(), child, lines }
    }

    fn spawn(&mut self) -> Child {
        let piped = self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        piped.spawn().unwrap_or_else(|error| panic!("{:?}: {error}", self.command))
    }
}

/// A batch in progress.
pub(crate) struct Conversation {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Conversation {
    /// Sends one line that has no answer.
    pub(crate) fn tell(&mut self, line: &str) {
        writeln!(self.stdin.as_ref().unwrap(), "{line}").unwrap();
    }

    /// Sends one line and waits for its answer.
    #[track_caller]
    pub(crate) fn ask(&mut self, line: &str) -> Value {
        self.tell(line);
        let answer = self.lines.recv_timeout(TIMEOUT).expect("no answer came while the input stayed open");
        serde_json::from_str(&answer).unwrap()
    }

    /// The next line on stdout, as JSON.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Value {
        let line = self.lines.recv_timeout(TIMEOUT).expect("a line while the process runs");
        serde_json::from_str(&line).unwrap()
    }

    /// The lines on stderr. The input stays open.
    pub(crate) fn complaints(&mut self) -> impl Iterator<Item = String> + use<> {
        let stderr = BufReader::new(self.child.stderr.take().unwrap());
        let (send, lines) = channel();
        thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        std::iter::from_fn(move || lines.recv_timeout(TIMEOUT).ok())
    }

    /// The first line on stderr. The input stays open.
    #[track_caller]
    pub(crate) fn first_complaint(&mut self) -> String {
        self.complaints().next().expect("a line on stderr")
    }

    /// Ends the process, which would not end by itself.
    pub(crate) fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for the exit status. The input stays open.
    pub(crate) fn wait(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// Ends the input and waits for the exit status.
    pub(crate) fn end(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().unwrap().code()
    }
}

fn collect(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        send.send(bytes)
    });
    receive
}

#[track_caller]
fn patient(child: &mut Child, output: &Receiver<Vec<u8>>) -> String {
    let Ok(bytes) = output.recv_timeout(TIMEOUT) else {
        let _ = child.kill();
        panic!("it hangs");
    };
    String::from_utf8(bytes).expect("what is printed is text")
}
