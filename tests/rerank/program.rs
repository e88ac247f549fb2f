//! The program with a model: what is asked, what is answered, and that it goes on without one.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{library, models};

const FILES: [&str; 7] = [
    "src/client/login/form.ts",
    "src/server/upload/form.ts",
    "lib/guide/form.ts",
    "docs/form.ts",
    "src/main.rs",
    "src/parser.rs",
    "README.md",
];

fn tree() -> tempfile::TempDir {
    tree_of(&FILES)
}

/// A directory with these empty files.
pub(crate) fn tree_of(files: &[&str]) -> tempfile::TempDir {
    let tree = tempfile::tempdir().unwrap();
    for file in files {
        let path = tree.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    tree
}

/// The program in a tree, with nothing of the machine's own settings.
fn program(tree: &Path, cache: &Path, environment: &[(&str, &str)]) -> Command {
    let mut command = Command::new(std::env::var_os("PATHFINDER_BIN").expect("tests/run rerank names the program"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("RESOLVE_") || name.starts_with("PATHFINDER_") || name == "ORT_DYLIB_PATH" {
            command.env_remove(name);
        }
    }
    command.current_dir(tree).env("PATHFINDER_CACHE_DIR", cache).env("RESOLVE_ORT_LIBRARY", library());
    command.envs(environment.iter().copied());
    command
}

/// Runs the program: status, standard output, standard error.
fn run(tree: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> (i32, String, String) {
    let cache = tempfile::tempdir().unwrap();
    let output = program(tree, cache.path(), environment).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// The answer without the time that it took.
pub(crate) fn answer(tree: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Value {
    let arguments: Vec<&str> = ["resolve", "--format", "json"].into_iter().chain(arguments.iter().copied()).collect();
    let (_, out, error) = run(tree, environment, &arguments);
    assert_eq!(error, "", "{arguments:?}");
    let mut answer: Value = serde_json::from_str(&out).unwrap();
    answer.as_object_mut().unwrap().remove("elapsed_us");
    answer
}

fn model(name: &str) -> String {
    models().join(name).display().to_string()
}

pub(crate) const OFF: [(&str, &str); 1] = [("RESOLVE_RERANK", "off")];

const ASKED: [&str; 4] = ["--intent", "try again when the network is slow", "--explain", "form.ts"];
const ASKED_TEXT: [&str; 4] = ["resolve", "--intent", "try again when the network is slow", "form.ts"];

#[test]
fn names_that_tie_are_ordered_by_meaning() {
    let tree = tree();
    let plain = answer(tree.path(), &[("RESOLVE_RERANK", "off"), ("RESOLVE_MODEL_DIR", &model("markers"))], &ASKED);
    assert_eq!(plain, answer(tree.path(), &OFF, &ASKED), "off is as if there were none");
    let mut orders = BTreeSet::new();
    for name in ["markers", "table", "plain", "stanford", "pylate", "projected"] {
        let found = answer(tree.path(), &[("RESOLVE_MODEL_DIR", &model(name))], &ASKED);
        let paths = |answer: &Value| -> Vec<String> {
            let list = answer["candidates"].as_array().unwrap().iter();
            list.map(|candidate| candidate["path"].as_str().unwrap().to_owned()).collect()
        };
        let parts: Vec<f64> = (found["candidates"].as_array().unwrap().iter())
            .filter(|candidate| candidate["path"].as_str().unwrap().ends_with("form.ts"))
            .map(|candidate| candidate["explain"].get("max_sim").and_then(Value::as_f64).unwrap_or(0.0))
            .collect();
        assert!(parts.iter().any(|part| *part < 0.0), "{name}: {found}");
        assert_eq!(found.get("reranked").is_some(), paths(&found) != paths(&plain), "{name}");
        assert_eq!(found["status"], "ambiguous", "confidence was fitted to none of these");
        orders.insert(paths(&found));
        // Once more, and with the history of another question before it: the same.
        assert_eq!(found, answer(tree.path(), &[("RESOLVE_MODEL_DIR", &model(name))], &ASKED));
    }
    assert!(orders.len() > 1, "models of random weights do not all agree");
}

#[test]
fn what_is_sure_needs_no_model() {
    let tree = tree();
    // Without a library nothing is reported, because no library was searched.
    for asked in ["src/parser.rs", "src/praser.rs", "nothing/of/that.kind"] {
        let nowhere = [("RESOLVE_MODEL_DIR", "/nowhere")];
        assert_eq!(answer(tree.path(), &nowhere, &[asked]), answer(tree.path(), &OFF, &[asked]), "{asked}");
    }
}

#[test]
fn without_a_model_that_works_one_is_warned_once_and_answered() {
    let tree = tree();
    let (status, out, _) = run(tree.path(), &OFF, &["resolve", "form.ts"]);
    let broken = tempfile::tempdir().unwrap();
    std::fs::write(broken.path().join("model.onnx"), "no model").unwrap();
    std::fs::write(broken.path().join("tokenizer.json"), "{}").unwrap();
    let broken = broken.path().display().to_string();
    for directory in ["/nowhere", &broken, &model("bad/opset"), &model("bad/infinite"), "README.md"] {
        let (other_status, other_out, error) =
            run(tree.path(), &[("RESOLVE_MODEL_DIR", directory)], &["resolve", "form.ts"]);
        assert_eq!((other_status, &other_out), (status, &out), "{directory}");
        let warnings: Vec<&str> = error.lines().filter(|line| line.starts_with("pathfinder: warning: ")).collect();
        assert_eq!(warnings.len(), 1, "{directory}: {error}");
        assert!(warnings[0].contains("paths are ranked without it"), "{error}");
    }
}

#[test]
fn a_session_keeps_vectors_and_answers_the_same() {
    let (tree, cache) = (tree(), tempfile::tempdir().unwrap());
    let directory = model("markers");
    let environment = [("RESOLVE_MODEL_DIR", directory.as_str())];
    let single = answer(tree.path(), &environment, &["--intent", "try again when the network is slow", "form.ts"]);
    let kept = || {
        let files = cache.path().read_dir().unwrap().flatten();
        files.filter(|entry| entry.path().extension().is_some_and(|found| found == "vectors")).count()
    };
    // A busy machine can make the end of a session too short for writing them; then a later one does.
    for session in 0..6 {
        let mut child = program(tree.path(), cache.path(), &environment)
            .args(["mcp", "--root", "."])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut ask = |message: Value| {
            writeln!(input, "{message}").unwrap();
            let mut line = String::new();
            if message.get("id").is_some() {
                output.read_line(&mut line).unwrap();
            }
            serde_json::from_str::<Value>(&line).unwrap_or_default()
        };
        let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}));
        ask(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        let arguments = json!({"failed_path": "form.ts", "intent_text": "try again when the network is slow"});
        let reply = ask(
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "path_resolve", "arguments": arguments}}),
        );
        let found = &reply["result"]["structuredContent"];
        assert_eq!(found["candidates"][0]["path"], single["candidates"][0]["path"], "{reply}");
        assert_eq!(found["why"], single["why"], "{reply}");
        drop(input);
        assert!(child.wait().unwrap().success());
        // The second session at the earliest has vectors to begin with.
        if session > 0 && kept() > 0 {
            break;
        }
    }
    assert_eq!(kept(), 1);
}

