//! `Scope`: where the modules of a place in a file are looked for, by the compiler's own rule.

use crate::path::{join, name, parent};

/// A directory, and the name below it that a module's own file adds unless a path is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scope {
    directory: String,
    below: Option<String>,
}

impl Scope {
    /// Of a file that is a crate's root, a `mod.rs`, or was given by a path.
    pub(super) fn beside(path: &str) -> Self {
        Self { directory: parent(path).to_owned(), below: None }
    }

    /// Of any other file.
    pub(super) fn below(path: &str) -> Self {
        let stem = name(path).trim_end_matches(".rs").to_owned();
        Self { directory: parent(path).to_owned(), below: Some(stem) }
    }

    /// Inside `mod name { … }`.
    pub(super) fn inline(&self, name: &str) -> Option<Self> {
        Some(Self { directory: join(&self.base()?, name)?, below: None })
    }

    /// Inside `#[path = "…"] mod name { … }`.
    pub(super) fn given(&self, path: &str) -> Option<Self> {
        Some(Self { directory: join(&self.directory, path)?, below: None })
    }

    /// Where `#[path = "…"] mod name;` leads.
    pub(super) fn path(&self, path: &str) -> Option<String> {
        join(&self.directory, path)
    }

    /// Where `mod name;` leads: two places.
    pub(super) fn module(&self, name: &str) -> [Option<String>; 2] {
        let base = self.base();
        let join = |end: &str| join(base.as_deref()?, &format!("{name}{end}"));
        [join(".rs"), join("/mod.rs")]
    }

    fn base(&self) -> Option<String> {
        join(&self.directory, self.below.as_deref().unwrap_or_default())
    }
}
