//! `pathfinder find`: finds files by a rough name, words or a question.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use std::time::Duration;

use anyhow::Context as _;
use pathfinder_core::{FindAnswer, FindRequest, Hit};
use serde::Serialize;
use serde_json::value::to_raw_value;

use super::args::{Explain, FindArgs, OutputFormat, Scope};
use super::batch::{MAX_LINE_BYTES, write};
use super::lines::{self, InputLine};
use super::output::{Exit, print_error, write_json, write_text};
use super::progress::Progress;
use super::render::{FAINT, HEAD, ScoredPath, WARN, brief, grouped, printable};
use super::text_paths::TextPaths;
use pathfinder_ipc::question::{Audience, FindQuestion};
use pathfinder_ipc::{CommandEngine, SnapshotEngine};
use pathfinder_project::find::read_all;
use pathfinder_project::snapshot::SnapshotError;
use pathfinder_protocol::answer::WireError;
use pathfinder_protocol::find::{WireFindAnswer, encode, note};
use pathfinder_protocol::paths::RootName;
use pathfinder_protocol::request::{DecodedRequest, decode_as};

/// Time limit for reading declarations, and for reading words: a batch waits for all of them, within reason.
const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// Answers the query in the arguments, or the requests on stdin.
pub(crate) fn run(scope: &Scope, args: &FindArgs) -> anyhow::Result<Exit> {
    let defaults = FindRequest {
        query: String::new(),
        limit: args.limit(),
        implementation: args.implementation,
        explain: args.output.explain.is_some(),
        read: false,
    };
    args.output.format.unwrap_or_default().refuse_absolute(args.output.absolute)?;
    scope.refuse_too_wide()?;
    if args.batch {
        anyhow::ensure!(
            args.output.format != Some(OutputFormat::Text),
            "--batch always prints JSON: remove --format text"
        );
        return batch(scope, &defaults);
    }
    let words: Vec<_> = args.query.iter().map(|word| word.to_string_lossy()).collect();
    let request = FindRequest { query: words.join(" "), ..defaults };
    let question = FindQuestion { request, audience: Audience::Command };
    let open = || {
        let _progress = Progress::start("reading the tree");
        Ok(SnapshotEngine::new(scope.open_for_find()?))
    };
    let engine = CommandEngine::for_command(&scope.roots, scope.overrides(), open);
    let is_json = args.output.format == Some(OutputFormat::Json);
    let asked = {
        // Opening shows a line of its own.
        engine.prepare()?;
        let _progress = Progress::start("searching");
        engine.ask(args.output.explain.is_some(), |backend| backend.find(&question))?
    };
    let exit = match asked {
        Err(error) => {
            if is_json {
                write_json(&WireError::new(None, error.kind.name(), error.message.clone()))?;
            }
            print_error(error.kind.name(), &error.message);
            Exit::Failed
        }
        Ok(found) => {
            if is_json {
                let root = match &found.roots[..] {
                    [root] => Some(root.canonical.as_str()),
                    _ => None,
                };
                let answer = encode(None, &found.roots, &found.answer, found.took);
                write_json(&RootedFindAnswer { root, answer })?;
            } else {
                print(&TextPaths::new(args.output.absolute), &found.roots, &found.answer, args.output.explain)?;
            }
            exit(&found.answer.hits)
        }
    };
    if let Some(own) = engine.opened() {
        own.keep();
    }
    Ok(exit)
}

fn exit(hits: &[Hit]) -> Exit {
    if hits.is_empty() { Exit::Negative } else { Exit::Answered }
}

/// An answer with the root that its paths are relative to.
#[derive(Serialize)]
struct RootedFindAnswer<'a> {
    /// Only with a single root: among several, each path names its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<&'a str>,
    #[serde(flatten)]
    answer: WireFindAnswer<'a>,
}

