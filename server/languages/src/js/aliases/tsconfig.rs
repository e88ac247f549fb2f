//! Reads `paths` and `baseUrl` of `tsconfig.json`. An extended configuration need not be installed.

use super::Alias;
use pathfinder_literals::Tree;
use pathfinder_literals::path::{join, parent};
use pathfinder_syntax::data::{Node, json};

/// The longest chain of `extends`; it also ends cycles.
const MAX_EXTENDS_DEPTH: usize = 8;

/// Adds the aliases of a configuration and of those it extends.
pub(super) fn read_tsconfig(tree: &dyn Tree, path: &str, all: &mut Vec<Alias>) {
    read_extended(tree, path, parent(path), MAX_EXTENDS_DEPTH, all);
}

/// Adds the aliases of the file `path`, which the configuration of the directory `scope` is or extends.
fn read_extended(tree: &dyn Tree, path: &str, scope: &str, depth: usize, all: &mut Vec<Alias>) {
    let text = tree.read_shared(path);
    let Some(root) = text.as_deref().and_then(json::read) else { return };
    let at = parent(path);
    let resolve = |text: &str| match text.strip_prefix("${configDir}") {
        Some(rest) => join(scope, rest),
        None => join(at, text),
    };
    let base = root.at("compilerOptions.baseUrl").and_then(Node::str).and_then(resolve);
    if let Some(base) = &base {
        all.push(Alias::new(scope, "*", vec![Some(pattern_below(base))]));
    }
    let base = base.unwrap_or_else(|| at.to_owned());
    let target = |node: &Node| match node.str()? {
        text if text.starts_with("${") => resolve(text),
        text => join(&base, text),
    };
    let paths = root.at("compilerOptions.paths").map_or(&[][..], Node::entries);
    let table: Vec<(&str, Vec<Option<String>>)> =
        paths.iter().map(|(pattern, targets)| (&*pattern.text, targets.items().iter().map(target).collect())).collect();
    // A file of which no target is there is meant for another place, such as a template that a script copies.
    let lies_in_tree = |target: &String| tree.kind(parent(target)) == Some(pathfinder_literals::Kind::Directory);
    if table.iter().flat_map(|(_, targets)| targets).flatten().any(lies_in_tree) {
        all.extend(table.into_iter().map(|(pattern, targets)| Alias::new(scope, pattern, targets)));
    }
    if depth == 0 {
        return;
    }
    let relative = root.get("extends").map_or(&[][..], Node::items).iter().filter_map(Node::str);
    for path in relative.filter(|path| path.starts_with('.')).filter_map(|path| join(at, path)) {
        let files = ["", ".json", "/tsconfig.json"].map(|end| format!("{path}{end}"));
        if let Some(file) = files.into_iter().find(|file| tree.kind(file) == Some(pathfinder_literals::Kind::File)) {
            read_extended(tree, &file, scope, depth - 1, all);
        }
    }
}

/// The pattern for any path below a directory.
fn pattern_below(directory: &str) -> String {
    if directory.is_empty() { "*".to_owned() } else { format!("{directory}/*") }
}
