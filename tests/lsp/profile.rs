//! `Profile`: what one editor declares, and what it does by itself.

use serde_json::Value;

/// The capabilities that an editor declares.
#[derive(Clone)]
pub(crate) struct Profile {
    pub(crate) name: &'static str,
    pub(crate) capabilities: Value,
    client: Value,
    /// True if it asks for the diagnostics of the workspace where that is offered. It declares nothing of it.
    asks_for_workspace: bool,
}

const PROFILES: [(&str, &str); 6] = [
    ("vscode", include_str!("profiles/vscode.json")),
    ("zed", include_str!("profiles/zed.json")),
    ("neovim-0.11", include_str!("profiles/neovim-0.11.json")),
    ("neovim-0.12", include_str!("profiles/neovim-0.12.json")),
    ("helix", include_str!("profiles/helix.json")),
    ("emacs", include_str!("profiles/emacs.json")),
];

/// Runs a test under every profile. Which one it was is printed first, and shown if it fails.
#[expect(clippy::print_stderr, reason = "the test harness shows it of a test that fails")]
pub(crate) fn under_all(run: impl Fn(Profile)) {
    for (name, _) in PROFILES {
        eprintln!("as {name}:");
        run(Profile::named(name));
    }
}

impl Profile {
    pub(crate) fn named(name: &str) -> Self {
        let (name, text) = PROFILES.into_iter().find(|(known, _)| *known == name).unwrap();
        let all: Value = serde_json::from_str(text).unwrap();
        Self {
            name,
            capabilities: all["capabilities"].clone(),
            client: all["clientInfo"].clone(),
            asks_for_workspace: all["asksForWorkspaceDiagnostics"].as_bool().unwrap(),
        }
    }

    /// A client that declares just this.
    pub(crate) fn new(capabilities: Value) -> Self {
        let client = serde_json::json!({"name": "test"});
        Self { name: "test", capabilities, client, asks_for_workspace: false }
    }

    /// Returns the profile with only this position encoding.
    pub(crate) fn with_encoding(mut self, encoding: &str) -> Self {
        self.capabilities["general"]["positionEncodings"] = serde_json::json!([encoding]);
        self
    }

    pub(crate) fn client(&self) -> Value {
        self.client.clone()
    }

    pub(crate) fn declares(&self, pointer: &str) -> bool {
        self.capabilities.pointer(pointer).is_some_and(|value| !value.is_null() && *value != Value::Bool(false))
    }

    pub(crate) fn lists(&self, pointer: &str, item: &str) -> bool {
        let list = self.capabilities.pointer(pointer).and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|it| it == item))
    }

    /// It asks for the diagnostics of documents, and does so again when it is told to. Neovim 0.12 then asks for files only
    /// that are not open.
    pub(crate) fn pulls(&self) -> bool {
        let refreshes = ["diagnostics", "diagnostic"].map(|key| format!("/workspace/{key}/refreshSupport"));
        let asks_again = self.client["name"] != "Neovim";
        asks_again
            && self.declares("/textDocument/diagnostic")
            && refreshes.iter().any(|pointer| self.declares(pointer))
    }

    pub(crate) fn pulls_workspace(&self) -> bool {
        self.pulls() && self.asks_for_workspace
    }

    /// It tells what happens to files. Helix declares that, and tells only of what it writes itself.
    pub(crate) fn watches(&self) -> bool {
        self.name != "helix" && self.declares("/workspace/didChangeWatchedFiles/dynamicRegistration")
    }

    pub(crate) fn renames(&self) -> bool {
        self.declares("/workspace/fileOperations/willRename")
    }

    pub(crate) fn versions_edits(&self) -> bool {
        self.declares("/workspace/workspaceEdit/documentChanges")
    }

    pub(crate) fn creates_files(&self) -> bool {
        self.versions_edits() && self.lists("/workspace/workspaceEdit/resourceOperations", "create")
    }

    pub(crate) fn shows_documents(&self) -> bool {
        self.declares("/window/showDocument/support")
    }

    pub(crate) fn asks(&self) -> bool {
        self.declares("/window/showMessage")
    }
}
