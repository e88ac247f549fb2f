//! `LiteralSurroundings`: what the rest of a file says about one broken literal; used to compute signals.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use pathfinder_literals::{Checked, Kind, Missing, Verdict};

use super::FixContext;
use super::paths::{
    after_shared_prefix, ancestors, extension, is_index, join, name, parent, shared_prefix_ratio, stem,
    without_extension, without_index,
};
use super::read_cache::is_own_index;
use super::word_table::{PathWords, WordTable};
use super::words::statement;

/// Tried paths that are compared: a class is looked for in every source root.
const MAX_TRIED: usize = 16;
/// Other broken literals that are compared with a target; more add nothing.
const MAX_COMPARED: usize = 20;
/// Other missing paths that are kept: thousands of literals can name the same few.
const MAX_OTHER_MISSING: usize = 200;

/// A wanted path and its words, computed once for all targets.
pub(super) struct WantedPath<'a> {
    pub(super) path: &'a str,
    pub(super) words: Arc<PathWords>,
}

/// Facts about one missing literal that are computed once for all targets.
pub(super) struct LiteralSurroundings<'a> {
    /// The file with the literal.
    file: &'a str,
    /// The wanted path first, then the same name in other directories that were tried.
    wanted: Vec<WantedPath<'a>>,
    /// True if the construct takes a name as written: no path with an extension was tried.
    pub(super) is_exact: bool,
    /// Targets of other literals of the same kind.
    named: BTreeSet<&'a str>,
    /// Number of those targets per directory, computed once for all candidates.
    inside: HashMap<&'a str, usize>,
    /// The share of those targets that only one literal leads to.
    pub(super) once: f32,
    /// Targets of literals of other kinds.
    pub(super) elsewhere: BTreeSet<&'a str>,
    /// The share of the wanted directory that literals of the same kind name: 1 if they list all of it.
    pub(super) listed: f32,
    /// A directory named like the wanted path without its extension, and its number of entries.
    directory: Option<(&'a str, usize)>,
    /// Paths that the literal would lead to from the directories above the file, without extensions.
    steps: HashSet<String>,
    /// Unexplained words outside the file's literals; `None` if they include the literal's own last word.
    said: Option<Rc<HashSet<String>>>,
    /// Words of the statement around the literal.
    line: Vec<u32>,
    /// Words of the file's own path.
    own: Vec<u32>,
    /// Missing paths that other literals of the file name.
    missing: BTreeSet<&'a str>,
    /// Words of the targets of all literals of the file.
    words: &'a WordTable,
}

impl<'a> LiteralSurroundings<'a> {
    /// Collects the facts about one missing literal.
    pub(super) fn new(context: &FixContext<'a>, literal: &'a Checked, missing: &'a Missing) -> Self {
        let words = context.cache.words();
        let wanted = wanted(words, literal, missing);
        let found = context.all.iter().filter_map(|other| match &other.verdict {
            Verdict::Found(target) => Some((other.kind == literal.kind, target.path.as_str())),
            _ => None,
        });
        let (same, other): (Vec<_>, Vec<_>) = found.partition(|(is_same, _)| *is_same);
        let mut times: HashMap<&str, usize> = HashMap::new();
        for (_, path) in same {
            *times.entry(path).or_default() += 1;
        }
        let singles = times.values().filter(|times| **times == 1).count();
        let once = if times.is_empty() { 0.0 } else { singles as f32 / times.len() as f32 };
        let named: BTreeSet<&str> = times.into_keys().collect();
        let elsewhere = other.into_iter().map(|(_, path)| path).collect();
        let mut inside: HashMap<&str, usize> = HashMap::new();
        for path in &named {
            *inside.entry(parent(path)).or_default() += 1;
        }
        let asked = parent(&missing.wanted);
        let alike = |name: &&String| extension(name) == extension(&missing.wanted);
        let all = context.tree.names(asked).iter().filter(alike).count();
        let there = inside.get(asked).copied().unwrap_or_default();
        let listed = if all == 0 { 0.0 } else { (there as f32 / all as f32).min(1.0) };
        let (said, explained) = context.cache.outside_words(context);
        let is_said = said.contains(&normalize(path_stem(&missing.wanted)))
            || explained.contains(&normalize(path_stem(&missing.wanted)));
        let others = context.all.iter().filter_map(|other| match &other.verdict {
            Verdict::Missing(other) if other.wanted != missing.wanted => Some(other.wanted.as_str()),
            _ => None,
        });
        let directory = [missing.wanted.as_str(), without_extension(&missing.wanted)]
            .into_iter()
            .find(|path| !path.is_empty() && context.tree.kind(path) == Some(Kind::Directory));
        Self {
            file: context.file,
            directory: directory.map(|directory| (directory, context.tree.names(directory).len())),
            steps: steps(context.file, &missing.wanted),
            said: Some(said).filter(|_| !is_said),
            line: line(context, literal),
            own: words.path_words(context.file).all.clone(),
            missing: others.take(MAX_OTHER_MISSING).collect(),
            is_exact: literal.tried.iter().all(|path| extension(path).is_empty()),
            wanted,
            named,
            inside,
            once,
            elsewhere,
            listed,
            words,
        }
    }

