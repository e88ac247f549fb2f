//! The directory in which the compiler searches the modules of a file or an inline module.

use pathfinder_literals::path::{join, name, parent};

/// A directory, and the name that a file which is no crate root adds to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModuleScope {
    directory: String,
    stem: Option<String>,
}

impl ModuleScope {
    /// The scope of a crate root, a `mod.rs`, or a file that a path attribute names.
    pub(super) fn for_root(path: &str) -> Self {
        Self { directory: parent(path).to_owned(), stem: None }
    }

    /// The scope of any other file.
    pub(super) fn for_file(path: &str) -> Self {
        let stem = name(path).trim_end_matches(".rs").to_owned();
        Self { directory: parent(path).to_owned(), stem: Some(stem) }
    }

    /// The scope inside `mod name { … }`.
    pub(super) fn in_inline_module(&self, name: &str) -> Option<Self> {
        Some(Self { directory: join(&self.base()?, name)?, stem: None })
    }

    /// The scope inside `#[path = "…"] mod name { … }`.
    pub(super) fn in_path_module(&self, path: &str) -> Option<Self> {
        Some(Self { directory: join(&self.directory, path)?, stem: None })
    }

    /// The file of `#[path = "…"] mod name;`.
    pub(super) fn path_target(&self, path: &str) -> Option<String> {
        join(&self.directory, path)
    }

    /// The two possible files of `mod name;`.
    pub(super) fn module_files(&self, name: &str) -> [Option<String>; 2] {
        let base = self.base();
        let join = |end: &str| join(base.as_deref()?, &format!("{name}{end}"));
        [join(".rs"), join("/mod.rs")]
    }

    fn base(&self) -> Option<String> {
        join(&self.directory, self.stem.as_deref().unwrap_or_default())
    }
}
