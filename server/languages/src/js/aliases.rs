//! `Aliases`: the specifier prefixes that a project's configurations map to directories and files.

mod bundler;
mod tsconfig;

use std::cmp::Reverse;

use super::learned_aliases::NODE_SUBPATHS;
use pathfinder_literals::path::{extension, is_within, join, name, parent};
use pathfinder_literals::{Kind, Tree};
use pathfinder_syntax::data::Node;
use pathfinder_syntax::data::json::read;

/// Aliases of one manifest that are read. Each import is compared with all; projects have some ten.
const MAX_MODULE_ALIASES: usize = 500;

/// One alias.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alias {
    /// The directory whose files can use it.
    scope: String,
    /// The text before the wildcard, or the whole specifier.
    prefix: String,
    /// The text after the wildcard; `None` without a wildcard.
    suffix: Option<String>,
    /// The targets relative to the root, with `*` for the wildcard; `None` for a computed target.
    targets: Vec<Option<String>>,
    /// True if nothing else can resolve a matching specifier.
    is_exclusive: bool,
}

/// All aliases of a project.
#[derive(Default)]
pub(super) struct Aliases {
    all: Vec<Alias>,
}

/// The paths that aliases map one specifier to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct AliasMatch {
    /// The candidates, relative to the root.
    pub(super) paths: Vec<String>,
    /// True if all candidates are known and nothing else can resolve the specifier.
    pub(super) is_exclusive: bool,
    /// The longest text that such an alias begins with.
    pub(super) prefix: Option<String>,
}

impl Alias {
    fn new(scope: &str, pattern: &str, targets: Vec<Option<String>>) -> Self {
        let (prefix, suffix) = match pattern.split_once('*') {
            Some((prefix, suffix)) => (prefix, Some(suffix.to_owned())),
            None => (pattern, None),
        };
        let is_exclusive = !prefix.is_empty();
        Self { scope: scope.to_owned(), prefix: prefix.to_owned(), suffix, targets, is_exclusive }
    }

    /// Creates the aliases of a name and of the paths below it.
    fn with_subpaths(scope: &str, key: &str, target: Option<&str>, is_exclusive: bool) -> [Self; 2] {
        let key = key.trim_end_matches('/');
        let below = vec![target.map(|target| format!("{target}/*"))];
        let exact = Self::new(scope, key, vec![target.map(str::to_owned)]);
        let below = Self::new(scope, &format!("{key}/*"), below);
        [exact, below].map(|alias| Self { is_exclusive: is_exclusive && alias.is_exclusive, ..alias })
    }

    /// Returns whether a specifier begins with a directory that the alias leads to. Node has modules below others itself.
    fn has_directory(&self, tree: &dyn Tree, specifier: &str) -> bool {
        let head = specifier.split_once('/').map(|(head, _)| head).filter(|_| !NODE_SUBPATHS.contains(&specifier));
        let mut paths = head.and_then(|head| self.paths(head)).into_iter().flatten();
        paths.any(|path| path.is_some_and(|path| is_directory(tree, &path)))
    }

    /// Returns the targets of a specifier; `None` if the alias does not match.
    fn paths(&self, specifier: &str) -> Option<impl Iterator<Item = Option<String>>> {
        let rest = specifier.strip_prefix(self.prefix.as_str())?;
        let between = match &self.suffix {
            Some(suffix) => rest.strip_suffix(suffix.as_str())?,
            None if rest.is_empty() => "",
            None => return None,
        };
        let between = between.to_owned();
        Some(self.targets.iter().map(move |target| join("", &target.as_ref()?.replacen('*', &between, 1))))
    }
}

impl Aliases {
    /// Reads the aliases of all configurations in a tree.
    pub(super) fn new(tree: &dyn Tree) -> Self {
        let mut all = Vec::new();
        for path in tree.files() {
            let last = name(path);
            let json = |stem: &str| last.starts_with(stem) && extension(last) == "json";
            if json("tsconfig") || json("jsconfig") {
                tsconfig::read_tsconfig(tree, path, &mut all);
            } else if matches!(last, "deno.json" | "deno.jsonc" | "import_map.json") {
                read_import_map(tree, path, &mut all);
            } else if matches!(last, "package.json" | ".babelrc" | ".babelrc.json") {
                read_module_aliases(tree, path, &mut all);
            } else if let Some(scope) = bundler::config_scope(path) {
                bundler::read_config(tree, path, scope, &mut all);
            }
        }
        Self { all }
    }

