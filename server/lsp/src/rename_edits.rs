//! Edits that keep paths valid when files or directories move: before the editor renames them, or after a move on disk.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use pathfinder_core::Kind;
use pathfinder_core::index::Change;
use pathfinder_literals::path::{extension, is_within};
use pathfinder_literals::{Edit, MoveRewriter, MovedTexts};
use tower_lsp_server::ls_types::request::ShowMessageRequest;
use tower_lsp_server::ls_types::{
    MessageActionItem, MessageType, ShowMessageRequestParams, TextEdit, Uri, WorkspaceEdit,
};

use super::line_index::LineIndex;
use super::server_snapshot::StateData;
use super::{to_proto, uri};
use pathfinder_check::root_diagnostics::RootDiagnostics;
use pathfinder_check::{Checker, own_files};

/// Most files searched for one move: enough for a directory that half a project uses, and fast enough for the editor, which
/// waits.
const MAX_FILES: usize = 3000;

/// A move found on disk, with what is needed to update the paths.
pub(super) struct DetectedMove {
    from: String,
    to: String,
    /// Files that may mention the moved path, by their names before the move.
    naming: Vec<String>,
    before: Arc<Checker>,
}

/// Edits of one document.
type DocumentEdits = (Uri, Option<i32>, Vec<TextEdit>);

/// Returns the edits that keep all literals valid when these paths move (from, to; relative to the root). Documents have
/// the names from before the move.
pub(super) fn edits_for_moves(
    state: &StateData,
    diagnostics: &RootDiagnostics,
    moves: &[(String, String)],
) -> Vec<DocumentEdits> {
    let moves = &merge_directory_moves(&own_files(&diagnostics.snapshot()), moves.to_vec());
    let before = diagnostics.checker();
    let after = before.after_moves(moves);
    let mut files: Vec<String> = moves.iter().flat_map(|(from, _)| diagnostics.files_naming(from)).collect();
    files.sort();
    files.dedup();
    // After the files that are known to name a moved path, so that the limit cuts none of them.
    let known: BTreeSet<String> = files.iter().cloned().collect();
    let others = diagnostics.files_with_words_of(moves.iter().map(|(from, _)| from.as_str()));
    files.extend(others.into_iter().filter(|file| !known.contains(file)));
    let root = diagnostics.root();
    let edited = edited_configuration(&before, &after, moves, &files);
    let after = if edited.is_empty() { after } else { before.after_moves_and_edits(moves, edited) };
    let (mut forms, mut modules) = (BTreeSet::new(), MovedTexts::default());
    let learn = |moving: &MoveRewriter<'_>, file: &str, text: &str, edits: &[Edit]| {
        moving.learn_forms(file, text.as_bytes(), edits, &mut forms);
        modules.learn_module(file, text, edits);
    };
    let all = edits_in_files(state, &root, &before, &after, moves, &files, str::to_owned, learn);
    let moving = MoveRewriter { before: before.project(), after: after.project(), moves };
    let texts = moving.texts(&forms).with_modules(modules);
    let more = diagnostics.files_with_texts(&texts).into_iter().take(MAX_FILES).filter_map(|file| {
        let (open, text) = text_of(state, &root.join(&file), || before.bytes_of_any(&file))?;
        let edits = moving.text_edits(&texts, &file, text.as_bytes());
        document_edits(state, &root.join(&file), open, &text, edits)
    });
    merge_edits(all, more)
}

/// Adds edits of documents to those of the same documents.
fn merge_edits(mut all: Vec<DocumentEdits>, more: impl Iterator<Item = DocumentEdits>) -> Vec<DocumentEdits> {
    for (uri, version, mut edits) in more {
        match all.iter_mut().find(|(known, ..)| *known == uri) {
            Some((_, _, known)) => {
                known.append(&mut edits);
                known.sort_by_key(|edit| (edit.range.start.line, edit.range.start.character));
            }
            None => all.push((uri, version, edits)),
        }
    }
    all
}

