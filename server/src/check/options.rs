//! `[check]` in `pathfinder.toml`: what a project wants to hear of.

use std::collections::BTreeMap;
use std::path::Path;

use globset::{Glob, GlobSet, GlobSetBuilder};
use pathfinder_literals::{Code, Configured, Severity};
use serde::Deserialize;

use crate::settings::{SettingError, check_table};

/// What is reported, and how.
#[derive(Debug, Default)]
pub(crate) struct Options {
    files: GlobSet,
    literals: GlobSet,
    /// `None`: off.
    severities: BTreeMap<Code, Option<Severity>>,
    /// Whether hints are wanted.
    hints: bool,
    /// Whether traces are wanted, also of literals of which nobody can say.
    pub(super) explain: bool,
    /// What decides where literals lead.
    pub(super) configured: Configured,
}

/// The table as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Table {
    /// Globs of files that are not checked, relative to the root.
    ignore: Vec<String>,
    /// Globs of literals that are not reported.
    ignore_literals: Vec<String>,
    /// What a literal can begin with → the directory that it stands for, relative to the root.
    aliases: BTreeMap<String, String>,
    /// Directories, relative to the root, that `/` can stand for in a site's pages.
    site_roots: Vec<String>,
    /// Code → `error`, `warning`, `hint` or `off`.
    severity: BTreeMap<String, String>,
}

impl Options {
    /// The options of the project at `root`; `hints`: whether hints are wanted.
    ///
    /// # Errors
    /// When the table cannot be understood.
    pub(crate) fn load(root: &Path, hints: bool) -> Result<Self, SettingError> {
        let (file, table) = check_table(root)?;
        let wrong = |reason: String| SettingError::File { file: file.clone(), reason };
        let table: Table = match table {
            Some(table) => table.try_into().map_err(|error| wrong(format!("[check]: {error}")))?,
            None => Table::default(),
        };
        let mut severities = BTreeMap::new();
        for (name, value) in &table.severity {
            let code = Code::ALL.into_iter().find(|code| code.name() == name);
            let known = || Code::ALL.map(Code::name).join(", ");
            let code =
                code.ok_or_else(|| wrong(format!("check.severity: there is no code {name:?}; there are {}", known())))?;
            let severity = match value.as_str() {
                "error" => Some(Severity::Error),
                "warning" => Some(Severity::Warning),
                "hint" => Some(Severity::Hint),
                "off" => None,
                _ => return Err(wrong(format!("check.severity.{name} must be error, warning, hint or off"))),
            };
            severities.insert(code, severity);
        }
        let globs = |name: &str, globs: &[String]| set(globs).map_err(|error| wrong(format!("check.{name}: {error}")));
        Ok(Self {
            files: globs("ignore", &table.ignore)?,
            literals: globs("ignore_literals", &table.ignore_literals)?,
            severities,
            hints,
            explain: false,
            configured: Configured {
                // The longest first, so that `@/a/` wins over `@/`.
                aliases: table.aliases.into_iter().rev().filter(|(prefix, _)| !prefix.is_empty()).collect(),
                site_roots: table.site_roots,
                hints,
            },
        })
    }

    /// The same with traces, if they are wanted.
    pub(crate) fn explained(self, explain: bool) -> Self {
        Self { explain, ..self }
    }

    /// Whether a file is checked.
    pub(crate) fn wants(&self, file: &str) -> bool {
        !self.files.is_match(file)
    }

    /// How a finding is reported; `None` if it is not.
    pub(super) fn severity(&self, code: Code, severity: Severity, literal: &str) -> Option<Severity> {
        let severity = self.severities.get(&code).copied().unwrap_or(Some(severity))?;
        let wanted = (self.hints || severity != Severity::Hint) && !self.literals.is_match(literal);
        wanted.then_some(severity)
    }
}

fn set(globs: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(Glob::new(glob)?);
    }
    set.build()
}
