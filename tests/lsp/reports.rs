//! The server's diagnostics, however this client gets them: pushed, pulled by document, or pulled for
//! the whole workspace.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::Client;
use crate::text;

/// The last pushed diagnostics of a document.
#[derive(Debug)]
pub(crate) struct Published {
    pub(crate) version: Option<i64>,
    pub(crate) diagnostics: Vec<Value>,
}

/// Pulled diagnostics. By URI: the result's id, and its diagnostics.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    documents: BTreeMap<String, (String, Vec<Value>)>,
    pub(crate) workspace: BTreeMap<String, (String, Vec<Value>)>,
    /// The request that the server answers when something has changed.
    pub(crate) poll: Option<i64>,
    /// The number of partial results before the end of an answer.
    pub(crate) parts: usize,
    polls: usize,
}

impl Reports {
    /// Returns whether a token of progress is that of the request for the workspace.
    pub(crate) fn is_part(token: &Value) -> bool {
        token.as_str().is_some_and(|token| token.starts_with("workspace-"))
    }

    /// Takes in a part of an answer.
    pub(crate) fn take(&mut self, items: &Value) {
        for item in items.as_array().unwrap() {
            let uri = text::plain(item["uri"].as_str().unwrap());
            let id = item["resultId"].as_str().unwrap().to_owned();
            match item["kind"].as_str().unwrap() {
                "full" => _ = self.workspace.insert(uri, (id, item["items"].as_array().unwrap().clone())),
                "unchanged" => assert_eq!(self.workspace[&uri].0, id, "unchanged from what was never said: {item}"),
                other => panic!("no kind of report: {other}"),
            }
        }
    }
}

/// Less likely fixes are guesses, of which no test depends.
const LIKELY: f64 = 0.8;

/// `LINE CODE LITERAL -> FIX` of each diagnostic.
pub(crate) fn rows(diagnostics: &[Value]) -> Vec<String> {
    let row = |it: &Value| {
        let fix = it["data"]["fixes"]
            .get(0)
            .filter(|fix| fix["confidence"].as_f64().unwrap() >= LIKELY)
            .map(|fix| format!(" -> {}", fix["literal"].as_str().unwrap()));
        let (line, code) = (it["range"]["start"]["line"].as_u64().unwrap() + 1, it["code"].as_str().unwrap());
        format!("{line} {code} {}{}", it["data"]["literal"].as_str().unwrap(), fix.unwrap_or_default())
    };
    diagnostics.iter().map(row).collect()
}

