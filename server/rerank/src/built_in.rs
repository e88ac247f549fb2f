//! The model that is embedded in the program: `models/path` at build time.

use std::borrow::Cow;

use crate::layout::{Dialect, ModelFiles, Precision};

/// Model, tokenizer, configuration.
type Files = (&'static [u8], &'static [u8], &'static [u8]);

const FILES: Option<Files> = include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

impl ModelFiles {
    /// Returns the embedded model; `None` if the program was built without one.
    pub fn built_in() -> Option<Self> {
        let (model, tokenizer, configuration) = FILES?;
        let name = |file: &str| format!("built in: {file}");
        Some(Self {
            name: "built in".to_owned(),
            model_file: name("model_int8.onnx"),
            model: Cow::Borrowed(model),
            precision: Precision::Int8,
            tokenizer_file: name("tokenizer.json"),
            tokenizer: Cow::Borrowed(tokenizer),
            configuration: Some((name("onnx_config.json"), Dialect::Onnx, Cow::Borrowed(configuration))),
            tokenizer_settings: None,
        })
    }
}
