//! `FileFeatures`: describes one file by named features. Called by `find`, and again with content matches.

use super::declarations::DeclarationMatch;
use super::feature::{FindFeature, FindVector};
use super::file_kind::{FileKind, is_directory_index};
use super::query::{Query, QueryInterpretation, Word};
use super::scan::{
    CONTAINED, CONTAINED_MIN, SUBSEQUENCE_MAX, SUBSEQUENCE_MIN, SUBSEQUENCE_SPREAD, contains, subsequence_score,
};
use super::word::similarity;
use crate::distance::edits_allowed;
use crate::path::RelPath;
use crate::words::{WordList, split_extension, squash_into};

/// Factor on a mistyped declaration in a file whose name has the same typo.
const REPEATED_TYPO: f32 = 0.3;

/// Factor on a name that differs in a number.
const OTHER_NUMBER: f32 = 0.8;

/// The features of a file, and what the explanation shows of it.
#[derive(Clone, Debug)]
pub(super) struct FileFeatures {
    pub(super) vector: FindVector,
    pub(super) kind: FileKind,
    /// The key of its stem.
    pub(super) stem: Vec<u8>,
    /// The matching declaration, in words.
    pub(super) declares: Option<String>,
    pub(super) line: Option<u32>,
    /// Number of typos in the nearest matching name or declaration; `None` if neither matches.
    pub(super) edits: Option<usize>,
    /// Words that only the contents have, and words in total.
    pub(super) contents: Option<(usize, usize)>,
}

impl FileFeatures {
    pub(super) fn get(&self, feature: FindFeature) -> f32 {
        self.vector[feature as usize]
    }

    pub(super) fn set(&mut self, feature: FindFeature, value: f32) {
        self.vector[feature as usize] = value;
    }

    /// Returns whether a feature is positive.
    pub(super) fn has(&self, feature: FindFeature) -> bool {
        self.get(feature) > 0.0
    }

    /// Share of the words that neither the path nor a declaration nor the contents have.
    pub(super) fn missing_share(&self) -> f32 {
        let elsewhere = [FindFeature::Content, FindFeature::Pattern];
        if elsewhere.into_iter().any(|feature| self.has(feature)) { 0.0 } else { self.get(FindFeature::Missing) }
    }

    /// Adds the features of its best declaration.
    pub(super) fn add_declaration(&mut self, declared: &DeclarationMatch<'_>, asked: bool) {
        self.edits = self.edits.into_iter().chain(declared.edits).min();
        // A file that is named nearly like the query, and declares a name with that typo, has one match and not two.
        let name = self.has(FindFeature::StemTypo) || !asked && self.has(FindFeature::StemWords);
        let twice = declared.how == FindFeature::SymbolTypo && name;
        self.set(declared.how, declared.quality * if twice { REPEATED_TYPO } else { 1.0 });
        if declared.is_exact_spelling {
            self.set(FindFeature::SymbolSpelled, declared.quality);
            self.set(FindFeature::SymbolAsked, if asked { declared.quality } else { 0.0 });
        }
        if !declared.is_partial {
            self.set(FindFeature::Missing, 0.0);
        }
        self.declares = Some(format!("{} {}", declared.symbol.kind.name(), declared.symbol.name));
        self.line = Some(declared.symbol.line);
    }
}

