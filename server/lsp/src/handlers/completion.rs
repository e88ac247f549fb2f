//! `textDocument/completion`: completes the segment of a literal at the cursor.
//!
//! The handler knows no rules of languages. It replaces the segment by a placeholder that no file has, and checks the
//! literal. The paths tried for it tell in which directories the literal is looked up, and which extensions may be left
//! out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pathfinder_literals::{Checked, Kind, LiteralKind};
use tower_lsp_server::ls_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit,
    TextEdit,
};

use super::super::documents::DocumentAnalysis;
use super::super::project_file::{self, SettingEntry};
use super::super::server_snapshot::ServerSnapshot;
use super::code_action::MIN_CONFIDENCE;
use pathfinder_project::settings::PROJECT_FILE;

/// A name that no file has.
const PLACEHOLDER: &str = "pathfinderprobe";
/// An extension that every language takes for a file.
const PLACEHOLDER_EXTENSION: &str = ".md";
/// Most entries of one directory: after more typing the client asks again.
const MAX_ENTRIES: usize = 300;

/// Returns the entries at the cursor; `None` if no literal can be there.
pub(crate) fn completion(state: &ServerSnapshot, params: &CompletionParams) -> Option<CompletionResponse> {
    let at = &params.text_document_position;
    let analysis = state.analyze(at.text_document.uri.as_str())?;
    if !state.preferences_of(&analysis.diagnostics.root()).has_completion {
        return None;
    }
    let text = analysis.document.text();
    let offset = analysis.lines.offset(text, at.position, state.editor.encoding());
    if analysis.document.path() == PROJECT_FILE
        && let Some((range, entries)) = project_file::complete(text, offset)
    {
        return Some(setting_list(state, &analysis, &range, entries));
    }
    let used = state.recently_used_below(&analysis.diagnostics.root());
    let Some(literal) = analysis.literal_at(offset) else {
        let mut items = entries_without_literal(&analysis, offset)?;
        items.sort_by_key(|item| last_used(&used, &item.path));
        return Some(completion_list(state, &analysis, items));
    };
    let before = text.get(literal.range.start..offset)?;
    let separator = separator(analysis.literal_text(literal), literal.kind);
    let typed = offset - before.rsplit(separator).next().unwrap_or_default().len()..offset;
    // The rest of the segment after the cursor is replaced too.
    let rest = text.get(offset..literal.range.end)?;
    let end = offset + rest.find([separator, '#', '?']).unwrap_or(rest.len());
    let fix_entries = fix_entries(&analysis, literal);
    let mut items = entries(&analysis, literal, &(typed.start..end), separator);
    // Fixes come first, in the engine's order, and then recently used paths, by agents too. The others keep their order.
    let rank =
        |item: &CompletionEntry| fix_entries.iter().position(|fix| fix.path == item.path).unwrap_or(fix_entries.len());
    items.sort_by_key(|item| (rank(item), last_used(&used, &item.path)));
    items.extend(fix_entries);
    Some(completion_list(state, &analysis, items))
}

/// Converts settings of `pathfinder.toml` to the LSP list.
fn setting_list(
    state: &ServerSnapshot,
    analysis: &DocumentAnalysis,
    range: &Range<usize>,
    entries: Vec<SettingEntry>,
) -> CompletionResponse {
    let range = analysis.lines.range(analysis.document.text(), range, state.editor.encoding());
    let items = entries.into_iter().map(|SettingEntry { text, detail }| CompletionItem {
        label: text.clone(),
        kind: Some(CompletionItemKind::PROPERTY),
        detail: Some(detail),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: text })),
        ..CompletionItem::default()
    });
    CompletionResponse::Array(items.collect())
}

/// Returns the rank of the last use of a path or of a path below it.
fn last_used(used: &[String], path: &str) -> usize {
    let is_in = |used: &String| used.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    used.iter().position(is_in).unwrap_or(used.len())
}

