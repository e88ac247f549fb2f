//! `pathfinder.toml` in the editor: errors in it, and completion of its settings, from its JSON schema.
//!
//! The crate `jsonschema` was considered: it reports no positions in TOML, and the schema is our own and uses few keywords.

use std::ops::Range;

use serde_json::{Map, Value};
use toml_edit::{Document, Item, TableLike, Value as TomlValue};

/// The schema that `pathfinder init` names in the first line of the file.
const SCHEMA: &str = include_str!("../../pathfinder.schema.json");

/// A key or value that completes a place in the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SettingEntry {
    /// The text to insert.
    pub(super) text: String,
    /// Description of the setting.
    pub(super) detail: String,
}

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap_or_default()
}

/// Returns the errors of the file: byte range and message.
pub(super) fn errors(text: &str) -> Vec<(Range<usize>, String)> {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => return vec![(error.span().unwrap_or_default(), error.message().to_owned())],
    };
    let mut found = Vec::new();
    check_table(document.as_table(), &schema(), &mut found);
    found
}

/// Checks the keys and values of a table.
fn check_table(table: &dyn TableLike, schema: &Value, found: &mut Vec<(Range<usize>, String)>) {
    let none = Map::new();
    let known = schema["properties"].as_object().unwrap_or(&none);
    for (name, item) in table.iter() {
        let key_span = table.key(name).and_then(toml_edit::Key::span).unwrap_or_default();
        let others = &schema["additionalProperties"];
        match known.get(name) {
            Some(expected) => check_item(name, item, expected, &key_span, found),
            None if others.is_object() => check_item(name, item, others, &key_span, found),
            None => {
                let names = known.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                found.push((key_span, format!("unknown setting `{name}`; known settings: {names}")));
            }
        }
    }
}

/// Checks one value.
fn check_item(name: &str, item: &Item, schema: &Value, key: &Range<usize>, found: &mut Vec<(Range<usize>, String)>) {
    if schema["type"] == "object" {
        match item.as_table_like() {
            Some(table) => check_table(table, schema, found),
            None => found.push((item.span().unwrap_or_else(|| key.clone()), format!("`{name}` must be a table"))),
        }
    } else if !item.as_value().is_some_and(|value| is_valid(value, schema)) {
        let span = item.span().unwrap_or_else(|| key.clone());
        found.push((span, format!("`{name}` must be {}", expected(schema))));
    }
}

/// Returns whether a value is what the schema wants.
fn is_valid(value: &TomlValue, schema: &Value) -> bool {
    if let Some(any) = schema["anyOf"].as_array() {
        return any.iter().any(|schema| is_valid(value, schema));
    }
    if let Some(all) = schema["enum"].as_array() {
        return all.iter().any(|one| match one {
            Value::Bool(one) => value.as_bool() == Some(*one),
            one => one.as_str().is_some_and(|one| value.as_str() == Some(one)),
        });
    }
    match schema["type"].as_str() {
        Some("string") => value.is_str(),
        Some("integer") => {
            value.as_integer().is_some_and(|number| schema["minimum"].as_i64().is_none_or(|least| number >= least))
        }
        Some("array") => value.as_array().is_some_and(|all| all.iter().all(|one| is_valid(one, &schema["items"]))),
        _ => true,
    }
}

/// Describes the values that the schema wants.
fn expected(schema: &Value) -> String {
    if let Some(any) = schema["anyOf"].as_array() {
        return any.iter().map(expected).collect::<Vec<_>>().join(" or ");
    }
    if let Some(all) = schema["enum"].as_array() {
        return all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    }
    match schema["type"].as_str() {
        Some("integer") => "a whole number, not negative".to_owned(),
        Some("array") => "a list of texts".to_owned(),
        _ => "a text".to_owned(),
    }
}