/// Computes the features of a path.
pub(super) fn describe(
    query: &Query,
    interpretation: &QueryInterpretation,
    path: &str,
    is_directory: bool,
    declared: Option<&DeclarationMatch<'_>>,
) -> FileFeatures {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, extension) = if is_directory { (name.as_bytes(), &b""[..]) } else { split_extension(name.as_bytes()) };
    let mut key = Vec::with_capacity(stem.len());
    squash_into(stem, &mut key);
    let mut features = FileFeatures {
        vector: [0.0; FindFeature::ALL.len()],
        kind: FileKind::from_path(path),
        stem: key,
        declares: None,
        line: None,
        edits: None,
        contents: None,
    };
    set_path_features(&mut features, query, path, name);
    set_key_features(&mut features, query, interpretation, stem, directories);
    // Words in a matching declaration do not count as missing.
    let said = declared
        .filter(|declared| declared.is_partial)
        .map(|declared| crate::words::words(declared.symbol.name.as_bytes()));
    set_word_features(&mut features, interpretation, stem, directories, &said.unwrap_or_default());
    // If the whole name matches, no word counts as missing.
    let whole = [FindFeature::ExactStem, FindFeature::StemTypo, FindFeature::ExactParent, FindFeature::Letters];
    if whole.into_iter().any(|feature| features.has(feature)) {
        features.set(FindFeature::Missing, 0.0);
    }
    features.set(FindFeature::Pattern, f32::from(u8::from(query.glob.is_some())));
    if let Some(declared) = declared {
        features.add_declaration(declared, query.wants.implementation);
    }
    set_kind_features(&mut features, query, interpretation, extension, is_directory);
    // The only place that declares the name counts as its implementation, whatever kind of file it is.
    if let Some(declared) =
        declared.filter(|declared| declared.is_only && !features.kind.is_header && query.wants.implementation)
        && declared.how != FindFeature::SymbolWords
    {
        features.set(FindFeature::Implementation, 1.0);
        features.set(FindFeature::Aside, 0.0);
    }
    features.set(FindFeature::Depth, path.matches('/').count() as f32);
    features.set(FindFeature::TakenApart, f32::from(u8::from(interpretation.is_compound_split)));
    features
}

