//! `Rewriting`: rewrites a literal so that it leads to another target, in the style of the file. Fixes and renames use it.
//!
//! Languages need no code for this. The old text and the path that it named are aligned from the end. Their common segments,
//! the text before them, the base directory and the omitted ending make up the style. The style gives a few spellings of the
//! new target. Each is put into the text and checked: a spelling is offered only if the literal then leads to the target and
//! no other literal becomes missing. So a wrong guess costs time and never gives a wrong fix.

mod acceptance;
mod corrected;
mod endings;
mod followers;
mod joined;
mod move_edits;
mod packages;
mod recent_uses;
mod search_directories;
mod spellings;
mod style;
mod text_uses;
mod together;
mod undecided_uses;

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::checked::{Checked, Reason, Severity, Verdict};
use crate::interpreter::path_of_output;
use crate::language::Language;
use crate::literal_kind::LiteralKind;
use crate::package_declaration::import_by_declaration;
use crate::path::{extension, without_query};
use crate::project::Project;
use crate::source::Source;
use acceptance::accepts;
pub use followers::Rewritten;
use joined::JoinedLiterals;
pub use move_edits::{Edit, MoveRewriter};
pub(crate) use recent_uses::find_moved_use;
use style::{LiteralStyle, wanted_beside};
pub use text_uses::{MovedTexts, TextForm};

/// Maximum number of spellings of one target that are verified. Each costs a check of the whole file; the right one is among
/// the first three if there is one.
const MAX_VERIFIED_SPELLINGS: usize = 12;
/// Maximum number of bytes that all verifications of one file check together. Usual files never reach it. In files of
/// megabytes or with thousands of broken literals, the first ones are fixed and the others only reported.
const MAX_VERIFIED_BYTES: usize = 16 * 1024 * 1024;
/// Cost of a literal in a verification: the lookup of a missing literal takes as long as reading so many bytes.
const LITERAL_COST_BYTES: usize = 256;
/// Cost of each further tried path of a literal: to make and look up a path takes about as long as reading so many bytes. A module of
/// a package with many source directories is looked up in each.
const PATH_COST_BYTES: usize = 64;
/// Number of tried paths that the cost of a literal includes. Few constructs have more.
const INCLUDED_PATHS: usize = 64;

/// Rewrites the literals of one file.
pub struct Rewriting<'a> {
    source: &'a Source<'a>,
    project: &'a Project,
    /// The result of a check of this text.
    literals: &'a [Checked],
    /// The result of a check of this text that asks only where the file is now.
    at_current_path: OnceCell<Vec<Checked>>,
    /// The cost of one check of the whole text, in bytes.
    cost: usize,
    /// The cost of all verifications so far, in bytes.
    verified_bytes: Cell<usize>,
    proofs: Cell<usize>,
    /// True if a literal of the file can be checked alone.
    checks_one_literal: bool,
    /// Results of verifications: whether the literal leads to the target then, by the kind and the text of the literal, the spelling and the target.
    known: RefCell<FxHashMap<(LiteralKind, String, String, String), bool>>,
    /// Results of the verifications of many literals in one text, by the start of the literal, the spelling and the target.
    together: RefCell<FxHashMap<(usize, String, String), bool>>,
}

/// Two texts of a link without the fragment that both have.
fn without_same_fragment<'t>(written: &'t str, spelling: &'t str) -> (&'t str, &'t str) {
    match (written.split_once('#'), spelling.split_once('#')) {
        (Some((page, fragment)), Some((new, same))) if fragment == same && !page.is_empty() => (page, new),
        _ => (written, spelling),
    }
}

/// Languages of pages. They link to a target again and again, and each of these links leads to it if one does.
const PAGES: [&str; 2] = ["html", "md"];

impl<'a> Rewriting<'a> {
    /// Creates a rewriter for a file with the literals that its check returned.
    pub fn new(source: &'a Source<'a>, project: &'a Project, checked: &'a [Checked]) -> Self {
        let costs = checked
            .iter()
            .map(|literal| LITERAL_COST_BYTES + PATH_COST_BYTES * literal.tried.len().saturating_sub(INCLUDED_PATHS));
        let cost = source.text().len() + costs.sum::<usize>();
        let checks_one_literal = project.languages_of(source).all(Language::checks_one_literal);
        let (verified_bytes, proofs) = (Cell::new(0), Cell::new(0));
        let (known, together) = (RefCell::default(), RefCell::default());
        let at_current_path = OnceCell::new();
        Self {
            source,
            project,
            literals: checked,
            at_current_path,
            cost,
            verified_bytes,
            proofs,
            checks_one_literal,
            known,
            together,
        }
    }

