//! Reads and writes LSP messages on stdin and stdout: `Content-Length: N`, an empty line, N bytes of JSON.
//!
//! Reader and writer each have a detached thread, so that a client that neither reads nor closes its pipes cannot delay the
//! exit.

use std::io::{self, BufRead, Read as _, Write as _};
use std::thread;

use tokio::sync::mpsc::{Receiver, Sender, channel};

use pathfinder_ipc::parent::end_soon;
use pathfinder_ipc::writer::Writer;

/// Longer messages are skipped: no source file is as large, and an arbitrary length would fill the memory.
const MAX_MESSAGE_BYTES: usize = 256 << 20;
/// Longer header lines are invalid.
const MAX_HEADER_BYTES: u64 = 4096;
/// Messages queued in either direction: enough that neither side waits for the other in a burst.
const QUEUE_LENGTH: usize = 256;

/// A frame from stdin.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputFrame {
    /// Body of a message.
    Body(Vec<u8>),
    /// Invalid or skipped input.
    Invalid {
        /// Description of the error.
        message: String,
        /// True if the skipped message may have been a change of a document.
        is_lost: bool,
    },
}

/// Starts reading. The receiver ends with stdin.
pub(super) fn read() -> Receiver<InputFrame> {
    let (sender, receiver) = channel(QUEUE_LENGTH);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(incoming)) = next(&mut input) {
            if sender.blocking_send(incoming).is_err() {
                return;
            }
        }
        end_soon(0);
    });
    receiver
}

/// Starts writing. The writer ends when all senders are gone and everything is written.
pub(super) fn write() -> (Sender<Vec<u8>>, Writer) {
    let (sender, mut bodies) = channel::<Vec<u8>>(QUEUE_LENGTH);
    let writer = Writer::spawn(move || {
        let mut stdout = io::stdout().lock();
        while let Some(body) = bodies.blocking_recv() {
            let header = format!("Content-Length: {}\r\n\r\n", body.len());
            // The client has closed its side. Dropping the receiver makes senders fail.
            if stdout.write_all(header.as_bytes()).and_then(|()| stdout.write_all(&body)).is_err()
                || stdout.flush().is_err()
            {
                return;
            }
        }
    });
    (sender, writer)
}

/// Reads the next frame; `None` at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<InputFrame>> {
    let mut length = None;
    let mut error = None;
    loop {
        let mut line = Vec::new();
        if io::Read::take(&mut *input, MAX_HEADER_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            match (length, error.take()) {
                (None, None) => continue,
                (None, Some(error)) => return Ok(Some(InputFrame::Invalid { message: error, is_lost: false })),
                (Some(length), _) => return body(input, length).map(Some),
            }
        }
        match text.split_once(':').map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim())) {
            Some((name, value)) if name == "content-length" => match value.parse::<usize>() {
                Ok(number) => length = Some(number),
                Err(_) => error = Some(format!("Content-Length is {value:?}, and must be a number of bytes")),
            },
            Some((name, _)) if name == "content-type" => {}
            _ => {
                let shown: String = text.chars().take(80).collect();
                error = Some(format!("{shown:?} is not a message header; expected Content-Length"));
            }
        }
    }
}

fn body(input: &mut impl BufRead, length: usize) -> io::Result<InputFrame> {
    if length > MAX_MESSAGE_BYTES {
        io::copy(&mut input.take(length as u64), &mut io::sink())?;
        let message = format!("a message of {length} bytes was skipped: the limit is {MAX_MESSAGE_BYTES}");
        return Ok(InputFrame::Invalid { message, is_lost: true });
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(InputFrame::Body(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the bodies in an input; an invalid frame is `!`.
    #[track_caller]
    fn check(input: &str, expect: &[&str]) {
        let mut input = input.as_bytes();
        let mut all = Vec::new();
        while let Ok(Some(incoming)) = next(&mut input) {
            all.push(match incoming {
                InputFrame::Body(body) => String::from_utf8_lossy(&body).into_owned(),
                InputFrame::Invalid { .. } => "!".to_owned(),
            });
        }
        assert_eq!(all, expect);
    }

    #[test]
    fn reads_framed_messages() {
        check("Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", &["{}", "[1]"]);
        check("content-length:2\nContent-Type: application/vscode-jsonrpc; charset=utf-8\n\n{}", &["{}"]);
        check("", &[]);
        check("Content-Length: 9\r\n\r\n{}", &[]);
        check("Content-Length: two\r\n\r\nContent-Length: 2\r\n\r\n{}", &["!", "{}"]);
        check("hello\r\n\r\nContent-Length: 2\r\n\r\n{}", &["!", "{}"]);
        check("Content-Length: -1\r\n\r\n", &["!"]);
        check("\r\n\r\nContent-Length: 0\r\n\r\n", &[""]);
    }
}
