//! `Tokenizer`: turns texts into the tokens that a model reads. Called by `Model`.

use rustc_hash::FxHashSet;
use tokenizers::{Error, Tokenizer as HuggingFaceTokenizer};

use crate::configuration::Configuration;
use crate::error::{EncodeError, ModelError};

/// The tokens of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// The tokens' numbers.
    pub(crate) ids: Vec<u32>,
    /// Number of leading tokens that the others attend to.
    pub(crate) attended: usize,
    /// Positions whose vectors are compared.
    pub(crate) compared: Vec<usize>,
}

/// The prefix that marks a text as query or document.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Marker {
    None,
    /// One token, inserted behind the first special one.
    Token(u32),
    /// A text without a token of its own, put before the text.
    Text(String),
}

/// A model's tokenizer, with its markers and limits.
#[derive(Debug)]
pub(crate) struct Tokenizer {
    inner: HuggingFaceTokenizer,
    query: Marker,
    document: Marker,
    query_length: usize,
    document_length: usize,
    /// The token that pads queries.
    mask: Option<u32>,
    attend_to_mask: bool,
    skip: FxHashSet<u32>,
}

impl Tokenizer {
    /// Parses `tokenizer.json`.
    ///
    /// # Errors
    /// Returns an error when the file is invalid, or lacks the mask token that the configuration needs.
    pub(crate) fn new(file: &str, bytes: &[u8], configuration: &Configuration) -> Result<Self, ModelError> {
        let wrong = |reason: String| ModelError::Tokenizer { file: file.to_owned(), reason };
        // Not `from_bytes`: that is generic, and a second parser would be compiled here.
        let text = std::str::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
        let mut inner: HuggingFaceTokenizer = text.parse().map_err(|error: Error| wrong(error.to_string()))?;
        // This type truncates by itself, as the marker counts too.
        inner.with_truncation(None).map_err(|error| wrong(error.to_string()))?.with_padding(None);
        let marker = |id: Option<u32>, prefix: &Option<String>| match (id, prefix) {
            (Some(id), _) => Marker::Token(id),
            (None, Some(text)) => match inner.token_to_id(text).or_else(|| inner.token_to_id(text.trim_end())) {
                Some(id) => Marker::Token(id),
                None => Marker::Text(text.clone()),
            },
            (None, None) => Marker::None,
        };
        let (query, document) = (
            marker(configuration.query_prefix_id, &configuration.query_prefix),
            marker(configuration.document_prefix_id, &configuration.document_prefix),
        );
        let named = configuration.mask_token.as_deref().into_iter().chain(["[MASK]", "<mask>"]);
        let mask = configuration.mask_token_id.or_else(|| named.into_iter().find_map(|name| inner.token_to_id(name)));
        if configuration.expansion && mask.is_none() {
            return Err(wrong("queries are padded with mask tokens, and it has none".to_owned()));
        }
        let tokenizer = Self {
            query,
            document,
            query_length: configuration.query_length,
            document_length: configuration.document_length,
            mask: mask.filter(|_| configuration.expansion),
            attend_to_mask: configuration.attend_to_expansion,
            skip: configuration.skip.iter().filter_map(|word| inner.token_to_id(word)).collect(),
            inner,
        };
        if tokenizer.token_count() == 0 {
            return Err(wrong("it has no tokens".to_owned()));
        }
        Ok(tokenizer)
    }

    /// Returns the number of tokens.
    pub(crate) fn token_count(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    /// Returns the largest token number.
    pub(crate) fn largest_id(&self) -> u32 {
        let vocabulary = self.inner.get_vocab(true).into_values().max().unwrap_or(0);
        let markers = [&self.query, &self.document].into_iter();
        let markers = markers.filter_map(|marker| if let Marker::Token(id) = marker { Some(*id) } else { None });
        markers.chain(self.mask).fold(vocabulary, u32::max)
    }

    /// Tokenizes a query: truncated or padded to its length.
    ///
    /// # Errors
    /// Returns an error when the tokenizer fails.
    pub(crate) fn query(&self, text: &str) -> Result<Tokens, EncodeError> {
        let mut ids = self.encode_marked(text, &self.query, self.query_length)?;
        let mut attended = ids.len();
        if let Some(mask) = self.mask {
            ids.resize(self.query_length.max(ids.len()), mask);
            if self.attend_to_mask {
                attended = ids.len();
            }
        }
        Ok(Tokens { attended, compared: (0..ids.len()).collect(), ids })
    }

    /// Tokenizes a document: truncated to its length. Skipped tokens are encoded but not compared.
    ///
    /// # Errors
    /// Returns an error when the tokenizer fails.
    pub(crate) fn document(&self, text: &str) -> Result<Tokens, EncodeError> {
        let ids = self.encode_marked(text, &self.document, self.document_length)?;
        let mut compared: Vec<usize> = (0..ids.len()).filter(|&at| !self.skip.contains(&ids[at])).collect();
        if compared.is_empty() {
            compared = (0..ids.len()).collect();
        }
        Ok(Tokens { attended: ids.len(), compared, ids })
    }

    /// Returns at most `length` tokens, with the special ones and the marker.
    fn encode_marked(&self, text: &str, marker: &Marker, length: usize) -> Result<Vec<u32>, EncodeError> {
        let with_prefix;
        let text = match marker {
            Marker::Text(prefix) => {
                with_prefix = format!("{prefix}{text}");
                &with_prefix
            }
            Marker::None | Marker::Token(_) => text,
        };
        let encoding = self.inner.encode_fast(text, true).map_err(|error| EncodeError::Tokens(error.to_string()))?;
        let mut ids = encoding.get_ids().to_vec();
        let special = encoding.get_special_tokens_mask();
        let leading = usize::from(special.first() == Some(&1));
        // Special tokens at the end survive truncation.
        let trailing =
            special.iter().rev().take_while(|&&special| special == 1).count().min(ids.len() - leading.min(ids.len()));
        let room = length - usize::from(matches!(marker, Marker::Token(_)));
        if ids.len() > room {
            let end = ids.split_off(ids.len() - trailing);
            ids.truncate(room - end.len().min(room));
            ids.extend(end);
            ids.truncate(room);
        }
        if let Marker::Token(id) = marker {
            ids.insert(leading.min(ids.len()), *id);
        }
        if ids.is_empty() {
            // Some tokenizers return no tokens for an empty text; a graph needs one at least.
            ids.push(self.mask.unwrap_or(0));
        }
        Ok(ids)
    }
}

#[cfg(test)]
mod tests {
    use super::{Tokenizer, Tokens};
    use crate::configuration::Configuration;

