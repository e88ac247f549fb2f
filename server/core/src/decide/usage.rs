//! Measures whether the tree uses the parts of the request that the first candidate lacks. Used by `confidence`.
//!
//! A word that other names have was not mistyped. A requested directory that exists and resembles the candidate's was
//! intended.

use super::confidence::is_other_extension;
use super::input::DecisionInput;
use crate::features::Feature;
use crate::index::Snapshot;
use crate::path;
use crate::rank::Ranked;
use crate::words::{split_extension, words};

/// Names of [`values`], in order.
pub(super) const NAMES: [&str; 5] = [
    // Entries with the requested word that the candidate's stem lacks; of several such words, the rarest counts.
    // Logarithmic, 1 from [`SATURATION_COUNT`] on; 0 if the candidate has all words.
    "words_used",
    // The requested directory exists: share of its file names that the candidate's directory has too. In twin
    // directories, a name that only one of them has is not wanted when the other one is requested.
    "places_alike",
    // Files with the requested extension in the requested directory, if the candidate has another extension.
    // Logarithmic, 1 from [`SATURATION_COUNT`] on.
    "extension_used",
    // Files counted as before, if the candidate has this extension and lies in another directory: one of such files is likelier
    // meant than one without any.
    "extension_there",
    // The requested directory exists: share of the files below it that the candidate's has below it too, both taken as
    // high up as the paths differ. Twin packages have twin files, and miss some.
    "subtrees_alike",
];

/// Count at which the logarithmic scale reaches 1: more uses add nothing.
const SATURATION_COUNT: f32 = 8.0;
/// Files of the requested directory that are compared, and the smallest denominator of a share: two or three files
/// prove little.
const FILES_MAX: usize = 64;
const FILES_MIN: usize = 4;
/// Files below a requested directory that are compared: enough for a share, and few enough for each question.
const BELOW_MAX: usize = 256;

/// Values of the signals in [`NAMES`].
pub(super) fn values(input: &DecisionInput<'_>, first: &Ranked) -> [f32; NAMES.len()] {
    let target = &input.query.targets[first.target];
    let name = &input.query.names[target.name];
    let path = first.path.as_bytes();
    let (directory, own) = match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (&b""[..], path),
    };
    let stem = words(split_extension(own).0);
    let lacking = name.words.iter().filter(|query| !stem.contains(&query.word));
    let used = lacking.map(|query| input.corpus.entries_with(&query.word)).min();
    let words_used = used.map_or(0.0, |count| log_scale(count as f32));
    if !target.place_exists || first.get(Feature::DirectoriesExact) > 0.0 && !is_other_extension(input, first) {
        return [words_used, 0.0, 0.0, 0.0, 0.0];
    }
    let query = target.directories.iter().map(|segment| segment.text.as_str()).collect::<Vec<_>>().join("/");
    let snapshot = input.corpus.snapshot(first.root);
    let files = snapshot.files_in(query.as_bytes(), FILES_MAX);
    let in_place = query.as_bytes() == directory;
    let places_alike = if in_place { 0.0 } else { share_of_names(snapshot, &files, directory) };
    let has_extension = |file: &&&[u8]| split_extension(file).1.eq_ignore_ascii_case(name.extension.as_bytes());
    let count = log_scale(files.iter().filter(has_extension).count() as f32);
    let (used, there) = if is_other_extension(input, first) { (count, 0.0) } else { (0.0, count) };
    let below = if in_place { 0.0 } else { share_of_subtree(snapshot, query.as_bytes(), directory) };
    [words_used, places_alike, used, there, below]
}

/// Returns the share of the files below the requested directory that the candidate's has too, both as high up as they
/// differ.
fn share_of_subtree(snapshot: &Snapshot, query: &[u8], own: &[u8]) -> f32 {
    let (query, own) = strip_common_tail(query, own);
    let files = snapshot.files_below(query, BELOW_MAX);
    // Files of one directory follow each other.
    let mut directory = None;
    let is_there = |file: &&Vec<u8>| {
        let path = [own, &file[query.len()..]].concat();
        let (above, name) = path::split(&path);
        let nodes = match &mut directory {
            Some((known, nodes)) if known == above => nodes,
            other => &mut other.insert((above.to_vec(), snapshot.directory_nodes(above))).1,
        };
        nodes.has_child(name)
    };
    files.iter().filter(is_there).count() as f32 / files.len().max(FILES_MIN) as f32
}

