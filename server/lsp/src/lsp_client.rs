//! `LspClient`: the direction to the client. With the adapter, the only module that knows the client of `tower_lsp_server`.

use tower_lsp_server::Client;
use tower_lsp_server::ls_types::notification::Notification;
use tower_lsp_server::ls_types::request::Request;

/// Sends notifications and requests to the client. A clone is the same client.
#[derive(Clone)]
pub(super) struct LspClient(Client);

impl LspClient {
    /// Wraps the client of a service.
    pub(super) fn new(client: Client) -> Self {
        Self(client)
    }

    /// Sends a notification; does nothing before `initialize`.
    pub(super) async fn notify<N: Notification>(&self, params: N::Params) {
        self.0.send_notification::<N>(params).await;
    }

    /// Sends a request.
    ///
    /// # Errors
    /// The client's error, as text.
    pub(super) async fn request<R: Request>(&self, params: R::Params) -> Result<R::Result, String> {
        self.0.send_request::<R>(params).await.map_err(|error| error.to_string())
    }
}