    /// A tokenizer of whole words, with the special tokens of BERT around a text.
    fn tokenizer(configuration: &Configuration, special: bool) -> Tokenizer {
        let words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[Q] ", "[D] ", "a", "b", "/", "."];
        let vocabulary: serde_json::Map<String, _> =
            (0..).zip(words).map(|(id, word)| (word.to_owned(), id.into())).collect();
        let post_processor = serde_json::json!({"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]});
        let json = serde_json::json!({
            "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null, "decoder": null,
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": if special { post_processor } else { serde_json::Value::Null },
            "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
        });
        Tokenizer::new("t", json.to_string().as_bytes(), configuration).unwrap()
    }

    fn configuration() -> Configuration {
        Configuration {
            query_prefix: Some("[Q] ".to_owned()),
            document_prefix: Some("[D] ".to_owned()),
            query_length: 8,
            document_length: 6,
            skip: vec!["/".to_owned(), ".".to_owned()],
            ..Configuration::default()
        }
    }

    fn tokens(ids: &[u32], attended: usize, compared: &[usize]) -> Tokens {
        Tokens { ids: ids.to_vec(), attended, compared: compared.to_vec() }
    }

    #[test]
    fn inserts_markers_behind_the_first_special_token() {
        let marked = tokenizer(&configuration(), true);
        assert_eq!(marked.query("a b"), Ok(tokens(&[2, 5, 7, 8, 3], 5, &[0, 1, 2, 3, 4])));
        assert_eq!(marked.document("a/b"), Ok(tokens(&[2, 6, 7, 9, 8, 3], 6, &[0, 1, 2, 4, 5])));
        let bare = tokenizer(&configuration(), false);
        assert_eq!(bare.query("a b"), Ok(tokens(&[5, 7, 8], 3, &[0, 1, 2])));
    }

    #[test]
    fn pads_queries_and_truncates_texts() {
        let mut configuration = Configuration { expansion: true, ..configuration() };
        let filled = tokenizer(&configuration, true);
        assert_eq!(filled.query("a").unwrap(), tokens(&[2, 5, 7, 3, 4, 4, 4, 4], 4, &[0, 1, 2, 3, 4, 5, 6, 7]));
        assert_eq!(filled.query(&"a ".repeat(5000)).unwrap().ids, [2, 5, 7, 7, 7, 7, 7, 3]);
        assert_eq!(filled.document(&"a/".repeat(5000)).unwrap().ids, [2, 6, 7, 9, 7, 3]);
        configuration.attend_to_expansion = true;
        assert_eq!(tokenizer(&configuration, true).query("a").unwrap().attended, 8);
    }

    #[test]
    fn compares_texts_of_only_skipped_tokens() {
        let mut configuration = configuration();
        configuration.document_prefix = None;
        assert_eq!(tokenizer(&configuration, false).document("/").unwrap().compared, [0]);
        assert_eq!(tokenizer(&configuration, false).document("").unwrap(), tokens(&[0], 1, &[0]));
    }

    #[test]
    fn prepends_prefixes_without_a_token() {
        let mut configuration = configuration();
        configuration.query_prefix = Some("b ".to_owned());
        assert_eq!(tokenizer(&configuration, true).query("a").unwrap().ids, [2, 8, 7, 3]);
        configuration.query_prefix = Some("a a ".to_owned());
        assert_eq!(tokenizer(&configuration, true).query("b").unwrap().ids, [2, 7, 7, 8, 3]);
    }

    #[test]
    fn refuses_invalid_tokenizers() {
        for text in ["", "{}", "[1]", "{\"model\":{}}"] {
            assert!(Tokenizer::new("t", text.as_bytes(), &Configuration::default()).is_err(), "{text}");
        }
    }
}
