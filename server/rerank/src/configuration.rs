//! `Configuration`: how to prepare texts for a model, parsed from the files that exporters write. Used by `Model`,
//! `tokenizer` and `text`.

use serde_json::Value;

use crate::error::ModelError;
use crate::layout::Dialect;

/// Longest query in tokens: an intent is a sentence. Bounds the cost of a request.
const QUERY_TOKENS_MAX: usize = 128;
/// Longest document in tokens: one in ten thousand real paths has more than 100.
const DOCUMENT_TOKENS_MAX: usize = 512;
/// Default of pylate and Stanford.
const QUERY_TOKENS_DEFAULT: usize = 32;
/// Default of pylate.
const DOCUMENT_TOKENS_DEFAULT: usize = 180;

/// Python's `string.punctuation`: tokens that `ColBERT` models by default ignore in documents.
const PUNCTUATION: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// The preparation of texts. Every field but the templates belongs to the model; none is a user setting.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a model, as its files have them")]
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// Prefix of a query: one token of the vocabulary, or a text.
    pub query_prefix: Option<String>,
    /// Prefix of a document: one token of the vocabulary, or a text.
    pub document_prefix: Option<String>,
    /// Token number of the query prefix, if given.
    pub query_prefix_id: Option<u32>,
    /// Token number of the document prefix, if given.
    pub document_prefix_id: Option<u32>,
    /// Most tokens of a query, special ones included.
    pub query_length: usize,
    /// Most tokens of a document, special ones included.
    pub document_length: usize,
    /// True if a query is padded with mask tokens, whose vectors count.
    pub expansion: bool,
    /// True if the other tokens attend to the mask tokens.
    pub attend_to_expansion: bool,
    /// Number of the mask token, if given.
    pub mask_token_id: Option<u32>,
    /// Text of the mask token, if given.
    pub mask_token: Option<String>,
    /// Numbers per vector, if given.
    pub dimension: Option<usize>,
    /// True if texts are converted to lower case first.
    pub lower_case: bool,
    /// Tokens of documents that are not compared.
    pub skip: Vec<String>,
    /// Name of the graph's output, if given.
    pub output: Option<String>,
    /// Template of a query; `{intent}` and `{path}` stand for the caller's intent and the requested path.
    pub query: String,
    /// Template of a document; `{path}` stands for its path.
    pub document: String,
    /// True if names are split into words before tokenization.
    pub split_words: bool,
    /// Standard deviation of similarities between unrelated texts.
    pub scale: Option<f32>,
    /// Points of raw score per standard deviation.
    pub weight: Option<f32>,
    /// True if confidence was fitted to answers that were ordered with this model.
    pub calibrated: bool,
    /// The model's version, for display.
    pub version: Option<String>,
}

impl Default for Configuration {
    fn default() -> Self {
        Self {
            query_prefix: None,
            document_prefix: None,
            query_prefix_id: None,
            document_prefix_id: None,
            query_length: QUERY_TOKENS_DEFAULT,
            document_length: DOCUMENT_TOKENS_DEFAULT,
            expansion: false,
            attend_to_expansion: false,
            mask_token_id: None,
            mask_token: None,
            dimension: None,
            lower_case: false,
            skip: Vec::new(),
            output: None,
            query: "{intent} {path}".to_owned(),
            document: "{path}".to_owned(),
            split_words: false,
            scale: None,
            weight: None,
            calibrated: false,
            version: None,
        }
    }
}

impl Configuration {
    /// Parses a file of this dialect.
    ///
    /// # Errors
    /// Returns an error when the file is no JSON object, or a value is out of range.
    pub(crate) fn parse(file: &str, dialect: Dialect, bytes: &[u8]) -> Result<Self, ModelError> {
        let wrong = |reason: String| ModelError::Configuration { file: file.to_owned(), reason };
        let value: Value = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
        let fields = JsonFields {
            object: value.as_object().ok_or_else(|| wrong("it is not a JSON object".to_owned()))?,
            wrong: &wrong,
        };
        let mut configuration = match dialect {
            Dialect::Onnx | Dialect::Pylate => Self::parse_pylate(&fields, dialect)?,
            Dialect::Stanford => Self::parse_stanford(&fields)?,
        };
        configuration.apply_pathfinder_object(&fields, &wrong)?;
        configuration.query_length = configuration.query_length.min(QUERY_TOKENS_MAX);
        configuration.document_length = configuration.document_length.min(DOCUMENT_TOKENS_MAX);
        // Start, marker and end leave room for one token of the text.
        if configuration.query_length < 4 || configuration.document_length < 4 {
            return Err(wrong("query_length and document_length must be at least 4".to_owned()));
        }
        Ok(configuration)
    }

