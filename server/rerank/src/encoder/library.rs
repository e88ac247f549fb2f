//! Finds and opens the shared library of onnxruntime at run time; nothing is linked against it. Called by
//! `Model::load`.

#![expect(
    clippy::disallowed_methods,
    reason = "the library lies beside the program, or where the system or a variable says"
)]

use std::fmt::Display;
use std::path::{Path, PathBuf};

use ort::environment::Environment;
use parking_lot::Mutex;

use crate::error::ModelError;

/// The place of onnxruntime's library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Library {
    /// The path in `ORT_DYLIB_PATH`, else the usual system directories.
    #[default]
    Automatic,
    /// Do not use onnxruntime: no model can be loaded.
    Off,
    /// Only this path.
    At(PathBuf),
}

/// The environment variable that onnxruntime's users share.
const PATH_VARIABLE: &str = "ORT_DYLIB_PATH";

/// Reasons for which there is no library, each with the remedy.
const OFF: &str = "--ort-library is off; set it to auto, or to the library's file";
const NOT_FOUND: &str = "its library was not found; install it (a system package, or `pip install onnxruntime`) and give the \
                         libonnxruntime file with --ort-library";

/// The open library. A process can open only one, so the first one is used for all models.
static OPENED: Mutex<Option<(PathBuf, &'static Environment)>> = Mutex::new(None);

impl Library {
    /// Opens the library.
    ///
    /// # Errors
    /// Returns an error when it is off, not found, or cannot be used.
    pub(crate) fn open(&self) -> Result<&'static Environment, ModelError> {
        let (path, is_requested) = match self {
            Self::Off => return Err(ModelError::Library { reason: OFF.to_owned() }),
            Self::At(path) => (path.clone(), true),
            Self::Automatic => match std::env::var_os(PATH_VARIABLE).filter(|value| !value.is_empty()) {
                Some(path) => (PathBuf::from(path), true),
                None => (find_library().ok_or_else(|| ModelError::Library { reason: NOT_FOUND.to_owned() })?, false),
            },
        };
        let unusable = |reason: &dyn Display| ModelError::Library {
            reason: format!("{} cannot be used ({reason}); give another file with --ort-library", path.display()),
        };
        let mut opened = OPENED.lock();
        match &*opened {
            Some((there, environment)) if *there == path || !is_requested => Ok(environment),
            Some((there, _)) => Err(unusable(&format_args!("this process already uses {}", there.display()))),
            None => {
                let environment = environment(&path).map_err(|error| unusable(&error))?;
                // The library stays open until the process ends.
                Ok(opened.insert((path, Box::leak(Box::new(environment)))).1)
            }
        }
    }
}

fn environment(path: &Path) -> Result<Environment, String> {
    let builder = ort::init_from(path).map_err(|error| error.to_string())?;
    builder.with_name("pathfinder").with_telemetry(false).build().map_err(|error| error.to_string())
}

/// Returns the first library beside the program or in the directories of systems and package managers.
fn find_library() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.to_owned()));
    // On Windows only beside the program: the system has an outdated one of its own.
    let places: &[&str] = if cfg!(windows) {
        &[]
    } else if cfg!(target_os = "macos") {
        &["/opt/homebrew/lib", "/usr/local/lib"]
    } else {
        &["/usr/local/lib", "/usr/lib64", "/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
    };
    beside.into_iter().chain(places.iter().map(PathBuf::from)).find_map(|place| library_in(&place))
}

/// Returns the library in a directory: the name without a version, else the one that sorts last.
fn library_in(place: &Path) -> Option<PathBuf> {
    let name = if cfg!(windows) {
        "onnxruntime.dll"
    } else if cfg!(target_os = "macos") {
        "libonnxruntime.dylib"
    } else {
        "libonnxruntime.so"
    };
    let plain = place.join(name);
    if plain.is_file() {
        return Some(plain);
    }
    let versioned = |entry: &PathBuf| {
        let found = entry.file_name().and_then(|name| name.to_str());
        found.and_then(|found| found.strip_prefix(name)).is_some_and(|rest| rest.starts_with('.'))
    };
    let entries = place.read_dir().ok()?.flatten().map(|entry| entry.path());
    entries.filter(versioned).max()
}

#[cfg(test)]
mod tests {
    use super::library_in;

    #[test]
    #[cfg(target_os = "linux")]
    fn prefers_the_unversioned_library() {
        let place = tempfile::tempdir().unwrap();
        let check =
            |expect: Option<&str>| assert_eq!(library_in(place.path()), expect.map(|name| place.path().join(name)));
        let make = |name: &str| std::fs::write(place.path().join(name), "").unwrap();
        check(None);
        make("libonnxruntime_providers_shared.so");
        make("libonnxruntime4j_jni.so");
        check(None);
        make("libonnxruntime.so.1.21.0");
        make("libonnxruntime.so.1");
        check(Some("libonnxruntime.so.1.21.0"));
        make("libonnxruntime.so");
        check(Some("libonnxruntime.so"));
    }
}
