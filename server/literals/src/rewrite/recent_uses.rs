//! Literals that no rule of their language resolves, but that name a file by the path that it had until a recent commit moved it: a
//! header below an include directory, a module below a source directory, of which the build knows and the rules do not.
//!
//! `undecided_uses` has the counterpart for moves that an editor announces. Here the literal must have named that file and no other,
//! and the new path must have a spelling in the same form from the same directory: below the same first name, or below a directory from
//! which other literals of the file lead to files.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Rewriting;
use super::followers::Rewritten;
use super::spellings::generate_spellings;
use super::style::LiteralStyle;
use super::undecided_uses::{has_path_form, is_rooted, names_only};
use crate::check::check_at_current_path;
use crate::checked::{Checked, Code, Missing, Reason, Severity, Target, Verdict, Want};
use crate::path::{extension, name};
use crate::project::Project;
use crate::project_index::ProjectIndex;
use crate::report::severity_in;
use crate::source::Source;
use crate::tree::Moved;

/// Moved files of one name that a literal is compared with. A more common name, such as `index`, stands for its directory.
const MAX_NAMESAKES: usize = 16;

/// The recent moves of a tree, by the name of the file without its ending.
struct RecentMoves {
    moves: Vec<(String, Moved)>,
    by_stem: FxHashMap<String, Vec<usize>>,
}

impl ProjectIndex for RecentMoves {
    fn build(project: &Project) -> Self {
        let moves = project.tree().recent_moves();
        let mut by_stem: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (at, (from, _)) in moves.iter().enumerate() {
            by_stem.entry(stem(name(from)).to_owned()).or_default().push(at);
        }
        Self { moves, by_stem }
    }
}

fn stem(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Returns the finding for the literal of a file at `at` with an unknown verdict that named a file until it moved.
pub(crate) fn find_moved_use(
    source: &Source<'_>,
    project: &Project,
    literals: &[Checked],
    at: usize,
) -> Option<Missing> {
    let literal = literals.get(at)?;
    let is_open =
        matches!(&literal.verdict, Verdict::Unknown(Reason::Elsewhere | Reason::NotInstalled | Reason::Produced(_)));
    let moved = is_open.then(|| MovedUse::find(source, project, literals, literal)).flatten()?;
    Some(Missing {
        code: Code::MovedPath,
        severity: severity_in(source.path(), Severity::Warning),
        reason: format!("moved to {} in {}", moved.to.to, moved.to.commit),
        wanted: moved.from.to_owned(),
        want: Want::File,
        instead: Some(moved.to.to.clone()),
    })
}

/// A recent move of the file that a literal named.
struct MovedUse<'p> {
    from: &'p str,
    to: &'p Moved,
    /// The text that names the file now.
    new: String,
}

impl<'p> MovedUse<'p> {
    /// Finds the only recent move of a file that a literal can have named.
    fn find(source: &Source<'_>, project: &'p Project, literals: &[Checked], literal: &Checked) -> Option<Self> {
        let recent = project.index::<RecentMoves>();
        let written = source.text().get(range_in(source, literal)).filter(|_| !recent.moves.is_empty())?;
        if written.starts_with('.') || written.contains(['*', ':', ' ', '{']) {
            return None;
        }
        let path = written.split(['#', '?']).next()?;
        let last = if path.contains('/') { stem(path.rsplit('/').next()?) } else { path.rsplit('.').next()? };
        let namesakes = recent.by_stem.get(last).filter(|all| all.len() <= MAX_NAMESAKES)?;
        let mut named = namesakes.iter().filter_map(|at| {
            let (from, to) = &recent.moves[*at];
            let style = LiteralStyle::infer(written, from, source);
            // Without an extension, the first name of a path can be a package; with another one, a source moved beside its header.
            let is_whole = !is_rooted(&style) || extension(path) == extension(from);
            (has_path_form(&style) && is_whole && !style.is_relative()).then_some((from, to, style))
        });
        let (from, to, style) = named.next().filter(|_| named.next().is_none())?;
        // A file that got another extension is a template or a source of what the literal names.
        let is_kept = extension(from) == extension(&to.to) && !project.tree().is_ignored(from);
        // If another file has the name, the literal may be right.
        let suffix = from.get(style.base.len()..)?.trim_start_matches('/');
        if !is_kept || !project.find_all_by_suffix(suffix, 1).is_empty() {
            return None;
        }
        let new = generate_spellings(&style, &to.to, source, &[]).into_iter().find(|new| new != written)?;
        let now = LiteralStyle::infer(&new, &to.to, source);
        let first = |text: &str| text.split(['/', '.']).next().map(str::to_owned);
        let is_right = now.has_same_base(&style)
            && names_only(project, &now, &to.to)
            && !is_framework_header(source, literal, &style)
            && (first(&new) == first(written) || is_base_shared(source, literals, literal, &style));
        is_right.then_some(Self { from, to, new })
    }
}

/// Returns whether a literal can be the header of a framework, `<Framework/Header.h>`, which has headers of any directory.
fn is_framework_header(source: &Source<'_>, literal: &Checked, style: &LiteralStyle<'_>) -> bool {
    style.common == 2 && source.text()[..range_in(source, literal).start].ends_with('<')
}

/// Returns whether another literal of the file leads to a file from the same directory.
fn is_base_shared(source: &Source<'_>, literals: &[Checked], literal: &Checked, style: &LiteralStyle<'_>) -> bool {
    /// Most literals that are compared. More imports at the head of one file are a list, which is alike throughout.
    const MAX_COMPARED: usize = 100;
    let leads = |other: &&Checked| {
        let (Verdict::Found(Target { path }) | Verdict::Unknown(Reason::Undecided(path))) = &other.verdict else {
            return false;
        };
        let written = source.text().get(range_in(source, other));
        written.is_some_and(|written| LiteralStyle::infer(written, path, source).has_same_base(style))
    };
    let same = literals.iter().filter(|other| other.kind == literal.kind && other.range != literal.range);
    same.take(MAX_COMPARED).any(|other| leads(&other))
}

/// Returns the range of a literal in the text of its file.
fn range_in(source: &Source<'_>, literal: &Checked) -> Range<usize> {
    literal.range.start - source.offset()..literal.range.end - source.offset()
}

impl Rewriting<'_> {
    /// Returns the new text of a literal that [`find_moved_use`] reported.
    pub(super) fn rewrite_moved_use(&self, literal: &Checked, target: &str) -> Option<Rewritten> {
        let Verdict::Missing(missing) = &literal.verdict else { return None };
        if missing.code != Code::MovedPath {
            return None;
        }
        let moved = MovedUse::find(self.source, self.project, self.literals, literal)?;
        if moved.to.to != target || moved.from != missing.wanted {
            return None;
        }
        if self.at_current_path.get().is_none() && !self.spend(self.cost) {
            return None;
        }
        // A rule of the language that has a verdict of its own also knows the spelling.
        let now = self.at_current_path.get_or_init(|| check_at_current_path(self.source, self.project));
        let at = now.iter().position(|now| now.range == literal.range && now.kind == literal.kind)?;
        find_moved_use(self.source, self.project, now, at)?;
        Some(Rewritten { literal: moved.new, followers: Vec::new() })
    }
}
