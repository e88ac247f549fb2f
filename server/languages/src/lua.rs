//! Lua: checks `require` of first-party modules.

mod kinds;
#[cfg(test)]
mod tests;

use std::ops::Range;

use pathfinder_syntax::grammars::{LUA, NodeKinds};
use tree_sitter::Node;

use crate::keyword_hits::KeywordHits;
use pathfinder_literals::path::{ancestors, extension, is_dynamic, join, name, parent};
use pathfinder_literals::report::{find_in_any_directory, severity_in, unknown};
use pathfinder_literals::{
    Checked, Kind, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Target,
    Verdict, Want,
};
use pathfinder_syntax::string_ranges::string_content;

static KINDS: NodeKinds = NodeKinds::new(&LUA, &["function_call"]);

/// The [`Language`] of Lua sources.
pub(crate) struct Lua;

impl Language for Lua {
    fn name(&self) -> &'static str {
        "lua"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "lua"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        if is_dynamic(source.path()) || !text.contains("require") {
            return;
        }
        let hits = KeywordHits::find(text, &["require"]).filter(|range| can_begin_call(text, range));
        if hits.ranges().is_empty() {
            return;
        }
        let part = hits.parse_head(text, &LUA).or_else(|| hits.parse_outline(text, &LUA));
        let Some(tree) = part.or_else(|| source.parse(&LUA)) else { return };
        // A script that changes the search path, or preloads a module, has no certain search path.
        let has_default_search = !text.contains("package.");
        let mut report = Report::new(source, project, found);
        for call in KINDS.nodes(tree.root_node(), hits.ranges()) {
            let Some(range) = required_string(call, text).and_then(|string| string_content(text, string)) else {
                continue;
            };
            let module = &text[range.clone()];
            if module.is_empty() || is_dynamic(module) {
                continue;
            }
            let answer = resolve(&report, module, has_default_search);
            report.add(kinds::REQUIRE, range.start, range.len(), answer);
        }
    }
}

/// The string of a call that requires a module by its name. What `pcall` calls may fail, and has another form.
fn required_string(call: Node<'_>, text: &str) -> Option<Range<usize>> {
    let name = call.child_by_field_name("name").filter(|name| name.kind() == "identifier")?;
    let arguments = call.child_by_field_name("arguments").filter(|arguments| arguments.kind() == "arguments")?;
    let is_require = text.get(name.byte_range())? == "require" && arguments.named_child_count() == 1;
    let string = arguments.named_child(0).filter(|string| string.kind() == "string")?;
    is_require.then(|| string.byte_range())
}

/// Returns whether `require` can begin a call with a string: `pcall(require, name)` and prose cannot. Before the string there may be a
/// comment.
fn can_begin_call(text: &str, range: &Range<usize>) -> bool {
    let after = text[range.end..].trim_start();
    after.strip_prefix('(').map_or(after, str::trim_start).starts_with(['"', '\'', '[', '-'])
}

/// The verdict on a module.
///
/// Every directory above the file is searched, and the usual subdirectories. A module is missing only if its first part
/// is a directory with modules, and no directory resolves the whole.
fn resolve(report: &Report<'_>, module: &str, has_default_search: bool) -> Resolution {
    let project = report.project;
    let tree = project.tree();
    let path = module.replace('.', "/");
    let mut search_paths: Vec<String> = Vec::new();
    for directory in ancestors(report.source.directory()) {
        search_paths.push(directory.to_owned());
        search_paths.extend(["lua", "src", "lib"].iter().filter_map(|name| join(directory, name)));
    }
    let files = |path: &str| [format!("{path}.lua"), format!("{path}/init.lua")];
    let there = search_paths.iter().filter_map(|search_path| join(search_path, &path)).flat_map(|path| files(&path));
    if let Some(path) = there.into_iter().find(|path| tree.kind(path) == Some(Kind::File)) {
        return (Verdict::Found(Target { path }), Vec::new());
    }
    if let Some(path) = find_in_any_directory(project, files(&path)) {
        return unknown(Reason::Undecided(path.to_owned()));
    }
    let Some((head, _)) = path.split_once('/') else { return unknown(Reason::Elsewhere) };
    // A module of the directory's own name makes it first-party.
    let is_first_party = |search_path: &&String| {
        let directory = join(search_path, head).unwrap_or_default();
        tree.kind(&directory) == Some(Kind::Directory)
            && (name(search_path) == "lua" || files(&directory).iter().any(|file| tree.kind(file) == Some(Kind::File)))
    };
    let Some(search_path) = search_paths.iter().find(is_first_party).filter(|_| has_default_search) else {
        return (Verdict::Unknown(Reason::Elsewhere), paths_beside(project, &path));
    };
    let severity = severity_in(report.source.path(), Severity::Warning);
    let wanted = join(search_path, &path).unwrap_or_default();
    Lookup::new(project, Want::File).verdict(severity, files(&wanted).map(Some))
}

/// The paths that a module has where the rest of its path is there below another first directory: one of them can be mistyped.
fn paths_beside(project: &Project, path: &str) -> Vec<String> {
    /// Modules of one path that are compared; more common ones say nothing.
    const MAX_NAMESAKES: usize = 8;
    let Some((head, rest)) = path.split_once('/') else { return Vec::new() };
    let rest = format!("{rest}.lua");
    let there = project.find_all_by_suffix(&rest, MAX_NAMESAKES);
    let base = |path: &str| parent(path.strip_suffix(&rest).unwrap_or_default().trim_end_matches('/')).to_owned();
    there.into_iter().filter_map(|path| join(&base(path), &format!("{head}/{rest}"))).collect()
}
