//! The LSP edge: diagnostics, fixes and everything else that editors ask for, over stdin and stdout.
//!
//! stdout belongs to the protocol. Messages are begun in the order in which they come (`conversation`); the texts have one
//! owner (`documents`); what takes its time runs in threads of its own, on values that do not change.

mod abilities;
mod conversation;
mod desk;
mod disk;
mod documents;
mod editor;
mod encode;
mod fixes;
#[cfg(test)]
mod fuzz;
mod links;
mod methods;
mod moves;
mod position;
mod preferences;
mod progress;
mod publish;
mod roots;
mod server;
mod sharing;
mod stdio;
mod surrogates;
mod uri;
mod watching;
mod work;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context as _;
use tower_lsp_server::LspService;

use crate::parent;
use crate::settings::Overrides;
use crate::share::{ClientHandler, Edge, Leader};
use crate::snapshot::{self, SnapshotError};
use crate::workspace::Workspace;
use crate::writer::Writer;
use conversation::{End, converse};
use desk::Desk;
use editor::Editor;
use methods::requests::METHODS;
use server::Server;

/// How often what was used is written down: what a crash may lose.
const KEEP: Duration = Duration::from_secs(10);
/// How long writing down what is to be kept may delay the end. This and the next two end before `parent::end_soon` does.
const LAST_KEEPING: Duration = Duration::from_millis(300);
/// How long work in progress may delay the end.
const LAST_WORK: Duration = Duration::from_millis(300);
/// How long the last messages may take to be written to somebody who may not read.
const LAST_MESSAGES: Duration = Duration::from_millis(200);
/// Requests that are worked on at the same time; the others wait.
const THREADS: usize = 32;

/// Serves one client until it, or the process that started this one, is gone. Whether it ended as the protocol wants it. Others that ask
/// about the same roots are served by what `guests` makes of the workspace.
pub(crate) fn run(
    roots: Vec<PathBuf>,
    flags: Overrides,
    guests: fn(Arc<Workspace>) -> ClientHandler,
) -> anyhow::Result<bool> {
    // What a configuration has wrong is said at once, and not in every answer.
    match snapshot::check(&roots, &flags) {
        Err(SnapshotError::Root(_)) if roots.is_empty() => {}
        checked => checked?,
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(THREADS)
        .enable_all()
        .build()
        .context("no threads for the server")?;
    let (out, writer) = stdio::write();
    let incoming = stdio::read();
    let ended = runtime.block_on(async move {
        let (work, to_do) = tokio::sync::mpsc::unbounded_channel();
        let fixed = (!roots.is_empty()).then_some(roots);
        let mut kept = None;
        let [resolve, find, all_roots, reindex] = METHODS;
        let (service, socket) = LspService::build(|client| {
            let workspace = Workspace::new(flags.clone());
            let desk = Arc::new(Desk::new(Editor::new(client), workspace, fixed, flags, work.clone()));
            kept = Some(Arc::clone(&desk));
            Server::new(desk)
        })
        .custom_method(resolve, Server::resolve)
        .custom_method(find, Server::find)
        .custom_method(all_roots, Server::roots)
        .custom_method(reindex, Server::reindex)
        .finish();
        let desk = kept.context("the service was not made")?;
        // Before anybody is answered, who could then send a signal.
        let (orphaned, terminated) = (parent::orphaned(), parent::terminated());
        let follower = Arc::clone(&desk);
        std::thread::spawn(move || roots::follow(&follower));
        let host =
            Leader::new(tokio::runtime::Handle::current(), Edge::Editor, guests(Arc::new(desk.workspace.clone())));
        let sharer = Arc::clone(&desk);
        std::thread::spawn(move || sharing::share(&sharer, &host));
        let listener = Arc::clone(&desk);
        let happened = desk.workspace.heed();
        std::thread::spawn(move || disk::listen(&listener, &happened));
        let publisher = tokio::spawn(publish::publish(Arc::clone(&desk), to_do, work));
        let keeper = tokio::spawn(keep(Arc::clone(&desk)));
        let end = tokio::select! {
            end = converse(service, socket, incoming, out) => end,
            () = orphaned => {
                tracing::info!("the parent process is gone");
                End::Clean
            }
            () = terminated => End::Clean,
        };
        parent::end_soon(i32::from(end == End::Abrupt));
        desk.stop.store(true, Ordering::Relaxed);
        publisher.abort();
        keeper.abort();
        let closing = Arc::clone(&desk);
        // In a thread of its own: those of the runtime may all be waiting for something.
        let closed = Writer::spawn(move || closing.workspace.close());
        anyhow::Ok((end, closed))
    });
    let ended = ended.map(|(end, closed)| {
        closed.wait(LAST_KEEPING);
        end
    });
    runtime.shutdown_timeout(LAST_WORK);
    writer.wait(LAST_MESSAGES);
    Ok(ended? == End::Clean)
}

async fn keep(desk: Arc<Desk>) {
    loop {
        tokio::time::sleep(KEEP).await;
        let desk = Arc::clone(&desk);
        _ = tokio::task::spawn_blocking(move || desk.workspace.keep()).await;
    }
}
