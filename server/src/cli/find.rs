//! `pathfinder find`: a rough name, words or a question → files.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anyhow::Context as _;
use pathfinder_core::{FindRequest, Hit, Root};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::args::{Find, Format, Scope};
use super::lines::{self, Line};
use super::render::{FAINT, HEAD, WARN, place, printable};
use super::warm::{self, Warm};
use super::{Exit, complain, write_json, write_text};
use crate::find::find_once;
use crate::share::methods::ask_find;
use crate::wire::answer::kind_of;
use crate::wire::find::{encode, note};
use crate::wire::line::{NoId, refused};
use crate::wire::read;

/// Longest line of a batch that is read.
const LINE_MAX: usize = 1 << 20;

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
    if let Some(exit) = elsewhere(scope, asked.format.unwrap_or_default(), &request)? {
        return Ok(exit);
    }
    let workspace = scope.open()?;
    let (found, keep) = find_once(&workspace, &request);
    let roots = workspace.engine().roots();
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
                print(roots, &answer.hits, note(answer))?;
            }
            exit(&answer.hits)
        }
    };
    workspace.keep();
    keep();
    Ok(exit)
}

fn exit(hits: &[Hit]) -> Exit {
    if hits.is_empty() { Exit::Negative } else { Exit::Answered }
}

/// Has another process answer that has the engine of these roots. `None` where there is none, or explanations are wanted, which it
/// does not give.
fn elsewhere(scope: &Scope, format: Format, request: &FindRequest) -> anyhow::Result<Option<Exit>> {
    let Some(host) = warm::host(scope).filter(|_| !request.explain) else { return Ok(None) };
    let line = json!({"query": request.query}).to_string();
    let Some(answer) = ask_find(&host, &line, NoId::None, request) else { return Ok(None) };
    let Some(read) = read::parse_find(answer.get()) else { return Ok(None) };
    if format == Format::Json {
        write_json(&answer)?;
    }
    Ok(Some(match read {
        Err((kind, message)) => {
            complain(&kind, &message);
            Exit::Failed
        }
        Ok((hits, note)) => {
            if format == Format::Text {
                print(&[], &hits, note)?;
            }
            exit(&hits)
        }
    }))
}

/// One file on a line on stdout; what a person wants to know beside it on stderr.
fn print(roots: &[Root], hits: &[Hit], note: Option<String>) -> anyhow::Result<()> {
    let mut out = String::new();
    for hit in hits {
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
    if hits.is_empty() {
        errors.write_all(format!("{WARN}none{WARN:#}: nothing here is called or declares that\n").as_bytes())?;
    }
    if let Some(note) = note {
        errors.write_all(format!("{note}\n").as_bytes())?;
    }
    Ok(())
}

/// Answers stdin line by line; each answer is flushed.
fn batch(scope: &Scope, defaults: &FindRequest) -> anyhow::Result<Exit> {
    let mut engine = Warm::declaring(scope)?;
    let null = to_raw_value(&())?;
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    while let Some(line) = lines::next(&mut input, LINE_MAX).context("stdin cannot be read")? {
        match line {
            Line::TooLong => {
                let message = format!("the line is longer than {LINE_MAX} bytes, and was skipped");
                write(&mut output, &refused(Some(&null), message)?)?;
            }
            Line::Whole(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => {}
            Line::Whole(bytes) => {
                let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
                write(&mut output, &engine.find(bytes, defaults)?)?;
            }
        }
    }
    Ok(Exit::Answered)
}

fn write(output: &mut impl io::Write, reply: &RawValue) -> anyhow::Result<()> {
    output.write_all(reply.get().as_bytes())?;
    output.write_all(b"\n")?;
    output.flush()?;
    Ok(())
}
