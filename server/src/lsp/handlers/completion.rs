//! `textDocument/completion`: what can stand at this place of a literal.
//!
//! Where a literal looks is not asked of its language. A name that nobody has is put in the place of what is being typed, and
//! the literal is checked: the paths that were tried for it say which directories are looked into, and which endings need
//! not be written.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pathfinder_literals::{Checked, Kind};
use tower_lsp_server::ls_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit,
    TextEdit,
};

use super::super::documents::DocumentAnalysis;
use super::super::server_state::ServerState;

/// A name that no file has.
const PLACEHOLDER: &str = "pathfinderprobe";
/// An ending by which every language knows a file.
const PLACEHOLDER_EXTENSION: &str = ".md";
/// Entries of one directory that are offered at most: one types on, and then it is asked again.
const MAX_ENTRIES: usize = 300;

pub(in crate::lsp) fn completion(state: &ServerState, params: &CompletionParams) -> Option<CompletionResponse> {
    let at = &params.text_document_position;
    let analysis = state.analyze(at.text_document.uri.as_str())?;
    let text = analysis.document.text();
    let offset = analysis.lines.offset(text, at.position, state.editor.encoding());
    let used = state.recently_used_below(&analysis.diagnostics.root());
    let Some(literal) = analysis.literal_at(offset) else {
        let mut items = entries_without_literal(&analysis, offset)?;
        items.sort_by_key(|item| last_used(&used, &item.path));
        return Some(completion_list(state, &analysis, items));
    };
    let before = text.get(literal.range.start..offset)?;
    let separator = separator(analysis.literal_text(literal), literal.kind);
    let typed = offset - before.rsplit(separator).next().unwrap_or_default().len()..offset;
    // What is behind the cursor up to the next separator is replaced as well.
    let rest = text.get(offset..literal.range.end)?;
    let end = offset + rest.find([separator, '#', '?']).unwrap_or(rest.len());
    let fix_entries = fix_entries(&analysis, literal);
    let mut items = entries(&analysis, literal, &(typed.start..end), separator);
    // What the engine takes to be meant comes first, in its order, and then what was used last, be it by an agent; the others stay as
    // they are.
    let rank =
        |item: &CompletionEntry| fix_entries.iter().position(|fix| fix.path == item.path).unwrap_or(fix_entries.len());
    items.sort_by_key(|item| (rank(item), last_used(&used, &item.path)));
    items.extend(fix_entries);
    Some(completion_list(state, &analysis, items))
}

/// How many others were used since something at this path was, or in it.
fn last_used(used: &[String], path: &str) -> usize {
    let is_in = |used: &String| used.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    used.iter().position(is_in).unwrap_or(used.len())
}

/// What the client gets of it.
fn completion_list(
    state: &ServerState,
    analysis: &DocumentAnalysis,
    items: Vec<CompletionEntry>,
) -> CompletionResponse {
    let text = analysis.document.text();
    let encoding = state.editor.encoding();
    let own = |range: &Range<usize>| analysis.lines.range(text, range, encoding);
    let all = items.into_iter().enumerate().map(|(rank, item)| CompletionItem {
        label: item.label,
        kind: Some(if item.is_directory { CompletionItemKind::FOLDER } else { CompletionItemKind::FILE }),
        detail: Some(item.path),
        filter_text: text
            .get(item.range.clone())
            .map(|written| format!("{}{}", filter_prefix(written, &item.new), item.new)),
        sort_text: Some(format!("{rank:04}")),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: own(&item.range), new_text: item.new })),
        ..CompletionItem::default()
    });
    CompletionResponse::List(CompletionList { is_incomplete: true, items: all.collect() })
}

/// What can stand where there would be a literal, if only something stood there.
fn entries_without_literal(analysis: &DocumentAnalysis, offset: usize) -> Option<Vec<CompletionEntry>> {
    let mut probed = analysis.document.clone();
    if !probed.edit(offset..offset, PLACEHOLDER) {
        return None;
    }
    let (literals, _) = analysis.checker.look_at(&mut probed);
    // What was typed before may be no literal without something behind it: `from a.b.`
    let around = |literal: &&Checked| literal.range.start <= offset && offset + PLACEHOLDER.len() <= literal.range.end;
    let literal = literals.iter().rfind(around)?;
    let written = probed.text().get(literal.range.clone())?;
    Some(entries(analysis, literal, &(offset..offset), separator(written, literal.kind)))
}

/// One of the things that can stand there.
struct CompletionEntry {
    label: String,
    /// What is replaced, and by what.
    range: Range<usize>,
    new: String,
    /// What it leads to, relative to the root.
    path: String,
    is_directory: bool,
}

/// What clients compare with the text before the cursor is what replaces it, unless that begins otherwise: then it is what
/// was typed, so that a path from elsewhere is not filtered out.
fn filter_prefix<'t>(written: &'t str, new: &str) -> &'t str {
    let shared = written.chars().next().is_none_or(|first| new.starts_with(first));
    if shared { "" } else { written }
}

