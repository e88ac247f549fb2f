//! Checks PHP: includes, paths that begin with `__DIR__` or an expression whose directory is learned, and classes that
//! Composer loads by name.

mod base;
mod classes;
mod composer;
mod declared_classes;
mod joined_literals;
mod kinds;
mod learned_bases;
#[cfg(test)]
mod tests;
mod uses;

use std::ops::Range;

use pathfinder_syntax::grammars::{NodeKinds, PHP};
use rustc_hash::FxHashSet;
use tree_sitter::Node;

use crate::keyword_hits::KeywordHits;
use learned_bases::LearnedBases;
use pathfinder_literals::path::{ancestors, extension, head, is_dynamic, join};
use pathfinder_literals::report::{resolve_without_base, severity_in, unknown};
use pathfinder_literals::{
    Checked, Code, Kind, Language, LiteralKind, Lookup, Missing, PackageDeclaration, Project, Reason, Report,
    Resolution, Severity, Source, Target, Verdict, Want,
};
use pathfinder_syntax::string_ranges::{is_within_any, outermost, string_content};

/// Includes, paths that begin with the file's own place, and code that tests for a file first.
static KINDS: NodeKinds = NodeKinds::new(
    &PHP,
    &[
        "include_expression",
        "include_once_expression",
        "require_expression",
        "require_once_expression",
        "binary_expression",
        "if_statement",
        "conditional_expression",
    ],
);

/// Tests for a file in a condition.
const FILE_TESTS: [&str; 3] = ["file_exists", "is_file", "is_readable"];
/// Further tests in a condition of `if`: what is there on some systems only.
const SYSTEM_TESTS: [&str; 5] = ["is_dir", "PHP_", "class_exists", "extension_loaded", "stream_resolve"];

/// Keywords of includes and of path expressions. PHP ignores their case, so they are lower-case here.
const KEYWORDS: [&str; 6] = ["include", "include_once", "require", "require_once", "__dir__", "__file__"];

/// The PHP language.
pub(crate) struct Php;

impl Language for Php {
    fn name(&self) -> &'static str {
        "php"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "php" | "phtml" | "inc" | "phpt")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        if is_dynamic(source.path()) || !text.contains("<?") {
            return;
        }
        classes::check(&mut Report::new(source, project, found));
        let learned = check_learned(&mut Report::new(source, project, found));
        if learned.is_empty() && !["include", "require", "__DIR__", "__FILE__"].iter().any(|word| text.contains(word)) {
            return;
        }
        let hits = KeywordHits::find_ignoring_case(text, &KEYWORDS).filter(|range| can_begin_path(text, range));
        let hits = hits.with_ranges(learned);
        if hits.ranges().is_empty() {
            return;
        }
        let part = hits.parse_head(text, &PHP).or_else(|| hits.parse_outline(text, &PHP));
        let Some(tree) = part.or_else(|| source.parse(&PHP)) else { return };
        let nodes = KINDS.nodes(tree.root_node(), hits.ranges());
        let optional = nodes.iter().filter(|node| is_optional(**node, text)).map(Node::byte_range);
        let optional = outermost(optional.collect());
        let mut checker = PhpFileChecker {
            report: Report::new(source, project, found),
            optional,
            bases: Vec::new(),
            tests_existence: EXISTENCE_CALLS.iter().any(|word| text.contains(word)),
            changes_directory: ["chdir(", "set_include_path("].iter().any(|word| text.contains(word)),
            checked_paths: FxHashSet::default(),
        };
        let included: Vec<(Node<'_>, Node<'_>)> = nodes
            .iter()
            .filter(|node| node.kind().starts_with("include_") || node.kind().starts_with("require_"))
            .filter_map(|node| Some((*node, include_argument(*node)?)))
            .collect();
        checker.bases = checker.find_bases(&included);
        for (statement, argument) in &included {
            checker.check_include(*statement, *argument);
        }
        for path in nodes.into_iter().filter(|node| is_joined_string(*node)) {
            checker.check_path(path);
        }
    }

    fn package_declaration(&self, source: &Source<'_>) -> Option<PackageDeclaration> {
        let mut namespaces = uses::parse_header(source.text()).namespaces.into_iter();
        let names = vec![namespaces.next()?];
        namespaces.next().is_none().then_some(PackageDeclaration { names, separator: '\\' })
    }
}

