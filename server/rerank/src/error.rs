//! What can be wrong with a model, in words that say what to do.

use std::path::PathBuf;

use thiserror::Error;

/// Why a model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file that every model has is not there.
    #[error("{} has no {what}; looked for {looked}", directory.display())]
    Missing {
        /// The model's directory.
        directory: PathBuf,
        /// What it lacks.
        what: &'static str,
        /// The names that it could have had.
        looked: String,
    },
    /// A file that cannot be read.
    #[error("{file} cannot be read: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// A file that ends before it should.
    #[error("{file} is cut off: it has {bytes} bytes and speaks of more")]
    Truncated {
        /// The file.
        file: String,
        /// Its length.
        bytes: usize,
    },
    /// A file that is no ONNX model, or one that the runtime does not understand.
    #[error("{file} is no model that {runtime} can run: {reason}")]
    Graph {
        /// The file.
        file: String,
        /// Who was to run it.
        runtime: &'static str,
        /// What it says.
        reason: String,
    },
    /// A set of operators that is not known.
    #[error(
        "{file} is of ONNX opset {opset}; those from {least} to {most} are understood: export it anew with one of them"
    )]
    Opset {
        /// The file.
        file: String,
        /// Its version.
        opset: u64,
        /// The oldest that is understood.
        least: u64,
        /// The newest that is.
        most: u64,
    },
    /// An input that is not known.
    #[error("{file} wants an input {name:?}; input_ids, attention_mask and token_type_ids are known")]
    Input {
        /// The file.
        file: String,
        /// The input's name.
        name: String,
    },
    /// No output that has one vector per token.
    #[error("{file} has no output with a vector per token: {reason}")]
    Output {
        /// The file.
        file: String,
        /// What it has.
        reason: String,
    },
    /// A configuration that says something impossible.
    #[error("{file}: {reason}")]
    Configuration {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A tokenizer that cannot be understood.
    #[error("{file} is no tokenizer: {reason}")]
    Tokenizer {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The tokenizer knows tokens that the model has no vectors for.
    #[error(
        "the tokenizer is not this model's: it has {tokens} tokens, and the model fails for the last of them ({reason})"
    )]
    Vocabulary {
        /// Tokens that the tokenizer knows.
        tokens: usize,
        /// What the runtime says.
        reason: String,
    },
    /// It loads but does not run.
    #[error("the model does not run: {0}")]
    Run(#[from] EncodeError),
}

/// Why a text has no vectors.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// The tokenizer refused it.
    #[error("the text cannot be cut into tokens: {0}")]
    Tokens(String),
    /// The runtime failed.
    #[error("{0}")]
    Runtime(String),
    /// The runtime gave something else than one vector per token.
    #[error("{tokens} tokens came back as {shape:?}")]
    Shape {
        /// How many tokens went in.
        tokens: usize,
        /// What came out.
        shape: Vec<usize>,
    },
    /// A number that is none.
    #[error("the vectors hold numbers that are not finite")]
    NotFinite,
}
