//! Every shape of model ranks as the definition says, with every precision, number of threads and state of the cache.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use pathfinder_rerank::{Layout, Model, Options, Precision, Question};
use serde_json::Value;

use crate::bad::changed;
use crate::{cache, load, models, options, question};

/// The error of a mean over tokens, from rounding vectors to 8 bits and summing in 32.
const ROUNDED: f64 = 0.004;
/// The error from rounding weights and numbers to 16 bits.
pub(crate) const HALVED: f64 = 0.006;
/// The error from 8-bit weights and numbers. Random weights are worse than trained ones.
const QUANTISED: f64 = 0.08;

pub(crate) fn numbers(value: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(value.clone()).unwrap()
}

struct Expected {
    questions: Vec<(String, String)>,
    documents: Vec<String>,
    rows: Vec<Value>,
}

fn expected() -> Expected {
    let text = std::fs::read_to_string(models().join("expected.json")).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    Expected {
        questions: serde_json::from_value(value["questions"].clone()).unwrap(),
        documents: serde_json::from_value(value["documents"].clone()).unwrap(),
        rows: value["rows"].as_array().unwrap().clone(),
    }
}

pub(crate) fn precision(row: &Value) -> Precision {
    match row["precision"].as_str().unwrap() {
        "int8" => Precision::Int8,
        "fp16" => Precision::Fp16,
        _ => Precision::Fp32,
    }
}

/// The similarities of every question to every document.
fn similarities(row: &Value, expected: &Expected) -> Vec<Vec<f32>> {
    let model = load(&models().join(row["model"].as_str().unwrap()), precision(row)).unwrap();
    assert_eq!(model.facts().precision, precision(row), "{row}");
    let cache = cache();
    let ask = |(intent, path): &(String, String)| {
        model.similarities(Question { intent, path }, &expected.documents, &cache).unwrap()
    };
    expected.questions.iter().map(ask).collect()
}

#[track_caller]
pub(crate) fn near(name: &str, found: &[Vec<f32>], expected: &[Vec<f64>], tolerance: f64) {
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (document, (&found, &expected)) in found.iter().zip(expected).enumerate() {
            let apart = (f64::from(found) - expected).abs();
            assert!(apart <= tolerance, "{name}, question {at}, document {document}: {found} for {expected}");
        }
        // Texts further apart than that come in the same order.
        for left in 0..found.len() {
            for right in 0..found.len() {
                if expected[left] > expected[right] + 2.0 * tolerance {
                    assert!(found[left] > found[right], "{name}, question {at}: {left} before {right}");
                }
            }
        }
    }
}

#[test]
fn every_shape_is_as_defined() {
    let expected = expected();
    assert_eq!(expected.rows.len(), 11, "models.py made all shapes");
    for row in &expected.rows {
        let own = match precision(row) {
            Precision::Fp32 => ROUNDED,
            Precision::Fp16 => HALVED,
            // The table that is 8 bits wide from the beginning is defined so.
            Precision::Int8 if row["model"] == "table8" => ROUNDED,
            Precision::Int8 => QUANTISED,
        };
        let name = format!("{} {}", row["model"], row["precision"]);
        let found = similarities(row, &expected);
        near(&name, &found, &numbers(&row["plain"]), own);
        // onnxruntime's Python differs by little for this file.
        near(&name, &found, &numbers(&row["onnxruntime"]), HALVED);
    }
}