    /// Parses pylate's names, which next-plaid shares.
    fn parse_pylate(fields: &JsonFields<'_>, dialect: Dialect) -> Result<Self, ModelError> {
        // pylate writes all of these; its own defaults apply to missing ones.
        let pylate = dialect == Dialect::Pylate;
        let prefix = |name, default: &str| {
            Ok::<_, ModelError>(
                fields.text(name)?.or_else(|| pylate.then(|| default.to_owned())).filter(|text| !text.is_empty()),
            )
        };
        let default = Self::default();
        Ok(Self {
            query_prefix: prefix("query_prefix", "[Q] ")?,
            document_prefix: prefix("document_prefix", "[D] ")?,
            query_prefix_id: fields.token("query_prefix_id")?,
            document_prefix_id: fields.token("document_prefix_id")?,
            query_length: fields.count("query_length")?.unwrap_or(default.query_length),
            document_length: fields.count("document_length")?.unwrap_or(default.document_length),
            expansion: fields.flag("do_query_expansion")?.unwrap_or(pylate),
            attend_to_expansion: fields.flag("attend_to_expansion_tokens")?.unwrap_or(false),
            mask_token_id: fields.token("mask_token_id")?,
            dimension: fields.count("embedding_dim")?,
            lower_case: fields.flag("do_lower_case")?.unwrap_or(false),
            skip: fields.texts("skiplist_words")?.unwrap_or_else(|| if pylate { punctuation() } else { Vec::new() }),
            output: fields.text("output_name")?,
            ..default
        })
    }

    /// Parses the names of Stanford's `artifact.metadata`. `query_token_id` has the marker's text; `query_token` is
    /// only for display.
    fn parse_stanford(fields: &JsonFields<'_>) -> Result<Self, ModelError> {
        let default = Self::default();
        Ok(Self {
            query_prefix: Some(fields.text("query_token_id")?.unwrap_or_else(|| "[unused0]".to_owned())),
            document_prefix: Some(fields.text("doc_token_id")?.unwrap_or_else(|| "[unused1]".to_owned())),
            query_length: fields.count("query_maxlen")?.unwrap_or(default.query_length),
            document_length: fields.count("doc_maxlen")?.unwrap_or(default.document_length),
            expansion: true,
            attend_to_expansion: fields.flag("attend_to_mask_tokens")?.unwrap_or(false),
            dimension: fields.count("dim")?,
            skip: if fields.flag("mask_punctuation")?.unwrap_or(true) { punctuation() } else { Vec::new() },
            ..default
        })
    }

    /// Applies pathfinder's own settings, an object within the file.
    fn apply_pathfinder_object(
        &mut self,
        fields: &JsonFields<'_>,
        wrong: &dyn Fn(String) -> ModelError,
    ) -> Result<(), ModelError> {
        let Some(own) = fields.object.get("pathfinder").filter(|value| !value.is_null()) else { return Ok(()) };
        let object = own.as_object().ok_or_else(|| wrong("pathfinder must be an object".to_owned()))?;
        let own = JsonFields { object, wrong };
        self.query = own.text("query")?.unwrap_or_else(|| self.query.clone());
        self.document = own.text("document")?.unwrap_or_else(|| self.document.clone());
        if !self.document.contains("{path}") {
            return Err(wrong("document must contain {path}".to_owned()));
        }
        self.split_words = own.flag("split_words")?.unwrap_or(false);
        self.scale = own.positive("scale")?;
        self.weight = own.positive("weight")?;
        self.calibrated = own.flag("calibrated")?.unwrap_or(false);
        self.version = own.text("version")?;
        Ok(())
    }

    /// Takes the mask token from `tokenizer_config.json`.
    pub(crate) fn add_tokenizer_settings(&mut self, bytes: &[u8]) {
        // Another program writes this file, so unreadable values are ignored.
        let Ok(Value::Object(object)) = serde_json::from_slice(bytes) else { return };
        let mask = object.get("mask_token").and_then(|token| token.as_str().or_else(|| token.get("content")?.as_str()));
        self.mask_token = mask.map(str::to_owned);
        // The tokenizer converts to lower case by itself; that file only repeats the setting.
    }
}

fn punctuation() -> Vec<String> {
    PUNCTUATION.chars().map(String::from).collect()
}

/// Typed access to the members of a JSON object.
struct JsonFields<'a> {
    object: &'a serde_json::Map<String, Value>,
    wrong: &'a dyn Fn(String) -> ModelError,
}

