//! The line about work that lasts, in a pseudo terminal that `script` of util-linux makes.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::run::TIMEOUT;
use crate::tree::Tree;

/// Files of the tree: a quiet machine read 4,000 of them in three turns of work, which is no second yet.
const FILES: usize = 12_000;

/// Time that a run works before it is stopped again.
const WORK: Duration = Duration::from_millis(1);

/// Time that a run is stopped. A second of its clock is then some 3 ms of its work.
const STOP: Duration = Duration::from_millis(300);

/// Time for which a run is held up: its line comes after a second.
const SILENCE: Duration = Duration::from_secs(4);

/// The words of the line, and the character before its time.
const LINE: &str = "reading the tree (";

/// The last word of the bar of `check`, which takes the place of the line once the tree is read.
const BAR_END: &str = " left";

/// Erases a line of a terminal.
const ERASE: &str = "\u{1b}[2K";

/// A command in a terminal.
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

    /// Runs it to its end, but slowly until `is_enough`. Returns all that the terminal has got; `None` if it ended before it was stopped
    /// or had lasted for `least`.
    fn run(&self, least: Duration, is_enough: impl Fn(&str) -> bool) -> Option<String> {
        let begin = Instant::now();
        thread::scope(|scope| {
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
            enough.then(|| self.printed())
        })
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

/// Runs a command slowly in a tree of its own until `is_enough`, and again until it `shows` that it lasted: a run that has read the tree
/// before it is stopped for the first time shows nothing, and what it kept makes all later ones in that tree as fast.
fn run_slowly(name: &str, line: &str, is_enough: fn(&str) -> bool, shows: fn(&str) -> bool) -> (Tree, String) {
    let start = Instant::now();
    loop {
        let tree = tree();
        let printed = Session::new(&tree, name, line).run(SILENCE, is_enough);
        match printed.filter(|printed| shows(printed)) {
            Some(printed) => return (tree, printed),
            None => assert!(start.elapsed() < TIMEOUT, "{line} shows no line"),
        }
    }
}

#[test]
fn work_that_lasts_has_a_line_in_a_terminal() {
    thread::scope(|scope| {
        // The end of each run shows something of its own.
        for (name, line, end) in [
            ("check", "check", "1 broken"),
            ("index", "index", "files, "),
            ("find", "find guide", "docs/guide.md"),
            ("resolve", "resolve docs/gudie.md", "docs/guide.md"),
        ] {
            scope.spawn(move || {
                // On a machine that reads the tree before it is stopped, `check` is at its files by then.
                let shows: fn(&str) -> bool = |text| text.contains(LINE) || text.contains(BAR_END);
                let (_, printed) = run_slowly(name, line, shows, shows);
                assert!(!printed.contains("(0s)"), "{line} does not count its first second: {printed:?}");
                let screen = screen(&printed);
                assert!(screen.iter().all(|text| !shows(text)), "{line} leaves its line: {printed:?}");
                assert!(screen.iter().any(|shown| shown.contains(end)), "{line}: {printed:?}");
            });
        }
        scope.spawn(move || {
            let (tree, printed) = run_slowly("silent", "check 2>../errors", |_| false, |_| true);
            assert!(printed.contains("1 broken"), "{printed:?}");
            assert!(!printed.contains(LINE), "{printed:?}");
            let errors = fs::read_to_string(tree.place().join("errors")).unwrap();
            assert_eq!(errors, "", "stderr is no terminal");
        });
    });
}
