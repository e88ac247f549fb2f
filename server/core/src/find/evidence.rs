//! What speaks for one file, as named numbers.

use super::declared::Declared;
use super::feature::{Feature, Vector};
use super::file::{FileKind, stands_for_directory};
use super::query::{Query, Reading, Word};
use super::scan::{CONTAINED, CONTAINED_MIN, SUBSEQUENCE_MAX, SUBSEQUENCE_MIN, SUBSEQUENCE_SPREAD, subsequence};
use super::word::similarity;
use crate::distance::edits_allowed;
use crate::path::RelPath;
use crate::words::{for_each_word, split_extension, squash_into};

/// What a mistyped declaration counts for in a file whose name is mistyped likewise.
const TWICE: f32 = 0.3;

/// What a name counts for that differs in a number.
const NUMBERED: f32 = 0.8;

/// A file and what speaks for it.
#[derive(Clone, Debug)]
pub(super) struct Described {
    pub(super) vector: Vector,
    pub(super) kind: FileKind,
    /// The key of its stem.
    pub(super) stem: Vec<u8>,
    /// What it declares of what was asked for, in words.
    pub(super) declares: Option<String>,
    pub(super) line: Option<u32>,
    /// How many typos away the nearest is that it is called or declares, where that is what fits.
    pub(super) edits: Option<usize>,
    /// The words that only its contents have, of how many.
    pub(super) contents: Option<(usize, usize)>,
}

impl Described {
    pub(super) fn get(&self, feature: Feature) -> f32 {
        self.vector[feature as usize]
    }

    pub(super) fn set(&mut self, feature: Feature, value: f32) {
        self.vector[feature as usize] = value;
    }

    pub(super) fn is(&self, feature: Feature) -> bool {
        self.get(feature) > 0.0
    }

    /// The share of the words that is nowhere: not even in what it declares.
    pub(super) fn missing(&self) -> f32 {
        let elsewhere = [Feature::Content, Feature::Pattern];
        if elsewhere.into_iter().any(|feature| self.is(feature)) { 0.0 } else { self.get(Feature::Missing) }
    }

    /// What its declarations say.
    pub(super) fn declare(&mut self, declared: &Declared<'_>, asked: bool) {
        self.edits = self.edits.into_iter().chain(declared.edits).min();
        // One mistyped name is not two: that a file is called nearly so, and declares what is, says little more.
        let name = self.is(Feature::StemTypo) || !asked && self.is(Feature::StemWords);
        let twice = declared.how == Feature::SymbolTypo && name;
        self.set(declared.how, declared.quality * if twice { TWICE } else { 1.0 });
        if declared.spelled {
            self.set(Feature::SymbolSpelled, declared.quality);
            self.set(Feature::SymbolAsked, if asked { declared.quality } else { 0.0 });
        }
        if !declared.partly {
            self.set(Feature::Missing, 0.0);
        }
        self.declares = Some(format!("{} {}", declared.symbol.kind.name(), declared.symbol.name));
        self.line = Some(declared.symbol.line);
    }
}

/// Describes a path.
pub(super) fn describe(
    query: &Query,
    reading: &Reading,
    path: &str,
    is_directory: bool,
    declared: Option<&Declared<'_>>,
) -> Described {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, extension) = if is_directory { (name.as_bytes(), &b""[..]) } else { split_extension(name.as_bytes()) };
    let mut key = Vec::with_capacity(stem.len());
    squash_into(stem, &mut key);
    let mut described = Described {
        vector: [0.0; Feature::ALL.len()],
        kind: FileKind::of(path),
        stem: key,
        declares: None,
        line: None,
        edits: None,
        contents: None,
    };
    spelled(&mut described, query, path, name);
    whole(&mut described, query, reading, stem, directories);
    // What one name of several says, the others need not.
    let said = declared
        .filter(|declared| declared.partly)
        .map(|declared| crate::words::words(declared.symbol.name.as_bytes()));
    words(&mut described, reading, stem, directories, &said.unwrap_or_default());
    // What the whole name says, its words need not.
    let whole = [Feature::ExactStem, Feature::StemTypo, Feature::ExactParent, Feature::Letters];
    if whole.into_iter().any(|feature| described.is(feature)) {
        described.set(Feature::Missing, 0.0);
    }
    described.set(Feature::Pattern, f32::from(u8::from(query.pattern.is_some())));
    if let Some(declared) = declared {
        described.declare(declared, query.wants.implementation);
    }
    prefer(&mut described, query, reading, extension, is_directory);
    // Where only one place declares it, that is where it is done, whatever else the file is.
    if let Some(declared) =
        declared.filter(|declared| declared.only && !described.kind.header && query.wants.implementation)
        && declared.how != Feature::SymbolWords
    {
        described.set(Feature::Implementation, 1.0);
        described.set(Feature::Aside, 0.0);
    }
    described.set(Feature::Depth, path.matches('/').count() as f32);
    described.set(Feature::TakenApart, f32::from(u8::from(reading.taken_apart)));
    described
}

