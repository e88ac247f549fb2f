//! Aliases in the configurations of bundlers, frameworks and test runners: scripts, of which what is written plainly is
//! read. What is computed makes its name one that nobody can decide.

use std::sync::LazyLock;

use pathfinder_grammars::{Query, TSX};
use tree_sitter::Node;

use super::{Alias, is_directory};
use crate::language::string_ranges::inside;
use crate::path::{join, name, parent};
use crate::tree::Tree;

static QUERY: LazyLock<Query> = LazyLock::new(|| {
    Query::new(
        &TSX,
        r#"(pair
             key: [(property_identifier) (string)] @key
             value: [(object) (array)] @value
             (#any-of? @key "alias" "aliases" "moduleNameMapper" "'alias'" "\"alias\"" "'moduleNameMapper'"))"#,
    )
});

/// Tools whose configurations have aliases, by the beginning of the file's name.
const TOOLS: [&str; 22] = [
    "astro.config.",
    "babel.config.",
    "craco.config.",
    "electron.vite.config.",
    "esbuild.",
    "farm.config.",
    "jest.config.",
    "metro.config.",
    "next.config.",
    "nuxt.config.",
    "quasar.config.",
    "rollup.config.",
    "rsbuild.config.",
    "rspack.config.",
    "rolldown.config.",
    "svelte.config.",
    "tsup.config.",
    "vite.",
    "vitest.",
    "vue.config.",
    "webpack.",
    "main.",
];
/// Expressions in expressions: a path needs no more.
const DEPTH: usize = 6;

/// The directory that a configuration is for; `None` if the file is none.
pub(super) fn scope(path: &str) -> Option<&str> {
    let last = name(path);
    let is_script = [".js", ".ts", ".mjs", ".cjs", ".mts", ".cts"].iter().any(|end| last.ends_with(end));
    let is_tool = TOOLS.iter().any(|start| last.starts_with(start))
        && (!last.starts_with("main.") || name(parent(path)) == ".storybook");
    let is_apart = matches!(name(parent(path)), ".storybook" | "webpack" | "build" | "config" | "configs" | "scripts");
    let at = parent(path);
    (is_script && is_tool).then(|| if is_apart { parent(at) } else { at })
}

/// Adds what a configuration says.
pub(super) fn read(tree: &dyn Tree, path: &str, scope: &str, all: &mut Vec<Alias>) {
    let last = name(path);
    let Some(text) = tree.read(path) else { return };
    if last.starts_with("svelte.config.") {
        let lib = join(scope, "src/lib").filter(|lib| is_directory(tree, lib));
        all.extend(Alias::both(scope, "$lib", lib.as_deref(), !text.contains("lib:")));
    }
    if last.starts_with("nuxt.config.") {
        for (key, below) in [("~", &["app", "src", ""][..]), ("@", &["app", "src", ""]), ("~~", &[""]), ("@@", &[""])] {
            for below in below {
                all.extend(Alias::both(scope, key, join(scope, below).as_deref(), false));
            }
        }
    }
    if last.starts_with("vue.config.") {
        all.extend(Alias::both(scope, "@", join(scope, "src").as_deref(), false));
    }
    if !text.contains("alias") && !text.contains("moduleNameMapper") {
        return;
    }
    let Some(parsed) = TSX.parse(&text) else { return };
    let config = Config { text: &text, at: parent(path), scope };
    for hit in QUERY.matches(parsed.root_node(), &text, std::slice::from_ref(&(0..text.len()))) {
        let (Some(key), Some(value)) = (hit.range("key"), hit.node("value")) else { continue };
        let is_mapper = text[key].contains("moduleNameMapper");
        for (key, value) in config.entries(value) {
            let Some(key) = key else { continue };
            let target = config.path(value, DEPTH);
            if is_mapper {
                all.extend(mapped(scope, &key, config.string(value)));
            } else if let Some(exact) = key.strip_suffix('$') {
                all.push(Alias::new(scope, exact, vec![target]));
            } else {
                all.extend(Alias::both(scope, &key, target.as_deref(), true));
            }
        }
    }
}

/// Jest's names are patterns of regular expressions; only the usual ones are understood. Others may decide too.
fn mapped(scope: &str, key: &str, value: Option<String>) -> Option<Alias> {
    let plain =
        key.strip_prefix('^')?.trim_end_matches('$').replace("\\\\", "\\").replace("\\/", "/").replace("\\.", ".");
    let pattern = plain.replace("(.*)", "*").replace("(.+)", "*");
    if pattern.contains(['(', ')', '[', '\\', '+', '?', '|']) || pattern.matches('*').count() > 1 {
        return None;
    }
    let value = value?.replace("$1", "*");
    let target = value.strip_prefix("<rootDir>").and_then(|rest| join(scope, rest));
    Some(Alias { is_sole: false, ..Alias::new(scope, &pattern, vec![target]) })
}

/// One configuration.
struct Config<'t> {
    text: &'t str,
    /// Its own directory.
    at: &'t str,
    scope: &'t str,
}

