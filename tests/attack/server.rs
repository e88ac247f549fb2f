//! `Server`: the built binary over HTTP, and raw requests to it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::tree::Tree;

/// Far longer than any answer takes, also on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Headers that every client sends.
pub(crate) const HEADERS: &str =
    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\n";

/// A server over HTTP. It ends with this value.
pub(crate) struct Server {
    child: Child,
    address: String,
}

/// A server's answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// 0 if it closed the connection without a word.
    pub(crate) status: u16,
    /// The head and the body, as they came.
    pub(crate) text: String,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        Self { status, text }
    }

    /// The session that was begun.
    pub(crate) fn session(&self) -> String {
        let line = self.text.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        line.unwrap_or_else(|| panic!("no session: {self:?}")).to_owned()
    }
}

impl Server {
    pub(crate) fn start(tree: &Tree) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pathfinder"));
        command.args(["mcp", "--http", "0", "--root"]).arg(tree.root());
        command.env_clear().env("HOME", tree.home()).env("PATH", std::env::var_os("PATH").unwrap());
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        let address = first.split("http://").nth(1).and_then(|rest| rest.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("{first}")).to_owned();
        thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// A connection to it.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Sends these bytes, and reads until the server closes the connection.
    pub(crate) fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses need not read all of it.
        _ = stream.write_all(bytes);
        Self::read(stream)
    }

    /// Reads until the server closes the connection.
    pub(crate) fn read(mut stream: TcpStream) -> Answer {
        let mut bytes = Vec::new();
        let mut part = [0; 4096];
        loop {
            match stream.read(&mut part) {
                Ok(0) => break,
                Ok(read) => bytes.extend_from_slice(&part[..read]),
                // A signal says nothing of the server: the machine was stopped and went on.
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // An answer that comes before the whole request was read may be lost with the connection.
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
                Err(error) => panic!("it hangs, or {error}: {}", String::from_utf8_lossy(&bytes)),
            }
        }
        Answer::parse(&bytes)
    }

    /// Posts a message, in a session if one is named.
    pub(crate) fn post(&self, session: Option<&str>, message: &Value) -> Answer {
        let body = message.to_string();
        let session = session.map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
        let length = body.len();
        self.send(
            format!(
                "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{HEADERS}{session}Content-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    /// Begins a session.
    pub(crate) fn initialize(&self) -> Answer {
        self.post(None, &initialize())
    }

    /// Begins a session as clients do, with a stream for what the server has to say.
    pub(crate) fn open(&self) -> (String, TcpStream) {
        let session = self.initialize().session();
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post(Some(&session), &initialized).status, 202);
        let stream = self.stream(&session);
        (session, stream)
    }

    /// Opens a stream of a session; its head is read.
    pub(crate) fn stream(&self, session: &str) -> TcpStream {
        let mut stream = self.connect();
        let get = format!("GET /mcp HTTP/1.1\r\nHost: localhost\r\n{HEADERS}Mcp-Session-Id: {session}\r\n\r\n");
        stream.write_all(get.as_bytes()).unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        assert_eq!(&head, b"HTTP/1.1 200");
        stream
    }

    /// The memory that it takes, in MB.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The message that begins a session.
pub(crate) fn initialize() -> Value {
    let client =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client})
}
