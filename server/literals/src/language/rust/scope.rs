//! `ModuleScope`: where the modules of a place in a file are looked for, by the compiler's own rule.

use crate::path::{join, name, parent};

/// A directory, and the name below it that a module's own file adds unless a path is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModuleScope {
    directory: String,
    stem: Option<String>,
}

impl ModuleScope {
    /// Of a file that is a crate's root, a `mod.rs`, or was given by a path.
    pub(super) fn for_root(path: &str) -> Self {
        Self { directory: parent(path).to_owned(), stem: None }
    }

    /// Of any other file.
    pub(super) fn for_file(path: &str) -> Self {
        let stem = name(path).trim_end_matches(".rs").to_owned();
        Self { directory: parent(path).to_owned(), stem: Some(stem) }
    }

    /// Inside `mod name { … }`.
    pub(super) fn in_inline_module(&self, name: &str) -> Option<Self> {
        Some(Self { directory: join(&self.base()?, name)?, stem: None })
    }

    /// Inside `#[path = "…"] mod name { … }`.
    pub(super) fn in_path_module(&self, path: &str) -> Option<Self> {
        Some(Self { directory: join(&self.directory, path)?, stem: None })
    }

    /// Where `#[path = "…"] mod name;` leads.
    pub(super) fn path_target(&self, path: &str) -> Option<String> {
        join(&self.directory, path)
    }

    /// Where `mod name;` leads: two places.
    pub(super) fn module_files(&self, name: &str) -> [Option<String>; 2] {
        let base = self.base();
        let join = |end: &str| join(base.as_deref()?, &format!("{name}{end}"));
        [join(".rs"), join("/mod.rs")]
    }

    fn base(&self) -> Option<String> {
        join(&self.directory, self.stem.as_deref().unwrap_or_default())
    }
}