/// Adds the files that literals behind learned directories name, and returns the expressions before the other ones: only these
/// need to be parsed, for the code around them.
fn check_learned(report: &mut Report<'_>) -> Vec<Range<usize>> {
    let (source, project) = (report.source, report.project);
    let text = source.text();
    let mut missing = Vec::new();
    for joined in joined_literals::find(text) {
        let bases = project.index::<LearnedBases>();
        let base = &text[joined.base.clone()];
        let Some(learned) = bases.find(project, source.path(), base, joined.literal) else { continue };
        let Some(path) = learned.find_file(project, joined.literal) else {
            missing.push(joined.base);
            continue;
        };
        let before = text[..joined.base.start].trim_end();
        let before = before.strip_suffix('(').unwrap_or(before).trim_end();
        let is_include = ["include", "include_once", "require", "require_once"].iter().any(|word| {
            before
                .len()
                .checked_sub(word.len())
                .and_then(|at| before.get(at..))
                .is_some_and(|end| end.eq_ignore_ascii_case(word))
        });
        let kind = if is_include { kinds::INCLUDE } else { kinds::PATH };
        let found = (Verdict::Found(Target { path: path.clone() }), vec![path]);
        report.add(kind, joined.start, joined.literal.len(), found);
    }
    missing
}

/// Returns whether a keyword can begin a path. `include` and `require` are also words of prose and names of members; an
/// include with a literal goes on with a quote, a directory expression, a parenthesis or a comment. A directory
/// expression is followed by a literal.
fn can_begin_path(text: &str, range: &Range<usize>) -> bool {
    let (before, rest) = (&text[..range.start], text[range.end..].trim_start());
    if text.as_bytes()[range.start] == b'_' {
        // The rest of `dirname(__FILE__, 2)`.
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || matches!(c, ')' | ','));
        let operand = rest.strip_prefix('.').map(str::trim_start);
        return rest.starts_with(['/', '#'])
            || operand.is_some_and(|it| it.starts_with(['\'', '"', '/', '#', 'b', 'B']));
    }
    let starts_with = |word: &str| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let is_quoted = ['\'', '"'].iter().any(|quote| before.ends_with(*quote) && text[range.end..].starts_with(*quote));
    !is_quoted
        && !["->", "::", "$", "function "].iter().any(|mark| before.ends_with(mark))
        && (rest.starts_with(['\'', '"', '(', '/', '#', '\\'])
            || ["__dir__", "__file__", "dirname", "b'", "b\""].iter().any(|word| starts_with(word)))
}

/// Returns whether a node tests for a file or a system before it uses it.
fn is_optional(node: Node<'_>, text: &str) -> bool {
    let has = |field: &str, words: &[&str]| {
        let tested = node.child_by_field_name(field).filter(Node::is_named).and_then(|it| text.get(it.byte_range()));
        tested.is_some_and(|tested| words.iter().any(|word| tested.contains(word)))
    };
    let is_and = || node.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "&&");
    match node.kind() {
        "if_statement" => has("condition", &FILE_TESTS) || has("condition", &SYSTEM_TESTS),
        "conditional_expression" => has("condition", &FILE_TESTS),
        "binary_expression" => is_and() && has("left", &FILE_TESTS),
        _ => false,
    }
}

/// Returns whether a node adds a string to something: a path, if that is the file's own place.
fn is_joined_string(node: Node<'_>) -> bool {
    let field = |name: &str| node.child_by_field_name(name).filter(Node::is_named);
    node.kind() == "binary_expression"
        && field("left").is_some()
        && field("right").is_some_and(|right| matches!(right.kind(), "string" | "encapsed_string"))
}

/// The argument of an include, without parentheses around it.
fn include_argument(include: Node<'_>) -> Option<Node<'_>> {
    let inner = include.named_child(0)?;
    if inner.kind() == "parenthesized_expression" { inner.named_child(0) } else { Some(inner) }
}

/// A literal that is joined to a directory.
struct JoinedPath {
    /// The path; `None` if it leads out of the root.
    path: Option<String>,
    /// The byte range of the literal.
    range: Range<usize>,
    /// The directory, if it is learned.
    learned: Option<learned_bases::LearnedBase>,
}

impl JoinedPath {
    /// The verdict on a path that may be missing. Code that tests for an old file before it goes on supports what moved; below
    /// a learned base, a move is too little evidence against such a test.
    fn optional(&self, resolution: Resolution) -> Resolution {
        match optional(resolution) {
            (Verdict::Missing(_), tried) if self.learned.is_some() => (Verdict::Unknown(Reason::Optional), tried),
            resolution => resolution,
        }
    }
}

/// Checks one file.
struct PhpFileChecker<'a> {
    report: Report<'a>,
    /// Byte ranges of code that can fail.
    optional: Vec<Range<usize>>,
    /// The directories that relative includes of this file are known to resolve from.
    bases: Vec<String>,
    /// True if the file tests for files or creates some.
    tests_existence: bool,
    /// True if the file changes the directory of relative includes.
    changes_directory: bool,
    /// The start bytes of the paths that were checked.
    checked_paths: FxHashSet<usize>,
}

