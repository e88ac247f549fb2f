//! Implements `LanguageServer`: passes each request and notification to its function in `handlers`.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize as _;
use serde_json::Value;
use tower_lsp_server::LanguageServer;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionParams, CodeActionResponse, CompletionParams, CompletionResponse, CreateFilesParams,
    DeleteFilesParams, DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    DocumentDiagnosticParams, DocumentDiagnosticReportResult, DocumentLink, DocumentLinkParams, ExecuteCommandParams,
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverParams, InitializeParams, InitializeResult,
    InitializedParams, RenameFilesParams, WorkspaceDiagnosticParams, WorkspaceDiagnosticReportResult, WorkspaceEdit,
    WorkspaceSymbolParams, WorkspaceSymbolResponse,
};

use super::handlers::{
    code_action, completion, custom_requests, definition, diagnostic, document_link, execute_command, file_operations,
    hover, initialize, settings, text_sync, workspace_folders, workspace_symbol,
};
use super::server_state::ServerState;

/// Longest time that a request waits for the roots to be read. After that it is answered without them.
const ROOTS_TIMEOUT: Duration = Duration::from_secs(30);
/// Longest time that a rename waits for the files that mention the moved path. Editors ask once, so a missing edit is lost.
/// VS Code gives participants a minute.
const RENAME_TIMEOUT: Duration = Duration::from_secs(10);

/// The service of one client.
pub(super) struct LspServer(Arc<ServerState>);

impl LspServer {
    pub(super) fn new(state: Arc<ServerState>) -> Self {
        Self(state)
    }

    /// Stores the client capabilities from the raw parameters of `initialize`.
    pub(super) fn read_capabilities(&self, params: &Value) {
        self.0.editor.set_capabilities(params);
    }

    /// Returns whether a change can be decoded; if not, marks its document as out of sync.
    pub(super) fn is_change_decodable(&self, params: &Value) -> bool {
        let Err(error) = DidChangeTextDocumentParams::deserialize(params) else { return true };
        match params.pointer("/textDocument/uri").and_then(Value::as_str) {
            Some(uri) => text_sync::mark_out_of_sync(&self.0, uri, &error.to_string()),
            None => text_sync::mark_all_out_of_sync(&self.0, &error.to_string()),
        }
        false
    }

    /// Marks all documents as out of sync: an unreadable message may have been a change of any of them.
    pub(super) fn mark_all_out_of_sync(&self, reason: &str) {
        text_sync::mark_all_out_of_sync(&self.0, reason);
    }

    /// Runs slow work in a blocking thread, after the roots are read if there are any.
    async fn run_blocking<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Arc<ServerState>) -> T + Send + 'static,
    ) -> Result<T> {
        let state = Arc::clone(&self.0);
        if state.workspace.is_open() {
            _ = tokio::time::timeout(ROOTS_TIMEOUT, state.has_known_roots.subscribe().wait_for(|known| *known)).await;
        }
        tokio::task::spawn_blocking(move || run(&state)).await.map_err(|error| {
            tracing::error!(%error, "a request panicked");
            let message = "this is a defect of pathfinder, please report it with the request".into();
            Error { message, ..Error::internal_error() }
        })
    }

    /// Handles `pathfinder/resolve`.
    pub(super) async fn resolve(&self, params: Value) -> Result<Value> {
        self.run_blocking(move |state| custom_requests::resolve(state, &params)).await?
    }

    /// Handles `pathfinder/find`.
    pub(super) async fn find(&self, params: Value) -> Result<Value> {
        self.run_blocking(move |state| custom_requests::find(state, &params)).await?
    }

    /// Handles `pathfinder/roots`.
    pub(super) async fn roots(&self) -> Result<Value> {
        self.run_blocking(|state| custom_requests::roots(state)).await?
    }

    /// Handles `pathfinder/reindex`.
    pub(super) async fn reindex(&self) -> Result<Value> {
        self.run_blocking(custom_requests::reindex).await?
    }
}

impl LanguageServer for LspServer {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        Ok(initialize::initialize(&self.0, &params))
    }

    async fn initialized(&self, _: InitializedParams) {
        initialize::initialized(&self.0);
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        text_sync::did_open(&self.0, params);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        text_sync::did_change(&self.0, params);
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        text_sync::did_save(&self.0, params);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        text_sync::did_close(&self.0, &params);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        settings::did_change_configuration(&self.0, params);
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        workspace_folders::did_change(&self.0, &params);
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        _ = self.run_blocking(move |state| file_operations::did_change_watched(state, &params)).await;
    }

    async fn will_rename_files(&self, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        if self.0.workspace.is_open() {
            _ = tokio::time::timeout(RENAME_TIMEOUT, self.0.has_checked_all.subscribe().wait_for(|checked| *checked))
                .await;
        }
        self.run_blocking(move |state| file_operations::will_rename(state, &params)).await
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        _ = self.run_blocking(move |state| file_operations::did_rename(state, &params)).await;
    }

    async fn will_delete_files(&self, params: DeleteFilesParams) -> Result<Option<WorkspaceEdit>> {
        _ = self.run_blocking(move |state| file_operations::will_delete(state, &params)).await;
        Ok(None)
    }

    async fn did_delete_files(&self, params: DeleteFilesParams) {
        let uris: Vec<String> = params.files.into_iter().map(|file| file.uri).collect();
        _ = self.run_blocking(move |state| file_operations::did_change_by_editor(state, &uris)).await;
    }

    async fn did_create_files(&self, params: CreateFilesParams) {
        let uris: Vec<String> = params.files.into_iter().map(|file| file.uri).collect();
        _ = self.run_blocking(move |state| file_operations::did_change_by_editor(state, &uris)).await;
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        self.run_blocking(move |state| diagnostic::document(state, &params)).await
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        diagnostic::workspace(&self.0, params).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        self.run_blocking(move |state| code_action::code_action(state, &params)).await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        // Actions need no resolving; some clients ask all the same.
        Ok(action)
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.run_blocking(move |state| document_link::document_link(state, &params)).await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.run_blocking(move |state| hover::hover(state, &params)).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        self.run_blocking(move |state| definition::definition(state, &params)).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        self.run_blocking(move |state| completion::completion(state, &params)).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        self.run_blocking(move |state| workspace_symbol::workspace_symbol(state, &params)).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        execute_command::execute(&self.0, params).await
    }
}
