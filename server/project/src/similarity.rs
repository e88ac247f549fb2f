//! The similarity model as `pathfinder_core::Engine` uses it: loaded for the first question that needs it, then shared by
//! the process.
//!
//! A model is asked only where the answer would be a choice: below that nothing is plausible, above it the answer is
//! sure. A model that reads the intent alone is asked for bare names only. It compares candidates within reach of the
//! first: at most `max(topk, 5 % of the files)`, at most 64, and fewer for a model above 16 MB. Its time is bounded by
//! counts, so an answer does not depend on the load of the machine.
//!
//! Similarities are in units of the model's standard deviation among unrelated texts, given by its configuration or
//! measured when it is loaded. `max_sim` is the distance to the nearest candidate, 0 to -4, so one weight serves all
//! models. Each text is encoded alone and by one thread: dynamic quantisation scales by the whole tensor, so a batch
//! would make vectors depend on each other. Vectors are rounded to 8-bit integers, so cache, threads and register width
//! change nothing. Vectors depend on the text and the model only; one cache serves all roots.

mod prefetch;

use std::borrow::Cow;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use pathfinder_core::RelPath;
use pathfinder_core::similarity::{RerankOptions, RerankQuery, SimilarityModel};
use pathfinder_rerank::{Cache, Check, Layout, Library, Model, ModelError, Options, Precision, Question, verify};

use crate::settings::Settings;
use pathfinder_vfs::clock::Stopwatch;

/// Longest wait for a warning to be written: the reader of stderr may not read, and the thread may have to wait for a
/// processor.
const WARNING_TIMEOUT: Duration = Duration::from_secs(2);

/// The configured model, and how it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelConfig {
    directory: PathBuf,
    precision: Precision,
    library: Library,
    cache_dir: Option<PathBuf>,
    cache_bytes: usize,
}

/// A model that is loaded at its first use.
#[derive(Debug)]
pub struct LazyModel {
    choice: ModelConfig,
    loaded: OnceLock<Option<LoadedModel>>,
    /// True once a failure was reported.
    has_failed: AtomicBool,
    /// True while a thread computes vectors ahead of questions.
    is_prefetching: AtomicBool,
}

/// A loaded model and its vectors.
#[derive(Debug)]
struct LoadedModel {
    model: Model,
    cache: Mutex<Cache>,
}

/// Models of this process. Each read of a tree makes a new snapshot; they share the model.
static MODELS: Mutex<Vec<Arc<LazyModel>>> = Mutex::new(Vec::new());

impl ModelConfig {
    /// Returns the model of these settings; `None` if they disable it, or name none.
    pub fn from_settings(settings: &Settings) -> Option<Self> {
        Self::configured(settings).filter(|_| settings.rerank)
    }

    /// Returns the model of these settings, enabled or not; `None` if they name none.
    pub fn configured(settings: &Settings) -> Option<Self> {
        Some(Self {
            directory: settings.model_dir.clone()?,
            precision: settings.model_precision,
            library: settings.ort_library.clone(),
            cache_dir: settings.cache_dir.clone(),
            cache_bytes: settings.vector_cache,
        })
    }

    /// Loads the model.
    ///
    /// # Errors
    /// If the model cannot be used.
    pub fn open(&self) -> Result<Model, ModelError> {
        let parts = Layout::find(&self.directory, self.precision)?.read()?;
        Model::load(&parts, &Options { library: self.library.clone(), ..Options::default() })
    }

    /// Verifies each precision of the model.
    ///
    /// # Errors
    /// If there is no model, or no library to run it.
    pub fn verify(&self) -> Result<Vec<Check>, ModelError> {
        verify(&self.directory, &self.library)
    }
}

/// Returns the model of these settings; equal settings share one model.
pub(crate) fn shared_model(settings: &Settings) -> Option<Arc<LazyModel>> {
    let choice = ModelConfig::from_settings(settings)?;
    let mut models = MODELS.lock();
    if let Some(model) = models.iter().find(|model| model.choice == choice) {
        return Some(Arc::clone(model));
    }
    let (has_failed, is_prefetching) = (AtomicBool::new(false), AtomicBool::new(false));
    let model = Arc::new(LazyModel { choice, loaded: OnceLock::new(), has_failed, is_prefetching });
    models.push(Arc::clone(&model));
    Some(model)
}

impl LazyModel {
    /// Loads the model, if it is not loaded yet.
    pub fn load(&self) {
        self.loaded();
    }

    /// Returns the model, loading it if needed; `None` if it cannot be used, which is reported once.
    fn loaded(&self) -> Option<&LoadedModel> {
        self.loaded.get_or_init(|| self.open()).as_ref()
    }

    fn open(&self) -> Option<LoadedModel> {
        let start = Stopwatch::start();
        let result = catch_unwind(AssertUnwindSafe(|| self.choice.open()));
        match result {
            Ok(Ok(model)) => {
                tracing::info!(model = %model.facts().name, took = ?start.elapsed(), "model");
                Some(LoadedModel { model, cache: Mutex::new(Cache::new(self.choice.cache_bytes)) })
            }
            Ok(Err(error)) => {
                warn(&format!("the model cannot be used, and paths are ranked without it: {error}"));
                None
            }
            Err(_) => {
                warn("the model cannot be used, and paths are ranked without it: loading it panicked");
                None
            }
        }
    }

    /// Reports once that the model fails on questions.
    fn fail(&self, reason: &str) {
        if !self.has_failed.swap(true, Ordering::Relaxed) {
            warn(&format!("the model failed, and paths are ranked without it: {reason}"));
        }
    }
}

impl SimilarityModel for LazyModel {
    fn options(&self) -> Option<RerankOptions> {
        let facts = self.loaded()?.model.facts();
        let configuration = &facts.configuration;
        Some(RerankOptions {
            paths_max: facts.pool,
            weight: configuration.weight,
            calibrated: configuration.calibrated,
        })
    }

    fn nearness(&self, query: RerankQuery<'_>, paths: &[&RelPath]) -> Option<Vec<f32>> {
        let LoadedModel { model, cache } = self.loaded()?;
        let texts: Vec<Cow<'_, str>> = paths.iter().map(|path| path.text()).collect();
        let question = Question { intent: query.intent, path: query.path };
        if !model.can_compare(question) {
            return None;
        }
        // A model is a user's file: a failure in its runtime must not cost the answer.
        let similarities = catch_unwind(AssertUnwindSafe(|| model.similarities(question, &texts, cache)));
        match similarities {
            Ok(Ok(similarities)) => Some(similarities.iter().map(|near| near / model.facts().scale).collect()),
            Ok(Err(error)) => {
                self.fail(&error.to_string());
                None
            }
            Err(_) => {
                self.fail("it panicked");
                None
            }
        }
    }
}

/// Writes a warning to stderr, without waiting for a reader that does not read.
fn warn(text: &str) {
    let line = format!("pathfinder: warning: {text}\n");
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        // A closed stderr must not change the answer.
        _ = std::io::stderr().lock().write_all(line.as_bytes());
        _ = sender.send(());
    });
    _ = receiver.recv_timeout(WARNING_TIMEOUT);
}
