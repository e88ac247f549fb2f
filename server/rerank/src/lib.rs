//! Late interaction: how near a path is to what was said, by any `ColBERT` model.
//!
//! **Terminology.** A *model* is a directory: an ONNX graph, a tokenizer and a configuration. The graph gives one vector per
//! *token* of a text. `MaxSim` (Khattab & Zaharia, `ColBERT`, SIGIR 2020) compares two texts: each token of the *query* takes its
//! best match among the tokens of the *document*, and the matches are summed; here they are averaged, so that long queries are no
//! nearer than short ones. What a document's vectors are does not depend on any query, so that they are computed once and *kept*.
//!
//! **The way of a text.** [`Layout`] finds the files, [`Configuration`] says how texts are prepared, the tokenizer makes token ids,
//! an encoder (rten, or onnxruntime where its library is found) makes vectors, [`Vectors`] holds them as 8-bit integers,
//! [`similarity`] compares.
//!
//! **The same question has the same answer.** Every text is encoded alone: dynamic quantisation takes its scale from the whole
//! tensor, so that in a batch the vectors of one path would depend on the others. Vectors are rounded to integers before they are
//! compared, whether they were kept or are new, and integers sum up to the same in any order.

#![forbid(unsafe_code)]

mod built_in;
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
pub use encoder::{Library, Runtime};
pub use error::{EncodeError, ModelError};
pub use layout::{Layout, ModelFiles, Precision};
pub use maxsim::similarity;
pub use model::{Model, ModelInfo, Options, Question};
pub use vectors::Vectors;
pub use verify::{Check, verify};
