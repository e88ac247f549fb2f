//! One JSON line per query on stderr, for whoever measures.

use std::io::Write as _;
use std::sync::mpsc::{SyncSender, sync_channel};

use serde_json::{Map, Value, json};

use crate::snapshot::Timing;
use crate::wire::answer::{rounded, status_of};
use crate::workspace::Asked;
use crate::writer::Writer;

/// Lines that may wait. A client that does not read stderr fills the pipe, and must not stop the answers.
const WAITING: usize = 1024;

/// Takes lines, and never waits.
#[derive(Clone, Debug)]
pub(super) struct Metrics(Option<SyncSender<String>>);

/// What is known of one query.
#[derive(Debug)]
pub(super) struct Line(Map<String, Value>);

impl Metrics {
    /// Writes in a thread of its own, which ends when nobody has any more to write.
    pub(super) fn start() -> (Self, Writer) {
        let (sender, lines) = sync_channel::<String>(WAITING);
        let writer = Writer::spawn(move || {
            // A closed stderr is no reason to answer differently.
            _ = lines.into_iter().try_for_each(|line| std::io::stderr().lock().write_all(line.as_bytes()));
        });
        (Self(Some(sender)), writer)
    }

    /// Writes nothing: who asks does so itself.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Writes a line, unless too many wait.
    pub(super) fn write(&self, line: Line) {
        if let Some(lines) = &self.0 {
            _ = lines.try_send(Value::Object(line.0).to_string() + "\n");
        }
    }
}

impl Line {
    /// The line for one call of a tool.
    pub(super) fn new(tool: &str) -> Self {
        let mut map = Map::new();
        map.insert("event".to_owned(), json!("query"));
        map.insert("tool".to_owned(), json!(tool));
        Self(map)
    }

    /// One more member.
    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// What the engine answered, and how long each stage took.
    pub(super) fn answered(&mut self, asked: &Asked) {
        let Asked { answer, timing: Timing { total, stages }, .. } = asked;
        let micros = |time: std::time::Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.set("status", status_of(answer.status));
        self.set("confidence", rounded(answer.confidence, 4));
        self.set("candidates", answer.candidates.len());
        self.set("elapsed_us", micros(*total));
        let stages = stages.iter().map(|(stage, time)| (stage.name().to_owned(), json!(micros(*time))));
        self.set("stages_us", Value::Object(stages.collect()));
    }
}
