//! Who has the engine of these roots in memory, and whether this program would ask there.

use serde::Serialize;

use crate::cli::args::Scope;
use crate::share::{About, Edge, Place, ShareError, look};

use super::checks::Problem;

/// See the module's text.
#[derive(Debug, Serialize)]
pub(super) struct SharedEngine {
    /// Where it is asked.
    pub(super) socket: String,
    /// Who has it, if anybody does.
    host: Option<EngineHost>,
}

#[derive(Debug, Serialize)]
struct EngineHost {
    pid: u32,
    edge: Edge,
    version: String,
    /// Processes that ask it, without this one.
    guests: usize,
}

/// Looks for it.
pub(super) fn find(scope: &Scope, problems: &mut Vec<Problem>) -> SharedEngine {
    let remedy = "Each process reads the roots for itself meanwhile, which costs memory and a slower start.";
    let mut alone = |why: &ShareError| problems.push(Problem::new("engine-not-shared", why.to_string(), remedy));
    let place = match Place::of(&scope.roots, &scope.overrides()) {
        Ok(place) => place,
        Err(why) => {
            if !matches!(why, ShareError::Off) {
                alone(&why);
            }
            return SharedEngine { host: None, socket: "none".to_owned() };
        }
    };
    let host = match look(&place, || ()) {
        Ok(peer) => {
            if let Some(why) = place.differs(peer.about()) {
                alone(&why);
            }
            let About { version, edge, pid, guests, .. } = peer.about().clone();
            Some(EngineHost { pid, edge, version, guests: guests.saturating_sub(1) })
        }
        Err(ShareError::Nobody) => None,
        Err(why) => {
            alone(&why);
            None
        }
    };
    SharedEngine { host, socket: place.socket().display().to_string() }
}

impl SharedEngine {
    /// What is known of this kind of server.
    pub(super) fn describe(&self, edge: Edge) -> String {
        match &self.host {
            Some(EngineHost { version, pid, guests, edge: found }) if *found == edge => {
                format!("process {pid}, version {version}, asked by {guests} others")
            }
            _ => "none that others could ask".to_owned(),
        }
    }
}