/// What was asked for as a path or a name with extension.
fn spelled(described: &mut Described, query: &Query, path: &str, name: &str) {
    let folded = path.to_lowercase();
    if let Some(asked) = &query.name {
        described.set(Feature::ExactName, f32::from(u8::from(*asked == name.to_lowercase())));
    }
    if query.path.is_empty() {
        return;
    }
    let asked = query.path.join("/");
    let ends =
        |whole: &str| whole.strip_suffix(asked.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let stem =
        folded.rsplit_once('.').filter(|(_, extension)| !extension.contains('/')).map_or(&*folded, |(stem, _)| stem);
    described.set(Feature::ExactPath, f32::from(u8::from(folded == asked)));
    described.set(Feature::PathEnd, f32::from(u8::from(ends(&folded) || ends(stem))));
}

/// The query as one name.
fn whole(described: &mut Described, query: &Query, reading: &Reading, stem: &[u8], directories: &str) {
    if reading.key.is_empty() {
        return;
    }
    let (length, other) = (reading.key.len(), described.stem.len());
    if described.stem == reading.key {
        described.set(Feature::ExactStem, 1.0);
        described.edits = Some(0);
        return;
    }
    if stands_for_directory(&String::from_utf8_lossy(stem)) {
        let mut parent = Vec::new();
        squash_into(directories.rsplit('/').next().unwrap_or_default().as_bytes(), &mut parent);
        described.set(Feature::ExactParent, f32::from(u8::from(parent == reading.key)));
    }
    let several = query.tokens.len() > 1;
    // Several words that are all there are not mistyped to another name by being written without what is between them.
    let typos = !(several && reading.is_known());
    let allowed = edits_allowed(length).min(edits_allowed(other.max(3)));
    if typos && other.abs_diff(length) <= allowed {
        let edits = reading.typos.distance(&described.stem);
        if edits <= allowed {
            let near = 1.0 - 1.3 * edits as f32 / length.max(other) as f32;
            // Another number is another name rather than a typo.
            let digits = |key: &[u8]| key.iter().copied().filter(u8::is_ascii_digit).collect::<Vec<u8>>();
            let numbers = digits(&described.stem) == digits(&reading.key);
            described.set(Feature::StemTypo, if numbers { near } else { NUMBERED * near });
            described.edits = Some(edits);
            return;
        }
    }
    let abbreviable = (SUBSEQUENCE_MIN..=SUBSEQUENCE_MAX).contains(&length) && other <= length * SUBSEQUENCE_SPREAD;
    if abbreviable && other > length && !reading.taken_apart && !several {
        described.set(Feature::Letters, subsequence(&reading.key, stem));
    }
}

/// The query's words, one by one.
fn words(described: &mut Described, reading: &Reading, stem: &[u8], directories: &str, said: &[String]) {
    let total = reading.weight();
    let own = crate::words::words(stem);
    let mut around: Vec<String> = Vec::new();
    for_each_word(directories.as_bytes(), |word| around.push(word.to_owned()));
    let key = String::from_utf8_lossy(&described.stem).into_owned();
    let best = |list: &[String], asked: &Word| {
        list.iter().map(|word| similarity(&asked.text, word, asked.known)).fold(0.0, f32::max)
    };
    let (mut in_stem, mut in_directories, mut missing, mut matched) = (0.0, 0.0, 0.0, 0.0);
    let (mut all_in_stem, mut alike) = (true, 0.0);
    for word in &reading.words {
        let share = word.weight / total;
        let mut stem_like = best(&own, word);
        if stem_like <= 0.0 && word.text.len() >= CONTAINED_MIN && key.contains(&word.text) {
            stem_like = CONTAINED;
        }
        if stem_like > 0.0 {
            in_stem += share * stem_like;
            alike += share * stem_like;
            matched += word.text.len() as f32 * stem_like;
            continue;
        }
        all_in_stem = false;
        let mut directory_like = best(&around, word);
        if directory_like <= 0.0 && word.text.len() >= CONTAINED_MIN && directories.to_lowercase().contains(&word.text)
        {
            directory_like = CONTAINED;
        }
        if directory_like > 0.0 {
            in_directories += share * directory_like;
            alike += share * directory_like;
        } else if !said.contains(&word.text) {
            missing += share;
        }
    }
    if reading.words.is_empty() {
        return;
    }
    if all_in_stem {
        described.set(Feature::StemWords, alike);
    } else {
        described.set(Feature::StemPart, in_stem);
        described.set(Feature::Directory, in_directories);
        described.set(Feature::Missing, missing);
        if missing <= 0.0 && in_stem > 0.0 {
            described.set(Feature::Spread, alike);
        }
    }
    if in_stem > 0.0 && !described.is(Feature::ExactStem) {
        described.set(Feature::StemRest, (1.0 - matched / described.stem.len().max(1) as f32).clamp(0.0, 1.0));
    }
}

/// Which kind of file is wanted.
fn prefer(described: &mut Described, query: &Query, reading: &Reading, extension: &[u8], is_directory: bool) {
    let (kind, wants) = (described.kind, query.wants);
    if wants.implementation && !is_directory {
        let against = kind.test || kind.documentation || kind.aside;
        let value = if kind.implements() {
            1.0
        } else if against {
            -1.0
        } else {
            0.0
        };
        described.set(Feature::Implementation, value);
    }
    let wanted = wants.tests && kind.test
        || wants.documentation && kind.documentation
        || wants.configuration && kind.configuration && !kind.test;
    described.set(Feature::Wanted, f32::from(u8::from(wanted)));
    let aside = kind.aside || kind.test && !wants.tests;
    // A header only announces what its source does.
    described.set(
        Feature::Aside,
        if aside {
            1.0
        } else if kind.header {
            0.3
        } else {
            0.0
        },
    );
    if let Some((asked, _)) = &reading.extension {
        let same = extension.eq_ignore_ascii_case(asked.as_bytes());
        described.set(Feature::Extension, if same { 1.0 } else { -1.0 });
    }
    described.set(Feature::IsDirectory, f32::from(u8::from(is_directory)));
}

/// What a header says for its source file too.
const INHERITED: [Feature; 5] =
    [Feature::Symbol, Feature::SymbolTypo, Feature::SymbolWords, Feature::SymbolSpelled, Feature::SymbolAsked];

/// A source file has what the header of the same name declares: what it defines is told there.
pub(super) fn inherit(candidates: &mut [(RelPath, Described)]) {
    let declared: Vec<Described> = candidates
        .iter()
        .filter(|(_, one)| one.kind.header && one.declares.is_some())
        .map(|(_, one)| one.clone())
        .collect();
    for (_, described) in candidates.iter_mut().filter(|(_, one)| one.kind.implements()) {
        if let Some(header) = declared.iter().find(|header| header.stem == described.stem) {
            for feature in INHERITED {
                described.set(feature, header.get(feature).max(described.get(feature)));
            }
            described.set(Feature::Missing, 0.0);
            if described.declares.is_none() {
                described.declares.clone_from(&header.declares);
            }
        }
    }
}
