//! `PathEnvironment`: the directories that relative and absolute paths of a request are resolved against.

/// The absolute paths of one root, for recognising paths that lie under it.
#[derive(Clone, Debug, Default)]
pub struct RootPaths {
    /// Absolute forms of the root: canonical first, then as it was given. No trailing separator.
    pub absolute: Vec<String>,
}

/// The roots, current directory and home that a path can be relative to.
#[derive(Clone, Debug, Default)]
pub struct PathEnvironment {
    /// The roots, in the engine's order.
    pub roots: Vec<RootPaths>,
    /// Current directory, when it lies inside a root: (root, path relative to it, empty for the root itself).
    pub cwd: Option<(usize, String)>,
    /// The user's home directory, for `~` and `$HOME`.
    pub home: Option<String>,
}
