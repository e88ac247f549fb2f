//! Models of random weights in several shapes, against a plain implementation and with both runtimes.
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

use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use pathfinder_rerank::{Cache, Layout, Library, Model, ModelError, Options, Precision, Question, Runtime};

/// The directory of the models.
fn models() -> PathBuf {
    let variable = std::env::var_os("PATHFINDER_RERANK_MODELS");
    PathBuf::from(variable.expect("PATHFINDER_RERANK_MODELS names the models; tests/run rerank makes them"))
}

/// Both runtimes: without the library nothing would be compared, so that it has to be there.
fn runtimes() -> [(Runtime, Options); 2] {
    let library = std::env::var_os("PATHFINDER_RERANK_LIBRARY");
    let library =
        library.expect("PATHFINDER_RERANK_LIBRARY names the library of onnxruntime; tests/run rerank installs it");
    let options = |library| Options { library, ..Options::default() };
    [(Runtime::Rten, options(Library::Off)), (Runtime::OnnxRuntime, options(Library::At(library.into())))]
}

fn load(directory: &Path, precision: Precision, options: &Options) -> Result<Model, ModelError> {
    Model::load(&Layout::find(directory, precision)?.read()?, options)
}

fn cache() -> Mutex<Cache> {
    Mutex::new(Cache::new(1 << 24))
}

fn question(intent: &'static str, path: &'static str) -> Question<'static> {
    Question { intent, path }
}