impl JsonFields<'_> {
    fn get<T>(&self, name: &str, kind: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Option<T>, ModelError> {
        match self.object.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                read(value).map(Some).ok_or_else(|| (self.wrong)(format!("{name} must be {kind}, not {value}")))
            }
        }
    }

    fn text(&self, name: &str) -> Result<Option<String>, ModelError> {
        self.get(name, "a text", |value| value.as_str().map(str::to_owned))
    }

    fn texts(&self, name: &str) -> Result<Option<Vec<String>>, ModelError> {
        let texts = |value: &Value| value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect();
        self.get(name, "a list of texts", texts)
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, ModelError> {
        self.get(name, "true or false", Value::as_bool)
    }

    fn count(&self, name: &str) -> Result<Option<usize>, ModelError> {
        let count = |value: &Value| usize::try_from(value.as_u64()?).ok().filter(|count| (1..=1 << 20).contains(count));
        self.get(name, "a whole number above 0", count)
    }

    fn token(&self, name: &str) -> Result<Option<u32>, ModelError> {
        self.get(name, "a token's number", |value| u32::try_from(value.as_u64()?).ok())
    }

    fn positive(&self, name: &str) -> Result<Option<f32>, ModelError> {
        let positive =
            |value: &Value| Some(value.as_f64()? as f32).filter(|number| *number > 0.0 && number.is_finite());
        self.get(name, "a number above 0", positive)
    }
}

#[cfg(test)]
mod tests {
    use super::{Configuration, DOCUMENT_TOKENS_MAX, punctuation};
    use crate::layout::Dialect;

    fn parse(dialect: Dialect, text: &str) -> Configuration {
        Configuration::parse("c", dialect, text.as_bytes()).unwrap()
    }

    #[test]
    fn parses_next_plaid() {
        let read = parse(
            Dialect::Onnx,
            r#"{"query_prefix":"[Q] ","document_prefix":"[D] ","query_length":48,"document_length":9000,"do_query_expansion":true,
                "embedding_dim":128,"uses_token_type_ids":false,"mask_token_id":7,"skiplist_words":[".","/"],"query_prefix_id":50368}"#,
        );
        assert_eq!((read.query_length, read.document_length), (48, DOCUMENT_TOKENS_MAX));
        assert_eq!((read.query_prefix.as_deref(), read.query_prefix_id), (Some("[Q] "), Some(50368)));
        assert_eq!((read.expansion, read.mask_token_id, read.dimension), (true, Some(7), Some(128)));
        assert_eq!(read.skip, [".", "/"]);
        assert_eq!(parse(Dialect::Onnx, "{}"), Configuration::default());
    }

    #[test]
    fn applies_pylate_defaults() {
        let read =
            parse(Dialect::Pylate, r#"{"__version__":{},"document_length":300,"attend_to_expansion_tokens":null}"#);
        assert_eq!((read.query_prefix.as_deref(), read.document_prefix.as_deref()), (Some("[Q] "), Some("[D] ")));
        assert_eq!((read.query_length, read.document_length, read.expansion), (32, 300, true));
        assert_eq!(read.skip, punctuation());
    }

    #[test]
    fn parses_stanford() {
        let read = parse(
            Dialect::Stanford,
            r#"{"query_token_id":"[unused0]","doc_token_id":"[unused1]","query_token":"[Q]","dim":96,"query_maxlen":32,
                "doc_maxlen":300,"mask_punctuation":false,"attend_to_mask_tokens":true}"#,
        );
        assert_eq!(
            (read.query_prefix.as_deref(), read.document_prefix.as_deref()),
            (Some("[unused0]"), Some("[unused1]"))
        );
        assert!(read.expansion && read.attend_to_expansion && read.skip.is_empty());
        assert_eq!((read.dimension, read.document_length), (Some(96), 300));
    }

    #[test]
    fn parses_pathfinder_settings() {
        let read = parse(
            Dialect::Onnx,
            r#"{"pathfinder":{"query":"{path}","split_words":true,"scale":0.05,"weight":0.5,"version":"1"}}"#,
        );
        assert_eq!((&*read.query, read.split_words, read.scale, read.weight), ("{path}", true, Some(0.05), Some(0.5)));
    }

    #[test]
    fn refuses_invalid_values() {
        for (text, expect) in [
            ("[]", "c: it is not a JSON object"),
            ("{", "c: EOF"),
            (r#"{"query_length":"32"}"#, "c: query_length must be a whole number above 0, not \"32\""),
            (r#"{"query_length":2}"#, "c: query_length and document_length must be at least 4"),
            (r#"{"embedding_dim":0}"#, "c: embedding_dim must be"),
            (r#"{"skiplist_words":[1]}"#, "c: skiplist_words must be a list of texts"),
            (r#"{"pathfinder":1}"#, "c: pathfinder must be an object"),
            (r#"{"pathfinder":{"scale":0}}"#, "c: scale must be a number above 0"),
            (r#"{"pathfinder":{"document":"x"}}"#, "c: document must contain {path}"),
        ] {
            let error = Configuration::parse("c", Dialect::Onnx, text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expect), "{text}: {error}");
        }
    }
}
