//! `Connection`: questions to watchman and its reports, each one value in watchman's binary format, which has names
//! that are not UTF-8. In JSON such a name ends the connection.
//!
//! The crate `watchman_client` does the same, but brings second versions of tokio-util and futures.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_bser::de::{Bunser, SliceRead};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

/// Bytes of the longest head of a message: a mark, capabilities, and a length with its type.
const MAX_HEAD_BYTES: usize = 2 + 4 + 9;

/// A connection to a watchman that runs.
pub(super) struct Connection {
    stream: UnixStream,
    /// Bytes that were read and not taken yet.
    buffer: Vec<u8>,
    /// Reports that came before the answer to a question.
    early: VecDeque<Report>,
}

/// A message without a question.
pub(super) enum Report {
    /// Files changed.
    Changed {
        /// The name that was given to the subscription.
        subscription: String,
        files: Vec<FileChange>,
    },
    /// Some changes are unknown.
    Lost,
    /// A subscription ended.
    Canceled,
}

/// A change that watchman reports.
#[derive(Debug, Deserialize)]
pub(super) struct FileChange {
    /// Path relative to the root.
    pub(super) name: PathBuf,
    pub(super) exists: bool,
    /// True if the path did not exist before.
    pub(super) new: bool,
    #[serde(rename = "type")]
    pub(super) kind: String,
}

impl FileChange {
    /// Names of the fields, to ask for them.
    pub(super) const FIELDS: [&str; 4] = ["name", "exists", "new", "type"];
}

/// Members of a report.
#[derive(Deserialize)]
struct Message {
    subscription: String,
    #[serde(default)]
    is_fresh_instance: bool,
    #[serde(default)]
    canceled: bool,
    #[serde(default)]
    files: Vec<FileChange>,
}

impl Connection {
    /// Connects to a socket.
    pub(super) async fn open(socket: &Path) -> Result<Self, String> {
        let stream = UnixStream::connect(socket).await.map_err(failed)?;
        Ok(Self { stream, buffer: Vec::new(), early: VecDeque::new() })
    }

    /// Sends a command and returns its answer.
    pub(super) async fn ask<T: DeserializeOwned>(&mut self, command: &Value) -> Result<T, String> {
        #[derive(Deserialize)]
        struct Kind {
            error: Option<String>,
            subscription: Option<String>,
        }
        let bytes = serde_bser::ser::serialize(Vec::new(), command).map_err(failed)?;
        self.stream.write_all(&bytes).await.map_err(failed)?;
        loop {
            let message = self.message().await?;
            match serde_bser::from_slice(&message).map_err(failed)? {
                Kind { error: Some(error), .. } => return Err(failed(error)),
                Kind { subscription: Some(_), .. } => self.early.push_back(read_report(&message)),
                Kind { .. } => return serde_bser::from_slice(&message).map_err(failed),
            }
        }
    }

    /// Waits for the next report.
    pub(super) async fn next_report(&mut self) -> Result<Report, String> {
        match self.early.pop_front() {
            Some(report) => Ok(report),
            None => self.message().await.map(|message| read_report(&message)),
        }
    }

    /// Reads one message.
    async fn message(&mut self) -> Result<Vec<u8>, String> {
        loop {
            match message_bytes(&self.buffer) {
                Ok(length) if self.buffer.len() >= length => return Ok(self.buffer.drain(..length).collect()),
                Err(error) if self.buffer.len() >= MAX_HEAD_BYTES => return Err(error),
                _ => {}
            }
            if self.stream.read_buf(&mut self.buffer).await.map_err(failed)? == 0 {
                return Err("watchman ended the connection".to_owned());
            }
        }
    }
}

fn failed(error: impl std::fmt::Display) -> String {
    format!("watchman: {error}")
}

/// Returns the length of the message that begins here, with its head.
fn message_bytes(buffer: &[u8]) -> Result<usize, String> {
    let head = Bunser::new(SliceRead::new(buffer)).read_pdu().map_err(failed)?;
    usize::try_from(head.start + head.len).map_err(failed)
}

/// A report that cannot be read, as when a name is not UTF-8, says only that something changed.
fn read_report(message: &[u8]) -> Report {
    match serde_bser::from_slice::<Message>(message) {
        Ok(Message { canceled: true, .. }) => Report::Canceled,
        Ok(Message { is_fresh_instance: true, .. }) | Err(_) => Report::Lost,
        Ok(Message { subscription, files, .. }) => Report::Changed { subscription, files },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Report, message_bytes, read_report};

    #[test]
    fn reads_reports() {
        let report = |value: Value, at: &[u8]| {
            let mut bytes = serde_bser::ser::serialize(Vec::new(), &value).expect("a value");
            assert_eq!(message_bytes(&bytes), Ok(bytes.len()), "{value}");
            // A name that is no text.
            if let Some(at) = memchr::memmem::find(&bytes, at).filter(|_| !at.is_empty()) {
                bytes[at] = 0xff;
            }
            bytes
        };
        let check = |message: &[u8], expected: &str| {
            let read = match read_report(message) {
                Report::Changed { subscription, files } => {
                    let names: Vec<_> = files.iter().map(|file| file.name.to_string_lossy()).collect();
                    format!("{subscription}: {}", names.join(" "))
                }
                Report::Lost => "lost".to_owned(),
                Report::Canceled => "canceled".to_owned(),
            };
            assert_eq!(read, expected, "{}", message.escape_ascii());
        };
        let file = json!({ "name": "a/b", "exists": true, "new": false, "type": "f" });
        let changed = json!({ "subscription": "0", "files": [file, file], "root": "/", "unilateral": true });
        check(&report(changed.clone(), b""), "0: a/b a/b");
        check(&report(changed, b"a/b"), "lost");
        check(&report(json!({ "subscription": "1", "state-enter": "hg.update" }), b""), "1: ");
        check(&report(json!({ "subscription": "0", "is_fresh_instance": true, "files": [] }), b""), "lost");
        check(&report(json!({ "subscription": "0", "canceled": true }), b""), "canceled");
        check(b"", "lost");
    }
}
