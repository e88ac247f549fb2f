//! `LearnedAliases`: prefixes of specifiers that code maps to a directory, learned from the imports that use them.
//!
//! A configuration can compute its aliases, and plug-ins add some. Then no file says that `@app/x` leads to `src/x`. If nearly all
//! imports of a package that begin with a prefix lead to files below one directory, the prefix leads there.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::extensions::resolve_file;
use super::modules::JsModules;
use super::packages::JsPackages;
use super::resolve::strip_loader_suffix;
use pathfinder_literals::path::{ancestors, head, is_within, join, name, parent};
use pathfinder_literals::{Kind, Project, ProjectIndex, Tree};

/// The most scripts that are read, evenly spread over the tree. An alias is used all over a package, so a part of the scripts shows it.
/// With more, a check of 2 000 scripts takes 2 % more time.
const MAX_FILES: usize = 1_000;
/// The part of a script that is searched. Imports are at its beginning, in components behind the template.
const MAX_SEARCHED_BYTES: usize = 16 << 10;
/// The longest specifier that is read. Real ones have a third of it.
const MAX_SPECIFIER_BYTES: usize = 200;
/// The fewest distinct specifiers that lead to files. The prefix of a package that is not declared, such as a hoisted one, has at most
/// two or three that happen to be names of files below one directory.
const MIN_FOUND: usize = 8;
/// One in so many specifiers can lead to no file, besides the one that is asked for: it may be generated, or broken too. A prefix that
/// also leads elsewhere, such as that of a theme whose files can be replaced one by one, has more.
const MISSING_DIVISOR: usize = 20;
/// The most specifiers of a prefix that are looked up. Each takes some ten questions to the tree.
const MAX_LOOKED_UP: usize = 400;
/// The most prefixes that are looked up, those with the most specifiers. Projects have a handful, and each costs a pass over the paths.
const MAX_PREFIXES: usize = 200;
/// Specifiers that choose between the directories.
const MAX_SAMPLES: usize = 16;
/// The most directories that are compared. A project with more of the same content has no single directory.
const MAX_DIRECTORIES: usize = 16;
/// The most directories that are compared for a prefix of several packages. Each of those can have directories of these names.
const MAX_SHARED_DIRECTORIES: usize = 64;
/// The most listed paths that are searched for directories: those of a large monorepo.
const MAX_LISTED: usize = 100_000;
/// Modules of Node below others. They are in no `package.json`.
pub(super) const NODE_SUBPATHS: [&str; 12] = [
    "assert/strict",
    "dns/promises",
    "fs/promises",
    "inspector/promises",
    "path/posix",
    "path/win32",
    "readline/promises",
    "stream/consumers",
    "stream/promises",
    "stream/web",
    "timers/promises",
    "util/types",
];

/// The specifiers of all packages by their prefixes.
pub(crate) struct LearnedAliases {
    /// By the directory of the package, then by prefix.
    packages: FxHashMap<String, FxHashMap<String, PrefixUses>>,
    /// The prefixes that several packages use, which lead to a directory of the project. A package of few scripts shows too little of its own.
    shared: FxHashMap<String, PrefixUses>,
}

/// The uses of one prefix in a package.
#[derive(Default)]
struct PrefixUses {
    /// The distinct rests of the specifiers.
    rests: FxHashSet<String>,
    directory: OnceLock<Option<String>>,
}

/// The target of a specifier by a learned alias.
pub(super) struct LearnedTarget {
    /// The path of the target, relative to the root.
    pub(super) path: String,
    /// The beginning of the specifiers with this alias.
    pub(super) prefix: String,
    /// The specifier without the prefix.
    pub(super) rest: String,
    /// True if the target's place is known to belong to the alias. A first segment without a directory may be another alias or a
    /// package.
    pub(super) is_certain: bool,
}

