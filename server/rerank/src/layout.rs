//! `Layout`: finds the files of a model in pathfinder's own layout and in those of exporters; `ModelFiles` has their
//! contents.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "models are the only files that this package reads"
)]

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::error::ModelError;

/// Precision of a model's numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 8-bit integers: smallest and fastest.
    #[default]
    Int8,
    /// 16-bit floating point.
    Fp16,
    /// 32-bit floating point.
    Fp32,
}

impl Precision {
    /// All precisions, in the order in which they replace a missing one.
    pub const ALL: [Self; 3] = [Self::Int8, Self::Fp32, Self::Fp16];

    /// Returns the name in settings and file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int8 => "int8",
            Self::Fp16 => "fp16",
            Self::Fp32 => "fp32",
        }
    }

    /// Returns names of model files of this precision, pathfinder's own first.
    fn files(self) -> &'static [&'static str] {
        match self {
            // The second and third are what Optimum's and Xenova's quantisers write.
            Self::Int8 => {
                &["model_int8.onnx", "onnx/model_int8.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx"]
            }
            Self::Fp16 => &["model_fp16.onnx", "onnx/model_fp16.onnx"],
            // The last one is the export that Vespa documents for answerai-colbert-small and others.
            Self::Fp32 => {
                &["model_fp32.onnx", "model.onnx", "onnx/model_fp32.onnx", "onnx/model.onnx", "vespa_colbert.onnx"]
            }
        }
    }
}

/// The format of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `onnx_config.json`, as next-plaid and pathfinder write it.
    Onnx,
    /// `config_sentence_transformers.json`, as pylate writes it.
    Pylate,
    /// `artifact.metadata`, as Stanford's `ColBERT` writes it.
    Stanford,
}

/// Names of configuration files; the first that exists is used.
const CONFIGURATIONS: [(&str, Dialect); 3] = [
    ("onnx_config.json", Dialect::Onnx),
    ("config_sentence_transformers.json", Dialect::Pylate),
    ("artifact.metadata", Dialect::Stanford),
];

const TOKENIZER: &str = "tokenizer.json";
const TOKENIZER_SETTINGS: &str = "tokenizer_config.json";

/// A larger model is no encoder of paths, and would take minutes to load.
const MODEL_BYTES_MAX: u64 = 1 << 30;
/// Tokenizers of a quarter of a million tokens are 20 MB.
const TEXT_BYTES_MAX: u64 = 64 << 20;

/// Paths of a model's files in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    directory: PathBuf,
    /// Path of the graph.
    pub model: PathBuf,
    /// The precision that the graph's name indicates.
    pub precision: Precision,
    /// Path of the tokenizer.
    pub tokenizer: PathBuf,
    configuration: Option<(PathBuf, Dialect)>,
    tokenizer_settings: Option<PathBuf>,
}

impl Layout {
    /// Finds a model's files. Falls back to another precision if the model lacks this one.
    ///
    /// # Errors
    /// Returns an error when there is no model or no tokenizer.
    pub fn find(directory: &Path, precision: Precision) -> Result<Self, ModelError> {
        let there = |name: &str| Some(directory.join(name)).filter(|path| path.is_file());
        let others = Precision::ALL.into_iter().filter(|other| *other != precision);
        let order: Vec<Precision> = std::iter::once(precision).chain(others).collect();
        let found = order
            .iter()
            .find_map(|&precision| Some((precision.files().iter().find_map(|name| there(name))?, precision)));
        let missing = |what, looked: String| ModelError::Missing { directory: directory.to_owned(), what, looked };
        let (model, precision) = found.ok_or_else(|| {
            let names: Vec<&str> = order.iter().flat_map(|precision| precision.files()).copied().collect();
            missing("model", names.join(", "))
        })?;
        let tokenizer = there(TOKENIZER).or_else(|| there("onnx/tokenizer.json"));
        let tokenizer = tokenizer.ok_or_else(|| missing("tokenizer", TOKENIZER.to_owned()))?;
        Ok(Self {
            model,
            precision,
            tokenizer,
            configuration: CONFIGURATIONS.iter().find_map(|&(name, dialect)| Some((there(name)?, dialect))),
            tokenizer_settings: there(TOKENIZER_SETTINGS),
            directory: directory.to_owned(),
        })
    }

