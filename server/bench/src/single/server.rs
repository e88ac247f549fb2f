//! `ServerProcess`: an MCP server that has read the tree and shares its engine with other processes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use crate::layout::TreeLayout;
use crate::machine;
use crate::programs::InstalledPrograms;

/// Cache directory of the server. Its socket lies beside it, so that no other engine is asked.
pub(super) const CACHE: &str = "live";
/// Longer than reading the largest tree takes.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(10);
/// A server without work for this long has finished what follows its first answer, mainly watching directories.
const IDLE_TIME: Duration = Duration::from_secs(1);

/// A running server. Dropping it ends the child.
pub(super) struct ServerProcess(Child);

impl ServerProcess {
    /// Starts the server and waits until it answers, shares its engine and is idle.
    ///
    /// # Errors
    /// If it does not get there.
    pub(super) fn start(layout: &TreeLayout, programs: &InstalledPrograms, failed: &str) -> anyhow::Result<Self> {
        let cache = layout.empty_cache(CACHE)?;
        let mut command = programs.own(layout.top(), &cache);
        command.args(["mcp", "--root"]).arg(layout.tree());
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = Self(command.spawn().context("cannot start the server")?);
        let answers = lines(&mut server.0)?;
        let client = json!({"name": "pathfinder-bench", "version": env!("CARGO_PKG_VERSION")});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        server.ask(&answers, &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}))?;
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        let question = json!({"name": "path_resolve", "arguments": {"failed_path": failed}});
        server.ask(&answers, &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": question}))?;
        // Its other output is not needed, but its pipe must be drained.
        thread::spawn(move || answers.iter().for_each(drop));
        server.wait_until_idle();
        let mut doctor = programs.own(layout.top(), &cache);
        let report =
            doctor.args(["doctor", "--format=json", "--root"]).arg(layout.tree()).stdin(Stdio::null()).output()?;
        let report: Value = serde_json::from_slice(&report.stdout).context("`doctor` printed no JSON")?;
        let host = &report["running"]["engine"]["host"]["pid"];
        ensure!(*host == server.0.id(), "the server does not share its engine: {}", report["problems"]);
        server.wait_until_idle();
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        let stdin = self.0.stdin.as_mut().context("the server has no input")?;
        writeln!(stdin, "{message}")?;
        Ok(stdin.flush()?)
    }

    /// Sends a request and waits for its answer.
    fn ask(&mut self, answers: &Receiver<String>, request: &Value) -> anyhow::Result<()> {
        self.send(request)?;
        let end = Instant::now() + ANSWER_TIMEOUT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = answers.recv_timeout(left).context("the server did not answer")?;
            let message: Value = serde_json::from_str(&line).context("the server sent no JSON")?;
            if message["id"] == request["id"] && message.get("method").is_none() {
                ensure!(message.get("error").is_none(), "the server returned an error: {}", message["error"]);
                return Ok(());
            }
        }
    }

    /// Waits until the server uses no more processor time.
    fn wait_until_idle(&self) {
        let end = Instant::now() + ANSWER_TIMEOUT;
        let mut before = None;
        while let Some(now) = machine::cpu_ticks(self.0.id()) {
            if before == Some(now) || Instant::now() > end {
                return;
            }
            before = Some(now);
            thread::sleep(IDLE_TIME);
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // The server ends when its input closes, and is killed if it does not. A failure here needs no action.
        drop(self.0.stdin.take());
        let end = Instant::now() + IDLE_TIME;
        while matches!(self.0.try_wait(), Ok(None)) && Instant::now() < end {
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Reads a child's output line by line.
fn lines(child: &mut Child) -> anyhow::Result<Receiver<String>> {
    let stdout = BufReader::new(child.stdout.take().context("the server has no output")?);
    let (send, lines) = channel();
    thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
    Ok(lines)
}
