//! The LSP server over stdin and stdout: diagnostics, fixes, completion and the other editor features. `cli` calls [`run`].
//!
//! Only protocol messages are written to stdout. `adapter` delivers messages in the order in which they arrive. `main_loop`
//! owns the `ServerState`, and nothing else changes it. Slow work runs beside it, on immutable snapshots (`server_snapshot`).
//!
//! There are two locks: `StateData::update_lock`, which orders the updates of the roots' diagnostics, and that of the cache
//! of one document's fixes. The main loop takes none.
//!
//! # Diagnostics
//!
//! `RootDiagnostics` holds the findings of closed files and the paths that all files mention. After a change on disk,
//! `ReverseDependencies` lists the files to check again; a configuration change checks all files. Diagnostics are pushed, or
//! pulled by clients that support refresh, never both for one document. An open text is analyzed twice: findings first,
//! fixes after them.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests write files and look at the clock"))]

mod adapter;
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
mod lsp_client;
mod lsp_error;
mod main_loop;
mod outgoing;
mod preferences;
mod progress;
mod project_file;
mod publish_event;
mod publisher;
mod rename_edits;
mod roots;
mod server_snapshot;
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

use editor::Editor;
use main_loop::{ExitKind, MainLoop};
use pathfinder_ipc::parent;
use pathfinder_ipc::writer::Writer;
use pathfinder_ipc::{Edge, Leader};
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::{self, SnapshotError};
use pathfinder_vfs::memory;
use server_snapshot::ServerSnapshot;
use server_state::{ServerState, Updates};

/// Interval at which the use of paths is saved: a crash loses at most this much. What was not used for so long is closed.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(10);
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
/// # Errors
/// If a root or a setting cannot be used, or no threads can be started.
pub fn run(roots: Vec<PathBuf>, flags: Overrides) -> anyhow::Result<bool> {
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
    let (end, closed) = runtime.block_on(async move {
        let (event_sender, events) = tokio::sync::mpsc::unbounded_channel();
        let (updates, update_receiver) = Updates::channel();
        let (revision_sender, revision) = tokio::sync::watch::channel(0);
        let cli_roots = (!roots.is_empty()).then_some(roots);
        let (connection, client, requests) = adapter::connect(updates.clone());
        let owned = ServerState::new(Editor::new(client), cli_roots, flags, updates, event_sender, revision);
        let state = owned.snapshot();
        let responses = outgoing::write(state.clone(), requests, out);
        // Before the first answer: a client that has one may send a signal.
        let (orphaned, terminated) = (parent::orphaned(), parent::terminated());
        let watcher_state = state.clone();
        std::thread::spawn(move || roots::watch_workspace(&watcher_state));
        let workspace = Arc::new(state.workspace.clone());
        let host = Leader::new(Edge::Editor, workspace).context("the threads of the server could not be started")?;
        let sharing_state = state.clone();
        std::thread::spawn(move || sharing::share(&sharing_state, &host));
        let event_state = state.clone();
        let batches = state.workspace.subscribe();
        std::thread::spawn(move || file_events::apply_batches(&event_state, &batches));
        let publisher = tokio::spawn(publisher::run(state.clone(), events, revision_sender));
        let saver = tokio::spawn(maintain(state.clone()));
        let end = tokio::select! {
            end = MainLoop::new(owned, update_receiver, connection, responses).run(incoming) => end,
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
        let workspace = state.workspace.clone();
        // A thread of its own, since all threads of the runtime may be blocked.
        let closed = Writer::spawn(move || workspace.close());
        anyhow::Ok((end, closed))
    })?;
    closed.wait(SAVE_TIMEOUT);
    runtime.shutdown_timeout(WORK_TIMEOUT);
    writer.wait(WRITE_TIMEOUT);
    Ok(end == ExitKind::Clean)
}

/// Saves recorded uses and closes unused repositories at each interval, until the task is aborted.
async fn maintain(state: ServerSnapshot) {
    loop {
        tokio::time::sleep(MAINTENANCE_INTERVAL).await;
        let state = state.clone();
        _ = tokio::task::spawn_blocking(move || {
            state.workspace.save_usage();
            let released: Vec<bool> = state.latest().root_diagnostics.iter().map(|it| it.release_unused()).collect();
            if released.contains(&true) {
                memory::trim_heap();
            }
        })
        .await;
    }
}
