//! `paths` and `baseUrl` of `tsconfig.json`, also where what it extends is not installed: what is written counts.

use super::Alias;
use crate::language::data::Node;
use crate::language::data::json;
use crate::path::{join, parent};
use crate::tree::Tree;

/// Files that extend files: a cycle ends here.
const INHERITED: usize = 8;

/// Adds what a configuration says, or those say that it extends.
pub(super) fn read(tree: &dyn Tree, path: &str, all: &mut Vec<Alias>) {
    extended(tree, path, parent(path), INHERITED, all);
}

/// What a file says that is extended by one in the directory `scope`, or is that one.
fn extended(tree: &dyn Tree, path: &str, scope: &str, depth: usize, all: &mut Vec<Alias>) {
    let text = tree.read(path);
    let Some(root) = text.as_deref().and_then(json::read) else { return };
    let at = parent(path);
    let place = |text: &str| match text.strip_prefix("${configDir}") {
        Some(rest) => join(scope, rest),
        None => join(at, text),
    };
    let base = root.at("compilerOptions.baseUrl").and_then(Node::str).and_then(place);
    if let Some(base) = &base {
        all.push(Alias::new(scope, "*", vec![Some(below(base))]));
    }
    let base = base.unwrap_or_else(|| at.to_owned());
    for (pattern, targets) in root.at("compilerOptions.paths").map_or(&[][..], Node::entries) {
        let target = |node: &Node| match node.str()? {
            text if text.starts_with("${") => place(text),
            text => join(&base, text),
        };
        all.push(Alias::new(scope, &pattern.text, targets.items().iter().map(target).collect()));
    }
    if depth == 0 {
        return;
    }
    let relative = root.get("extends").map_or(&[][..], Node::items).iter().filter_map(Node::str);
    for path in relative.filter(|path| path.starts_with('.')).filter_map(|path| join(at, path)) {
        let files = ["", ".json", "/tsconfig.json"].map(|end| format!("{path}{end}"));
        if let Some(file) = files.into_iter().find(|file| tree.kind(file) == Some(crate::tree::Kind::File)) {
            extended(tree, &file, scope, depth - 1, all);
        }
    }
}

/// Anything below a directory.
fn below(directory: &str) -> String {
    if directory.is_empty() { "*".to_owned() } else { format!("{directory}/*") }
}
