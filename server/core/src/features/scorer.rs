//! `Scorer`: computes the features of one layer's entries for one request. Called by `candidates` and `rank`.
//!
//! It caches results that entries share: by name, by directory name and by directory. Statistics of the tree come from
//! the whole snapshot.

use std::borrow::Cow;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::alignment::{self, DirectoryName};
use super::flags::PathFlags;
use super::name::{NameParts, set_extension_features, set_name_features};
use super::schema::{Feature, FeatureVector};
use crate::index::Snapshot;
use crate::index::layer::{Layer, Node};
use crate::prepared_query::{Mentions, NearbyDirectory, PreparedQuery, SearchTarget};
use crate::request::Op;

/// Cached features of a candidate's last segment.
struct CachedSegment<'a> {
    parts: NameParts<'a>,
    /// Offset of the features that compare it with each of [`PreparedQuery::names`], in [`Scorer::compared`].
    compared: usize,
    mentions: Mentions,
}

/// Cached features of a directory name.
struct CachedName {
    /// Offset of its similarities to all requested directories in [`Scorer::alike`].
    alike: usize,
    mentions: Mentions,
    flags: PathFlags,
}

/// Cached features of a directory.
#[derive(Clone, Copy)]
struct CachedDirectory {
    /// Offset of its alignment rows, one per target, in [`Scorer::rows`].
    rows: usize,
    /// Offset of its counts of leading segments shared with each nearby directory, in [`Scorer::shared`].
    shared: usize,
    depth: u16,
    mentions: Mentions,
    flags: PathFlags,
}

/// Entries for which a request's caches have room at first. Half of the requests to a small project need no more, and growing
/// a cache costs more than its memory.
const ENTRIES_EXPECTED: usize = 96;

fn map_for_entries<V>() -> FxHashMap<u32, V> {
    FxHashMap::with_capacity_and_hasher(ENTRIES_EXPECTED, FxBuildHasher)
}

/// Upper limit of the directory cost: a path with two wrong directories is as wrong as any other.
const COST_MAX: f32 = 2.0;

/// Computes features of entries, with caches by name and by directory.
pub(crate) struct Scorer<'a> {
    query: &'a PreparedQuery,
    snapshot: &'a Snapshot,
    layer: &'a Layer,
    asked_flags: PathFlags,
    /// Directories that entries can be near: history, newest first, then the file's directory, then the hint. `None` if
    /// there is no such directory, or it is in another root.
    nearby: Vec<Option<&'a [String]>>,
    /// End of each target's row, relative to the start of a directory's rows.
    row_ends: Vec<usize>,
    segments: Vec<CachedSegment<'a>>,
    /// Positions in [`Scorer::segments`], by name.
    segment_positions: FxHashMap<u32, usize>,
    /// Extensions (lower case), and for each the features that compare it with each of [`PreparedQuery::names`]. Few of a
    /// tree's extensions are among the candidates'.
    extensions: Vec<Cow<'a, str>>,
    by_extension: Vec<FeatureVector>,
    names: FxHashMap<u32, CachedName>,
    directories: FxHashMap<u32, CachedDirectory>,
    compared: Vec<FeatureVector>,
    alike: Vec<f32>,
    rows: Vec<f32>,
    shared: Vec<u8>,
    climb: Vec<u32>,
}

