//! `Conversation`: JSON-RPC with a process, in lines or under headers. What the server asks is answered as Zed answers it.

use std::io::{BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Far longer than anything here takes, also on a machine that does much else.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(180);

/// The framing of messages.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Framing {
    Lines,
    Headers,
}

/// A language client over the stdio of a started server.
pub(crate) struct Conversation {
    child: Child,
    stdin: Option<ChildStdin>,
    incoming: Receiver<Value>,
    framing: Framing,
    next: i64,
    /// The source of answers to `workspace/configuration`.
    pub(crate) configuration: Value,
    /// Methods of what the server asked or told.
    pub(crate) heard: Vec<Value>,
}

fn read(from: &mut impl std::io::BufRead, framing: Framing) -> Option<Value> {
    let mut line = String::new();
    if framing == Framing::Lines {
        from.read_line(&mut line).ok().filter(|length| *length > 0)?;
        return Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")));
    }
    let mut length = None;
    loop {
        line.clear();
        from.read_line(&mut line).ok().filter(|length| *length > 0)?;
        match line.trim_end() {
            "" => break,
            header => length = header.strip_prefix("Content-Length: ").map(|it| it.parse().unwrap()).or(length),
        }
    }
    let mut body = vec![0; length.unwrap()];
    from.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

impl Conversation {
    pub(crate) fn with(command: &mut Command, framing: Framing) -> Self {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, incoming) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut stdout, framing) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, incoming, framing, next: 0, configuration: json!({}), heard: Vec::new() }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let text = match self.framing {
            Framing::Lines => format!("{body}\n"),
            Framing::Headers => format!("Content-Length: {}\r\n\r\n{body}", body.len()),
        };
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).unwrap();
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The result of a request.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.until(method, |message| message.get("method").is_none() && message["id"] == id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The next message of this kind; what the server asks meanwhile is answered.
    pub(crate) fn until(&mut self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.incoming.recv_timeout(TIMEOUT);
            let message = message.unwrap_or_else(|error| panic!("{what}: {error}; heard {:#?}", self.heard));
            if message.get("method").is_some() {
                self.heard.push(message.clone());
                if message.get("id").is_some() {
                    self.answer(&message);
                }
            }
            if is(&message) {
                return message;
            }
        }
    }

    fn answer(&mut self, request: &Value) {
        let result = match request["method"].as_str().unwrap() {
            "workspace/configuration" => {
                let items = request["params"]["items"].as_array().unwrap();
                let section = |item: &Value| match item["section"].as_str() {
                    Some(section) => self.configuration[section].clone(),
                    None => self.configuration.clone(),
                };
                items.iter().map(section).collect()
            }
            "workspace/applyEdit" => json!({"applied": true}),
            _ => Value::Null,
        };
        self.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }

    /// Closes its stdin, and waits for it to end well.
    pub(crate) fn end(mut self) {
        self.stdin = None;
        assert!(self.child.wait().unwrap().success(), "it ends with status 0");
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
