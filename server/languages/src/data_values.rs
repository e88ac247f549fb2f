//! Values of data files that no rule names, but that are paths by evidence. The checks of JSON, YAML and TOML call it last.
//!
//! The strings at one key, in one map or among the keys of one map are a group. If several of a group lead to entries of the
//! tree from one base directory, the others of their form are meant to as well. That is weak evidence: such a list can name
//! files that are gone or not yet there. So a missing one is a hint, and a finding only if git moved it or a typo explains it.

pub(crate) mod names;
pub(crate) mod pages;

use std::hash::{Hash, Hasher};

use pathfinder_literals::path::{extension, is_within, join, name, parent};
use pathfinder_literals::{LiteralKind, Lookup, Project, Severity, Target, Verdict, Want};
use pathfinder_syntax::data::{Node, Text};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::data_report::{DataReport, is_foreign};
use crate::other_times::is_of_other_time;

/// Values that must resolve from one base before others of their group count as paths. One does by chance.
const MIN_RESOLVING: usize = 2;
/// Others in a group for each one that may be missing. Where more are missing, the group holds other names as well.
const MIN_OTHERS_PER_MISSING: usize = 4;
/// Larger files are data, which a program writes.
const MAX_BYTES: usize = 128 << 10;
/// More strings that look like paths are an inventory, not a configuration.
const MAX_VALUES: usize = 2_000;
/// Longest value that is looked at; no path that people write is longer.
const MAX_VALUE_BYTES: usize = 200;
/// Directories above the file that are tried as base; deeper trees repeat them.
const MAX_BASES: usize = 12;
/// Paths with the same ending that vote for a base. More common endings say nothing.
const MAX_SAME_ENDINGS: usize = 8;

/// A string of the file that has the form of a path.
struct Value<'n, 't> {
    text: &'n Text<'t>,
    form: Form,
}

/// The form that values of one meaning share: whether they begin with a dot or a slash, whether they name a directory, and
/// their extension. Among paths, a name alone is often a pattern that matches in any directory.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Form {
    first: Option<u8>,
    has_directory: bool,
    extension: String,
}

/// The strings that are compared with each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// The values of maps at one path of keys.
    Map(u64),
    /// The values of one key, wherever it stands.
    Key(u64),
    /// The keys of maps at one path of keys.
    Keys(u64),
}

/// Returns whether values of a file are worth reading. Lock files and fixtures repeat paths of other trees, and plans those of other times.
pub(crate) fn has_values(path: &str, text: &str) -> bool {
    let name = pathfinder_literals::path::name(path);
    let is_lock = name.split(['.', '-', '_']).any(|word| matches!(word, "lock" | "lockb" | "lockfile"));
    let is_lock = is_lock || name == "npm-shrinkwrap.json";
    text.len() <= MAX_BYTES && !is_lock && !is_foreign(path) && !is_of_other_time(path)
}

/// Adds the values of a document that are paths by evidence, unless another check has added them.
pub(crate) fn check(report: &mut DataReport<'_>, root: &Node<'_>, kind: LiteralKind) {
    let mut reader = Reader { values: Vec::new(), groups: Vec::new(), renamed: FxHashSet::default() };
    reader.read(root, 0, 0, 0);
    let Reader { values, mut groups, renamed } = reader;
    if values.len() < MIN_RESOLVING || values.len() > MAX_VALUES {
        return;
    }
    groups.sort_unstable();
    let known: FxHashSet<usize> = report.starts().collect();
    let mut wanted: FxHashMap<usize, String> = FxHashMap::default();
    for group in groups.chunk_by(|one, other| one.0 == other.0) {
        let Some(base) = find_base(report, &values, group) else { continue };
        let resolved = |at: usize| join(&base, &values[at].text.text).filter(|path| report.exists(path));
        let forms: FxHashSet<&Form> =
            group.iter().filter(|(_, at)| resolved(*at).is_some()).map(|(_, at)| &values[*at].form).collect();
        for (_, at) in group {
            match resolved(*at) {
                Some(path) => _ = wanted.insert(*at, path),
                None if forms.contains(&values[*at].form)
                    && !wanted.contains_key(at)
                    && !names_page(report.project, &values[*at]) =>
                {
                    let Some(path) = join(&base, &values[*at].text.text) else { continue };
                    wanted.insert(*at, path);
                }
                None => {}
            }
        }
    }
    let mut all: Vec<(usize, String)> = wanted.into_iter().collect();
    all.sort_unstable();
    for (at, path) in all {
        let text = values[at].text;
        let exists = report.exists(&path);
        if !known.contains(&(text.range.start + report.source.offset())) && (exists || !renamed.contains(&at)) {
            let resolution = if exists {
                (Verdict::Found(Target { path: path.clone() }), vec![path])
            } else {
                // A list can name files that are gone, but one that is there under its name in another directory has moved.
                let severity = if has_one_namesake(report.project, &path) { Severity::Warning } else { Severity::Hint };
                Lookup::new(report.project, Want::Any).verdict(severity, [Some(path)])
            };
            report.add(kind, text, resolution);
        }
    }
}

