//! Generator `intent`: entries that the intent mentions. For a file that was renamed and moved, often the only match
//! left.

use super::name_lookup::NameLookup;
use super::pool::{CandidatePool, Generator};
use crate::index::layer::{Layer, Node};
use crate::prepared_query::PreparedQuery;
use crate::words::split_extension;

/// Intent words that are looked up, rarest first.
const WORDS_MAX: usize = 8;
/// Names that may contain the word; a word with more names is too common to help.
const NAMES_MAX: usize = 128;
/// Most proposals in total: less than half of the pool, as little else supports them.
const PROPOSED_MAX: usize = 96;
/// Most entries per name, and most files per directory.
const EACH_MAX: usize = 8;
/// Quality of a mention, small beside a matching name: the candidate only has to reach the ranking.
const QUALITY: f32 = 0.25;

/// Proposes entries that the intent mentions.
pub(super) fn propose(query: &PreparedQuery, lookup: &NameLookup<'_>, pool: &mut CandidatePool<'_>) {
    let layer = pool.layer();
    let Some(name) = query.names.first() else { return };
    let mut words: Vec<_> = query.intent.words.iter().collect();
    words.sort_by(|left, right| right.weight.total_cmp(&left.weight).then_with(|| left.word.cmp(&right.word)));
    let fits = |node: Node| {
        let extension = split_extension(layer.names().get(layer.name_of(node))).1;
        name.extension.is_empty() || extension.eq_ignore_ascii_case(name.extension.as_bytes())
    };
    let mut left = PROPOSED_MAX;
    for word in words.into_iter().take(WORDS_MAX) {
        for node in entries_with_word(layer, lookup, &word.word) {
            let files = if node.is_directory() { layer.files_in(node.number()) } else { 0..0 };
            let inside = files.map(Node::file).filter(|&file| fits(file)).take(EACH_MAX);
            for node in std::iter::once(node).filter(|&node| fits(node)).chain(inside) {
                pool.add(node, Generator::Intent, QUALITY);
                left -= 1;
                if left == 0 {
                    return;
                }
            }
        }
    }
}

/// Returns entries with this word in their own name.
fn entries_with_word<'a>(layer: &'a Layer, lookup: &'a NameLookup<'_>, word: &str) -> impl Iterator<Item = Node> + 'a {
    let names = layer.words().find(word.as_bytes()).map(|word| layer.names_with_word(word));
    let names = names.filter(|names| names.at_most() <= NAMES_MAX);
    names.into_iter().flatten().flat_map(|name| lookup.entries(name, EACH_MAX))
}
