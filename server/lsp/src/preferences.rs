//! Settings that only an editor's user has, next to the settings that all commands share.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

use pathfinder_literals::Code;
use serde_json::Value;

use pathfinder_check::{Finding, KindFilter, Options};
use pathfinder_project::settings::{ALL, Overrides};

/// Default pause in typing before a document is analyzed: short enough to feel immediate, long enough that a half-typed
/// path is not reported at every letter.
const DEFAULT_DEBOUNCE: Duration = Duration::from_millis(100);
/// Longest debounce that a user can set, in milliseconds.
const MAX_DEBOUNCE_MS: u64 = 10_000;

/// The user's choices: of the whole session, or of one root.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one switch of the user")]
pub(super) struct Preferences {
    /// True if diagnostics are reported at all.
    pub(super) has_diagnostics: bool,
    /// True if files that are not open are reported too.
    pub(super) has_workspace_diagnostics: bool,
    /// True if hints are reported.
    pub(super) has_hints: bool,
    /// True if paths are links.
    pub(super) has_links: bool,
    /// True if paths are completed.
    pub(super) has_completion: bool,
    /// True if paths have hovers.
    pub(super) has_hover: bool,
    /// True if renames of files change the paths to them.
    pub(super) has_rename: bool,
    /// The kinds that are reported.
    pub(super) kinds: KindFilter,
    /// Codes that are not reported, by name.
    pub(super) disabled_codes: Vec<String>,
    /// Globs of files that are not checked, relative to their root.
    pub(super) ignore: Vec<String>,
    /// Severity by the name of a code.
    pub(super) severity: BTreeMap<String, String>,
    /// Pause in typing before a document is analyzed.
    pub(super) debounce: Duration,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            has_diagnostics: true,
            has_workspace_diagnostics: true,
            has_hints: false,
            has_links: true,
            has_completion: true,
            has_hover: true,
            has_rename: true,
            kinds: KindFilter::default(),
            disabled_codes: Vec::new(),
            ignore: Vec::new(),
            severity: BTreeMap::new(),
            debounce: DEFAULT_DEBOUNCE,
        }
    }
}

impl Preferences {
    /// Returns whether a finding is reported.
    pub(super) fn reports(&self, finding: &Finding) -> bool {
        self.has_diagnostics
            && self.kinds.accepts(finding.kind)
            && !self.disabled_codes.iter().any(|code| code == finding.code.name())
    }

    /// Reads the client's settings. Returns the preferences, the common settings on top of `flags`, and one message per
    /// error. A wrong value is ignored.
    pub(super) fn parse(settings: &Value, flags: &Overrides) -> (Self, Overrides, Vec<String>) {
        let mut preferences = Self::default();
        let mut overrides = flags.clone();
        let mut errors = Vec::new();
        // Clients that push settings wrap them in their section.
        let settings = settings.get("pathfinder").unwrap_or(settings);
        let Some(settings) = settings.as_object() else {
            if !settings.is_null() {
                errors.push("the settings of pathfinder must be an object".to_owned());
            }
            return (preferences, overrides, errors);
        };
        let (mut languages, mut disable) = (Vec::new(), Vec::new());
        for (name, value) in settings {
            let mut flag = |to: &mut bool| match value {
                Value::Bool(value) => *to = *value,
                _ => errors.push(format!("pathfinder.{name} must be true or false")),
            };
            match name.as_str() {
                "links" => flag(&mut preferences.has_links),
                "completion" => flag(&mut preferences.has_completion),
                "hover" => flag(&mut preferences.has_hover),
                "rename" => flag(&mut preferences.has_rename),
                "languages" => read_into(&mut languages, name, value, "a list of texts", &mut errors),
                "disable" => read_into(&mut disable, name, value, "a list of texts", &mut errors),
                "ignore" => read_into(&mut preferences.ignore, name, value, "a list of globs", &mut errors),
                "severity" => {
                    read_into(&mut preferences.severity, name, value, "an object of texts", &mut errors);
                }
                "diagnostics" => flag(&mut preferences.has_diagnostics),
                "workspaceDiagnostics" => flag(&mut preferences.has_workspace_diagnostics),
                "hints" => flag(&mut preferences.has_hints),
                "debounceMs" => match value.as_u64().filter(|number| *number <= MAX_DEBOUNCE_MS) {
                    Some(number) => preferences.debounce = Duration::from_millis(number),
                    None => errors
                        .push(format!("pathfinder.{name} must be a number of milliseconds, at most {MAX_DEBOUNCE_MS}")),
                },
                _ => {
                    // Other names are settings of the editor's extension.
                    let known = ALL.iter().find(|setting| camel_case(setting.name) == *name || setting.name == name);
                    let Some(setting) = known else { continue };
                    match setting_text(value) {
                        Ok(value) if value.is_empty() => {}
                        Ok(value) => overrides.set(setting.key, value),
                        Err(expected) => errors.push(format!("pathfinder.{name} must be {expected}")),
                    }
                }
            }
        }
        let is_code = |name: &String| Code::ALL.iter().any(|code| code.name() == name);
        let (codes, kinds): (Vec<String>, Vec<String>) = disable.into_iter().partition(is_code);
        preferences.disabled_codes = codes;
        match KindFilter::new(&languages, &kinds) {
            Ok(filter) => preferences.kinds = filter,
            Err(error) => errors.push(format!("pathfinder.languages and pathfinder.disable: {error}")),
        }
        if let Err(reason) = Options::default().with_editor(&preferences.ignore, &preferences.severity) {
            errors.push(format!("pathfinder.{reason}"));
            (preferences.ignore, preferences.severity) = (Vec::new(), BTreeMap::new());
        }
        (preferences, overrides, errors)
    }
}