/// What stands between the segments of a literal.
fn separator(written: &str, kind: &str) -> char {
    let dotted = ["py.", "python.", "java.", "kotlin.", "scala.", "groovy.", "hs.", "haskell.", "lua."];
    if written.contains('/') || !dotted.iter().any(|prefix| kind.starts_with(prefix)) {
        if written.contains('\\') && !written.contains('/') { '\\' } else { '/' }
    } else {
        '.'
    }
}

/// What is in the directories that the literal looks into.
fn entries(
    analysis: &DocumentAnalysis,
    literal: &Checked,
    typed: &Range<usize>,
    separator: char,
) -> Vec<CompletionEntry> {
    let (plain, ended) = (PLACEHOLDER.to_owned(), format!("{PLACEHOLDER}{PLACEHOLDER_EXTENSION}"));
    // A word alone is not always taken for a path, and in documents, whose site may drop endings, names are written whole.
    let is_document = ["md.", "html."].iter().any(|prefix| literal.kind.starts_with(prefix));
    let placeholders = match separator {
        '.' => vec![plain],
        _ if is_document => vec![ended, plain],
        _ => vec![plain, ended],
    };
    let probe = placeholders.into_iter().find_map(|placeholder| {
        let mut probed = analysis.document.clone();
        probed.edit(typed.clone(), &placeholder).then_some(())?;
        let (literals, _) = analysis.checker.look_at(&mut probed);
        let same = |other: &&Checked| other.range.start == literal.range.start && other.kind == literal.kind;
        let probe = literals.iter().find(same).filter(|probe| !probe.tried.is_empty())?.clone();
        Some((probe, placeholder))
    });
    let Some((probe, placeholder)) = probe else { return Vec::new() };
    // Directory → endings that need not be written; the empty one if the name stands as it is.
    let mut endings_by_directory: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in &probe.tried {
        let Some(at) = path.find(&placeholder) else { continue };
        let directory = path[..at].trim_end_matches('/');
        // A name with something before it is another one: `_part.scss`, `libprobe.so`.
        if !path[..at].is_empty() && !path[..at].ends_with('/') {
            continue;
        }
        let ending = &path[at + placeholder.len()..];
        // Of a name that is written whole, no ending is left out.
        let is_whole = placeholder.len() > PLACEHOLDER.len();
        if ending.is_empty() || !is_whole && !ending.contains('/') {
            endings_by_directory.entry(directory).or_default().insert(ending);
        } else if ending.starts_with('/') {
            // A directory on the way.
            endings_by_directory.entry(directory).or_default();
        }
    }
    let is_followed = analysis.document.text()[typed.end..].starts_with(separator);
    let mut items: Vec<CompletionEntry> = Vec::new();
    for (directory, endings) in endings_by_directory {
        for name in analysis.checker.names(directory).iter().take(MAX_ENTRIES) {
            let path = if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") };
            let Some(kind) = analysis.checker.kind(&path) else { continue };
            if path == analysis.document.path() || analysis.checker.ignores(&path) {
                continue;
            }
            let is_directory = kind == Kind::Directory;
            // The longest ending first: of `a.d.ts` it is more than `.ts`.
            let ending = endings
                .iter()
                .filter(|ending| !ending.is_empty() && name.ends_with(**ending))
                .max_by_key(|it| it.len());
            let written = match ending {
                Some(ending) if !is_directory => &name[..name.len() - ending.len()],
                _ if is_directory || endings.contains("") => name.as_str(),
                _ => continue,
            };
            let slash =
                if is_directory && separator != '.' && !is_followed { separator.to_string() } else { String::new() };
            let new = format!("{written}{slash}");
            if items.iter().all(|item| item.new != new) {
                items.push(CompletionEntry { label: new.clone(), range: typed.clone(), new, path, is_directory });
            }
        }
    }
    items.sort_by(|a, b| (!a.is_directory, &a.label).cmp(&(!b.is_directory, &b.label)));
    items
}

/// Where else the literal may be meant to lead, in its own style: what its fixes would be.
fn fix_entries(analysis: &DocumentAnalysis, literal: &Checked) -> Vec<CompletionEntry> {
    let Some(wrong) = analysis.findings.iter().find(|finding| finding.range == literal.range) else {
        return Vec::new();
    };
    analysis.find_fixes(&[wrong], &|| true);
    let analysis = analysis.with_known_fixes();
    let Some(finding) = analysis.findings.iter().find(|finding| finding.range == literal.range) else {
        return Vec::new();
    };
    let items = finding.fixes.iter().map(|fix| CompletionEntry {
        label: fix.literal.clone(),
        range: literal.range.clone(),
        new: fix.literal.clone(),
        path: fix.path.clone(),
        is_directory: analysis.checker.kind(&fix.path) == Some(Kind::Directory),
    });
    items.collect()
}
