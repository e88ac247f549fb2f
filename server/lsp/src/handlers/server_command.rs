//! The commands of `workspace/executeCommand`, by name.

/// A command of this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServerCommand {
    Resolve,
    Find,
    Roots,
    Reindex,
    FixAll,
    Ignore,
    CreateFile,
    Apply,
    Explain,
}

impl ServerCommand {
    /// All commands.
    pub(crate) const ALL: [Self; 9] = [
        Self::Resolve,
        Self::Find,
        Self::Roots,
        Self::Reindex,
        Self::FixAll,
        Self::Ignore,
        Self::CreateFile,
        Self::Apply,
        Self::Explain,
    ];

    /// Returns its LSP name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Resolve => "pathfinder.resolve",
            Self::Find => "pathfinder.find",
            Self::Roots => "pathfinder.roots",
            Self::Reindex => "pathfinder.reindex",
            Self::FixAll => "pathfinder.fixAll",
            Self::Ignore => "pathfinder.ignore",
            Self::CreateFile => "pathfinder.createFile",
            Self::Apply => "pathfinder.apply",
            Self::Explain => "pathfinder.explain",
        }
    }
}
