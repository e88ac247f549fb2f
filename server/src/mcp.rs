//! The MCP edge: tools for agents, over stdin and stdout.
//!
//! stdout belongs to the protocol; stderr gets one JSON line per query.

mod client_roots;
mod encode;
mod metrics;
mod server;
mod stdio;
mod tools;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rmcp::ServiceExt as _;

use crate::parent;
use crate::session::{self, SessionError};
use crate::settings::Given;
use crate::workspace::{Teller, Workspace};
use metrics::Metrics;
use server::{CALLS, Server};
use stdio::Stdio;

/// How often what was used is written down: what a crash may lose.
const KEEP: Duration = Duration::from_secs(10);
/// How long calls in progress may delay the end: the longest read of a file takes a fraction of it.
const LAST_CALLS: Duration = Duration::from_secs(2);
/// How long the last lines may take to be written to somebody who may not read.
const LAST_LINES: Duration = Duration::from_millis(500);

/// Serves one client until it, or the process that started this one, is gone.
pub(crate) fn run(roots: Vec<PathBuf>, flags: Given) -> anyhow::Result<()> {
    // What a client's configuration has wrong is said at once, and not in every answer. Where no root is given, that the
    // default one is none is no failure yet: the client may name others.
    match session::check(&roots, &flags) {
        Err(SessionError::Root(_)) if roots.is_empty() => {}
        checked => checked?,
    }
    let workspace = Arc::new(Workspace::new(flags));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // One more for what keeps.
        .max_blocking_threads(CALLS + 1)
        .enable_all()
        .build()
        .context("no threads for the server")?;
    let ((stdio, answers), (metrics, lines)) = (Stdio::open(), Metrics::start());
    let fixed = !roots.is_empty();
    workspace.follow(Teller::System);
    if fixed {
        workspace.open(roots);
    }
    let server = Server::new(Arc::clone(&workspace), fixed, metrics);
    let result = runtime.block_on(serve(&workspace, server, stdio));
    runtime.shutdown_timeout(LAST_CALLS);
    workspace.close();
    answers.wait(LAST_LINES);
    lines.wait(LAST_LINES);
    result
}

async fn serve(workspace: &Arc<Workspace>, server: Server, stdio: Stdio) -> anyhow::Result<()> {
    // Before anybody is answered, who could then send a signal.
    let (orphaned, terminated) = (parent::orphaned(), parent::terminated());
    let keeper = tokio::spawn(keep(Arc::clone(workspace)));
    let ended = tokio::select! {
        ended = converse(server, stdio) => ended,
        () = orphaned => {
            tracing::info!("the parent process is gone");
            Ok(())
        }
        () = terminated => Ok(()),
    };
    keeper.abort();
    ended
}

async fn converse(server: Server, stdio: Stdio) -> anyhow::Result<()> {
    match server.serve(stdio).await {
        Ok(running) => _ = running.waiting().await?,
        // It came and left, or does not speak the protocol; there is nobody to tell.
        Err(error) => tracing::info!(%error, "no conversation"),
    }
    Ok(())
}

async fn keep(workspace: Arc<Workspace>) {
    loop {
        tokio::time::sleep(KEEP).await;
        let workspace = Arc::clone(&workspace);
        _ = tokio::task::spawn_blocking(move || workspace.keep()).await;
    }
}
