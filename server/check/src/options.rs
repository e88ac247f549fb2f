//! `Options`: the `[check]` table of a project's `pathfinder.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobSet, GlobSetBuilder};
use pathfinder_literals::{Code, ProjectSettings, Severity};
use serde::Deserialize;

use pathfinder_project::settings::{MAX_PROJECT_FILE_BYTES, PROJECT_FILE, SettingError, check_table};
use pathfinder_vfs::regular_file;
use pathfinder_vfs::replace::{create, replace};

/// The form of a value in the table `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckValue {
    /// A list of texts.
    Texts,
    /// Texts by any name.
    TextByName,
    /// A severity by the name of a code.
    SeverityByCode,
}

/// One setting of the table `check`.
#[derive(Debug)]
pub struct CheckSetting {
    /// Name in the table.
    pub name: &'static str,
    /// The form of its value.
    pub value: CheckValue,
    /// A value as it is written in the file.
    pub example: &'static str,
    /// Description in one sentence.
    pub meaning: &'static str,
}

/// All settings of the table `check`, from which `pathfinder init` and the schema are made.
pub const CHECK_SETTINGS: [CheckSetting; 5] = [
    CheckSetting {
        name: "ignore",
        value: CheckValue::Texts,
        example: r#"["testdata/**"]"#,
        meaning: "Globs of files that are not checked, relative to the root.",
    },
    CheckSetting {
        name: "ignore_literals",
        value: CheckValue::Texts,
        example: r#"["/assets/*"]"#,
        meaning: "Globs of literals that are not reported.",
    },
    CheckSetting {
        name: "severity",
        value: CheckValue::SeverityByCode,
        example: r#"{ missing-anchor = "off", case-mismatch = "error" }"#,
        meaning: "Severity of each code: error, warning, hint or off.",
    },
    CheckSetting {
        name: "aliases",
        value: CheckValue::TextByName,
        example: r#"{ "@/" = "web/src" }"#,
        meaning: "Beginnings of literals, and the directories that they stand for.",
    },
    CheckSetting {
        name: "site_roots",
        value: CheckValue::Texts,
        example: r#"["public"]"#,
        meaning: "Directories that / can stand for in pages of a site.",
    },
];

/// Decides which findings are reported, and with which severity.
#[derive(Debug, Default)]
pub struct Options {
    files: GlobSet,
    /// Files that this run leaves out as well.
    excluded: GlobSet,
    literals: GlobSet,
    /// Severity by code; `None` turns the code off.
    severities: BTreeMap<Code, Option<Severity>>,
    /// True if hints are wanted.
    hints: bool,
    /// True if explanations are wanted, including those of unknown literals.
    pub(super) explain: bool,
    /// Settings that decide where literals lead.
    pub(super) configured: ProjectSettings,
}

/// The table as written in the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CheckTable {
    /// Globs of files that are not checked, relative to the root.
    ignore: Vec<String>,
    /// Globs of literals that are not reported.
    ignore_literals: Vec<String>,
    /// Prefix of literals → directory that it stands for, relative to the root.
    aliases: BTreeMap<String, String>,
    /// Directories, relative to the root, that `/` can stand for in a site's pages.
    site_roots: Vec<String>,
    /// Code → `error`, `warning`, `hint` or `off`.
    severity: BTreeMap<String, String>,
}

impl Options {
    /// Loads the options of the project at `root`; `hints` asks for hints.
    ///
    /// # Errors
    /// If the table cannot be understood.
    pub fn load(root: &Path, hints: bool) -> Result<Self, SettingError> {
        let (file, table) = check_table(root)?;
        let wrong = |reason: String| SettingError::File { file: file.clone(), reason };
        let table: CheckTable = match table {
            Some(table) => toml_edit::de::from_document(toml_edit::DocumentMut::from(table))
                .map_err(|error| wrong(format!("[check]: {error}")))?,
            None => CheckTable::default(),
        };
        let mut severities = BTreeMap::new();
        for (name, value) in &table.severity {
            let (code, severity) = parse_severity(name, value).map_err(|reason| wrong(format!("check.{reason}")))?;
            severities.insert(code, severity);
        }
        let globs =
            |name: &str, globs: &[String]| glob_set(globs).map_err(|error| wrong(format!("check.{name}: {error}")));
        Ok(Self {
            files: globs("ignore", &table.ignore)?,
            excluded: GlobSet::empty(),
            literals: globs("ignore_literals", &table.ignore_literals)?,
            severities,
            hints,
            explain: false,
            configured: ProjectSettings {
                // Longest first, so that `@/a/` wins over `@/`.
                aliases: table.aliases.into_iter().rev().filter(|(prefix, _)| !prefix.is_empty()).collect(),
                site_roots: table.site_roots,
            },
        })
    }

    /// Asks for explanations.
    #[must_use]
    pub fn with_explanations(self, explain: bool) -> Self {
        Self { explain, ..self }
    }