#[test]
fn threads_and_what_is_kept_change_nothing() {
    let expected = expected();
    let bits = |list: &[f32]| list.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    for row in expected.rows.iter().filter(|row| row["model"] == "markers" && row["precision"] == "int8") {
        let whole = similarities(row, &expected);
        for threads in [1, 4] {
            let options = Options { threads: NonZero::new(threads), ..options() };
            let parts = Layout::find(&models().join("markers"), precision(row)).unwrap().read().unwrap();
            let model = Model::load(&parts, &options).unwrap();
            let kept = cache();
            model.prepare(expected.documents.iter().step_by(2), &kept, &AtomicBool::new(false));
            let mut read = pathfinder_rerank::Cache::new(1 << 24);
            assert!(read.load_bytes(&kept.lock().to_bytes()));
            for cache in [cache(), kept, parking_lot::Mutex::new(read)] {
                for ((intent, path), whole) in expected.questions.iter().zip(&whole) {
                    let question = Question { intent, path };
                    // One by one, and all at once.
                    let each = expected
                        .documents
                        .iter()
                        .rev()
                        .map(|document| model.similarities(question, &[document], &cache).unwrap()[0]);
                    let mut each: Vec<f32> = each.collect();
                    each.reverse();
                    assert_eq!(bits(&each), bits(whole));
                    let all = model.similarities(question, &expected.documents, &cache).unwrap();
                    assert_eq!(bits(&all), bits(whole));
                }
            }
        }
    }
}

/// Questions of several sessions at once, each with more texts than threads.
#[test]
fn concurrent_questions_are_answered_alike() {
    let expected = expected();
    let model = load(&models().join("markers"), Precision::Int8).unwrap();
    let ask = |(intent, path): &(String, String)| {
        model.similarities(Question { intent, path }, &expected.documents, &cache()).unwrap()
    };
    let alone: Vec<_> = expected.questions.iter().map(ask).collect();
    std::thread::scope(|scope| {
        let asking: Vec<_> =
            (0..8).map(|_| scope.spawn(|| expected.questions.iter().map(ask).collect::<Vec<_>>())).collect();
        asking.into_iter().for_each(|found| assert_eq!(found.join().unwrap(), alone));
    });
}

#[test]
fn what_is_known_of_a_model() {
    let facts = |name: &str| load(&models().join(name), Precision::Int8).unwrap().facts().clone();
    let markers = facts("markers");
    assert_eq!((markers.dimension, markers.output.as_str()), (48, "token_embeddings"));
    assert_eq!(markers.inputs.len(), 3);
    assert_eq!((facts("pylate").output.as_str(), facts("projected").output.as_str()), ("contextual", "something"));
    assert_eq!(facts("projected").configuration.version.as_deref(), Some("test"));
    assert!((facts("projected").scale - 0.04).abs() < f32::EPSILON);
    // Measured: of random weights it is small, and never nothing.
    assert!((0.001..0.3).contains(&markers.scale), "{}", markers.scale);
    assert_eq!(facts("plain").precision, Precision::Fp32, "another precision stands in for one that is not there");
    assert_eq!(facts("plain").pool, 64);
}

#[test]
fn what_vectors_belong_to_changes_with_the_model() {
    let mut keys = std::collections::BTreeSet::new();
    for (name, precision) in [("markers", Precision::Int8), ("markers", Precision::Fp32), ("table", Precision::Int8)] {
        let key = || load(&models().join(name), precision).unwrap().key();
        assert_eq!(key(), key());
        keys.insert(key());
    }
    assert_eq!(keys.len(), 3);
}

/// A model that sees intents alone is asked where there is one, and not where directories say more.
#[test]
fn what_a_model_has_to_do_with() {
    let (both, intent) = ("{intent} {path}", "{intent}");
    for (query, said, asked, expect) in [
        (both, "fix login", "form.ts", true),
        (both, "", "client/form.ts", true),
        (intent, "fix login", "form.ts", true),
        (intent, "fix login", "/form.ts", true),
        (intent, "fix login", "client/form.ts", false),
        (intent, "fix login", "client\\form.ts", false),
        (intent, " ", "form.ts", false),
    ] {
        let directory = changed("table", |at| {
            let own = serde_json::json!({ "pathfinder": { "query": query } });
            std::fs::write(at.join("onnx_config.json"), own.to_string()).unwrap();
        });
        let model = load(directory.path(), Precision::Int8).unwrap();
        assert_eq!(model.can_compare(question(said, asked)), expect, "{query:?} of {said:?} and {asked:?}");
    }
}
