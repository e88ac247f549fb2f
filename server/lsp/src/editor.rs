//! Handle on the LSP client: notifications and requests to it, and its capabilities. Every request has a timeout.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use tower_lsp_server::ls_types::notification::{LogMessage, Notification, PublishDiagnostics, ShowMessage};
use tower_lsp_server::ls_types::request::{
    ApplyWorkspaceEdit, Request, ShowDocument, WorkspaceConfiguration, WorkspaceDiagnosticRefresh,
};
use tower_lsp_server::ls_types::{
    ApplyWorkspaceEditParams, ConfigurationItem, ConfigurationParams, Diagnostic, LogMessageParams, MessageType,
    PublishDiagnosticsParams, ShowDocumentParams, ShowMessageParams, Uri, WorkspaceEdit,
};

use super::client_capabilities::ClientCapabilities;
use super::line_index::PositionEncoding;
use super::lsp_client::LspClient;

/// Timeout of a request to the client. Questions to the user have [`USER_TIMEOUT`].
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of a question that the user answers.
const USER_TIMEOUT: Duration = Duration::from_mins(30);

/// The connected client with its capabilities. A clone is the same client.
#[derive(Clone)]
pub(super) struct Editor {
    client: LspClient,
    capabilities: Arc<ClientCapabilities>,
    /// The runtime, for threads that are not part of it.
    runtime: tokio::runtime::Handle,
}

/// Phase of the server, as `pathfinder/status` reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ServerPhase {
    /// Reads the trees.
    Indexing,
    /// Checks files.
    Checking,
    /// All files are checked, and changes are applied as they happen.
    Ready,
    /// The roots cannot be used.
    Failed,
}

/// Parameters of `pathfinder/status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub(super) struct Status {
    /// The phase.
    pub(super) state: ServerPhase,
    /// Number of known files in all roots.
    pub(super) files: usize,
    /// Number of broken literals in those files.
    pub(super) broken: usize,
    /// Version of this program.
    pub(super) version: String,
    /// The error, if the state is `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
}

/// The notification `pathfinder/status`.
enum StatusNotification {}

impl Notification for StatusNotification {
    type Params = Status;
    const METHOD: &'static str = "pathfinder/status";
}

impl Editor {
    pub(super) fn new(client: LspClient) -> Self {
        Self { client, capabilities: Arc::default(), runtime: tokio::runtime::Handle::current() }
    }

    /// Sets the client's capabilities.
    pub(super) fn set_capabilities(&mut self, capabilities: ClientCapabilities) {
        self.capabilities = Arc::new(capabilities);
    }

    /// Returns the client's capabilities; none before `initialize`.
    pub(super) fn capabilities(&self) -> &ClientCapabilities {
        &self.capabilities
    }

    /// Returns the negotiated position encoding.
    pub(super) fn encoding(&self) -> PositionEncoding {
        self.capabilities().encoding
    }

    /// Runs a task, from any thread.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(task);
    }

    /// Replaces the published diagnostics of a document.
    pub(super) async fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        self.client.notify::<PublishDiagnostics>(params).await;
    }

    /// Sends `pathfinder/status`.
    pub(super) async fn status(&self, status: Status) {
        self.client.notify::<StatusNotification>(status).await;
    }

    /// Shows a message to the user.
    pub(super) fn show(&self, typ: MessageType, message: String) {
        let client = self.client.clone();
        let params = ShowMessageParams { typ, message };
        self.spawn(async move { client.notify::<ShowMessage>(params).await });
    }

    /// Writes a line to the client's log.
    pub(super) fn log(&self, typ: MessageType, message: String) {
        let client = self.client.clone();
        let params = LogMessageParams { typ, message };
        self.spawn(async move { client.notify::<LogMessage>(params).await });
    }

    /// Sends a request. Returns `None` if the client refuses it or does not answer in time.
    pub(super) async fn request<R: Request>(&self, params: R::Params) -> Option<R::Result>
    where
        R::Params: Send,
        R::Result: Send,
    {
        self.request_within::<R>(REQUEST_TIMEOUT, params).await
    }

    /// Sends a request that the user has to answer.
    pub(super) async fn ask_user<R: Request>(&self, params: R::Params) -> Option<R::Result>
    where
        R::Params: Send,
        R::Result: Send,
    {
        self.request_within::<R>(USER_TIMEOUT, params).await
    }

    async fn request_within<R: Request>(&self, timeout: Duration, params: R::Params) -> Option<R::Result> {
        match tokio::time::timeout(timeout, self.client.request::<R>(params)).await {
            Ok(Ok(result)) => Some(result),
            Ok(Err(error)) => {
                tracing::info!(method = R::METHOD, %error, "refused by the client");
                None
            }
            Err(_) => {
                tracing::info!(method = R::METHOD, "not answered by the client");
                None
            }
        }
    }

    /// Sends a notification.
    pub(super) async fn notify<N: Notification>(&self, params: N::Params) {
        self.client.notify::<N>(params).await;
    }

    /// Has the client apply an edit.
    ///
    /// # Errors
    /// The client's reason, or that it cannot or did not apply the edit.
    pub(super) async fn apply(&self, label: &str, edit: WorkspaceEdit) -> Result<(), String> {
        if !self.capabilities().can_apply_edits {
            return Err("the editor does not support workspace/applyEdit".to_owned());
        }
        let params = ApplyWorkspaceEditParams { label: Some(label.to_owned()), edit };
        let answer = self.request::<ApplyWorkspaceEdit>(params).await;
        match answer {
            Some(answer) if answer.applied => Ok(()),
            Some(answer) => {
                Err(answer.failure_reason.unwrap_or_else(|| "the editor did not apply the edit".to_owned()))
            }
            None => Err("the editor did not answer whether it applied the edit".to_owned()),
        }
    }

    /// Shows a document to the user, if the client supports that.
    pub(super) async fn open(&self, uri: Uri) {
        if self.capabilities().can_show_documents {
            let params = ShowDocumentParams { uri, external: Some(false), take_focus: Some(true), selection: None };
            self.request::<ShowDocument>(params).await;
        }
    }

    /// Asks the client to pull diagnostics again.
    pub(super) async fn refresh(&self) {
        self.request::<WorkspaceDiagnosticRefresh>(()).await;
    }

    /// Returns the client's settings for this program, and those of each scope; `None` if it has none.
    pub(super) async fn settings(&self, scopes: Vec<Uri>) -> Option<(Value, Vec<Value>)> {
        let scopes = std::iter::once(None).chain(scopes.into_iter().map(Some));
        let item = |scope_uri| ConfigurationItem { scope_uri, section: Some("pathfinder".to_owned()) };
        let params = ConfigurationParams { items: scopes.map(item).collect() };
        let mut values = self.request::<WorkspaceConfiguration>(params).await?.into_iter();
        let all = values.next().filter(|value| !value.is_null())?;
        Some((all, values.collect()))
    }
}
