//! `pathfinder find`: finds files by a rough name, words or a question.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anyhow::Context as _;
use pathfinder_core::{FindRequest, Hit, Root};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::args::{FindArgs, OutputFormat, Scope};
use super::backend::{self, CommandBackend};
use super::lines::{self, InputLine};
use super::render::{FAINT, HEAD, WARN, printable, qualified_path};
use super::{Exit, print_error, write_json, write_text};
use pathfinder_ipc::methods::ask_find;
use pathfinder_project::find::find_once;
use pathfinder_protocol::answer::kind_of;
use pathfinder_protocol::find::{encode, note};
use pathfinder_protocol::line::{NoId, refused};
use pathfinder_protocol::read;

/// Longest line of a batch that is read.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Answers the query in the arguments, or the requests on stdin.
pub(crate) fn run(scope: &Scope, args: &FindArgs) -> anyhow::Result<Exit> {
    let defaults = FindRequest {
        query: String::new(),
        limit: args.limit(),
        implementation: args.implementation,
        explain: args.explain,
    };
    if args.batch {
        anyhow::ensure!(args.format != Some(OutputFormat::Text), "--batch always prints JSON: remove --format text");
        return batch(scope, &defaults);
    }
    let words: Vec<_> = args.query.iter().map(|word| word.to_string_lossy()).collect();
    let request = FindRequest { query: words.join(" "), ..defaults };
    if let Some(exit) = ask_shared_engine(scope, args.format.unwrap_or_default(), &request)? {
        return Ok(exit);
    }
    let workspace = scope.open()?;
    let (found, keep) = find_once(&workspace, &request);
    let roots = workspace.engine().roots();
    if args.format == Some(OutputFormat::Json) {
        write_json(&encode(None, roots, &found))?;
    }
    let exit = match &found.answer {
        Err(error) => {
            print_error(kind_of(error), &error.to_string());
            Exit::Failed
        }
        Ok(answer) => {
            if args.format.unwrap_or_default() == OutputFormat::Text {
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

/// Asks another process that shares its engine. `None` if there is none, or explanations are wanted, which it does
/// not give.
fn ask_shared_engine(scope: &Scope, format: OutputFormat, request: &FindRequest) -> anyhow::Result<Option<Exit>> {
    let Some(host) = backend::connect(scope).filter(|_| !request.explain) else { return Ok(None) };
    let line = json!({"query": request.query}).to_string();
    let Some(answer) = ask_find(&host, &line, NoId::None, request) else { return Ok(None) };
    let Some(read) = read::parse_find(answer.get()) else { return Ok(None) };
    if format == OutputFormat::Json {
        write_json(&answer)?;
    }
    Ok(Some(match read {
        Err((kind, message)) => {
            print_error(&kind, &message);
            Exit::Failed
        }
        Ok((hits, note)) => {
            if format == OutputFormat::Text {
                print(&[], &hits, note)?;
            }
            exit(&hits)
        }
    }))
}

/// Prints one file per line to stdout, and notes for the user to stderr.
fn print(roots: &[Root], hits: &[Hit], note: Option<String>) -> anyhow::Result<()> {
    let mut out = String::new();
    for hit in hits {
        let path = qualified_path(roots, hit.root, &hit.path);
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
        errors.write_all(
            format!("{WARN}none{WARN:#}: no name, declaration or text matches; try fewer or other words\n").as_bytes(),
        )?;
    }
    if let Some(note) = note {
        errors.write_all(format!("{note}\n").as_bytes())?;
    }
    Ok(())
}

/// Answers stdin line by line; each answer is flushed.
fn batch(scope: &Scope, defaults: &FindRequest) -> anyhow::Result<Exit> {
    let mut engine = CommandBackend::open_with_symbols(scope)?;
    let null = to_raw_value(&())?;
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    while let Some(line) = lines::next(&mut input, MAX_LINE_BYTES).context("cannot read stdin")? {
        match line {
            InputLine::TooLong => {
                let message = format!("the line is longer than {MAX_LINE_BYTES} bytes, and was skipped");
                write(&mut output, &refused(Some(&null), message)?)?;
            }
            InputLine::Whole(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => {}
            InputLine::Whole(bytes) => {
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
