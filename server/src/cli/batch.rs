//! `pathfinder resolve --batch`: one JSON line in, one JSON line out, in the same order.

use std::io;

use anyhow::Context as _;
use serde_json::value::{RawValue, to_raw_value};

use super::Exit;
use super::args::{OutputFormat, RequestArgs, Scope};
use super::backend::CommandBackend;
use super::lines::{self, InputLine};
use pathfinder_protocol::line::refused;
use pathfinder_protocol::request::Defaults;

/// Longest line that is read. A path has at most some thousand bytes; the rest is room for a long history.
const MAX_LINE_BYTES: usize = 4 << 20;

/// Answers stdin line by line. Each answer is flushed, because the caller may wait for it before the next request.
pub(crate) fn run(scope: &Scope, request_args: &RequestArgs) -> anyhow::Result<Exit> {
    anyhow::ensure!(
        request_args.format != Some(OutputFormat::Text),
        "--batch always prints JSON: remove --format text"
    );
    let mut engine = CommandBackend::open(scope)?;
    let defaults = Defaults { limit: request_args.limit(), explain: request_args.explain };
    let null = to_raw_value(&())?;
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut first = true;
    while let Some(line) = lines::next(&mut input, MAX_LINE_BYTES).context("cannot read stdin")? {
        match line {
            InputLine::TooLong => {
                let message = format!("the line is longer than {MAX_LINE_BYTES} bytes, and was skipped");
                write(&mut output, &refused(Some(&null), message)?)?;
            }
            InputLine::Whole(bytes) => {
                // Some editors and shells write a byte order mark before the first line.
                let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).filter(|_| first).unwrap_or(&bytes);
                if !bytes.iter().all(u8::is_ascii_whitespace) {
                    write(&mut output, &engine.resolve(bytes, defaults)?)?;
                }
            }
        }
        first = false;
    }
    Ok(Exit::Answered)
}

fn write(output: &mut impl io::Write, reply: &RawValue) -> anyhow::Result<()> {
    output.write_all(reply.get().as_bytes())?;
    output.write_all(b"\n")?;
    output.flush()?;
    Ok(())
}
