//! Reads aliases from configurations of bundlers, frameworks and test runners. These are scripts: literal values are
//! read, and a computed value makes its alias undecidable.

use std::sync::LazyLock;

use pathfinder_syntax::grammars::{Query, TSX};
use tree_sitter::Node;

use super::{Alias, is_directory};
use pathfinder_literals::Tree;
use pathfinder_literals::path::{join, name, parent};
use pathfinder_syntax::string_ranges::string_content;

static QUERY: LazyLock<Query> = LazyLock::new(|| {
    Query::new(
        &TSX,
        r#"(pair
             key: [(property_identifier) (string)] @key
             value: [(object) (array)] @value
             (#any-of? @key "alias" "aliases" "moduleNameMapper" "'alias'" "\"alias\"" "'moduleNameMapper'"))"#,
    )
});

/// Tools whose configurations have aliases, by the start of the file name.
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
/// The deepest nesting of an expression for a path.
const MAX_EXPRESSION_DEPTH: usize = 6;

/// Returns the directory that a configuration applies to; `None` if the file is no configuration.
pub(super) fn config_scope(path: &str) -> Option<&str> {
    let last = name(path);
    let is_script = [".js", ".ts", ".mjs", ".cjs", ".mts", ".cts"].iter().any(|end| last.ends_with(end));
    let is_tool = TOOLS.iter().any(|start| last.starts_with(start))
        && (!last.starts_with("main.") || name(parent(path)) == ".storybook");
    let is_apart = matches!(name(parent(path)), ".storybook" | "webpack" | "build" | "config" | "configs" | "scripts");
    let at = parent(path);
    (is_script && is_tool).then(|| if is_apart { parent(at) } else { at })
}

/// Adds the aliases of a configuration.
pub(super) fn read_config(tree: &dyn Tree, path: &str, scope: &str, all: &mut Vec<Alias>) {
    let last = name(path);
    let Some(text) = tree.read_shared(path) else { return };
    if last.starts_with("svelte.config.") {
        let lib = join(scope, "src/lib").filter(|lib| is_directory(tree, lib));
        all.extend(Alias::with_subpaths(scope, "$lib", lib.as_deref(), !text.contains("lib:")));
    }
    if last.starts_with("nuxt.config.") {
        for (key, below) in [("~", &["app", "src", ""][..]), ("@", &["app", "src", ""]), ("~~", &[""]), ("@@", &[""])] {
            for below in below {
                all.extend(Alias::with_subpaths(scope, key, join(scope, below).as_deref(), false));
            }
        }
    }
    if last.starts_with("vue.config.") {
        all.extend(Alias::with_subpaths(scope, "@", join(scope, "src").as_deref(), false));
    }
    if !text.contains("alias") && !text.contains("moduleNameMapper") {
        return;
    }
    let Some(parsed) = TSX.parse(&text) else { return };
    let config = BundlerConfig { text: &text, at: parent(path), scope };
    for hit in QUERY.matches(parsed.root_node(), &text, std::slice::from_ref(&(0..text.len()))) {
        let (Some(key), Some(value)) = (hit.range("key"), hit.node("value")) else { continue };
        let is_mapper = text[key].contains("moduleNameMapper");
        for (key, value) in config.entries(value) {
            let Some(key) = key else { continue };
            let target = config.evaluate_path(value, MAX_EXPRESSION_DEPTH);
            if is_mapper {
                all.extend(parse_mapper(scope, &key, config.string_value(value)));
            } else if let Some(exact) = key.strip_suffix('$') {
                all.push(Alias::new(scope, exact, vec![target]));
            } else {
                all.extend(Alias::with_subpaths(scope, &key, target.as_deref(), true));
            }
        }
    }
}

/// Parses an entry of Jest's `moduleNameMapper`: a regular expression, of which only the usual forms are understood.
/// Another entry can match too.
fn parse_mapper(scope: &str, key: &str, value: Option<String>) -> Option<Alias> {
    let plain =
        key.strip_prefix('^')?.trim_end_matches('$').replace("\\\\", "\\").replace("\\/", "/").replace("\\.", ".");
    let pattern = plain.replace("(.*)", "*").replace("(.+)", "*");
    if pattern.contains(['(', ')', '[', '\\', '+', '?', '|']) || pattern.matches('*').count() > 1 {
        return None;
    }
    let value = value?.replace("$1", "*");
    let target = value.strip_prefix("<rootDir>").and_then(|rest| join(scope, rest));
    Some(Alias { is_exclusive: false, ..Alias::new(scope, &pattern, vec![target]) })
}

/// One configuration.
struct BundlerConfig<'t> {
    text: &'t str,
    /// The directory of the configuration file.
    at: &'t str,
    scope: &'t str,
}

