//! `JsPackages`: the packages of the project by name, with their entry points. They need not be installed or built.

use rustc_hash::{FxHashMap, FxHashSet};

use super::extensions::{likely_paths, resolve_file};
use crate::near_name::NearName;
use pathfinder_literals::path::{ancestors, is_within, join, name, parent};
use pathfinder_literals::typo::is_typo;
use pathfinder_literals::typo_findings::is_plural;
use pathfinder_literals::{Kind, Project, Tree};
use pathfinder_syntax::data::Node;
use pathfinder_syntax::data::json::read;

/// Directories that builds write the output of `src` to.
const OUTPUT_DIRECTORIES: [&str; 14] = [
    "build", "cjs", "commonjs", "dist", "dist-src", "es", "esm", "lib", "mjs", "module", "out", "types", "typings",
    "umd",
];

/// All packages of a project, and the names of their dependencies.
pub(super) struct JsPackages {
    by_name: FxHashMap<String, JsPackage>,
    dependencies: FxHashSet<String>,
}

/// Shorter names without a scope or a dash are one letter from those of libraries by chance.
const MIN_NAME_BYTES: usize = 8;
/// Files with one name that are looked through: a large workspace has some dozen packages with an `errors.ts`.
const MAX_NAMESAKES: usize = 64;

/// One package.
struct JsPackage {
    directory: String,
    node: Node<'static>,
}

/// The target of a specifier in a package.
pub(super) enum PackageEntry {
    /// The file exists, or is built from this one.
    Found(String),
    /// None of these paths exists, and no build creates them.
    Missing(Vec<String>),
    /// A build creates the target, or the package does not declare it.
    Unknown,
}