    /// Also leaves out files that match one of these globs, or lie below a directory that does.
    ///
    /// # Errors
    /// If a glob is not valid.
    pub fn with_excluded(self, given: &[String]) -> Result<Self, globset::Error> {
        let mut globs = Vec::with_capacity(given.len() * 2);
        for glob in given {
            let glob = glob.trim_start_matches("./").trim_end_matches('/');
            globs.extend([glob.to_owned(), format!("{glob}/**")]);
        }
        Ok(Self { excluded: glob_set(&globs)?, ..self })
    }

    /// Also leaves out files that match one of these globs, and sets severities by the name of a code, as `[check]` has them.
    ///
    /// # Errors
    /// If a glob, a code or a severity is not valid.
    pub fn with_editor(
        mut self,
        ignore: &[String],
        severity: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
    ) -> Result<Self, String> {
        for (name, value) in severity {
            let (code, severity) = parse_severity(name.as_ref(), value.as_ref())?;
            self.severities.insert(code, severity);
        }
        self.with_excluded(ignore).map_err(|error| format!("ignore: {error}"))
    }

    /// Returns whether a file is checked.
    pub fn wants(&self, file: &str) -> bool {
        !self.files.is_match(file) && !self.excluded.is_match(file)
    }

    /// The severity with which a finding is reported; `None` if it is not reported.
    pub(super) fn severity(&self, code: Code, severity: Severity, literal: &str) -> Option<Severity> {
        let severity = self.severities.get(&code).copied().unwrap_or(Some(severity))?;
        let wanted = (self.hints || severity != Severity::Hint) && !self.literals.is_match(literal);
        wanted.then_some(severity)
    }
}

/// Adds a literal or a glob to the ignored literals in the project's `pathfinder.toml`, and keeps the rest of that
/// file. Returns the file.
///
/// # Errors
/// If the file cannot be understood or written.
pub fn ignore_literal(root: &Path, literal: &str, is_pattern: bool) -> Result<PathBuf, SettingError> {
    let (file, _) = check_table(root)?;
    let wrong = |reason: String| SettingError::File { file: file.clone(), reason };
    let before = match regular_file::read(&file, MAX_PROJECT_FILE_BYTES) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(wrong(error.to_string())),
    };
    let text = before.as_deref().map_or(Ok(""), std::str::from_utf8).map_err(|error| wrong(error.to_string()))?;
    let mut document: toml_edit::DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| wrong(error.to_string()))?;
    let table = document.entry("check").or_insert_with(toml_edit::table);
    let table = table.as_table_like_mut().ok_or_else(|| wrong("check must be a table".to_owned()))?;
    let list = table.entry("ignore_literals").or_insert_with(|| toml_edit::value(toml_edit::Array::new()));
    let list = list.as_array_mut().ok_or_else(|| wrong("check.ignore_literals must be a list".to_owned()))?;
    let glob = if is_pattern { literal.to_owned() } else { globset::escape(literal) };
    Glob::new(&glob).map_err(|error| wrong(error.to_string()))?;
    if list.iter().any(|known| known.as_str() == Some(&glob)) {
        return Ok(file);
    }
    list.push(glob);
    let after = document.to_string();
    let written = match before {
        Some(before) => {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            replace(root, name, &before, after.as_bytes()).map_err(|error| error.to_string())
        }
        None => create(root, Path::new(PROJECT_FILE), after.as_bytes()).map_err(|error| error.to_string()),
    };
    written.map_err(wrong).map(|()| file)
}

/// Reads the severity of a code; `None` turns it off.
fn parse_severity(name: &str, value: &str) -> Result<(Code, Option<Severity>), String> {
    let code = Code::ALL.into_iter().find(|code| code.name() == name);
    let known = || Code::ALL.map(Code::name).join(", ");
    let code = code.ok_or_else(|| format!("severity: unknown code {name:?}; known codes: {}", known()))?;
    let severity = match value {
        "error" => Some(Severity::Error),
        "warning" => Some(Severity::Warning),
        "hint" => Some(Severity::Hint),
        "off" => None,
        _ => return Err(format!("severity.{name} must be error, warning, hint or off")),
    };
    Ok((code, severity))
}

fn glob_set(globs: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(Glob::new(glob)?);
    }
    set.build()
}

#[cfg(test)]
mod tests {
    use super::{CHECK_SETTINGS, CheckTable};

    /// The list has the settings that are read: each example is understood, and no name is missing.
    #[test]
    fn examples_are_understood() {
        let all: Vec<String> = CHECK_SETTINGS.iter().map(|one| format!("{} = {}", one.name, one.example)).collect();
        let CheckTable { ignore, ignore_literals, aliases, site_roots, severity } =
            toml_edit::de::from_str(&all.join("\n")).unwrap();
        let used = [ignore.len(), ignore_literals.len(), aliases.len(), site_roots.len(), severity.len()];
        assert!(used.iter().all(|&count| count > 0), "{used:?}");
        assert_eq!(used.len(), CHECK_SETTINGS.len());
    }
}
