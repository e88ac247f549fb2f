//! `Place`: where the socket of some roots is, and what a host of them has to agree about.

use std::path::{Path, PathBuf};

use super::{About, Edge, ShareError};
use crate::os::cache_file;
use crate::os::roots::{self, Roots};
use crate::settings::{Overrides, SettingSource, Settings};
use crate::snapshot::{self, SnapshotError};

/// A socket's path may have 108 bytes on Linux and 104 elsewhere, the last of them zero.
#[cfg(unix)]
const PATH_MAX: usize = 103;

/// See the module's text.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    roots: Roots,
    settings: Settings,
    /// Where this process is.
    here: PathBuf,
    sockets: PathBuf,
    name: String,
}

impl Place {
    /// The place of these roots as they are given; none is the default one.
    ///
    /// # Errors
    /// When the roots or settings cannot be used, or there is no place for sockets.
    pub(crate) fn of(given: &[PathBuf], flags: &Overrides) -> Result<Self, ShareError> {
        let here = roots::current_dir_for(given).map_err(SnapshotError::from)?;
        let roots = roots::find(given, &here).map_err(SnapshotError::from)?;
        let settings = roots.dirs.iter().map(|root| snapshot::load(flags, root)).next();
        // There is always one.
        let settings = settings.ok_or(ShareError::Nobody)??;
        if !settings.share {
            return Err(ShareError::Off);
        }
        let Some(cache) = settings.cache_dir.clone() else {
            return Err(ShareError::Place {
                directory: PathBuf::new(),
                reason: "there is no cache directory".to_owned(),
            });
        };
        let name = name(&roots, &settings).ok_or(ShareError::Nobody)?;
        let Some(sockets) = sockets(&cache, &settings, &name) else {
            let reason = "LOCALAPPDATA is not set, which is where others cannot write".to_owned();
            return Err(ShareError::Place { directory: cache, reason });
        };
        Ok(Self { roots, settings, here, sockets, name })
    }

    /// The directory of all sockets.
    pub(super) fn sockets(&self) -> &Path {
        &self.sockets
    }

    /// The socket itself.
    pub(crate) fn socket(&self) -> PathBuf {
        self.sockets.join(format!("{}.sock", self.name))
    }

    /// Where this process is.
    pub(super) fn directory(&self) -> PathBuf {
        dunce::canonicalize(&self.here).unwrap_or_else(|_| self.here.clone())
    }

    /// Whether it is that of the same roots.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.socket() == other.socket()
    }

    /// Whether one root only is served, so that no answer names it.
    pub(crate) fn is_single(&self) -> bool {
        self.roots.dirs.len() == 1
    }

    /// What its host says of itself.
    pub(super) fn about(&self, edge: Edge) -> About {
        About {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            edge,
            pid: std::process::id(),
            roots: self.roots.dirs.iter().map(|root| root.canonical.to_string_lossy().into_owned()).collect(),
            settings: self.settings.shown().map(|(setting, value, _)| (setting.name.to_owned(), value)).collect(),
            guests: 0,
        }
    }

    /// Why answers of this host could be others than one's own. A project's file counts for both; who was given nothing takes what
    /// the host was given.
    pub(crate) fn differs(&self, host: &About) -> Option<ShareError> {
        if host.version != env!("CARGO_PKG_VERSION") {
            return Some(ShareError::Version { pid: host.pid, version: host.version.clone() });
        }
        let given = |source: &SettingSource| matches!(source, SettingSource::Flag(_) | SettingSource::Variable(_));
        self.settings.shown().filter(|(_, _, source)| given(source)).find_map(|(setting, own, _)| {
            let theirs = host.settings.iter().find(|(name, _)| name == setting.name).map(|(_, value)| value.clone());
            let theirs = theirs.filter(|theirs| *theirs != own)?;
            Some(ShareError::Setting { pid: host.pid, name: setting.name.to_owned(), theirs, own })
        })
    }
}

/// Sockets lie where things of this login lie, if there is such a place, but with the cache where that was moved: what is kept apart is
/// served apart.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "Windows may have no such place")]
fn sockets(cache: &Path, settings: &Settings, name: &str) -> Option<PathBuf> {
    let moved = settings
        .shown()
        .any(|(setting, _, source)| setting.key == crate::settings::Key::CacheDir && *source != SettingSource::Default);
    let runtime =
        std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute() && path.is_dir());
    let wanted = match runtime {
        Some(runtime) if !moved => runtime.join("pathfinder"),
        _ => cache.join("sockets"),
    };
    let fits = |directory: &Path| directory.join(format!("{name}.sock.new")).as_os_str().len() <= PATH_MAX;
    if fits(&wanted) && wanted.is_absolute() {
        return Some(wanted);
    }
    // Too long for a socket: a short one that is this directory's own.
    let short = cache_file::named(wanted.as_os_str().as_encoded_bytes()).unwrap_or_default();
    Some(std::env::temp_dir().join(format!("pathfinder-{short}")))
}

/// Windows has no modes: of the places that could be had only this one is known to be the user's alone. Wherever the cache is, its name
/// is in the socket's.
#[cfg(windows)]
fn sockets(_: &Path, _: &Settings, _: &str) -> Option<PathBuf> {
    let own = std::env::var_os("LOCALAPPDATA").map(PathBuf::from).filter(|path| path.is_absolute())?;
    Some(own.join("pathfinder").join("sockets"))
}

/// The same for the same roots, whoever names them. Several are named in answers as they were given, and numbered in that order.
fn name(roots: &Roots, settings: &Settings) -> Option<String> {
    let mut subject = Vec::new();
    for root in &roots.dirs {
        subject.extend_from_slice(root.canonical.as_os_str().as_encoded_bytes());
        subject.push(0);
        if roots.dirs.len() > 1 {
            subject.extend_from_slice(root.given.as_bytes());
            subject.push(0);
        }
    }
    if let Some(cache) = &settings.cache_dir {
        subject.extend_from_slice(cache.as_os_str().as_encoded_bytes());
    }
    cache_file::named(&subject)
}