impl ProjectIndex for LearnedAliases {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let packages = project.index::<JsModules>().packages();
        let is_script = |path: &&String| {
            (super::script_syntax(path).is_some() || super::framework(path).is_some()) && !name(path).contains(".min.")
        };
        let scripts: Vec<&String> = tree.files().iter().filter(is_script).collect();
        let mut all = Self { packages: FxHashMap::default(), shared: FxHashMap::default() };
        let mut nearest: FxHashMap<&str, Option<&str>> = FxHashMap::default();
        for path in scripts.iter().step_by(scripts.len().div_ceil(MAX_FILES).max(1)) {
            let at = parent(path);
            let Some(package) = *nearest.entry(at).or_insert_with(|| find_package(tree, at)) else { continue };
            let Some(text) = tree.read_shared(path) else { continue };
            let own = find_specifiers(head(&text, MAX_SEARCHED_BYTES));
            for specifier in own.filter(|specifier| can_be_alias(packages, specifier)) {
                all.add(package, specifier);
            }
        }
        all.share();
        all.keep_most_used();
        all
    }
}

impl LearnedAliases {
    /// Adds a specifier to the uses of its prefixes.
    fn add(&mut self, package: &str, specifier: &str) {
        if !self.packages.contains_key(package) {
            self.packages.insert(package.to_owned(), FxHashMap::default());
        }
        let Some(uses) = self.packages.get_mut(package) else { return };
        for (prefix, rest) in prefixes(specifier) {
            if !uses.contains_key(prefix) {
                uses.insert(prefix.to_owned(), PrefixUses::default());
            }
            let Some(PrefixUses { rests, .. }) = uses.get_mut(prefix) else { continue };
            if !rests.contains(rest) {
                rests.insert(rest.to_owned());
            }
        }
    }

    /// Gathers the uses of the prefixes that several packages have.
    fn share(&mut self) {
        let mut packages: FxHashMap<&str, usize> = FxHashMap::default();
        for prefix in self.packages.values().flat_map(FxHashMap::keys) {
            *packages.entry(prefix).or_default() += 1;
        }
        let mut shared: FxHashMap<String, PrefixUses> = FxHashMap::default();
        for (prefix, uses) in self.packages.values().flatten().filter(|(prefix, _)| packages[prefix.as_str()] > 1) {
            shared.entry(prefix.clone()).or_default().rests.extend(uses.rests.iter().cloned());
            // One name can lead to a directory for each part of a program.
            let parts = uses.rests.iter().filter(|_| !prefix.contains('/')).filter_map(|rest| rest.split_once('/'));
            for (part, rest) in parts {
                shared.entry(format!("{prefix}/{part}")).or_default().rests.insert(rest.to_owned());
            }
        }
        shared.retain(|_, uses| uses.rests.len() >= MIN_FOUND);
        // Ties go to the first prefix.
        let mut most: Vec<(usize, String)> =
            shared.iter().map(|(prefix, uses)| (uses.rests.len(), prefix.clone())).collect();
        most.sort_unstable_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        for (_, prefix) in most.into_iter().skip(MAX_PREFIXES) {
            shared.remove(&prefix);
        }
        self.shared = shared;
    }

    /// Keeps the prefixes with the most specifiers. Ties go to the first by package and prefix.
    fn keep_most_used(&mut self) {
        let all = self.packages.iter().flat_map(|(package, uses)| uses.iter().map(move |one| (package, one)));
        let mut counts: Vec<(usize, String, String)> = all
            .map(|(package, (prefix, uses))| (uses.rests.len(), package.clone(), prefix.clone()))
            .filter(|(count, ..)| *count >= MIN_FOUND)
            .collect();
        counts.sort_unstable_by(|one, other| {
            other.0.cmp(&one.0).then_with(|| (&one.1, &one.2).cmp(&(&other.1, &other.2)))
        });
        let kept: FxHashSet<(String, String)> =
            counts.into_iter().take(MAX_PREFIXES).map(|(_, package, prefix)| (package, prefix)).collect();
        self.packages.retain(|package, uses| {
            uses.retain(|prefix, _| kept.contains(&(package.clone(), prefix.clone())));
            !uses.is_empty()
        });
    }

