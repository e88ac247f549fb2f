//! A public model with trained weights (`tests/rerank/trained.txt`) ranks as onnxruntime's own Python does, and by meaning: no
//! question shares a word with the directory that it means.

use serde_json::Value;

use crate::program::{OFF, answer, tree_of};
use crate::shapes::{HALVED, near, numbers, precision};
use crate::{cache, load, models, question};

fn expected() -> Value {
    serde_json::from_str(&std::fs::read_to_string(models().join("trained/expected.json")).unwrap()).unwrap()
}

/// The cases, each with the directory that is meant.
fn cases() -> Vec<(String, String, Vec<String>, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let case = |case: &Value| {
        let paths = case["paths"].as_array().unwrap().iter().map(text).collect();
        (text(&case["intent"]), text(&case["name"]), paths, text(&case["best"]))
    };
    expected()["cases"].as_array().unwrap().iter().map(case).collect()
}

#[test]
fn a_trained_model_is_as_onnxruntime_has_it() {
    let expected = expected();
    let model = load(&models().join("trained"), precision(&expected)).unwrap();
    let cases = cases();
    assert_eq!(cases.len(), 9, "models.py wrote all cases");
    let found: Vec<Vec<f32>> = cases
        .iter()
        .map(|(intent, path, paths, _)| {
            let asked = pathfinder_rerank::Question { intent, path };
            model.similarities(asked, paths, &cache()).unwrap()
        })
        .collect();
    near("trained", &found, &numbers(&expected["onnxruntime"]), HALVED);
    for ((intent, _, paths, best), found) in cases.iter().zip(&found) {
        let first = (0..found.len()).max_by(|&one, &other| found[one].total_cmp(&found[other])).unwrap();
        assert_eq!(paths[first], *best, "{intent}: {found:?}");
    }
    // The vectors of equal texts are equal.
    let same = model.similarities(question("", "src/font/mod.rs"), &["src/font/mod.rs".to_owned()], &cache()).unwrap();
    assert!((same[0] - 1.0).abs() < 0.01, "{same:?}");
}

#[test]
fn the_program_orders_candidates_by_meaning() {
    let directory = models().join("trained").display().to_string();
    let mut gained = 0;
    // One `form.ts` is nearer to the root than the others, which counts too.
    for (intent, name, paths, best) in cases().into_iter().filter(|case| case.1 != "form.ts") {
        let tree = tree_of(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        let asked = ["--intent", &intent, &name];
        let first = |environment: &[(&str, &str)]| {
            let answer = answer(tree.path(), environment, &asked);
            answer["candidates"][0]["path"].as_str().unwrap().to_owned()
        };
        assert_eq!(first(&[("RESOLVE_MODEL_DIR", &directory)]), best, "{intent}");
        gained += usize::from(first(&OFF) != best);
    }
    assert!(gained >= 3, "only {gained} answers are better than without a model");
}
