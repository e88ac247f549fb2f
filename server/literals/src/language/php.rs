//! PHP: what is included, paths that begin with `__DIR__` and are read, and classes that Composer finds by their name.

mod base;
mod classes;
mod composer;
mod declared;
#[cfg(test)]
mod tests;
mod uses;

use std::ops::Range;
use std::sync::LazyLock;

use pathfinder_grammars::{PHP, Query};
use rustc_hash::FxHashSet;
use tree_sitter::Node;

use super::Language;
use super::keyword_hits::KeywordHits;
use super::string_ranges::{inside, outermost, within_any};
use crate::checked::{Checked, Reason, Severity};
use crate::language::html::site::ancestors;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, head, is_dynamic, join};
use crate::project::Project;
use crate::report::{Report, Resolution, severity_in, undecided, unknown};
use crate::source::Source;
use crate::tree::Kind;

static QUERY: LazyLock<Query> = LazyLock::new(|| Query::new(&PHP, include_str!("php/literals.scm")));

/// What includes, and what paths begin with, in small letters: keywords may be written in others.
const HEADS: [&str; 6] = ["include", "include_once", "require", "require_once", "__dir__", "__file__"];

/// PHP.
pub(crate) struct Php;

impl Language for Php {
    fn name(&self) -> &'static str {
        "php"
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
        if !["include", "require", "__DIR__", "__FILE__"].iter().any(|word| text.contains(word)) {
            return;
        }
        let Some(tree) = source.parsed(&PHP) else { return };
        let matches = QUERY.matches(tree.root_node(), text, KeywordHits::find_ignoring_case(text, &HEADS).ranges());
        let optional = outermost(matches.iter().filter_map(|found| found.range("optional")).collect());
        let mut file = File {
            report: Report::new(source, project, found),
            optional,
            bases: Vec::new(),
            asks: ASKED.iter().any(|word| text.contains(word)),
            moves: ["chdir(", "set_include_path("].iter().any(|word| text.contains(word)),
            done: FxHashSet::default(),
        };
        let included: Vec<(Node<'_>, Node<'_>)> = matches
            .iter()
            .filter_map(|found| found.captures.iter().find(|capture| capture.name == "include"))
            .filter_map(|capture| Some((capture.node, argument(capture.node)?)))
            .collect();
        file.bases = file.known_bases(&included);
        for (statement, argument) in &included {
            file.include(*statement, *argument);
        }
        for found in &matches {
            if let Some(path) = found.captures.iter().find(|capture| capture.name == "path") {
                file.path(path.node);
            }
        }
    }
}

/// What an include names, without parentheses around it.
fn argument(include: Node<'_>) -> Option<Node<'_>> {
    let inner = include.named_child(0)?;
    if inner.kind() == "parenthesized_expression" { inner.named_child(0) } else { Some(inner) }
}

/// One file, while it is gone through.
struct File<'a> {
    report: Report<'a>,
    /// What need not work.
    optional: Vec<Range<usize>>,
    /// The directories that relative includes of this file are known to be seen from.
    bases: Vec<String>,
    /// Whether the file asks whether files are there, or makes some.
    asks: bool,
    /// Whether it changes where relative includes are seen from.
    moves: bool,
    /// Where the paths begin that were added.
    done: FxHashSet<usize>,
}

