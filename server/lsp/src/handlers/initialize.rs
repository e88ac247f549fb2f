//! `initialize` and `initialized`: opens the roots, and tells the client what the server offers.

use tower_lsp_server::ls_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions, DiagnosticOptions,
    DiagnosticServerCapabilities, DocumentLinkOptions, ExecuteCommandOptions, FileOperationFilter,
    FileOperationPattern, FileOperationRegistrationOptions, HoverProviderCapability, InitializeParams,
    InitializeResult, InitializedParams, OneOf, SaveOptions, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
    WorkDoneProgressOptions, WorkspaceFileOperationsServerCapabilities, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};

use super::super::editor::ServerPhase;
use super::super::preferences::Preferences;
use super::super::publish_event::PublishEvent;
use super::super::server_state::ServerState;
use super::super::to_proto::SOURCE;
use super::super::{roots, watch_registration};
use super::code_action::FIX_ALL;
use super::server_command::ServerCommand;
use super::settings;

/// Handles `initialize`: applies settings, opens the roots, and returns the server capabilities.
pub(crate) fn initialize(state: &mut ServerState, params: &InitializeParams) -> InitializeResult {
    if let Some(options) = &params.initialization_options {
        let (preferences, overrides, errors) = Preferences::parse(options, &state.flags);
        state.modify(|data| data.preferences = preferences);
        state.workspace.configure(overrides);
        settings::show_errors(state, errors);
    }
    state.is_initialized = true;
    watch_registration::choose_source(state);
    let folders = roots::client_roots(params);
    if let Some(fixed) = &state.cli_roots {
        state.workspace.open(fixed.clone());
    } else if !folders.is_empty() {
        // Without folders, the first opened file determines the root.
        state.workspace.open_from_client(folders);
    }
    let server_info = ServerInfo { name: SOURCE.to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    InitializeResult { capabilities: capabilities(state), server_info: Some(server_info), offset_encoding: None }
}

/// Handles `initialized`: sends the status, and registers for file changes and settings.
pub(crate) fn initialized(state: &mut ServerState, _: InitializedParams) {
    if state.workspace.is_open() {
        state.send(PublishEvent::Status(state.status.clone()));
    } else {
        // No tree is read before a file is opened.
        state.update_status(|status| status.state = ServerPhase::Ready);
    }
    let state = state.snapshot();
    // In a task, since the client may never answer.
    tokio::spawn(async move {
        let client = state.editor.capabilities();
        if client.can_watch_files {
            watch_registration::register(&state).await;
        }
        settings::register(&state).await;
        if client.has_configuration {
            settings::pull(&state).await;
        }
    });
}

fn capabilities(state: &ServerState) -> ServerCapabilities {
    let client = state.editor.capabilities();
    // Saved text repairs documents whose changes the client has miscounted (Helix, in documents that it opens to apply an
    // edit).
    let save = TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(true) });
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(save),
        ..TextDocumentSyncOptions::default()
    };
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::new(FIX_ALL)]),
        resolve_provider: Some(true),
        ..CodeActionOptions::default()
    };
    let diagnostics = DiagnosticOptions {
        identifier: Some(SOURCE.to_owned()),
        // Changes of other files matter.
        inter_file_dependencies: true,
        workspace_diagnostics: true,
        ..DiagnosticOptions::default()
    };
    let links = DocumentLinkOptions {
        resolve_provider: Some(false),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    };
    let completion = CompletionOptions {
        trigger_characters: Some(["/", "\"", "'", "(", "<"].map(str::to_owned).to_vec()),
        resolve_provider: Some(false),
        ..CompletionOptions::default()
    };
    let commands = ExecuteCommandOptions {
        commands: ServerCommand::ALL.map(|command| command.name().to_owned()).to_vec(),
        ..ExecuteCommandOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        code_action_provider: Some(if client.has_code_action_literals {
            CodeActionProviderCapability::Options(actions)
        } else {
            CodeActionProviderCapability::Simple(true)
        }),
        diagnostic_provider: client.has_pull_diagnostics.then_some(DiagnosticServerCapabilities::Options(diagnostics)),
        document_link_provider: Some(links),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        completion_provider: Some(completion),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(commands),
        workspace: Some(workspace()),
        ..ServerCapabilities::default()
    }
}

fn workspace() -> WorkspaceServerCapabilities {
    // Without `matches` the filter covers files and directories.
    let pattern = FileOperationPattern { glob: "**/*".to_owned(), matches: None, options: None };
    let filter = FileOperationFilter { scheme: Some("file".to_owned()), pattern };
    let all = Some(FileOperationRegistrationOptions { filters: vec![filter] });
    let folders =
        WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(OneOf::Left(true)) };
    WorkspaceServerCapabilities {
        workspace_folders: Some(folders),
        file_operations: Some(WorkspaceFileOperationsServerCapabilities {
            did_create: all.clone(),
            will_create: None,
            did_rename: all.clone(),
            will_rename: all.clone(),
            did_delete: all.clone(),
            will_delete: all,
        }),
    }
}
