//! Links that broke when their files moved and were left so in many files: what publishes the files puts them together in another way.

use std::sync::atomic::Ordering;

use pathfinder_literals::{Checked, Missing};

use super::form::LiteralForm;
use super::statistics::{self, target_hash};
use super::{BrokenEstimator, MAX_AGE_QUESTIONS, is_month_old, readers, still_named};

impl BrokenEstimator<'_> {
    /// Returns whether many files have links that begin as this one does and broke when the files themselves moved, more than a month
    /// ago, and none that works; or many pages have any such links: what publishes them puts them together in another way.
    pub(super) fn is_left_in_all_files(
        &self,
        form: &LiteralForm<'_>,
        literal: &Checked,
        missing: &Missing,
        text: &str,
    ) -> bool {
        /// So many files are not left broken by mistake.
        const MIN_FILES: u32 = 8;
        let [.., before] = form.keys();
        let files = |key| self.shares.language().files_missing(self.source.path(), key);
        let are_alike = || {
            files(readers::stray_key(text)) >= MIN_FILES
                && self.shares.tally(before, target_hash(missing, text)).found == 0
        };
        let are_pages = || {
            literal.kind.is_of_page()
                && files(readers::stray_file_key()) >= MIN_FILES
                && self.asked.fetch_add(1, Ordering::Relaxed) < MAX_AGE_QUESTIONS
                && is_month_old(self.tree, self.source, literal, missing)
        };
        readers::is_stray(self.tree, missing) && (are_alike() || are_pages())
    }

    /// Returns whether many pages name a file where it was more than a month ago: a program makes them, for a site in which it is there.
    pub(super) fn is_left_in_all_pages(&self, literal: &Checked, missing: &Missing) -> bool {
        /// So many pages are not left broken by mistake.
        const MIN_PAGES: u32 = 8;
        let key = statistics::path_key(&missing.wanted);
        if missing.instead.is_none() || self.shares.language().files_missing(self.source.path(), key) < MIN_PAGES {
            return false;
        }
        // A page of a program links to the same one again and again.
        *self.left_in_pages.lock().entry(key).or_insert_with(|| {
            let may_ask = self.asked.fetch_add(1, Ordering::Relaxed) < MAX_AGE_QUESTIONS;
            may_ask && is_month_old(self.tree, self.source, literal, missing)
        })
    }

    /// Returns whether other files name what is where a target moved to by the path of before.
    pub(super) fn is_still_named(&self, literal: &Checked, missing: &Missing) -> bool {
        let misses =
            |file: &str, path: &str| self.shares.language().files_missing(file, statistics::path_key(path)) > 0;
        let (any, other) = (|path: &str| misses("", path), |path: &str| misses(self.source.path(), path));
        // It can be the file of the literal that moved.
        !readers::is_stray(self.tree, missing)
            && still_named::has_new_names(self.tree, self.project, (literal.kind.language(), missing), any, other)
    }
}
