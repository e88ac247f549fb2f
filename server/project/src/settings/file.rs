//! Reads a project's own settings from `pathfinder.toml` at its root.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use toml_edit::{Item, Table, Value};

use super::{ALL, SettingError};
use pathfinder_vfs::paths;
use pathfinder_vfs::regular_file;
use pathfinder_vfs::toml_depth::parse;

/// Name of the file, which is only looked for at the root.
pub const FILE_NAME: &str = "pathfinder.toml";

/// The table that `check` reads; it is not a setting.
const CHECK_TABLE: &str = "check";

/// Largest file that is read; a settings file has a few lines.
pub const MAX_BYTES: u64 = 1 << 20;

/// Values by position in [`ALL`].
pub(super) type Values = [Option<String>; ALL.len()];

/// The path of the file and its values; all `None` if there is no file.
pub(super) fn read(root: &Path) -> Result<(PathBuf, Values), SettingError> {
    let file = root.join(FILE_NAME);
    let mut values = Values::default();
    let wrong = |reason: String| SettingError::File { file: file.clone(), reason };
    let Some(text) = text(root, &file).map_err(wrong)? else { return Ok((file, values)) };
    let document = parse(&text).map_err(|error| wrong(error.to_string()))?;
    let mut entries: Vec<(&str, &Item)> = document.iter().filter(|(key, _)| *key != CHECK_TABLE).collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    for (key, value) in entries {
        let Some(position) = ALL.iter().position(|setting| setting.name == key) else {
            let known: Vec<_> =
                ALL.iter().filter(|setting| setting.is_for_projects).map(|setting| setting.name).collect();
            return Err(SettingError::Unknown { file, key: key.to_owned(), known: known.join(", ") });
        };
        let setting = &ALL[position];
        if !setting.is_for_projects {
            let (name, flag, variable) = (setting.name, setting.flag, setting.variable);
            return Err(SettingError::NotForProjects { file, name, flag, variable });
        }
        let value = value
            .as_value()
            .and_then(plain)
            .ok_or_else(|| wrong(format!("{key} must be a string, number, boolean or list of strings")))?;
        values[position] = Some(value);
    }
    Ok((file, values))
}

/// The path of the file and its table `check`, if it has one.
///
/// # Errors
/// If the file cannot be read, or is not TOML.
pub fn check_table(root: &Path) -> Result<(PathBuf, Option<Table>), SettingError> {
    let file = root.join(FILE_NAME);
    let wrong = |reason: String| SettingError::File { file: file.clone(), reason };
    let Some(text) = text(root, &file).map_err(wrong)? else { return Ok((file, None)) };
    let mut document = parse(&text).map_err(|error| wrong(error.to_string()))?;
    let table = document.remove(CHECK_TABLE).map(Item::into_table).transpose();
    table.map_or_else(|_| Err(wrong("check must be a table".to_owned())), |table| Ok((file.clone(), table)))
}

/// The text of the file; `None` if there is none. Refuses a link that leads out of the root, and anything but a
/// regular file: opening a pipe would wait forever.
fn text(root: &Path, file: &Path) -> Result<Option<String>, String> {
    let real = match paths::real(file) {
        Ok(real) => real,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot be read: {error}")),
    };
    let root = paths::real(root).map_err(|error| format!("its directory cannot be read: {error}"))?;
    if !real.starts_with(root) {
        return Err("is a link that leads out of the root".to_owned());
    }
    if !paths::is_file(&real) {
        return Err("is not a regular file".to_owned());
    }
    match regular_file::read_to_string(&real, MAX_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => Err(format!("is larger than {MAX_BYTES} bytes")),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

/// A value as it is written in a flag.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Boolean(flag) => Some(flag.value().to_string()),
        Value::Array(values) => {
            let texts: Option<Vec<_>> = values.iter().map(Value::as_str).collect();
            texts.map(|texts| texts.join(","))
        }
        _ => None,
    }
}
