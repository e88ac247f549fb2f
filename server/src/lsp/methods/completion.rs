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

use super::super::desk::Desk;
use super::super::documents::Look;

/// A name that no file has.
const PROBE: &str = "pathfinderprobe";
/// An ending by which every language knows a file.
const ENDING: &str = ".md";
/// Entries of one directory that are offered at most: one types on, and then it is asked again.
const ENTRIES: usize = 300;

pub(in crate::lsp) fn completion(desk: &Desk, params: &CompletionParams) -> Option<CompletionResponse> {
    let at = &params.text_document_position;
    let look = desk.look(at.text_document.uri.as_str())?;
    let text = look.document.text();
    let offset = look.lines.offset(text, at.position, desk.editor.encoding());
    let used = desk.used_below(&look.diagnostics.root());
    let Some(literal) = look.literal_at(offset) else {
        let mut items = begun(&look, offset)?;
        items.sort_by_key(|item| last_used(&used, &item.path));
        return Some(listed(desk, &look, items));
    };
    let before = text.get(literal.range.start..offset)?;
    let separator = separator(look.written(literal), literal.kind);
    let typed = offset - before.rsplit(separator).next().unwrap_or_default().len()..offset;
    // What is behind the cursor up to the next separator is replaced as well.
    let rest = text.get(offset..literal.range.end)?;
    let end = offset + rest.find([separator, '#', '?']).unwrap_or(rest.len());
    let elsewhere = elsewhere(&look, literal);
    let mut items = entries(&look, literal, &(typed.start..end), separator);
    // What the engine takes to be meant comes first, in its order, and then what was used last, be it by an agent; the others stay as
    // they are.
    let rank = |item: &Item| elsewhere.iter().position(|meant| meant.path == item.path).unwrap_or(elsewhere.len());
    items.sort_by_key(|item| (rank(item), last_used(&used, &item.path)));
    items.extend(elsewhere);
    Some(listed(desk, &look, items))
}

/// How many others were used since something at this path was, or in it.
fn last_used(used: &[String], path: &str) -> usize {
    let is_in = |used: &String| used.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    used.iter().position(is_in).unwrap_or(used.len())
}

/// What the client gets of it.
fn listed(desk: &Desk, look: &Look, items: Vec<Item>) -> CompletionResponse {
    let text = look.document.text();
    let encoding = desk.editor.encoding();
    let own = |range: &Range<usize>| look.lines.range(text, range, encoding);
    let all = items.into_iter().enumerate().map(|(rank, item)| CompletionItem {
        label: item.label,
        kind: Some(if item.is_directory { CompletionItemKind::FOLDER } else { CompletionItemKind::FILE }),
        detail: Some(item.path),
        filter_text: text.get(item.range.clone()).map(|written| format!("{}{}", prefix(written, &item.new), item.new)),
        sort_text: Some(format!("{rank:04}")),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: own(&item.range), new_text: item.new })),
        ..CompletionItem::default()
    });
    CompletionResponse::List(CompletionList { is_incomplete: true, items: all.collect() })
}

/// What can stand where there would be a literal, if only something stood there.
fn begun(look: &Look, offset: usize) -> Option<Vec<Item>> {
    let mut probed = look.document.clone();
    if !probed.edit(offset..offset, PROBE) {
        return None;
    }
    let (literals, _) = look.checker.analyze_document(&mut probed);
    // What was typed before may be no literal without something behind it: `from a.b.`
    let around = |literal: &&Checked| literal.range.start <= offset && offset + PROBE.len() <= literal.range.end;
    let literal = literals.iter().rfind(around)?;
    let written = probed.text().get(literal.range.clone())?;
    Some(entries(look, literal, &(offset..offset), separator(written, literal.kind)))
}

/// One of the things that can stand there.
struct Item {
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
fn prefix<'t>(written: &'t str, new: &str) -> &'t str {
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
fn entries(look: &Look, literal: &Checked, typed: &Range<usize>, separator: char) -> Vec<Item> {
    let (plain, ended) = (PROBE.to_owned(), format!("{PROBE}{ENDING}"));
    // A word alone is not always taken for a path, and in documents, whose site may drop endings, names are written whole.
    let is_document = ["md.", "html."].iter().any(|prefix| literal.kind.starts_with(prefix));
    let stand_ins = match separator {
        '.' => vec![plain],
        _ if is_document => vec![ended, plain],
        _ => vec![plain, ended],
    };
    let probe = stand_ins.into_iter().find_map(|stand_in| {
        let mut probed = look.document.clone();
        probed.edit(typed.clone(), &stand_in).then_some(())?;
        let (literals, _) = look.checker.analyze_document(&mut probed);
        let same = |other: &&Checked| other.range.start == literal.range.start && other.kind == literal.kind;
        let probe = literals.iter().find(same).filter(|probe| !probe.tried.is_empty())?.clone();
        Some((probe, stand_in))
    });
    let Some((probe, stand_in)) = probe else { return Vec::new() };
    // Directory → endings that need not be written; the empty one if the name stands as it is.
    let mut looked: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for path in &probe.tried {
        let Some(at) = path.find(&stand_in) else { continue };
        let directory = path[..at].trim_end_matches('/');
        // A name with something before it is another one: `_part.scss`, `libprobe.so`.
        if !path[..at].is_empty() && !path[..at].ends_with('/') {
            continue;
        }
        let ending = &path[at + stand_in.len()..];
        // Of a name that is written whole, no ending is left out.
        let is_whole = stand_in.len() > PROBE.len();
        if ending.is_empty() || !is_whole && !ending.contains('/') {
            looked.entry(directory).or_default().insert(ending);
        } else if ending.starts_with('/') {
            // A directory on the way.
            looked.entry(directory).or_default();
        }
    }
    let is_followed = look.document.text()[typed.end..].starts_with(separator);
    let mut items: Vec<Item> = Vec::new();
    for (directory, endings) in looked {
        for name in look.checker.names(directory).iter().take(ENTRIES) {
            let path = if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") };
            let Some(kind) = look.checker.kind(&path) else { continue };
            if path == look.document.path() || look.checker.ignores(&path) {
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
                items.push(Item { label: new.clone(), range: typed.clone(), new, path, is_directory });
            }
        }
    }
    items.sort_by(|a, b| (!a.is_directory, &a.label).cmp(&(!b.is_directory, &b.label)));
    items
}

/// Where else the literal may be meant to lead, in its own style: what its fixes would be.
fn elsewhere(look: &Look, literal: &Checked) -> Vec<Item> {
    let Some(wrong) = look.findings.iter().find(|finding| finding.range == literal.range) else { return Vec::new() };
    look.mend(&[wrong], &|| true);
    let look = look.mended();
    let Some(finding) = look.findings.iter().find(|finding| finding.range == literal.range) else { return Vec::new() };
    let items = finding.fixes.iter().map(|fix| Item {
        label: fix.literal.clone(),
        range: literal.range.clone(),
        new: fix.literal.clone(),
        path: fix.path.clone(),
        is_directory: look.checker.kind(&fix.path) == Some(Kind::Directory),
    });
    items.collect()
}
