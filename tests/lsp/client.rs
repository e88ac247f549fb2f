//! `Client`: a language client of few words. It answers what the server asks, and keeps what the server says until the test
//! asks for it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::documents::Open;
use crate::profile::Profile;
use crate::reports::{Published, Reports};
use crate::tree::Tree;
use crate::{rules, text};

/// Far longer than any step takes, even on a busy machine: a server silent for this long hangs.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(2);

/// A language client over the stdio of the built server.
pub(crate) struct Client<'t> {
    pub(crate) profile: Profile,
    pub(crate) tree: &'t Tree,
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    incoming: Receiver<Value>,
    /// The number of messages.
    pub(crate) messages: usize,
    stderr: Option<thread::JoinHandle<String>>,
    /// The text on stderr, when the server has ended.
    pub(crate) log: String,
    next: i64,
    /// Requests that wait for their answer: id and method.
    asked: BTreeMap<i64, String>,
    answers: BTreeMap<i64, Value>,
    /// Requests without an awaited answer.
    forgone: BTreeSet<i64>,
    /// Messages that the test has to read.
    unread: VecDeque<Value>,
    /// The server's capabilities.
    pub(crate) can: Value,
    pub(crate) encoding: String,
    /// By URI in its plain spelling, as all below.
    pub(crate) documents: BTreeMap<String, Open>,
    pub(crate) published: BTreeMap<String, Published>,
    /// The last versions of documents that were closed: what was said of them may still be on its way.
    pub(crate) closed: BTreeMap<String, i64>,
    pub(crate) reports: Reports,
    /// Documents of whose diagnostics the test has spoken.
    pub(crate) expected: BTreeSet<String>,
    /// The last `pathfinder/status`.
    pub(crate) status: Value,
    /// Goes up with all that may make diagnostics others.
    pub(crate) news: usize,
    /// Methods that the server has registered.
    pub(crate) registered: BTreeSet<String>,
    tokens: BTreeSet<String>,
    /// The kinds of progress that was told.
    pub(crate) progress: Vec<String>,
    /// The answer to `workspace/configuration`.
    pub(crate) settings: Value,
    /// The answers for roots, by URI.
    pub(crate) scoped_settings: BTreeMap<String, Value>,
    /// The number of such questions.
    pub(crate) settings_asked: usize,
    /// The button to press when the server asks the user.
    pub(crate) button: Option<&'static str>,
    /// Answers nothing that the server asks.
    pub(crate) silent: bool,
    /// The test makes up ids of its own, and counts the answers itself.
    pub(crate) own_ids: bool,
    pub(crate) own_answers: usize,
    /// Requests of the server that were left without an answer.
    pub(crate) unanswered: usize,
}

impl<'t> Client<'t> {
    /// A server on the root of a tree, all of which it knows.
    pub(crate) fn ready(tree: &'t Tree, profile: &Profile) -> Self {
        let mut client = Self::start(tree, profile, &[]);
        client.initialize(&[tree.root()], json!({}));
        client.wait_ready();
        client
    }

    /// A server that was told nothing yet.
    pub(crate) fn start(tree: &'t Tree, profile: &Profile, args: &[&str]) -> Self {
        Self::start_with_log(tree, profile, args, "")
    }