/// Returns whether a value without an extension can name a page by its path, as the contents of a site do.
fn names_page(project: &Project, value: &Value<'_, '_>) -> bool {
    const PAGES: [&str; 4] = [".md", ".mdx", ".rst", ".html"];
    let text = value.text.text.trim_matches('/');
    value.form.extension.is_empty()
        && value.form.has_directory
        && PAGES.iter().any(|ending| project.find_by_suffix(&format!("{text}{ending}")).is_some())
}

/// Returns whether exactly one file of the tree has the name of a path, which is no word and does not stand for its directory.
fn has_one_namesake(project: &Project, path: &str) -> bool {
    /// Shorter names without their extension occur in many trees by chance.
    const MIN_STEM_BYTES: usize = 6;
    let last = name(path);
    let stem = last.strip_suffix(extension(last).as_str()).and_then(|stem| stem.strip_suffix('.'));
    stem.is_some_and(|stem| {
        stem.len() >= MIN_STEM_BYTES && !["__init__", "readme"].contains(&stem.to_ascii_lowercase().as_str())
    }) && project.find_all_by_suffix(last, 2).len() == 1
}

/// Returns the directory from which most of a group resolve, if enough do: the file's directory or one above it, or one
/// below it to which the ends of paths lead.
fn find_base(report: &DataReport<'_>, values: &[Value<'_, '_>], group: &[(Group, usize)]) -> Option<String> {
    let texts: FxHashSet<&str> = group.iter().map(|(_, at)| values[*at].text.text.as_ref()).collect();
    let is_enough = |found: usize| {
        let others = texts.len().max(1) - 1;
        found >= MIN_RESOLVING && (others - found.min(others)) * MIN_OTHERS_PER_MISSING <= others
    };
    if texts.len() < MIN_RESOLVING {
        return None;
    }
    let here = report.here();
    let count =
        |base: &str| texts.iter().filter(|text| join(base, text).is_some_and(|path| report.exists(&path))).count();
    let mut best = (0, String::new());
    for base in bases(here) {
        let found = count(base);
        if found > best.0 {
            best = (found, base.to_owned());
        }
    }
    if is_enough(best.0) {
        return Some(best.1);
    }
    let mut votes: Vec<String> = texts.iter().flat_map(|text| bases_below(report.project, here, text)).collect();
    votes.sort_unstable();
    let most =
        votes.chunk_by(|one, other| one == other).max_by_key(|same| (same.len(), std::cmp::Reverse(same[0].len())))?;
    is_enough(most.len()).then(|| most[0].clone())
}

/// A directory and those above it, nearest first, and the root.
fn bases(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory), |at| (!at.is_empty()).then(|| parent(at))).take(MAX_BASES)
}

/// The directories below `here` from which a value resolves.
fn bases_below<'p>(project: &'p Project, here: &str, text: &str) -> impl Iterator<Item = String> + use<'p> {
    let tail = text.trim_start_matches("./").trim_matches('/').to_owned();
    let paths = if tail.is_empty() || tail.starts_with("..") {
        Vec::new()
    } else {
        project.find_all_by_suffix(&tail, MAX_SAME_ENDINGS)
    };
    let here = here.to_owned();
    let base = move |path: &str| path.strip_suffix(tail.as_str()).map(|base| base.trim_end_matches('/').to_owned());
    paths.into_iter().filter_map(base).filter(move |base| here.is_empty() || is_within(base, &here))
}