/// Strips the segments that both directories end with, but for the first of them where nothing else is left of one.
fn strip_common_tail<'a>(mut left: &'a [u8], mut right: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    let parent = |path: &'a [u8]| path.iter().rposition(|&byte| byte == b'/').map(|at| &path[..at]);
    while let (Some(above_left), Some(above_right)) = (parent(left), parent(right)) {
        let is_equal = path::name(left) == path::name(right);
        let is_nested = above_left.starts_with(above_right) || above_right.starts_with(above_left);
        if !is_equal || is_nested {
            break;
        }
        (left, right) = (above_left, above_right);
    }
    (left, right)
}

/// Returns the share of these names that the directory has as well.
fn share_of_names(snapshot: &Snapshot, files: &[&[u8]], directory: &[u8]) -> f32 {
    let nodes = snapshot.directory_nodes(directory);
    let is_there = |name: &&&[u8]| nodes.has_child(name);
    files.iter().filter(is_there).count() as f32 / files.len().max(FILES_MIN) as f32
}

/// Maps a count to a logarithmic scale from 0 to 1.
fn log_scale(count: f32) -> f32 {
    (count.ln_1p() / SATURATION_COUNT.ln_1p()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::NAMES;
    use crate::Request;
    use crate::testing::Tree;

    fn check(tree: &str, query: &str, expect: [f32; NAMES.len()]) {
        let mut request = Request::new(query);
        request.explain = true;
        let answer = Tree::new(tree).ask(&request);
        let value = |name: &str| answer.signals.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
        for (name, expect) in NAMES.iter().zip(expect) {
            let value = value(name).unwrap_or(f32::NAN);
            assert!((value - expect).abs() < 0.02, "{query}: {name} is {value}");
        }
    }

    #[test]
    fn counts_entries_with_lacking_words() {
        let tree = "src/add_backend.c\nsrc/del_server.c\nsrc/del_cert.c\nsrc/hstream.h\nsrc/stream_in.c\nsrc/main.c\n";
        check(tree, "src/del_backend.c", [0.5, 0.0, 0.0, 0.0, 0.0]);
        check(tree, "src/stream.h", [0.32, 0.0, 0.0, 0.0, 0.0]);
        check(tree, "src/add_bakend.c", [0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn compares_files_of_directories() {
        let tree = "pg/src/a.ts\npg/src/b.ts\npg/src/c.ts\npg/src/d.ts\npg/src/plan.ts\nlite/src/a.ts\nlite/src/b.ts\n\
            lite/src/c.ts\nlite/src/e.ts\nnet/x.ts\nnet/y.ts\n";
        check(tree, "lite/src/plan.ts", [0.0, 0.75, 0.0, 0.73, 0.75]);
        check(tree, "net/plan.ts", [0.0, 0.0, 0.0, 0.5, 0.0]);
        check(tree, "gone/plan.ts", [0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn compares_files_below_directories() {
        let tree = "one/core/package.json\none/core/src/a.ts\none/core/src/b.ts\none/core/test/c.ts\ntwo/core/package.json\n\
            two/core/src/a.ts\ntwo/core/src/b.ts\ntwo/core/test/d.ts\ntwo/core/test/e.ts\n";
        // Four of the five files below `two` are below `one` too, or three of the four.
        check(tree, "two/core/test/c.ts", [0.0, 0.0, 0.0, 0.5, 0.6]);
        check(tree, "one/core/test/e.ts", [0.0, 0.0, 0.0, 0.32, 0.75]);
    }

    #[test]
    fn counts_extensions_in_the_requested_directory() {
        let tree = "t/a.vtc\nt/b.vtc\nt/set_file.vtci\nt/c.vtc\nREADME.md\n";
        check(tree, "t/set_file.vtc", [0.0, 0.0, 0.63, 0.0, 0.0]);
        check(tree, "t/set_file.vct", [0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
