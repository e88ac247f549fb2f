//! The engine of this server for others that ask about the same roots: agents' servers, hooks, commands.

use std::thread;
use std::time::{Duration, Instant};

use super::server_state::ServerState;
use crate::share::{Host, Place};

/// How often it is looked whether there are other roots, which is nothing more than to compare two lists.
const ROOTS_INTERVAL: Duration = Duration::from_millis(200);
/// How often it is looked whether the socket is still this server's: a look at one file.
const SOCKET_INTERVAL: Duration = Duration::from_secs(2);

/// Serves guests at the place of the roots that there are, until the server ends. Runs in a thread of its own.
pub(super) fn share(state: &ServerState, host: &Host) {
    let mut before = None;
    let mut checked = Instant::now();
    while !state.is_ending() {
        let now = state.workspace.is_open().then(|| (state.workspace.roots(), state.workspace.flags()));
        if now != before || checked.elapsed() > SOCKET_INTERVAL {
            checked = Instant::now();
            match &now {
                Some((roots, flags)) => match Place::of(roots, flags) {
                    // The guests' questions wait for the roots that were opened above.
                    Ok(place) => _ = host.claim(&place, || ()),
                    Err(why) => {
                        tracing::debug!(%why, "no guests");
                        host.stop();
                    }
                },
                None => host.stop(),
            }
            before = now;
        }
        thread::sleep(ROOTS_INTERVAL);
    }
    host.stop();
}
