//! `Model`: a loaded model, and what it says of a question and paths.

pub(crate) mod scale;

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cache::{Cache, hash};
use crate::configuration::Configuration;
use crate::encoder::{self, Encoder, EncoderThreads, Library, Runtime, TokenEmbeddings, Worker};
use crate::error::{EncodeError, ModelError};
use crate::layout::{ModelFiles, Precision};
use crate::maxsim::similarity;
use crate::tokenizer::{Tokenizer, Tokens};
use crate::vectors::Vectors;
use crate::{onnx, text};

/// The most candidates that are looked at: the number, and the original's.
const POOL_MAX: usize = 64;
/// A model up to this size encodes that many paths in some 10 ms. A larger one takes longer in proportion, and looks at fewer:
/// a limit by the clock would make answers a matter of chance.
const POOL_BYTES: usize = 16 << 20;
/// What is left to a model of any size.
const POOL_MIN: usize = 8;

/// Numbers per vector that are sensible. Beyond them a graph's output is something else: logits over a vocabulary, say.
const DIMENSIONS: std::ops::RangeInclusive<usize> = 2..=4096;

/// What stands between the segments of a path that somebody asks for.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// Goes up when the same model makes other vectors of the same text.
const VECTORS_VERSION: u64 = 1;

/// How a model is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// EncoderThreads that encode; as many as there are processors, up to 4, if nothing is said.
    pub threads: Option<NonZero<usize>>,
    /// Where onnxruntime is.
    pub library: Library,
}

/// What is compared with paths.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What the caller is doing, in words; empty if it did not say.
    pub intent: &'a str,
    /// The path that was asked for.
    pub path: &'a str,
}

/// What is known of a loaded model, for people.
#[derive(Clone, Debug)]
pub struct ModelInfo {
    /// Where it came from.
    pub name: String,
    /// The graph's file.
    pub model_file: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// The precision that its name promises.
    pub precision: Precision,
    /// Who runs it.
    pub runtime: Runtime,
    /// The graph's inputs.
    pub inputs: Vec<&'static str>,
    /// The graph's output that is taken.
    pub output: String,
    /// Numbers per vector.
    pub dimension: usize,
    /// Tokens that the tokenizer knows.
    pub tokens: usize,
    /// The file that said how texts are prepared.
    pub configuration_file: Option<String>,
    /// How texts are prepared.
    pub configuration: Configuration,
    /// Standard deviation of similarities between unrelated texts.
    pub scale: f32,
    /// The most candidates that are looked at.
    pub pool: usize,
    /// What did not go as asked.
    pub notes: Vec<String>,
}

/// A model that is ready. It can be used from several threads at once.
#[derive(Debug)]
pub struct Model {
    encoder: Box<dyn Encoder>,
    tokenizer: Tokenizer,
    threads: EncoderThreads,
    facts: ModelInfo,
    key: [u8; 16],
}

