//! Spellings of a target that left the directory from which a literal named it, where a build searches several directories.

use rustc_hash::FxHashSet;

use crate::checked::{Checked, Verdict};
use crate::path::{count_names, is_within, join, name, parent};

use super::Rewriting;
use super::style::LiteralStyle;

impl Rewriting<'_> {
    /// Puts before the spellings of a target those from the directories that are known to be searched: that of the file, and those that the
    /// build declares. None are if the target is still below the directory from which the literal named the old one.
    pub(super) fn searched_first(
        &self,
        literal: &Checked,
        style: &LiteralStyle<'_>,
        target: &str,
        is_angle: bool,
        spellings: Vec<String>,
    ) -> Vec<String> {
        let (project, tree, own) = (self.project, self.project.tree(), self.source.directory());
        let is_same = style.is_aligned() && (style.base.is_empty() || is_within(target, &style.base));
        if !project.has_search_directories(literal.kind) || !style.lead.is_empty() || is_same {
            return spellings;
        }
        let languages = project.languages().iter();
        let declared = languages.flat_map(|language| language.search_directories(literal.kind, self.source, project));
        let declared: Vec<String> = declared.collect();
        // A move that is announced has not happened yet: the literal still leads to the old path.
        let led = |directory: &str| match (&literal.verdict, join(directory, style.written)) {
            (Verdict::Found(found), Some(path)) => path == found.path,
            (_, Some(path)) => tree.moved(&path).is_some_and(|moved| moved.to == target),
            (_, None) => false,
        };
        // One that led to a header beside the file is relative, and stays so.
        if led(own) && !declared.iter().any(|directory| led(directory)) {
            return spellings;
        }
        let is_beside = !is_angle && parent(target) == own;
        let own = is_beside.then(|| name(target).to_owned());
        let below = |directory: &String| target.strip_prefix(directory)?.strip_prefix('/').map(str::to_owned);
        // The first directory of an include is that of the project, and says so wherever the header went. Else the nearest directory is meant,
        // but for a name alone.
        let first = style.written.split_once('/').map(|(first, _)| first);
        let rank = |text: &String| {
            let start = text.split_once('/').map(|(start, _)| start);
            (first.is_none() || start != first, first.is_some() && start.is_none(), count_names(text))
        };
        let mut declared: Vec<String> = declared.iter().filter_map(below).collect();
        declared.sort_by_key(rank);
        let mut seen = FxHashSet::default();
        let all = own.into_iter().chain(declared).chain(spellings);
        all.filter(|spelling| seen.insert(spelling.clone())).collect()
    }
}