impl<'t> BundlerConfig<'t> {
    /// The aliases in `{ '@': … }` and in `[{ find: '@', replacement: … }]`, with their values.
    fn entries<'n>(&self, node: Node<'n>) -> Vec<(Option<String>, Node<'n>)> {
        let children = |node: Node<'n>| (0..node.named_child_count()).filter_map(move |at| node.named_child(at as u32));
        let pair = |node: Node<'n>| {
            let key = node.child_by_field_name("key")?;
            Some((
                self.string_value(key).or_else(|| Some(self.source_text(key).to_owned())),
                node.child_by_field_name("value")?,
            ))
        };
        if node.kind() == "object" {
            return children(node).filter_map(pair).collect();
        }
        let objects = children(node).filter(|child| child.kind() == "object");
        let entry = |object: Node<'n>| {
            let pairs: Vec<_> = children(object).filter_map(pair).collect();
            let named =
                |name: &str| pairs.iter().find(|(key, _)| key.as_deref() == Some(name)).map(|(_, value)| *value);
            Some((self.string_value(named("find")?), named("replacement")?))
        };
        objects.filter_map(entry).collect()
    }

    /// The text of a node.
    fn source_text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The content of a string node; `None` for other nodes.
    fn string_value(&self, node: Node<'_>) -> Option<String> {
        (node.kind() == "string").then(|| {
            let range = node.byte_range();
            // An escaped regular expression is no plain string.
            let written = self.text.get(range.start + 1..range.end.saturating_sub(1));
            string_content(self.text, range)
                .map_or(written, |range| self.text.get(range))
                .unwrap_or_default()
                .to_owned()
        })
    }

    /// Evaluates an expression to a path relative to the root.
    fn evaluate_path(&self, node: Node<'_>, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let argument = |index: u32| node.child_by_field_name("arguments")?.named_child(index);
        match node.kind() {
            "string" => self.resolve_text(&self.string_value(node)?),
            "template_string" => {
                let text = self.source_text(node).trim_matches('`');
                let rest = text.strip_prefix("${__dirname}").or_else(|| text.strip_prefix("${import.meta.dirname}"));
                rest.filter(|rest| !rest.contains("${")).and_then(|rest| join(self.at, rest))
            }
            "identifier" | "member_expression" => match self.source_text(node) {
                "__dirname" | "import.meta.dirname" => Some(self.at.to_owned()),
                _ if self.source_text(node).ends_with(".pathname") => {
                    self.evaluate_path(node.child_by_field_name("object")?, depth)
                }
                _ => None,
            },
            "call_expression" => {
                let function = self.source_text(node.child_by_field_name("function")?);
                let last = function.rsplit('.').next().unwrap_or(function);
                match last {
                    "fileURLToPath" => self.evaluate_path(argument(0)?, depth),
                    "cwd" => Some(self.scope.to_owned()),
                    "resolve" | "join" if function != "require.resolve" => {
                        let first = argument(0)?;
                        let mut path = match self.string_value(first) {
                            Some(text) => join(self.scope, &text)?,
                            None => self.evaluate_path(first, depth)?,
                        };
                        let count = node.child_by_field_name("arguments")?.named_child_count();
                        for index in 1..count as u32 {
                            path = join(&path, &self.string_value(argument(index)?)?)?;
                        }
                        Some(path)
                    }
                    _ => None,
                }
            }
            "new_expression" => {
                let is_here = argument(1).is_some_and(|base| self.source_text(base) == "import.meta.url");
                join(self.at, &self.string_value(argument(0).filter(|_| is_here)?)?)
            }
            _ => None,
        }
    }

    /// Resolves a literal: relative to the project, or from its root. A bare text is another package.
    fn resolve_text(&self, text: &str) -> Option<String> {
        (text.starts_with('.') || text.starts_with('/')).then(|| join(self.scope, text)).flatten()
    }
}