impl Model {
    /// Loads a model and tries it.
    ///
    /// # Errors
    /// When it cannot be used: each thing that can be wrong has its own error.
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
        let threads = EncoderThreads::new(options.threads);
        let mut notes = Vec::new();
        let wanted = configuration.output.as_deref();
        let encoder = encoder::load(parts, wanted, &options.library, &mut notes)?;
        let dimension = threads.background(|worker| probe(&*encoder, &tokenizer, parts, &configuration, worker))?;
        let key = key(parts, encoder.runtime());
        let facts = ModelInfo {
            name: parts.name.clone(),
            model_file: parts.model_file.clone(),
            bytes: parts.model.len(),
            precision: parts.precision,
            runtime: encoder.runtime(),
            inputs: encoder.inputs(),
            output: encoder.output().to_owned(),
            dimension,
            tokens: tokenizer.size(),
            configuration_file: parts.configuration.as_ref().map(|(file, ..)| file.clone()),
            scale: configuration.scale.unwrap_or(0.0),
            pool: (POOL_MAX * POOL_BYTES / parts.model.len().max(1)).clamp(POOL_MIN, POOL_MAX),
            configuration,
            notes,
        };
        let mut model = Self { encoder, tokenizer, threads, facts, key };
        if model.facts.configuration.scale.is_none() {
            model.facts.scale = scale::measure(&model)?;
        }
        Ok(model)
    }

    /// What is known of it.
    pub fn facts(&self) -> &ModelInfo {
        &self.facts
    }

    /// What its vectors belong to: other files or another runtime, another key.
    pub fn key(&self) -> [u8; 16] {
        self.key
    }

    /// The vectors of a question.
    fn query(&self, question: Question<'_>, worker: &Worker) -> Result<Vectors, EncodeError> {
        let text = text::query(&self.facts.configuration, question.intent, question.path);
        self.vectors(&self.tokenizer.query(&text)?, worker)
    }

    /// The vectors of a path.
    fn document(&self, path: &str, worker: &Worker) -> Result<Vectors, EncodeError> {
        let text = text::document(&self.facts.configuration, path);
        self.vectors(&self.tokenizer.document(&text)?, worker)
    }

    /// Whether the question says anything that this model compares. One that reads only intents has nothing to go by without one;
    /// and where directories were asked for, which it does not see, they say more than it can (`BENCHMARKS.md`: of renames it
    /// put more wrong than right).
    pub fn can_compare(&self, question: Question<'_>) -> bool {
        let configuration = &self.facts.configuration;
        let blind =
            !configuration.query.contains("{path}") && question.path.trim_matches(SEPARATORS).contains(SEPARATORS);
        !blind && !text::query(configuration, question.intent, question.path).trim().is_empty()
    }

    /// How near each path is to the question: −1 to 1. What is in the cache is taken from there, and what is not comes into it;
    /// the answer is the same.
    ///
    /// # Errors
    /// When a text cannot be encoded.
    pub fn similarities<S: AsRef<str> + Sync>(
        &self,
        question: Question<'_>,
        paths: &[S],
        cache: &Mutex<Cache>,
    ) -> Result<Vec<f32>, EncodeError> {
        let mut documents: Vec<_> = {
            let mut cache = lock(cache);
            paths.iter().map(|path| cache.get(path.as_ref())).collect()
        };
        let unknown: Vec<usize> = (0..paths.len()).filter(|&at| documents[at].is_none()).collect();
        // The question stands before the paths: it is the longest text.
        let encoded = self.threads.map(1 + unknown.len(), |at, worker| match at.checked_sub(1) {
            None => self.query(question, worker),
            Some(at) => self.document(paths[unknown[at]].as_ref(), worker),
        });
        let mut encoded = encoded.into_iter();
        let query = encoded.next().ok_or_else(|| EncodeError::Runtime("no output".to_owned()))??;
        for (&at, vectors) in unknown.iter().zip(encoded) {
            documents[at] = Some(Arc::new(vectors?));
        }
        {
            let mut cache = lock(cache);
            for &at in &unknown {
                documents[at].iter().for_each(|vectors| cache.put(paths[at].as_ref(), Arc::clone(vectors)));
            }
        }
        Ok(documents.iter().flatten().map(|document| similarity(&query, document)).collect())
    }

    /// Computes the vectors of these paths that the cache lacks, until it is full or `stop` is set: for the background, on a
    /// thread of its own, so that it does not stand in the way.
    pub fn prepare<S: AsRef<str> + Sync>(
        &self,
        paths: impl Iterator<Item = S>,
        cache: &Mutex<Cache>,
        stop: &AtomicBool,
    ) {
        for path in paths {
            if stop.load(Ordering::Relaxed) || lock(cache).is_full() {
                return;
            }
            if lock(cache).has(path.as_ref()) {
                continue;
            }
            // One that cannot be encoded is told when it is asked for.
            if let Ok(vectors) = self.threads.background(|worker| self.document(path.as_ref(), worker)) {
                lock(cache).put(path.as_ref(), Arc::new(vectors));
            }
        }
    }

    fn vectors(&self, tokens: &Tokens, worker: &Worker) -> Result<Vectors, EncodeError> {
        let TokenEmbeddings { dimension, values } = run(&*self.encoder, tokens, worker)?;
        if dimension != self.facts.dimension {
            return Err(EncodeError::Shape { tokens: tokens.ids.len(), shape: vec![1, tokens.ids.len(), dimension] });
        }
        Vectors::new(&values, dimension, &tokens.compared)
    }
}

/// Runs a model; one that panics over a text has failed for it.
fn run(encoder: &dyn Encoder, tokens: &Tokens, worker: &Worker) -> Result<TokenEmbeddings, EncodeError> {
    let panicked = |_| Err(EncodeError::Runtime("the runtime gave up over it".to_owned()));
    catch_unwind(AssertUnwindSafe(|| encoder.encode(tokens, worker))).unwrap_or_else(panicked)
}

/// A lock whose holder has panicked protects nothing that could be half done.
fn lock(cache: &Mutex<Cache>) -> MutexGuard<'_, Cache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tries a model with texts of several lengths, and with the largest token that its tokenizer has: a graph that was made for
/// another vocabulary fails there and not in the middle of some answer. Gives the numbers per vector.
fn probe(
    encoder: &dyn Encoder,
    tokenizer: &Tokenizer,
    parts: &ModelFiles,
    configuration: &Configuration,
    worker: &Worker,
) -> Result<usize, ModelError> {
    let output = run(encoder, &tokenizer.document("src/main.rs")?, worker)?;
    let largest = tokenizer.largest();
    let extreme = Tokens { ids: vec![largest; 3], attended: 3, compared: vec![0, 1, 2] };
    run(encoder, &extreme, worker)
        .map_err(|error| ModelError::Vocabulary { tokens: tokenizer.size(), reason: error.to_string() })?;
    // Positions that a model has no vectors for are found here.
    let long = "long ".repeat(configuration.query_length.max(configuration.document_length));
    let (query, document) = (tokenizer.query(&long)?, tokenizer.document(&long)?);
    run(encoder, if query.ids.len() > document.ids.len() { &query } else { &document }, worker)?;
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

fn key(parts: &ModelFiles, runtime: Runtime) -> [u8; 16] {
    let configuration = parts.configuration.as_ref().map_or(&[][..], |(_, _, bytes)| bytes);
    let settings = parts.tokenizer_settings.as_deref().unwrap_or_default();
    let files = [&*parts.model, &*parts.tokenizer, configuration, settings, runtime.name().as_bytes()];
    let half = |seed| files.iter().fold(hash(seed, &VECTORS_VERSION.to_le_bytes()), |seed, file| hash(seed, file));
    let mut key = [0; 16];
    key[..8].copy_from_slice(&half(1).to_le_bytes());
    key[8..].copy_from_slice(&half(2).to_le_bytes());
    key
}