impl PhpFileChecker<'_> {
    /// The byte range of a string's content, if nothing in it is computed.
    fn literal_range(&self, node: Node<'_>) -> Option<Range<usize>> {
        let text = self.report.source.text();
        if !matches!(node.kind(), "string" | "encapsed_string") {
            return None;
        }
        let range = string_content(text, node.byte_range())?;
        let literal = &text[range.clone()];
        let is_computed = node.kind() == "encapsed_string" && literal.contains('$') || is_dynamic(literal);
        (!is_computed && !literal.is_empty() && !literal.contains(['*', '\n', '%', '{', ' '])).then_some(range)
    }

    /// The directories from which some relative include of the file resolves: the program that includes the file runs
    /// there.
    fn find_bases(&self, included: &[(Node<'_>, Node<'_>)]) -> Vec<String> {
        let source = self.report.source;
        let tree = self.report.project.tree();
        let literals = included.iter().filter_map(|(_, argument)| self.literal_range(*argument));
        let relative: Vec<&str> =
            literals.map(|range| &source.text()[range]).filter(|text| text.starts_with('.')).collect();
        let has_include = |base: &&str| {
            relative.iter().any(|path| join(base, path).is_some_and(|path| tree.kind(&path) == Some(Kind::File)))
        };
        ancestors(source.directory()).filter(has_include).map(str::to_owned).collect()
    }

    /// Checks one include.
    fn check_include(&mut self, statement: Node<'_>, argument: Node<'_>) {
        let text = self.report.source.text();
        let severity = severity_in(self.report.source.path(), Severity::Error);
        if let Some(range) = self.literal_range(argument) {
            let written = &text[range.clone()];
            let answer = self.resolve_relative(written, severity);
            let answer = if self.is_optional(statement, written) { optional(answer) } else { answer };
            return self.report.add(kinds::INCLUDE, range.start, range.len(), answer);
        }
        let Some(joined) = self.evaluate_path(argument) else { return };
        self.checked_paths.insert(argument.start_byte());
        let range = joined.range.clone();
        let literal = &text[range.clone()];
        let answer = self.resolve_joined(&joined, severity);
        let answer = if self.is_optional(statement, literal) { joined.optional(answer) } else { answer };
        self.report.add(kinds::INCLUDE, range.start, range.len(), answer);
    }

    /// The path of an expression such as `__DIR__ . '/x'`.
    fn evaluate_path(&self, node: Node<'_>) -> Option<JoinedPath> {
        if node.kind() != "binary_expression" {
            return None;
        }
        let source = self.report.source;
        let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
        let between = source.text().get(left.end_byte()..right.start_byte())?.trim();
        let range = self.literal_range(right)?;
        let (written, base) = (&source.text()[range.clone()], &source.text()[left.byte_range()]);
        if between != "." {
            return None;
        }
        if let Some(directory) = base::evaluate_directory(source, base) {
            return Some(JoinedPath { path: join(&directory, written.strip_prefix('/')?), range, learned: None });
        }
        let is_joined = || joined_literals::find(&source.text()[left.start_byte()..node.end_byte()]).next().is_some();
        let project = self.report.project;
        let learned = is_joined().then(|| project.index::<LearnedBases>().find(project, source.path(), base, written));
        // `check_learned` adds those that are files.
        let learned = learned.flatten().filter(|learned| learned.find_file(project, written).is_none())?;
        Some(JoinedPath { path: join(&learned.directory, written), range, learned: Some(learned) })
    }

    /// The verdict on a joined path. Below a learned base, a path whose first directory is not there can be one of another project.
    fn resolve_joined(&self, joined: &JoinedPath, severity: Severity) -> Resolution {
        let literal = &self.report.source.text()[joined.range.clone()];
        let Some(learned) = &joined.learned else { return self.resolve_at(joined.path.clone(), literal, severity) };
        let (verdict, tried) = self.resolve_at(joined.path.clone(), literal, severity.max(Severity::Warning));
        let first =
            literal.trim_start_matches('/').split_once('/').and_then(|(first, _)| join(&learned.directory, first));
        let is_own = first.is_some_and(|first| self.report.project.tree().kind(&first) == Some(Kind::Directory));
        match verdict {
            Verdict::Missing(Missing { code: Code::MissingPath, .. }) if !is_own => {
                (Verdict::Unknown(Reason::Elsewhere), tried)
            }
            verdict => (verdict, tried),
        }
    }

    /// The verdict on a file at a known path.
    fn resolve_at(&self, path: Option<String>, literal: &str, severity: Severity) -> Resolution {
        let project = self.report.project;
        if path.as_deref().is_some_and(|path| project.tree().kind(path).is_none()) && is_installed(literal) {
            return unknown(Reason::NotInstalled);
        }
        Lookup::new(project, Want::Any).verdict(severity, [path])
    }

    /// The verdict on an include that depends on the working directory or on a setting.
    fn resolve_relative(&self, literal: &str, severity: Severity) -> Resolution {
        let project = self.report.project;
        let here = self.report.source.directory();
        if literal.starts_with('/') || literal.contains(':') {
            return unknown(Reason::Elsewhere);
        }
        if is_installed(literal) {
            return unknown(Reason::NotInstalled);
        }
        if self.changes_directory {
            return unknown(Reason::Undecided("chdir".to_owned()));
        }
        let severity = severity.max(Severity::Warning);
        let candidates: Vec<_> = ancestors(here).map(|directory| join(directory, literal)).collect();
        if literal.starts_with('.') && !self.bases.is_empty() {
            // A step out of the root is never intended: candidates inside of it are tried.
            return Lookup::new(project, Want::File).verdict(severity, candidates.into_iter().flatten().map(Some));
        }
        resolve_without_base(project, Want::File, severity, literal, candidates)
    }

    /// Checks a path outside of includes: a file that is read must exist; others get a hint.
    fn check_path(&mut self, node: Node<'_>) {
        let text = self.report.source.text();
        let Some(joined) = self.evaluate_path(node) else { return };
        let range = joined.range.clone();
        if !self.checked_paths.insert(node.start_byte()) {
            return;
        }
        let literal = &text[range.clone()];
        // Text is appended to the path, or it is a directory, which can be created.
        let is_open = text[node.end_byte()..].trim_start().starts_with('.') || literal.ends_with(['/', '-', '_', '.']);
        if is_open || literal.len() < 2 {
            return;
        }
        let before = text[..node.start_byte()].trim_end();
        let severity = severity_in(self.report.source.path(), Severity::Warning);
        let exists = joined.path.as_deref().is_some_and(|path| self.report.project.tree().kind(path).is_some());
        // Other files with the extension exist, so none of them is written. A function that is given code can test for it first.
        let is_read =
            joined.learned.as_ref().is_some_and(|learned| learned.is_sure_of_extension) && extension(literal) != "php";
        let answer = if exists {
            self.resolve_joined(&joined, severity)
        } else if extension(literal).is_empty() || self.is_optional(node, literal) {
            joined.optional(self.resolve_joined(&joined, Severity::Hint))
        } else if is_read || READ_CALLS.iter().any(|reader| before.ends_with(reader)) {
            self.resolve_joined(&joined, severity)
        } else {
            self.resolve_joined(&joined, Severity::Hint)
        };
        self.report.add(kinds::PATH, range.start, range.len(), answer);
    }

    /// Returns whether the file is tested for before its use, is created here, or its absence is ignored.
    fn is_optional(&self, node: Node<'_>, literal: &str) -> bool {
        let text = self.report.source.text();
        let is_silenced = text[..node.start_byte()].trim_end().ends_with('@');
        is_silenced
            || is_within_any(&self.optional, node.start_byte())
            || self.tests_existence && head(text, MAX_SEARCHED_BYTES).matches(literal).take(2).count() > 1
    }
}

