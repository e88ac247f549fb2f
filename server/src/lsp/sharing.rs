//! The engine of this server for others that ask about the same roots: agents' servers, hooks, commands.

use std::thread;
use std::time::{Duration, Instant};

use super::desk::Desk;
use crate::share::{Endpoint, Leader};

/// How often it is looked whether there are other roots, which is nothing more than to compare two lists.
const LOOK: Duration = Duration::from_millis(200);
/// How often it is looked whether the socket is still this server's: a look at one file.
const ATTEND: Duration = Duration::from_secs(2);

/// Serves guests at the place of the roots that there are, until the server ends. Runs in a thread of its own.
pub(super) fn share(desk: &Desk, host: &Leader) {
    let mut before = None;
    let mut looked = Instant::now();
    while !desk.is_ending() {
        let now = desk.workspace.is_open().then(|| (desk.workspace.roots(), desk.workspace.flags()));
        if now != before || looked.elapsed() > ATTEND {
            looked = Instant::now();
            match &now {
                Some((roots, flags)) => match Endpoint::new(roots, flags) {
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
        thread::sleep(LOOK);
    }
    host.stop();
}
