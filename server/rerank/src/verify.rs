//! Verifies a model: loads each precision with each runtime and compares their similarities. Called by `pathfinder
//! model verify`.

use std::path::Path;

use parking_lot::Mutex;

use crate::cache::Cache;
use crate::encoder::{Library, Runtime};
use crate::error::ModelError;
use crate::layout::{Layout, Precision};
use crate::model::similarity_unit::{PATHS, QUESTIONS};
use crate::model::{Model, ModelInfo, Options, Question};

/// Tolerated difference between two runtimes on one file: a number halfway between two integers may round either way.
const RUNTIMES_APART: f32 = 0.01;

/// Result for one precision with one runtime.
#[derive(Clone, Debug)]
pub struct Check {
    /// The file's precision.
    pub precision: Precision,
    /// The runtime.
    pub runtime: Runtime,
    /// The model's properties, or the reason for which it cannot be used.
    pub facts: Result<ModelInfo, ModelError>,
    /// Largest difference of a similarity from rten's on the same file.
    pub from_rten: Option<f32>,
    /// Largest difference of a similarity from the first precision with the same runtime. Informational: precisions may
    /// differ.
    pub from_first: Option<f32>,
}

impl Check {
    /// Returns whether the model loads and agrees with rten.
    pub fn is_sound(&self) -> bool {
        self.facts.is_ok() && self.from_rten.is_none_or(|apart| apart <= RUNTIMES_APART)
    }
}

/// Verifies every precision with every runtime.
///
/// # Errors
/// Returns an error when there is no model.
pub fn verify(directory: &Path, library: &Library) -> Result<Vec<Check>, ModelError> {
    let mut checks: Vec<Check> = Vec::new();
    let mut first = [None, None];
    for precision in Precision::ALL {
        let layout = Layout::find(directory, precision)?;
        if layout.precision != precision {
            continue;
        }
        let parts = layout.read()?;
        let mut by_rten = None;
        for (at, library) in [&Library::Off, library].into_iter().enumerate() {
            let loaded = Model::load(&parts, &Options { library: library.clone(), ..Options::default() });
            let runtime = match &loaded {
                Ok(model) => model.facts().runtime,
                Err(_) => [Runtime::Rten, Runtime::OnnxRuntime][at],
            };
            // Without the library, the second run would be rten again.
            if at == 1 && runtime == Runtime::Rten {
                continue;
            }
            let near = loaded.as_ref().map(sample_similarities).map_err(Clone::clone).and_then(|near| near);
            let facts = near.as_ref().map_err(Clone::clone).and_then(|_| loaded.map(|model| model.facts().clone()));
            let near = near.ok();
            let apart = |other: &Option<Vec<f32>>| {
                let (near, other) = (near.as_ref()?, other.as_ref()?);
                Some(near.iter().zip(other).map(|(left, right)| (left - right).abs()).fold(0.0, f32::max))
            };
            checks.push(Check { precision, runtime, facts, from_rten: apart(&by_rten), from_first: apart(&first[at]) });
            if at == 0 {
                by_rten.clone_from(&near);
            }
            first[at] = first[at].take().or(near);
        }
    }
    Ok(checks)
}

fn sample_similarities(model: &Model) -> Result<Vec<f32>, ModelError> {
    let cache = Mutex::new(Cache::new(1 << 20));
    let ask = |&(intent, path): &(&str, &str)| Ok(model.similarities(Question { intent, path }, &PATHS, &cache)?);
    let near = QUESTIONS.iter().map(ask).collect::<Result<Vec<_>, ModelError>>()?;
    Ok(near.concat())
}