    /// Returns the target of a specifier that no package and no configuration resolves; `None` if its prefix has no single directory.
    pub(super) fn find(project: &Project, file: &str, specifier: &str) -> Option<LearnedTarget> {
        let packages = project.index::<JsModules>().packages();
        let has_head = |(_, rest): (&str, &str)| {
            let head = rest.split('/').next().unwrap_or(rest);
            project.has_name(head) || project.has_name(head.split('.').next().unwrap_or(head))
        };
        if !can_be_alias(packages, specifier) || !prefixes(specifier).any(has_head) {
            return None;
        }
        let package = find_package(project.tree(), parent(file))?;
        let all = project.index::<Self>();
        let own = all.packages.get(package);
        let own_directory = |prefix| {
            own.and_then(|uses| uses.get(prefix))
                .and_then(|uses| uses.directory(project, package, prefix, MAX_DIRECTORIES))
        };
        let own = prefixes(specifier).map(|(prefix, rest)| (prefix, rest, own_directory(prefix)));
        let shared = [1, 0].into_iter().filter_map(|slash| split_at_slash(specifier, slash));
        let shared = shared.map(|(prefix, rest)| (prefix, rest, all.shared_directory(project, prefix)));
        own.chain(shared).find_map(|(prefix, rest, directory)| {
            let directory = directory?;
            let head = rest.split_once('/').and_then(|(head, _)| join(directory, head));
            let has_head = head.is_some_and(|head| project.tree().kind(&head) == Some(Kind::Directory));
            Some(LearnedTarget {
                path: join(directory, rest)?,
                prefix: format!("{prefix}/"),
                rest: rest.to_owned(),
                is_certain: has_head || prefix.contains('/'),
            })
        })
    }
}

impl LearnedAliases {
    /// Returns the directory that a prefix leads to in all packages; `None` if two have such a directory of their own.
    fn shared_directory(&self, project: &Project, prefix: &str) -> Option<&str> {
        let uses = self.shared.get(prefix)?;
        let own = |(package, all): (&String, &FxHashMap<String, PrefixUses>)| {
            // A part below the name of each package's own sources is of each.
            let prefix = [prefix, prefix.split('/').next()?].into_iter().find(|prefix| all.contains_key(*prefix))?;
            let own = all[prefix].directory(project, package, prefix, MAX_DIRECTORIES)?;
            Some(own.to_owned())
        };
        let is_of_each = || {
            let own: FxHashSet<String> = self.packages.iter().filter_map(own).collect();
            own.len() > 1
        };
        if uses.directory.get().is_none() && is_of_each() {
            _ = uses.directory.set(None);
        }
        uses.directory(project, "", prefix, MAX_SHARED_DIRECTORIES)
    }
}

impl PrefixUses {
    /// Returns the directory that the prefix leads to, of so many that have names of the specifiers.
    fn directory(&self, project: &Project, package: &str, prefix: &str, most: usize) -> Option<&str> {
        let find = || {
            // The scope of packages is that of others too, which need not be declared.
            let is_scope = prefix.len() > 1 && prefix.starts_with('@') && !prefix.contains('/');
            if is_scope && project.index::<JsModules>().packages().has_scope(prefix) {
                return None;
            }
            self.find_directory(project, package, most)
        };
        self.directory.get_or_init(find).as_deref()
    }

    fn find_directory(&self, project: &Project, package: &str, most: usize) -> Option<String> {
        let mut rests: Vec<&str> = self.rests.iter().map(String::as_str).collect();
        rests.sort_unstable();
        let spread = |most: usize| rests.iter().step_by(rests.len().div_ceil(most));
        let leads = |directory: &str, rest: &str| {
            join(directory, rest).is_some_and(|path| resolve_file(project, &path).is_some())
        };
        let mut directories = find_directories(project.tree(), package, most_common_head(&rests)?, most);
        let fit = |directory: &String| spread(MAX_SAMPLES).filter(|rest| leads(directory, rest)).count();
        // The shallowest of equal ones comes first.
        directories.sort_by_cached_key(|directory| std::cmp::Reverse(fit(directory)));
        let holds = |directory: &&String| {
            let (mut found, mut missing) = (0, 0);
            for rest in spread(MAX_LOOKED_UP) {
                *(if leads(directory, rest) { &mut found } else { &mut missing }) += 1;
            }
            found >= MIN_FOUND && missing <= 1 + found / MISSING_DIVISOR
        };
        // A compiler makes the declarations of sources in a directory of their own.
        let is_made = |directory: &String| {
            let mut files = spread(MAX_SAMPLES).filter_map(|rest| resolve_file(project, &join(directory, rest)?));
            files.all(|file| file.ends_with(".d.ts"))
        };
        // Copies of a project have a directory each, and a file belongs to one of them.
        let mut all: Vec<&String> = directories.iter().take(3).filter(holds).collect();
        if all.len() > 1 {
            all.retain(|directory| !is_made(directory));
        }
        let [directory] = all[..] else { return None };
        Some(directory.clone())
    }
}

