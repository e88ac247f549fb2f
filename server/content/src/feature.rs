//! `ContentFeature`: the named numbers that rank a file, and their weights.

use std::sync::LazyLock;

use pathfinder_core::table;

macro_rules! features {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal),+ $(,)?) => {
        /// A named number that speaks for or against a file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub(crate) enum ContentFeature { $($(#[doc = $doc])+ $variant),+ }

        impl ContentFeature {
            /// All features, in order.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in the table of weights.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

features! {
    /// Score of the whole file, normalised.
    FileScore "file_score",
    /// Score of its best chunk, normalised.
    ChunkScore "chunk_score",
    /// Sum of its best three chunks, normalised.
    ThreeChunks "three_chunks",
    /// Share of the question, by rarity, in its stem.
    StemCover "stem_cover",
    /// Share of its stem that the question has.
    StemShare "stem_share",
    /// Share of the question in its directories.
    DirectoryCover "directory_cover",
    /// Share of the words that begin like a word of its stem or directory.
    Beginnings "beginnings",
    /// Its stem equals a word or name of the question.
    StemEqual "stem_equal",
    /// It declares a name of the question.
    DeclaresName "declares_name",
    /// It declares a plain word of the question as a name.
    DeclaresWord "declares_word",
    /// Its declaration that covers most of the question.
    DeclarationCover "declaration_cover",
    /// All its declarations that cover some of it, normalised.
    DeclarationSum "declaration_sum",
    /// Share of the question that the file has, squared.
    Cover "cover",
    /// Share of the question that one chunk has, squared.
    ChunkCover "chunk_cover",
    /// Share of the question in its declared names.
    NamesCover "names_cover",
    /// Share of the question in its comments.
    CommentCover "comment_cover",
    /// Share of the question that the file has, if a synonym counts half.
    SynonymCover "synonym_cover",
    /// Share of the question that one chunk has, if a synonym counts half.
    ChunkSynonymCover "chunk_synonym_cover",
    /// Share of the question that only synonyms cover in its path.
    PathSynonyms "path_synonyms",
    /// Share of the pairs and triples of neighbouring words that it has as identifiers.
    JoinCover "join_cover",
    /// Score of the best chunk of a test named like it.
    TestScore "test_score",
    /// Mean score of the best chunks of the files beside it.
    DirectoryScore "directory_score",
    /// Mean score of the files that import it.
    Importers "importers",
    /// Mean score of the files that it imports.
    Imported "imported",
    /// Number of files that import it.
    InDegree "in_degree",
    /// Its rank in the graph of imports.
    PageRank "page_rank",
    /// Number of its directories.
    Depth "depth",
    /// Size in bytes, as a logarithm.
    Size "size",
    /// Score of the subjects of commits that changed it, normalised.
    HistoryScore "history_score",
    /// Share of the question in these subjects.
    HistoryCover "history_cover",
    /// Nearness of its words to those of the question in meaning, normalised; of the best candidates only.
    Meaning "meaning",
    /// It is a test.
    Test "test",
    /// It is an example or a benchmark.
    Example "example",
    /// It is a document.
    Document "document",
    /// It is configuration or data.
    Configuration "configuration",
    /// It is vendored or kept for old callers.
    Foreign "foreign",
    /// It is generated.
    Generated "generated",
    /// It mostly names other files.
    Barrel "barrel",
    /// It declares types without code.
    TypesOnly "types_only",
    /// It is a translation.
    Translation "translation",
}

/// One value for each [`ContentFeature`].
pub(crate) type ContentVector = [f32; ContentFeature::ALL.len()];

/// Weights of the features in one mode.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ContentWeights(ContentVector);

/// The way in which a query is ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RankingMode {
    /// Words or a sentence.
    Question,
    /// Words or a sentence, in a root whose commits are known.
    QuestionWithHistory,
    /// A query without a blank.
    Symbol,
    /// The first score of a question, which chooses the candidates.
    Candidates,
}

/// The tables, in the order of the modes.
const TABLE_TEXTS: [&str; 4] = [
    include_str!("weights/question.txt"),
    include_str!("weights/history.txt"),
    include_str!("weights/symbol.txt"),
    include_str!("weights/candidates.txt"),
];

impl ContentWeights {
    /// Returns the built-in weights of a mode.
    pub(crate) fn for_mode(mode: RankingMode) -> &'static Self {
        static TABLES: LazyLock<[ContentWeights; 4]> = LazyLock::new(|| TABLE_TEXTS.map(ContentWeights::parse));
        &TABLES[mode as usize]
    }

    fn parse(text: &str) -> Self {
        let mut weights = [0.0; ContentFeature::ALL.len()];
        for (name, value) in table::lines(text) {
            if let Some(&feature) = ContentFeature::ALL.iter().find(|feature| feature.name() == name) {
                weights[feature as usize] = value;
            }
        }
        Self(weights)
    }

    /// Returns the weighted sum.
    pub(crate) fn points(&self, vector: &ContentVector) -> f32 {
        self.0.iter().zip(vector).map(|(weight, value)| weight * value).sum()
    }

    /// Returns the weight of one feature.
    pub(crate) fn weight(&self, feature: ContentFeature) -> f32 {
        self.0[feature as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt line would silently have no weight.
    #[test]
    fn tables_list_every_feature_in_order() {
        let features: Vec<&str> = ContentFeature::ALL.iter().map(|feature| feature.name()).collect();
        for text in TABLE_TEXTS {
            let lines: Vec<&str> = table::lines(text).map(|(name, _)| name).collect();
            assert_eq!(lines, features);
        }
    }
}