    /// The words of an existing path.
    pub(super) fn words(&self, path: &str) -> Arc<PathWords> {
        self.words.path_words(path)
    }

    /// The wanted path that is nearest to an existing path.
    pub(super) fn wanted(&self, path: &str) -> &WantedPath<'a> {
        if let [only] = &self.wanted[..] {
            return only;
        }
        let mut best = (&self.wanted[0], -1.0);
        for wanted in &self.wanted {
            let near = shared_prefix_ratio(parent(wanted.path), parent(path));
            if near > best.1 {
                best = (wanted, near);
            }
        }
        best.0
    }

    /// The wanted directories.
    pub(super) fn asked(&self) -> impl Iterator<Item = &'a str> {
        let mut seen = HashSet::new();
        self.wanted.iter().map(|wanted| parent(wanted.path)).filter(move |directory| seen.insert(*directory))
    }

    /// Directories that most of the other literals lead into, most frequent first.
    pub(super) fn common(&self) -> impl Iterator<Item = &'a str> {
        let mut all: Vec<(usize, &str)> = self.inside.iter().map(|(directory, count)| (*count, *directory)).collect();
        all.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        all.into_iter().map(|(_, directory)| directory)
    }

    /// Paths that the literal could lead to from the directories above the file, without extensions.
    pub(super) fn steps(&self) -> impl Iterator<Item = &str> {
        let mut all: Vec<&str> = self.steps.iter().map(String::as_str).collect();
        all.sort_unstable();
        all.into_iter()
    }

    pub(super) fn is_named(&self, path: &str) -> bool {
        self.named.contains(path)
    }

    /// Returns whether a path is the index file of a package around the file.
    pub(super) fn is_own_index(&self, path: &str) -> bool {
        is_own_index(path, self.file)
    }

    /// The share of the other literals that lead into a path's directory.
    pub(super) fn beside(&self, path: &str) -> f32 {
        let inside = self.inside.get(parent(path)).copied().unwrap_or_default();
        if self.named.is_empty() { 0.0 } else { inside as f32 / self.named.len() as f32 }
    }

    /// The directory named like the wanted path.
    pub(super) fn directory(&self) -> Option<&'a str> {
        self.directory.map(|(directory, _)| directory)
    }

    /// The probability of a path among all entries of that directory.
    pub(super) fn inside_of(&self, path: &str) -> f32 {
        self.directory
            .filter(|(directory, _)| parent(path) == *directory)
            .map_or(0.0, |(_, count)| 1.0 / count.max(1) as f32)
    }

    /// Returns whether the literal leads to a path from another directory.
    pub(super) fn is_reached_from_parents(&self, path: &str) -> bool {
        self.steps.contains(without_index(path)) || self.steps.contains(without_extension(path))
    }

    /// Returns whether the file mentions a path's name.
    pub(super) fn is_mentioned(&self, path: &PathWords) -> bool {
        self.said.as_ref().is_some_and(|said| said.contains(&path.stem))
    }

    /// The share of a name's new words that stand in the same statement.
    pub(super) fn line(&self, asked: &WantedPath<'_>, path: &PathWords) -> f32 {
        new_word_share(asked, &path.name, &self.line)
    }

    /// The share of a path's new words that stand in the file's own path.
    pub(super) fn own(&self, asked: &WantedPath<'_>, path: &PathWords) -> f32 {
        new_word_share(asked, &path.all, &self.own)
    }

    /// The share of the file's other broken literals that lead somewhere if their prefix changes as this one's does
    /// for a path. Literals with another prefix do not count.
    pub(super) fn fixed_share(&self, path: &str, is_there: impl Fn(&str) -> bool) -> f32 {
        if self.missing.is_empty() {
            return 0.0;
        }
        let (old, new) = without_common_end(self.wanted(path).path, path);
        let alike = self.missing.iter().take(MAX_COMPARED).filter_map(|missing| missing.strip_prefix(old));
        let (mut all, mut fixed) = (0_usize, 0_usize);
        for rest in alike {
            all += 1;
            fixed += usize::from(is_there(&format!("{new}{rest}")));
        }
        // One literal fixed by chance weighs little beside two or three.
        fixed as f32 / (all + 1) as f32
    }
}