    /// The number of spellings that were verified so far.
    pub fn proofs(&self) -> usize {
        self.proofs.get()
    }

    /// Returns whether the budget for verifications is used up. Then further literals are not rewritten.
    pub fn is_exhausted(&self) -> bool {
        self.verified_bytes.get() >= MAX_VERIFIED_BYTES
    }

    /// Adds the cost of a verification, in bytes. Returns whether the budget is enough for it.
    fn spend(&self, cost: usize) -> bool {
        let verified_bytes = self.verified_bytes.get().saturating_add(cost);
        self.verified_bytes.set(verified_bytes);
        verified_bytes <= MAX_VERIFIED_BYTES
    }

    /// Returns the text of a missing literal that leads to `target` (relative to the root). `None` if no spelling does so
    /// without breaking another literal.
    pub fn rewrite(&self, literal: &Checked, target: &str) -> Option<String> {
        self.rewrite_with_followers(literal, target).filter(|new| new.followers.is_empty()).map(|new| new.literal)
    }

    /// As [`rewrite_with_followers`](Self::rewrite_with_followers), without the uses of a bound name.
    fn rewrite_literal(&self, literal: &Checked, target: &str) -> Option<Rewritten> {
        let written = self.text_at(&literal.range)?;
        let Verdict::Missing(missing) = &literal.verdict else { return None };
        if let Some(new) = self.rewrite_moved_use(literal, target) {
            return Some(new);
        }
        let style = LiteralStyle::infer(written, wanted_beside(literal, written, missing, target), self.source);
        let tried = std::iter::once(&missing.wanted).chain(&literal.tried).map(String::as_str);
        let is_open = missing.instead.is_none() && !self.is_exhausted() && !written.contains('*');
        if let Some(corrected) = is_open.then(|| corrected::correct(written, tried, target)).flatten()
            && let Some(followers) = self.verify(literal, &corrected, target, &style)
        {
            return Some(Rewritten { literal: corrected, followers });
        }
        let (languages, tree) = (self.project.languages(), self.project.tree());
        let declared = import_by_declaration(languages, tree, written, &missing.wanted, target);
        self.respell(literal, &style, target, declared).or_else(|| {
            let joined = JoinedLiterals::find(self.project, self.source, literal)?;
            let style = LiteralStyle::infer(&joined.written, &missing.wanted, self.source);
            let declared = import_by_declaration(languages, tree, &joined.written, &missing.wanted, target);
            self.respell_joined(literal, &joined, &style, target, declared)
        })
    }

    /// Returns the text of a literal with another fragment; `None` if the page has no such fragment either.
    pub fn rewrite_fragment(&self, literal: &Checked, fragment: &str) -> Option<String> {
        let written = self.text_at(&literal.range)?;
        let Verdict::Missing(missing) = &literal.verdict else { return None };
        let (page, _) = written.split_once('#')?;
        let spelling = format!("{page}#{fragment}");
        let style = LiteralStyle::infer(written, &missing.wanted, self.source);
        let followers = self.verify(literal, &spelling, &missing.wanted, &style)?;
        followers.is_empty().then_some(spelling)
    }

    /// Returns a literal with its last word `old` replaced, if it leads to `target` then and no other literal becomes missing.
    pub fn rewrite_name(&self, literal: &Checked, (old, new): (&str, &str), target: &str) -> Option<Rewritten> {
        let written = self.text_at(&literal.range)?;
        let text = corrected::replace_word(written, old, new)?;
        let Verdict::Missing(missing) = &literal.verdict else { return None };
        let style = LiteralStyle::infer(written, &missing.wanted, self.source);
        let followers = self.verify(literal, &text, target, &style)?;
        Some(Rewritten { literal: text, followers })
    }