#[test]
fn describes_a_model() {
    let tree = tree();
    let (status, out, _) = run(tree.path(), &[], &["model", "info", "--format", "json", &model("markers")]);
    let facts: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(status, 0);
    for (name, expect) in [
        ("precision", json!("int8")),
        ("runtime", json!("onnxruntime")),
        ("dimension", json!(48)),
        ("query_length", json!(24)),
        ("query_expansion", json!(true)),
        ("inputs", json!(["input_ids", "token_type_ids", "attention_mask"])),
    ] {
        assert_eq!(facts[name], expect, "{name}");
    }
    let (status, out, _) = run(tree.path(), &[], &["model", "info", &model("projected")]);
    assert!(status == 0 && out.contains("split words      true"), "{out}");
    let (status, out, error) = run(tree.path(), &[], &["model", "info", "."]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(error.starts_with("error[BadModel]: . has no model; looked for model_int8.onnx"), "{error}");
}

#[test]
fn a_model_is_verified_in_all_it_has() {
    let tree = tree();
    let (status, out, _) = run(tree.path(), &[], &["model", "verify", "--format", "json", &model("markers")]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = lines.iter().map(|line| line["precision"].as_str().unwrap()).collect();
    assert_eq!((status, names), (0, vec!["int8", "fp32", "fp16"]), "{out}");
    assert!(lines.iter().all(|line| line["sound"] == true), "{out}");
    let (status, out, _) = run(tree.path(), &[], &["model", "verify", &model("bad/operator")]);
    assert_eq!(status, 1);
    assert!(out.contains("unsound: "), "{out}");
    let (status, _, error) = run(tree.path(), &[], &["model", "verify", "/nowhere"]);
    assert!(status == 1 && error.contains("has no model"), "{error}");
}

#[test]
fn doctor_shows_the_model() {
    let tree = tree();
    let doctor = |directory: &str| run(tree.path(), &[("RESOLVE_MODEL_DIR", directory)], &["doctor"]);
    let (status, out, _) = doctor(&model("markers"));
    assert!(out.contains("int8 on onnxruntime"), "{status}: {out}");
    let (status, out, _) = doctor("/nowhere");
    assert!(status == 1 && out.contains("model-unusable"), "{out}");
}

/// Each command says what is missing, in one line; questions are answered without the model.
#[test]
fn without_a_library_each_command_says_what_is_missing() {
    let tree = tree();
    let (status, plain, _) = run(tree.path(), &OFF, &ASKED_TEXT);
    let markers = model("markers");
    for (library, says) in [
        ("off", "models need onnxruntime: --ort-library is off; set it to auto, or to the library's file"),
        ("/nowhere/libonnxruntime.so", "models need onnxruntime: /nowhere/libonnxruntime.so cannot be used ("),
    ] {
        let without = [("RESOLVE_MODEL_DIR", markers.as_str()), ("RESOLVE_ORT_LIBRARY", library)];
        let asked = run(tree.path(), &without, &ASKED_TEXT);
        assert_eq!((asked.0, &asked.1), (status, &plain), "{library}");
        let expect = format!("pathfinder: warning: the model cannot be used, and paths are ranked without it: {says}");
        let warnings: Vec<_> = asked.2.lines().filter(|line| line.starts_with("pathfinder: warning: ")).collect();
        assert!(warnings.len() == 1 && warnings[0].starts_with(&expect), "{}", asked.2);
        for command in [&["model", "info"][..], &["model", "verify"]] {
            let (status, out, error) = run(tree.path(), &without, command);
            assert_eq!((status, out.as_str(), error.lines().count()), (1, "", 1), "{command:?}: {error}");
            assert!(error.starts_with(&format!("error[BadModel]: {says}")), "{error}");
        }
        let (_, out, _) = run(tree.path(), &without, &["doctor"]);
        assert!(out.contains("library-unusable") && out.contains(says), "{out}");
        // Without a model directory, no model is asked for.
        let (_, out, error) = run(tree.path(), &[("RESOLVE_ORT_LIBRARY", library)], &["doctor"]);
        assert!(!out.contains("library-unusable") && !error.contains("onnxruntime"), "{out}{error}");
    }
    let (status, _, error) = run(tree.path(), &[], &["model", "info"]);
    assert_eq!(status, 1);
    assert!(error.starts_with("error[BadModel]: no model is configured; give its directory"), "{error}");
}