/// The share of the words outside the wanted path that occur in `among`.
fn new_word_share(asked: &WantedPath<'_>, words: &[u32], among: &[u32]) -> f32 {
    let new = words.iter().filter(|word| asked.words.all.binary_search(word).is_err());
    let (count, said) = new.fold((0_usize, 0_usize), |(count, said), word| {
        (count + 1, said + usize::from(among.binary_search(word).is_ok()))
    });
    if count == 0 { 0.0 } else { said as f32 / count as f32 }
}

/// Two paths without the segments that both end in.
fn without_common_end<'p>(old: &'p str, new: &'p str) -> (&'p str, &'p str) {
    let ends = old.rsplit('/').zip(new.rsplit('/')).take_while(|(a, b)| a == b);
    let length: usize = ends.map(|(end, _)| end.len() + 1).sum();
    // Includes the slash before those segments.
    let without = |path: &'p str| &path[..(path.len() + 1).saturating_sub(length.max(1)).min(path.len())];
    (without(old), without(new))
}

/// The wanted path, and the same name in other directories that were tried.
fn wanted<'a>(words: &WordTable, literal: &'a Checked, missing: &'a Missing) -> Vec<WantedPath<'a>> {
    let first = missing.wanted.as_str();
    let same = literal.tried.iter().map(String::as_str).filter(|path| *path != first && name(path) == name(first));
    let wanted = |path| WantedPath { path, words: words.path_words(path) };
    std::iter::once(first).chain(same.take(MAX_TRIED)).map(wanted).collect()
}

/// Paths that a literal leads to from the directories above its file, without extensions.
fn steps(file: &str, wanted: &str) -> HashSet<String> {
    let directory = parent(file);
    let rest = after_shared_prefix(wanted, directory);
    // An index name stands for itself if nothing precedes it.
    let rest =
        [without_index(&rest), without_extension(&rest)].into_iter().find(|rest| !rest.is_empty()).unwrap_or_default();
    if rest.is_empty() {
        return HashSet::new();
    }
    let all = ancestors(directory).map(|above| join(above, rest));
    all.filter(|path| path != without_index(wanted)).collect()
}

/// The segment by which a program refers to a path.
pub(super) fn path_stem(path: &str) -> &str {
    let named = if is_index(path) { parent(path) } else { path };
    stem(named)
}

/// A word without case and separators.
pub(super) fn normalize(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn line(context: &FixContext<'_>, literal: &Checked) -> Vec<u32> {
    let skipped = context.source.offset();
    let text = context.source.text();
    let range = literal.range.start - skipped..literal.range.end - skipped;
    let statement = statement(text, &range);
    context.cache.words().words(&format!("{} {}", &text[statement.start..range.start], &text[range.end..statement.end]))
}

#[cfg(test)]
mod tests {
    use super::{steps, without_common_end};

    #[test]
    fn removes_the_common_end() {
        assert_eq!(without_common_end("a/b/c.x", "d/c.x"), ("a/b/", "d/"));
        assert_eq!(without_common_end("c.x", "d/c.x"), ("", "d/"));
        assert_eq!(without_common_end("a/b.x", "a/c.x"), ("a/b.x", "a/c.x"));
        assert_eq!(without_common_end("a.x", "a.x"), ("", ""));
    }

    #[test]
    fn lists_targets_from_parent_directories() {
        let check = |file: &str, wanted: &str, expect: &[&str]| {
            let mut all: Vec<String> = steps(file, wanted).into_iter().collect();
            all.sort_unstable();
            assert_eq!(all, expect, "{file}: {wanted}");
        };
        check("p/q/tests/a.ts", "p/src/index.ts", &["p/q/src", "p/q/tests/src", "src"]);
        check("test/a.js", "../../src/x", &["src/x", "test/src/x"]);
        check("a.js", "x.js", &[]);
    }
}
