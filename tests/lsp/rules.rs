//! Rules that every message of the server keeps, whatever the test is about.

use serde_json::Value;

use crate::client::Client;
use crate::text;

/// Checks every range and URI in a message: ranges run forwards, URIs are valid.
pub(crate) fn shapes(message: &Value) {
    match message {
        Value::Object(members) => {
            if let (Some(start), Some(end)) = (members.get("start"), members.get("end")) {
                let place = |at: &Value| (at["line"].as_u64().unwrap(), at["character"].as_u64().unwrap());
                assert!(place(start) <= place(end), "a range that ends before it begins: {message}");
            }
            for (name, value) in members {
                let names_file = name.to_ascii_lowercase().ends_with("uri") || name == "target";
                if let (true, Some(uri)) = (names_file, value.as_str()) {
                    if uri.starts_with("file:///") {
                        text::path(uri);
                    }
                } else {
                    shapes(value);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(shapes),
        _ => {}
    }
}

/// `pathfinder/status`.
pub(crate) fn status(params: &Value) {
    let state = params["state"].as_str().unwrap();
    assert!(["indexing", "checking", "ready", "failed"].contains(&state), "{params}");
    assert!(params["files"].is_u64() && params["broken"].is_u64() && params["version"].is_string(), "{params}");
    assert_eq!(state == "failed", params.get("message").is_some(), "{params}");
}

impl Client<'_> {
    /// Diagnostics that were pushed.
    pub(crate) fn hold_published(&self, params: &Value) {
        let uri = text::plain(params["uri"].as_str().unwrap());
        let version = params["version"].as_i64();
        let known = self.published.get(&uri).and_then(|known| known.version);
        if let (Some(known), Some(version), Some(_)) = (known, version, self.documents.get(&uri)) {
            assert!(known <= version, "diagnostics of version {version} after those of {known}: {params}");
        }
        if let Some(document) = self.documents.get(&uri) {
            let last = self.closed.get(&uri).copied().unwrap_or_default().max(document.version);
            assert!(version.is_none_or(|version| version <= last), "a version that is not there: {version:?} of {uri}");
            if version == Some(document.version) {
                self.hold_diagnostics(&document.text, params["diagnostics"].as_array().unwrap());
            }
        }
    }

    /// Diagnostics of a text.
    pub(crate) fn hold_diagnostics(&self, text: &str, diagnostics: &[Value]) {
        // Errors in the settings of a project are no broken paths.
        for diagnostic in diagnostics.iter().filter(|it| it["source"] != "pathfinder.toml") {
            let literal = diagnostic["data"]["literal"].as_str().unwrap();
            let slice = text::slice(text, &diagnostic["range"], &self.encoding);
            assert_eq!(slice, Some(literal), "the range is not that of the literal: {diagnostic}\n{text}");
            assert_eq!(diagnostic["source"], "pathfinder");
            assert!(diagnostic["message"].as_str().unwrap().contains(literal), "{diagnostic}");
            let link = diagnostic["codeDescription"]["href"].as_str().unwrap();
            assert!(link.ends_with(&format!("/rules/{}.html", diagnostic["code"].as_str().unwrap())), "{diagnostic}");
            let related = &diagnostic["relatedInformation"];
            let may = self.profile.declares("/textDocument/publishDiagnostics/relatedInformation")
                || self.profile.declares("/textDocument/diagnostic/relatedInformation");
            assert!(related.is_null() || may, "related information that was not asked for: {diagnostic}");
        }
    }

    /// An edit that the client is to apply.
    pub(crate) fn hold_edit(&self, edit: &Value) {
        let has_operations = edit["documentChanges"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|change| change["kind"].as_str())
            .inspect(|kind| {
                assert!(self.profile.lists("/workspace/workspaceEdit/resourceOperations", kind), "{kind}: {edit}");
            })
            .count()
            > 0;
        let is_versioned = edit.get("documentChanges").is_some();
        assert!(is_versioned != edit.get("changes").is_some(), "an edit in two forms, or in none: {edit}");
        assert_eq!(is_versioned, self.profile.versions_edits() || has_operations, "an edit in the wrong form: {edit}");
        for change in edit["documentChanges"].as_array().into_iter().flatten().filter(|it| it.get("kind").is_none()) {
            let named = &change["textDocument"];
            let uri = text::plain(named["uri"].as_str().unwrap());
            let open = self.documents.get(&uri).map(|document| document.version);
            assert_eq!(named["version"].as_i64(), open, "an edit of another version than is there: {change}");
        }
    }
}
