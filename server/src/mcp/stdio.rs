//! `Stdio`: one message per line on stdin and stdout, or in both directions of a stream, each in a thread of its own.
//!
//! The threads belong to nobody, so that a stdin that never ends delays no end of the process, and calls in progress
//! keep neither of them waiting. What is a request but cannot be understood is answered too: who waits for an answer
//! should not do so for ever.

use std::io::{self, BufRead};
use std::thread;

use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::parent::end_soon;
use crate::share::Stream;
use crate::writer::Writer;

/// Longer lines are dropped unread: no request needs as much, and one without an end would fill the memory.
const LINE_MAX: u64 = 16 << 20;
/// Lines that wait in either direction.
const WAITING: usize = 16;

type Received = RxJsonRpcMessage<RoleServer>;
type Sent = TxJsonRpcMessage<RoleServer>;

/// See the module's text.
pub(super) struct Stdio {
    lines: Receiver<Vec<u8>>,
    out: Option<Sender<Vec<u8>>>,
}

impl Stdio {
    /// Begins to read. The writer ends when this value is gone and all was written.
    pub(super) fn open() -> (Self, Writer) {
        Self::over(|| io::stdin().lock(), || io::stdout().lock(), || end_soon(0))
    }

    /// The same over a stream in both directions.
    ///
    /// # Errors
    /// When the system has no second handle of it.
    pub(super) fn of(stream: Stream) -> io::Result<Self> {
        let out = stream.try_clone()?;
        Ok(Self::over(|| io::BufReader::new(stream), || out, || ()).0)
    }

    fn over<R: BufRead, W: io::Write>(
        input: impl FnOnce() -> R + Send + 'static,
        output: impl FnOnce() -> W + Send + 'static,
        ended: impl FnOnce() + Send + 'static,
    ) -> (Self, Writer) {
        let (sender, lines) = channel(WAITING);
        thread::spawn(move || {
            // Beside the lines, of which some may wait behind what hangs.
            read(input(), |line| sender.blocking_send(line).is_ok());
            ended();
        });
        let (out, mut answers) = channel::<Vec<u8>>(WAITING);
        let writer = Writer::spawn(move || {
            let mut output = output();
            while let Some(line) = answers.blocking_recv() {
                // Nobody reads any more; whoever sends is told, because the channel closes.
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

    fn send(&mut self, message: Sent) -> impl Future<Output = io::Result<()>> + Send + 'static {
        send(self.out.clone(), message)
    }

    async fn receive(&mut self) -> Option<Received> {
        loop {
            match decode(&self.lines.recv().await?) {
                Decoded::Message(message) => return Some(*message),
                // Sent in a task of its own: this future may be dropped at any time.
                Decoded::Refused(error, id) => _ = tokio::spawn(send(self.out.clone(), Sent::error(error, id))),
                Decoded::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.out = None;
        Ok(())
    }
}

async fn send(out: Option<Sender<Vec<u8>>>, message: Sent) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let out = out.ok_or(io::ErrorKind::NotConnected)?;
    out.send(line).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
}

/// Gives each line to `take`, until it wants no more.
fn read(mut input: impl BufRead, mut take: impl FnMut(Vec<u8>) -> bool) {
    loop {
        let mut line = Vec::new();
        match io::Read::take(&mut input, LINE_MAX).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if line.len() as u64 == LINE_MAX && !line.ends_with(b"\n") {
            tracing::warn!("a line of more than {} MiB is left out", LINE_MAX >> 20);
            if input.skip_until(b'\n').is_err() {
                return;
            }
        } else if !take(line) {
            return;
        }
    }
}

/// What a line is.
pub(super) enum Decoded {
    Message(Box<Received>),
    /// A request that cannot be understood, or no message at all.
    Refused(ErrorData, Option<RequestId>),
    /// Nothing that anybody waits for.
    Nothing,
}

/// What can be seen of a message that cannot be understood. What is not named here is skipped, whatever it is.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    method: Option<IgnoredAny>,
}

/// Decodes a line to a message, or to the error to answer with.
pub(super) fn decode(line: &[u8]) -> Decoded {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Decoded::Message(Box::new(message)),
        Err(error) => error,
    };
    tracing::debug!(%error, "a line that is not understood");
    let refused = |id| {
        let message = format!("this is no request that can be understood: {error}");
        Decoded::Refused(ErrorData::new(ErrorCode::INVALID_REQUEST, message, None), id)
    };
    match serde_json::from_slice(line) {
        // A list would do for an envelope too.
        Ok(_) if !line.starts_with(b"{") => refused(None),
        Ok(Envelope { id: Some(id), method: Some(_) }) => refused(serde_json::from_str(id.get()).ok()),
        // A notification.
        Ok(Envelope { id: None, method: Some(_) }) => Decoded::Nothing,
        Ok(_) => refused(None),
        // Well-formed, but nothing of ours.
        Err(error) if error.is_data() => refused(None),
        // To answer noise would only make more of it, if the other side does the same.
        Err(_) => Decoded::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes a line to `message`, `nothing`, or the id of the refusal.
    #[track_caller]
    fn check(line: &str, expect: &str) {
        let actual = match decode(line.as_bytes()) {
            Decoded::Message(_) => "message".to_owned(),
            Decoded::Nothing => "nothing".to_owned(),
            Decoded::Refused(_, id) => serde_json::to_string(&id).expect("an id"),
        };
        assert_eq!(actual, expect, "{line}");
    }

    #[test]
    fn lines() {
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
        check("hello", "nothing");
        check("", "nothing");
        check(&"[".repeat(100_000), "nothing");
    }

    #[test]
    fn a_line_without_end_is_left_out() {
        let long = vec![b'a'; LINE_MAX as usize + 5];
        let input = [b"1\n".as_slice(), &long, b"\n2\n3"].concat();
        let mut lines = Vec::new();
        read(input.as_slice(), |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines, [b"1\n".as_slice(), b"2\n", b"3"]);
    }
}
