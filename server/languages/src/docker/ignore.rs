//! Evaluates `.dockerignore`: patterns are relative to the context, the last match decides, and `!` re-includes a path.

use std::sync::{Arc, OnceLock};

use globset::{Glob, GlobBuilder, GlobMatcher};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use pathfinder_literals::path::{is_within, join, name, sibling_path};
use pathfinder_literals::{Kind, Project, ProjectIndex};

/// The number of files in a directory that are tested. If a directory has included files, one is nearly always among
/// the first.
const MAX_DIRECTORY_FILES: usize = 2_000;

/// The rule that excludes a path from a context; `None` if the path or anything in it is included.
pub(super) fn excluding_rule(project: &Project, file: &str, context: &str, path: &str) -> Option<String> {
    let own = Some(sibling_path(file, &format!("{}.dockerignore", name(file))));
    let common = join(context, ".dockerignore");
    let read = |at: String| Some((project.tree().read_shared(&at)?, at));
    let (text, at) = [own, common].into_iter().flatten().find_map(read)?;
    let rules = project.index::<IgnoreFiles>().rules(at, text);
    find_excluding(&rules, path, project, context)
}

/// The rules of ignore files with the texts that they are from. Compiling them for each source took most of the time of a check.
#[derive(Default)]
pub(crate) struct IgnoreFiles(Mutex<FxHashMap<String, ParsedFile>>);

/// The text of an ignore file, and its rules.
type ParsedFile = (Arc<str>, Arc<IgnoreRules>);

impl ProjectIndex for IgnoreFiles {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

impl IgnoreFiles {
    /// The rules of the ignore file at a path, which has this text.
    fn rules(&self, path: String, text: Arc<str>) -> Arc<IgnoreRules> {
        let mut files = self.0.lock();
        let is_same = |known: &Arc<str>| Arc::ptr_eq(known, &text) || *known == text;
        if let Some((_, rules)) = files.get(&path).filter(|(known, _)| is_same(known)) {
            return Arc::clone(rules);
        }
        let rules = Arc::new(IgnoreRules::parse(&text));
        files.insert(path, (text, Arc::clone(&rules)));
        rules
    }
}

/// The rules of an ignore file, by the first segment of their patterns: most files name their directories, and a path is
/// matched only against the rules for its own one.
#[derive(Default)]
pub(crate) struct IgnoreRules {
    all: Vec<IgnoreRule>,
    /// Numbers of the rules whose first segment has no wildcard, by this segment, in order.
    by_first_segment: FxHashMap<String, Vec<usize>>,
    /// Numbers of the other rules, in order.
    others: Vec<usize>,
    has_negation: bool,
}

/// A line of the file: its effect, its text and its pattern.
struct IgnoreRule {
    excludes: bool,
    pattern: String,
    /// The pattern's characters after its last wildcard, with which each matching path ends.
    ending: String,
    glob: Glob,
    /// Compiled for the first path that ends in [`Self::ending`], because a regular expression takes kilobytes.
    matcher: OnceLock<GlobMatcher>,
}

impl IgnoreRules {
    fn parse(text: &str) -> Self {
        let mut rules = Self::default();
        for (rule, clean) in text.lines().filter_map(parse_line) {
            let at = rules.all.len();
            let first = clean.split('/').next().unwrap_or(&clean);
            if first.contains(is_special) {
                rules.others.push(at);
            } else {
                rules.by_first_segment.entry(first.to_owned()).or_default().push(at);
            }
            rules.has_negation |= !rule.excludes;
            rules.all.push(rule);
        }
        rules
    }

