//! The first message in each direction: a client's directory, and a leader's description of itself.
//!
//! All versions of this program read these two messages, so their members stay as they are. The messages after them belong to one
//! number of [`PROTOCOL`].

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// First bytes of each greeting, which other programs do not send.
const MAGIC: [u8; 10] = *b"pathfinder";
/// Number of the messages after the greeting; it changes with each change of them.
pub(super) const PROTOCOL: u32 = 1;

/// Kind of a server that has an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// A language server: always has an engine, so that others are its clients.
    Editor,
    /// An MCP server: hands the socket over when a language server starts.
    Agent,
}

/// A client's greeting.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ClientHello {
    magic: [u8; MAGIC.len()],
    pub(super) protocol: u32,
    /// The client's current directory, canonical.
    pub(super) directory: PathBuf,
}

/// A leader's greeting.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LeaderHello {
    magic: [u8; MAGIC.len()],
    info: LeaderInfo,
}

/// A leader's description of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeaderInfo {
    /// The leader's [`PROTOCOL`].
    pub(super) protocol: u32,
    /// Version of the program.
    pub version: String,
    /// Kind of the server.
    pub edge: Edge,
    /// Process id.
    pub pid: u32,
    /// Canonical paths, as text.
    pub roots: Vec<String>,
    /// Names and values.
    pub settings: Vec<(String, String)>,
    /// Number of clients, including the one that asks.
    pub clients: u64,
}

impl ClientHello {
    /// Creates the greeting of a client in this directory.
    pub(super) fn new(directory: &Path) -> Self {
        Self { magic: MAGIC, protocol: PROTOCOL, directory: directory.to_owned() }
    }

    /// Checks that a client of this program has sent it.
    ///
    /// # Errors
    /// If another program has sent it.
    pub(super) fn check(self) -> io::Result<Self> {
        check_magic(self.magic)?;
        Ok(self)
    }
}

impl LeaderHello {
    /// Creates the greeting of a leader.
    pub(super) fn new(info: LeaderInfo) -> Self {
        Self { magic: MAGIC, info }
    }

    /// Returns the leader's description of itself.
    ///
    /// # Errors
    /// If another program has sent it.
    pub(super) fn into_info(self) -> io::Result<LeaderInfo> {
        check_magic(self.magic)?;
        Ok(self.info)
    }
}

fn check_magic(magic: [u8; MAGIC.len()]) -> io::Result<()> {
    if magic == MAGIC {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::InvalidData, "the program there is not pathfinder"))
}
