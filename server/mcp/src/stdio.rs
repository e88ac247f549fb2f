//! `Stdio`: an MCP transport with one message per line, on stdin and stdout. Reading and writing have a thread each.
//!
//! The threads are detached: a stdin that never ends does not delay the end of the process, and running calls block neither thread.
//! A request that cannot be decoded gets an error reply, since its sender waits for one.

use std::io::{self, BufRead, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use pathfinder_ipc::parent::end_soon;
use pathfinder_ipc::writer::Writer;

/// Longest line in bytes. Longer lines are dropped: no request needs as many, and an endless line would fill the memory.
const MAX_LINE_BYTES: u64 = 16 << 20;
/// Clients send their first message at once; a user notices a pause of this length.
const MAX_SILENCE: Duration = Duration::from_secs(2);
/// Lines that wait in either direction.
const MAX_PENDING_LINES: usize = 16;

type ClientMessage = RxJsonRpcMessage<RoleServer>;
type ServerMessage = TxJsonRpcMessage<RoleServer>;

/// A transport of lines for the protocol library.
pub(super) struct Stdio {
    lines: Receiver<Vec<u8>>,
    out: Option<Sender<Vec<u8>>>,
}

impl Stdio {
    /// Starts reading stdin. The writer ends when this value is dropped and all lines are written.
    ///
    /// Prints `introduction` to stderr if stdin stays silent at first, or ends without a line.
    pub(super) fn open(introduction: Option<&'static str>) -> (Self, Writer) {
        let (sender, lines) = channel(MAX_PENDING_LINES);
        let (heard, silence) = mpsc::channel();
        if let Some(introduction) = introduction {
            thread::spawn(move || {
                if silence.recv_timeout(MAX_SILENCE) == Err(RecvTimeoutError::Timeout) {
                    introduce(introduction);
                }
            });
        }
        thread::spawn(move || {
            let mut is_silent = true;
            // Reads on while earlier lines wait behind a call that hangs.
            read_lines(io::stdin().lock(), |line| {
                is_silent = false;
                _ = heard.send(());
                sender.blocking_send(line).is_ok()
            });
            if is_silent {
                introduction.into_iter().for_each(introduce);
            }
            end_soon(0);
        });
        let (out, mut answers) = channel::<Vec<u8>>(MAX_PENDING_LINES);
        let writer = Writer::spawn(move || {
            let mut output = io::stdout().lock();
            while let Some(line) = answers.blocking_recv() {
                // The reader is gone. Closing the channel tells the senders.
                if output.write_all(&line).and_then(|()| output.flush()).is_err() {
                    return;
                }
            }
        });
        (Self { lines, out: Some(out) }, writer)
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(&mut self, message: ServerMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        send(self.out.clone(), message)
    }

    async fn receive(&mut self) -> Option<ClientMessage> {
        loop {
            match decode(&self.lines.recv().await?) {
                DecodedLine::Message(message) => return Some(*message),
                // In a task of its own, because this future may be dropped at any time.
                DecodedLine::Refused(error, id) => {
                    _ = tokio::spawn(send(self.out.clone(), ServerMessage::error(error, id)));
                }
                DecodedLine::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.out = None;
        Ok(())
    }
}

fn introduce(introduction: &str) {
    // A closed stderr changes nothing.
    _ = writeln!(io::stderr(), "{introduction}");
}

async fn send(out: Option<Sender<Vec<u8>>>, message: ServerMessage) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let out = out.ok_or(io::ErrorKind::NotConnected)?;
    out.send(line).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
}

/// Passes each line to `take` until it returns false.
fn read_lines(mut input: impl BufRead, mut take: impl FnMut(Vec<u8>) -> bool) {
    loop {
        let mut line = Vec::new();
        match io::Read::take(&mut input, MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
            tracing::warn!("dropped a line of more than {} MiB", MAX_LINE_BYTES >> 20);
            if input.skip_until(b'\n').is_err() {
                return;
            }
        } else if !take(line) {
            return;
        }
    }
}

/// A decoded line.
pub(super) enum DecodedLine {
    Message(Box<ClientMessage>),
    /// A request that cannot be decoded, or no message at all: gets an error reply.
    Refused(ErrorData, Option<RequestId>),
    /// Needs no reply.
    Nothing,
}

/// Members of a message that cannot be decoded. All others are skipped.
#[derive(Deserialize)]
struct RequestEnvelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<IgnoredAny>,
}

/// Decodes a line to a message, or to the error to answer with.
pub(super) fn decode(line: &[u8]) -> DecodedLine {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    let error = match serde_json::from_slice(line) {
        Ok(message) => return DecodedLine::Message(Box::new(message)),
        Err(error) => error,
    };
    tracing::debug!(%error, "cannot decode a line");
    let refuse = |code, id| {
        let message = format!("this is no request that can be understood: {error}");
        DecodedLine::Refused(ErrorData::new(code, message, None), id)
    };
    let refused = |id| refuse(ErrorCode::INVALID_REQUEST, id);
    match serde_json::from_slice(line) {
        // serde would also read a list as this struct.
        Ok(_) if !line.starts_with(b"{") => refused(None),
        Ok(RequestEnvelope { id: Some(id), method: Some(_) }) => refused(serde_json::from_str(id.get()).ok()),
        // A notification.
        Ok(RequestEnvelope { id: None, method: Some(_) }) => DecodedLine::Nothing,
        Ok(_) => refused(None),
        // Valid JSON, but not an object of this shape.
        Err(error) if error.is_data() => refused(None),
        Err(_) if line.is_empty() => DecodedLine::Nothing,
        Err(_) => refuse(ErrorCode::PARSE_ERROR, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes a line and compares it with `message`, `nothing`, or the id of the refusal.
    #[track_caller]
    fn check(line: &str, expect: &str) {
        let actual = match decode(line.as_bytes()) {
            DecodedLine::Message(_) => "message".to_owned(),
            DecodedLine::Nothing => "nothing".to_owned(),
            DecodedLine::Refused(_, id) => serde_json::to_string(&id).expect("an id"),
        };
        assert_eq!(actual, expect, "{line}");
    }

    #[test]
    fn decodes_lines() {
        let call = |id: &str, path: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"t","arguments":{{"p":{path}}}}}}}"#
            )
        };
        check(&call("1", "\"a\""), "message");
        check(&format!("\u{feff}{}\r\n", call("1", "\"a\"")), "message");
        check(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "message");
        check(&call("1", "\"\\ud800\""), "1");
        check(&call("\"x\"", "\"\\ud800\""), "\"x\"");
        check(&call("7", &format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))), "7");
        check(&call("null", "\"\\ud800\""), "nothing");
        check(r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":"x"}"#, "3");
        check(r#"{"jsonrpc":"2.0","method":"notifications/x","params":"\ud800"}"#, "nothing");
        check("[1,2]", "null");
        check("{}", "null");
        check("hello", "null");
        check("", "nothing");
        check(" \r\n", "nothing");
        check(&"[".repeat(100_000), "null");
    }

    #[test]
    fn drops_overlong_lines() {
        let long = vec![b'a'; MAX_LINE_BYTES as usize + 5];
        let input = [b"1\n".as_slice(), &long, b"\n2\n3"].concat();
        let mut lines = Vec::new();
        read_lines(input.as_slice(), |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines, [b"1\n".as_slice(), b"2\n", b"3"]);
    }
}
