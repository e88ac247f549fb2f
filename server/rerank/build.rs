//! Embeds the model of `models/path` into the program, if the directory has one.

#![expect(clippy::disallowed_methods, reason = "a build script works with files and cargo's variables")]

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let models = package.join("../../models");
    let directory = models.join("path");
    let file = |name: &str| Some(directory.join(name)).filter(|path| path.is_file());
    let files = [file("model_int8.onnx"), file("tokenizer.json"), file("onnx_config.json")];
    // Cargo treats a missing path as changed at every build.
    let watched: &Path = if directory.is_dir() { &directory } else { &models };
    println!("cargo::rerun-if-changed={}", watched.display());
    println!("cargo::rerun-if-changed=build.rs");
    let text = match files {
        [Some(model), Some(tokenizer), Some(configuration)] => {
            let include = |path: &Path| format!("include_bytes!({:?})", path.display().to_string());
            format!("Some(({}, {}, {}))", include(&model), include(&tokenizer), include(&configuration))
        }
        _ => "None".to_owned(),
    };
    fs::write(out.join("built_in.rs"), text).expect("OUT_DIR is writable");
}
