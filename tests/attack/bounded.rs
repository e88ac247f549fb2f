//! Runs of the program within a time and a memory. A run beyond either is killed, and its test fails.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Far more than a run takes here, also on a machine that does much else; what waits for a pipe takes longer than any limit.
pub(crate) const LIMIT: Duration = Duration::from_mins(1);
/// Address space of a run, in KiB: a debug build with its threads takes a third of it, and a device that is read to its end
/// takes any.
const MEMORY_KIB: u64 = 6 << 20;

/// The program that is attacked.
fn program() -> OsString {
    std::env::var_os("PATHFINDER_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_pathfinder").into())
}

/// A small repository with a commit that moved a file, made by a shell, and an attack on it.
pub(crate) struct Repository(TempDir);

impl Repository {
    /// Runs `attack` in it. Shell functions: `pipe FILE` and `zero FILE` put a named pipe, or a link to an endless device, in the
    /// place of a file; `$HOME/cache` is the cache directory.
    pub(crate) fn new(attack: &str) -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir_all(repository.root()).unwrap();
        std::fs::create_dir(repository.home()).unwrap();
        let script = format!(
            "pipe() {{ rm -rf \"$1\"; mkdir -p \"$(dirname \"$1\")\"; mkfifo \"$1\"; }}
             zero() {{ rm -rf \"$1\"; mkdir -p \"$(dirname \"$1\")\"; ln -s /dev/zero \"$1\"; }}
             git init -q -b main; mkdir -p sub/deep
             printf '[x](gone.md)\\n[y](sub/b.md)\\n' > a.md; echo text of it > sub/b.md; echo deep > sub/deep/d.md
             git add -A; git commit -qm one; git mv sub/b.md sub/c.md; git commit -qm two
             {attack}"
        );
        let shell = repository.command("sh").args(["-ec", &script]).output().unwrap();
        assert!(shell.status.success(), "{attack}: {shell:?}");
        repository
    }

    pub(crate) fn root(&self) -> PathBuf {
        dunce::canonicalize(self.0.path()).unwrap().join("root")
    }

    fn home(&self) -> PathBuf {
        self.root().with_file_name("home")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.root()).env_clear().env("HOME", self.home());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("PATHFINDER_CACHE_DIR", self.home().join("cache")).env("PATHFINDER_SHARE", "off");
        command.envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")]);
        command.envs([("GIT_AUTHOR_NAME", "t"), ("GIT_AUTHOR_EMAIL", "t@t"), ("GIT_COMMITTER_NAME", "t")]);
        command.envs([("GIT_COMMITTER_EMAIL", "t@t"), ("PATHFINDER_BIN", "")]);
        command.env("PATHFINDER_BIN", program_path());
        command
    }

    /// Runs the program to its end with nothing on stdin; what it printed, and its status.
    #[track_caller]
    pub(crate) fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let mut process = self.start(args);
        drop(process.stdin.take());
        let status = process.ended(LIMIT, &args.join(" "));
        (status, process.printed())
    }

    /// Starts the program, with a limit on its memory.
    pub(crate) fn start(&self, args: &[&str]) -> Process {
        let mut command = self.command("sh");
        command.args(["-c", &format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\"")]).arg(program()).args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, output) = channel();
        let mut stdout = child.stdout.take().unwrap();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        let errors = thread::spawn(move || {
            let mut bytes = Vec::new();
            _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Process { stdin: child.stdin.take(), child, output, received: Vec::new(), errors: Some(errors) }
    }
}

fn program_path() -> PathBuf {
    Path::new(&program()).to_path_buf()
}

/// A run in progress. It ends with this value.
pub(crate) struct Process {
    child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    received: Vec<u8>,
    errors: Option<thread::JoinHandle<String>>,
}

impl Process {
    /// Sends bytes.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).and_then(|()| stdin.flush()).unwrap();
    }

    /// Waits until what was printed has `text` in it, and gives all that was printed.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        let deadline = Instant::now() + LIMIT;
        loop {
            let printed = String::from_utf8_lossy(&self.received).into_owned();
            if printed.contains(text) {
                return printed;
            }
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.received.extend(bytes),
                Err(error) => {
                    _ = self.child.kill();
                    panic!("no {text:?} ({error}) in {printed}\n{}", self.errors());
                }
            }
        }
    }

    /// Its status when it has ended by itself; it must do so within a time.
    #[track_caller]
    pub(crate) fn ended(&mut self, limit: Duration, what: &str) -> Option<i32> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                let code = status.code();
                assert!(code.is_some(), "{what}: ended by a signal: {status}\n{}", self.errors());
                return code;
            }
            if Instant::now() >= deadline {
                _ = self.child.kill();
                panic!("{what}: not done after {limit:?}\n{}", self.errors());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// All that it has printed.
    pub(crate) fn printed(mut self) -> String {
        while let Ok(bytes) = self.output.recv_timeout(LIMIT) {
            self.received.extend(bytes);
        }
        let errors = self.errors();
        assert!(!errors.contains("panicked"), "{errors}");
        String::from_utf8_lossy(&self.received).into_owned() + &errors
    }

    fn errors(&mut self) -> String {
        self.errors.take().map_or_else(String::new, |errors| errors.join().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
