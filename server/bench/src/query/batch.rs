//! `BatchProcess`: `pathfinder resolve --batch` as a child process, asked line by line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use crate::layout::TreeLayout;
use crate::mistakes::BenchQuestion;
use crate::programs::InstalledPrograms;

/// A running batch process. Dropping it ends the child.
pub(super) struct BatchProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl BatchProcess {
    /// Starts the process. Also returns how many bytes of memory it needs per path of the tree.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(super) fn start(layout: &TreeLayout, programs: &InstalledPrograms) -> anyhow::Result<(Self, f64)> {
        let own = || {
            let mut command = programs.own(layout.top(), &layout.cache("kept"));
            command.stdin(Stdio::null()).stderr(Stdio::null());
            command
        };
        let said = own().args(["index", "--format=json", "--root"]).arg(layout.tree()).output()?;
        let said: Value = serde_json::from_slice(&said.stdout).context("`index` printed no JSON")?;
        let bytes = said["roots"][0]["bytes_per_path"].as_f64().context("`index` printed no bytes_per_path")?;
        let mut command = own();
        // A shared engine, or history that is still being read, would distort the measurement.
        command.args(["resolve", "--batch", "--share=off", "--history-ms=0", "--root"]).arg(layout.tree());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().context("`resolve` has no output")?);
        Ok((Self { child, stdin, stdout }, bytes))
    }

    /// Asks one question; returns the time and whether the expected file came first.
    ///
    /// # Errors
    /// If no answer comes.
    pub(super) fn ask(&mut self, question: &BenchQuestion) -> anyhow::Result<(Duration, bool)> {
        let line = format!("{}\n", json!({"failed_path": question.failed}));
        let stdin = self.stdin.as_mut().context("`resolve` has no input")?;
        let mut answer = String::new();
        let start = Instant::now();
        stdin.write_all(line.as_bytes())?;
        let read = self.stdout.read_line(&mut answer)?;
        let took = start.elapsed();
        ensure!(read > 0, "`resolve` exited");
        let answer: Value = serde_json::from_str(&answer).context("`resolve` printed no JSON")?;
        let first = answer.get("path").unwrap_or(&answer["candidates"][0]["path"]);
        Ok((took, *first == question.expected))
    }
}

impl Drop for BatchProcess {
    fn drop(&mut self) {
        // The child ends when its input closes. A failure here needs no action.
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}