/// Calls that test for a file or create it.
const EXISTENCE_CALLS: [&str; 9] = [
    "file_exists",
    "is_file",
    "is_readable",
    "stream_resolve",
    "file_put_contents",
    "unlink",
    "touch(",
    "copy(",
    "rename(",
];

/// The bytes in which a second use of a literal is searched: enough for handwritten files, and bounded for generated
/// ones.
const MAX_SEARCHED_BYTES: usize = 64 << 10;

/// Calls that fail if their file does not exist.
const READ_CALLS: [&str; 9] = [
    "file_get_contents(",
    " file(",
    "=file(",
    "(file(",
    "readfile(",
    "parse_ini_file(",
    "simplexml_load_file(",
    "hash_file(",
    "md5_file(",
];

/// Returns whether a path is below a package manager's directory.
fn is_installed(literal: &str) -> bool {
    literal.split('/').any(|segment| matches!(segment, "vendor" | "node_modules" | "externals" | "cache" | "var"))
}

/// The verdict on a path that may be missing. A file that git moved was there, and a typo is found by the tried paths.
fn optional((verdict, tried): Resolution) -> Resolution {
    match verdict {
        Verdict::Missing(Missing { code, .. }) if code != Code::MovedPath => {
            (Verdict::Unknown(Reason::Optional), tried)
        }
        verdict => (verdict, tried),
    }
}
