//! `Server`: the protocol's methods → one file each below `methods`.

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

use super::desk::Desk;
use super::methods::{
    code_action, commands, completion, definition, diagnostic, document_link, documents, files, folders, hover,
    initialize, requests, settings, symbol,
};

/// How long a request waits for the first reading of the roots. A tree that takes longer is answered for without.
const READING: Duration = Duration::from_secs(30);
/// How long a rename waits for the files that may name what moves. An edit that is left out is lost: editors ask once. VS Code gives
/// participants a minute.
const SURVEYING: Duration = Duration::from_secs(10);

/// One conversation.
pub(super) struct Server(Arc<Desk>);

impl Server {
    pub(super) fn new(desk: Arc<Desk>) -> Self {
        Self(desk)
    }

    /// Reads from `initialize`, as it was sent, what the library's types do not keep.
    pub(super) fn before_initialize(&self, params: &Value) {
        self.0.editor.learn(params);
    }

    /// Has the document of a change that cannot be decoded count as unknown. True if the change can be decoded.
    pub(super) fn check_change(&self, params: &Value) -> bool {
        let Err(error) = DidChangeTextDocumentParams::deserialize(params) else { return true };
        match params.pointer("/textDocument/uri").and_then(Value::as_str) {
            Some(uri) => documents::lose(&self.0, uri, &error.to_string()),
            None => documents::lose_all(&self.0, &error.to_string()),
        }
        false
    }

    /// Has all documents count as unknown, since a message that may have been a change of any cannot be read.
    pub(super) fn lose_documents(&self, reason: &str) {
        documents::lose_all(&self.0, reason);
    }

    /// Runs what takes its time where nobody waits for the thread, and not before the roots are read, if there will be any.
    async fn beside<T: Send + 'static>(&self, run: impl FnOnce(&Arc<Desk>) -> T + Send + 'static) -> Result<T> {
        let desk = Arc::clone(&self.0);
        if desk.workspace.is_open() {
            _ = tokio::time::timeout(READING, desk.known.subscribe().wait_for(|known| *known)).await;
        }
        tokio::task::spawn_blocking(move || run(&desk)).await.map_err(|error| {
            tracing::error!(%error, "a request panicked");
            let message = "this is a defect of pathfinder, please report it with the request".into();
            Error { message, ..Error::internal_error() }
        })
    }

    /// `pathfinder/resolve`.
    pub(super) async fn resolve(&self, params: Value) -> Result<Value> {
        self.beside(move |desk| requests::resolve(desk, &params)).await?
    }

    /// `pathfinder/find`.
    pub(super) async fn find(&self, params: Value) -> Result<Value> {
        self.beside(move |desk| requests::find(desk, &params)).await?
    }

    /// `pathfinder/roots`.
    pub(super) async fn roots(&self) -> Result<Value> {
        self.beside(|desk| requests::roots(desk)).await?
    }

    /// `pathfinder/reindex`.
    pub(super) async fn reindex(&self) -> Result<Value> {
        self.beside(requests::reindex).await?
    }
}

impl LanguageServer for Server {
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
        documents::did_open(&self.0, params);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        documents::did_change(&self.0, params);
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        documents::did_save(&self.0, params);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        documents::did_close(&self.0, &params);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        settings::did_change_configuration(&self.0, params);
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        folders::did_change(&self.0, &params);
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        _ = self.beside(move |desk| files::did_change_watched(desk, &params)).await;
    }

    async fn will_rename_files(&self, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        if self.0.workspace.is_open() {
            _ = tokio::time::timeout(SURVEYING, self.0.is_surveyed.subscribe().wait_for(|is_surveyed| *is_surveyed))
                .await;
        }
        self.beside(move |desk| files::will_rename(desk, &params)).await
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        _ = self.beside(move |desk| files::did_rename(desk, &params)).await;
    }

    async fn will_delete_files(&self, params: DeleteFilesParams) -> Result<Option<WorkspaceEdit>> {
        _ = self.beside(move |desk| files::will_delete(desk, &params)).await;
        Ok(None)
    }

    async fn did_delete_files(&self, params: DeleteFilesParams) {
        let uris: Vec<String> = params.files.into_iter().map(|file| file.uri).collect();
        _ = self.beside(move |desk| files::happened(desk, &uris)).await;
    }

    async fn did_create_files(&self, params: CreateFilesParams) {
        let uris: Vec<String> = params.files.into_iter().map(|file| file.uri).collect();
        _ = self.beside(move |desk| files::happened(desk, &uris)).await;
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        self.beside(move |desk| diagnostic::document(desk, &params)).await
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        diagnostic::workspace(&self.0, params).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        self.beside(move |desk| code_action::code_action(desk, &params)).await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        // Actions are complete from the beginning; some clients ask all the same.
        Ok(action)
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.beside(move |desk| document_link::document_link(desk, &params)).await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        self.beside(move |desk| hover::hover(desk, &params)).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        self.beside(move |desk| definition::definition(desk, &params)).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        self.beside(move |desk| completion::completion(desk, &params)).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        self.beside(move |desk| symbol::symbol(desk, &params)).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        commands::execute(&self.0, params).await
    }
}
