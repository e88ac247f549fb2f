//! Tests of ended sessions: the oldest idle one beyond the limit, and one that is idle for too long.

use std::time::Duration;

use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::*;

/// Enters three sessions of three, applies `events` (`r1`: a request of session 1, `s1`: it opens a stream, `d1`: it drops it), and
/// enters one more. Compares the session that was ended for it; `None` if the new one is refused.
#[track_caller]
fn check(events: &[&str], expect: Option<usize>) {
    let mut table = SessionTable { max: 3, entries: BTreeMap::new(), ticks: 0 };
    let ids: Vec<SessionId> = ["c", "a", "b"].map(Into::into).to_vec();
    for id in &ids {
        assert!(matches!(table.enter(id), Ok(None)));
    }
    for event in events {
        let (what, at) = event.split_at(1);
        let id = &ids[at.parse::<usize>().expect("a number") - 1];
        match what {
            "r" => table.touch(id, true),
            "s" => table.entries.get_mut(id).expect("it is there").open_streams += 1,
            _ => table.entries.get_mut(id).expect("it is there").open_streams -= 1,
        }
    }
    let ended = table.enter(&"d".into()).ok().flatten();
    assert_eq!(ended.and_then(|ended| ids.iter().position(|id| *id == ended)).map(|at| at + 1), expect, "{events:?}");
    assert_eq!(table.entries.len(), 3, "{events:?}");
}

#[test]
fn ends_the_least_recently_used_session() {
    check(&[], Some(1));
    check(&["r1"], Some(2));
    check(&["r1", "r2"], Some(3));
    check(&["r1", "r2", "r3"], Some(1));
    check(&["r1", "r2", "r3", "r1"], Some(2));
    check(&["s1", "s2"], Some(3));
    check(&["r3", "s1", "s2"], Some(3));
    check(&["s1", "s2", "s3"], None);
    check(&["s1", "s2", "s3", "d2"], Some(2));
}

/// A flood replaces its own sessions and leaves most of the table to others.
#[test]
fn reserves_sessions_for_new_clients() {
    let mut table = SessionTable { max: 8, entries: BTreeMap::new(), ticks: 0 };
    let ids: Vec<SessionId> = (0..16).map(|at| at.to_string().into()).collect();
    for id in &ids[..8] {
        assert!(matches!(table.enter(id), Ok(None)));
        table.touch(id, true);
    }
    let ended: Vec<String> =
        ids[8..].iter().map(|id| table.enter(id).ok().flatten().expect("one").to_string()).collect();
    assert_eq!(ended, ["0", "1", "2", "8", "9", "10", "11", "12"]);
}

struct SilentServer;
impl ServerHandler for SilentServer {}

/// Opens a session and sends no request.
#[tokio::test]
async fn ends_an_idle_session() {
    let mut config = SessionConfig::default();
    config.keep_alive = Some(Duration::from_millis(50));
    let sessions = Arc::new(BoundedSessions::with_config(4, config));
    let service =
        StreamableHttpService::new(|| Ok(SilentServer), Arc::clone(&sessions), StreamableHttpServerConfig::default());
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
    let request = hyper::Request::post("/mcp")
        .header("host", "localhost")
        .header("accept", "application/json, text/event-stream")
        .header("content-type", "application/json")
        .body(http_body_util::Full::new(bytes::Bytes::from_static(initialize.as_bytes())));
    let reply = service.handle(request.expect("a request")).await;
    let id: SessionId = reply.headers()["mcp-session-id"].to_str().expect("text").into();
    assert!(sessions.has_session(&id).await.expect("an answer"));
    // The protocol library first waits for `notifications/initialized`, with a timeout of its own.
    let initialized =
        rmcp::model::ClientJsonRpcMessage::notification(rmcp::model::InitializedNotification::default().into());
    sessions.accept_message(&id, initialized).await.expect("it is taken");
    for _ in 0..200 {
        if !sessions.has_session(&id).await.expect("an answer") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the session is still there");
}

#[tokio::test]
async fn reports_refused_sessions() {
    let sessions = BoundedSessions::new(1);
    let (first, is_refused) = with_refusal(sessions.create_session()).await;
    let (id, _transport) = first.expect("there is room");
    assert!(!is_refused);
    sessions.table.lock().entries.get_mut(&id).expect("it is there").open_streams = 1;
    let (second, is_refused) = with_refusal(sessions.create_session()).await;
    assert!(matches!(second, Err(SessionsError::TooMany)) && is_refused);
}
