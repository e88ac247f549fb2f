//! `pathfinder model`: prints facts about a model, and verifies it.

use std::fmt::Write as _;

use pathfinder_rerank::{Check, ModelError, ModelInfo, RUNTIME};
use serde_json::{Value, json};

use super::args::{ModelCommand, ModelLocation, OutputFormat, Scope};
use super::output::{Exit, print_error, write_json, write_text};
use super::render::{GOOD, HEAD, WARN, printable};
use pathfinder_project::settings::{Key, Settings};
use pathfinder_project::similarity::ModelConfig;

/// Runs a subcommand for a model.
pub(crate) fn run(model: super::args::ModelArgs, scope: Scope) -> anyhow::Result<Exit> {
    match model.command {
        ModelCommand::Info(place) => print_info(&place, scope),
        ModelCommand::Verify(place) => run_checks(&place, scope),
    }
}

fn choice(place: &ModelLocation, scope: Scope) -> anyhow::Result<Result<ModelConfig, ModelError>> {
    let scope = scope.merge(Scope { settings: place.settings.clone(), ..Scope::default() });
    let mut given = scope.overrides();
    if let Some(directory) = &place.directory {
        given.set(Key::ModelDir, directory.clone().into());
    }
    // The project's settings do not apply: this command is about a model, not about a project.
    let settings = Settings::load_for_user(&given, &|name| std::env::var_os(name));
    let settings = settings.map_err(pathfinder_project::snapshot::SnapshotError::from)?;
    Ok(ModelConfig::configured(&settings).ok_or(ModelError::NotConfigured))
}

fn print_info(place: &ModelLocation, scope: Scope) -> anyhow::Result<Exit> {
    match choice(place, scope)?.and_then(|choice| choice.open()) {
        Ok(model) => {
            let facts = model.facts();
            match place.format {
                OutputFormat::Json => write_json(&facts_json(facts))?,
                OutputFormat::Text => write_text(&facts_text(facts))?,
            }
            Ok(Exit::Answered)
        }
        Err(error) => print_model_error(place.format, &error),
    }
}

fn print_model_error(format: OutputFormat, error: &ModelError) -> anyhow::Result<Exit> {
    if format == OutputFormat::Json {
        write_json(&json!({"status": "error", "error_kind": "BadModel", "message": error.to_string()}))?;
    }
    print_error("BadModel", &error.to_string());
    Ok(Exit::Negative)
}

/// All facts by name; text and JSON show the same ones.
fn facts_json(facts: &ModelInfo) -> Value {
    let configuration = &facts.configuration;
    json!({
        "model": facts.name,
        "file": facts.model_file,
        "version": configuration.version,
        "bytes": facts.bytes,
        "precision": facts.precision.name(),
        "runtime": RUNTIME,
        "inputs": facts.inputs,
        "output": facts.output,
        "dimension": facts.dimension,
        "tokens": facts.tokens,
        "configuration": facts.configuration_file,
        "query": configuration.query,
        "query_prefix": configuration.query_prefix,
        "query_length": configuration.query_length,
        "query_expansion": configuration.expansion,
        "document": configuration.document,
        "document_prefix": configuration.document_prefix,
        "document_length": configuration.document_length,
        "skipped_tokens": configuration.skip.len(),
        "split_words": configuration.split_words,
        "lower_case": configuration.lower_case,
        "scale": pathfinder_protocol::answer::round_to(facts.scale, 5),
        "weight": configuration.weight,
        "calibrated": configuration.calibrated,
        "pool": facts.pool,
    })
}

fn facts_text(facts: &ModelInfo) -> String {
    let mut out = String::new();
    let Value::Object(members) = facts_json(facts) else { return out };
    // Writing to a `String` cannot fail.
    for (name, value) in &members {
        let value = match value {
            Value::Null => "none".to_owned(),
            Value::String(text) => printable(text),
            Value::Array(list) if list.is_empty() => "none".to_owned(),
            Value::Array(list) => {
                let list: Vec<_> = list.iter().map(|item| printable(item.as_str().unwrap_or_default())).collect();
                list.join(", ")
            }
            other => other.to_string(),
        };
        let _ = writeln!(out, "{:<16} {value}", name.replace('_', " "));
    }
    out
}

fn run_checks(place: &ModelLocation, scope: Scope) -> anyhow::Result<Exit> {
    let checks = match choice(place, scope)?.and_then(|choice| choice.verify()) {
        Ok(checks) => checks,
        Err(error) => return print_model_error(place.format, &error),
    };
    match place.format {
        OutputFormat::Json => checks.iter().try_for_each(|check| write_json(&check_json(check)))?,
        OutputFormat::Text => write_text(&checks_text(&checks))?,
    }
    Ok(if checks.iter().all(Check::is_sound) { Exit::Answered } else { Exit::Negative })
}

fn check_json(check: &Check) -> Value {
    let apart = check.from_first.map(|apart| pathfinder_protocol::answer::round_to(apart, 5));
    json!({
        "precision": check.precision.name(),
        "runtime": RUNTIME,
        "sound": check.is_sound(),
        "error": check.facts.as_ref().err().map(ToString::to_string),
        "dimension": check.facts.as_ref().ok().map(|facts| facts.dimension),
        "apart_from_first_precision": apart,
    })
}

fn checks_text(checks: &[Check]) -> String {
    let mut out = String::new();
    for check in checks {
        let (style, verdict) = if check.is_sound() { (GOOD, "sound") } else { (WARN, "unsound") };
        let name = format!("{} {RUNTIME}", check.precision.name());
        let _ = write!(out, "{HEAD}{name:<17}{HEAD:#} {style}{verdict}{style:#}");
        if let Err(error) = &check.facts {
            let _ = write!(out, ": {}", printable(&error.to_string()));
        }
        if let Some(apart) = check.from_first {
            let _ = write!(out, "; differs by at most {apart:.4} from the first precision");
        }
        out.push('\n');
    }
    out
}