    /// The project of the file.
    pub fn project(&self) -> &'a Project {
        self.project
    }

    /// Returns the text of a literal in a given style that leads to `target`. The spelling `first` is tried before all others.
    fn respell(
        &self,
        literal: &Checked,
        style: &LiteralStyle<'_>,
        target: &str,
        first: Option<String>,
    ) -> Option<Rewritten> {
        if self.is_exhausted() {
            return None;
        }
        self.spellings_of(literal, style, target, first).into_iter().find_map(|literal_text| {
            let followers = self.verify(literal, &literal_text, target, style)?;
            Some(Rewritten { literal: literal_text, followers })
        })
    }

    /// Returns the texts of a literal in a given style that may lead to `target`, likeliest first.
    fn spellings_of(
        &self,
        literal: &Checked,
        style: &LiteralStyle<'_>,
        target: &str,
        first: Option<String>,
    ) -> Vec<String> {
        // A glob matches more files than the one in its verdict.
        if style.written.contains('*') {
            return Vec::new();
        }
        // A type is imported by the package that its file declares, however its directories are called.
        if let Some(declared) = first.as_ref().filter(|declared| *declared != style.written) {
            return vec![declared.clone()];
        }
        let spellings = spellings::generate_spellings(style, target, self.source, &self.sibling_styles(literal));
        // `<../a.h>` depends on the order of the searched directories, as no author writes it.
        let is_angle = self.is_in_angle_brackets(literal) && !style.written.starts_with('.');
        let spellings = first.into_iter().chain(self.searched_first(literal, style, target, is_angle, spellings));
        // The root of a site stays the start of a path, because its page can be shown at another address. So does its ending, which the
        // site gives to its pages.
        let is_from_root = style.written.starts_with('/');
        let ending = |text: &str| extension(without_query(text).trim_end_matches('/')).as_str().to_owned();
        // A picture that left what the site serves from its root is named from the page.
        let is_picture = matches!(literal.kind.construct(), "image" | "html.src");
        let is_package = self.names_package(literal, style.written, target);
        let is_py = literal.kind.language() == "py";
        let is_rooted = |text: &str| text.starts_with('/') && ending(text) == ending(style.written);
        let is_offered = |spelling: &String| {
            spelling != style.written
                && !((is_angle || is_package) && spelling.starts_with('.'))
                && !(is_py && self.begins_with_project(style.written, spelling, target))
                && (!is_from_root || is_rooted(spelling) || is_picture && spelling.starts_with('.'))
        };
        let mut spellings: Vec<String> = spellings.filter(is_offered).collect();
        spellings.sort_by_key(|spelling| is_from_root && !spelling.starts_with('/'));
        spellings.truncate(MAX_VERIFIED_SPELLINGS);
        spellings
    }

    /// Returns the styles of other literals of the file that have the same kind.
    fn sibling_styles(&self, literal: &Checked) -> Vec<LiteralStyle<'a>> {
        /// Maximum number of styles. They differ between files, hardly within one.
        const MAX_STYLES: usize = 8;
        /// Maximum number of literals to inspect, because this runs for every target of every literal.
        const MAX_INSPECTED: usize = 100;
        let same = self.literals.iter().filter(|other| other.kind == literal.kind && other.range != literal.range);
        let styles = same.filter_map(|other| match &other.verdict {
            Verdict::Found(target) => Some(LiteralStyle::infer(self.text_at(&other.range)?, &target.path, self.source)),
            _ => None,
        });
        let mut all: Vec<LiteralStyle<'a>> = Vec::new();
        for style in styles.take(MAX_INSPECTED) {
            if style.is_aligned() && !style.is_relative() && !all.iter().any(|known| known.has_same_base(&style)) {
                all.push(style);
            }
            if all.len() >= MAX_STYLES {
                break;
            }
        }
        all
    }

    /// Returns whether a literal is an include in angle brackets, which is searched in directories only.
    fn is_in_angle_brackets(&self, literal: &Checked) -> bool {
        let start = literal.range.start.checked_sub(self.source.offset() + 1);
        let before = start.and_then(|at| self.source.text().as_bytes().get(at));
        self.project.has_search_directories(literal.kind) && before == Some(&b'<')
    }

    /// Returns the text at a range of the file.
    pub fn text_at(&self, range: &Range<usize>) -> Option<&'a str> {
        self.source.text_at(range)
    }

    /// Checks the edited text, unless that of an equal literal of a page was checked, or of one with another heading of the target. Returns the edits of its followers if the literal
    /// leads to the target and no other literal becomes missing.
    fn verify(
        &self,
        literal: &Checked,
        spelling: &str,
        target: &str,
        style: &LiteralStyle<'_>,
    ) -> Option<Vec<(Range<usize>, String)>> {
        let key = (literal.range.start, spelling.to_owned(), target.to_owned());
        if let Some(leads) = self.together.borrow().get(&key) {
            return leads.then(Vec::new);
        }
        if !PAGES.contains(&literal.kind.language()) {
            return self.verify_edit(literal, spelling, target, style);
        }
        let key_of = |texts: (&str, &str)| (literal.kind, texts.0.to_owned(), texts.1.to_owned(), target.to_owned());
        let (key, page_key) =
            (key_of((style.written, spelling)), key_of(without_same_fragment(style.written, spelling)));
        let known = [&key, &page_key].into_iter().find_map(|key| self.known.borrow().get(key).copied());
        if let Some(leads) = known {
            return leads.then(Vec::new);
        }
        let followers = self.verify_edit(literal, spelling, target, style);
        if !self.is_exhausted() && followers.as_ref().is_none_or(Vec::is_empty) {
            // A link that does not lead there may only lack its heading.
            let key = if followers.is_some() { page_key } else { key };
            self.known.borrow_mut().insert(key, followers.is_some());
        }
        followers
    }

    fn verify_edit(
        &self,
        literal: &Checked,
        spelling: &str,
        target: &str,
        style: &LiteralStyle<'_>,
    ) -> Option<Vec<(Range<usize>, String)>> {
        let skipped = self.source.offset();
        let text = self.source.text();
        let (start, end) = (literal.range.start - skipped, literal.range.end - skipped);
        if !self.spend(if self.checks_one_literal { text.len() + LITERAL_COST_BYTES } else { self.cost }) {
            return None;
        }
        self.proofs.set(self.proofs.get() + 1);
        if !self.project.can_have_text(literal.kind, spelling) {
            return None;
        }
        let edited = [&text[..start], spelling, &text[end..]].concat();
        let old = start..end;
        let source = self.source.with_edit(&old, spelling, &edited);
        let (start, end) = (start, start + spelling.len());
        if self.checks_one_literal {
            if !self.leads_to_target(&source, &(start..end), spelling, target, style) {
                return None;
            }
            if is_plain(spelling) && is_plain(&text[old.clone()]) {
                return Some(Vec::new());
            }
            if !self.spend(self.cost) {
                return None;
            }
        }
        let mut is_found = false;
        let moved =
            |at: usize| if at >= end { at + literal.range.len() - spelling.len() + skipped } else { at + skipped };
        let mut followers = Vec::new();
        let all = crate::check::check_at_current_path(&source, self.project);
        self.source.adopt_trees(&source, &old, spelling);
        for (at, now) in all.iter().enumerate() {
            let is_it = now.range == (start..end);
            match &now.verdict {
                Verdict::Missing(_) if is_it => return None,
                _ if is_it => is_found |= accepts(style, now, spelling, target),
                Verdict::Missing(missing) => {
                    let was = moved(now.range.start)..moved(now.range.end);
                    // `check` returns literals in source order.
                    let order = |known: &Checked| (known.range.start, known.range.end).cmp(&(was.start, was.end));
                    let known = self.literals.binary_search_by(order).ok().map(|at| &self.literals[at]);
                    match known.map(|known| &known.verdict) {
                        Some(Verdict::Missing(_)) => {}
                        // With the right path, others of its list count as paths too.
                        None if missing.severity == Severity::Hint => {}
                        // It was as missing before; now it is known that the page is read here. Those of templates are left undecided.
                        Some(Verdict::Unknown(Reason::Undecided(_))) if PAGES.contains(&now.kind.language()) => {}
                        Some(Verdict::Unknown(Reason::Optional)) if path_of_output(source.path()).is_some() => {}
                        _ if self.project.follows_binding(now.kind) => followers.push(at),
                        _ => return None,
                    }
                }
                _ => {}
            }
        }
        if !is_found || followers.is_empty() {
            return is_found.then(Vec::new);
        }
        let edits = self.rewrite_followers(&source, &all, &followers)?;
        Some(edits.into_iter().map(|(range, new)| (moved(range.start)..moved(range.end), new)).collect())
    }

    /// Checks only the literal at `range` of an edited text, and returns whether it leads to the target. Most spellings do not, so
    /// that this spares most checks of the whole text.
    fn leads_to_target(
        &self,
        source: &Source<'_>,
        range: &Range<usize>,
        spelling: &str,
        target: &str,
        style: &LiteralStyle<'_>,
    ) -> bool {
        let all = crate::check::check_at_current_path(&source.with_focus(range), self.project);
        all.iter().any(|now| now.range == *range && accepts(style, now, spelling, target))
    }
}

