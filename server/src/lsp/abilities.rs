//! What the client can do, read from its `initialize` as it was sent: the types of the library know only one of the two
//! spellings that clients use for some of it.

use serde_json::Value;

use super::position::Encoding;

/// What the client can do, as far as it matters.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "clients declare what they can do one by one")]
pub(super) struct Abilities {
    pub(super) encoding: Encoding,
    /// It asks for the diagnostics of a document, and can be told to ask again.
    pub(super) pulls: bool,
    /// Edits of documents can name the version that they are of.
    pub(super) document_changes: bool,
    /// It creates files as part of an edit.
    pub(super) creates_files: bool,
    /// It can show a document when it is asked to.
    pub(super) shows_documents: bool,
    /// It shows the progress of long work.
    pub(super) progress: bool,
    /// It can be asked to tell what happens to files.
    pub(super) watches: bool,
    /// It is known to tell all of it. Helix and opencode tell only of what they write themselves, Eglot nothing of
    /// directories that are new, coc nothing without a program that is not part of it.
    pub(super) watches_all: bool,
    /// It asks before files are renamed in it.
    pub(super) renames: bool,
    /// It can be asked for its settings.
    pub(super) configuration: bool,
    /// It applies edits when it is asked to.
    pub(super) applies_edits: bool,
    /// Diagnostics can have places that belong to them.
    pub(super) related: bool,
    /// It understands actions that are no commands.
    pub(super) action_literals: bool,
    /// It can ask for an answer with buttons.
    pub(super) asks: bool,
    /// It tells when its settings change, if it is asked to.
    pub(super) tells_settings: bool,
    /// It takes definitions with the range that they are of.
    pub(super) definition_links: bool,
    /// It shows Markdown when one points at something.
    pub(super) markdown: bool,
}

impl Abilities {
    /// From the parameters of `initialize`.
    pub(super) fn of(params: &Value) -> Self {
        let all = &params["capabilities"];
        let has =
            |path: &str| all.pointer(path).is_some_and(|value| *value != Value::Null && *value != Value::Bool(false));
        let lists = |path: &str, item: &str| {
            all.pointer(path).and_then(Value::as_array).is_some_and(|list| list.iter().any(|it| it == item))
        };
        let encodings = all.pointer("/general/positionEncodings").cloned();
        let encodings: Option<Vec<_>> = encodings.and_then(|list| serde_json::from_value(list).ok());
        // The specification says `diagnostics`; the types that Helix and Zed are built with say `diagnostic`.
        let refresh = ["diagnostics", "diagnostic"].iter().any(|key| has(&format!("/workspace/{key}/refreshSupport")));
        let name = params.pointer("/clientInfo/name").and_then(Value::as_str).unwrap_or_default();
        // Neovim 0.12, told to ask again, asks for the workspace only, and takes nothing from there for texts that are open:
        // what is wrong in them would stay as it was when they were edited last.
        let asks_again = refresh && name != "Neovim";
        let watches = has("/workspace/didChangeWatchedFiles/dynamicRegistration");
        Self {
            encoding: Encoding::first(encodings.as_deref()),
            pulls: has("/textDocument/diagnostic") && asks_again,
            document_changes: has("/workspace/workspaceEdit/documentChanges"),
            creates_files: lists("/workspace/workspaceEdit/resourceOperations", "create"),
            shows_documents: has("/window/showDocument/support"),
            progress: has("/window/workDoneProgress"),
            watches,
            watches_all: watches && ["Visual Studio Code", "Zed"].iter().any(|known| name.starts_with(known)),
            renames: has("/workspace/fileOperations/willRename"),
            configuration: has("/workspace/configuration"),
            applies_edits: has("/workspace/applyEdit"),
            related: has("/textDocument/publishDiagnostics/relatedInformation")
                || has("/textDocument/diagnostic/relatedInformation"),
            action_literals: has("/textDocument/codeAction/codeActionLiteralSupport"),
            asks: has("/window/showMessage"),
            tells_settings: has("/workspace/didChangeConfiguration/dynamicRegistration"),
            definition_links: has("/textDocument/definition/linkSupport"),
            markdown: lists("/textDocument/hover/contentFormat", "markdown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_spellings() {
        let of = |workspace: Value| {
            Abilities::of(&json!({"capabilities": {
                "textDocument": {"diagnostic": {"dynamicRegistration": true}}, "workspace": workspace,
            }}))
        };
        assert!(of(json!({"diagnostics": {"refreshSupport": true}})).pulls);
        assert!(of(json!({"diagnostic": {"refreshSupport": true}})).pulls);
        assert!(!of(json!({"diagnostic": {"refreshSupport": false}})).pulls);
        assert!(!of(json!({})).pulls);
    }

    #[test]
    fn a_client_that_does_not_ask_again() {
        let of = |name: &str| {
            Abilities::of(&json!({"clientInfo": {"name": name}, "capabilities": {
                "textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": true}},
            }}))
        };
        assert!(!of("Neovim").pulls);
        assert!(of("helix").pulls);
    }

    #[test]
    fn who_watches() {
        let of = |name: &str| {
            Abilities::of(&json!({"clientInfo": {"name": name}, "capabilities": {
                "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
            }}))
        };
        for (name, all) in [("Visual Studio Code - Insiders", true), ("Zed", true), ("helix", false), ("", false)] {
            assert!(of(name).watches && of(name).watches_all == all, "{name}");
        }
    }

    #[test]
    fn nonsense_is_nothing() {
        for params in [json!(null), json!([]), json!({"capabilities": 3}), json!({"capabilities": {"workspace": []}})] {
            let abilities = Abilities::of(&params);
            assert!(!abilities.pulls && !abilities.watches && abilities.encoding == Encoding::Utf16);
        }
    }

    #[test]
    fn encodings() {
        let of =
            |list: Value| Abilities::of(&json!({"capabilities": {"general": {"positionEncodings": list}}})).encoding;
        assert_eq!(of(json!(["utf-32", "utf-8", "utf-16"])), Encoding::Utf32);
        assert_eq!(of(json!(["utf-7", "utf-8"])), Encoding::Utf8);
        assert_eq!(of(json!([])), Encoding::Utf16);
        assert_eq!(of(json!("utf-8")), Encoding::Utf16);
    }
}
