//! `Settings`: the configuration of a root, from flags, environment and its `pathfinder.toml`.
//!
//! A flag wins over the environment, the environment over the project's file, the file over the default.

mod file;
mod table;

use pathfinder_core::CANDIDATES_MAX;
use pathfinder_rerank::{Library, Precision};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

pub use file::{FILE_NAME as PROJECT_FILE, MAX_BYTES as MAX_PROJECT_FILE_BYTES, check_table};
pub use table::{ALL, Key, Setting};

/// The default of `RESOLVE_TOPK` in the original program.
const DEFAULT_TOPK: usize = 10;

/// Enough for some 20,000 commits on two cores, and short enough for a first answer.
const DEFAULT_HISTORY: Duration = Duration::from_secs(1);
/// Ten minutes: no server should read for longer.
const MAX_HISTORY_MS: u64 = 600_000;

/// Enough for the vectors of 30,000 paths with a model of 64 numbers per token.
const DEFAULT_VECTOR_CACHE_MB: usize = 32;
/// A gigabyte.
const MAX_VECTOR_CACHE_MB: usize = 1024;

/// The trees of twenty projects of a million files each, or of some hundred usual ones.
const DEFAULT_CACHE_MB: u64 = 1024;
/// A terabyte.
const MAX_CACHE_MB: u64 = 1 << 20;

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// A command line flag.
    Flag(&'static str),
    /// An environment variable.
    Variable(&'static str),
    /// A project's file.
    File(PathBuf),
    /// The default.
    Default,
}

impl fmt::Display for SettingSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(out, "--{flag}"),
            Self::Variable(variable) => write!(out, "{variable}"),
            Self::File(path) => write!(out, "{}", path.display()),
            Self::Default => write!(out, "default"),
        }
    }
}

/// The reason why the settings cannot be used.
#[derive(Debug, Error)]
pub enum SettingError {
    /// A value that is not valid.
    #[error("{origin}: {name} is {value:?}, but must be {expected}")]
    Bad {
        /// The setting's name.
        name: &'static str,
        /// The given value.
        value: String,
        /// Its origin.
        origin: SettingSource,
        /// The valid values.
        expected: &'static str,
    },
    /// A key of `pathfinder.toml` that is no setting.
    #[error("{}: unknown setting {key:?}; a project can set {known}", file.display())]
    Unknown {
        /// The file.
        file: PathBuf,
        /// The unknown key.
        key: String,
        /// The keys that a project can set.
        known: String,
    },
    /// A setting that a project must not set.
    #[error("{}: a project cannot set {name}; use --{flag} or {variable}", file.display())]
    NotForProjects {
        /// The file.
        file: PathBuf,
        /// The setting's name.
        name: &'static str,
        /// Its flag.
        flag: &'static str,
        /// Its environment variable.
        variable: &'static str,
    },
    /// A file that cannot be read, or is not TOML.
    #[error("{}: {reason}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// Values from the caller (flags, an editor's settings), by [`Key`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides([Option<OsString>; ALL.len()]);

impl Overrides {
    /// Sets one value.
    pub fn set(&mut self, key: Key, value: OsString) {
        self.0[key as usize] = Some(value);
    }

    /// The flags that pass these values on a command line, without dashes, and their values.
    pub fn flags(&self) -> impl Iterator<Item = (&'static str, &OsStr)> {
        ALL.iter().zip(&self.0).filter_map(|(setting, value)| Some((setting.flag, value.as_deref()?)))
    }
}

/// All settings of one root, and their origins.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Names of directories that are indexed although git ignores them.
    pub include_dirs: Vec<String>,
    /// Fewest candidates that a model reranks.
    pub topk: usize,
    /// True if a model may change the order.
    pub(crate) rerank: bool,
    /// Precision of the model's numbers.
    pub(crate) model_precision: Precision,
    /// The model's directory.
    pub(crate) model_dir: Option<PathBuf>,
    /// The onnxruntime library.
    pub(crate) ort_library: Library,
    /// Most bytes of stored vectors, in memory and on disk.
    pub(crate) vector_cache: usize,
    /// The cache directory; `None` if the user has no home.
    pub cache_dir: Option<PathBuf>,
    /// Most bytes in the cache directory.
    pub cache: u64,
    /// Most time that a start spends on git's history.
    pub history: Duration,
    /// True if processes for the same roots share one engine.
    pub share: bool,
    sources: [SettingSource; ALL.len()],
}

