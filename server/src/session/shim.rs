//! TEMPORARY, until `os` is merged: its names and shapes on plain `std::fs`, so that the edge can be built.

#![expect(clippy::unnecessary_wraps, reason = "the shapes are those of the real layer")]

pub(crate) mod roots {
    //! As `os::roots`.

    use std::io;
    use std::path::{Path, PathBuf};

    use pathfinder_core::query::RootPlace;
    use thiserror::Error;

    /// Why a directory cannot serve as a root.
    #[derive(Debug, Error)]
    pub(crate) enum RootError {
        /// Nothing is there.
        #[error("root {0}: no such directory")]
        Missing(String),
        /// Something else than a directory is there.
        #[error("root {0}: not a directory")]
        NotADirectory(String),
        /// It may not be listed.
        #[error("root {given}: cannot be read: {source}")]
        Unreadable {
            /// As given.
            given: String,
            /// What the system said.
            source: io::Error,
        },
        /// There is none.
        #[error("the current directory cannot be read: {0}")]
        CurrentDirectory(io::Error),
    }

    /// One root.
    #[derive(Clone, Debug)]
    pub(crate) struct RootDir {
        /// As the user gave it.
        pub(crate) given: String,
        /// Absolute, through no symbolic link.
        pub(crate) canonical: PathBuf,
    }

    impl RootDir {
        /// Its absolute forms.
        pub(crate) fn place(&self) -> RootPlace {
            RootPlace { absolute: vec![self.canonical.display().to_string()] }
        }
    }

    /// The roots and where the current directory lies among them.
    #[derive(Debug)]
    pub(crate) struct Roots {
        /// In the order given.
        pub(crate) dirs: Vec<RootDir>,
        /// The current directory in them.
        pub(crate) cwd: Option<(usize, String)>,
    }

    /// The current directory.
    pub(crate) fn current_dir() -> Result<PathBuf, RootError> {
        std::env::current_dir().map_err(RootError::CurrentDirectory)
    }

    /// The roots that these arguments mean when typed in `cwd`.
    pub(crate) fn find(given: &[PathBuf], cwd: &Path) -> Result<Roots, RootError> {
        let mut given = given.to_vec();
        if given.is_empty() {
            given.push(cwd.ancestors().find(|place| place.join(".git").exists()).unwrap_or(cwd).to_owned());
        }
        let open = |path: PathBuf| {
            let given = path.display().to_string();
            let canonical = cwd.join(&path).canonicalize().map_err(|_| RootError::Missing(given.clone()))?;
            if !canonical.is_dir() {
                return Err(RootError::NotADirectory(given));
            }
            match std::fs::read_dir(&canonical) {
                Ok(_) => Ok(RootDir { given, canonical }),
                Err(source) => Err(RootError::Unreadable { given, source }),
            }
        };
        Ok(Roots { dirs: given.into_iter().map(open).collect::<Result<_, _>>()?, cwd: None })
    }
}

pub(crate) mod walk {
    //! As `os::walk`.

    use std::path::PathBuf;

    use pathfinder_core::index::Found;
    use pathfinder_core::{Kind, RelPath};

    use super::roots::{RootDir, RootError};

    /// What a walk depends on.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct WalkOptions {
        /// Listed although ignored.
        pub(crate) include_dirs: Vec<String>,
    }

    /// What a walk found.
    #[derive(Debug, Default)]
    pub(crate) struct Walked {
        /// The entries.
        pub(crate) found: Vec<Found>,
        /// Metadata files.
        pub(crate) package_files: Vec<RelPath>,
        /// What could not be listed.
        pub(crate) unreadable: Unreadable,
    }

    /// Directories that could not be listed.
    #[derive(Debug, Default)]
    pub(crate) struct Unreadable {
        /// How many.
        pub(crate) count: usize,
        /// The first few.
        pub(crate) examples: Vec<RelPath>,
    }

    /// Lists what is below a root.
    pub(crate) fn walk(root: &RootDir, options: &WalkOptions) -> Result<Walked, RootError> {
        tracing::trace!(?options.include_dirs, "not honoured by the shim");
        let mut walked = Walked::default();
        let mut found = Found::default();
        let mut waiting = vec![PathBuf::new()];
        while let Some(directory) = waiting.pop() {
            let Ok(entries) = std::fs::read_dir(root.canonical.join(&directory)) else {
                walked.unreadable.count += 1;
                walked.unreadable.examples.push(RelPath::new(directory.as_os_str().as_encoded_bytes()));
                continue;
            };
            for entry in entries.flatten().filter(|entry| entry.file_name() != ".git") {
                let path = directory.join(entry.file_name());
                let kind = match entry.file_type() {
                    Ok(kind) if kind.is_symlink() => Kind::Symlink,
                    Ok(kind) if kind.is_dir() => Kind::Directory,
                    _ => Kind::File,
                };
                found.push_path(path.as_os_str().as_encoded_bytes(), kind);
                if kind == Kind::Directory {
                    waiting.push(path);
                }
            }
        }
        walked.found.push(found);
        Ok(walked)
    }
}

pub(crate) mod packages {
    //! As `os::packages`.

    use pathfinder_core::RelPath;
    use pathfinder_core::index::Package;

    use super::roots::RootDir;

    /// The packages that these metadata files name.
    pub(crate) fn read(_root: &RootDir, _files: &[RelPath]) -> Vec<Package> {
        Vec::new()
    }
}

pub(crate) mod probe {
    //! As `os::probe`.

    use std::path::PathBuf;

    use pathfinder_core::{Kind, Presence, Probe};

    use super::roots::{RootDir, RootError};

    /// Looks at the disk under the roots.
    #[derive(Debug)]
    pub(crate) struct DiskProbe(Vec<PathBuf>);

    impl DiskProbe {
        /// A probe of these roots.
        pub(crate) fn new(roots: &[RootDir]) -> Result<Self, RootError> {
            Ok(Self(roots.iter().map(|root| root.canonical.clone()).collect()))
        }
    }

    impl Probe for DiskProbe {
        fn root_gone(&self, root: usize) -> Option<String> {
            std::fs::read_dir(&self.0[root]).err().map(|error| error.to_string())
        }

        fn presence(&self, root: usize, path: &[u8]) -> Presence {
            match self.0[root].join(String::from_utf8_lossy(path).as_ref()).canonicalize() {
                Ok(real) if !real.starts_with(&self.0[root]) => Presence::Outside,
                Ok(real) if real.is_dir() => Presence::Present(Kind::Directory),
                Ok(_) => Presence::Present(Kind::File),
                Err(_) => Presence::Absent,
            }
        }

        fn contains(&self, _root: usize, _path: &[u8], _text: &str) -> Option<bool> {
            None
        }
    }
}
