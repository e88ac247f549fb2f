//! `pathfinder init` and `pathfinder settings --schema`: a commented `pathfinder.toml`, and its JSON schema. Both are made
//! from the lists of settings that the program reads.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use pathfinder_check::{CHECK_SETTINGS, CheckValue};
use pathfinder_literals::Code;
use pathfinder_project::settings::{ALL, PROJECT_FILE, Setting};
use pathfinder_vfs::{replace, roots};
use serde_json::{Map, Value, json};

use super::args::Scope;
use super::output::{Exit, write_bytes, write_text};

/// Address of the schema, which editors read.
const SCHEMA_ADDRESS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/raw/main/server/pathfinder.schema.json");

/// Writes the file into the root, unless it is there.
pub(crate) fn init(scope: &Scope, is_dry: bool) -> anyhow::Result<Exit> {
    if is_dry {
        write_text(&text())?;
        return Ok(Exit::Answered);
    }
    anyhow::ensure!(scope.roots.len() < 2, "init takes one root: give --root once");
    scope.refuse_too_wide()?;
    let found = roots::find(&scope.roots, &roots::current_dir_for(&scope.roots)?)?;
    let root = &found.dirs.first().context("there is no root")?.canonical;
    let file = root.join(PROJECT_FILE);
    if file.symlink_metadata().is_ok() {
        write_text(&format!("{} is there already; nothing was changed\n", file.display()))?;
        return Ok(Exit::Negative);
    }
    replace::create(root, Path::new(PROJECT_FILE), text().as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))?;
    write_text(&format!("{} written; every line in it is optional\n", file.display()))?;
    Ok(Exit::Answered)
}

/// Prints the schema.
pub(crate) fn print_schema() -> anyhow::Result<Exit> {
    let mut text = serde_json::to_vec_pretty(&schema())?;
    text.push(b'\n');
    write_bytes(&text)?;
    Ok(Exit::Answered)
}

/// Settings that a project's file can have.
fn settings() -> impl Iterator<Item = &'static Setting> {
    ALL.iter().filter(|setting| setting.is_for_projects)
}

fn text() -> String {
    let mut out = format!(
        "#:schema {SCHEMA_ADDRESS}\n\
         # Settings of this project for pathfinder. `pathfinder doctor` shows the values that count.\n"
    );
    // Writing to a `String` cannot fail.
    for setting in settings() {
        let _ = write!(out, "\n# {}\n# {} = {}\n", setting.meaning, setting.name, default(setting));
    }
    out.push_str("\n[check]\n");
    for (at, setting) in CHECK_SETTINGS.iter().enumerate() {
        let gap = if at == 0 { "" } else { "\n" };
        let _ = write!(out, "{gap}# {}\n# {} = {}\n", setting.meaning, setting.name, setting.example);
    }
    out
}

/// The default of a setting, as a value of the file.
fn default(setting: &Setting) -> Value {
    match (setting.default.parse::<u64>(), setting.default) {
        (Ok(number), _) => number.into(),
        (_, "none") => "".into(),
        (_, words) => words.into(),
    }
}

fn schema() -> Value {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let mut properties = Map::new();
    for setting in settings() {
        let mut value = match setting.value {
            "N" => json!({"type": "integer", "minimum": 0}),
            "on|off" => json!({"enum": ["on", "off", true, false]}),
            words if words.contains('|') => json!({"enum": words.split('|').collect::<Vec<_>>()}),
            _ => json!({"anyOf": [{"type": "string"}, texts]}),
        };
        value["description"] = setting.meaning.into();
        value["default"] = default(setting);
        properties.insert(setting.name.to_owned(), value);
    }
    let severity = json!({"enum": ["error", "warning", "hint", "off"]});
    let by_code: Map<String, Value> = Code::ALL.iter().map(|code| (code.name().to_owned(), severity.clone())).collect();
    let mut check = Map::new();
    for setting in &CHECK_SETTINGS {
        let mut value = match setting.value {
            CheckValue::Texts => texts.clone(),
            CheckValue::TextByName => json!({"type": "object", "additionalProperties": {"type": "string"}}),
            CheckValue::SeverityByCode => {
                json!({"type": "object", "properties": by_code, "additionalProperties": false})
            }
        };
        value["description"] = setting.meaning.into();
        check.insert(setting.name.to_owned(), value);
    }
    let description = "Settings of `pathfinder check` and of diagnostics.";
    properties.insert(
        "check".to_owned(),
        json!({"type": "object", "description": description, "properties": check, "additionalProperties": false}),
    );
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": SCHEMA_ADDRESS,
        "title": PROJECT_FILE,
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}
