//! Finds files in a snapshot: names and declarations by the engine, contents by their index, in one ranking. Called by the
//! command line, MCP and the shared engine.

mod merge;
mod pieces;
mod same_names;

use std::thread;
use std::time::Duration;

use pathfinder_content::{ContentIndex, ContentRoot, Fit, MAX_TEXT_BYTES, passage};
use pathfinder_core::find::{Contents, Passage};
use pathfinder_core::{FindAnswer, FindRequest, Hit, Kind, Presence, Probe as _, RelPath, RequestError};

use crate::contents::{self, CachedContents};
use crate::grep::{Bounds, Grep};
use crate::snapshot::{AskError, WorkspaceSnapshot, catch_panic};
use crate::symbols::{self, DiskStamps};
use merge::merge;
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::probe::UNSURE;

/// Limits of searching contents. Names and declarations take milliseconds, and a search in vain should not take much
/// longer.
const CONTENT_LIMITS: Bounds = Bounds { files: 20_000, bytes: 256 << 20, time: Duration::from_secs(2) };

/// Time limit for reading declarations in a command that asks once: first of files that have a word of the query,
/// then again of all files if that found too little.
const SYMBOLS_TIMEOUT: Duration = Duration::from_millis(1500);

/// An answer, and how long it took.
pub struct TimedFindAnswer {
    /// The answer, or the reason why the question cannot be answered.
    pub answer: Result<FindAnswer, AskError>,
    /// Time of the whole question.
    pub took: Duration,
}

/// Time limit for reading the words of files in a command that asks once. The next command continues from the cache.
const CONTENTS_TIMEOUT: Duration = Duration::from_secs(5);

/// Hits by name and by content that are merged. More than any caller shows.
const MERGED_MAX: usize = 100;

/// Files from which on names and contents are searched at once. Below it a thread takes a good part of the time that it saves:
/// some 0.05 ms of 0.3.
const PARALLEL_FILES: usize = 4000;

/// Answers from what the snapshot has in memory.
pub fn find(workspace: &WorkspaceSnapshot, request: &FindRequest) -> TimedFindAnswer {
    let start = Stopwatch::start();
    let answer = catch_panic(|| find_by_all(workspace, request));
    let took = start.elapsed();
    tracing::debug!(query = %request.query, ?took, failed = answer.is_err(), "found");
    TimedFindAnswer { answer, took }
}

/// Ranks names, declarations and contents together.
fn find_by_all(workspace: &WorkspaceSnapshot, request: &FindRequest) -> Result<FindAnswer, RequestError> {
    let is_complete = contents::is_complete(workspace);
    // A limit of 0 stays, and is refused.
    let limit = if request.limit == 0 { 0 } else { request.limit.max(MERGED_MAX) };
    let by_name = FindRequest { limit, explain: true, ..request.clone() };
    let probe = workspace.probe();
    let indexed = workspace.opened().iter().zip(workspace.engine().roots());
    let roots: Vec<ContentRoot<'_>> = indexed
        .map(|(opened, root)| ContentRoot {
            index: &opened.contents,
            symbols: &root.symbols,
            subjects: opened.subjects.as_deref(),
        })
        .collect();
    let find_names = || {
        let grep = Grep::new(probe, CONTENT_LIMITS);
        workspace.engine().find(&by_name, probe, if is_complete { &() as &dyn Contents } else { &grep })
    };
    let search_contents = || pathfinder_content::search(&request.query, &roots, MERGED_MAX);
    let files: usize = roots.iter().map(|root| root.index.progress().0).sum();
    let (names, contents) =
        if files < PARALLEL_FILES { (find_names(), search_contents()) } else { both(find_names, search_contents) };
    let names = names?;
    let names = FindAnswer { declared: declared_files(workspace, names.declared), ..names };
    let is_present =
        |root: usize, path: &RelPath| matches!(probe.presence(root, path.as_bytes()), Presence::Present(_));
    let is_strong = (names.strong, contents.fit == Fit::Strong);
    let mut answer = merge(request, names, contents, is_complete, &is_present);
    let asked = (request.query.as_str(), request.limit);
    pieces::add(asked, workspace.engine().roots(), &is_present, is_strong, &mut answer);
    same_names::add(workspace.engine().roots(), &mut answer.hits);
    answer.has_unread = !is_complete;
    answer.indexed = limited_extent(workspace);
    if request.read && answer.strong {
        answer.passage = answer.hits.first().and_then(|hit| read_passage(workspace, hit));
    }
    Ok(answer)
}

/// Runs two functions at once, the first in a thread of its own: rayon's may be busy with reading files.
fn both<A: Send, B>(one: impl Fn() -> A + Sync, other: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, &one);
        let other = other();
        let one = match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // The system has no thread to give.
            Err(_) => one(),
        };
        (one, other)
    })
}

/// Returns the number of files whose contents are indexed, and of all files; `None` if the index has room for all.
fn limited_extent(workspace: &WorkspaceSnapshot) -> Option<(usize, usize)> {
    let indexes = || workspace.opened().iter().map(|opened| &opened.contents);
    let left_out: usize = indexes().map(ContentIndex::left_out).sum();
    let total: usize = indexes().map(ContentIndex::total_in_root).sum();
    (left_out > 0).then(|| (total.saturating_sub(left_out), total))
}

