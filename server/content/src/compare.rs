//! Compares a text with the contents of a few files. Called by the server's `resolve`, for files of one name.

use crate::collection::Collection;
use crate::index::ContentIndex;
use crate::question::Question;
use crate::score::Scores;
use crate::terms::TermReader;

/// Returns for each file (root and path) the degree to which it fits a text, from 0 to 1: the mean of the share of the text's
/// words that it has, its score, and that of its best three chunks, each relative to the best of these files. A word counts
/// by its rarity among these files, as one that all of them have tells nothing. No other file of the indexes changes the result.
/// Files that no index knows do not fit.
///
/// Each of the three alone places as many files of `tests/bench/intents.py` first, within its error; the mean depends less on
/// the length of the files.
pub fn compare(text: &str, indexes: &[&ContentIndex], files: &[(usize, &str)]) -> Vec<f32> {
    let question = Question::parse(text, &mut TermReader::default());
    let mut collection = Collection::new(indexes);
    let numbers: Vec<Option<usize>> = files.iter().map(|(root, path)| collection.find(*root, path)).collect();
    let mut among: Vec<usize> = numbers.iter().flatten().copied().collect();
    among.sort_unstable();
    among.dedup();
    collection.set_means(&among);
    let scores = Scores::compute(&question, &collection, Some(&among));
    let details = scores.details(&question, &collection, among.iter().map(|&file| file as u32).collect());
    let measure = |file: usize| {
        let chunks = scores.best_chunks(&collection, file).three;
        [scores.share(details.sets(file).anywhere), scores.files[file], chunks]
    };
    let measures: Vec<[f32; 3]> = numbers.into_iter().map(|number| number.map_or([0.0; 3], measure)).collect();
    let best = |part: usize| measures.iter().map(|one| one[part]).fold(f32::MIN_POSITIVE, f32::max);
    let most = [best(0), best(1), best(2)];
    measures.iter().map(|one| one.iter().zip(most).map(|(value, most)| value / most).sum::<f32>() / 3.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContentChange, FileContent};

    /// `files`: path and text. The first of `expect` fits best, and only these fit.
    #[track_caller]
    fn check(text: &str, files: &[(&str, &str)], expect: &[&str]) {
        let mut reader = TermReader::default();
        let read = |(path, text): &(&str, &str), reader: &mut TermReader| {
            ContentChange::Read(Box::new(FileContent::read(path, 1, Some(text), &[], reader)))
        };
        let changes = files.iter().map(|file| read(file, &mut reader)).collect();
        let index = ContentIndex::default().apply(changes);
        let paths: Vec<(usize, &str)> = files.iter().map(|file| (0, file.0)).collect();
        let fits = compare(text, &[&index], &paths);
        let more = [("d/mod.rs", "cache cache words"), ("e/long.rs", "unrelated\n\nevict words\n\nold")];
        let larger = index.apply(more.iter().map(|file| read(file, &mut reader)).collect());
        assert_eq!(compare(text, &[&larger], &paths), fits, "other files count");
        let mut order: Vec<usize> = (0..files.len()).filter(|&at| fits[at] > 0.0).collect();
        order.sort_by(|&one, &other| fits[other].total_cmp(&fits[one]));
        assert_eq!(order.iter().map(|&at| files[at].0).collect::<Vec<_>>(), expect, "{text}: {fits:?}");
    }

    #[test]
    fn words_that_few_files_have_decide() {
        let files = [
            ("a/mod.rs", "fn open() { cache.open() }"),
            ("b/mod.rs", "fn flush() { cache.evict() }"),
            ("c/mod.rs", "fn close() {}"),
        ];
        check("evict old entries of the cache", &files, &["b/mod.rs", "a/mod.rs"]);
        check("unrelated words", &files, &[]);
        check("", &files, &[]);
    }
}
