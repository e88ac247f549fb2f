//! `Metrics`: writes one JSON line per tool call to stderr, for measurements.

use std::io::Write as _;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;

use serde_json::{Map, Value, json};

use pathfinder_ipc::question::Resolved;
use pathfinder_ipc::writer::Writer;
use pathfinder_project::snapshot::Timing;
use pathfinder_protocol::answer::{round_to, status_of};

/// Lines that may wait. A client that does not read stderr fills the pipe, which must not block answers.
const MAX_PENDING_LINES: usize = 1024;

/// Sends lines to the writing thread without waiting.
#[derive(Clone, Debug)]
pub(super) struct Metrics(SyncSender<String>);

/// Members of one line.
#[derive(Debug)]
pub(super) struct MetricsLine(Map<String, Value>);

impl Metrics {
    /// Starts the writing thread, which ends when all senders are gone.
    pub(super) fn start() -> (Self, Writer) {
        let (sender, lines) = sync_channel::<String>(MAX_PENDING_LINES);
        let writer = Writer::spawn(move || {
            // A closed stderr must not change the answers.
            _ = lines.into_iter().try_for_each(|line| std::io::stderr().lock().write_all(line.as_bytes()));
        });
        (Self(sender), writer)
    }

    /// Writes a line, unless too many wait.
    pub(super) fn write(&self, line: MetricsLine) {
        _ = self.0.try_send(Value::Object(line.0).to_string() + "\n");
    }
}

impl MetricsLine {
    /// Creates the line for one tool call.
    pub(super) fn new(tool: &str) -> Self {
        let mut map = Map::new();
        map.insert("event".to_owned(), json!("query"));
        map.insert("tool".to_owned(), json!(tool));
        Self(map)
    }

    /// Creates the line for one tool call that the leader answered.
    pub(super) fn remote(tool: &str, reply: &Value, leader: u32, elapsed: Duration) -> Self {
        let mut line = Self::new(tool);
        for name in ["status", "error_kind"] {
            if let Some(member) = reply.get(name) {
                line.set(name, member.clone());
            }
        }
        line.set("host", leader);
        line.set("elapsed_us", u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX));
        line
    }

    /// Sets a member.
    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// Sets the members that describe the engine's answer and the time of each stage.
    pub(super) fn set_answer(&mut self, resolved: &Resolved) {
        let Resolved { answer, timing: Timing { total, stages }, .. } = resolved;
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.set("status", status_of(answer.status));
        self.set("confidence", round_to(answer.confidence, 4));
        self.set("candidates", answer.candidates.len());
        self.set("elapsed_us", micros(*total));
        let stages = stages.iter().map(|(stage, time)| (stage.name().to_owned(), json!(micros(*time))));
        self.set("stages_us", Value::Object(stages.collect()));
    }
}
