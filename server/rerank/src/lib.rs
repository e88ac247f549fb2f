//! Late interaction: computes how near paths are to a request with any `ColBERT` model. Used by the `server` package,
//! which implements core's `SimilarityModel` with it.
//!
//! **Terminology.** A *model* is a directory: an ONNX graph, a tokenizer and a configuration. The graph gives one
//! vector per *token* of a text. `MaxSim` (Khattab & Zaharia, `ColBERT`, SIGIR 2020) compares two texts: each token of
//! the *query* takes its best match among the tokens of the *document*. The original sums the matches; this package
//! averages them, so that long queries are no nearer than short ones. A document's vectors do not depend on the query,
//! so they are computed once and *cached*.
//!
//! **Data flow.** [`Layout`] finds the files, [`Configuration`] describes how texts are prepared, and the tokenizer
//! makes token ids. An encoder (onnxruntime, whose library is found at run time) makes vectors, [`Vectors`] holds them
//! as 8-bit integers, and [`similarity`] compares them.
//!
//! **Determinism.** Equal requests get equal answers. Every text is encoded alone: dynamic quantisation takes its scale
//! from the whole tensor, so in a batch the vectors of one path would depend on the others. Cached and new vectors are
//! both rounded to integers before they are compared, and integer sums do not depend on the order.

#![forbid(unsafe_code)]

mod cache;
mod configuration;
mod encoder;
mod error;
mod layout;
mod maxsim;
mod model;
mod onnx;
mod text;
mod tokenizer;
mod vectors;
mod verify;

pub use cache::Cache;
pub use configuration::Configuration;
pub use encoder::{Library, RUNTIME};
pub use error::{EncodeError, ModelError};
pub use layout::{Layout, ModelFiles, Precision};
pub use maxsim::similarity;
pub use model::{Model, ModelInfo, Options, Question};
pub use vectors::Vectors;
pub use verify::{Check, verify};
