//! The LSP server over stdin and stdout: diagnostics, fixes, completion and the other editor features. `cli` calls [`run`].
//!
//! Only protocol messages are written to stdout. `main_loop` starts messages in the order in which they arrive, and
//! `documents` owns all open texts. Slow work runs in blocking threads on immutable snapshots.
//!
//! # Diagnostics
//!
//! `RootDiagnostics` holds the findings of closed files and the paths that all files mention. After a change on disk,
//! `ReverseDependencies` lists the files to check again; a configuration change checks all files. Diagnostics are pushed, or
//! pulled by clients that support refresh, never both for one document. An open text is analyzed twice: findings first,
//! fixes after them.

mod client_capabilities;
mod documents;
mod editor;
mod file_events;
mod fix_cache;
mod folder_aliases;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
#[path = "../../../tests/fuzz/driver.rs"]
mod fuzz_driver;
mod handlers;
mod line_index;
mod main_loop;
mod preferences;
mod progress;
mod publisher;
mod rename_edits;
mod roots;
mod server;
mod server_state;
mod sharing;
mod stdio;
mod surrogates;
mod to_proto;
mod uri;
mod watch_registration;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use tower_lsp_server::LspService;

use editor::Editor;
use handlers::custom_requests::METHODS;
use main_loop::ExitKind;
use pathfinder_ipc::parent;
use pathfinder_ipc::writer::Writer;
use pathfinder_ipc::{ClientHandler, Edge, Leader};
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::{self, SnapshotError};
use pathfinder_project::workspace::Workspace;
use server::LspServer;
use server_state::ServerState;

/// Interval at which the use of paths is saved: a crash loses at most this much.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// Longest time that saving caches delays the exit. Together with the next two it ends before `parent::end_soon` exits.
const SAVE_TIMEOUT: Duration = Duration::from_millis(300);
/// Longest time that work in progress delays the exit.
const WORK_TIMEOUT: Duration = Duration::from_millis(300);
/// Longest time that writing the last messages delays the exit: the client may not read them.
const WRITE_TIMEOUT: Duration = Duration::from_millis(200);
/// Requests that are handled at the same time; further ones wait.
const MAX_BLOCKING_THREADS: usize = 32;

/// Serves one client until it exits or the process that started this one ends. Returns true after a clean shutdown.
///
/// `serve_clients` makes the service for other processes that ask about the same roots.
///
/// # Errors
/// If a root or a setting cannot be used, or no threads can be started.
pub fn run(
    roots: Vec<PathBuf>,
    flags: Overrides,
    serve_clients: fn(Arc<Workspace>) -> ClientHandler,
) -> anyhow::Result<bool> {
    // Reports configuration errors once at the start instead of in every answer.
    match snapshot::check_roots_and_settings(&roots, &flags) {
        Err(SnapshotError::Root(_)) if roots.is_empty() => {}
        checked => checked?,
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(MAX_BLOCKING_THREADS)
        .enable_all()
        .build()
        .context("the threads of the server could not be started")?;
    let (out, writer) = stdio::write();
    let incoming = stdio::read();
    let ended = runtime.block_on(async move {
        let (event_sender, events) = tokio::sync::mpsc::unbounded_channel();
        let cli_roots = (!roots.is_empty()).then_some(roots);
        let mut built = None;
        let [resolve, find, all_roots, reindex] = METHODS;
        let (service, socket) = LspService::build(|client| {
            let workspace = Workspace::new(flags.clone());
            let state =
                Arc::new(ServerState::new(Editor::new(client), workspace, cli_roots, flags, event_sender.clone()));
            built = Some(Arc::clone(&state));
            LspServer::new(state)
        })
        .custom_method(resolve, LspServer::resolve)
        .custom_method(find, LspServer::find)
        .custom_method(all_roots, LspServer::roots)
        .custom_method(reindex, LspServer::reindex)
        .finish();
        let state = built.context("the LSP service was not built")?;
        // Before the first answer: a client that has one may send a signal.
        let (orphaned, terminated) = (parent::orphaned(), parent::terminated());
        let watcher_state = Arc::clone(&state);
        std::thread::spawn(move || roots::watch_workspace(&watcher_state));
        let host = Leader::new(
            tokio::runtime::Handle::current(),
            Edge::Editor,
            serve_clients(Arc::new(state.workspace.clone())),
        );
        let sharing_state = Arc::clone(&state);
        std::thread::spawn(move || sharing::share(&sharing_state, &host));
        let event_state = Arc::clone(&state);
        let batches = state.workspace.subscribe();
        std::thread::spawn(move || file_events::apply_batches(&event_state, &batches));
        let publisher = tokio::spawn(publisher::run(Arc::clone(&state), events, event_sender));
        let saver = tokio::spawn(save_periodically(Arc::clone(&state)));
        let end = tokio::select! {
            end = main_loop::run(service, socket, incoming, out) => end,
            () = orphaned => {
                tracing::info!("the parent process is gone");
                ExitKind::Clean
            }
            () = terminated => ExitKind::Clean,
        };
        parent::end_soon(i32::from(end == ExitKind::Abrupt));
        state.stop.store(true, Ordering::Relaxed);
        publisher.abort();
        saver.abort();
        let closing = Arc::clone(&state);
        // A thread of its own, since all threads of the runtime may be blocked.
        let closed = Writer::spawn(move || closing.workspace.close());
        anyhow::Ok((end, closed))
    });
    let ended = ended.map(|(end, closed)| {
        closed.wait(SAVE_TIMEOUT);
        end
    });
    runtime.shutdown_timeout(WORK_TIMEOUT);
    writer.wait(WRITE_TIMEOUT);
    Ok(ended? == ExitKind::Clean)
}

/// Saves recorded uses at each interval, until the task is aborted.
async fn save_periodically(state: Arc<ServerState>) {
    loop {
        tokio::time::sleep(SAVE_INTERVAL).await;
        let state = Arc::clone(&state);
        _ = tokio::task::spawn_blocking(move || state.workspace.save_usage()).await;
    }
}
