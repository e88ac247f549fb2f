//! `Model`: a loaded model, which computes the similarities of paths to a question. Called by the `server` package.

pub(crate) mod similarity_unit;

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use parking_lot::Mutex;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::cache::{Cache, hash};
use crate::configuration::Configuration;
use crate::encoder::{Encoder, Library, RUNTIME, TokenEmbeddings, catch_panics};
use crate::error::{EncodeError, ModelError};
use crate::layout::{ModelFiles, Precision};
use crate::maxsim::similarity;
use crate::tokenizer::{Tokenizer, Tokens};
use crate::vectors::Vectors;
use crate::{onnx, text};

/// Most candidates per question; the original's number.
const POOL_MAX: usize = 64;
/// A model up to this size encodes [`POOL_MAX`] paths in about 10 ms. A larger one takes longer in proportion, and
/// compares fewer. A time limit would make answers depend on the machine's load.
const POOL_BYTES: usize = 16 << 20;
/// Candidates that a model of any size compares.
const POOL_MIN: usize = 8;

/// Plausible numbers per vector. An output outside of them is something else, such as logits over a vocabulary.
const DIMENSIONS: std::ops::RangeInclusive<usize> = 2..=4096;

/// Separators between the segments of a requested path.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// More threads than this encode no faster: a pool of candidates is a few dozen short texts.
const THREADS_MAX: usize = 4;

/// Version of the vectors; raise it when equal texts get different vectors.
const VECTORS_VERSION: u64 = 1;

/// The options of running a model.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Number of encoding threads; by default one per processor, at most 4.
    pub threads: Option<NonZero<usize>>,
    /// The runtime's library.
    pub library: Library,
}

/// The texts that paths are compared with.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The caller's task, in words; empty if not given.
    pub intent: &'a str,
    /// The requested path.
    pub path: &'a str,
}

/// Properties of a loaded model, for display.
#[derive(Clone, Debug)]
pub struct ModelInfo {
    /// The model's directory.
    pub name: String,
    /// The graph's file.
    pub model_file: String,
    /// The graph's size in bytes.
    pub bytes: usize,
    /// The precision that the file's name indicates.
    pub precision: Precision,
    /// The graph's inputs.
    pub inputs: Vec<&'static str>,
    /// The graph's output in use.
    pub output: String,
    /// Numbers per vector.
    pub dimension: usize,
    /// Number of tokens in the tokenizer.
    pub tokens: usize,
    /// The configuration file, if there is one.
    pub configuration_file: Option<String>,
    /// The preparation of texts.
    pub configuration: Configuration,
    /// Standard deviation of similarities between unrelated texts.
    pub scale: f32,
    /// Most candidates per question.
    pub pool: usize,
}

/// A model that is ready for use from several threads at once.
#[derive(Debug)]
pub struct Model {
    encoder: Encoder,
    tokenizer: Tokenizer,
    threads: ThreadPool,
    facts: ModelInfo,
    key: [u8; 16],
}

impl Model {
    /// Loads a model and probes it.
    ///
    /// # Errors
    /// Returns an error when it cannot be used; each cause has its own variant.
    pub fn load(parts: &ModelFiles, options: &Options) -> Result<Self, ModelError> {
        onnx::check(&parts.model_file, &parts.model)?;
        let mut configuration = match &parts.configuration {
            Some((file, dialect, bytes)) => Configuration::parse(file, *dialect, bytes)?,
            None => Configuration::default(),
        };
        if let Some(bytes) = &parts.tokenizer_settings {
            configuration.add_tokenizer_settings(bytes);
        }
        let tokenizer = Tokenizer::new(&parts.tokenizer_file, &parts.tokenizer, &configuration)?;
        let environment = catch_panics(|| options.library.open())?;
        let encoder = catch_panics(|| Encoder::load(environment, parts, configuration.output.as_deref()))?;
        let dimension = probe(&encoder, &tokenizer, parts, &configuration)?;
        let key = vectors_key(parts);
        let facts = ModelInfo {
            name: parts.name.clone(),
            model_file: parts.model_file.clone(),
            bytes: parts.model.len(),
            precision: parts.precision,
            inputs: encoder.inputs(),
            output: encoder.output().to_owned(),
            dimension,
            tokens: tokenizer.token_count(),
            configuration_file: parts.configuration.as_ref().map(|(file, ..)| file.clone()),
            scale: configuration.scale.unwrap_or(0.0),
            pool: (POOL_MAX * POOL_BYTES / parts.model.len().max(1)).clamp(POOL_MIN, POOL_MAX),
            configuration,
        };
        let mut model = Self { encoder, tokenizer, threads: thread_pool(options.threads)?, facts, key };
        if model.facts.configuration.scale.is_none() {
            model.facts.scale = similarity_unit::measure(&model)?;
        }
        Ok(model)
    }