/// Compares the path and the name with extension.
fn set_path_features(features: &mut FileFeatures, query: &Query, path: &str, name: &str) {
    if let Some(asked) = &query.name {
        features.set(FindFeature::ExactName, f32::from(u8::from(*asked == name.to_lowercase())));
    }
    if query.path.is_empty() {
        return;
    }
    let folded = path.to_lowercase();
    let asked = query.path.join("/");
    let ends =
        |whole: &str| whole.strip_suffix(asked.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let stem =
        folded.rsplit_once('.').filter(|(_, extension)| !extension.contains('/')).map_or(&*folded, |(stem, _)| stem);
    features.set(FindFeature::ExactPath, f32::from(u8::from(folded == asked)));
    features.set(FindFeature::PathEnd, f32::from(u8::from(ends(&folded) || ends(stem))));
}

/// Compares the whole query with the stem.
fn set_key_features(
    features: &mut FileFeatures,
    query: &Query,
    interpretation: &QueryInterpretation,
    stem: &[u8],
    directories: &str,
) {
    if interpretation.key.is_empty() {
        return;
    }
    let (length, other) = (interpretation.key.len(), features.stem.len());
    if features.stem == interpretation.key {
        features.set(FindFeature::ExactStem, 1.0);
        features.edits = Some(0);
        return;
    }
    if is_directory_index(&String::from_utf8_lossy(stem)) {
        let mut parent = Vec::new();
        squash_into(directories.rsplit('/').next().unwrap_or_default().as_bytes(), &mut parent);
        features.set(FindFeature::ExactParent, f32::from(u8::from(parent == interpretation.key)));
    }
    let several = query.tokens.len() > 1;
    // Words that all are known in this tree are not another name mistyped.
    let typos = !(several && interpretation.is_known());
    let allowed = edits_allowed(length).min(edits_allowed(other.max(3)));
    if typos && other.abs_diff(length) <= allowed {
        let edits = interpretation.typos.distance(&features.stem);
        if edits <= allowed {
            let near = 1.0 - 1.3 * edits as f32 / length.max(other) as f32;
            // A different number is a different name rather than a typo.
            let digits = |key: &[u8]| key.iter().copied().filter(u8::is_ascii_digit).collect::<Vec<u8>>();
            let numbers = digits(&features.stem) == digits(&interpretation.key);
            features.set(FindFeature::StemTypo, if numbers { near } else { OTHER_NUMBER * near });
            features.edits = Some(edits);
            return;
        }
    }
    let abbreviable = (SUBSEQUENCE_MIN..=SUBSEQUENCE_MAX).contains(&length) && other <= length * SUBSEQUENCE_SPREAD;
    if abbreviable && other > length && !interpretation.is_compound_split && !several {
        features.set(FindFeature::Letters, subsequence_score(&interpretation.key, stem));
    }
}

/// Compares the query's words one by one.
fn set_word_features(
    features: &mut FileFeatures,
    interpretation: &QueryInterpretation,
    stem: &[u8],
    directories: &str,
    said: &[String],
) {
    let total = interpretation.weight();
    let (own, around) = (WordList::new(stem), WordList::new(directories.as_bytes()));
    let mut folded: Option<String> = None;
    let best = |list: &WordList<'_>, asked: &Word| {
        list.iter().map(|word| similarity(&asked.text, word, asked.is_known)).fold(0.0, f32::max)
    };
    let (mut in_stem, mut in_directories, mut missing, mut matched) = (0.0, 0.0, 0.0, 0.0);
    let (mut all_in_stem, mut alike) = (true, 0.0);
    for word in &interpretation.words {
        let share = word.weight / total;
        let mut stem_like = best(&own, word);
        if stem_like <= 0.0 && word.text.len() >= CONTAINED_MIN && contains(&features.stem, &word.text) {
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
        if directory_like <= 0.0
            && word.text.len() >= CONTAINED_MIN
            && folded.get_or_insert_with(|| directories.to_lowercase()).contains(&word.text)
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
    if interpretation.words.is_empty() {
        return;
    }
    if all_in_stem {
        features.set(FindFeature::StemWords, alike);
    } else {
        features.set(FindFeature::StemPart, in_stem);
        features.set(FindFeature::Directory, in_directories);
        features.set(FindFeature::Missing, missing);
        if missing <= 0.0 && in_stem > 0.0 {
            features.set(FindFeature::Spread, alike);
        }
    }
    if in_stem > 0.0 && !features.has(FindFeature::ExactStem) {
        features.set(FindFeature::StemRest, (1.0 - matched / features.stem.len().max(1) as f32).clamp(0.0, 1.0));
    }
}

/// Compares the kind of file with the wanted kinds.
fn set_kind_features(
    features: &mut FileFeatures,
    query: &Query,
    interpretation: &QueryInterpretation,
    extension: &[u8],
    is_directory: bool,
) {
    let (kind, wants) = (features.kind, query.wants);
    if wants.implementation && !is_directory {
        let against = kind.is_test || kind.is_documentation || kind.is_aside;
        let value = if kind.is_implementation() {
            1.0
        } else if against {
            -1.0
        } else {
            0.0
        };
        features.set(FindFeature::Implementation, value);
    }
    let wanted = wants.tests && kind.is_test
        || wants.documentation && kind.is_documentation
        || wants.configuration && kind.is_configuration && !kind.is_test;
    features.set(FindFeature::Wanted, f32::from(u8::from(wanted)));
    let aside = kind.is_aside || kind.is_test && !wants.tests;
    // A header only announces the implementation in its source.
    features.set(
        FindFeature::Aside,
        if aside {
            1.0
        } else if kind.is_header {
            0.3
        } else {
            0.0
        },
    );
    if let Some((asked, _)) = &interpretation.extension {
        let same = extension.eq_ignore_ascii_case(asked.as_bytes());
        features.set(FindFeature::Extension, if same { 1.0 } else { -1.0 });
    }
    features.set(FindFeature::IsDirectory, f32::from(u8::from(is_directory)));
}

/// Features that a source file takes over from its header.
const INHERITED: [FindFeature; 5] = [
    FindFeature::Symbol,
    FindFeature::SymbolTypo,
    FindFeature::SymbolWords,
    FindFeature::SymbolSpelled,
    FindFeature::SymbolAsked,
];

/// Gives a source file the declarations of the header with its name: the header announces what the source defines.
pub(super) fn inherit_declarations(candidates: &mut [(RelPath, FileFeatures)]) {
    let declared: Vec<FileFeatures> = candidates
        .iter()
        .filter(|(_, one)| one.kind.is_header && one.declares.is_some())
        .map(|(_, one)| one.clone())
        .collect();
    for (_, features) in candidates.iter_mut().filter(|(_, one)| one.kind.is_implementation()) {
        if let Some(header) = declared.iter().find(|header| header.stem == features.stem) {
            for feature in INHERITED {
                features.set(feature, header.get(feature).max(features.get(feature)));
            }
            features.set(FindFeature::Missing, 0.0);
            if features.declares.is_none() {
                features.declares.clone_from(&header.declares);
            }
        }
    }
}