    /// A server that logs what this filter lets through; nothing if it is empty.
    pub(crate) fn start_with_log(tree: &'t Tree, profile: &Profile, args: &[&str], filter: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pathfinder"));
        command.arg("lsp").args(args).current_dir(tree.home());
        for (name, _) in std::env::vars_os() {
            let ours = ["RESOLVE_", "PATHFINDER_", "XDG_", "INCLUDE_DIRS", "PWD", "GIT_"];
            if ours.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                command.env_remove(&name);
            }
        }
        command.env("HOME", tree.home()).env("PATHFINDER_CACHE_DIR", tree.place().join("cache"));
        command.env("PATHFINDER_LOG", filter);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let (sender, incoming) = channel();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        let stderr = thread::spawn(move || {
            let mut bytes = Vec::new();
            _ = stderr.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Self {
            profile: profile.clone(),
            tree,
            stdin: child.stdin.take(),
            child,
            incoming,
            messages: 0,
            stderr: Some(stderr),
            log: String::new(),
            next: 0,
            asked: BTreeMap::new(),
            answers: BTreeMap::new(),
            forgone: BTreeSet::new(),
            unread: VecDeque::new(),
            can: Value::Null,
            encoding: "utf-16".to_owned(),
            documents: BTreeMap::new(),
            published: BTreeMap::new(),
            closed: BTreeMap::new(),
            reports: Reports::default(),
            expected: BTreeSet::new(),
            status: Value::Null,
            news: 0,
            registered: BTreeSet::new(),
            tokens: BTreeSet::new(),
            progress: Vec::new(),
            settings: Value::Null,
            scoped_settings: BTreeMap::new(),
            settings_asked: 0,
            button: None,
            silent: false,
            own_ids: false,
            own_answers: 0,
            unanswered: 0,
        }
    }

    /// `initialize` and `initialized` with these folders.
    pub(crate) fn initialize(&mut self, folders: &[PathBuf], options: Value) {
        let named = |path: &PathBuf| json!({"uri": text::uri(path), "name": path.file_name().unwrap().to_str()});
        let mut params = json!({
            "processId": std::process::id(),
            "clientInfo": self.profile.client(),
            "rootUri": folders.first().map(|path| text::uri(path)),
            "capabilities": self.profile.capabilities,
            "workspaceFolders": if folders.is_empty() { Value::Null } else { folders.iter().map(named).collect() },
        });
        if options != json!({}) {
            params["initializationOptions"] = options;
        }
        self.initialize_with(params);
    }

    pub(crate) fn initialize_with(&mut self, params: Value) {
        let result = self.ask("initialize", params);
        assert_eq!(result["serverInfo"]["name"], "pathfinder");
        self.can = result["capabilities"].clone();
        self.encoding = self.can["positionEncoding"].as_str().unwrap().to_owned();
        let offered = self.profile.capabilities.pointer("/general/positionEncodings").and_then(Value::as_array);
        let known = offered.is_none_or(|offered| offered.iter().any(|it| *it == self.encoding));
        assert!(known || self.encoding == "utf-16", "{} was not offered", self.encoding);
        assert_eq!(self.can.get("diagnosticProvider").is_some(), self.profile.pulls(), "{}", self.can);
        self.notify("initialized", json!({}));
    }

    /// Waits until the server says that it knows everything.
    pub(crate) fn wait_ready(&mut self) {
        self.wait("the server to be ready", |client| (client.status["state"] == "ready").then_some(()));
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).and_then(|()| stdin.flush()).unwrap();
    }