    /// Reads the files.
    ///
    /// # Errors
    /// Returns an error when one of them cannot be read.
    pub fn read(&self) -> Result<ModelFiles, ModelError> {
        let text = |path: &Path| read(path, TEXT_BYTES_MAX);
        Ok(ModelFiles {
            name: self.directory.display().to_string(),
            model_file: self.model.display().to_string(),
            model: read(&self.model, MODEL_BYTES_MAX)?,
            precision: self.precision,
            tokenizer_file: self.tokenizer.display().to_string(),
            tokenizer: text(&self.tokenizer)?,
            configuration: match &self.configuration {
                Some((path, dialect)) => Some((path.display().to_string(), *dialect, text(path)?)),
                None => None,
            },
            tokenizer_settings: self.tokenizer_settings.as_deref().map(text).transpose()?,
        })
    }
}

/// Contents of a model's files.
#[derive(Clone, Debug)]
pub struct ModelFiles {
    pub(crate) name: String,
    pub(crate) model_file: String,
    pub(crate) model: Vec<u8>,
    pub(crate) precision: Precision,
    pub(crate) tokenizer_file: String,
    pub(crate) tokenizer: Vec<u8>,
    pub(crate) configuration: Option<(String, Dialect, Vec<u8>)>,
    pub(crate) tokenizer_settings: Option<Vec<u8>>,
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, ModelError> {
    let unreadable = |reason: String| ModelError::Unreadable { file: path.display().to_string(), reason };
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let length = file.metadata().map_err(|error| unreadable(error.to_string()))?.len();
    if length > most {
        return Err(unreadable(format!("it has {length} bytes, and the limit is {most}")));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    file.take(most).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Layout, Precision};

    /// Checks which of these files is chosen as the model for this precision.
    #[track_caller]
    fn check(files: &[&str], precision: Precision, expect: Option<(&str, Precision)>) {
        let directory = tempfile::tempdir().unwrap();
        for file in files.iter().chain(&["tokenizer.json"]) {
            let path = directory.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let found = Layout::find(directory.path(), precision).ok().map(|layout| {
            let name = layout.model.strip_prefix(directory.path()).unwrap().to_string_lossy().replace('\\', "/");
            (name, layout.precision)
        });
        assert_eq!(found, expect.map(|(name, precision)| (name.to_owned(), precision)), "{files:?}");
    }

    #[test]
    fn prefers_the_requested_precision() {
        let ours = ["model_int8.onnx", "model_fp16.onnx", "model_fp32.onnx"];
        check(&ours, Precision::Int8, Some(("model_int8.onnx", Precision::Int8)));
        check(&ours, Precision::Fp16, Some(("model_fp16.onnx", Precision::Fp16)));
        check(&ours, Precision::Fp32, Some(("model_fp32.onnx", Precision::Fp32)));
        check(&["model.onnx"], Precision::Int8, Some(("model.onnx", Precision::Fp32)));
        check(
            &["onnx/model.onnx", "onnx/model_quantized.onnx"],
            Precision::Int8,
            Some(("onnx/model_quantized.onnx", Precision::Int8)),
        );
        check(
            &["vespa_colbert.onnx", "model_int8.onnx.data"],
            Precision::Fp16,
            Some(("vespa_colbert.onnx", Precision::Fp32)),
        );
        check(&["model.safetensors"], Precision::Int8, None);
    }

    #[test]
    fn names_missing_files() {
        let directory = tempfile::tempdir().unwrap();
        let error = Layout::find(directory.path(), Precision::Int8).unwrap_err().to_string();
        assert!(error.contains("has no model; looked for model_int8.onnx"), "{error}");
        std::fs::write(directory.path().join("model.onnx"), "").unwrap();
        let error = Layout::find(directory.path(), Precision::Int8).unwrap_err().to_string();
        assert!(error.contains("has no tokenizer; looked for tokenizer.json"), "{error}");
    }
}
