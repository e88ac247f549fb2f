//! Client capabilities, read from the raw JSON of `initialize`.
//!
//! The types of `tower_lsp_server` know only one of the two spellings that clients use for some capabilities.

use serde_json::Value;

use super::line_index::PositionEncoding;

/// The client capabilities that the server uses.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "clients declare what they can do one by one")]
pub(super) struct ClientCapabilities {
    /// The negotiated position encoding.
    pub(super) encoding: PositionEncoding,
    /// The client pulls document diagnostics and supports refresh requests.
    pub(super) has_pull_diagnostics: bool,
    /// Workspace edits may carry document versions (`documentChanges`).
    pub(super) has_document_changes: bool,
    /// Workspace edits may create files.
    pub(super) can_create_files: bool,
    /// Supports `window/showDocument`.
    pub(super) can_show_documents: bool,
    /// Shows the progress of long work.
    pub(super) has_progress: bool,
    /// Supports dynamic registration of `workspace/didChangeWatchedFiles`.
    pub(super) can_watch_files: bool,
    /// The client is known to report every change on disk. Helix and opencode report only their own writes, Eglot nothing
    /// in new directories, and coc nothing without a separate program.
    pub(super) is_watch_complete: bool,
    /// Sends `workspace/willRenameFiles`.
    pub(super) has_will_rename: bool,
    /// Supports `workspace/configuration`.
    pub(super) has_configuration: bool,
    /// Supports `workspace/applyEdit`.
    pub(super) can_apply_edits: bool,
    /// Diagnostics may have related information.
    pub(super) has_related_information: bool,
    /// Supports code actions that are not commands.
    pub(super) has_code_action_literals: bool,
    /// Supports `window/showMessageRequest`, a question with buttons.
    pub(super) can_ask_user: bool,
    /// Supports dynamic registration of `workspace/didChangeConfiguration`.
    pub(super) has_configuration_events: bool,
    /// Definitions may carry the range of their origin.
    pub(super) has_definition_links: bool,
    /// Shows the diagnostics of a place in its hover. The extension for VS Code decides that itself, since it knows which
    /// diagnostics are shown.
    pub(super) has_diagnostics_in_hover: bool,
    /// Shows Markdown in hovers.
    pub(super) has_hover_markdown: bool,
}

impl ClientCapabilities {
    /// Reads the parameters of `initialize`; missing or malformed members count as unsupported.
    pub(super) fn new(params: &Value) -> Self {
        let all = &params["capabilities"];
        let has =
            |path: &str| all.pointer(path).is_some_and(|value| *value != Value::Null && *value != Value::Bool(false));
        let lists = |path: &str, item: &str| {
            all.pointer(path).and_then(Value::as_array).is_some_and(|list| list.iter().any(|it| it == item))
        };
        let encodings = all.pointer("/general/positionEncodings").cloned();
        let encodings: Option<Vec<_>> = encodings.and_then(|list| serde_json::from_value(list).ok());
        // The specification says `diagnostics`; the types that Helix and Zed use say `diagnostic`.
        let refresh = ["diagnostics", "diagnostic"].iter().any(|key| has(&format!("/workspace/{key}/refreshSupport")));
        let name = params.pointer("/clientInfo/name").and_then(Value::as_str).unwrap_or_default();
        // After a refresh request, Neovim 0.12 pulls the workspace only and ignores its reports for open documents. Their
        // diagnostics would stay as they were at the last edit.
        let can_refresh = refresh && name != "Neovim";
        let can_watch_files = has("/workspace/didChangeWatchedFiles/dynamicRegistration");
        Self {
            encoding: PositionEncoding::negotiate(encodings.as_deref()),
            has_pull_diagnostics: has("/textDocument/diagnostic") && can_refresh,
            has_document_changes: has("/workspace/workspaceEdit/documentChanges"),
            can_create_files: lists("/workspace/workspaceEdit/resourceOperations", "create"),
            can_show_documents: has("/window/showDocument/support"),
            has_progress: has("/window/workDoneProgress"),
            can_watch_files,
            is_watch_complete: can_watch_files
                && ["Visual Studio Code", "Zed"].iter().any(|known| name.starts_with(known)),
            has_will_rename: has("/workspace/fileOperations/willRename"),
            has_configuration: has("/workspace/configuration"),
            can_apply_edits: has("/workspace/applyEdit"),
            has_related_information: has("/textDocument/publishDiagnostics/relatedInformation")
                || has("/textDocument/diagnostic/relatedInformation"),
            has_code_action_literals: has("/textDocument/codeAction/codeActionLiteralSupport"),
            can_ask_user: has("/window/showMessage"),
            has_configuration_events: has("/workspace/didChangeConfiguration/dynamicRegistration"),
            has_definition_links: has("/textDocument/definition/linkSupport"),
            has_diagnostics_in_hover: name.starts_with("Zed"),
            has_hover_markdown: lists("/textDocument/hover/contentFormat", "markdown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn accepts_both_spellings_of_refresh_support() {
        let parse = |workspace: Value| {
            ClientCapabilities::new(&json!({"capabilities": {
                "textDocument": {"diagnostic": {"dynamicRegistration": true}}, "workspace": workspace,
            }}))
        };
        assert!(parse(json!({"diagnostics": {"refreshSupport": true}})).has_pull_diagnostics);
        assert!(parse(json!({"diagnostic": {"refreshSupport": true}})).has_pull_diagnostics);
        assert!(!parse(json!({"diagnostic": {"refreshSupport": false}})).has_pull_diagnostics);
        assert!(!parse(json!({})).has_pull_diagnostics);
    }

    #[test]
    fn neovim_does_not_pull() {
        let parse = |name: &str| {
            ClientCapabilities::new(&json!({"clientInfo": {"name": name}, "capabilities": {
                "textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}},
            }}))
        };
        assert!(!parse("Neovim").has_pull_diagnostics);
        assert!(parse("helix").has_pull_diagnostics);
    }

    #[test]
    fn trusts_known_clients_to_report_all_changes() {
        let parse = |name: &str| {
            ClientCapabilities::new(&json!({"clientInfo": {"name": name}, "capabilities": {
                "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
            }}))
        };
        for (name, all) in [("Visual Studio Code - Insiders", true), ("Zed", true), ("helix", false), ("", false)] {
            assert!(parse(name).can_watch_files && parse(name).is_watch_complete == all, "{name}");
        }
    }

    #[test]
    fn malformed_capabilities_give_defaults() {
        for params in [json!(null), json!([]), json!({"capabilities": 3}), json!({"capabilities": {"workspace": []}})] {
            let capabilities = ClientCapabilities::new(&params);
            assert!(
                !capabilities.has_pull_diagnostics
                    && !capabilities.can_watch_files
                    && capabilities.encoding == PositionEncoding::Utf16
            );
        }
    }

    #[test]
    fn picks_the_first_known_encoding() {
        let parse = |list: Value| {
            ClientCapabilities::new(&json!({"capabilities": {"general": {"positionEncodings": list}}})).encoding
        };
        assert_eq!(parse(json!(["utf-32", "utf-8", "utf-16"])), PositionEncoding::Utf32);
        assert_eq!(parse(json!(["utf-7", "utf-8"])), PositionEncoding::Utf8);
        assert_eq!(parse(json!([])), PositionEncoding::Utf16);
        assert_eq!(parse(json!("utf-8")), PositionEncoding::Utf16);
    }
}
