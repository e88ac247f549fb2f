//! How a host serves its guests: each with a server of its own, on the host's engine.

use std::sync::Arc;

use futures::FutureExt as _;

use super::engine::Engine;
use super::guests::Welcome;
use super::server::Server;
use super::stdio::Stdio;
use crate::share::Serve;
use crate::workspace::Workspace;

/// How guests of a workspace are served.
pub(crate) fn serve(workspace: Arc<Workspace>) -> Serve {
    let engine = Engine::own(workspace);
    Arc::new(move |stream, about| {
        let engine = Arc::clone(&engine);
        async move {
            match Stdio::of(stream) {
                Ok(stdio) => _ = super::converse(Server::for_guest(engine, Welcome::new(about)), stdio).await,
                Err(error) => tracing::warn!(%error, "a guest cannot be served"),
            }
        }
        .boxed()
    })
}