    /// Finds the targets of a specifier in a file. If a package is declared that it may name, an alias of all names has none. Else it
    /// stands for those that begin with a directory which it leads to.
    pub(super) fn find(&self, tree: &dyn Tree, path: &str, specifier: &str, is_dependency: bool) -> AliasMatch {
        let mut matched = AliasMatch::default();
        let mut unread: Vec<&str> = Vec::new();
        let mut read: Vec<&str> = Vec::new();
        let mut any_exclusive = false;
        let is_unsure = |alias: &Alias| is_dependency && alias.prefix.is_empty();
        let near = self.all.iter().filter(|alias| is_within(path, &alias.scope) || alias.scope.is_empty());
        let near = near.filter(|alias| specifier.starts_with(alias.prefix.as_str()));
        // As in TypeScript, the longest prefix counts first.
        let mut near: Vec<&Alias> = near.filter(|alias| !is_unsure(alias)).collect();
        near.sort_by_key(|alias| Reverse(alias.prefix.len()));
        for alias in near {
            let Some(paths) = alias.paths(specifier) else { continue };
            any_exclusive |= alias.is_exclusive || alias.prefix.is_empty() && alias.has_directory(tree, specifier);
            if alias.is_exclusive && matched.prefix.as_ref().is_none_or(|prefix| prefix.len() < alias.prefix.len()) {
                matched.prefix = Some(alias.prefix.clone());
            }
            let prefix = alias.prefix.trim_end_matches('/');
            for path in paths {
                match path {
                    Some(path) => {
                        read.push(prefix);
                        if !matched.paths.contains(&path) {
                            matched.paths.push(path);
                        }
                    }
                    None => unread.push(prefix),
                }
            }
        }
        // A bundler computes the targets that the compiler is told by its configuration.
        matched.is_exclusive = any_exclusive && unread.iter().all(|prefix| read.contains(prefix));
        matched
    }
}

/// Adds the entries of a Deno import map that name files of the project.
fn read_import_map(tree: &dyn Tree, path: &str, all: &mut Vec<Alias>) {
    let text = tree.read_shared(path);
    let Some(root) = text.as_deref().and_then(read) else { return };
    let at = parent(path);
    for (key, value) in root.get("imports").map_or(&[][..], |node| node.entries()) {
        let Some(target) = value.str().filter(|target| target.starts_with('.')).and_then(|target| join(at, target))
        else {
            continue;
        };
        if key.text.ends_with('/') {
            all.push(Alias::new(at, &format!("{}*", key.text), vec![Some(format!("{target}/*"))]));
        } else {
            all.push(Alias::new(at, &key.text, vec![Some(target)]));
        }
    }
}

/// Adds the directories that a manifest names for the package `module-alias`, or a configuration of Babel for its `module-resolver`.
fn read_module_aliases(tree: &dyn Tree, path: &str, all: &mut Vec<Alias>) {
    let text = tree.read_shared(path).filter(|text| text.contains("_moduleAliases") || text.contains("\"alias\""));
    let Some(root) = text.as_deref().and_then(read) else { return };
    let at = parent(path);
    let plugins = root.get("plugins").map_or(&[][..], |node| node.items());
    let options = plugins.iter().filter_map(|plugin| plugin.items().get(1)?.get("alias"));
    let entries = root.get("_moduleAliases").into_iter().chain(options).flat_map(Node::entries);
    for (key, value) in entries.take(MAX_MODULE_ALIASES) {
        let target = value.str().and_then(|target| join(at, target)).filter(|target| tree.kind(target).is_some());
        if let Some(target) = target.filter(|_| !key.text.starts_with('^')) {
            all.extend(Alias::with_subpaths(at, &key.text, Some(&target), true));
        }
    }
}

/// Returns whether a directory exists.
fn is_directory(tree: &dyn Tree, path: &str) -> bool {
    tree.kind(path) == Some(Kind::Directory)
}
