//! Reports imports of unknown bases that other files of the project have without a typo. [`check`](fn@crate::check) calls it last.
//!
//! A bare name such as `utils` or `llama.h` can be that of a library, so that nothing is known of a missing one. But if no other file
//! imports it, a name that differs by one typo is imported elsewhere, and that one leads to a file from here, the import has the typo.

use std::hash::BuildHasher as _;
use std::ops::Range;

use memchr::memmem;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::checked::{Checked, Code, Missing, Reason, Severity, Verdict, Want};
use crate::literal_kind::LiteralKind;
use crate::path::{ancestors, join, name, parent};
use crate::project::Project;
use crate::project_index::ProjectIndex;
use crate::report::is_vendored;
use crate::source::Source;
use crate::typo::{TypoIndex, is_typo};
use crate::typo_findings::{is_mistyped, is_plural};

/// Maximum number of imports of one file that are compared. A file with more undecided ones is made by a program.
const MAX_IMPORTS: usize = 200;
/// Maximum number of corrections of one import that are verified: each costs a check of the file, and the first nearly always decides.
const MAX_CORRECTIONS: usize = 4;
/// Maximum number of corrections of one file that are verified.
const MAX_VERIFIED: usize = 16;
/// Files whose imports are read, and their bytes: a bound for the time that a hostile tree costs. Larger projects are known in part.
const MAX_FILES: usize = 8 << 10;
/// As [`MAX_FILES`].
const MAX_BYTES: usize = 64 << 20;
/// Maximum number of names of the project that are indexed: more are of the largest trees only.
const MAX_NAMES: usize = 1 << 17;
/// Longest line that is read; people write shorter ones.
const MAX_LINE_BYTES: usize = 400;
/// Files in which a package says what it depends on.
const MANIFESTS: [&str; 12] = [
    "package.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "Gemfile",
    "go.mod",
    "Cargo.toml",
    "composer.json",
    "pubspec.yaml",
    "build.gradle",
    "pom.xml",
];

