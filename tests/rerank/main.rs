//! Models of random weights in several shapes, against a plain implementation, and a public one of trained weights.
//!
//! `tests/rerank/models.py` makes the models and says what is expected of them; `tests/run rerank` runs both.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it stands")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests change files of models, and start the program"
)]

mod bad;
mod program;
mod shapes;
mod trained;

use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use pathfinder_rerank::{Cache, Layout, Library, Model, ModelError, Options, Precision, Question};

/// The directory of the models.
fn models() -> PathBuf {
    let variable = std::env::var_os("PATHFINDER_RERANK_MODELS");
    PathBuf::from(variable.expect("PATHFINDER_RERANK_MODELS names the models; tests/run rerank makes them"))
}

/// The library of onnxruntime: without it no model runs, so that it has to be there.
fn library() -> PathBuf {
    let library = std::env::var_os("PATHFINDER_RERANK_LIBRARY");
    library.expect("PATHFINDER_RERANK_LIBRARY names the library of onnxruntime; tests/run rerank installs it").into()
}

fn options() -> Options {
    Options { library: Library::At(library()), ..Options::default() }
}

fn load(directory: &Path, precision: Precision) -> Result<Model, ModelError> {
    Model::load(&Layout::find(directory, precision)?.read()?, &options())
}

fn cache() -> Mutex<Cache> {
    Mutex::new(Cache::new(1 << 24))
}

fn question(intent: &'static str, path: &'static str) -> Question<'static> {
    Question { intent, path }
}
