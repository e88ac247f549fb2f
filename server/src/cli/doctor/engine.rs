//! Finds the process that shares its engine for these roots, and whether this program would use it.

use serde::Serialize;

use crate::cli::args::Scope;
use pathfinder_ipc::{Edge, Endpoint, LeaderInfo, ShareError, find_leader};

use super::checks::Problem;

/// The shared engine of these roots.
#[derive(Debug, Serialize)]
pub(super) struct SharedEngine {
    /// Path of its socket.
    pub(super) socket: String,
    /// The process that leads it, if there is one.
    host: Option<EngineHost>,
}

#[derive(Debug, Serialize)]
struct EngineHost {
    pid: u32,
    edge: Edge,
    version: String,
    /// Number of processes that use it, without this one.
    guests: u64,
}

/// Looks for the shared engine.
pub(super) fn find(scope: &Scope, problems: &mut Vec<Problem>) -> SharedEngine {
    let remedy = "Use one version with the same settings, or end the other process. Until then each process reads the roots itself, \
                  which costs memory and time.";
    let mut report_unshared =
        |why: &ShareError| problems.push(Problem::new("engine-not-shared", why.to_string(), remedy));
    let place = match Endpoint::new(&scope.roots, &scope.overrides()) {
        Ok(place) => place,
        Err(why) => {
            if !matches!(why, ShareError::Off) {
                report_unshared(&why);
            }
            return SharedEngine { host: None, socket: "none".to_owned() };
        }
    };
    let host = match find_leader(&place, None) {
        Ok(leader) => {
            if let Some(why) = place.find_mismatch(&leader) {
                report_unshared(&why);
            }
            let LeaderInfo { version, edge, pid, clients, .. } = leader;
            Some(EngineHost { pid, edge, version, guests: clients.saturating_sub(1) })
        }
        Err(ShareError::NoLeader) => None,
        Err(why) => {
            report_unshared(&why);
            None
        }
    };
    SharedEngine { host, socket: place.socket_path().display().to_string() }
}

impl SharedEngine {
    /// Describes the process that leads the engine.
    pub(super) fn summary(&self) -> String {
        let Some(EngineHost { pid, edge, version, guests }) = &self.host else { return "not running".to_owned() };
        let server = match edge {
            Edge::Agent => "MCP server",
            Edge::Editor => "language server",
        };
        format!("{server}, process {pid}, version {version}, used by {guests} others")
    }

    /// Describes the server of this kind.
    pub(super) fn describe(&self, edge: Edge) -> String {
        match &self.host {
            Some(EngineHost { version, pid, guests, edge: found }) if *found == edge => {
                format!("process {pid}, version {version}, asked by {guests} others")
            }
            _ => "none that others could ask".to_owned(),
        }
    }
}