/// Converts entries to the LSP list.
fn completion_list(
    state: &ServerSnapshot,
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

/// Returns the entries at a position that would be a literal if it had text.
fn entries_without_literal(analysis: &DocumentAnalysis, offset: usize) -> Option<Vec<CompletionEntry>> {
    let mut probed = analysis.document.clone();
    if !probed.edit(offset..offset, PLACEHOLDER) {
        return None;
    }
    let (literals, _) = analysis.checker.analyze_document(&mut probed);
    // The text before may become a literal only with something behind it: `from a.b.`
    let around = |literal: &&Checked| literal.range.start <= offset && offset + PLACEHOLDER.len() <= literal.range.end;
    let literal = literals.iter().rfind(around)?;
    let written = probed.text().get(literal.range.clone())?;
    Some(entries(analysis, literal, &(offset..offset), separator(written, literal.kind)))
}

/// An entry of the completion list.
struct CompletionEntry {
    label: String,
    /// The bytes that `new` replaces.
    range: Range<usize>,
    new: String,
    /// The path that the entry leads to, relative to the root.
    path: String,
    is_directory: bool,
}

/// Returns the prefix of the filter text. Clients compare the filter text with the text before the cursor. A replacement
/// that begins otherwise gets the written text as its prefix, so that it is not filtered out.
fn filter_prefix<'t>(written: &'t str, new: &str) -> &'t str {
    let shared = written.chars().next().is_none_or(|first| new.starts_with(first));
    if shared { "" } else { written }
}

/// Returns the separator between the segments of a literal.
fn separator(written: &str, kind: LiteralKind) -> char {
    const DOTTED: [&str; 7] = ["py", "java", "kotlin", "scala", "groovy", "haskell", "lua"];
    if written.contains('/') || !DOTTED.contains(&kind.language()) {
        if written.contains('\\') && !written.contains('/') { '\\' } else { '/' }
    } else {
        '.'
    }
}

/// Returns the entries of the directories in which the literal is looked up.
fn entries(
    analysis: &DocumentAnalysis,
    literal: &Checked,
    typed: &Range<usize>,
    separator: char,
) -> Vec<CompletionEntry> {
    let (plain, ended) = (PLACEHOLDER.to_owned(), format!("{PLACEHOLDER}{PLACEHOLDER_EXTENSION}"));
    // A single word is not always taken for a path. Documents, whose site may drop extensions, get whole names.
    let is_document = matches!(literal.kind.language(), "md" | "html");
    let placeholders = match separator {
        '.' => vec![plain],
        _ if is_document => vec![ended, plain],
        _ => vec![plain, ended],
    };
    let probe = placeholders.into_iter().find_map(|placeholder| {
        let mut probed = analysis.document.clone();
        probed.edit(typed.clone(), &placeholder).then_some(())?;
        let (literals, _) = analysis.checker.analyze_document(&mut probed);
        let same = |other: &&Checked| other.range.start == literal.range.start && other.kind == literal.kind;
        let probe = literals.iter().find(same).filter(|probe| !probe.tried.is_empty())?.clone();
        Some((probe, placeholder))
    });
    let Some((probe, placeholder)) = probe else { return Vec::new() };
    // Directory → extensions that may be left out; empty if the name is written whole.
    let mut endings_by_directory: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in &probe.tried {
        let Some(at) = path.find(&placeholder) else { continue };
        let directory = path[..at].trim_end_matches('/');
        // A name with a prefix is another name: `_part.scss`, `libprobe.so`.
        if !path[..at].is_empty() && !path[..at].ends_with('/') {
            continue;
        }
        let ending = &path[at + placeholder.len()..];
        // A placeholder with an extension is written whole.
        let is_whole = placeholder.len() > PLACEHOLDER.len();
        if ending.is_empty() || !is_whole && !ending.contains('/') {
            endings_by_directory.entry(directory).or_default().insert(ending);
        } else if ending.starts_with('/') {
            // A directory on the way to the target.
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
            // The longest extension wins: `.d.ts` before `.ts`.
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

/// Returns the fixes of a broken literal, in the literal's own style.
fn fix_entries(analysis: &DocumentAnalysis, literal: &Checked) -> Vec<CompletionEntry> {
    let Some(broken) = analysis.findings.iter().find(|finding| finding.range == literal.range) else {
        return Vec::new();
    };
    analysis.find_fixes(&[broken], &|| true);
    let analysis = analysis.with_known_fixes();
    let Some(finding) = analysis.findings.iter().find(|finding| finding.range == literal.range) else {
        return Vec::new();
    };
    let likely = finding.fixes.iter().filter(|fix| fix.confidence >= MIN_CONFIDENCE);
    let items = likely.map(|fix| CompletionEntry {
        label: fix.literal.clone(),
        range: literal.range.clone(),
        new: fix.literal.clone(),
        path: fix.path.clone(),
        is_directory: analysis.checker.kind(&fix.path) == Some(Kind::Directory),
    });
    items.collect()
}