impl Client<'_> {
    pub(crate) fn take_published(&mut self, mut params: Value) {
        let uri = text::plain(params["uri"].as_str().unwrap());
        let version = params["version"].as_i64();
        let Value::Array(diagnostics) = params["diagnostics"].take() else { panic!("no list: {params}") };
        self.published.insert(uri, Published { version, diagnostics });
    }

    /// Waits until these are the diagnostics of a document below the root.
    #[track_caller]
    pub(crate) fn expect(&mut self, path: &str, expect: &[&str]) -> Vec<Value> {
        let uri = self.uri(path);
        self.expect_of(&uri, expect)
    }

    /// Expects diagnostics of a document named by its URI.
    #[track_caller]
    pub(crate) fn expect_of(&mut self, uri: &str, expect: &[&str]) -> Vec<Value> {
        let uri = text::plain(uri);
        self.expected.insert(uri.clone());
        let what = format!("the diagnostics of {uri}: {expect:#?}");
        let is_open = self.documents.contains_key(&uri);
        if is_open && self.profile.pulls() {
            loop {
                let before = self.news;
                let mut all = self.pull(&uri);
                if rows(&all) != expect {
                    // Fixes are looked for beside; actions wait for them.
                    self.look_for_fixes(&uri);
                    all = self.pull(&uri);
                }
                // Pulled diagnostics are not pushed as well.
                let is_pushed =
                    |client: &Self| client.published.get(&uri).is_some_and(|pushed| !pushed.diagnostics.is_empty());
                if rows(&all) == expect && !is_pushed(self) {
                    let text = self.documents[&uri].text.clone();
                    self.hold_diagnostics(&text, &all);
                    return all;
                }
                self.wait(&format!("{what}\nnot {:#?}", rows(&all)), |client| {
                    (client.news > before || (rows(&all) == expect && !is_pushed(client))).then_some(())
                });
            }
        }
        if !is_open && self.profile.pulls_workspace() {
            return self.wait(&what, |client| {
                client.poll();
                let all = client.reports.workspace.get(&uri).map(|(_, all)| all.clone()).unwrap_or_default();
                let pushed = client.published.get(&uri).is_some_and(|pushed| !pushed.diagnostics.is_empty());
                (rows(&all) == expect && !pushed).then_some(all)
            });
        }
        self.wait(&what, |client| {
            let version = client.documents.get(&uri).map(|document| document.version);
            let Some(published) = client.published.get(&uri) else {
                return (expect.is_empty() && !is_open).then(Vec::new);
            };
            // A withdrawal has no version.
            let is_gone = published.diagnostics.is_empty() && published.version.is_none();
            let is_current = !is_open || published.version == version || is_gone;
            (is_current && rows(&published.diagnostics) == expect).then(|| published.diagnostics.clone())
        })
    }

    /// Has all fixes of an open document looked for.
    pub(crate) fn look_for_fixes(&mut self, uri: &str) {
        let open = &self.documents[&text::plain(uri)];
        let end = text::position(&open.text, open.text.len(), &self.encoding);
        let range = json!({"start": {"line": 0, "character": 0}, "end": end});
        let params = json!({"textDocument": {"uri": open.uri}, "range": range, "context": {"diagnostics": []}});
        self.ask("textDocument/codeAction", params);
    }

    /// Waits until so many diagnostics are reported of a document, whatever they say.
    pub(crate) fn wait_for_rows(&mut self, path: &str, count: usize) -> Vec<Value> {
        let uri = text::plain(&self.uri(path));
        self.expected.insert(uri.clone());
        loop {
            let before = self.news;
            let all = if self.documents.contains_key(&uri) && self.profile.pulls() {
                self.pull(&uri)
            } else if self.profile.pulls_workspace() {
                self.poll();
                self.reports.workspace.get(&uri).map(|(_, all)| all.clone()).unwrap_or_default()
            } else {
                self.published.get(&uri).map(|it| it.diagnostics.clone()).unwrap_or_default()
            };
            if all.len() == count {
                return all;
            }
            let messages = self.messages;
            self.wait(&format!("{count} diagnostics of {uri}"), |client| {
                (client.news > before || client.messages > messages).then_some(())
            });
        }
    }

    /// Asks for the diagnostics of an open document.
    pub(crate) fn pull(&mut self, uri: &str) -> Vec<Value> {
        let uri = text::plain(uri);
        let mut params = json!({"textDocument": {"uri": self.documents[&uri].uri}, "identifier": "pathfinder"});
        if let Some((id, _)) = self.reports.documents.get(&uri) {
            params["previousResultId"] = json!(id);
        }
        let report = self.ask("textDocument/diagnostic", params);
        let id = report["resultId"].as_str().unwrap().to_owned();
        match report["kind"].as_str().unwrap() {
            "unchanged" => assert_eq!(self.reports.documents[&uri].0, id, "{report}"),
            _ => _ = self.reports.documents.insert(uri.clone(), (id, report["items"].as_array().unwrap().clone())),
        }
        self.reports.documents[&uri].1.clone()
    }

    /// All that is known of diagnostics, to be read.
    pub(crate) fn shown(&self) -> String {
        let pushed = self.published.iter();
        let pushed = pushed.map(|(uri, it)| format!("pushed {uri} {:?}: {:?}", it.version, rows(&it.diagnostics)));
        let asked = self.reports.documents.iter().map(|(uri, (_, all))| format!("asked {uri}: {:?}", rows(all)));
        let workspace =
            self.reports.workspace.iter().map(|(uri, (_, all))| format!("workspace {uri}: {:?}", rows(all)));
        pushed.chain(asked).chain(workspace).collect::<Vec<_>>().join("\n")
    }

    /// Takes in the answer to the request for the workspace, if it is there, and asks again.
    pub(crate) fn poll(&mut self) {
        if let Some(id) = self.reports.poll {
            let Some(answer) = self.answered(id) else { return };
            self.reports.take(&answer["result"]["items"]);
        }
        self.reports.polls += 1;
        let known =
            self.reports.workspace.iter().map(|(uri, (id, _))| json!({"uri": text::uri(uri.as_ref()), "value": id}));
        let known: Vec<Value> = known.collect();
        let token = format!("workspace-{}", self.reports.polls);
        let params = json!({"identifier": "pathfinder", "previousResultIds": known, "partialResultToken": token});
        self.reports.poll = Some(self.begin("workspace/diagnostic", params));
    }

    /// Nothing is reported that the test has not spoken of, and nothing twice.
    pub(crate) fn hold_all_expected(&self) {
        for (uri, published) in &self.published {
            let count = published.diagnostics.len();
            assert!(
                count == 0 || self.expected.contains(uri),
                "{}: nobody expected {published:#?} of {uri}",
                self.profile.name
            );
            let pulled = self.profile.pulls() && self.documents.contains_key(uri)
                || self.reports.workspace.get(uri).is_some_and(|(_, all)| !all.is_empty());
            assert!(count == 0 || !pulled, "{}: {uri} was reported in both ways", self.profile.name);
        }
        for (uri, (_, all)) in &self.reports.workspace {
            assert!(
                all.is_empty() || self.expected.contains(uri),
                "{}: nobody expected {all:#?} of {uri}",
                self.profile.name
            );
        }
    }
}
