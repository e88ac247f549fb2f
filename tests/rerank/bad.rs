//! Broken models, and extreme texts: a clear error or a cut text, never a crash.

use std::path::Path;

use pathfinder_rerank::{Layout, Library, Model, Options, Precision, verify};

use crate::{cache, library, load, models, question};

/// Checks the message for a model directory.
#[track_caller]
fn check(directory: &Path, expect: &str) {
    let error = match load(directory, Precision::Int8) {
        Ok(model) => panic!("{} was loaded: {:?}", directory.display(), model.facts()),
        Err(error) => error.to_string(),
    };
    assert!(error.contains(expect), "{error}");
}

/// A copy of a model's directory, changed.
pub(crate) fn changed(name: &str, change: impl Fn(&Path)) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in models().join(name).read_dir().unwrap().flatten() {
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    change(copy.path());
    copy
}

#[test]
fn files_that_are_missing() {
    let without = |file: &'static str| changed("table", move |at| std::fs::remove_file(at.join(file)).unwrap());
    check(without("tokenizer.json").path(), "has no tokenizer; looked for tokenizer.json");
    let empty = tempfile::tempdir().unwrap();
    check(empty.path(), "has no model; looked for model_int8.onnx, onnx/model_int8.onnx");
    check(&empty.path().join("nowhere"), "has no model");
    let directory = changed("table", |at| {
        std::fs::remove_file(at.join("tokenizer.json")).unwrap();
        std::fs::create_dir(at.join("tokenizer.json")).unwrap();
    });
    check(directory.path(), "has no tokenizer");
}

#[test]
fn a_model_that_is_cut_off_anywhere() {
    let whole = std::fs::read(models().join("markers/model_int8.onnx")).unwrap();
    for end in (0..whole.len()).step_by(whole.len() / 50).chain([1, 10, whole.len() - 1, whole.len() - 4]) {
        let cut = changed("markers", |at| std::fs::write(at.join("model_int8.onnx"), &whole[..end]).unwrap());
        let error = load(cut.path(), Precision::Int8).unwrap_err().to_string();
        assert!(error.contains("is truncated") || error.contains("it is not in the ONNX format"), "{end}: {error}");
    }
}

#[test]
fn bytes_that_are_something_else_do_not_crash() {
    let whole = std::fs::read(models().join("table/model_int8.onnx")).unwrap();
    for seed in 0..60usize {
        let mut bytes = whole.clone();
        for step in 0..=seed % 7 {
            let at = (seed * 7919 + step * 104_729) % bytes.len();
            bytes[at] ^= 1 << (seed % 8);
        }
        let broken = changed("table", |at| std::fs::write(at.join("model_int8.onnx"), &bytes).unwrap());
        // Some of them are models still.
        let _ = load(broken.path(), Precision::Int8);
    }
}

#[test]
fn graphs_that_are_wrong() {
    let bad = models().join("bad");
    check(&bad.join("opset"), "uses ONNX opset 99; export it again with an opset from 9 to 26");
    check(&bad.join("operator"), "is no model that onnxruntime can run");
    check(&bad.join("name"), "has an unknown input \"pixels\"");
    check(&bad.join("pooled"), "has no output with a vector per token");
    check(&bad.join("positions"), "the model does not run");
    check(&bad.join("infinite"), "the vectors hold numbers that are not finite");
}

#[test]
fn a_tokenizer_of_another_vocabulary() {
    let larger = changed("table", |at| {
        let text = std::fs::read_to_string(at.join("tokenizer.json")).unwrap();
        let mut tokenizer: serde_json::Value = serde_json::from_str(&text).unwrap();
        let vocabulary = tokenizer["model"]["vocab"].as_object_mut().unwrap();
        for id in vocabulary.len()..30_000 {
            vocabulary.insert(format!("word{id}"), id.into());
        }
        std::fs::write(at.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    });
    check(larger.path(), "the tokenizer does not belong to this model, which fails for the last of its 30000 tokens");
    let other =
        |text: &'static str| changed("table", move |at| std::fs::write(at.join("tokenizer.json"), text).unwrap());
    check(other("").path(), "is no tokenizer");
    check(other("{\"model\": {}}").path(), "is no tokenizer");
    check(other("\u{feff}<html>").path(), "is no tokenizer");
}

#[test]
fn a_configuration_that_does_not_fit() {
    let with =
        |text: &'static str| changed("table", move |at| std::fs::write(at.join("onnx_config.json"), text).unwrap());
    check(with("{\"embedding_dim\": 128}").path(), "has 64 numbers per token, and the configuration says 128");
    check(with("{\"output_name\": \"x\"}").path(), "output_name is \"x\", and it has token_embeddings");
    check(with("{\"query_length\": \"long\"}").path(), "query_length must be a whole number");
    check(with("{\"query_prefix_id\": 99999}").path(), "the tokenizer does not belong to this model");
    check(with("{").path(), "onnx_config.json: EOF");
}

#[test]
fn texts_of_any_length_and_kind() {
    for name in ["plain", "markers", "stanford", "table8", "projected"] {
        let model = load(&models().join(name), Precision::Int8).unwrap();
        let huge: &str = Box::leak("intent with 🦀 and é ".repeat(50_000).into_boxed_str());
        let deep = "directory/".repeat(5_000) + "file.rs";
        let odd = [
            deep.as_str(),
            "🦀🦀🦀",
            "\0\u{1}\u{2}",
            "\u{202e}gpj.exe",
            "",
            " ",
            "////",
            "日本/語.md",
            "a\nb",
            "\u{fffd}",
        ];
        for question in [question(huge, "a.rs"), question("", ""), question("🦀", "\0"), question("x", huge)] {
            let near = model.similarities(question, &odd, &cache()).unwrap();
            assert!(near.iter().all(|near| near.is_finite() && near.abs() <= 1.01), "{name}: {near:?}");
        }
    }
}

#[test]
fn a_library_that_is_none_is_said() {
    let text = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(text.path(), "no library").unwrap();
    // A process opens one library only: this one has another already, or the text is none.
    for (path, is_open) in [(text.path(), false), (Path::new("/nowhere/libonnxruntime.so"), false), (text.path(), true)]
    {
        if is_open {
            load(&models().join("table"), Precision::Int8).unwrap();
        }
        let options = Options { library: Library::At(path.to_owned()), ..Options::default() };
        let parts = Layout::find(&models().join("table"), Precision::Int8).unwrap().read().unwrap();
        let error = Model::load(&parts, &options).unwrap_err().to_string();
        assert!(error.starts_with(&format!("models need onnxruntime: {} cannot be used", path.display())), "{error}");
        assert!(error.ends_with("give another file with --ort-library"), "{error}");
    }
    let error = verify(&models().join("table"), &Library::Off).unwrap_err().to_string();
    assert_eq!(error, "models need onnxruntime: --ort-library is off; set it to auto, or to the library's file");
    assert!(verify(&models().join("table"), &Library::At(library())).unwrap().iter().all(|check| check.is_sound()));
}
