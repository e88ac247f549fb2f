//! Verifies a model: loads each precision and compares their similarities. Called by `pathfinder model verify`.

use std::path::Path;

use parking_lot::Mutex;

use crate::cache::Cache;
use crate::encoder::Library;
use crate::error::ModelError;
use crate::layout::{Layout, Precision};
use crate::model::similarity_unit::{PATHS, QUESTIONS};
use crate::model::{Model, ModelInfo, Options, Question};

/// Result for one precision.
#[derive(Clone, Debug)]
pub struct Check {
    /// The file's precision.
    pub precision: Precision,
    /// The model's properties, or the reason for which it cannot be used.
    pub facts: Result<ModelInfo, ModelError>,
    /// Largest difference of a similarity from the first precision. Informational: precisions may differ.
    pub from_first: Option<f32>,
}

impl Check {
    /// Returns whether the model loads and runs.
    pub fn is_sound(&self) -> bool {
        self.facts.is_ok()
    }
}

/// Verifies every precision.
///
/// # Errors
/// Returns an error when there is no model, or no library to run it.
pub fn verify(directory: &Path, library: &Library) -> Result<Vec<Check>, ModelError> {
    let mut checks: Vec<Check> = Vec::new();
    let mut first: Option<Vec<f32>> = None;
    Layout::find(directory, Precision::default())?;
    library.open()?;
    for precision in Precision::ALL {
        let layout = Layout::find(directory, precision)?;
        if layout.precision != precision {
            continue;
        }
        let options = Options { library: library.clone(), ..Options::default() };
        let loaded = layout.read().and_then(|parts| Model::load(&parts, &options));
        let sampled = loaded.and_then(|model| Ok((sample_similarities(&model)?, model.facts().clone())));
        let (near, facts) = match sampled {
            Ok((near, facts)) => (Some(near), Ok(facts)),
            Err(error) => (None, Err(error)),
        };
        let apart = |near: &Vec<f32>, first: &Vec<f32>| {
            near.iter().zip(first).map(|(left, right)| (left - right).abs()).fold(0.0, f32::max)
        };
        let from_first = near.as_ref().zip(first.as_ref()).map(|(near, first)| apart(near, first));
        checks.push(Check { precision, facts, from_first });
        first = first.or(near);
    }
    Ok(checks)
}

fn sample_similarities(model: &Model) -> Result<Vec<f32>, ModelError> {
    let cache = Mutex::new(Cache::new(1 << 20));
    let ask = |&(intent, path): &(&str, &str)| Ok(model.similarities(Question { intent, path }, &PATHS, &cache)?);
    let near = QUESTIONS.iter().map(ask).collect::<Result<Vec<_>, ModelError>>()?;
    Ok(near.concat())
}