/// Returns the texts of configuration files with their edits, by their paths after the moves. Literals of other files are resolved by
/// them: a package is still found by its name after its `main` has followed a move.
fn edited_configuration(
    before: &Checker,
    after: &Checker,
    moves: &[(String, String)],
    files: &[String],
) -> HashMap<String, String> {
    /// Extensions of manifests and settings that say where other files' literals lead.
    const CONFIGURATION: [&str; 7] = ["cabal", "gemspec", "json", "mod", "toml", "yaml", "yml"];
    let moving = MoveRewriter { before: before.project(), after: after.project(), moves };
    let is_configuration = |file: &&String| CONFIGURATION.contains(&extension(file).as_str());
    let texts = files.iter().take(MAX_FILES).filter(is_configuration).filter_map(|file| {
        let mut text = String::from_utf8(before.bytes(file)?).ok()?;
        let edits = moving.edits(file, text.as_bytes());
        let mut edits: Vec<_> = edits.into_iter().filter_map(|edit| Some((edit.range, edit.literal?))).collect();
        edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        let mut end = text.len();
        for (range, new) in &edits {
            if range.end <= end && text.get(range.clone()).is_some() {
                text.replace_range(range.clone(), new);
                end = range.start;
            }
        }
        let own = moves.iter().find(|(from, _)| is_within(file, from));
        let path = own.map_or_else(|| file.clone(), |(from, to)| format!("{to}{}", &file[from.len()..]));
        (!edits.is_empty()).then_some((path, text))
    });
    texts.collect()
}

/// Replaces the moves of all files of a directory by one move of the directory. Clients that move a directory may list its
/// files only, and literals that name the directory have to change too. `files` is sorted.
fn merge_directory_moves(files: &[String], mut moves: Vec<(String, String)>) -> Vec<(String, String)> {
    let below = |path: &str| {
        let path = path.to_owned();
        files[files.partition_point(|file| *file < path)..]
            .iter()
            .take_while({
                let path = path.clone();
                move |file| file.starts_with(&path)
            })
            .filter(move |file| is_within(file, &path))
    };
    loop {
        let known: BTreeMap<&str, &str> = moves.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        let parents = moves.iter().filter_map(|(from, to)| {
            let ((from, name), (to, new)) = (from.rsplit_once('/')?, to.rsplit_once('/')?);
            (from != to && name == new && !is_within(to, from)).then_some((from, to))
        });
        let parents: BTreeSet<(&str, &str)> = parents.collect();
        let whole = parents.into_iter().find(|(from, to)| {
            let goes = |file: &String| {
                let mut above = std::iter::once(file.len()).chain(file.rmatch_indices('/').map(|(at, _)| at));
                above.any(|at| {
                    let new = known.get(&file[..at]).and_then(|new| new.strip_prefix(to));
                    new.is_some_and(|rest| file.get(from.len()..at) == Some(rest))
                })
            };
            // Two directories that become one have no paths in common for which one of them could stand.
            let is_sole = moves.iter().all(|(path, new)| is_within(path, from) || !is_within(new, to));
            is_sole && below(to).next().is_none() && below(from).all(goes)
        });
        let Some((from, to)) = whole.map(|(from, to)| (from.to_owned(), to.to_owned())) else { return moves };
        moves.retain(|(path, _)| !is_within(path, &from));
        moves.push((from, to));
    }
}