/// Collects the values of a document and their groups.
struct Reader<'n, 't> {
    values: Vec<Value<'n, 't>>,
    groups: Vec<(Group, usize)>,
    /// Keys of which a path is the value: the old names of a table of redirects.
    renamed: FxHashSet<usize>,
}

impl<'n, 't> Reader<'n, 't> {
    /// Reads a node: `path` and `map` are hashes of its keys and of those of the map that it stands in.
    fn read(&mut self, node: &'n Node<'t>, path: u64, map: u64, key: u64) {
        match node {
            Node::Text(text) => self.add(text, [Some(Group::Key(key)), (map != path).then_some(Group::Map(map))]),
            Node::List(items) => items.iter().for_each(|item| self.read(item, path, map, key)),
            Node::Map(entries) if tells_of_other_tree(entries) => {}
            Node::Map(entries) => {
                // A schema names itself.
                for (name, value) in entries.iter().filter(|(name, _)| name.text != "$id") {
                    let at = self.values.len();
                    self.add(name, [Some(Group::Keys(path)), None]);
                    if self.values.len() > at && matches!(value, Node::Text(text) if is_path_like(&text.text)) {
                        self.renamed.insert(at);
                    }
                    self.read(value, hash(&(path, &name.text)), path, hash(&name.text));
                }
            }
            Node::Other(_) => {}
        }
    }

    fn add(&mut self, text: &'n Text<'t>, groups: [Option<Group>; 2]) {
        if self.values.len() <= MAX_VALUES && is_path_like(&text.text) {
            let first = text.text.bytes().next().filter(|first| matches!(first, b'.' | b'/'));
            let extension = extension(text.text.trim_end_matches('/'));
            self.groups.extend(groups.into_iter().flatten().map(|group| (group, self.values.len())));
            let has_directory = text.text.contains('/');
            self.values.push(Value { text, form: Form { first, has_directory, extension: extension.to_string() } });
        }
    }
}

/// Returns whether a map names a commit, by a key or by git's digits, so that its paths are those of another tree:
/// `{"tag": "v1", "path": "src/a.c"}`; or where an earlier path leads: `{"source_path": "a.md", "redirect_url": "/b"}`,
/// `{"source": "/a", "destination": "/b"}`.
pub(crate) fn tells_of_other_tree(entries: &[(Text<'_>, Node<'_>)]) -> bool {
    const KEYS: [&str; 6] = ["branch", "commit", "ref", "rev", "sha", "tag"];
    /// A hash of SHA-1; git's newer ones are as long as the checksums of files.
    const HASH_BYTES: usize = 40;
    let is_hash = |text: &str| text.len() == HASH_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_commit = |(key, value): &(Text<'_>, Node<'_>)| {
        value.str().is_some_and(|text| !text.is_empty() && KEYS.contains(&&*key.text) || is_hash(text))
            || is_hash(&key.text)
            || key.text.starts_with("redirect") && !matches!(value, Node::List(_) | Node::Map(_))
    };
    // A redirect of a host: the page that is asked for, and the one that is shown.
    let is_redirect = ["source", "destination"].iter().all(|name| entries.iter().any(|(key, _)| key.text == *name));
    is_redirect || entries.iter().any(is_commit)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns whether a string has the form of a path: characters of paths only, and a slash or an extension. `a/b@v1` names a
/// version of another repository, and `@scope/name` a package, though directories may be named so.
fn is_path_like(text: &str) -> bool {
    let is_short = (3..=MAX_VALUE_BYTES).contains(&text.len());
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./@+".contains(&byte);
    if !is_short
        || !text.bytes().all(is_plain)
        || text.contains("//")
        || !text.bytes().any(|byte| byte.is_ascii_alphabetic())
    {
        return false;
    }
    let name = pathfinder_literals::path::name(text.trim_end_matches('/'));
    let extension = extension(name);
    let has_extension = extension.starts_with(|first: char| first.is_ascii_alphabetic()) && !name.contains('@');
    let is_package = text.starts_with('@') && text.matches('/').count() == 1;
    has_extension || text.contains('/') && !name.contains('@') && !is_package
}

#[cfg(test)]
mod tests;
