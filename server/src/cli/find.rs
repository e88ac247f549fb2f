//! `pathfinder find`: a rough name, words or a question → files.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use anyhow::Context as _;
use pathfinder_core::{FindAnswer, FindRequest, Root};
use serde_json::value::{RawValue, to_raw_value};

use super::args::{Find, Format, Scope};
use super::lines::{self, Line};
use super::render::{FAINT, HEAD, WARN, place, printable};
use super::{Exit, complain, write_json, write_text};
use crate::find::{find, find_once};
use crate::session::Session;
use crate::symbols;
use crate::wire::answer::{WireError, kind_of};
use crate::wire::find::{Reply, encode, note};
use crate::wire::request::decode_as;

/// Longest line of a batch that is read.
const LINE_MAX: usize = 1 << 20;

/// Who asks many questions waits for all declarations, but not for ever.
const READ: Duration = Duration::from_mins(1);

/// Finds what the arguments ask for, or what stdin does.
pub(crate) fn run(scope: &Scope, asked: &Find) -> anyhow::Result<Exit> {
    let defaults = FindRequest {
        query: String::new(),
        limit: asked.limit(),
        implementation: asked.implementation,
        explain: asked.explain,
    };
    if asked.batch {
        anyhow::ensure!(asked.format != Some(Format::Text), "--batch answers in JSON only: leave out --format text");
        return batch(scope, &defaults);
    }
    let words: Vec<_> = asked.query.iter().map(|word| word.to_string_lossy()).collect();
    let request = FindRequest { query: words.join(" "), ..defaults };
    let session = scope.open()?;
    let (found, keep) = find_once(&session, &request);
    let roots = session.engine().roots();
    if asked.format == Some(Format::Json) {
        write_json(&encode(None, roots, &found))?;
    }
    let exit = match &found.answer {
        Err(error) => {
            complain(kind_of(error), &error.to_string());
            Exit::Failed
        }
        Ok(answer) => {
            if asked.format.unwrap_or_default() == Format::Text {
                print(roots, answer)?;
            }
            if answer.hits.is_empty() { Exit::Negative } else { Exit::Answered }
        }
    };
    session.keep();
    keep();
    Ok(exit)
}

/// One file on a line on stdout; what a person wants to know beside it on stderr.
fn print(roots: &[Root], answer: &FindAnswer) -> anyhow::Result<()> {
    let mut out = String::new();
    for hit in &answer.hits {
        let path = place(roots, hit.root, &hit.path);
        let line = hit.line.map(|line| format!(":{line}")).unwrap_or_default();
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{HEAD}{path}{HEAD:#}{line}  {FAINT}{}{FAINT:#}", printable(&hit.why));
        let widest = hit.contributions.iter().map(|part| part.name.len()).max().unwrap_or(0);
        for part in &hit.contributions {
            let _ = writeln!(out, "    {:<widest$} {:>+8.2}", part.name, part.points);
        }
    }
    write_text(&out)?;
    let mut errors = anstream::stderr().lock();
    if answer.hits.is_empty() {
        errors.write_all(format!("{WARN}none{WARN:#}: nothing here is called or declares that\n").as_bytes())?;
    }
    if let Some(note) = note(answer) {
        errors.write_all(format!("{note}\n").as_bytes())?;
    }
    Ok(())
}

/// Answers stdin line by line; each answer is flushed.
fn batch(scope: &Scope, defaults: &FindRequest) -> anyhow::Result<Exit> {
    let before = symbols::recall(&scope.open()?);
    let session = symbols::read(&before, READ, &|_| true);
    symbols::keep(&session, &before);
    session.keep();
    let null = to_raw_value(&())?;
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    while let Some(line) = lines::next(&mut input, LINE_MAX).context("stdin cannot be read")? {
        match line {
            Line::TooLong => {
                let message = format!("the line is longer than {LINE_MAX} bytes, and was skipped");
                write(&mut output, &Reply::Error(WireError::new(Some(&null), "BadRequest", message)))?;
            }
            Line::Whole(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => {}
            Line::Whole(bytes) => answer(&session, &bytes, defaults, &null, &mut output)?,
        }
    }
    Ok(Exit::Answered)
}

fn answer(
    session: &Session,
    line: &[u8],
    defaults: &FindRequest,
    null: &RawValue,
    output: &mut impl io::Write,
) -> anyhow::Result<()> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let decoded = decode_as(line, |fields| fields.find(defaults));
    let id = Some(decoded.id.as_deref().unwrap_or(null));
    match decoded.request {
        Err(message) => write(output, &Reply::Error(WireError::new(id, "BadRequest", message))),
        Ok(request) => write(output, &encode(id, session.engine().roots(), &find(session, &request))),
    }
}

fn write(output: &mut impl io::Write, reply: &Reply) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *output, reply).map_err(io::Error::from)?;
    output.write_all(b"\n")?;
    output.flush()?;
    Ok(())
}
