//! `Endpoint`: the socket of some roots, and the settings on which a leader and its clients must agree.

use std::path::{Path, PathBuf};

use super::hello::{Edge, LeaderInfo, PROTOCOL};
use super::share_error::ShareError;
use pathfinder_project::settings::{Overrides, SettingSource, Settings};
use pathfinder_project::snapshot::{self, SnapshotError};
#[cfg(unix)]
use pathfinder_vfs::paths;
use pathfinder_vfs::roots::{self, RootSet};
use pathfinder_vfs::{cache_file, environment};

/// Longest path of a socket in bytes: 108 on Linux and 104 elsewhere, including a final zero.
#[cfg(unix)]
const MAX_SOCKET_PATH_BYTES: usize = 103;

/// Address of the shared engine for some roots.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The roots as they were given.
    given: Vec<PathBuf>,
    roots: RootSet,
    settings: Settings,
    /// Current directory of this process.
    current_dir: PathBuf,
    socket_dir: PathBuf,
    name: String,
}

impl Endpoint {
    /// Returns the endpoint of these roots as the user gave them; an empty list is the default root.
    ///
    /// # Errors
    /// If the roots or settings cannot be used, sharing is off, or there is no directory for sockets.
    pub fn new(given: &[PathBuf], flags: &Overrides) -> Result<Self, ShareError> {
        let current_dir = roots::current_dir_for(given).map_err(SnapshotError::from)?;
        let roots = roots::find(given, &current_dir).map_err(SnapshotError::from)?;
        let settings = roots.dirs.iter().map(|root| snapshot::load_settings(flags, root)).next();
        // At least one root always exists.
        let settings = settings.ok_or(ShareError::NoLeader)??;
        if !settings.share {
            return Err(ShareError::Off);
        }
        let Some(cache) = settings.cache_dir.clone() else {
            return Err(ShareError::SocketDirectory {
                directory: PathBuf::new(),
                reason: "there is no cache directory".to_owned(),
            });
        };
        let name = socket_name(&roots, &settings).ok_or(ShareError::NoLeader)?;
        let Some(socket_dir) = socket_dir(&cache, &settings, &name) else {
            let reason = "LOCALAPPDATA is not set, which is where others cannot write".to_owned();
            return Err(ShareError::SocketDirectory { directory: cache, reason });
        };
        Ok(Self { given: given.to_vec(), roots, settings, current_dir, socket_dir, name })
    }

    /// Returns the roots as they were given.
    pub(super) fn given(&self) -> &[PathBuf] {
        &self.given
    }

    /// Returns the directory of all sockets.
    pub(super) fn socket_dir(&self) -> &Path {
        &self.socket_dir
    }

    /// Returns the path of the socket.
    pub fn socket_path(&self) -> PathBuf {
        self.socket_dir.join(format!("{}.sock", self.name))
    }

    /// Returns the current directory of this process, canonical.
    pub(super) fn directory(&self) -> PathBuf {
        dunce::canonicalize(&self.current_dir).unwrap_or_else(|_| self.current_dir.clone())
    }

    /// Returns whether both are endpoints of the same roots.
    pub fn is_same(&self, other: &Self) -> bool {
        self.socket_path() == other.socket_path()
    }

    /// Returns whether there is only one root, so that answers do not name it.
    pub fn is_single(&self) -> bool {
        self.roots.dirs.len() == 1
    }

    /// Returns the description that a leader at this endpoint sends.
    pub(super) fn leader_info(&self, edge: Edge) -> LeaderInfo {
        LeaderInfo {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            edge,
            pid: std::process::id(),
            roots: self.roots.dirs.iter().map(|root| root.canonical.to_string_lossy().into_owned()).collect(),
            settings: self.settings.shown().map(|(setting, value, _)| (setting.name.to_owned(), value)).collect(),
            clients: 0,
        }
    }

    /// Returns the reason why this leader's answers could differ from this process's own.
    ///
    /// Only explicitly given settings are compared: a project's settings file applies to both, and a default accepts the leader's value.
    pub fn find_mismatch(&self, leader: &LeaderInfo) -> Option<ShareError> {
        if leader.version != env!("CARGO_PKG_VERSION") {
            return Some(ShareError::Version { pid: leader.pid, version: leader.version.clone() });
        }
        if leader.protocol != PROTOCOL {
            return Some(ShareError::Protocol { pid: leader.pid });
        }
        let given = |source: &SettingSource| matches!(source, SettingSource::Flag(_) | SettingSource::Variable(_));
        self.settings.shown().filter(|(_, _, source)| given(source)).find_map(|(setting, own, _)| {
            let theirs = leader.settings.iter().find(|(name, _)| name == setting.name).map(|(_, value)| value.clone());
            let theirs = theirs.filter(|theirs| *theirs != own)?;
            Some(ShareError::Setting { pid: leader.pid, name: setting.name.to_owned(), theirs, own })
        })
    }
}

/// Returns the directory of the sockets: the login's runtime directory if there is one, but the cache directory if the user moved the
/// cache, so that separate caches have separate engines.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "Windows may have no such place")]
fn socket_dir(cache: &Path, settings: &Settings, name: &str) -> Option<PathBuf> {
    let moved = settings.shown().any(|(setting, _, source)| {
        setting.key == pathfinder_project::settings::Key::CacheDir && *source != SettingSource::Default
    });
    let runtime = environment::variable("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute() && paths::is_directory(path));
    let wanted = match runtime {
        Some(runtime) if !moved => runtime.join("pathfinder"),
        _ => cache.join("sockets"),
    };
    let fits = |directory: &Path| directory.join(format!("{name}.sock.new")).as_os_str().len() <= MAX_SOCKET_PATH_BYTES;
    if fits(&wanted) && wanted.is_absolute() {
        return Some(wanted);
    }
    // The path is too long for a socket, so a short one is derived from it.
    let short = cache_file::short_hash(wanted.as_os_str().as_encoded_bytes()).unwrap_or_default();
    Some(environment::temp_directory().join(format!("pathfinder-{short}")))
}

/// Returns the directory of the sockets. Windows has no file modes, and only this directory is known to be private to the user. The
/// socket's name contains the cache directory.
#[cfg(windows)]
fn socket_dir(_: &Path, _: &Settings, _: &str) -> Option<PathBuf> {
    let own = environment::variable("LOCALAPPDATA").map(PathBuf::from).filter(|path| path.is_absolute())?;
    Some(own.join("pathfinder").join("sockets"))
}

/// Returns a name for these roots and the cache directory. Several roots count in their given form and order, as answers name them.
fn socket_name(roots: &RootSet, settings: &Settings) -> Option<String> {
    let mut key = Vec::new();
    for root in &roots.dirs {
        key.extend_from_slice(root.canonical.as_os_str().as_encoded_bytes());
        key.push(0);
        if roots.dirs.len() > 1 {
            key.extend_from_slice(root.given.as_bytes());
            key.push(0);
        }
    }
    if let Some(cache) = &settings.cache_dir {
        key.extend_from_slice(cache.as_os_str().as_encoded_bytes());
    }
    cache_file::short_hash(&key)
}