    /// Returns the model's properties.
    pub fn facts(&self) -> &ModelInfo {
        &self.facts
    }

    /// Returns the key of the model's vectors: other files have another key.
    pub fn key(&self) -> [u8; 16] {
        self.key
    }

    /// Returns the vectors of a question.
    fn query(&self, question: Question<'_>) -> Result<Vectors, EncodeError> {
        let text = text::query(&self.facts.configuration, question.intent, question.path);
        self.vectors(&self.tokenizer.query(&text)?)
    }

    /// Returns the vectors of a path.
    fn document(&self, path: &str) -> Result<Vectors, EncodeError> {
        let text = text::document(&self.facts.configuration, path);
        self.vectors(&self.tokenizer.document(&text)?)
    }

    /// Returns whether the question has a text that this model can compare. A model that reads only intents needs one.
    /// It also skips requests with directories, which it does not see and which are stronger than its similarities
    /// (`BENCHMARKS.md`: it made more renames wrong than right).
    pub fn can_compare(&self, question: Question<'_>) -> bool {
        let configuration = &self.facts.configuration;
        let blind =
            !configuration.query.contains("{path}") && question.path.trim_matches(SEPARATORS).contains(SEPARATORS);
        !blind && !text::query(configuration, question.intent, question.path).trim().is_empty()
    }

    /// Returns the similarity of each path to the question: −1 to 1. Cached vectors are used, and new ones are cached;
    /// both give equal results.
    ///
    /// # Errors
    /// Returns an error when a text cannot be encoded.
    pub fn similarities<S: AsRef<str> + Sync>(
        &self,
        question: Question<'_>,
        paths: &[S],
        cache: &Mutex<Cache>,
    ) -> Result<Vec<f32>, EncodeError> {
        let mut documents: Vec<_> = {
            let mut cache = cache.lock();
            paths.iter().map(|path| cache.get(path.as_ref())).collect()
        };
        let unknown: Vec<usize> = (0..paths.len()).filter(|&at| documents[at].is_none()).collect();
        // The question comes first, as it is the longest text.
        let encode = |at: usize| match at.checked_sub(1) {
            None => self.query(question),
            Some(at) => self.document(paths[unknown[at]].as_ref()),
        };
        let texts = 0..1 + unknown.len();
        let encoded: Vec<_> = self.threads.install(|| texts.into_par_iter().with_max_len(1).map(encode).collect());
        let mut encoded = encoded.into_iter();
        let query = encoded.next().ok_or_else(|| EncodeError::Runtime("no output".to_owned()))??;
        for (&at, vectors) in unknown.iter().zip(encoded) {
            documents[at] = Some(Arc::new(vectors?));
        }
        {
            let mut cache = cache.lock();
            for &at in &unknown {
                documents[at].iter().for_each(|vectors| cache.put(paths[at].as_ref(), Arc::clone(vectors)));
            }
        }
        Ok(documents.iter().flatten().map(|document| similarity(&query, document)).collect())
    }

