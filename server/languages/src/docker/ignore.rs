//! Evaluates `.dockerignore`: patterns are relative to the context, the last match decides, and `!` re-includes a path.

use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};
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
type ParsedFile = (Arc<str>, Arc<[IgnoreRule]>);

impl ProjectIndex for IgnoreFiles {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

impl IgnoreFiles {
    /// The rules of the ignore file at a path, which has this text.
    fn rules(&self, path: String, text: Arc<str>) -> Arc<[IgnoreRule]> {
        let mut files = self.0.lock();
        if let Some((_, rules)) = files.get(&path).filter(|(known, _)| *known == text) {
            return Arc::clone(rules);
        }
        let rules: Arc<[IgnoreRule]> = text.lines().filter_map(parse_line).collect();
        files.insert(path, (text, Arc::clone(&rules)));
        rules
    }
}

/// A line of the file: its effect, its text and its pattern.
pub(crate) struct IgnoreRule {
    excludes: bool,
    pattern: String,
    glob: GlobMatcher,
}

/// The pattern in this ignore file that excludes a path.
fn find_excluding(rules: &[IgnoreRule], path: &str, project: &Project, context: &str) -> Option<String> {
    let decided = last_match(rules, path)?.to_owned();
    let whole = join(context, path)?;
    let has_negation = rules.iter().any(|rule| !rule.excludes);
    if has_negation && project.tree().kind(&whole) == Some(Kind::Directory) {
        // A directory with re-included files is in the context, with only those files (moby/buildkit#6512).
        let files = project.tree().files();
        let below = files[files.partition_point(|file| *file < whole)..].iter();
        let mut below =
            below.take_while(|file| file.starts_with(&whole)).filter(|file| is_within(file, &whole)).peekable();
        let root = if context.is_empty() { 0 } else { context.len() + 1 };
        if below.peek().is_none()
            || below.take(MAX_DIRECTORY_FILES).any(|file| last_match(rules, &file[root..]).is_none())
        {
            return None;
        }
    }
    Some(decided)
}

/// The pattern that excludes a path: the last match decides.
fn last_match<'r>(rules: &'r [IgnoreRule], path: &str) -> Option<&'r str> {
    let last = rules.iter().rev().find(|rule| matches(&rule.glob, path))?;
    last.excludes.then_some(last.pattern.as_str())
}

/// Returns whether a pattern matches a path or a directory above it.
fn matches(glob: &GlobMatcher, path: &str) -> bool {
    let mut end = path.len();
    loop {
        if glob.is_match(&path[..end]) {
            return true;
        }
        let Some(at) = path[..end].rfind('/') else { return false };
        end = at;
    }
}

/// Parses one line; `None` for comments, empty lines and invalid patterns.
fn parse_line(line: &str) -> Option<IgnoreRule> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (excludes, pattern) = line.strip_prefix('!').map_or((true, line), |rest| (false, rest.trim()));
    let clean = join("", pattern.trim_start_matches('/')).filter(|clean| !clean.is_empty())?;
    let glob = GlobBuilder::new(&clean).literal_separator(true).build().ok()?;
    Some(IgnoreRule { excludes, pattern: pattern.to_owned(), glob: glob.compile_matcher() })
}