impl File<'_> {
    /// A text between quotes without anything computed.
    fn plain(&self, node: Node<'_>) -> Option<Range<usize>> {
        let text = self.report.source.text();
        if !matches!(node.kind(), "string" | "encapsed_string") {
            return None;
        }
        let range = inside(text, node.byte_range())?;
        let literal = &text[range.clone()];
        let is_computed = node.kind() == "encapsed_string" && literal.contains('$') || is_dynamic(literal);
        (!is_computed && !literal.is_empty() && !literal.contains(['*', '\n', '%', '{', ' '])).then_some(range)
    }

    /// Where the relative includes of a file are seen from, is told by those that are found: the program that includes
    /// it is run from there.
    fn known_bases(&self, included: &[(Node<'_>, Node<'_>)]) -> Vec<String> {
        let source = self.report.source;
        let tree = self.report.project.tree();
        let literals = included.iter().filter_map(|(_, argument)| self.plain(*argument));
        let relative: Vec<&str> =
            literals.map(|range| &source.text()[range]).filter(|text| text.starts_with('.')).collect();
        let holds = |base: &&str| {
            relative.iter().any(|path| join(base, path).is_some_and(|path| tree.kind(&path) == Some(Kind::File)))
        };
        ancestors(source.directory()).filter(holds).map(str::to_owned).collect()
    }

    fn include(&mut self, statement: Node<'_>, argument: Node<'_>) {
        let text = self.report.source.text();
        let severity = severity_in(self.report.source.path(), Severity::Error);
        if let Some(range) = self.plain(argument) {
            let answer = if self.is_optional(statement, &text[range.clone()]) {
                unknown(Reason::Optional)
            } else {
                self.bare(&text[range.clone()], severity)
            };
            return self.report.add("php.include", range.start, range.len(), answer);
        }
        let Some((path, range)) = self.based(argument) else { return };
        self.done.insert(argument.start_byte());
        let literal = &text[range.clone()];
        let answer = if self.is_optional(statement, literal) {
            unknown(Reason::Optional)
        } else {
            self.at(path, literal, severity)
        };
        self.report.add("php.include", range.start, range.len(), answer);
    }

    /// The path of `__DIR__ . '/x'` and the like, and where the literal of it is.
    fn based(&self, node: Node<'_>) -> Option<(Option<String>, Range<usize>)> {
        if node.kind() != "binary_expression" {
            return None;
        }
        let source = self.report.source;
        let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
        let between = source.text().get(left.end_byte()..right.start_byte())?.trim();
        let range = self.plain(right)?;
        let written = source.text()[range.clone()].strip_prefix('/')?;
        let base = (between == ".").then(|| base::directory(source, &source.text()[left.byte_range()])).flatten()?;
        Some((join(&base, written), range))
    }

    /// The verdict on a file at a known place.
    fn at(&self, path: Option<String>, literal: &str, severity: Severity) -> Resolution {
        let project = self.report.project;
        if path.as_deref().is_some_and(|path| project.tree().kind(path).is_none()) && is_installed(literal) {
            return unknown(Reason::NotInstalled);
        }
        Lookup::new(project, Want::Any).verdict(severity, [path])
    }

    /// The verdict on an include that depends on where the program is run, or on a setting.
    fn bare(&self, literal: &str, severity: Severity) -> Resolution {
        let project = self.report.project;
        let here = self.report.source.directory();
        if literal.starts_with('/') || literal.contains(':') {
            return unknown(Reason::Elsewhere);
        }
        if is_installed(literal) {
            return unknown(Reason::NotInstalled);
        }
        if self.moves {
            return unknown(Reason::Undecided("chdir".to_owned()));
        }
        let severity = severity.max(Severity::Warning);
        let candidates: Vec<_> = ancestors(here).map(|directory| join(directory, literal)).collect();
        if literal.starts_with('.') && !self.bases.is_empty() {
            // A step out of the root is none that was meant: other files are found without one.
            return Lookup::new(project, Want::File).verdict(severity, candidates.into_iter().flatten().map(Some));
        }
        undecided(project, Want::File, severity, literal, candidates)
    }

    /// A path that is not included: what is read must be there; of others nobody can say.
    fn path(&mut self, node: Node<'_>) {
        let text = self.report.source.text();
        let Some((path, range)) = self.based(node) else { return };
        if !self.done.insert(node.start_byte()) {
            return;
        }
        let literal = &text[range.clone()];
        // More is put behind it, or it is a directory, which may be made.
        let is_open = text[node.end_byte()..].trim_start().starts_with('.') || literal.ends_with(['/', '-', '_', '.']);
        if is_open || literal.len() < 2 {
            return;
        }
        let before = text[..node.start_byte()].trim_end();
        let severity = severity_in(self.report.source.path(), Severity::Warning);
        let there = path.as_deref().is_some_and(|path| self.report.project.tree().kind(path).is_some());
        let answer = if there {
            self.at(path, literal, severity)
        } else if extension(literal).is_empty() || self.is_optional(node, literal) {
            unknown(Reason::Optional)
        } else if READERS.iter().any(|reader| before.ends_with(reader)) {
            self.at(path, literal, severity)
        } else {
            self.at(path, literal, Severity::Hint)
        };
        self.report.add("php.path", range.start, range.len(), answer);
    }

    /// Whether the file is asked for before it is used, made here, or its absence overlooked.
    fn is_optional(&self, node: Node<'_>, literal: &str) -> bool {
        let text = self.report.source.text();
        // Names that say it: tests include what is not there.
        let bare: String = literal.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
        if ["nonexist", "notexist", "doesntexist"].iter().any(|word| bare.contains(word)) {
            return true;
        }
        let is_silenced = text[..node.start_byte()].trim_end().ends_with('@');
        is_silenced
            || within_any(&self.optional, node.start_byte())
            || self.asks && head(text, NEAR).matches(literal).take(2).count() > 1
    }
}

/// Calls by which a file asks for a file before it uses it, or makes it.
const ASKED: [&str; 9] = [
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

/// How far the same literal is looked for a second time: whole files that people write, not each of 60,000 lines in one
/// that a program wrote.
const NEAR: usize = 64 << 10;

/// Calls that fail without the file that they are given.
const READERS: [&str; 9] = [
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

/// Whether a path is below a package manager's directory.
fn is_installed(literal: &str) -> bool {
    literal.split('/').any(|segment| matches!(segment, "vendor" | "node_modules" | "externals" | "cache" | "var"))
}
