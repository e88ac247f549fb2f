//! `pathfinder resolve --stdin`: copies a log and corrects the wrong paths in it, so that they can be clicked.
//!
//! Uncertain paths and all other text pass through byte by byte.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use pathfinder_core::quote::is_deceptive;
use pathfinder_core::{Request, Status};

use super::args::Scope;
use super::output::Exit;
use pathfinder_project::path_mentions::{PathMention, find_command_words, find_path_mentions, is_elsewhere};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_protocol::command_line::is_plain;
use pathfinder_protocol::paths::path_from_directory;
use pathfinder_vfs::roots;

/// Longest line that is examined; longer ones are data.
const MAX_LINE_BYTES: usize = 16 << 10;

/// Most different paths that are resolved, which takes about a second. No user reads a log with more.
const MAX_PATHS: usize = 2000;

/// Copies stdin to stdout. The output is flushed before each wait for input.
pub(crate) fn run(scope: &Scope, commands: bool) -> anyhow::Result<Exit> {
    let mut rewriter = LogRewriter {
        scope,
        workspace: None,
        has_history: false,
        directory: dunce::canonicalize(roots::current_dir()?)?,
        replacements: BTreeMap::new(),
    };
    let mut input = io::BufReader::with_capacity(64 << 10, io::stdin().lock());
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    // True while the rest of a line that is too long is copied.
    let mut skipping = false;
    loop {
        line.clear();
        let read =
            input.by_ref().take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut line).context("cannot read stdin")?;
        if read == 0 {
            break;
        }
        let ended = line.ends_with(b"\n");
        let whole = !skipping && (ended || line.len() < MAX_LINE_BYTES);
        skipping = !ended && line.len() == MAX_LINE_BYTES;
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

struct LogRewriter<'s> {
    scope: &'s Scope,
    /// The snapshot; opened for the first path that does not exist.
    workspace: Option<WorkspaceSnapshot>,
    /// True if the snapshot has git's history.
    has_history: bool,
    directory: PathBuf,
    /// The replacement of each path that was examined; `None` if it stays.
    replacements: BTreeMap<String, Option<String>>,
}

impl LogRewriter<'_> {
    fn rewrite(&mut self, line: &str, commands: bool) -> anyhow::Result<String> {
        let mut out = String::with_capacity(line.len());
        let mut end = 0;
        for mention in if commands { find_command_words(line) } else { find_path_mentions(line) } {
            // A path that a shell would split or expand is not put into a command.
            let replacement =
                self.replacement(line, &mention)?.filter(|replacement| !commands || replacement.chars().all(is_plain));
            if let Some(replacement) = replacement {
                out.push_str(&line[end..mention.range.start]);
                out.push_str(&replacement);
                end = mention.range.end;
            }
        }
        out.push_str(&line[end..]);
        Ok(out)
    }

    /// The replacement of a path, if it differs from the path.
    fn replacement(&mut self, line: &str, mention: &PathMention) -> anyhow::Result<Option<String>> {
        let (text, asked) = (mention.text(line), mention.query(line));
        if let Some(known) = self.replacements.get(asked) {
            return Ok(known.clone());
        }
        let decoded = text.strip_prefix("file://").unwrap_or(text);
        if self.replacements.len() >= MAX_PATHS || self.directory.join(decoded).exists() {
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
        let replacement =
            self.workspace.as_ref().and_then(|workspace| self.resolve(workspace, text, asked, mention.is_quoted));
        self.replacements.insert(asked.to_owned(), replacement.clone());
        Ok(replacement)
    }

    fn resolve(&self, workspace: &WorkspaceSnapshot, text: &str, asked: &str, quoted: bool) -> Option<String> {
        let mut places = workspace.opened().iter().map(|opened| &*opened.root.canonical);
        if places.all(|root| is_elsewhere(text.as_ref(), root)) {
            return None;
        }
        let answer = workspace.ask(&Request { lexical: true, ..Request::new(asked) }).0.ok()?;
        let found = matches!(answer.status, Status::Exists | Status::Resolved);
        let (root, path) = answer.path.filter(|(_, path)| found && !path.is_lossy())?;
        // The replacement is relative to the same directory as the original text.
        let replacement = path_from_directory(&self.directory, text, &workspace.opened()[root].root.canonical, &path);
        // A path with such characters would end early when clicked.
        let plain = |c: char| !is_deceptive(c) && (quoted || !c.is_whitespace()) && !matches!(c, '"' | '\'' | '`');
        (replacement != text && replacement.chars().all(plain)).then_some(replacement)
    }
}