/// Returns the edits in these files. `now` maps a file to its present path; `each` gets the edits of each file with its text.
#[expect(clippy::too_many_arguments, reason = "both sides of the moves, and what differs before and after them")]
fn edits_in_files(
    state: &StateData,
    root: &Path,
    before: &Checker,
    after: &Checker,
    moves: &[(String, String)],
    files: &[String],
    now: impl Fn(&str) -> String,
    mut each: impl FnMut(&MoveRewriter<'_>, &str, &str, &[Edit]),
) -> Vec<DocumentEdits> {
    let moving = MoveRewriter { before: before.project(), after: after.project(), moves };
    let mut all = Vec::new();
    for file in files.iter().take(MAX_FILES) {
        let path = root.join(now(file));
        let read = || before.bytes(file).or_else(|| after.bytes(&now(file)));
        let Some((open, text)) = text_of(state, &path, read) else { continue };
        let edits = moving.edits(file, text.as_bytes());
        each(&moving, file, &text, &edits);
        all.extend(document_edits(state, &path, open, &text, edits));
    }
    all
}

/// Returns the text of a file as the editor has it, or as it is read, with the name and version of the document if it is open.
fn text_of(
    state: &StateData,
    path: &Path,
    read: impl FnOnce() -> Option<Vec<u8>>,
) -> Option<(Option<(Uri, i32)>, String)> {
    let open = state.documents.find_by_path(path);
    let text = match &open {
        Some((uri, _)) => state.documents.text(uri.as_str()).map(|text| text.document.text().to_owned()),
        None => read().and_then(|bytes| String::from_utf8(bytes).ok()),
    };
    Some((open, text?))
}

/// Returns edits of a text as the editor counts; `None` if there are none.
fn document_edits(
    state: &StateData,
    path: &Path,
    open: Option<(Uri, i32)>,
    text: &str,
    edits: Vec<Edit>,
) -> Option<DocumentEdits> {
    if edits.is_empty() {
        return None;
    }
    let uri = open.as_ref().map(|(uri, _)| uri.clone()).or_else(|| uri::from_path(path))?;
    // Editors do not count a byte order mark.
    let bom_bytes = if open.is_none() && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let shown = &text[bom_bytes..];
    let lines = LineIndex::new(shown);
    let edits = edits.into_iter().filter_map(|edit| {
        let bytes = edit.range.start - bom_bytes..edit.range.end - bom_bytes;
        let range = lines.range(shown, &bytes, state.editor.encoding());
        Some(TextEdit { range, new_text: edit.literal? })
    });
    let edits: Vec<TextEdit> = edits.collect();
    (!edits.is_empty()).then(|| (uri, open.map(|(_, version)| version), edits))
}

/// Finds moves among changes on disk: a path is gone, and its contents are at another one. Finds none if the client sends
/// `workspace/willRenameFiles`, which covers its own moves.
pub(super) fn detect_moves(state: &StateData, diagnostics: &RootDiagnostics, changes: &[Change]) -> Vec<DetectedMove> {
    if state.editor.capabilities().has_will_rename
        || !state.editor.capabilities().can_ask_user
        || !state.editor.capabilities().can_apply_edits
        || !state.preferences_of(&diagnostics.root()).has_rename
    {
        return Vec::new();
    }
    let added: Vec<(String, Kind)> = changes
        .iter()
        .filter_map(|change| match change {
            Change::Added(path, kind) => Some((path.text().into_owned(), *kind)),
            Change::Removed(_) => None,
        })
        .collect();
    let gone = changes.iter().filter_map(|change| match change {
        Change::Removed(path) => Some(path.text().into_owned()),
        Change::Added(..) => None,
    });
    let mut detected: Vec<DetectedMove> = Vec::new();
    for from in gone {
        let same: Vec<&str> = added
            .iter()
            .filter(|(to, kind)| diagnostics.is_same(&from, to, *kind))
            .map(|(to, _)| to.as_str())
            .collect();
        // Several equal targets are ambiguous.
        let [to] = same.as_slice() else { continue };
        if detected.iter().any(|known| known.to == *to) {
            continue;
        }
        let (naming, before) = (diagnostics.files_naming(&from), diagnostics.checker());
        detected.push(DetectedMove { from, to: (*to).to_owned(), naming, before });
    }
    detected
}

/// Asks the user whether to update the paths that a move broke, and applies the edits.
pub(super) fn offer_edits(state: &StateData, diagnostics: &Arc<RootDiagnostics>, detected: &[DetectedMove]) {
    let after = diagnostics.checker();
    let root = diagnostics.root();
    let moves: Vec<(String, String)> =
        detected.iter().map(|detected| (detected.from.clone(), detected.to.clone())).collect();
    let now = |file: &str| {
        let own = moves.iter().find(|(from, _)| is_within(file, from));
        own.map_or_else(|| file.to_owned(), |(from, to)| format!("{to}{}", &file[from.len()..]))
    };
    let mut files: Vec<String> = detected.iter().flat_map(|detected| detected.naming.clone()).collect();
    files.sort();
    files.dedup();
    let Some(first) = detected.first() else { return };
    let all = edits_in_files(state, &root, &first.before, &after, &moves, &files, now, |_, _, _, _| ());
    let count: usize = all.iter().map(|(_, _, edits)| edits.len()).sum();
    if count == 0 {
        return;
    }
    let summary = if let [(from, to)] = moves.as_slice() {
        format!("{from} is now {to}")
    } else {
        format!("{} files moved", moves.len())
    };
    let (files, paths) = (all.len(), if count == 1 { "path" } else { "paths" });
    let message = format!(
        "{summary}. Change {count} {paths} in {files} {} that mention it?",
        if files == 1 { "file" } else { "files" }
    );
    let edit: WorkspaceEdit = to_proto::workspace_edit(all, state.editor.capabilities());
    let yes = MessageActionItem { title: "Change".to_owned(), properties: std::collections::HashMap::default() };
    let no = MessageActionItem { title: "Leave".to_owned(), properties: std::collections::HashMap::default() };
    let params = ShowMessageRequestParams { typ: MessageType::INFO, message, actions: Some(vec![yes, no]) };
    let editor = state.editor.clone();
    state.editor.spawn(async move {
        let chosen = editor.ask_user::<ShowMessageRequest>(params).await.flatten();
        if chosen.is_some_and(|chosen| chosen.title == "Change")
            && let Err(message) = editor.apply("Update moved paths", edit).await
        {
            editor.show(MessageType::WARNING, format!("pathfinder: {message}"));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::merge_directory_moves;

    #[test]
    fn merges_moves_of_all_files_of_a_directory() {
        let check = |files: &str, moves: &str, expect: &str| {
            let mut files: Vec<String> = files.split(' ').map(str::to_owned).collect();
            files.sort();
            let pair = |it: &str| it.split_once('>').map(|(from, to)| (from.to_owned(), to.to_owned()));
            let all = merge_directory_moves(&files, moves.split(' ').filter_map(pair).collect());
            let rows: Vec<String> = all.iter().map(|(from, to)| format!("{from}>{to}")).collect();
            assert_eq!(rows.join(" "), expect, "{moves}");
        };
        check("a/x a/y b/z", "a/x>c/x a/y>c/y", "a>c");
        check("p/a/x p/a/s/y p/z", "p/a/x>q/a/x p/a/s/y>q/a/s/y", "p/a>q/a");
        check("p/a/x p/a/s/y", "p/a/x>q/a/x p/a/s>q/a/s", "p>q");
        // One file stays, gets another name, or moves to a directory with other files.
        check("a/x a/y b/z", "a/x>c/x", "a/x>c/x");
        check("a/x a/y", "a/x>c/x a/y>c/v", "a/x>c/x a/y>c/v");
        check("a/x a/y", "a/x>longer/x a/y>v", "a/x>longer/x a/y>v");
        check("a/x b/z", "a/x>b/x", "a/x>b/x");
        check("a/x ab/y", "a/x>a/b/x", "a/x>a/b/x");
        check("a/x b/y", "a/x>c/x b/y>c/y", "a/x>c/x b/y>c/y");
        check("a/x b/y", "a/x>c/x b/y>c/d/y", "a/x>c/x b>c/d");
        check("a/x ab/y", "a/x>c/x", "a>c");
    }
}
