//! `pathfinder resolve --batch`: one JSON line in, one JSON line out, in the same order.

use std::io;

use anyhow::Context as _;
use serde::Serialize;
use serde_json::value::to_raw_value;

use super::args::{OutputFormat, RequestArgs, Scope};
use super::lines::{self, InputLine};
use super::output::Exit;
use pathfinder_ipc::question::{Audience, ResolveQuestion};
use pathfinder_ipc::{CommandEngine, SnapshotEngine};
use pathfinder_project::snapshot::SnapshotError;
use pathfinder_protocol::answer::{WireError, encode};
use pathfinder_protocol::request::{DecodedRequest, Defaults, decode};

/// Longest line that is read. A path has at most some thousand bytes; the rest is room for a long history.
pub(super) const MAX_LINE_BYTES: usize = 4 << 20;

/// Answers stdin line by line. Each answer is flushed, because the caller may wait for it before the next request.
pub(crate) fn run(scope: &Scope, request_args: &RequestArgs) -> anyhow::Result<Exit> {
    anyhow::ensure!(
        request_args.output.format != Some(OutputFormat::Text),
        "--batch always prints JSON: remove --format text"
    );
    let engine = CommandEngine::for_command(&scope.roots, scope.overrides(), || open(scope));
    engine.prepare()?;
    let defaults = Defaults { limit: request_args.limit(), explain: request_args.output.explain.is_some() };
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut first = true;
    while let Some(line) = lines::next(&mut input, MAX_LINE_BYTES).context("cannot read stdin")? {
        match line {
            InputLine::TooLong => {
                let message = format!("the line is longer than {MAX_LINE_BYTES} bytes, and was skipped");
                write(&mut output, &WireError::new(Some(&to_raw_value(&())?), "BadRequest", message))?;
            }
            InputLine::Whole(bytes) => {
                // Some editors and shells write a byte order mark before the first line.
                let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).filter(|_| first).unwrap_or(&bytes);
                if !bytes.iter().all(u8::is_ascii_whitespace) {
                    answer(&engine, bytes, defaults, &mut output)?;
                }
            }
        }
        first = false;
    }
    Ok(Exit::Answered)
}

fn open(scope: &Scope) -> Result<SnapshotEngine, SnapshotError> {
    let engine = SnapshotEngine::new(scope.open()?);
    engine.keep();
    Ok(engine)
}

fn answer(
    engine: &CommandEngine<'_>,
    line: &[u8],
    defaults: Defaults,
    output: &mut impl io::Write,
) -> anyhow::Result<()> {
    let DecodedRequest { id, request } = decode(line, defaults);
    let id = id.map_or_else(|| to_raw_value(&()), Ok)?;
    let request = match request {
        Ok(request) => request,
        Err(message) => return write(output, &WireError::new(Some(&id), "BadRequest", message)),
    };
    let question = ResolveQuestion { request, audience: Audience::Command, chosen: None, is_used: false };
    let request = &question.request;
    match engine.ask(request.explain, |backend| backend.resolve(&question))? {
        Ok(resolved) => {
            let elapsed = resolved.timing.total;
            write(output, &encode(Some(&id), &resolved.roots, request, &resolved.answer, elapsed))
        }
        Err(error) => write(output, &WireError::new(Some(&id), error.kind.name(), error.message)),
    }
}

/// Writes an answer as one line.
pub(super) fn write(output: &mut impl io::Write, reply: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *output, reply)?;
    output.write_all(b"\n")?;
    output.flush()?;
    Ok(())
}
