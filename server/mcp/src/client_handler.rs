//! Serves the clients of the shared engine's leader, each with an MCP server of its own on the leader's workspace.

use std::sync::Arc;

use futures::FutureExt as _;

use super::backend::EngineBackend;
use super::remote::RemoteClient;
use super::server::McpServer;
use super::stdio::Stdio;
use pathfinder_ipc::ClientHandler;
use pathfinder_project::workspace::Workspace;

/// Returns the handler that serves clients of this workspace.
pub fn serve(workspace: Arc<Workspace>) -> ClientHandler {
    let backend = EngineBackend::local(workspace);
    Arc::new(move |stream, leader| {
        let backend = Arc::clone(&backend);
        async move {
            match Stdio::from_stream(stream) {
                Ok(stdio) => {
                    _ = super::run_conversation(
                        McpServer::for_remote_client(backend, RemoteClient::new(leader)),
                        stdio,
                    )
                    .await;
                }
                Err(error) => tracing::warn!(%error, "cannot serve a client of the shared engine"),
            }
        }
        .boxed()
    })
}
