//! `pathfinder resolve --stdin`: a log goes through, and the wrong paths in it come out right, so that they can be clicked.
//!
//! What is not sure, and whatever is no path, comes out byte by byte as it came in.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use pathfinder_core::quote::is_deceptive;
use pathfinder_core::{Request, Status};

use super::Exit;
use super::args::Scope;
use crate::command_line::is_plain;
use crate::os::roots;
use crate::path_mentions::{PathMention, find_command_words, find_path_mentions, is_elsewhere};
use crate::snapshot::WorkspaceSnapshot;
use crate::wire::paths::path_from_directory;

/// Longest line that is looked at. Longer ones are data.
const LINE_MAX: usize = 16 << 10;

/// Different paths that are asked for: about a second. A log with more is not read by anybody.
const ASKED_MAX: usize = 2000;

/// Copies stdin to stdout until it is used up; what there is of it is written before more is waited for.
pub(crate) fn run(scope: &Scope, commands: bool) -> anyhow::Result<Exit> {
    let mut rewriter = Rewriter {
        scope,
        workspace: None,
        has_history: false,
        directory: dunce::canonicalize(roots::current_dir()?)?,
        known: BTreeMap::new(),
    };
    let mut input = io::BufReader::with_capacity(64 << 10, io::stdin().lock());
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    // The rest of a line that is too long.
    let mut skipping = false;
    loop {
        line.clear();
        let read = input.by_ref().take(LINE_MAX as u64).read_until(b'\n', &mut line).context("stdin cannot be read")?;
        if read == 0 {
            break;
        }
        let ended = line.ends_with(b"\n");
        let whole = !skipping && (ended || line.len() < LINE_MAX);
        skipping = !ended && line.len() == LINE_MAX;
        match std::str::from_utf8(&line) {
            Ok(text) if whole => output.write_all(rewriter.rewrite(text, commands)?.as_bytes())?,
            _ => output.write_all(&line)?,
        }
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()?;
    if let Some(workspace) = &rewriter.workspace {
        workspace.keep();
    }
    Ok(Exit::Answered)
}

struct Rewriter<'s> {
    scope: &'s Scope,
    /// LoadedRoot for the first path that is not there.
    workspace: Option<WorkspaceSnapshot>,
    /// Whether it knows git's history.
    has_history: bool,
    directory: PathBuf,
    /// What became of each path that was asked for.
    known: BTreeMap<String, Option<String>>,
}

impl Rewriter<'_> {
    fn rewrite(&mut self, line: &str, commands: bool) -> anyhow::Result<String> {
        let mut out = String::with_capacity(line.len());
        let mut end = 0;
        for mention in if commands { find_command_words(line) } else { find_path_mentions(line) } {
            // A path that a shell would split or expand is not put into a command.
            let right = self.right(line, &mention)?.filter(|right| !commands || right.chars().all(is_plain));
            if let Some(right) = right {
                out.push_str(&line[end..mention.range.start]);
                out.push_str(&right);
                end = mention.range.end;
            }
        }
        out.push_str(&line[end..]);
        Ok(out)
    }

    /// What stands in the place of a path, if that is something else.
    fn right(&mut self, line: &str, mention: &PathMention) -> anyhow::Result<Option<String>> {
        let (text, asked) = (mention.text(line), mention.query(line));
        if let Some(known) = self.known.get(asked) {
            return Ok(known.clone());
        }
        let decoded = text.strip_prefix("file://").unwrap_or(text);
        if self.known.len() >= ASKED_MAX || self.directory.join(decoded).exists() {
            return Ok(None);
        }
        if self.workspace.is_none() {
            self.workspace = Some(self.scope.open_without_history()?);
        }
        // Most paths of a log exist, and need no history.
        let needs_history = |workspace: &WorkspaceSnapshot| workspace.needs_history(&Request::new(asked));
        if !self.has_history && self.workspace.as_ref().is_some_and(needs_history) {
            self.workspace = Some(self.scope.open()?);
            self.has_history = true;
        }
        let right = self.workspace.as_ref().and_then(|workspace| self.meant(workspace, text, asked, mention.is_quoted));
        self.known.insert(asked.to_owned(), right.clone());
        Ok(right)
    }

    fn meant(&self, workspace: &WorkspaceSnapshot, text: &str, asked: &str, quoted: bool) -> Option<String> {
        let mut places = workspace.opened().iter().map(|opened| &*opened.root.canonical);
        if places.all(|root| is_elsewhere(text.as_ref(), root)) {
            return None;
        }
        let answer = workspace.ask(&Request { lexical: true, ..Request::new(asked) }).0.ok()?;
        let found = matches!(answer.status, Status::Exists | Status::Resolved);
        let (root, path) = answer.path.filter(|(_, path)| found && !path.is_lossy())?;
        // Only what has contents stands in a log with a line number.
        let right = path_from_directory(&self.directory, text, &workspace.opened()[root].root.canonical, &path);
        // A name that would end somewhere else than it should cannot be clicked.
        let plain = |c: char| !is_deceptive(c) && (quoted || !c.is_whitespace()) && !matches!(c, '"' | '\'' | '`');
        (right != text && right.chars().all(plain)).then_some(right)
    }
}
