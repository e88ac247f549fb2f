//! `ShareError`: the reasons for not using the engine of another process.

use std::path::PathBuf;

use pathfinder_project::snapshot::SnapshotError;

/// Reason for not using the engine of another process.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    /// No process serves these roots: the usual reason.
    #[error("no other process serves these roots")]
    NoLeader,
    /// The user has turned sharing off.
    #[error("the engine is not shared: share = off")]
    Off,
    /// The roots or settings cannot be used; opening them reports the error.
    #[error(transparent)]
    WorkspaceSnapshot(#[from] SnapshotError),
    /// No directory for a socket is private to this user.
    #[error("{}: {reason}; the engine is not shared between processes", directory.display())]
    SocketDirectory {
        /// Directory of the socket.
        directory: PathBuf,
        /// Reason for people.
        reason: String,
    },
    /// The socket belongs to something else, or does not answer.
    #[error("{}: {reason}; its engine is not used", socket.display())]
    Foreign {
        /// Path of the socket.
        socket: PathBuf,
        /// Reason for people.
        reason: String,
    },
    /// The connection was closed at once, by a leader that ends or by another program.
    #[error("{}: the process there closes the connection; its engine is not used", socket.display())]
    Closing {
        /// Path of the socket.
        socket: PathBuf,
    },
    /// The leader has another version, which may answer differently.
    #[error("process {pid} serves these roots with another version ({version}): its engine is not used")]
    Version {
        /// Process id of the leader.
        pid: u32,
        /// Version of the leader.
        version: String,
    },
    /// The leader was built from other sources, and sends other messages.
    #[error("process {pid} serves these roots with other messages of this version: its engine is not used")]
    Protocol {
        /// Process id of the leader.
        pid: u32,
    },
    /// The leader has another value for a setting, and may answer differently.
    #[error(
        "process {pid} serves these roots with {name} = {theirs}, and this one was started with {own}: its engine is not used"
    )]
    Setting {
        /// Process id of the leader.
        pid: u32,
        /// Name of the setting.
        name: String,
        /// The leader's value.
        theirs: String,
        /// The value of this process.
        own: String,
    },
}
