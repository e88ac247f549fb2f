//! The MCP edge: tools for agents, over stdin and stdout or over HTTP.
//!
//! stdout belongs to the protocol; stderr gets one JSON line per query.

mod brake;
mod choice;
mod client_roots;
mod completion;
mod encode;
mod engine;
#[cfg(test)]
mod fuzz;
mod guests;
mod hosting;
mod http;
mod metrics;
mod prompts;
mod resources;
mod server;
mod stdio;
mod tools;
mod withheld;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rmcp::ServiceExt as _;

use crate::parent;
use crate::settings::Overrides;
use crate::snapshot::{self, SnapshotError};
use crate::writer::Writer;
use engine::{ATTEND, Engine};
pub(crate) use hosting::serve as serve_guests;
use http::Http;
use metrics::Metrics;
use server::{CALLS, Server};
use stdio::Stdio;

/// How often what was used is written down: what a crash may lose.
const KEEP: Duration = Duration::from_secs(10);
/// How long calls in progress may delay the end: the longest read of a file takes a fraction of it. What may delay the end is
/// together less than `parent::end_soon` waits.
const LAST_CALLS: Duration = Duration::from_millis(300);
/// How long writing down what is to be kept may delay the end.
const LAST_KEEPING: Duration = Duration::from_millis(200);
/// How long the last lines may take to be written to somebody who may not read.
const LAST_LINES: Duration = Duration::from_millis(100);

/// How it is served.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    /// Over HTTP at this address, instead of stdin and stdout.
    pub(crate) http: Option<String>,
    /// Whether a client's user may be asked which of several files was meant.
    pub(crate) ask: bool,
    /// Whether ignored files, files with credentials and git's own are read, where a client names their exact path.
    pub(crate) allow_ignored: bool,
}

/// Serves one client until it, or the process that started this one, is gone; over HTTP all who come, until it is told
/// to end.
pub(crate) fn run(roots: Vec<PathBuf>, flags: Overrides, terms: &Terms) -> anyhow::Result<()> {
    // What a client's configuration has wrong is said at once, and not in every answer. Where no root is given, that the
    // default one is none is no failure yet: the client may name others.
    match snapshot::check(&roots, &flags) {
        Err(SnapshotError::Root(_)) if roots.is_empty() && terms.http.is_none() => {}
        checked => checked?,
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // More for what keeps, and for what looks who has the engine.
        .max_blocking_threads(CALLS + 2)
        .enable_all()
        .build()
        .context("no threads for the server")?;
    let http = match &terms.http {
        Some(address) => Some(runtime.block_on(Http::open(address))?),
        None => None,
    };
    let (metrics, lines) = Metrics::start();
    let fixed = !roots.is_empty();
    let engine = {
        let _inside = runtime.enter();
        Engine::new(flags, |workspace| hosting::serve(Arc::clone(workspace)))
    };
    if fixed {
        engine.open(roots);
    } else if http.is_some() {
        engine.offer(roots);
    }
    let server = Server::new(Arc::clone(&engine), fixed, metrics).with_terms(terms);
    let result = if let Some(http) = http {
        let result = runtime.block_on(offer(&engine, server, http));
        runtime.shutdown_timeout(LAST_CALLS);
        result
    } else {
        let (stdio, answers) = Stdio::open();
        let result = runtime.block_on(serve(&engine, server, stdio));
        // By a signal, or without its parent.
        parent::end_soon(0);
        runtime.shutdown_timeout(LAST_CALLS);
        answers.wait(LAST_LINES);
        result
    };
    Writer::spawn(move || engine.close()).wait(LAST_KEEPING);
    lines.wait(LAST_LINES);
    result
}

async fn serve(engine: &Arc<Engine>, server: Server, stdio: Stdio) -> anyhow::Result<()> {
    // Before anybody is answered, who could then send a signal.
    let (orphaned, terminated) = (parent::orphaned(), parent::terminated());
    let keeper = [tokio::spawn(keep(Arc::clone(engine))), tokio::spawn(attend(Arc::clone(engine)))];
    let ended = tokio::select! {
        ended = converse(server, stdio) => ended,
        () = orphaned => {
            tracing::info!("the parent process is gone");
            Ok(())
        }
        () = terminated => Ok(()),
    };
    keeper.iter().for_each(tokio::task::JoinHandle::abort);
    ended
}

/// Whoever starts it in a terminal or as a service ends it: it has no client whose end would be its own.
async fn offer(engine: &Arc<Engine>, server: Server, http: Http) -> anyhow::Result<()> {
    let terminated = parent::terminated();
    let keeper = [tokio::spawn(keep(Arc::clone(engine))), tokio::spawn(attend(Arc::clone(engine)))];
    // Where port 0 was asked for, nobody knows it otherwise.
    _ = writeln!(std::io::stderr(), "pathfinder: serving MCP at {}", http.url()?);
    let ended = tokio::select! {
        ended = http.serve(server) => ended,
        () = terminated => Ok(()),
    };
    keeper.iter().for_each(tokio::task::JoinHandle::abort);
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

async fn keep(engine: Arc<Engine>) {
    loop {
        tokio::time::sleep(KEEP).await;
        let engine = Arc::clone(&engine);
        _ = tokio::task::spawn_blocking(move || engine.keep()).await;
    }
}

async fn attend(engine: Arc<Engine>) {
    loop {
        tokio::time::sleep(ATTEND).await;
        let engine = Arc::clone(&engine);
        _ = tokio::task::spawn_blocking(move || engine.attend()).await;
    }
}