/// Returns whether a text has only characters of names and paths. If one of them replaces another, each language reads the rest of the
/// file as before.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Rewriting;
    use crate::checked::{Checked, Severity, Want};
    use crate::language::Language;
    use crate::literal_kind::LiteralKind;
    use crate::lookup::Lookup;
    use crate::path::join;
    use crate::project::Project;
    use crate::report::Report;
    use crate::source::Source;
    use crate::testing::MemoryTree;

    pub(super) const KIND: LiteralKind = LiteralKind::new("lines.path", "A line");
    const LINK: LiteralKind = LiteralKind::new("md.link", "A line of a page");

    /// A language in which each line is a path. It counts the lines that it resolves, and says whether it checks one alone.
    pub(super) struct Lines(pub(super) AtomicUsize, pub(super) LiteralKind, pub(super) bool);

    impl Language for Lines {
        fn name(&self) -> &'static str {
            "lines"
        }

        fn kinds(&self) -> &'static [LiteralKind] {
            &[KIND, LINK]
        }

        fn claims(&self, _path: &str) -> bool {
            true
        }

        fn checks_one_literal(&self) -> bool {
            self.2
        }

        fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
            let mut report = Report::new(source, project, found);
            let mut at = 0;
            for line in source.text().lines() {
                if source.wants(&(at..at + line.len())) {
                    self.0.fetch_add(1, Ordering::Relaxed);
                    let lookup = Lookup::new(project, Want::File);
                    let path = line.split('#').next().unwrap_or(line);
                    let outcome = lookup.verdict(Severity::Error, [join(source.directory(), path)]);
                    report.add(self.1, at, line.len(), outcome);
                }
                at += line.len() + 1;
            }
        }
    }

    /// A spelling costs one look-up, however many literals the file has. Only one that can change how the rest is read costs all.
    #[test]
    fn checks_the_rewritten_literal_only() {
        static LINES: Lines = Lines(AtomicUsize::new(0), KIND, true);
        static ALL: [&dyn Language; 1] = [&LINES];
        let project = Project::new(Arc::new(MemoryTree::new("a.md\nb/c.md\nb/d.md\nb/e f.md")), &ALL);
        let text = ["gone.md", &"d.md\n".repeat(99)].join("\n");
        let source = Source::new("b/list", text.as_bytes()).expect("a text");
        let literals = crate::check::check(&source, &project);
        let rewrite = |target: &str| {
            let (before, rewriting) = (LINES.0.load(Ordering::Relaxed), Rewriting::new(&source, &project, &literals));
            let new = rewriting.rewrite(&literals[0], target);
            (new, rewriting.proofs(), LINES.0.load(Ordering::Relaxed) - before)
        };
        assert_eq!(rewrite("b/c.md"), (Some("c.md".to_owned()), 1, 1));
        assert_eq!(rewrite("b/e f.md"), (Some("e f.md".to_owned()), 1, 101));
        let (new, proofs, resolved) = rewrite("b/e.md");
        assert!(new.is_none() && proofs > 0 && resolved == proofs, "{proofs} {resolved}");
    }

    /// An equal link of a page, or one to another heading of the same page, needs no verification of its own.
    #[test]
    fn verifies_equal_links_of_a_page_once() {
        static LINKS: Lines = Lines(AtomicUsize::new(0), LINK, true);
        static LINES: Lines = Lines(AtomicUsize::new(0), KIND, true);
        static PAGES: [&dyn Language; 1] = [&LINKS];
        static OTHERS: [&dyn Language; 1] = [&LINES];
        let check = |languages: &'static [&'static dyn Language], expect: usize| {
            let project = Project::new(Arc::new(MemoryTree::new("b/c.md\nb/d.md")), languages);
            let source = Source::new("b/list", b"gone.md\nd.md\ngone.md#a\ngone.md#b").expect("a text");
            let literals = crate::check::check(&source, &project);
            let rewriting = Rewriting::new(&source, &project, &literals);
            for (at, expect) in [(0, "c.md"), (2, "c.md#a"), (3, "c.md#b")] {
                assert_eq!(rewriting.rewrite(&literals[at], "b/c.md").as_deref(), Some(expect));
            }
            assert_eq!(rewriting.proofs(), expect);
        };
        check(&PAGES, 1);
        check(&OTHERS, 3);
    }
}
