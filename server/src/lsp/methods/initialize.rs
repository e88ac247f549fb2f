//! `initialize`: what the client can do, and what is offered to it.

use std::sync::Arc;

use tower_lsp_server::ls_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions, DiagnosticOptions,
    DiagnosticServerCapabilities, DocumentLinkOptions, ExecuteCommandOptions, FileOperationFilter,
    FileOperationPattern, FileOperationRegistrationOptions, HoverProviderCapability, InitializeParams,
    InitializeResult, OneOf, SaveOptions, ServerCapabilities, ServerInfo, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
    WorkspaceFileOperationsServerCapabilities, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};

use super::super::desk::Desk;
use super::super::editor::State;
use super::super::encode::SOURCE;
use super::super::preferences::Preferences;
use super::super::work::Work;
use super::super::{roots, watching};
use super::code_action::FIX_ALL;
use super::command::Command;
use super::settings;

pub(in crate::lsp) fn initialize(desk: &Arc<Desk>, params: &InitializeParams) -> InitializeResult {
    if let Some(options) = &params.initialization_options {
        let (preferences, given, wrong) = Preferences::of(options, &desk.flags);
        desk.set_preferences(preferences);
        desk.workspace.configure(given);
        settings::complain(desk, wrong);
    }
    watching::follow(desk);
    let named = roots::named(params);
    if let Some(fixed) = &desk.fixed {
        desk.workspace.open(fixed.clone());
    } else if !named.is_empty() {
        // Without any, the first file that is opened says where the work is.
        desk.workspace.offer(named);
    }
    let server_info = ServerInfo { name: SOURCE.to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    InitializeResult { capabilities: capabilities(desk), server_info: Some(server_info), offset_encoding: None }
}

pub(in crate::lsp) fn initialized(desk: &Arc<Desk>) {
    let can = desk.editor.can();
    if desk.workspace.is_open() {
        desk.give(Work::Status(desk.status()));
    } else {
        // Nothing is read until a file is opened.
        desk.tell(|status| status.state = State::Ready);
    }
    let desk = Arc::clone(desk);
    // A client that does not answer keeps nobody waiting.
    let (watches, asks) = (can.watches, can.configuration);
    tokio::spawn(async move {
        if watches {
            watching::register(&desk).await;
        }
        settings::register(&desk).await;
        if asks {
            settings::pull(&desk).await;
        }
    });
}

fn capabilities(desk: &Desk) -> ServerCapabilities {
    let can = desk.editor.can();
    // With the text: a client that has lost count of its changes (Helix, of what it opens to apply an edit) is right again.
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
        // What is moved or made elsewhere makes a difference.
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
        commands: Command::ALL.map(|command| command.name().to_owned()).to_vec(),
        ..ExecuteCommandOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(can.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        code_action_provider: Some(if can.action_literals {
            CodeActionProviderCapability::Options(actions)
        } else {
            CodeActionProviderCapability::Simple(true)
        }),
        diagnostic_provider: can.pulls.then_some(DiagnosticServerCapabilities::Options(diagnostics)),
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
    // Files and directories alike: without `matches` it is both.
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