    /// Computes vectors that the cache lacks, until it is full or `stop` is set. Runs on the thread of its caller, so that
    /// requests do not wait for it.
    pub fn prepare<S: AsRef<str> + Sync>(
        &self,
        paths: impl Iterator<Item = S>,
        cache: &Mutex<Cache>,
        stop: &AtomicBool,
    ) {
        for path in paths {
            if stop.load(Ordering::Relaxed) || cache.lock().is_full() {
                return;
            }
            if cache.lock().has(path.as_ref()) {
                continue;
            }
            // A path that cannot be encoded is reported when a request asks for it.
            if let Ok(vectors) = self.document(path.as_ref()) {
                cache.lock().put(path.as_ref(), Arc::new(vectors));
            }
        }
    }

    fn vectors(&self, tokens: &Tokens) -> Result<Vectors, EncodeError> {
        let TokenEmbeddings { dimension, values } = run(&self.encoder, tokens)?;
        if dimension != self.facts.dimension {
            return Err(EncodeError::Shape { tokens: tokens.ids.len(), shape: vec![1, tokens.ids.len(), dimension] });
        }
        Vectors::new(&values, dimension, &tokens.compared)
    }
}

/// Runs a model, and turns a panic into an error of this text.
fn run(encoder: &Encoder, tokens: &Tokens) -> Result<TokenEmbeddings, EncodeError> {
    catch_panics(|| encoder.encode(tokens))
}

/// Starts the threads that encode the texts of questions: by default one per processor.
fn thread_pool(count: Option<NonZero<usize>>) -> Result<ThreadPool, EncodeError> {
    let count = count.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get).min(THREADS_MAX);
    let threads = ThreadPoolBuilder::new().num_threads(count).thread_name(|at| format!("encoder {at}")).build();
    threads.map_err(|error| EncodeError::Runtime(error.to_string()))
}

/// Probes a model with texts of several lengths and with the tokenizer's largest token, so that a graph of another
/// vocabulary fails here and not during a request. Returns the numbers per vector.
fn probe(
    encoder: &Encoder,
    tokenizer: &Tokenizer,
    parts: &ModelFiles,
    configuration: &Configuration,
) -> Result<usize, ModelError> {
    let output = run(encoder, &tokenizer.document("src/main.rs")?)?;
    let largest = tokenizer.largest_id();
    let extreme = Tokens { ids: vec![largest; 3], attended: 3, compared: vec![0, 1, 2] };
    run(encoder, &extreme)
        .map_err(|error| ModelError::Vocabulary { tokens: tokenizer.token_count(), reason: error.to_string() })?;
    // Detects a model that lacks vectors for late positions.
    let long = "long ".repeat(configuration.query_length.max(configuration.document_length));
    let (query, document) = (tokenizer.query(&long)?, tokenizer.document(&long)?);
    run(encoder, if query.ids.len() > document.ids.len() { &query } else { &document })?;
    let wrong = |reason: String| ModelError::Output { file: parts.model_file.clone(), reason };
    if !DIMENSIONS.contains(&output.dimension) {
        return Err(wrong(format!("{} has {} numbers per token", encoder.output(), output.dimension)));
    }
    match configuration.dimension {
        Some(said) if said != output.dimension => Err(wrong(format!(
            "{} has {} numbers per token, and the configuration says {said}",
            encoder.output(),
            output.dimension
        ))),
        _ => Ok(output.dimension),
    }
}

fn vectors_key(parts: &ModelFiles) -> [u8; 16] {
    let configuration = parts.configuration.as_ref().map_or(&[][..], |(_, _, bytes)| bytes);
    let settings = parts.tokenizer_settings.as_deref().unwrap_or_default();
    let files = [&*parts.model, &*parts.tokenizer, configuration, settings, RUNTIME.as_bytes()];
    let half = |seed| files.iter().fold(hash(seed, &VECTORS_VERSION.to_le_bytes()), |seed, file| hash(seed, file));
    let mut key = [0; 16];
    key[..8].copy_from_slice(&half(1).to_le_bytes());
    key[8..].copy_from_slice(&half(2).to_le_bytes());
    key
}