impl<'a> Scorer<'a> {
    /// Creates a scorer for the entries of one layer of one root, with empty caches.
    pub(crate) fn new(query: &'a PreparedQuery, root: usize, snapshot: &'a Snapshot, layer: &'a Layer) -> Self {
        let context = &query.context;
        let here = |place: &'a NearbyDirectory| {
            place.root.is_none_or(|other| other == root).then_some(place.segments.as_slice())
        };
        let mut nearby: Vec<Option<&[String]>> = context.history.iter().map(|used| here(&used.parent)).collect();
        nearby.push(context.from.as_ref().and_then(here));
        nearby.push(context.hint.as_ref().and_then(here));
        let mut row_ends = Vec::with_capacity(query.targets.len());
        let mut length = 0;
        for target in &query.targets {
            length += target.directories.len() + 1;
            row_ends.push(length - 1);
        }
        let mut scorer = Self {
            query,
            snapshot,
            layer,
            asked_flags: asked_flags(query),
            nearby,
            row_ends,
            segments: Vec::with_capacity(ENTRIES_EXPECTED),
            segment_positions: map_for_entries(),
            extensions: Vec::new(),
            by_extension: Vec::new(),
            names: map_for_entries(),
            directories: map_for_entries(),
            compared: Vec::with_capacity(ENTRIES_EXPECTED),
            alike: Vec::new(),
            rows: Vec::new(),
            shared: Vec::new(),
            climb: Vec::new(),
        };
        let root = CachedDirectory {
            rows: 0,
            shared: 0,
            depth: 0,
            mentions: Mentions::default(),
            flags: PathFlags::default(),
        };
        for target in &query.targets {
            alignment::push_first_row(target, &mut scorer.rows);
        }
        scorer.shared.resize(scorer.nearby.len(), 0);
        scorer.directories.insert(0, root);
        scorer
    }

    /// Returns the cost of aligning a target's directories with this directory and its ancestors.
    pub(crate) fn directory_cost(&mut self, target: usize, directory: u32) -> f32 {
        let note = self.directory(directory);
        self.rows[self.row_end(note, target)]
    }

    /// Returns the intent words that a directory and its ancestors mention.
    pub(crate) fn mentions(&mut self, directory: u32) -> Mentions {
        self.directory(directory).mentions
    }

    /// Returns the candidate's features under one target. [`Feature::Agreement`] and [`Feature::IntentTelling`] depend
    /// on the other candidates and are left 0.
    pub(crate) fn vector(&mut self, target: usize, node: Node) -> (FeatureVector, u64) {
        let query = self.query;
        let wanted = &query.targets[target];
        let parent = self.layer.parent(node);
        let place = self.directory(parent);
        let last = self.cache_segment(self.layer.name_of(node));
        let last = &self.segments[last];
        let parts = &last.parts;
        let name = self.layer.names().get(self.layer.name_of(node));
        let mut vector = self.compared[last.compared + wanted.name];

        let mut set = |feature: Feature, value: f32| vector[feature as usize] = value;
        set(Feature::ReadingCost, wanted.cost);
        let cost = self.rows[self.row_end(place, target)];
        let worst = alignment::max_cost(wanted);
        set(Feature::DirectoryCost, cost.min(COST_MAX));
        set(Feature::DirectoryShare, if worst > 0.0 { (cost / worst).min(1.0) } else { 0.0 });
        let parent_text = self.layer.names().get(self.layer.directory_name(parent));
        let same_parent = match wanted.directories.last() {
            Some(query) => query.text.as_bytes() == parent_text,
            None => place.depth == 0,
        };
        set(Feature::ParentSame, f32::from(u8::from(same_parent)));
        set(Feature::DirectoriesExact, f32::from(u8::from(cost == 0.0)));
        let apart = usize::from(place.depth).abs_diff(wanted.directories.len()).min(10);
        set(Feature::DepthDifference, apart as f32 / 10.0);
        set(Feature::Depth, f32::from(place.depth.min(10)) / 10.0);

        let own = last.mentions;
        set(Feature::IntentDirectory, query.intent.weight(place.mentions.clear));
        set(Feature::IntentName, query.intent.weight(own.clear & !place.mentions.clear));
        let clear = own.clear | place.mentions.clear;
        set(Feature::IntentVague, query.intent.weight((own.vague | place.mentions.vague) & !clear));
        set(Feature::IntentTight, place.mentions.tight);

        let context = &query.context;
        let (mut same, mut near) = (0.0_f32, 0.0_f32);
        let mut itself = false;
        for (at, used) in context.history.iter().enumerate() {
            let nearness = self.nearness(place, at);
            near = near.max(used.weight * nearness);
            if nearness >= 1.0 {
                itself |= used.name.as_bytes() == name;
                same = same.max(used.weight);
            }
        }
        set(Feature::HistorySelf, f32::from(u8::from(itself)));
        set(Feature::HistoryParent, same);
        set(Feature::HistoryNear, near);
        let from = context.history.len();
        set(Feature::FromNear, self.nearness(place, from));
        set(Feature::HintInside, f32::from(u8::from(self.is_inside(place, from + 1))));
        set(Feature::HintNear, self.nearness(place, from + 1));

        let directory = node.is_directory();
        set(Feature::KindConflict, kind_conflict(wanted, query, directory));
        set(Feature::IndexForm, index_form(wanted, &query.names[wanted.name], parts, parent_text));
        let entries = parts.is_entry && query.names[wanted.name].is_entry;
        set(Feature::EntryForm, f32::from(u8::from(entries && query.names[wanted.name].key != *parts.key)));
        if vector[Feature::IndexForm as usize] > 0.0 || entries {
            // By convention, such files have different names.
            let stem = &mut vector[Feature::StemEdit as usize];
            *stem = stem.max(0.0);
        }
        let mut set = |feature: Feature, value: f32| vector[feature as usize] = value;
        let flags = place.flags.join(parts.flags);
        let wants = |flag| self.asked_flags.has(flag);
        let has = |flag| flags.has(flag);
        set(Feature::TestUnasked, f32::from(u8::from(has(PathFlags::TEST) && !wants(PathFlags::TEST))));
        set(Feature::TestMissing, f32::from(u8::from(!has(PathFlags::TEST) && wants(PathFlags::TEST))));
        set(Feature::AsideUnasked, f32::from(u8::from(has(PathFlags::ASIDE) && !wants(PathFlags::ASIDE))));
        set(Feature::Link, f32::from(u8::from(self.layer.kind(node) == crate::probe::Kind::Symlink)));
        (vector, clear)
    }

    fn row_end(&self, note: CachedDirectory, target: usize) -> usize {
        note.rows + self.row_ends[target]
    }

    /// Nearness of a directory to the request's context, in units of directory cost; at most about 2.5.
    pub(crate) fn proximity(&mut self, directory: u32) -> f32 {
        // Ratios of the fitted weights to that of the directory cost.
        const HISTORY: f32 = 1.25;
        const FROM: f32 = 0.4;
        const HINT: f32 = 1.0;
        if self.nearby.iter().all(Option::is_none) {
            return 0.0;
        }
        let context = &self.query.context;
        let note = self.directory(directory);
        let used = context.history.iter().enumerate().map(|(at, used)| used.weight * self.nearness(note, at));
        let history = used.fold(0.0, f32::max);
        let places = context.history.len();
        let from = self.nearness(note, places);
        let inside = self.is_inside(note, places + 1);
        let hint = if inside { 1.0 } else { 0.25 * self.nearness(note, places + 1) };
        HISTORY * history + FROM * from + HINT * hint
    }

    /// Returns whether a directory is the nearby one or below it.
    fn is_inside(&self, note: CachedDirectory, place: usize) -> bool {
        self.nearby[place]
            .is_some_and(|place_segments| usize::from(self.shared[note.shared + place]) == place_segments.len())
    }

    /// Nearness of a directory to a nearby one: 1 equal, 0 nothing in common but the root, or no such directory.
    fn nearness(&self, note: CachedDirectory, place: usize) -> f32 {
        let Some(segments) = self.nearby[place] else { return 0.0 };
        let total = usize::from(note.depth) + segments.len();
        if total == 0 { 1.0 } else { 2.0 * f32::from(self.shared[note.shared + place]) / total as f32 }
    }

    /// Returns a directory's cached features, and caches those of its ancestors first.
    fn directory(&mut self, directory: u32) -> CachedDirectory {
        if let Some(&note) = self.directories.get(&directory) {
            return note;
        }
        let mut climb = std::mem::take(&mut self.climb);
        let mut at = directory;
        while !self.directories.contains_key(&at) {
            climb.push(at);
            at = self.layer.parent(Node::directory(at));
        }
        let mut note = self.directories[&at];
        while let Some(child) = climb.pop() {
            note = self.extend(note, self.layer.directory_name(child));
            self.directories.insert(child, note);
        }
        self.climb = climb;
        note
    }

    fn extend(&mut self, parent: CachedDirectory, name: u32) -> CachedDirectory {
        self.cache_name(name);
        let cached_name = &self.names[&name];
        let rows = self.rows.len();
        let (mut before, mut alike) = (parent.rows, cached_name.alike);
        for target in &self.query.targets {
            let query = target.directories.len();
            alignment::push_next_row(target, &self.alike[alike..alike + query], before, &mut self.rows);
            before += query + 1;
            alike += query;
        }
        let text = self.layer.names().get(name);
        let shared = self.shared.len();
        for (at, place) in self.nearby.iter().enumerate() {
            let so_far = self.shared[parent.shared + at];
            let goes_on = u16::from(so_far) == parent.depth
                && so_far < u8::MAX
                && place
                    .and_then(|place| place.get(usize::from(so_far)))
                    .is_some_and(|segment| segment.as_bytes() == text);
            self.shared.push(so_far + u8::from(goes_on));
        }
        CachedDirectory {
            rows,
            shared,
            depth: parent.depth.saturating_add(1),
            mentions: parent.mentions.join(cached_name.mentions),
            flags: parent.flags.join(cached_name.flags),
        }
    }

    /// Returns the position of a name's features in [`Scorer::segments`].
    fn cache_segment(&mut self, name: u32) -> usize {
        if let Some(&position) = self.segment_positions.get(&name) {
            return position;
        }
        let parts = NameParts::new(self.layer.names().get(name));
        let extension = self.extension_features(&parts);
        let compared = self.compared.len();
        for (at, query) in self.query.names.iter().enumerate() {
            let mut vector = self.by_extension[extension + at];
            set_name_features(query, &parts, &mut vector);
            self.compared.push(vector);
        }
        let mentions = self.query.intent.mentioned_in(&parts.words);
        let position = self.segments.len();
        self.segments.push(CachedSegment { parts, compared, mentions });
        self.segment_positions.insert(name, position);
        position
    }

    /// Returns the offset of the features of a name's extension in [`Scorer::by_extension`].
    fn extension_features(&mut self, parts: &NameParts<'a>) -> usize {
        let names = &self.query.names;
        if let Some(at) = self.extensions.iter().position(|other| *other == parts.extension) {
            return at * names.len();
        }
        let usual = self.snapshot.extension_share(parts.extension.as_bytes());
        let start = self.by_extension.len();
        for query in names {
            let mut vector: FeatureVector = [0.0; Feature::ALL.len()];
            set_extension_features(query, &parts.extension, &mut vector);
            vector[Feature::ExtensionUsual as usize] = usual;
            self.by_extension.push(vector);
        }
        self.extensions.push(parts.extension.clone());
        start
    }

    fn cache_name(&mut self, name: u32) {
        if self.names.contains_key(&name) {
            return;
        }
        let text = self.layer.names().get(name);
        let letters = self.layer.letter_sets()[name as usize];
        let parts = DirectoryName::new(text, letters);
        let alike = self.alike.len();
        for target in &self.query.targets {
            self.alike.extend(target.directories.iter().map(|segment| alignment::similarity(segment, &parts)));
        }
        let note = CachedName { alike, mentions: self.query.intent.mentioned_in(&parts.words), flags: parts.flags };
        self.names.insert(name, note);
    }
}