/// Prints one file per line to stdout, and notes for the user to stderr.
fn print(paths: &TextPaths, roots: &[RootName], answer: &FindAnswer, explain: Option<Explain>) -> anyhow::Result<()> {
    let mut out = String::new();
    for hit in &answer.hits {
        let path = paths.in_answer(roots, hit.root, &hit.path);
        let line = hit.line.map(|line| format!(":{line}")).unwrap_or_default();
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{HEAD}{path}{HEAD:#}{line}  {FAINT}{}{FAINT:#}", printable(&hit.why));
    }
    let scored: Vec<ScoredPath<'_>> = answer
        .hits
        .iter()
        .map(|hit| ScoredPath {
            name: paths.in_answer(roots, hit.root, &hit.path),
            score: hit.score,
            parts: &hit.contributions,
            generators: &[],
        })
        .collect();
    match explain {
        Some(Explain::All) => scored.iter().for_each(|one| one.write_all(&mut out)),
        Some(Explain::Brief) => brief(&mut out, &scored),
        None => {}
    }
    write_text(&out)?;
    let mut errors = anstream::stderr().lock();
    if answer.hits.is_empty() {
        errors.write_all(
            format!("{WARN}none{WARN:#}: no name, declaration or text matches; try fewer or other words\n").as_bytes(),
        )?;
    }
    errors.write_all(format!("{FAINT}{}{FAINT:#}\n", searched(roots, answer)).as_bytes())?;
    if let Some(note) = note(answer) {
        errors.write_all(format!("{note}\n").as_bytes())?;
    }
    Ok(())
}

/// Describes where the answer was looked for.
fn searched(roots: &[RootName], answer: &FindAnswer) -> String {
    let roots: Vec<String> = roots.iter().map(|root| printable(&root.canonical)).collect();
    let (declared, files) = answer.declared;
    let parts = match answer.searched {
        // A strong answer may come before all declarations are read, and they would not change it.
        _ if answer.strong => "",
        None if declared == 0 => "names of ",
        None => "names and declarations of ",
        Some(_) => "names, declarations and contents of ",
    };
    format!("searched {parts}{} files in {}", grouped(files), roots.join(", "))
}

/// Answers stdin line by line; each answer is flushed.
fn batch(scope: &Scope, defaults: &FindRequest) -> anyhow::Result<Exit> {
    let engine = CommandEngine::for_command(&scope.roots, scope.overrides(), || open_with_symbols(scope));
    engine.prepare()?;
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    while let Some(line) = lines::next(&mut input, MAX_LINE_BYTES).context("cannot read stdin")? {
        match line {
            InputLine::TooLong => {
                let message = format!("the line is longer than {MAX_LINE_BYTES} bytes, and was skipped");
                write(&mut output, &WireError::new(Some(&to_raw_value(&())?), "BadRequest", message))?;
            }
            InputLine::Whole(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => {}
            InputLine::Whole(bytes) => {
                let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
                answer(&engine, bytes, defaults, &mut output)?;
            }
        }
    }
    Ok(Exit::Answered)
}

fn open_with_symbols(scope: &Scope) -> Result<SnapshotEngine, SnapshotError> {
    let workspace = read_all(&scope.open_for_find()?, READ_TIMEOUT);
    let engine = SnapshotEngine::with_symbols(workspace);
    engine.keep();
    Ok(engine)
}

fn answer(
    engine: &CommandEngine<'_>,
    line: &[u8],
    defaults: &FindRequest,
    output: &mut impl io::Write,
) -> anyhow::Result<()> {
    let DecodedRequest { id, request } = decode_as(line, |fields| fields.find(defaults));
    let id = id.map_or_else(|| to_raw_value(&()), Ok)?;
    let request = match request {
        Ok(request) => request,
        Err(message) => return write(output, &WireError::new(Some(&id), "BadRequest", message)),
    };
    let question = FindQuestion { request, audience: Audience::Command };
    match engine.ask(question.request.explain, |backend| backend.find(&question))? {
        Ok(found) => write(output, &encode(Some(&id), &found.roots, &found.answer, found.took)),
        Err(error) => write(output, &WireError::new(Some(&id), error.kind.name(), error.message)),
    }
}