impl JsPackages {
    /// Reads every `package.json` in a tree.
    pub(super) fn new(tree: &dyn Tree) -> Self {
        let mut packages = Self { by_name: FxHashMap::default(), dependencies: FxHashSet::default() };
        for path in tree.files().iter().filter(|path| name(path) == "package.json") {
            let text = tree.read_shared(path);
            let Some(node) = text.as_deref().and_then(read) else { continue };
            for group in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
                let names = node.get(group).map_or(&[][..], Node::entries);
                packages.dependencies.extend(names.iter().map(|(name, _)| name.text.clone().into_owned()));
            }
            let Some(own) = node.get("name").and_then(Node::str).map(str::to_owned) else { continue };
            let package = JsPackage { directory: parent(path).to_owned(), node: node.into_owned() };
            packages.by_name.entry(own).or_insert(package);
        }
        packages
    }

    /// Returns whether some package depends on the one that a specifier names.
    pub(super) fn is_dependency(&self, specifier: &str) -> bool {
        self.dependencies.contains(split_specifier(specifier).0)
    }

    /// Returns whether a specifier names a package of the project.
    pub(super) fn is_own(&self, specifier: &str) -> bool {
        self.by_name.contains_key(split_specifier(specifier).0)
    }

    /// Returns whether a package of the project, or one that it depends on, has this scope.
    pub(super) fn has_scope(&self, scope: &str) -> bool {
        let mut names = self.by_name.keys().chain(&self.dependencies);
        names.any(|name| name.strip_prefix(scope).is_some_and(|rest| rest.starts_with('/')))
    }

    /// Resolves a specifier that names a package of the project; `None` for other names.
    pub(super) fn resolve(&self, project: &Project, specifier: &str) -> Option<PackageEntry> {
        let (name, below) = split_specifier(specifier);
        let package = self.by_name.get(name)?;
        Some(package.resolve(project, below))
    }

    /// The sources, in directories of the package, from which its build could make what a specifier names.
    pub(super) fn possible_sources(&self, tree: &dyn Tree, specifier: &str) -> Vec<String> {
        let (name, below) = split_specifier(specifier);
        let Some(package) = self.by_name.get(name) else { return Vec::new() };
        let targets = match package.node.get("exports") {
            Some(exports) => matching_targets(exports, &format!("./{below}")),
            None => vec![below.to_owned()],
        };
        // A build without `exports` can put what is in `src` beside its manifest, and a bundler reads what lies there.
        let is_open = package.node.get("exports").is_none();
        let beside = if is_open { vec![format!("src/{below}"), below.to_owned()] } else { Vec::new() };
        let sources = targets.iter().flat_map(|target| sources_of(target)).chain(beside);
        let sources = sources.filter_map(|source| join(&package.directory, &source));
        // A move can have taken the directory along.
        let is_near =
            |source: &str| ancestors(source).skip(1).take(2).any(|above| tree.kind(above) == Some(Kind::Directory));
        let mut sources: Vec<String> = sources.filter(|source| is_near(source)).collect();
        // Few paths are compared for a typo: those with the most of their directories come first.
        sources.sort_by_key(|source| {
            let is_there = tree.kind(parent(source)) == Some(Kind::Directory);
            (!is_there, std::cmp::Reverse(source.matches('/').count()))
        });
        sources
    }

    /// The paths that a specifier would have led to if the name of a package of the project, or of an entry of one, were as it is mistyped:
    /// `@x/recrds` to `packages/recrds/index.ts`.
    pub(super) fn mistyped_paths(&self, project: &Project, specifier: &str) -> Vec<String> {
        let (typed, below) = split_specifier(specifier);
        let entry = |package: &JsPackage, below: &str| match package.resolve(project, below) {
            PackageEntry::Found(path) => Some(path),
            PackageEntry::Missing(_) | PackageEntry::Unknown => None,
        };
        if let Some(package) = self.by_name.get(typed) {
            let keys = package.node.get("exports").map_or(&[][..], Node::entries);
            let keys = keys.iter().filter_map(|(key, _)| key.text.strip_prefix("./"));
            let alike = keys.filter(|key| key.split('/').count() == below.split('/').count() && is_typo(below, key));
            return alike.filter_map(|key| mistype(&entry(package, key)?, key, below)).collect();
        }
        let names = self.near_names(typed).into_iter();
        names.filter_map(|own| mistype(&entry(&self.by_name[own], below)?, own, typed)).collect()
    }

    /// The names of packages of the project from which a name that nothing declares differs by a typo, in order.
    fn near_names(&self, typed: &str) -> Vec<&String> {
        if self.dependencies.contains(typed) || !typed.contains(['/', '-']) && typed.len() < MIN_NAME_BYTES {
            return Vec::new();
        }
        let mut names: Vec<&String> = self.by_name.keys().filter(|own| is_typo(typed, own)).collect();
        names.sort_unstable();
        names
    }

    /// The only package of the project whose name a specifier has with a typo, and the directory that a package of the written name would
    /// have beside it. That there is a directory, another package of a name as near, or a plural, says that the name is meant.
    pub(super) fn near_package(&self, project: &Project, specifier: &str) -> Option<(NearName, String)> {
        let (typed, below) = split_specifier(specifier);
        let [own] = *self.near_names(typed).as_slice() else { return None };
        let package = &self.by_name[own];
        let PackageEntry::Found(file) = package.resolve(project, below) else { return None };
        let beside = join(parent(&package.directory), name(typed)).filter(|at| project.tree().kind(at).is_none())?;
        (!is_plural(name(typed), name(own)))
            .then(|| (NearName { file, name: own.clone(), written: typed.to_owned() }, beside))
    }

    /// Resolves `#x` by the nearest `package.json` with a matching entry in `imports`.
    pub(super) fn resolve_import(project: &Project, directory: &str, specifier: &str) -> Option<PackageEntry> {
        let mut at = directory;
        loop {
            let path = join(at, "package.json")?;
            if let Some(node) = project.tree().read_shared(&path).as_deref().and_then(read) {
                let targets = node.get("imports").map(|imports| matching_targets(imports, specifier));
                return targets
                    .filter(|targets| !targets.is_empty())
                    .map(|targets| choose_target(project, at, &targets));
            }
            if at.is_empty() {
                return None;
            }
            at = parent(at);
        }
    }
}

/// A path with a name as it is mistyped in place of the right one: the segment in which the two names differ, with any ending.
fn mistype(path: &str, right: &str, typed: &str) -> Option<String> {
    let (right, typed) = right.split('/').zip(typed.split('/')).find(|(one, other)| one != other)?;
    let is_it =
        |segment: &str| segment.strip_prefix(right).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let at = path.split('/').position(is_it)?;
    let segments = path.split('/').enumerate().map(|(place, segment)| match segment.strip_prefix(right) {
        Some(rest) if place == at => format!("{typed}{rest}"),
        _ => segment.to_owned(),
    });
    Some(segments.collect::<Vec<_>>().join("/"))
}

impl JsPackage {
    /// Finds the source of an output by its name: in whatever directory of the package it is, the build knows it. The shortest path comes first.
    fn find_named_source(&self, project: &Project, output: &str) -> Option<String> {
        let sources = sources_of(output);
        let stem = sources.get(1).filter(|stem| name(stem) != "index")?;
        let paths = likely_paths(stem, true);
        let all = paths.iter().flat_map(|path| project.find_all_by_suffix(path, MAX_NAMESAKES));
        let own = all.filter(|path| is_within(path, &self.directory));
        own.min_by_key(|path| (path.matches('/').count(), *path)).map(str::to_owned)
    }

