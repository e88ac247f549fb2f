//! The line about work that lasts, in a pseudo terminal that `script` of util-linux makes.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::run::TIMEOUT;
use crate::tree::Tree;

/// Files of the tree: reading them takes a debug build some 50 ms.
const FILES: usize = 4000;

/// Time that a run works before it is stopped again.
const WORK: Duration = Duration::from_millis(3);

/// Time that a run is stopped. A second of its clock is then some 10 ms of its work.
const STOP: Duration = Duration::from_millis(300);

/// Time for which a run is held up: its line comes after a second.
const SILENCE: Duration = Duration::from_secs(4);

/// The words of the line, and the character before its time.
const LINE: &str = "reading the tree (";

/// The last word of the bar of `check`, which takes the place of the line once the tree is read.
const BAR_END: &str = " left";

/// Erases a line of a terminal.
const ERASE: &str = "\u{1b}[2K";

/// A command in a terminal, in a tree that it shares with others.
struct Session<'t> {
    tree: &'t Tree,
    /// The record of the terminal.
    record: PathBuf,
    pid: PathBuf,
    line: String,
}

impl<'t> Session<'t> {
    fn new(tree: &'t Tree, name: &str, line: &str) -> Self {
        let file = |end: &str| tree.place().join(format!("{name}{end}"));
        Self { tree, record: file(""), pid: file(".pid"), line: line.to_owned() }
    }

    fn printed(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.record).unwrap_or_default()).into_owned()
    }

    /// Runs it to its end, but slowly until `is_enough`. Returns all that the terminal has got. On a busy machine it may end before
    /// it is stopped: a run that did not last for `least` says nothing, and there is another one.
    fn run(&self, least: Duration, is_enough: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            _ = fs::remove_file(&self.pid);
            let begin = Instant::now();
            let enough = thread::scope(|scope| {
                let run = scope.spawn(|| self.tree.plan_in_terminal(&self.line, &self.pid, &self.record).run());
                while !run.is_finished() && begin.elapsed() < least && !is_enough(&self.printed()) {
                    if self.signal(Signal::STOP) {
                        thread::sleep(STOP);
                        self.signal(Signal::CONT);
                        thread::sleep(WORK);
                    }
                }
                let enough = begin.elapsed() >= least || is_enough(&self.printed());
                run.join().unwrap();
                enough
            });
            if enough {
                return self.printed();
            }
            assert!(start.elapsed() < TIMEOUT, "{}: {:?}", self.line, self.printed());
        }
    }

    /// Signals the program. Returns false if it has not begun, or has ended.
    fn signal(&self, signal: Signal) -> bool {
        let pid = fs::read_to_string(&self.pid).ok().and_then(|text| Pid::from_raw(text.trim().parse().ok()?));
        pid.is_some_and(|pid| kill_process(pid, signal).is_ok())
    }
}

/// The lines that a terminal shows after everything that was printed.
fn screen(printed: &str) -> Vec<&str> {
    printed.lines().map(|line| line.rsplit(ERASE).next().unwrap_or(line).trim_matches('\r')).collect()
}

fn tree() -> Tree {
    let tree = Tree::new("docs/guide.md = [x](gone.md)");
    for at in 0..FILES {
        let directory = tree.root().join(format!("d{}", at / 100));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join(format!("f{at}.txt")), "").unwrap();
    }
    tree
}

#[test]
fn work_that_lasts_has_a_line_in_a_terminal() {
    let tree = tree();
    thread::scope(|scope| {
        // The end of each run shows something of its own.
        for (name, line, end) in [
            ("check", "check", "1 broken"),
            ("index", "index", "files, "),
            ("find", "find guide", "docs/guide.md"),
            ("resolve", "resolve docs/gudie.md", "docs/guide.md"),
        ] {
            let session = Session::new(&tree, name, line);
            scope.spawn(move || {
                // On a machine that reads the tree before it is stopped, `check` is at its files by then.
                let shows = |text: &str| text.contains(LINE) || text.contains(BAR_END);
                // A run that had read the tree before it was stopped for the first time shows nothing, however long it lasts.
                let start = Instant::now();
                let mut printed = session.run(SILENCE, shows);
                while !shows(&printed) {
                    assert!(start.elapsed() < TIMEOUT, "{line} shows no line: {printed:?}");
                    printed = session.run(SILENCE, shows);
                }
                assert!(!printed.contains("(0s)"), "{line} does not count its first second: {printed:?}");
                let screen = screen(&printed);
                assert!(screen.iter().all(|text| !shows(text)), "{line} leaves its line: {printed:?}");
                assert!(screen.iter().any(|shown| shown.contains(end)), "{line}: {printed:?}");
            });
        }
        let silent = Session::new(&tree, "silent", "check 2>../errors");
        let errors = tree.place().join("errors");
        scope.spawn(move || {
            let printed = silent.run(SILENCE, |_| false);
            assert!(printed.contains("1 broken"), "{printed:?}");
            assert!(!printed.contains(LINE), "{printed:?}");
            assert_eq!(fs::read_to_string(errors).unwrap(), "", "stderr is no terminal");
        });
    });
}
