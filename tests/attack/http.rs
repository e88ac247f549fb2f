//! The server over HTTP: heads and bodies that no client sends, connections and sessions that are never ended.

use std::io::Write as _;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;

use crate::server::{HEADERS, Server, initialize};
use crate::tree::{PROJECT, Tree};

/// A normal request is answered within a second (`tests/bench/http.py`); here beside other tests, unoptimised.
const SOON: Duration = Duration::from_secs(10);

/// Sends each request to one server; compares the statuses, and has the server answer a normal request afterwards.
#[track_caller]
fn check(rows: &[(&str, Vec<u8>, u16)]) {
    let tree = Tree::new(PROJECT);
    let server = Server::start(&tree);
    let answered = rows.iter().map(|(what, request, _)| (*what, server.send(request).status));
    let answered: Vec<(&str, u16)> = answered.collect();
    let expected: Vec<(&str, u16)> = rows.iter().map(|(what, _, status)| (*what, *status)).collect();
    assert_eq!(answered, expected);
    check_alive(&server);
}

/// A session is begun and answered, in time.
#[track_caller]
fn check_alive(server: &Server) {
    let start = Instant::now();
    let answer = server.initialize();
    assert_eq!(answer.status, 200, "{answer:?}");
    let listed = server.post(Some(&answer.session()), &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    assert!(listed.status == 200 && listed.text.contains("path_resolve"), "{listed:?}");
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

/// A request to begin a session with this first line and these headers.
fn head(line: &str, headers: &str) -> Vec<u8> {
    let body = initialize().to_string();
    format!("{line}\r\n{headers}{HEADERS}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// One with a body that says itself how long it is.
fn chunked(body: &[u8]) -> Vec<u8> {
    let head = format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{HEADERS}Transfer-Encoding: chunked\r\n\r\n");
    [head.as_bytes(), body].concat()
}

#[test]
fn heads() {
    let post = "POST /mcp HTTP/1.1";
    let host = |headers: &str| head(post, headers);
    let origin = |origin: &str| head(post, &format!("Host: localhost\r\nOrigin: {origin}\r\n"));
    let target = |line: &str| head(line, "Host: localhost\r\n");
    check(&[
        ("a normal one", host("Host: localhost\r\n"), 200),
        ("with a port", host("Host: localhost:1\r\n"), 200),
        ("of a page of this machine", origin("http://localhost:3000"), 200),
        ("no host", host(""), 400),
        ("two hosts", host("Host: localhost\r\nHost: evil.example\r\n"), 400),
        ("two hosts, the other way round", host("Host: evil.example\r\nHost: localhost\r\n"), 400),
        ("the same host twice", host("Host: localhost\r\nHost: localhost\r\n"), 400),
        ("a host of two", host("Host: localhost, evil.example\r\n"), 400),
        ("a port that is none", host("Host: localhost:99999\r\n"), 400),
        ("a port in letters", host("Host: localhost:abc\r\n"), 400),
        ("no port behind a colon", host("Host: localhost:\r\n"), 400),
        ("port 0", host("Host: localhost:0\r\n"), 400),
        ("a user", host("Host: evil@localhost\r\n"), 400),
        ("a name in brackets", host("Host: [localhost]\r\n"), 400),
        ("another host", host("Host: evil.example\r\n"), 403),
        ("two origins", host("Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example\r\n"), 400),
        ("an origin with a port that is none", origin("http://localhost:99999"), 400),
        ("an origin with a port in letters", origin("http://localhost:abc"), 400),
        ("an origin with a user", origin("http://evil@localhost"), 400),
        ("another origin", origin("http://evil.example"), 403),
        ("no origin", origin("null"), 403),
        ("two sessions", host("Host: localhost\r\nMcp-Session-Id: a\r\nMcp-Session-Id: b\r\n"), 400),
        ("an absolute target", target("POST http://localhost/mcp HTTP/1.1"), 400),
        ("an absolute target elsewhere", target("POST http://evil.example/mcp HTTP/1.1"), 400),
        ("a tunnel", target("CONNECT localhost:80 HTTP/1.1"), 400),
        ("no target", target("OPTIONS * HTTP/1.1"), 400),
        ("another target", target("POST /other HTTP/1.1"), 404),
        ("no version", target("POST /mcp"), 400),
        ("a head that is too long", host(&format!("Host: localhost\r\nX: {}\r\n", "x".repeat(100_000))), 431),
        ("too many headers", host(&format!("Host: localhost\r\n{}", "X: x\r\n".repeat(1000))), 431),
    ]);
}

#[test]
fn bodies() {
    let whole = initialize().to_string();
    let chunk = |size: &str| chunked(format!("{size}\r\n{whole}\r\n0\r\n\r\n").as_bytes());
    let size = format!("{:x}", whole.len());
    let mut named = initialize();
    named["params"]["clientInfo"]["name"] = json!("x".repeat(17 << 10));
    let large = |length: usize| {
        let head = format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{HEADERS}Content-Length: {length}\r\n\r\n");
        head.into_bytes()
    };
    let named = named.to_string();
    check(&[
        ("in a chunk", chunk(&size), 200),
        ("a chunk without a size", chunk("size"), 400),
        ("a chunk of a negative size", chunk("-1"), 400),
        ("a chunk of an endless size", chunk("ffffffffffffffffff"), 400),
        ("a chunk that is shorter than it says", chunk("2"), 400),
        ("no end behind a chunk", chunked(format!("{size}\r\n{whole}xx").as_bytes()), 400),
        ("no JSON", chunked(b"1\r\n{\r\n0\r\n\r\n"), 415),
        ("a session that says too much of itself", [large(named.len()), named.into_bytes()].concat(), 413),
        ("more than there may be", large(100 << 20), 413),
        ("two lengths", head("POST /mcp HTTP/1.1", "Host: localhost\r\nContent-Length: 1\r\n"), 400),
    ]);
}

/// The half of a request, and how the server ends waiting for the rest: without a word, or with 408.
#[test]
fn halves_are_not_awaited() {
    let tree = Tree::new(PROJECT);
    let server = Server::start(&tree);
    let halves = ["POST /mcp HTTP/1.1\r\nHost: loc".to_owned(), half_body()];
    let streams = halves.map(|half| {
        let mut stream = server.connect();
        stream.write_all(half.as_bytes()).unwrap();
        stream
    });
    let start = Instant::now();
    let statuses = streams.map(|stream| Server::read(stream).status);
    assert_eq!(statuses, [0, 408]);
    // Ten seconds each, at the same time.
    assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
}

/// Lets this process open as many files as it may: it is the client of more than a thousand connections.
fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).unwrap();
}

fn half_body() -> String {
    format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{HEADERS}Content-Length: 100\r\n\r\n{{\"jsonrpc\":")
}

/// More connections than there may be, each with a part of a request.
#[test]
fn half_open_connections_keep_nobody_out() {
    const CONNECTIONS: usize = 1200;
    raise_file_limit();
    let tree = Tree::new(PROJECT);
    let server = Server::start(&tree);
    let (session, _stream) = server.open();
    let halves = [String::new(), "POST /mcp HTTP/1.1\r\n".to_owned(), half_body()];
    let open = (0..CONNECTIONS).zip(halves.iter().cycle()).map(|(_, half)| {
        let mut stream = server.connect();
        _ = stream.write_all(half.as_bytes());
        stream
    });
    let open: Vec<_> = open.collect();
    check_alive(&server);
    // A session that is in use goes on.
    assert_eq!(server.post(Some(&session), &json!({"jsonrpc": "2.0", "id": 9, "method": "ping"})).status, 200);
    assert!(server.memory() < 150, "{} MB", server.memory());
    drop(open);
}

#[test]
fn sessions_that_are_never_ended_keep_nobody_out() {
    let tree = Tree::new(PROJECT);
    let server = Server::start(&tree);
    let (used, _stream) = server.open();
    let first = server.initialize().session();
    for _ in 0..300 {
        assert_eq!(server.initialize().status, 200);
    }
    let ping = json!({"jsonrpc": "2.0", "id": 9, "method": "ping"});
    assert_eq!(server.post(Some(&used), &ping).status, 200, "one that is in use goes on");
    assert_eq!(server.post(Some(&first), &ping).status, 404, "one that never asked anything made room");
    check_alive(&server);
    assert!(server.memory() < 150, "{} MB", server.memory());
}

#[test]
fn sessions_in_use_are_limited() {
    let tree = Tree::new(PROJECT);
    let server = Server::start(&tree);
    raise_file_limit();
    let open: Vec<_> = (0..256).map(|_| server.open()).collect();
    let refused = server.initialize();
    assert_eq!(refused.status, 429);
    assert!(refused.text.contains("retry-after: "), "{refused:?}");
    let (session, _) = &open[0];
    // Sessions that are open continue.
    assert_eq!(server.post(Some(session), &json!({"jsonrpc": "2.0", "id": 9, "method": "ping"})).status, 200);
    drop(open);
    // The server learns of it when it next writes to them, or reads.
    let end = Instant::now() + SOON;
    while server.initialize().status == 429 {
        assert!(Instant::now() < end, "there is still no room");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn streams_are_limited() {
    let tree = Tree::new(PROJECT);
    let server = Server::start(&tree);
    raise_file_limit();
    // The protocol library allows 33 for each.
    let sessions: Vec<_> = (0..17).map(|_| server.open()).collect();
    let mut streams: Vec<_> = (17..512).map(|at| server.stream(&sessions[at % 17].0)).collect();
    let refused = server.send(
        format!("GET /mcp HTTP/1.1\r\nHost: localhost\r\n{HEADERS}Mcp-Session-Id: {}\r\n\r\n", sessions[0].0)
            .as_bytes(),
    );
    assert_eq!(refused.status, 429);
    check_alive(&server);
    streams.clear();
    let end = Instant::now() + SOON;
    while server.send(b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").status == 429 {
        assert!(Instant::now() < end, "there is still no room");
        std::thread::sleep(Duration::from_millis(50));
    }
}
