//! The LSP edge: diagnostics, fixes and everything else that editors ask for, over stdin and stdout.
//!
//! stdout belongs to the protocol. Messages are begun in the order in which they come (`conversation`); the texts have one
//! owner (`documents`); what takes its time runs in threads of its own, on values that do not change.

mod client_capabilities;
mod documents;
mod editor;
mod file_events;
mod fix_cache;
mod folder_aliases;
#[cfg(test)]
mod fuzz;
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

use crate::parent;
use crate::settings::Overrides;
use crate::share::{Edge, Host, Serve};
use crate::snapshot::{self, SnapshotError};
use crate::workspace::Workspace;
use crate::writer::Writer;
use editor::Editor;
use handlers::custom_requests::METHODS;
use main_loop::ExitKind;
use server::LspServer;
use server_state::ServerState;

/// How often what was used is written down: what a crash may lose.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// How long writing down what is to be kept may delay the end. This and the next two end before `parent::end_soon` does.
const SAVE_TIMEOUT: Duration = Duration::from_millis(300);
/// How long work in progress may delay the end.
const WORK_TIMEOUT: Duration = Duration::from_millis(300);
/// How long the last messages may take to be written to somebody who may not read.
const WRITE_TIMEOUT: Duration = Duration::from_millis(200);
/// Requests that are worked on at the same time; the others wait.
const MAX_BLOCKING_THREADS: usize = 32;

/// Serves one client until it, or the process that started this one, is gone. Whether it ended as the protocol wants it. Others that ask
/// about the same roots are served by what `guests` makes of the workspace.
pub(crate) fn run(
    roots: Vec<PathBuf>,
    flags: Overrides,
    serve_clients: fn(Arc<Workspace>) -> Serve,
) -> anyhow::Result<bool> {
    // What a configuration has wrong is said at once, and not in every answer.
    match snapshot::check(&roots, &flags) {
        Err(SnapshotError::Root(_)) if roots.is_empty() => {}
        checked => checked?,
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(MAX_BLOCKING_THREADS)
        .enable_all()
        .build()
        .context("no threads for the server")?;
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
        let state = built.context("the service was not made")?;
        // Before anybody is answered, who could then send a signal.
        let (orphaned, terminated) = (parent::orphaned(), parent::terminated());
        let watcher_state = Arc::clone(&state);
        std::thread::spawn(move || roots::watch_workspace(&watcher_state));
        let host = Host::new(
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
        // In a thread of its own: those of the runtime may all be waiting for something.
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

async fn save_periodically(state: Arc<ServerState>) {
    loop {
        tokio::time::sleep(SAVE_INTERVAL).await;
        let state = Arc::clone(&state);
        _ = tokio::task::spawn_blocking(move || state.workspace.save_usage()).await;
    }
}