impl<'t> Config<'t> {
    /// The names in `{ '@': … }` and in `[{ find: '@', replacement: … }]`, with what they stand for.
    fn entries<'n>(&self, node: Node<'n>) -> Vec<(Option<String>, Node<'n>)> {
        let children = |node: Node<'n>| (0..node.named_child_count()).filter_map(move |at| node.named_child(at as u32));
        let pair = |node: Node<'n>| {
            let key = node.child_by_field_name("key")?;
            Some((self.string(key).or_else(|| Some(self.said(key).to_owned())), node.child_by_field_name("value")?))
        };
        if node.kind() == "object" {
            return children(node).filter_map(pair).collect();
        }
        let objects = children(node).filter(|child| child.kind() == "object");
        let entry = |object: Node<'n>| {
            let pairs: Vec<_> = children(object).filter_map(pair).collect();
            let named =
                |name: &str| pairs.iter().find(|(key, _)| key.as_deref() == Some(name)).map(|(_, value)| *value);
            Some((self.string(named("find")?), named("replacement")?))
        };
        objects.filter_map(entry).collect()
    }

    fn said(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn string(&self, node: Node<'_>) -> Option<String> {
        (node.kind() == "string").then(|| {
            let range = node.byte_range();
            // A regular expression in a string has escapes.
            let written = self.text.get(range.start + 1..range.end.saturating_sub(1));
            inside(self.text, range).map_or(written, |range| self.text.get(range)).unwrap_or_default().to_owned()
        })
    }

    /// The path, relative to the root, that an expression stands for.
    fn path(&self, node: Node<'_>, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let argument = |index: u32| node.child_by_field_name("arguments")?.named_child(index);
        match node.kind() {
            "string" => self.place(&self.string(node)?),
            "template_string" => {
                let said = self.said(node).trim_matches('`');
                let rest = said.strip_prefix("${__dirname}").or_else(|| said.strip_prefix("${import.meta.dirname}"));
                rest.filter(|rest| !rest.contains("${")).and_then(|rest| join(self.at, rest))
            }
            "identifier" | "member_expression" => match self.said(node) {
                "__dirname" | "import.meta.dirname" => Some(self.at.to_owned()),
                _ if self.said(node).ends_with(".pathname") => self.path(node.child_by_field_name("object")?, depth),
                _ => None,
            },
            "call_expression" => {
                let function = self.said(node.child_by_field_name("function")?);
                let last = function.rsplit('.').next().unwrap_or(function);
                match last {
                    "fileURLToPath" => self.path(argument(0)?, depth),
                    "cwd" => Some(self.scope.to_owned()),
                    "resolve" | "join" if function != "require.resolve" => {
                        let first = argument(0)?;
                        let mut path = match self.string(first) {
                            Some(text) => join(self.scope, &text)?,
                            None => self.path(first, depth)?,
                        };
                        let count = node.child_by_field_name("arguments")?.named_child_count();
                        for index in 1..count as u32 {
                            path = join(&path, &self.string(argument(index)?)?)?;
                        }
                        Some(path)
                    }
                    _ => None,
                }
            }
            "new_expression" => {
                let is_here = argument(1).is_some_and(|base| self.said(base) == "import.meta.url");
                join(self.at, &self.string(argument(0).filter(|_| is_here)?)?)
            }
            _ => None,
        }
    }

    /// A plain text: relative to the project, or from its root. A bare one is another package.
    fn place(&self, text: &str) -> Option<String> {
        (text.starts_with('.') || text.starts_with('/')).then(|| join(self.scope, text)).flatten()
    }
}
