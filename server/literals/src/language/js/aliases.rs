//! `Aliases`: what specifiers can begin with that stands for a place in the project, as its configurations say.

mod bundler;
mod tsconfig;

use crate::language::data::json::read;
use crate::path::{extension, join, name, parent};
use crate::project::within;
use crate::tree::{Kind, Tree};

/// One name for a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alias {
    /// The directory whose files can use it.
    scope: String,
    /// What a specifier begins with.
    before: String,
    /// What it ends with, where anything can stand between; `None` if nothing can.
    after: Option<String>,
    /// Where that leads, relative to the root, `*` for what stands between; `None` if that is computed.
    targets: Vec<Option<String>>,
    /// Whether nothing else can decide what begins so.
    is_sole: bool,
}

/// All aliases of a project.
#[derive(Default)]
pub(super) struct Aliases {
    all: Vec<Alias>,
}

/// What aliases say of one specifier.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// Where it can lead, relative to the root.
    pub(super) paths: Vec<String>,
    /// Whether all of that is known, and decides.
    pub(super) is_sole: bool,
}

impl Alias {
    fn new(scope: &str, pattern: &str, targets: Vec<Option<String>>) -> Self {
        let (before, after) = match pattern.split_once('*') {
            Some((before, after)) => (before, Some(after.to_owned())),
            None => (pattern, None),
        };
        let is_sole = !before.is_empty();
        Self { scope: scope.to_owned(), before: before.to_owned(), after, targets, is_sole }
    }

    /// A name, and what lies below it.
    fn both(scope: &str, key: &str, target: Option<&str>, is_sole: bool) -> [Self; 2] {
        let key = key.trim_end_matches('/');
        let below = vec![target.map(|target| format!("{target}/*"))];
        let exact = Self::new(scope, key, vec![target.map(str::to_owned)]);
        let below = Self::new(scope, &format!("{key}/*"), below);
        [exact, below].map(|alias| Self { is_sole: is_sole && alias.is_sole, ..alias })
    }

    fn paths(&self, specifier: &str) -> Option<impl Iterator<Item = Option<String>>> {
        let rest = specifier.strip_prefix(self.before.as_str())?;
        let between = match &self.after {
            Some(after) => rest.strip_suffix(after.as_str())?,
            None if rest.is_empty() => "",
            None => return None,
        };
        let between = between.to_owned();
        Some(self.targets.iter().map(move |target| join("", &target.as_ref()?.replacen('*', &between, 1))))
    }
}

impl Aliases {
    /// Of all configurations in a tree.
    pub(super) fn new(tree: &dyn Tree) -> Self {
        let mut all = Vec::new();
        for path in tree.files() {
            let last = name(path);
            let json = |stem: &str| last.starts_with(stem) && extension(last) == "json";
            if json("tsconfig") || json("jsconfig") {
                tsconfig::read(tree, path, &mut all);
            } else if matches!(last, "deno.json" | "deno.jsonc" | "import_map.json") {
                import_map(tree, path, &mut all);
            } else if let Some(scope) = bundler::scope(path) {
                bundler::read(tree, path, scope, &mut all);
            }
        }
        Self { all }
    }

    /// What they say of a specifier in a file.
    pub(super) fn of(&self, path: &str, specifier: &str) -> Said {
        let mut said = Said::default();
        let mut is_decided = true;
        let mut any = false;
        for alias in self.all.iter().filter(|alias| within(path, &alias.scope) || alias.scope.is_empty()) {
            let Some(paths) = alias.paths(specifier) else { continue };
            any |= alias.is_sole;
            for path in paths {
                match path {
                    Some(path) if said.paths.contains(&path) => {}
                    Some(path) => said.paths.push(path),
                    None => is_decided = false,
                }
            }
        }
        said.is_sole = any && is_decided;
        said
    }
}

/// Deno's names for modules: only those that lead into the project matter.
fn import_map(tree: &dyn Tree, path: &str, all: &mut Vec<Alias>) {
    let text = tree.read(path);
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

/// Whether a directory is there.
fn is_directory(tree: &dyn Tree, path: &str) -> bool {
    tree.kind(path) == Some(Kind::Directory)
}
