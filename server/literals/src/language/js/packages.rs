//! `Packages`: the packages that are in the project, by their names, and what they say they have. They need not be
//! installed, and what they have need not be built.

use rustc_hash::{FxHashMap, FxHashSet};

use super::endings::file_at;
use crate::language::data::Node;
use crate::language::data::json::read;
use crate::path::{join, name, parent};
use crate::project::Project;
use crate::tree::{Kind, Tree};

/// Where builds put what they make of `src`.
const BUILT: [&str; 14] = [
    "build", "cjs", "commonjs", "dist", "dist-src", "es", "esm", "lib", "mjs", "module", "out", "types", "typings",
    "umd",
];

/// All packages.
pub(super) struct Packages {
    by_name: FxHashMap<String, Package>,
    dependencies: FxHashSet<String>,
}

/// One package.
struct Package {
    directory: String,
    node: Node<'static>,
}

/// Where a name in a package leads.
pub(super) enum Entry {
    /// There, also where what is named is built from it.
    Found(String),
    /// It should be one of these, and is not.
    Missing(Vec<String>),
    /// A build makes it, or nothing is said of it.
    Unknown,
}

impl Packages {
    /// Of all `package.json` in a tree.
    pub(super) fn new(tree: &dyn Tree) -> Self {
        let mut packages = Self { by_name: FxHashMap::default(), dependencies: FxHashSet::default() };
        for path in tree.files().iter().filter(|path| name(path) == "package.json") {
            let text = tree.read(path);
            let Some(node) = text.as_deref().and_then(read) else { continue };
            for group in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
                let names = node.get(group).map_or(&[][..], Node::entries);
                packages.dependencies.extend(names.iter().map(|(name, _)| name.text.clone().into_owned()));
            }
            let Some(own) = node.get("name").and_then(Node::str).map(str::to_owned) else { continue };
            let package = Package { directory: parent(path).to_owned(), node: node.into_owned() };
            packages.by_name.entry(own).or_insert(package);
        }
        packages
    }

    /// Whether some package asks for the one that a specifier names, from elsewhere.
    pub(super) fn is_asked_for(&self, specifier: &str) -> bool {
        self.dependencies.contains(split(specifier).0)
    }

    /// Where a specifier leads that names one of them; `None` if it names none.
    pub(super) fn entry(&self, project: &Project, specifier: &str) -> Option<Entry> {
        let (name, below) = split(specifier);
        let package = self.by_name.get(name)?;
        Some(package.entry(project, below))
    }

    /// Where `#x` leads, as the nearest `package.json` says that says anything of it.
    pub(super) fn import(project: &Project, directory: &str, specifier: &str) -> Option<Entry> {
        let mut at = directory;
        loop {
            let path = join(at, "package.json")?;
            if let Some(node) = project.tree().read(&path).as_deref().and_then(read) {
                let targets = node.get("imports").map(|imports| targets(imports, specifier));
                return targets.filter(|targets| !targets.is_empty()).map(|targets| decide(project, at, &targets));
            }
            if at.is_empty() {
                return None;
            }
            at = parent(at);
        }
    }
}

impl Package {
    fn entry(&self, project: &Project, below: &str) -> Entry {
        let tree = project.tree();
        let at = &self.directory;
        if let Some(exports) = self.node.get("exports") {
            let key = if below.is_empty() { ".".to_owned() } else { format!("./{below}") };
            let targets = targets(exports, &key);
            let said = decide(project, at, &targets);
            if !matches!(said, Entry::Unknown) {
                return said;
            }
        }
        let main = ["source", "types", "typings", "module", "main"];
        let main = main.iter().filter_map(|key| self.node.get(key)?.str()).chain(["index", "src/index"]);
        let own = [below.to_owned(), format!("src/{below}")];
        let paths: Vec<String> = if below.is_empty() { main.map(str::to_owned).collect() } else { own.into() };
        if let Some(found) = paths.iter().find_map(|path| there(project, at, path)) {
            return Entry::Found(found);
        }
        let head = below.split('/').next().unwrap_or_default();
        let is_kept = join(at, head).is_some_and(|head| tree.kind(&head) == Some(Kind::Directory));
        let is_plain = self.node.get("exports").is_none() && below.contains('/') && is_kept && !BUILT.contains(&head);
        if is_plain { Entry::Missing(join(at, below).into_iter().collect()) } else { Entry::Unknown }
    }
}

/// What these targets of a package in a directory lead to: the first one that is there, or that would be built from
/// what is there.
fn decide(project: &Project, at: &str, targets: &[String]) -> Entry {
    if let Some(found) = targets.iter().find_map(|target| there(project, at, target)) {
        return Entry::Found(found);
    }
    let tree = project.tree();
    let kept = targets.iter().filter(|target| {
        let target = target.trim_start_matches("./");
        let head = target.split('/').next().unwrap_or_default();
        target.contains('/')
            && !BUILT.contains(&head)
            && join(at, head).is_some_and(|head| tree.kind(&head) == Some(Kind::Directory))
    });
    let kept: Vec<String> = kept.filter_map(|target| join(at, target)).collect();
    if kept.is_empty() || kept.len() < targets.len() { Entry::Unknown } else { Entry::Missing(kept) }
}

/// The file that a path below a package leads to, or that it would be built from.
fn there(project: &Project, at: &str, target: &str) -> Option<String> {
    let path = join(at, target)?;
    if let Some(found) = file_at(project, &path) {
        return Some(found);
    }
    let target = target.trim_start_matches("./");
    let stem = [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"].iter().find_map(|end| target.strip_suffix(end));
    let stem = stem.unwrap_or(target);
    let mut rest = stem;
    while let Some((head, below)) = rest.split_once('/') {
        if !BUILT.contains(&head) {
            break;
        }
        rest = below;
    }
    if rest == stem {
        return None;
    }
    let mirrors = [format!("src/{rest}"), rest.to_owned(), format!("src/{rest}/index"), format!("source/{rest}")];
    mirrors.iter().filter_map(|mirror| join(at, mirror)).find_map(|path| file_at(project, &path))
}

/// What a table of `exports` or `imports` says of a key, under any conditions.
fn targets(table: &Node, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    let is_table = table.entries().iter().any(|(name, _)| name.text.starts_with(['.', '#']));
    if !is_table {
        if key == "." {
            all(table, "", &mut found);
        }
        return found;
    }
    for (name, node) in table.entries() {
        let between = match name.text.split_once('*') {
            Some((before, after)) => {
                key.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).filter(|between| !between.is_empty())
            }
            None if name.text == key => Some(""),
            None => None,
        };
        if let Some(between) = between {
            all(node, between, &mut found);
        }
    }
    found
}

/// Every text in a node. The reader has bounded the depth.
fn all(node: &Node, between: &str, found: &mut Vec<String>) {
    match node {
        Node::Text(text) if text.text.starts_with('.') => found.push(text.text.replace('*', between)),
        Node::List(items) => items.iter().for_each(|item| all(item, between, found)),
        Node::Map(entries) => entries.iter().for_each(|(_, node)| all(node, between, found)),
        Node::Text(_) | Node::Other(_) => {}
    }
}

/// A specifier as a package's name and what is below it.
pub(super) fn split(specifier: &str) -> (&str, &str) {
    let slashes = if specifier.starts_with('@') { 2 } else { 1 };
    match specifier.match_indices('/').nth(slashes - 1) {
        Some((at, _)) => (&specifier[..at], &specifier[at + 1..]),
        None => (specifier, ""),
    }
}