impl Settings {
    /// Loads the settings of a root: `overrides` wins over the environment, then the root's file, then the defaults.
    ///
    /// # Errors
    /// If a value is not valid or the file cannot be understood. Nothing is guessed.
    pub fn load(
        overrides: &Overrides,
        environment: &dyn Fn(&str) -> Option<OsString>,
        root: &Path,
    ) -> Result<Self, SettingError> {
        let (file, project) = file::read(root)?;
        Self::merge(overrides, environment, &file, project)
    }

    /// Loads the settings outside of any project.
    ///
    /// # Errors
    /// If a value is not valid.
    pub fn load_for_user(
        overrides: &Overrides,
        environment: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, SettingError> {
        Self::merge(overrides, environment, Path::new(""), file::Values::default())
    }

    fn merge(
        overrides: &Overrides,
        environment: &dyn Fn(&str) -> Option<OsString>,
        file: &Path,
        mut project: file::Values,
    ) -> Result<Self, SettingError> {
        let mut settings = Self {
            include_dirs: Vec::new(),
            topk: DEFAULT_TOPK,
            rerank: true,
            model_precision: Precision::Int8,
            model_dir: None,
            ort_library: Library::Automatic,
            vector_cache: DEFAULT_VECTOR_CACHE_MB << 20,
            cache_dir: default_cache(environment),
            cache: DEFAULT_CACHE_MB << 20,
            history: DEFAULT_HISTORY,
            share: true,
            sources: [const { SettingSource::Default }; ALL.len()],
        };
        for setting in &ALL {
            let position = setting.key as usize;
            // Shells write an unset variable as an empty one.
            let variable = || environment(setting.variable).filter(|value| !value.is_empty());
            let (value, source) = if let Some(value) = &overrides.0[position] {
                (value.clone(), SettingSource::Flag(setting.flag))
            } else if let Some(value) = variable() {
                (value, SettingSource::Variable(setting.variable))
            } else if let Some(value) = project[position].take() {
                (value.into(), SettingSource::File(file.to_owned()))
            } else {
                continue;
            };
            settings.take(setting, &value, &source)?;
            settings.sources[position] = source;
        }
        Ok(settings)
    }

    fn take(&mut self, setting: &Setting, value: &OsStr, origin: &SettingSource) -> Result<(), SettingError> {
        let bad = |expected| SettingError::Bad {
            name: setting.name,
            value: value.to_string_lossy().into_owned(),
            origin: origin.clone(),
            expected,
        };
        let text = || value.to_str().map(str::trim).ok_or_else(|| bad("UTF-8 text"));
        match setting.key {
            Key::IncludeDirs => self.include_dirs = include_dirs(text()?).map_err(bad)?,
            Key::Topk => {
                self.topk = text()?
                    .parse()
                    .ok()
                    .filter(|count| (1..=CANDIDATES_MAX).contains(count))
                    .ok_or_else(|| bad("a number from 1 to 200"))?;
            }
            Key::Rerank => self.rerank = parse_switch(text()?).ok_or_else(|| bad("on or off"))?,
            Key::Share => self.share = parse_switch(text()?).ok_or_else(|| bad("on or off"))?,
            Key::ModelPrecision => {
                self.model_precision = match text()?.to_ascii_lowercase().as_str() {
                    "int8" => Precision::Int8,
                    "fp16" => Precision::Fp16,
                    "fp32" => Precision::Fp32,
                    _ => return Err(bad("int8, fp16 or fp32")),
                };
            }
            // True if the directory has a model is only checked when one is needed.
            Key::ModelDir | Key::CacheDir if value.is_empty() => return Err(bad("a directory")),
            Key::ModelDir => self.model_dir = Some(PathBuf::from(value)),
            Key::OrtLibrary => {
                self.ort_library = match value.to_str() {
                    Some("") => return Err(bad("auto, off or a file")),
                    Some("auto") => Library::Automatic,
                    Some("off") => Library::Off,
                    _ => Library::At(PathBuf::from(value)),
                };
            }
            Key::VectorCache => {
                let megabytes = text()?.parse::<usize>().ok().filter(|&count| count <= MAX_VECTOR_CACHE_MB);
                self.vector_cache = megabytes.ok_or_else(|| bad("a number of megabytes, at most 1024"))? << 20;
            }
            Key::CacheDir => self.cache_dir = Some(PathBuf::from(value)),
            Key::Cache => {
                let megabytes = text()?.parse::<u64>().ok().filter(|&count| count <= MAX_CACHE_MB);
                self.cache = megabytes.ok_or_else(|| bad("a number of megabytes, at most 1048576"))? << 20;
            }
            Key::History => {
                let milliseconds = text()?.parse().ok().filter(|&count| count <= MAX_HISTORY_MS);
                let milliseconds = milliseconds.ok_or_else(|| bad("a number of milliseconds, at most 600000"))?;
                self.history = Duration::from_millis(milliseconds);
            }
        }
        Ok(())
    }

    /// Every setting with its value as text and its origin, for display.
    pub fn shown(&self) -> impl Iterator<Item = (&'static Setting, String, &SettingSource)> {
        let path = |path: &Option<PathBuf>| path.as_ref().map_or("none".to_owned(), |path| path.display().to_string());
        ALL.iter().zip(&self.sources).map(move |(setting, source)| {
            let value = match setting.key {
                Key::IncludeDirs if self.include_dirs.is_empty() => "none".to_owned(),
                Key::IncludeDirs => self.include_dirs.join(","),
                Key::Topk => self.topk.to_string(),
                Key::Rerank => show_switch(self.rerank),
                Key::Share => show_switch(self.share),
                Key::ModelPrecision => self.model_precision.name().to_owned(),
                Key::OrtLibrary => match &self.ort_library {
                    Library::Automatic => "auto".to_owned(),
                    Library::Off => "off".to_owned(),
                    Library::At(path) => path.display().to_string(),
                },
                Key::VectorCache => (self.vector_cache >> 20).to_string(),
                Key::ModelDir => path(&self.model_dir),
                Key::CacheDir => path(&self.cache_dir),
                Key::Cache => (self.cache >> 20).to_string(),
                Key::History => self.history.as_millis().to_string(),
            };
            (setting, value, source)
        })
    }
}

fn parse_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "on" | "true" | "1" => Some(true),
        "off" | "false" | "0" => Some(false),
        _ => None,
    }
}

fn show_switch(is_on: bool) -> String {
    if is_on { "on" } else { "off" }.to_owned()
}

fn include_dirs(list: &str) -> Result<Vec<String>, &'static str> {
    let names = list.split(',').map(|name| name.trim().trim_end_matches('/')).filter(|name| !name.is_empty());
    names
        .map(|name| {
            let leaves = name.starts_with(['/', '\\']) || name.split(['/', '\\']).any(|segment| segment == "..");
            if leaves || name.contains('\0') {
                return Err("names of directories inside the root, separated by commas");
            }
            Ok(name.to_owned())
        })
        .collect()
}

/// The platform's cache directory. Its specification says to ignore a relative `XDG_CACHE_HOME`.
fn default_cache(environment: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        absolute("HOME").map(|home| home.join("Library/Caches"))
    } else {
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))
    };
    base.map(|base| base.join("pathfinder"))
}

#[cfg(test)]
mod tests;