/// Returns the first segment that most of the sorted rests begin with.
fn most_common_head<'r>(rests: &[&'r str]) -> Option<&'r str> {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for rest in rests {
        let head = rest.split('/').next().unwrap_or(rest);
        match groups.last_mut() {
            Some((last, count)) if *last == head => *count += 1,
            _ => groups.push((head, 1)),
        }
    }
    groups.into_iter().rev().max_by_key(|(_, count)| *count).map(|(head, _)| head)
}

/// Returns the directories in a package that hold an entry of this name, with or without an extension, the shallowest first.
fn find_directories(tree: &dyn Tree, package: &str, entry: &str, most: usize) -> Vec<String> {
    let files = tree.files();
    let from = files.partition_point(|path| path.as_str() < package);
    let is_inside = |path: &str| package.is_empty() || is_within(path, package);
    let below = files[from..].iter().take(MAX_LISTED).take_while(|path| path.starts_with(package));
    let mut found: FxHashSet<&str> = FxHashSet::default();
    for path in below.filter(|path| is_inside(path)) {
        for (at, _) in path.match_indices(entry) {
            let is_start = at == 0 || path.as_bytes()[at - 1] == b'/';
            let directory = &path[..at.saturating_sub(1)];
            if is_start && path[at + entry.len()..].starts_with(['/', '.']) && is_inside(directory) {
                found.insert(directory);
            }
        }
    }
    let mut all: Vec<String> = found.into_iter().map(str::to_owned).collect();
    all.sort_unstable_by(|one, other| (one.matches('/').count(), one).cmp(&(other.matches('/').count(), other)));
    all.truncate(most);
    all
}

/// Returns the directory of the nearest `package.json`.
fn find_package<'p>(tree: &dyn Tree, directory: &'p str) -> Option<&'p str> {
    let has_manifest = |at: &&str| join(at, "package.json").is_some_and(|path| tree.kind(&path) == Some(Kind::File));
    ancestors(directory).find(has_manifest)
}

/// Returns whether a specifier can begin with an alias: it has a path and names no package and no module of Node.
fn can_be_alias(packages: &JsPackages, specifier: &str) -> bool {
    let has_mark = specifier.contains([':', '!', '{', '}', '<', '>', '*', '|', '`', ' ', '\n', '\\']);
    prefixes(specifier).next().is_some()
        && !specifier.starts_with(['.', '/'])
        && !has_mark
        && !specifier.contains("..")
        && !NODE_SUBPATHS.contains(&specifier)
        && !packages.is_dependency(specifier)
        && !packages.is_own(specifier)
}

/// The prefixes of a specifier that can be an alias, each with the rest: `@a/b` and `@a` of `@a/b/c`.
fn prefixes(specifier: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_scoped = specifier.starts_with('@') && !specifier.starts_with("@/");
    is_scoped.then(|| split_at_slash(specifier, 1)).flatten().into_iter().chain(split_at_slash(specifier, 0))
}

/// The parts of a specifier before and after a slash, counted from 0; `None` if one is empty.
fn split_at_slash(specifier: &str, slash: usize) -> Option<(&str, &str)> {
    let (at, _) = specifier.match_indices('/').nth(slash)?;
    let (prefix, rest) = (&specifier[..at], specifier[at + 1..].trim_end_matches('/'));
    (!prefix.is_empty() && !rest.is_empty()).then_some((prefix, rest))
}

/// The specifiers of the imports in a text. Some may be in comments.
fn find_specifiers(text: &str) -> impl Iterator<Item = &str> {
    const WORDS: [&str; 3] = ["from", "import", "require"];
    let ends = WORDS.into_iter().flat_map(move |word| {
        memchr::memmem::find_iter(text.as_bytes(), word.as_bytes()).map(move |at| at + word.len()).collect::<Vec<_>>()
    });
    ends.filter_map(move |end| {
        let rest = text[end..].trim_start_matches([' ', '(', '\n', '\r', '\t']);
        let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
        let (specifier, _) = head(&rest[1..], MAX_SPECIFIER_BYTES).split_once(mark)?;
        Some(strip_loader_suffix(specifier))
    })
}