/// Reads the lines around a hit; `None` for files that no answer may quote.
fn read_passage(workspace: &WorkspaceSnapshot, hit: &Hit) -> Option<Passage> {
    let probe = workspace.probe();
    if probe.find_withheld(hit.root, &hit.path).is_some() {
        return None;
    }
    let (stamp, bytes) = probe.beginning(hit.root, &hit.path, MAX_TEXT_BYTES as u64)?;
    let path = hit.path.text();
    let known = workspace.opened()[hit.root].contents.stamp(&path);
    let known = known.or_else(|| workspace.engine().roots()[hit.root].symbols.stamp(&path));
    // The line is that of an older version, or the file has become binary.
    if known.is_some_and(|known| known != UNSURE && known != stamp) || bytes.contains(&0) {
        return None;
    }
    let text = String::from_utf8_lossy(&bytes);
    let (line, text) = passage(&text, hit.line?)?;
    Some(Passage { line, text: text.to_owned() })
}

/// Returns the numbers of files whose declarations are known and that have some. Before the first file is read, the total
/// is counted.
fn declared_files(workspace: &WorkspaceSnapshot, known: (usize, usize)) -> (usize, usize) {
    if known != (0, 0) {
        return known;
    }
    let is_read = |path: &[u8]| std::str::from_utf8(path).is_ok_and(pathfinder_symbols::is_read);
    let entries = workspace.engine().roots().iter().flat_map(|root| root.snapshot.entries());
    (0, entries.filter(|(path, kind)| *kind == Kind::File && is_read(path)).count())
}

/// Most words of a query that names answer: of more words, contents count for more (`merge`).
const MAX_NAME_WORDS: usize = 2;

/// Answers a question of a snapshot that is used once. A name is looked up in the cached declarations, brought up to date
/// first for files that have a word of the query, then for all files if the answer is weak, since a typo may be in no file.
/// A question, and a name that nothing declares, is answered from all that a server knows. Also returns a function that
/// stores what was read; call it after the answer is printed.
pub fn find_once(workspace: &WorkspaceSnapshot, request: &FindRequest) -> (TimedFindAnswer, impl FnOnce() + use<>) {
    find_within(workspace, request, SYMBOLS_TIMEOUT, CONTENTS_TIMEOUT)
}

/// Implements [`find_once`]; the times are those for reading declarations and contents.
fn find_within(
    workspace: &WorkspaceSnapshot,
    request: &FindRequest,
    symbols_timeout: Duration,
    contents_timeout: Duration,
) -> (TimedFindAnswer, impl FnOnce() + use<>) {
    let start = Stopwatch::start();
    let words = request.words();
    contents::note_directories(workspace, &request.query);
    let mut stamps = DiskStamps::default();
    let (before, declared, cached, named) = if words.len() <= MAX_NAME_WORDS {
        let before = symbols::with_cached(workspace);
        let (declared, found) = find_name(&before, request, &words, symbols_timeout, &mut stamps);
        (before, declared, None, Some(found))
    } else {
        let (before, declared, cached) = read_declarations(workspace, symbols_timeout, &mut stamps);
        (before, declared, Some(cached), None)
    };
    let (current, mut found) = match named {
        Some(found) if !is_weak(&found) => (declared, found),
        _ => {
            let cached = cached.unwrap_or_else(|| CachedContents::load(workspace));
            let all = contents::read(&declared, cached, contents_timeout, &mut stamps);
            let mut found = find(&all, request);
            // An unread file may answer a question better, whatever the first result is.
            if let Ok(answer) = &mut found.answer {
                answer.strong &= !answer.has_unread && answer.declared.0 == answer.declared.1;
            }
            (all, found)
        }
    };
    found.took = start.elapsed();
    (found, move || symbols::save_changed(&current, &before))
}

/// Loads the declarations from the cache and brings them up to date, while another thread loads the words. Returns the snapshot with
/// the cached declarations, and with the current ones.
fn read_declarations(
    workspace: &WorkspaceSnapshot,
    timeout: Duration,
    stamps: &mut DiskStamps,
) -> (WorkspaceSnapshot, WorkspaceSnapshot, CachedContents) {
    let (cached, (before, declared)) = both(
        || CachedContents::load(workspace),
        || {
            let before = symbols::with_cached(workspace);
            let declared = symbols::read_once(&before, timeout, &|_| true, stamps);
            (before, declared)
        },
    );
    (before, declared, cached)
}

/// Returns the snapshot with everything that a question needs, from the cache and the disk, for a command that asks several. Stores
/// what was read.
pub fn read_all(workspace: &WorkspaceSnapshot, timeout: Duration) -> WorkspaceSnapshot {
    let mut stamps = DiskStamps::default();
    let (before, declared, cached) = read_declarations(workspace, timeout, &mut stamps);
    symbols::save_changed(&declared, &before);
    contents::read(&declared, cached, timeout, &mut stamps)
}

/// Looks up a name in the declarations of files that have a word of it, then of all files.
fn find_name(
    before: &WorkspaceSnapshot,
    request: &FindRequest,
    words: &[String],
    timeout: Duration,
    stamps: &mut DiskStamps,
) -> (WorkspaceSnapshot, TimedFindAnswer) {
    let some = symbols::read_once(before, timeout, &|bytes| crate::grep::has_any(bytes, words), stamps);
    let found = find(&some, request);
    if !is_weak(&found) {
        return (some, found);
    }
    let all = symbols::read_once(&some, timeout, &|_| true, stamps);
    let found = find(&all, request);
    (all, found)
}

/// Returns whether more reading may lead to a better answer.
fn is_weak(found: &TimedFindAnswer) -> bool {
    found.answer.as_ref().is_ok_and(|answer| !answer.strong)
}

#[cfg(test)]
mod tests;
