//! `Batch`: this program, asked line by line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use crate::bench::layout::TreeLayout;
use crate::bench::mistakes::BenchQuestion;
use crate::bench::programs::{InstalledPrograms, run_timed_with_output};

/// See the module's text. It ends with the value.
pub(super) struct BatchProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl BatchProcess {
    /// Starts it; how many bytes it needs for each path of the tree.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(layout: &TreeLayout, programs: &InstalledPrograms) -> anyhow::Result<(Self, f64)> {
        let own = || {
            let mut command = programs.own(layout.top(), &layout.cache("kept"));
            command.stdin(Stdio::null()).stderr(Stdio::null());
            command
        };
        let (_, said) = run_timed_with_output(own().args(["index", "--format=json", "--root"]).arg(layout.tree()))?;
        let said: Value = serde_json::from_slice(&said).context("index says nothing")?;
        let bytes = said["roots"][0]["bytes_per_path"].as_f64().context("index says nothing of its size")?;
        let mut command = own();
        // An engine of somebody else, or a history that is still read, would be measured as well.
        command.args(["resolve", "--batch", "--share=off", "--history-ms=0", "--root"]).arg(layout.tree());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().context("resolve has no output")?);
        Ok((Self { child, stdin, stdout }, bytes))
    }

    /// Asks one question: how long the answer took, and whether what was meant came first.
    ///
    /// # Errors
    /// When no answer comes.
    pub(super) fn ask(&mut self, question: &BenchQuestion) -> anyhow::Result<(Duration, bool)> {
        let line = format!("{}\n", json!({"failed_path": question.failed}));
        let stdin = self.stdin.as_mut().context("resolve has no input")?;
        let mut answer = String::new();
        let start = Instant::now();
        stdin.write_all(line.as_bytes())?;
        let read = self.stdout.read_line(&mut answer)?;
        let took = start.elapsed();
        ensure!(read > 0, "resolve has ended");
        let answer: Value = serde_json::from_str(&answer).context("resolve does not answer in JSON")?;
        let first = answer.get("path").unwrap_or(&answer["candidates"][0]["path"]);
        Ok((took, *first == question.expected))
    }
}

impl Drop for BatchProcess {
    fn drop(&mut self) {
        // It ends with its input. Nothing is left to do where that fails.
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}
