//! The MCP server: tools, prompts and resources for agents, over stdin and stdout or over HTTP. `cli.rs` runs it.
//!
//! stdout carries only the protocol; stderr gets one JSON line per tool call (`metrics`). Calls run in threads for blocking work, and
//! stdin, stdout and stderr have a thread each: a client that does not read, or a slow tree, blocks neither a ping nor the shutdown.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests write files and look at the clock"))]

mod client_roots;
mod completion;
mod elicitation;
mod encode;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
#[path = "../../../tests/fuzz/driver.rs"]
mod fuzz_driver;
mod http;
mod metrics;
mod miss_tracker;
mod prompts;
mod resources;
mod server;
mod stdio;
mod tools;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rmcp::ServiceExt as _;

use http::HttpServer;
use metrics::Metrics;
use pathfinder_ipc::parent;
use pathfinder_ipc::writer::Writer;
use pathfinder_ipc::{POLL_INTERVAL, Router};
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::{self, SnapshotError};
use server::{MAX_CONCURRENT_CALLS, McpServer};
use stdio::Stdio;

/// Time between two writes of the visited paths: a crash loses no more than this.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// Time that running calls may delay the shutdown; the longest file read takes a fraction of it. The shutdown delays add up to
/// less than `parent::end_soon` waits.
const CALLS_SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(300);
/// Time that saving may delay the shutdown.
const SAVE_SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(200);
/// Time that writing the last lines may delay the shutdown, if the client does not read them.
const WRITE_SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(100);

/// Options of the MCP server.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    /// Address to serve HTTP at; `None` serves stdin and stdout.
    pub http: Option<String>,
    /// True if the client may ask its user to choose among several files.
    pub ask: bool,
    /// True if tools read ignored files, files with credentials and git's own files, where a client names the exact path.
    pub allow_ignored: bool,
    /// Text for stderr if no client sends anything at first: a user may have started the server unknowingly.
    pub introduction: Option<&'static str>,
}

/// Runs the server: over stdin and stdout until the client or the parent process ends, over HTTP until a signal.
///
/// # Errors
/// If the roots or settings cannot be used, or the address cannot be listened at.
pub fn run(roots: Vec<PathBuf>, flags: Overrides, options: &ServeOptions) -> anyhow::Result<()> {
    // Errors of the client's configuration are reported at once, not in every answer. Without a given root, an unusable default
    // root is no error yet: the client may name others.
    match snapshot::check_roots_and_settings(&roots, &flags) {
        Err(SnapshotError::Root(_)) if roots.is_empty() && options.http.is_none() => {}
        checked => checked?,
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // Two more threads: one saves, one polls for the leader.
        .max_blocking_threads(MAX_CONCURRENT_CALLS + 2)
        .enable_all()
        .build()
        .context("cannot start the threads of the server")?;
    let http = match &options.http {
        Some(address) => Some(runtime.block_on(HttpServer::open(address))?),
        None => None,
    };
    let (metrics, lines) = Metrics::start();
    let has_roots = !roots.is_empty();
    let router = Router::new(flags).context("cannot start the threads of the server")?;
    if has_roots {
        router.open(roots);
    } else if http.is_some() {
        router.offer(roots);
    }
    let server = McpServer::new(Arc::clone(&router), has_roots, metrics).with_options(options);
    let result = if let Some(http) = http {
        let result = runtime.block_on(serve_http(&router, server, http));
        runtime.shutdown_timeout(CALLS_SHUTDOWN_TIMEOUT);
        result
    } else {
        let (stdio, answers) = Stdio::open(options.introduction);
        let result = runtime.block_on(serve_stdio(&router, server, stdio));
        // A signal, or the end of the parent process, leads here too.
        parent::end_soon(0);
        // First, since a client may end this process two seconds after its input.
        router.withdraw();
        runtime.shutdown_timeout(CALLS_SHUTDOWN_TIMEOUT);
        answers.wait(WRITE_SHUTDOWN_TIMEOUT);
        result
    };
    Writer::spawn(move || router.close()).wait(SAVE_SHUTDOWN_TIMEOUT);
    lines.wait(WRITE_SHUTDOWN_TIMEOUT);
    result
}

async fn serve_stdio(router: &Arc<Router>, server: McpServer, stdio: Stdio) -> anyhow::Result<()> {
    // Subscribed before the first answer, because the client may send a signal after it.
    let (orphaned, terminated) = (parent::orphaned(), parent::terminated());
    let background =
        [tokio::spawn(save_periodically(Arc::clone(router))), tokio::spawn(poll_periodically(Arc::clone(router)))];
    let result = tokio::select! {
        result = run_conversation(server, stdio) => result,
        () = orphaned => {
            tracing::info!("the parent process has ended");
            Ok(())
        }
        () = terminated => Ok(()),
    };
    background.iter().for_each(tokio::task::JoinHandle::abort);
    result
}

/// Serves over HTTP until a signal. The parent process does not matter: a terminal or a service manager ends this server.
async fn serve_http(router: &Arc<Router>, server: McpServer, http: HttpServer) -> anyhow::Result<()> {
    let terminated = parent::terminated();
    let background =
        [tokio::spawn(save_periodically(Arc::clone(router))), tokio::spawn(poll_periodically(Arc::clone(router)))];
    // With port 0, this line is the only way to learn the port.
    _ = writeln!(std::io::stderr(), "pathfinder: serving MCP at {}", http.url()?);
    let result = tokio::select! {
        result = http.serve(server) => result,
        () = terminated => Ok(()),
    };
    background.iter().for_each(tokio::task::JoinHandle::abort);
    result
}

async fn run_conversation(server: McpServer, stdio: Stdio) -> anyhow::Result<()> {
    match server.serve(stdio).await {
        Ok(running) => _ = running.waiting().await?,
        // The client disconnected at once, or does not speak MCP; there is no connection for an answer.
        Err(error) => tracing::info!(%error, "the client did not open an MCP conversation"),
    }
    Ok(())
}

async fn save_periodically(router: Arc<Router>) {
    loop {
        tokio::time::sleep(SAVE_INTERVAL).await;
        let router = Arc::clone(&router);
        _ = tokio::task::spawn_blocking(move || router.keep()).await;
    }
}

async fn poll_periodically(router: Arc<Router>) {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let router = Arc::clone(&router);
        _ = tokio::task::spawn_blocking(move || router.poll()).await;
    }
}
