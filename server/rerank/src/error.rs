//! `ModelError` and `EncodeError`: failures of a model and of a text, with messages that name the remedy.

use std::path::PathBuf;

use thiserror::Error;

/// Reasons for which a model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The directory lacks a required file.
    #[error("{} has no {what}; looked for {looked}", directory.display())]
    Missing {
        /// The model's directory.
        directory: PathBuf,
        /// The kind of file that is missing.
        what: &'static str,
        /// The file names that were tried.
        looked: String,
    },
    /// A file cannot be read.
    #[error("{file} cannot be read: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// The system's reason.
        reason: String,
    },
    /// A file is truncated.
    #[error("{file} is truncated at {bytes} bytes; copy or download it again")]
    Truncated {
        /// The file.
        file: String,
        /// Its length in bytes.
        bytes: usize,
    },
    /// Neither a setting nor an argument names a model.
    #[error("no model is configured; give its directory, or set it with --model-dir or RESOLVE_MODEL_DIR")]
    NotConfigured,
    /// The runtime's library is not there, or cannot be used.
    #[error("models need onnxruntime: {reason}")]
    Library {
        /// The reason, and the remedy.
        reason: String,
    },
    /// A file is no ONNX model, or the runtime does not support it.
    #[error("{file} is no model that {runtime} can run: {reason}")]
    Graph {
        /// The file.
        file: String,
        /// The runtime that failed to load it.
        runtime: &'static str,
        /// The runtime's reason.
        reason: String,
    },
    /// The operator set is not supported.
    #[error("{file} uses ONNX opset {opset}; export it again with an opset from {least} to {most}")]
    Opset {
        /// The file.
        file: String,
        /// The file's opset version.
        opset: u64,
        /// The oldest supported version.
        least: u64,
        /// The newest supported version.
        most: u64,
    },
    /// The graph has an unknown input.
    #[error("{file} has an unknown input {name:?}; supported are input_ids, attention_mask and token_type_ids")]
    Input {
        /// The file.
        file: String,
        /// The input's name.
        name: String,
    },
    /// No output has one vector per token.
    #[error("{file} has no output with a vector per token: {reason}")]
    Output {
        /// The file.
        file: String,
        /// The outputs that the graph has.
        reason: String,
    },
    /// The configuration has an invalid value.
    #[error("{file}: {reason}")]
    Configuration {
        /// The file.
        file: String,
        /// The invalid value.
        reason: String,
    },
    /// The tokenizer file is invalid.
    #[error("{file} is no tokenizer: {reason}")]
    Tokenizer {
        /// The file.
        file: String,
        /// The tokenizer library's reason.
        reason: String,
    },
    /// The tokenizer has tokens without vectors in the model.
    #[error("the tokenizer does not belong to this model, which fails for the last of its {tokens} tokens ({reason})")]
    Vocabulary {
        /// Number of tokens in the tokenizer.
        tokens: usize,
        /// The runtime's reason.
        reason: String,
    },
    /// The model loads but does not run.
    #[error("the model does not run: {0}")]
    Run(#[from] EncodeError),
}

/// Reasons for which a text has no vectors.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// The tokenizer failed.
    #[error("the text cannot be tokenized: {0}")]
    Tokens(String),
    /// The runtime failed.
    #[error("{0}")]
    Runtime(String),
    /// The runtime did not return one vector per token.
    #[error("the model returned the shape {shape:?} for {tokens} tokens")]
    Shape {
        /// Number of input tokens.
        tokens: usize,
        /// Shape of the output.
        shape: Vec<usize>,
    },
    /// A vector has a number that is not finite.
    #[error("the vectors hold numbers that are not finite")]
    NotFinite,
}