    /// Resolves a path below the package, or its main file if `below` is empty.
    fn resolve(&self, project: &Project, below: &str) -> PackageEntry {
        let tree = project.tree();
        let at = &self.directory;
        if let Some(exports) = self.node.get("exports") {
            let key = if below.is_empty() { ".".to_owned() } else { format!("./{below}") };
            let targets = matching_targets(exports, &key);
            let target = choose_target(project, at, &targets);
            if !matches!(target, PackageEntry::Unknown) {
                return target;
            }
            if let Some(source) = targets.iter().find_map(|target| self.find_named_source(project, target)) {
                return PackageEntry::Found(source);
            }
        }
        // Only what `exports` declares can be imported.
        if self.node.get("exports").is_some_and(|exports| !exports.entries().is_empty()) && !below.is_empty() {
            return PackageEntry::Unknown;
        }
        let main = ["source", "types", "typings", "module", "main"];
        let main = main.iter().filter_map(|key| self.node.get(key)?.str()).chain(["index", "src/index"]);
        let own = [below.to_owned(), format!("src/{below}")];
        let paths: Vec<String> = if below.is_empty() { main.map(str::to_owned).collect() } else { own.into() };
        if let Some(found) = paths.iter().find_map(|path| find_target(project, at, path)) {
            return PackageEntry::Found(found);
        }
        let head = below.split('/').next().unwrap_or_default();
        let is_source = join(at, head).is_some_and(|head| tree.kind(&head) == Some(Kind::Directory));
        let is_plain = self.node.get("exports").is_none()
            && below.contains('/')
            && is_source
            && !OUTPUT_DIRECTORIES.contains(&head);
        if is_plain { PackageEntry::Missing(join(at, below).into_iter().collect()) } else { PackageEntry::Unknown }
    }
}

/// Resolves the targets of an entry: to the first that exists, or whose source exists.
fn choose_target(project: &Project, at: &str, targets: &[String]) -> PackageEntry {
    if let Some(found) = targets.iter().find_map(|target| find_target(project, at, target)) {
        return PackageEntry::Found(found);
    }
    let tree = project.tree();
    let sources = targets.iter().filter(|target| {
        let target = target.trim_start_matches("./");
        let head = target.split('/').next().unwrap_or_default();
        target.contains('/')
            && !OUTPUT_DIRECTORIES.contains(&head)
            && join(at, head).is_some_and(|head| tree.kind(&head) == Some(Kind::Directory))
    });
    let sources: Vec<String> = sources.filter_map(|target| join(at, target)).collect();
    if sources.is_empty() || sources.len() < targets.len() {
        PackageEntry::Unknown
    } else {
        PackageEntry::Missing(sources)
    }
}

/// The file at a path below a package, or the source that it is built from.
fn find_target(project: &Project, at: &str, target: &str) -> Option<String> {
    let path = join(at, target)?;
    if let Some(found) = resolve_file(project, &path) {
        return Some(found);
    }
    sources_of(target).iter().filter_map(|source| join(at, source)).find_map(|path| resolve_file(project, &path))
}

/// The sources from which a build can make what is below a directory of outputs.
fn sources_of(target: &str) -> Vec<String> {
    let target = target.trim_start_matches("./");
    let stem = [".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"].iter().find_map(|end| target.strip_suffix(end));
    let stem = stem.unwrap_or(target);
    let mut rest = stem;
    while let Some((head, below)) = rest.split_once('/') {
        if !OUTPUT_DIRECTORIES.contains(&head) {
            break;
        }
        rest = below;
    }
    if rest == stem {
        return Vec::new();
    }
    vec![format!("src/{rest}"), rest.to_owned(), format!("src/{rest}/index"), format!("source/{rest}")]
}

/// The targets of a key in a table of `exports` or `imports`, under any condition.
fn matching_targets(table: &Node, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    let is_table = table.entries().iter().any(|(name, _)| name.text.starts_with(['.', '#']));
    if !is_table {
        if key == "." {
            collect_texts(table, "", &mut found);
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
            collect_texts(node, between, &mut found);
        }
    }
    found
}

/// Adds every text of a node. The parser has bounded the depth.
fn collect_texts(node: &Node, between: &str, found: &mut Vec<String>) {
    match node {
        Node::Text(text) if text.text.starts_with('.') => found.push(text.text.replace('*', between)),
        Node::List(items) => items.iter().for_each(|item| collect_texts(item, between, found)),
        Node::Map(entries) => entries.iter().for_each(|(_, node)| collect_texts(node, between, found)),
        Node::Text(_) | Node::Other(_) => {}
    }
}

/// Splits a specifier into a package's name and the path below it.
pub(super) fn split_specifier(specifier: &str) -> (&str, &str) {
    let slashes = if specifier.starts_with('@') { 2 } else { 1 };
    match specifier.match_indices('/').nth(slashes - 1) {
        Some((at, _)) => (&specifier[..at], &specifier[at + 1..]),
        None => (specifier, ""),
    }
}