/// The check of a file that a corrected text gets.
type CheckFile = fn(&Source<'_>, &Project) -> Vec<Checked>;

/// Reports the undecided imports that a correction leads to a file.
pub(crate) fn apply(source: &Source<'_>, project: &Project, found: &mut [Checked], check: CheckFile) {
    let mut checks_left = MAX_VERIFIED;
    let open: Vec<usize> = (0..found.len()).filter(|at| is_open(project, &found[*at])).take(MAX_IMPORTS).collect();
    for at in open {
        let Some(wanted) = find_mistyped((source, project), found, at, &mut checks_left, check) else { continue };
        found[at].verdict = Verdict::Missing(Missing::new(wanted.clone(), Want::Any, Severity::Warning));
        found[at].tried = vec![wanted];
    }
}

/// The path that the import at a position would have led to if a name in it were right, as the only correction of it tells.
fn find_mistyped(
    (source, project): (&Source<'_>, &Project),
    found: &[Checked],
    at: usize,
    checks_left: &mut usize,
    check: CheckFile,
) -> Option<String> {
    let literal = &found[at];
    let text = source.text_at(&literal.range)?;
    if project.is_known_name(literal.kind, text) {
        return None;
    }
    // Two imports of one file are of two things, unless the project has what both begin with.
    let is_own = matches!(literal.verdict, Verdict::Unknown(Reason::Produced(_)));
    let is_beside = |wanted: &str| !is_own && found.iter().any(|other| source.text_at(&other.range) == Some(wanted));
    let mut corrections = corrections(project, text);
    corrections.retain(|it| !is_beside(&it.text) && project.index::<ImportedNames>().is_correction(text, &it.text));
    corrections.truncate(MAX_CORRECTIONS.min(*checks_left));
    if corrections.is_empty() || corrections.iter().any(|it| is_declared(project, source, &it.written)) {
        return None;
    }
    *checks_left -= corrections.len();
    let mut paths = corrections.iter().filter_map(|correction| {
        let target = target_of((source, project), literal, &correction.text, check)?;
        mistyped_path(project, &target, correction)
    });
    paths.next().filter(|_| paths.next().is_none())
}

/// Returns whether nothing is known of an import, or nothing explains it.
fn is_open(project: &Project, literal: &Checked) -> bool {
    let is_unexplained = match &literal.verdict {
        Verdict::Unknown(Reason::Elsewhere | Reason::Produced(_) | Reason::NotInstalled | Reason::Optional) => true,
        Verdict::Missing(missing) => {
            let is_plain = missing.code == Code::MissingPath && missing.instead.is_none();
            is_plain && is_import(literal.kind) && !is_mistyped(project, &literal.tried)
        }
        Verdict::Unknown(_) | Verdict::Found(_) => false,
    };
    is_unexplained && is_import(literal.kind)
}

/// Returns whether code requests a module by a literal of this kind.
fn is_import(kind: LiteralKind) -> bool {
    const CONSTRUCTS: [&str; 7] = ["import", "include", "require", "use", "dynamic_import", "load", "source"];
    // Go imports by whole addresses.
    CONSTRUCTS.contains(&kind.construct()) && !kind.is_of_page() && kind.language() != "go"
}

/// The text of an import with another name of the project in the place of one that the project does not have.
#[derive(Debug, PartialEq, Eq)]
struct Correction {
    text: String,
    /// The name as it is written, and as it is right.
    written: String,
    right: String,
}

/// The corrections of an import, in order.
fn corrections(project: &Project, text: &str) -> Vec<Correction> {
    let names = || project.index::<ProjectNames>();
    let unknown = words(text).filter(|range| !project.has_name(&text[range.clone()]));
    let near = unknown.flat_map(|range| {
        let written = text[range.clone()].to_owned();
        let near = names().near(&written).into_iter().map(str::to_owned);
        near.map(move |right| (range.clone(), written.clone(), right)).collect::<Vec<_>>()
    });
    let correct = |(range, written, right): (Range<usize>, String, String)| Correction {
        text: [&text[..range.start], &right, &text[range.end..]].concat(),
        written,
        right,
    };
    near.map(correct).collect()
}

/// The ranges of the names in a text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let words = text.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty());
    words.map(|word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

/// The path of the file that a literal with another text leads to.
fn target_of(
    (source, project): (&Source<'_>, &Project),
    literal: &Checked,
    text: &str,
    check: CheckFile,
) -> Option<String> {
    let range = literal.range.start - source.offset()..literal.range.end - source.offset();
    let edited = [&source.text()[..range.start], text, &source.text()[range.end..]].concat();
    let edited = source.with_edit(&range, text, &edited);
    let range = range.start..range.start + text.len();
    let edited = edited.with_focus(&range);
    let checked = check(&edited, project);
    let Verdict::Found(target) = checked.into_iter().find(|other| other.range == range)?.verdict else { return None };
    Some(target.path)
}

/// The path that a literal would have led to if its name were right as it is written. `None` if the project has it, or the file has another
/// name than the import.
fn mistyped_path(project: &Project, target: &str, correction: &Correction) -> Option<String> {
    let (right, written) = (correction.right.trim_start_matches('_'), correction.written.trim_start_matches('_'));
    let is_named = |segment: &str| {
        let rest = segment.trim_start_matches('_').strip_prefix(right);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let mut starts = std::iter::once(0).chain(target.match_indices('/').map(|(at, _)| at + 1));
    let at = starts.rfind(|at| target[*at..].split('/').next().is_some_and(is_named))?;
    let path = [&target[..at], &target[at..].replacen(right, written, 1)].concat();
    project.tree().kind(&path).is_none().then_some(path)
}

/// Returns whether a manifest above a file has a name.
fn is_declared(project: &Project, source: &Source<'_>, name: &str) -> bool {
    let tree = project.tree();
    let manifests = ancestors(source.directory())
        .flat_map(|directory| MANIFESTS.iter().filter_map(move |manifest| join(directory, manifest)));
    let mut texts = manifests.filter(|path| tree.kind(path).is_some()).filter_map(|path| tree.read_shared(&path));
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    texts.any(|text| {
        memmem::find_iter(text.as_bytes(), name).any(|at| {
            let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
            let after = text.as_bytes().get(at + name.len());
            !before.is_some_and(|byte| is_part(*byte)) && !after.is_some_and(|byte| is_part(*byte))
        })
    })
}

/// The names of the files and directories of a project.
struct ProjectNames {
    names: Vec<String>,
    index: TypoIndex,
}

impl ProjectIndex for ProjectNames {
    fn build(project: &Project) -> Self {
        let mut names = FxHashSet::default();
        for path in project.tree().files() {
            names.insert(name(path).split('.').next().unwrap_or_default());
            names.extend(parent(path).split('/'));
            if names.len() > MAX_NAMES {
                break;
            }
        }
        let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        names.sort_unstable();
        let index = TypoIndex::new(names.iter().map(String::as_str));
        Self { names, index }
    }
}

impl ProjectNames {
    /// The names that differ from one by a typo, in order.
    fn near(&self, written: &str) -> Vec<&str> {
        let near = self.index.candidates(written).into_iter().map(|at| self.names[at].as_str());
        near.filter(|other| is_typo(written, other) && !is_plural(written, other)).collect()
    }
}

/// The words that the imports of a project's files have, and in how many files.
struct ImportedNames {
    /// One for one file, two for several, by the hash of the word.
    files: FxHashMap<u64, u8>,
}

impl ProjectIndex for ImportedNames {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut this = Self { files: FxHashMap::default() };
        let mut bytes = 0;
        let files = tree.files().iter().filter(|path| project.has_imports(path) && !is_vendored(path));
        for path in files.take(MAX_FILES) {
            let Some(text) = tree.read_shared(path) else { continue };
            bytes += text.len();
            if bytes > MAX_BYTES {
                break;
            }
            let mut hashes: Vec<u64> = import_lines(&text).flat_map(import_words).map(hash).collect();
            hashes.sort_unstable();
            hashes.dedup();
            for hash in hashes {
                let files = this.files.entry(hash).or_default();
                *files = files.saturating_add(1).min(2);
            }
        }
        this
    }
}

impl ImportedNames {
    /// Returns whether some file imports `right`, and at most one `written`.
    fn is_correction(&self, written: &str, right: &str) -> bool {
        let files = |text| self.files.get(&hash(text)).copied().unwrap_or_default();
        files(right) > 0 && files(written) < 2
    }
}

/// Returns whether two files of the project import something by this text: the same typo is not made twice, and code does not run with one.
pub fn is_imported_twice(project: &Project, text: &str) -> bool {
    project.index::<ImportedNames>().files.get(&hash(text)).is_some_and(|files| *files > 1)
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

/// The lines of a text that import something, in any language, as far as lines tell.
fn import_lines(text: &str) -> impl Iterator<Item = &str> {
    const STARTS: [&str; 9] = ["import", "from", "export", "#include", "#import", "require", "use", "load", "source"];
    const CALLS: [&str; 5] = ["} from ", "require(", "require ", "import(", "autoload "];
    text.lines().map(str::trim_start).filter(|line| {
        let begins = || STARTS.iter().any(|start| line.starts_with(start));
        let calls = || CALLS.iter().any(|call| line.contains(call));
        // The letter spares most lines the comparisons.
        let may_call = || line.starts_with(['}', 'c', 'l', 'v', 'a']) || line.starts_with(char::is_uppercase);
        line.len() <= MAX_LINE_BYTES && (begins() || may_call() && calls())
    })
}

/// The words of a line, as imports write them.
fn import_words(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | ':' | '$' | '~' | '\\');
    line.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{import_lines, import_words, words};

    #[test]
    fn finds_words() {
        let check = |text: &str, expect: &[&str]| {
            assert_eq!(words(text).map(|range| &text[range]).collect::<Vec<_>>(), expect, "{text}");
        };
        check("@a-b/c_d/e.js", &["a-b", "c_d", "e", "js"]);
        check("", &[]);
        let line = "} from '@a/b'; // \"c.h\"";
        assert_eq!(import_words(line).collect::<Vec<_>>(), ["from", "@a/b", "//", "c.h"]);
        let lines = "a\n#include <b>\nc = d\n  const e = require('f')\n";
        assert_eq!(import_lines(lines).collect::<Vec<_>>(), ["#include <b>", "const e = require('f')"]);
    }
}