    /// The pattern that excludes a path: the last match decides.
    fn last_match(&self, path: &str) -> Option<&str> {
        let first = path.split('/').next().unwrap_or(path);
        let mut named = self.by_first_segment.get(first).map_or(&[][..], Vec::as_slice);
        let mut others = self.others.as_slice();
        loop {
            let from = if named.last() > others.last() { &mut named } else { &mut others };
            let (&at, rest) = from.split_last()?;
            *from = rest;
            let rule = &self.all[at];
            if rule.matches(path) {
                return rule.excludes.then_some(rule.pattern.as_str());
            }
        }
    }
}

/// The pattern in this ignore file that excludes a path.
fn find_excluding(rules: &IgnoreRules, path: &str, project: &Project, context: &str) -> Option<String> {
    let decided = rules.last_match(path)?.to_owned();
    let whole = join(context, path)?;
    if rules.has_negation && project.tree().kind(&whole) == Some(Kind::Directory) {
        // A directory with re-included files is in the context, with only those files (moby/buildkit#6512).
        let files = project.tree().files();
        let below = files[files.partition_point(|file| *file < whole)..].iter();
        let mut below =
            below.take_while(|file| file.starts_with(&whole)).filter(|file| is_within(file, &whole)).peekable();
        let root = if context.is_empty() { 0 } else { context.len() + 1 };
        if below.peek().is_none()
            || below.take(MAX_DIRECTORY_FILES).any(|file| rules.last_match(&file[root..]).is_none())
        {
            return None;
        }
    }
    Some(decided)
}

impl IgnoreRule {
    /// Returns whether the pattern matches a path or a directory above it.
    fn matches(&self, path: &str) -> bool {
        let mut end = path.len();
        loop {
            let here = &path[..end];
            if here.ends_with(&self.ending) && self.matcher().is_match(here) {
                return true;
            }
            let Some(at) = here.rfind('/') else { return false };
            end = at;
        }
    }

    fn matcher(&self) -> &GlobMatcher {
        self.matcher.get_or_init(|| self.glob.compile_matcher())
    }
}

/// Returns whether a character of a pattern can stand for others.
fn is_special(character: char) -> bool {
    matches!(character, '*' | '?' | '[' | ']' | '{' | '}' | '!' | '\\')
}

/// Parses one line into its rule and the pattern without `.`, `..` and empty segments; `None` for comments, empty lines and
/// invalid patterns.
fn parse_line(line: &str) -> Option<(IgnoreRule, String)> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (excludes, pattern) = line.strip_prefix('!').map_or((true, line), |rest| (false, rest.trim()));
    let clean = join("", pattern.trim_start_matches('/')).filter(|clean| !clean.is_empty())?;
    let glob = GlobBuilder::new(&clean).literal_separator(true).build().ok()?;
    // `**/a` matches `a` as well.
    let ending = clean.rsplit(is_special).next().unwrap_or_default().trim_start_matches('/').to_owned();
    let rule = IgnoreRule { excludes, pattern: pattern.to_owned(), ending, glob, matcher: OnceLock::new() };
    Some((rule, clean))
}

#[cfg(test)]
mod tests {
    use super::IgnoreRules;

    /// Rules by their first segment decide as the whole list in its order does, and compile only patterns that a path can match.
    #[test]
    fn the_last_matching_rule_decides() {
        let check = |text: &str, path: &str, expect: Option<&str>, compiled: usize| {
            let rules = IgnoreRules::parse(text);
            assert_eq!(rules.last_match(path), expect, "{text} {path}");
            let count = rules.all.iter().filter(|rule| rule.matcher.get().is_some()).count();
            assert_eq!(count, compiled, "{text} {path}");
        };
        check("a/*.md\n!a/x.md", "a/x.md", None, 1);
        check("!a/x.md\n*/x.md\nb/x.md", "a/x.md", Some("*/x.md"), 1);
        check("*/x.md\n!a/x.md\na/x.*", "a/x.md", Some("a/x.*"), 1);
        check("*\n!a\nc\nd/*.md", "a/b/x.md", None, 1);
        check("*\n!a\nc\nd/*.md", "d/x.txt", Some("*"), 1);
        check("*.md\n*.txt\nb/**\n**/c", "x.md", Some("*.md"), 1);
        check("*.md\n**/c", "c/x.md", Some("**/c"), 1);
        check("b/**\n**/c\n{a,b}/x.md\n[a", "a/x.md", Some("{a,b}/x.md"), 1);
        check("a\\*b\nc", "a*b/x", Some("a\\*b"), 1);
        check("../a\n/b/", "b/x", Some("/b/"), 1);
    }
}
