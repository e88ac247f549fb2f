//! `TestTree`: a temporary directory described by a string.

#![expect(clippy::missing_panics_doc, reason = "a test tree that cannot be made stops its test")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, os::unix};

use tempfile::TempDir;

use crate::roots::{self, RootDir};

/// A temporary directory, removed when dropped.
pub struct TestTree {
    directory: TempDir,
}

impl TestTree {
    /// Creates the tree. Each line is one entry, in order; parent directories are created as needed:
    ///
    /// ```text
    /// src/main.rs                 an empty file
    /// .gitignore: *.log\n!a.log   a file with this content (\n and \t mean what they say in Rust)
    /// empty/                      a directory
    /// link -> target              a symbolic link ({root} is the tree itself)
    /// $ git init -q               a shell command, run in the tree
    /// ```
    pub fn new(text: &str) -> Self {
        let tree = Self { directory: TempDir::new().expect("a temporary directory") };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            tree.make(line);
        }
        tree
    }

    fn make(&self, line: &str) {
        if let Some(command) = line.strip_prefix("$ ") {
            return self.run(command);
        }
        if let Some((link, target)) = line.split_once(" -> ") {
            let target = target.replace("{root}", &self.path("").to_string_lossy());
            return unix::fs::symlink(target, self.prepare(link)).expect(line);
        }
        let (path, content) = line.split_once(": ").unwrap_or((line, ""));
        if let Some(directory) = path.strip_suffix('/') {
            return fs::create_dir_all(self.path(directory)).expect(line);
        }
        fs::write(self.prepare(path), content.replace("\\n", "\n").replace("\\t", "\t")).expect(line);
    }

    fn prepare(&self, path: &str) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("below the tree")).expect("parent directories");
        path
    }

    /// Runs a command that must succeed, without the user's git configuration.
    pub fn run(&self, command: &str) {
        let status = Command::new("sh")
            .args(["-ec", command])
            .current_dir(self.path(""))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs([("GIT_AUTHOR_NAME", "t"), ("GIT_AUTHOR_EMAIL", "t@t"), ("GIT_COMMITTER_NAME", "t")])
            .envs([("GIT_COMMITTER_EMAIL", "t@t"), ("GIT_ALLOW_PROTOCOL", "file")])
            .status();
        assert!(status.expect("sh").success(), "{command}");
    }

    /// Returns an absolute path in it, without symbolic links before `path`.
    pub fn path(&self, path: &str) -> PathBuf {
        let root = dunce::canonicalize(self.directory.path()).expect("the tree");
        if path.is_empty() { root } else { root.join(path) }
    }

    /// Returns `path` in it as the only root.
    pub fn root(&self, path: &str) -> RootDir {
        self.roots(&[path]).remove(0)
    }

    /// Returns these paths as roots.
    pub fn roots(&self, paths: &[&str]) -> Vec<RootDir> {
        let given: Vec<PathBuf> = paths.iter().map(|path| self.path(path)).collect();
        roots::find(&given, Path::new("/")).expect("roots that exist").dirs
    }
}
