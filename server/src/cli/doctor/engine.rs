//! Who has the engine of these roots in memory, and whether this program would ask there.

use serde::Serialize;

use crate::cli::args::Scope;
use crate::share::{Edge, Endpoint, LeaderInfo, ShareError, find_leader};

use super::checks::Problem;

/// See the module's text.
#[derive(Debug, Serialize)]
pub(super) struct Engine {
    /// Where it is asked.
    pub(super) socket: String,
    /// Who has it, if anybody does.
    host: Option<Host>,
}

#[derive(Debug, Serialize)]
struct Host {
    pid: u32,
    edge: Edge,
    version: String,
    /// Processes that ask it, without this one.
    guests: usize,
}

/// Looks for it.
pub(super) fn find(scope: &Scope, problems: &mut Vec<Problem>) -> Engine {
    let remedy = "Each process reads the roots for itself meanwhile, which costs memory and a slower start.";
    let mut alone = |why: &ShareError| problems.push(Problem::new("engine-not-shared", why.to_string(), remedy));
    let place = match Endpoint::new(&scope.roots, &scope.given()) {
        Ok(place) => place,
        Err(why) => {
            if !matches!(why, ShareError::Off) {
                alone(&why);
            }
            return Engine { host: None, socket: "none".to_owned() };
        }
    };
    let host = match find_leader(&place, || ()) {
        Ok(peer) => {
            if let Some(why) = place.find_mismatch(peer.leader_info()) {
                alone(&why);
            }
            let LeaderInfo { version, edge, pid, clients: guests, .. } = peer.leader_info().clone();
            Some(Host { pid, edge, version, guests: guests.saturating_sub(1) })
        }
        Err(ShareError::NoLeader) => None,
        Err(why) => {
            alone(&why);
            None
        }
    };
    Engine { host, socket: place.socket_path().display().to_string() }
}

impl Engine {
    /// What is known of this kind of server.
    pub(super) fn of(&self, edge: Edge) -> String {
        match &self.host {
            Some(Host { version, pid, guests, edge: found }) if *found == edge => {
                format!("process {pid}, version {version}, asked by {guests} others")
            }
            _ => "none that others could ask".to_owned(),
        }
    }
}