/// Flags of the whole request: the words of the failed path, the intent and the hint.
fn asked_flags(query: &PreparedQuery) -> PathFlags {
    let directories = query.targets.iter().flat_map(|target| &target.directories).flat_map(|segment| &segment.words);
    let names = query.names.iter().flat_map(|name| &name.words);
    let hint = query.context.hint.iter().flat_map(|hint| &hint.segments).map(String::as_str);
    PathFlags::from_words(
        directories.chain(names).chain(&query.intent.words).map(|word| word.word.as_str()).chain(hint),
    )
}

fn kind_conflict(target: &SearchTarget, query: &PreparedQuery, directory: bool) -> f32 {
    let named_file = !query.names[target.name].extension.is_empty();
    let wants_directory = target.directory || query.op == Op::List;
    let wants_file = !wants_directory && (named_file || matches!(query.op, Op::Edit | Op::Write));
    let conflict = if directory { wants_file } else { wants_directory };
    // Without an extension, `read` may refer to either; agents read directories too, but files more often.
    if conflict {
        1.0
    } else if directory && !wants_directory {
        0.3
    } else {
        0.0
    }
}

/// Returns 1 for `a/foo.rs` when `a/foo/mod.rs` is requested, and the reverse.
fn index_form(
    target: &SearchTarget,
    name: &crate::prepared_query::TargetName,
    parts: &NameParts<'_>,
    parent: &[u8],
) -> f32 {
    let inside = parts.is_index && !name.key.is_empty() && parent == name.stem.as_bytes();
    let outside = name.is_index
        && target.directories.last().is_some_and(|segment| !segment.key.is_empty() && segment.key == *parts.key);
    f32::from(u8::from(inside || outside))
}