/// Reads a value; null leaves the default, and another type is an error.
fn read_into<T: serde::de::DeserializeOwned>(
    to: &mut T,
    name: &str,
    value: &Value,
    expected: &str,
    errors: &mut Vec<String>,
) {
    if value.is_null() {
        return;
    }
    match serde_json::from_value(value.clone()) {
        Ok(value) => *to = value,
        Err(_) => errors.push(format!("pathfinder.{name} must be {expected}")),
    }
}

/// Converts a setting's name to the spelling that editors use.
pub(super) fn camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        let (head, tail) = part.split_at(part.len().min(1));
        name + &head.to_ascii_uppercase() + tail
    })
}

/// Converts a value to the text of the flag; empty if the value is null.
///
/// # Errors
/// Describes the expected value if this one has another type.
fn setting_text(value: &Value) -> Result<OsString, &'static str> {
    const EXPECTED: &str = "a text, number, flag or list of texts";
    match value {
        Value::Null => Ok(OsString::new()),
        Value::String(text) => Ok(text.into()),
        Value::Number(number) => Ok(number.to_string().into()),
        Value::Bool(flag) => Ok(if *flag { "on" } else { "off" }.into()),
        Value::Array(items) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            Ok(texts.ok_or(EXPECTED)?.join(",").into())
        }
        Value::Object(_) => Err(EXPECTED),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_settings_and_reports_wrong_values() {
        let (preferences, _, errors) = Preferences::parse(
            &json!({"diagnostics": false, "hints": true, "debounceMs": 5, "includeDirs": ["a", "b"], "trace": {"server": "off"}}),
            &Overrides::default(),
        );
        assert_eq!(errors, Vec::<String>::new());
        let debounce = Duration::from_millis(5);
        assert_eq!(
            preferences,
            Preferences { has_diagnostics: false, has_hints: true, debounce, ..Preferences::default() }
        );
        let (_, _, errors) =
            Preferences::parse(&json!({"pathfinder": {"hints": 3, "includeDirs": {}}}), &Overrides::default());
        assert_eq!(errors.len(), 2, "{errors:?}");
        let wrong =
            json!({"disable": ["nosuch"], "ignore": ["a{"], "severity": {"missing-path": "loud"}, "languages": 3});
        let (preferences, _, errors) = Preferences::parse(&wrong, &Overrides::default());
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert_eq!(preferences, Preferences::default());
        let (preferences, _, errors) =
            Preferences::parse(&json!({"disable": ["missing-anchor", "ts"]}), &Overrides::default());
        assert_eq!((preferences.disabled_codes.len(), errors.len()), (1, 0));
        for nothing in [json!(null), json!({}), json!({"pathfinder": {}})] {
            let (preferences, _, errors) = Preferences::parse(&nothing, &Overrides::default());
            assert!(errors.is_empty() && preferences == Preferences::default());
        }
    }

    #[test]
    fn converts_names_to_camel_case() {
        assert_eq!(camel_case("include_dirs"), "includeDirs");
        assert_eq!(camel_case("topk"), "topk");
    }
}