    /// Sends one message.
    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request, and gives its id.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        self.asked.insert(self.next, method.to_owned());
        let mut message = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        if message["params"].is_null() {
            message.as_object_mut().unwrap().remove("params");
        }
        self.send(&message);
        self.next
    }

    /// The whole answer to a request, if it is there.
    pub(crate) fn answered(&mut self, id: i64) -> Option<Value> {
        self.answers.remove(&id)
    }

    /// The whole answer to a request.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.wait(&format!("the answer to request {id}"), |client| client.answered(id))
    }

    /// Does not care whether a request was answered: it may have been, by the end.
    pub(crate) fn forgo(&mut self, id: i64) {
        self.forgone.insert(id);
    }

    /// The result of a request.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let shown = params.to_string();
        let id = self.begin(method, params);
        let mut answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method} {shown}: {answer}");
        answer["result"].take()
    }

    /// The error of a request: its code and its words.
    pub(crate) fn ask_wrongly(&mut self, method: &str, params: Value) -> (i64, String) {
        let id = self.begin(method, params);
        let answer = self.answer(id);
        let error = answer.get("error").unwrap_or_else(|| panic!("{method} was answered: {answer}"));
        (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
    }

    /// The next message of a method that the test has to read.
    pub(crate) fn read(&mut self, method: &str) -> Value {
        self.wait(method, |client| {
            let at = client.unread.iter().position(|message| message["method"] == method)?;
            Some(client.unread.remove(at).unwrap()["params"].take())
        })
    }

    /// An answer to no request: what is said of a message that could not be understood.
    pub(crate) fn refusal(&mut self) -> Value {
        self.wait("a refusal", |client| {
            let at = client.unread.iter().position(|message| message.get("method").is_none())?;
            Some(client.unread.remove(at).unwrap()["error"].take())
        })
    }

    /// Reads messages until something is there.
    #[track_caller]
    pub(crate) fn wait<T>(&mut self, what: &str, there: impl Fn(&mut Self) -> Option<T>) -> T {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(value) = there(self) {
                return value;
            }
            match self.incoming.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(message) => self.absorb(message),
                Err(error) => {
                    _ = self.child.kill();
                    let stderr = self.stderr.take().map(|stderr| stderr.join().unwrap());
                    let ended = if error == RecvTimeoutError::Timeout { "" } else { " (it has ended)" };
                    panic!(
                        "{}: waited in vain for {what}{ended}\nunread: {:?}\nstatus: {}\n{}\nstderr: {}",
                        self.profile.name,
                        self.unread,
                        self.status,
                        self.shown(),
                        stderr.unwrap_or_default()
                    );
                }
            }
        }
    }

    fn absorb(&mut self, mut message: Value) {
        self.messages += 1;
        rules::shapes(&message);
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        let id = message.get("id").cloned();
        let Some(method) = message.get("method").and_then(Value::as_str).map(str::to_owned) else {
            if id == Some(Value::Null) && message.get("error").is_some() {
                return self.unread.push_back(message);
            }
            if self.own_ids && id.as_ref().is_some_and(Value::is_string) {
                self.own_answers += 1;
                return;
            }
            let id = id.as_ref().and_then(Value::as_i64).unwrap_or_else(|| panic!("an answer to nothing: {message}"));
            assert!(self.asked.remove(&id).is_some(), "an answer to what was not asked: {message}");
            assert!(message.get("result").is_some() != message.get("error").is_some(), "{message}");
            self.answers.insert(id, message);
            return;
        };
        match id {
            Some(_) if self.silent => self.unanswered += 1,
            Some(id) => {
                let result = self.reply(&method, &message);
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
            }
            None => match method.as_str() {
                "textDocument/publishDiagnostics" => {
                    self.hold_published(&message["params"]);
                    self.take_published(message["params"].take());
                }
                "pathfinder/status" => {
                    rules::status(&message["params"]);
                    self.status = message["params"].take();
                    self.news += 1;
                }
                "$/progress" if Reports::is_part(&message["params"]["token"]) => {
                    // Clients drop what comes after the answer.
                    let is_asked = self.reports.poll.is_some_and(|id| self.asked.contains_key(&id));
                    assert!(is_asked, "a partial result after its answer: {message}");
                    self.reports.take(&message["params"]["value"]["items"]);
                    self.reports.parts += 1;
                    self.news += 1;
                }
                "$/progress" => {
                    let token = message["params"]["token"].to_string();
                    assert!(self.tokens.contains(&token), "progress of what was not begun: {message}");
                    self.progress.push(message["params"]["value"]["kind"].as_str().unwrap().to_owned());
                }
                "window/logMessage" => {}
                "window/showMessage" => self.unread.push_back(message),
                _ => panic!("nobody knows what this is: {message}"),
            },
        }
    }

    /// Answers a request of the server; a client without the capability has to answer too.
    fn reply(&mut self, method: &str, message: &Value) -> Value {
        let params = &message["params"];
        let declares = |pointer: &str| assert!(self.profile.declares(pointer), "not declared: {message}");
        match method {
            "workspace/configuration" => {
                declares("/workspace/configuration");
                self.settings_asked += 1;
                let scoped = |item: &Value| item["scopeUri"].as_str().and_then(|uri| self.scoped_settings.get(uri));
                let all = params["items"].as_array().unwrap().iter();
                all.map(|item| scoped(item).unwrap_or(&self.settings).clone()).collect()
            }
            "client/registerCapability" => {
                for registration in params["registrations"].as_array().unwrap() {
                    let method = registration["method"].as_str().unwrap();
                    declares(&format!("/{method}/dynamicRegistration"));
                    self.registered.insert(method.to_owned());
                }
                Value::Null
            }
            "window/workDoneProgress/create" => {
                declares("/window/workDoneProgress");
                self.tokens.insert(params["token"].to_string());
                Value::Null
            }
            "workspace/diagnostic/refresh" => {
                assert!(self.profile.pulls(), "{message}");
                self.news += 1;
                Value::Null
            }
            "workspace/applyEdit" => {
                declares("/workspace/applyEdit");
                let edit = params["edit"].clone();
                self.unread.push_back(message.clone());
                // The answer follows the changes, as in an editor.
                self.apply(&edit);
                json!({"applied": true})
            }
            "window/showDocument" => {
                declares("/window/showDocument/support");
                self.unread.push_back(message.clone());
                json!({"success": true})
            }
            "window/showMessageRequest" => {
                declares("/window/showMessage");
                self.unread.push_back(message.clone());
                self.button.map_or(Value::Null, |title| json!({"title": title}))
            }
            _ => panic!("nobody knows what this is: {message}"),
        }
    }

    /// Ends the conversation as the protocol wants it, and looks at all that was said.
    pub(crate) fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
        let status = self.exited();
        assert!(status.success(), "{status}");
        // The request for the workspace stays open while nothing changes; at the end it may be answered or not.
        if let Some(poll) = self.reports.poll {
            self.answers.remove(&poll);
        }
        let forgone = std::mem::take(&mut self.forgone);
        self.answers.retain(|id, _| !forgone.contains(id));
        let unread: Vec<_> = self.unread.iter().collect();
        assert!(unread.is_empty(), "{}: nobody has read {unread:#?}", self.profile.name);
        assert!(self.answers.is_empty(), "{}: nobody has read {:?}", self.profile.name, self.answers);
        self.hold_all_expected();
    }

    /// Waits for the end of the process; what it says until then is read.
    pub(crate) fn exited(&mut self) -> ExitStatus {
        self.exited_by(|_| ())
    }

    /// Closes stdin, and waits for the end.
    pub(crate) fn exited_by(&mut self, act: impl FnOnce(&mut Self)) -> ExitStatus {
        act(self);
        loop {
            match self.incoming.recv_timeout(TIMEOUT) {
                Ok(message) => {
                    self.silent = true;
                    self.absorb(message);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    _ = self.child.kill();
                    panic!("it does not end");
                }
            }
        }
        let stderr = self.stderr.take().unwrap().join().unwrap();
        assert!(!stderr.contains("panicked"), "{stderr}");
        self.log = stderr;
        self.child.wait().unwrap()
    }

    /// The client's side is closed.
    pub(crate) fn close_stdin(&mut self) {
        drop(self.stdin.take());
    }
}

impl Drop for Client<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            _ = self.child.kill();
        } else {
            assert!(self.stderr.is_none(), "{}: the test did not end the conversation", self.profile.name);
        }
        _ = self.child.wait();
    }
}

/// The next message; `None` at the end. Whatever is on stdout and is no message is a failure of the test.
fn read(from: &mut impl std::io::BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        length = line.strip_prefix("Content-Length: ").map(|length| length.trim_end().parse().unwrap());
    }
    let mut body = vec![0; length.expect("a length")];
    from.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("JSON"))
}