/// Returns the keys or values that can stand at an offset, and the range of the word that they replace.
pub(super) fn complete(text: &str, offset: usize) -> Option<(Range<usize>, Vec<SettingEntry>)> {
    let before = text.get(..offset)?;
    let line = before.rsplit('\n').next()?;
    let word = line.len() - line.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '-').len();
    let range = offset - word..offset;
    let schema = schema();
    let mut table = &schema;
    let header = before.lines().rfind(|line| line.trim_start().starts_with('[') && line.trim_end().ends_with(']'));
    for name in header.into_iter().flat_map(|line| line.trim().trim_matches(['[', ']']).split('.')) {
        table = &table["properties"][name.trim()];
    }
    // `key = { inner = "` is in a table of its own.
    let mut rest = line;
    if let Some((key, inner)) = line.split_once('{') {
        table = &table["properties"][key.split('=').next()?.trim()];
        rest = inner.rsplit(',').next()?;
    }
    if let Some((key, value)) = rest.split_once('=') {
        let all = table["properties"][key.trim()]["enum"].as_array()?;
        let is_quoted = value.trim_start().starts_with('"');
        let texts = all.iter().filter(|one| one.is_string() || !is_quoted);
        let entry = |one: &Value| SettingEntry {
            text: if is_quoted { one.as_str().unwrap_or_default().to_owned() } else { one.to_string() },
            detail: String::new(),
        };
        return Some((range, texts.map(entry).collect()));
    }
    let entry = |(name, setting): (&String, &Value)| SettingEntry {
        text: name.clone(),
        detail: setting["description"].as_str().unwrap_or_default().to_owned(),
    };
    Some((range, table["properties"].as_object()?.iter().map(entry).collect()))
}

#[cfg(test)]
mod tests {
    use super::{complete, errors};

    #[test]
    fn reports_errors_where_they_are() {
        let check = |text: &str, expect: &[(&str, &str)]| {
            let found = errors(text);
            let found: Vec<(&str, &str)> =
                found.iter().map(|(range, message)| (&text[range.clone()], message.as_str())).collect();
            assert_eq!(found.len(), expect.len(), "{text}: {found:?}");
            for ((at, message), (expect_at, expect)) in found.iter().zip(expect) {
                assert!(at == expect_at && message.contains(expect), "{text}: {at:?} {message:?}");
            }
        };
        check("topk = 5\n[check]\nignore = [\"a/**\"]\nseverity = { missing-path = \"off\" }\n", &[]);
        check("[check]\nignored = 3\n", &[("ignored", "unknown setting `ignored`; known settings: ignore,")]);
        check("topk = \"x\"\n", &[("\"x\"", "`topk` must be a whole number")]);
        check("rerank = \"maybe\"\n", &[("\"maybe\"", "must be \"on\", \"off\", true, false")]);
        check("check.severity.missing-path = \"loud\"\n", &[("\"loud\"", "\"error\", \"warning\"")]);
        check("[check.severity]\nmissing = \"off\"\n", &[("missing", "unknown setting")]);
        check("[check]\nignore = [1]\n", &[("[1]", "a list of texts")]);
        check("check = 1\n", &[("1", "a table")]);
        check("a = \n", &[("", "")]);
    }

    #[test]
    fn completes_keys_and_values() {
        let check = |text: &str, expect: &[&str], word: &str| {
            let (range, all) = complete(text, text.len()).expect(text);
            let all: Vec<&str> = all.iter().map(|entry| entry.text.as_str()).collect();
            assert!(expect.iter().all(|one| all.contains(one)), "{text}: {all:?}");
            assert_eq!(&text[range], word);
        };
        check("", &["check", "topk"], "");
        check("[check]\nig", &["ignore", "ignore_literals", "site_roots"], "ig");
        check("rerank = ", &["\"on\"", "true"], "");
        check("rerank = \"o", &["on", "off"], "o");
        check("[check]\nseverity = { missing-path = \"", &["error", "off"], "");
        check("[check]\nseverity = { missing-path = \"off\", mov", &["moved-path"], "mov");
        check("[check.severity]\n", &["missing-anchor"], "");
    }
}
