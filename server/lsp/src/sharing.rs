//! Shares this server's engine with other processes that ask about the same roots: MCP servers, hooks, commands.

use std::thread;
use std::time::Duration;

use super::server_snapshot::StateData;
use pathfinder_ipc::{Endpoint, Leader};
use pathfinder_vfs::clock::Stopwatch;

/// Interval at which the thread looks for changed roots: it only compares two lists.
const ROOTS_INTERVAL: Duration = Duration::from_millis(200);
/// Interval at which it checks that the socket still belongs to this server: one stat.
const SOCKET_INTERVAL: Duration = Duration::from_secs(2);

/// Serves clients at the socket of the current roots until the server ends. `lsp::run` starts it in its own thread.
pub(super) fn share(state: &StateData, host: &Leader) {
    let mut before = None;
    let mut checked = Stopwatch::start();
    while !state.is_ending() {
        let now = state.workspace.is_open().then(|| (state.workspace.roots(), state.workspace.flags()));
        if now != before || checked.elapsed() > SOCKET_INTERVAL {
            checked = Stopwatch::start();
            match &now {
                Some((roots, flags)) => match Endpoint::new(roots, flags) {
                    // Clients' questions wait until the roots are read.
                    Ok(place) => _ = host.claim(&place, || ()),
                    Err(why) => {
                        tracing::debug!(%why, "the engine is not shared");
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
