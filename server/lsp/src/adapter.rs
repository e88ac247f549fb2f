//! Adapter of `tower_lsp_server`: only this module knows its service and its messages.
//!
//! The crate runs handlers concurrently, and two can change places before they first wait. Here each of them sends a call to
//! the main loop when it is first polled. [`LspConnection::deliver`] polls it at once, so calls start in order.

mod connection;
pub(super) mod json_rpc;

use std::future::ready;

use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::{Client, LanguageServer, ls_types as ls};

use super::handlers::{
    code_action, completion, custom_requests, definition, diagnostic, document_link, execute_command, file_operations,
    hover, initialize, settings, text_sync, workspace_folders, workspace_symbol,
};
use super::lsp_error::LspError;
use super::server_snapshot::ServerSnapshot;
use super::server_state::{ServerState, Updates};
pub(super) use connection::{LspConnection, connect};

/// The service of one client. Its methods send calls to the main loop.
struct Adapter {
    updates: Updates,
    client: Client,
}

impl Adapter {
    /// Runs `start` in the main loop, and its future in the task of the request.
    async fn call<T, W>(&self, start: impl FnOnce(&mut ServerState) -> W + Send + 'static) -> Result<T>
    where
        W: Future<Output = std::result::Result<T, LspError>> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        self.updates.send(move |state| _ = sender.send(start(state)));
        // Without a future, `start` panicked.
        let work = receiver.await.map_err(|_| LspError::defect())?;
        Ok(work.await?)
    }

    /// Runs slow work on a snapshot, in a blocking thread.
    async fn read<T: Send + 'static>(&self, run: impl FnOnce(&ServerSnapshot) -> T + Send + 'static) -> Result<T> {
        self.call(move |state| state.snapshot().read(run)).await
    }

    async fn resolve(&self, params: Value) -> Result<Value> {
        Ok(self.read(move |state| custom_requests::resolve(state, &params)).await??)
    }

    async fn find(&self, params: Value) -> Result<Value> {
        Ok(self.read(move |state| custom_requests::find(state, &params)).await??)
    }

    async fn roots(&self) -> Result<Value> {
        Ok(self.read(custom_requests::roots).await??)
    }

    async fn reindex(&self) -> Result<Value> {
        Ok(self.read(custom_requests::reindex).await??)
    }
}

/// Notifications whose handlers run in the main loop.
macro_rules! notifications {
    ($($method:ident($params:ty) => $handler:path,)*) => {$(
        async fn $method(&self, params: $params) {
            self.updates.send(move |state| $handler(state, params));
        }
    )*};
}

/// Notifications whose handlers run in a blocking thread.
macro_rules! slow_notifications {
    ($($method:ident($params:ty) => $handler:path,)*) => {$(
        async fn $method(&self, params: $params) {
            _ = self.read(move |state| $handler(state, &params)).await;
        }
    )*};
}

/// Requests whose handlers run in a blocking thread.
macro_rules! requests {
    ($($method:ident($params:ty) -> $answer:ty => $handler:path,)*) => {$(
        async fn $method(&self, params: $params) -> Result<$answer> {
            self.read(move |state| $handler(state, &params)).await
        }
    )*};
}

impl LanguageServer for Adapter {
    notifications! {
        initialized(ls::InitializedParams) => initialize::initialized,
        did_open(ls::DidOpenTextDocumentParams) => text_sync::did_open,
        did_change(ls::DidChangeTextDocumentParams) => text_sync::did_change,
        did_save(ls::DidSaveTextDocumentParams) => text_sync::did_save,
        did_close(ls::DidCloseTextDocumentParams) => text_sync::did_close,
        did_change_configuration(ls::DidChangeConfigurationParams) => settings::did_change_configuration,
        did_change_workspace_folders(ls::DidChangeWorkspaceFoldersParams) => workspace_folders::did_change,
    }

    slow_notifications! {
        did_change_watched_files(ls::DidChangeWatchedFilesParams) => file_operations::did_change_watched,
        did_create_files(ls::CreateFilesParams) => file_operations::did_create,
        did_rename_files(ls::RenameFilesParams) => file_operations::did_rename,
        did_delete_files(ls::DeleteFilesParams) => file_operations::did_delete,
    }

    requests! {
        will_delete_files(ls::DeleteFilesParams) -> Option<ls::WorkspaceEdit> => file_operations::will_delete,
        diagnostic(ls::DocumentDiagnosticParams) -> ls::DocumentDiagnosticReportResult => diagnostic::document,
        code_action(ls::CodeActionParams) -> Option<ls::CodeActionResponse> => code_action::code_action,
        document_link(ls::DocumentLinkParams) -> Option<Vec<ls::DocumentLink>> => document_link::document_link,
        hover(ls::HoverParams) -> Option<ls::Hover> => hover::hover,
        goto_definition(ls::GotoDefinitionParams) -> Option<ls::GotoDefinitionResponse> => definition::definition,
        completion(ls::CompletionParams) -> Option<ls::CompletionResponse> => completion::completion,
        symbol(ls::WorkspaceSymbolParams) -> Option<ls::WorkspaceSymbolResponse> => workspace_symbol::workspace_symbol,
    }

    async fn initialize(&self, params: ls::InitializeParams) -> Result<ls::InitializeResult> {
        self.call(move |state| ready(Ok(initialize::initialize(state, &params)))).await
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn will_rename_files(&self, params: ls::RenameFilesParams) -> Result<Option<ls::WorkspaceEdit>> {
        self.call(move |state| file_operations::will_rename(state.snapshot(), params)).await
    }

    async fn workspace_diagnostic(
        &self,
        params: ls::WorkspaceDiagnosticParams,
    ) -> Result<ls::WorkspaceDiagnosticReportResult> {
        self.call(move |state| diagnostic::workspace(state, params)).await
    }

    async fn code_action_resolve(&self, action: ls::CodeAction) -> Result<ls::CodeAction> {
        // Actions need no resolving; some clients ask all the same.
        Ok(action)
    }

    async fn execute_command(&self, params: ls::ExecuteCommandParams) -> Result<Option<Value>> {
        self.call(move |state| execute_command::execute(state.snapshot(), params)).await
    }
}
