//! The two directions of the connection: messages from the client in their order, and messages to it.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::Poll;

use futures::future::BoxFuture;
use futures::{FutureExt as _, Sink, SinkExt as _, Stream};
use tower::Service as _;
use tower_lsp_server::jsonrpc::{Request, Response};
use tower_lsp_server::{ExitedError, LspService};

use super::{Adapter, json_rpc};
use crate::handlers::custom_requests::METHODS;
use crate::lsp_client::LspClient;
use crate::server_state::Updates;

/// Delivers the client's messages.
pub(crate) struct LspConnection {
    service: LspService<Adapter>,
    responses: Pin<Box<dyn Sink<Response, Error = ExitedError> + Send>>,
}

/// Waits for the response to a message.
pub(crate) type PendingResponse = BoxFuture<'static, Option<Response>>;

/// Connects the service, whose calls go to `updates`. Returns the messages to the client too.
pub(crate) fn connect(updates: Updates) -> (LspConnection, LspClient, impl Stream<Item = Request> + Send + Unpin) {
    let [resolve, find, roots, reindex] = METHODS;
    let (service, socket) = LspService::build(|client| Adapter { updates, client })
        .custom_method(resolve, Adapter::resolve)
        .custom_method(find, Adapter::find)
        .custom_method(roots, Adapter::roots)
        .custom_method(reindex, Adapter::reindex)
        .finish();
    let (requests, responses) = socket.split();
    let client = LspClient::new(service.inner().client.clone());
    (LspConnection { service, responses: Box::pin(responses) }, client, requests)
}

impl LspConnection {
    /// Sends the call of a message to the main loop. Returns its response, or else the future that waits for it.
    pub(crate) async fn deliver(&mut self, request: Request) -> Result<Option<Response>, PendingResponse> {
        let (id, method) = (request.id().cloned(), request.method().to_owned());
        let answer = AssertUnwindSafe(self.service.call(request)).catch_unwind();
        let mut response = async move { json_rpc::response(answer.await, id, &method) }.boxed();
        match futures::poll!(&mut response) {
            Poll::Ready(response) => Ok(response),
            Poll::Pending => Err(response),
        }
    }

    /// Passes the client's response to the request that waits for it.
    pub(crate) async fn answer(&mut self, response: Response) {
        _ = self.responses.send(response).await;
    }
}
