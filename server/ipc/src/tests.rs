//! Property tests of the messages between processes: whatever one side sends, the other neither panics nor waits forever, and takes no
//! more memory than the limit of a message. Each message is read as it was written.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pathfinder_core::{Answer, Candidate, FindAnswer, FindRequest, Hit, Op, Refusal, RelPath, Request, Status};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use super::client::{ClientFrame, ClientRuntime, EngineClient, LeaderFrame, LeaderLost};
use super::connection::{self, ServedEngine};
use super::frame::{self, MAX_MESSAGE_BYTES};
use super::hello::{ClientHello, LeaderHello, LeaderInfo, PROTOCOL};
use super::question::{
    Audience, Completion, DirectorySummary, EngineError, EngineErrorKind, EngineReply, EngineRequest,
    ExistingDirectory, FindQuestion, Found, ReindexCounts, ResolveQuestion, Resolved, ResourceAnswer, Retried,
    RetryQuestion, RetryResult, RootStatus, SuggestQuestion,
};
use super::{Backend, BackendError, Edge};
use crate::suggestion::{ContentPreview, Suggestion, SuggestionRequest};
use pathfinder_project::retry::{
    ActionOutput, FailedAttempt, RetryAction, RetryOptions, RetryOutcome, Strategy as RetryOrder,
};
use pathfinder_project::snapshot::Timing;
use pathfinder_protocol::paths::RootName;
use pathfinder_vfs::probe::contents::{Contents, Details, DirectoryListing, Window};

/// Longest time that one side may take for anything that the other does, on a busy machine.
const END_TIMEOUT: Duration = Duration::from_mins(1);

/// An engine that answers each question with an error.
struct DumbEngine;

impl ServedEngine for DumbEngine {
    fn is_open(&self) -> bool {
        true
    }

    fn answer(&self, _: &Path, _: EngineRequest) -> EngineReply {
        EngineReply::Failed(EngineError::unanswered("no"))
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

fn leader_info() -> LeaderInfo {
    let (version, roots) = (env!("CARGO_PKG_VERSION").to_owned(), vec!["/p".to_owned()]);
    let settings = vec![("history".to_owned(), "on".to_owned())];
    LeaderInfo { protocol: PROTOCOL, version, edge: Edge::Editor, pid: 7, roots, settings, clients: 2 }
}

/// Sends bytes to a leader, with or without a greeting before them, and closes the sending side. Panics unless the leader ends.
fn send_to_leader(greets: bool, bytes: &[u8]) {
    let sent = if greets {
        [frame::encode(&ClientHello::new(Path::new("/p"))).expect("a greeting"), bytes.to_vec()].concat()
    } else {
        bytes.to_vec()
    };
    runtime().block_on(async {
        let (mut own, theirs) = duplex(64 << 10);
        let serving = connection::serve(theirs, Arc::new(DumbEngine), leader_info());
        let client = async {
            let (mut reader, mut writer) = tokio::io::split(&mut own);
            let sending = async {
                _ = writer.write_all(&sent).await;
                _ = writer.shutdown().await;
            };
            let mut replies = Vec::new();
            _ = tokio::join!(sending, reader.read_to_end(&mut replies));
        };
        timeout(END_TIMEOUT, async { tokio::join!(serving, client) }).await.expect("the leader ends");
    });
}

/// Asks a leader that sends these bytes, with or without a greeting before them, and closes its side.
fn ask_leader(greets: bool, bytes: &[u8]) -> std::io::Result<Result<(), BackendError>> {
    let (own, mut theirs) = duplex(64 << 10);
    let hello = frame::encode(&LeaderHello::new(leader_info())).expect("a greeting");
    let sent = if greets { [&hello, bytes].concat() } else { bytes.to_vec() };
    let leader = std::thread::spawn(move || runtime().block_on(async move { serve_bytes(&mut theirs, &sent).await }));
    let client = EngineClient::connect(own, ClientRuntime::new(None)?, Path::new("/p"), None);
    let answer = client.map(|client| Backend::Remote(&client).roots().map(drop));
    leader.join().expect("no panic");
    answer
}

async fn serve_bytes(stream: &mut DuplexStream, bytes: &[u8]) {
    _ = stream.write_all(bytes).await;
    _ = stream.shutdown().await;
    let mut rest = Vec::new();
    _ = timeout(END_TIMEOUT, stream.read_to_end(&mut rest)).await;
}

/// A message with any bytes in it.
fn any_message() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..200).prop_map(|body| [&(body.len() as u32).to_le_bytes()[..], &body].concat())
}

/// A message of which bytes were replaced.
fn damaged<T: std::fmt::Debug>(
    message: impl Strategy<Value = T>,
    encode: fn(&T) -> Vec<u8>,
) -> impl Strategy<Value = Vec<u8>> {
    (message, vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)).prop_map(move |(message, changes)| {
        let mut bytes = encode(&message);
        let length = bytes.len();
        for (at, byte) in changes {
            bytes[at.index(length)] = byte;
        }
        bytes
    })
}

fn encode_request(message: &ClientFrame) -> Vec<u8> {
    frame::encode(message).expect("a message")
}

fn encode_reply(message: &LeaderFrame) -> Vec<u8> {
    frame::encode(message).expect("a message")
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z/.]{0,12}", any::<String>()]
}

fn rel_path() -> impl Strategy<Value = RelPath> {
    vec(any::<u8>(), 0..20).prop_map(RelPath::new)
}

prop_compose! {
    fn resolve_request()(
        failed_path in text(), intent_text in text(), root_hint in option::of(text()), from_file in option::of(text()),
        history in vec(text(), 0..3), evidence in option::of(text()), lexical in any::<bool>(), limit in any::<usize>(),
        op in prop::sample::select(vec![Op::Read, Op::List, Op::Stat, Op::Edit, Op::Write]), explain in any::<bool>(),
    ) -> Request {
        Request { failed_path, op, intent_text, root_hint, from_file, history, evidence, lexical, limit, explain }
    }
}

prop_compose! {
    fn find_request()(query in text(), limit in any::<usize>(), implementation in any::<bool>(), explain in any::<bool>(), read in any::<bool>()) -> FindRequest {
        FindRequest { query, limit, implementation, explain, read }
    }
}

fn audience() -> impl Strategy<Value = Audience> {
    prop_oneof![Just(Audience::Command), Just(Audience::Agent)]
}

prop_compose! {
    fn retry_options()(
        action in prop_oneof![
            (any::<usize>(), any::<usize>()).prop_map(|(first, lines)| RetryAction::Read(Window { first, lines })),
            Just(RetryAction::List),
            Just(RetryAction::Stat),
        ],
        strategy in prop_oneof![Just(RetryOrder::BestFirst), Just(RetryOrder::ScoreDescending)],
        min_confidence in option::of(any::<f32>()), max_attempts in any::<usize>(),
    ) -> RetryOptions {
        RetryOptions { action, strategy, min_confidence, max_attempts }
    }
}

fn question() -> impl Strategy<Value = EngineRequest> {
    let directory = (any::<usize>(), rel_path()).prop_map(|(root, path)| ExistingDirectory { root, path });
    prop_oneof![
        (resolve_request(), audience(), option::of(text()), any::<bool>()).prop_map(
            |(request, audience, chosen, is_used)| {
                EngineRequest::Resolve(Box::new(ResolveQuestion { request, audience, chosen, is_used }))
            }
        ),
        (find_request(), audience())
            .prop_map(|(request, audience)| EngineRequest::Find(FindQuestion { request, audience })),
        (resolve_request(), retry_options(), option::of(text()), any::<bool>()).prop_map(
            |(request, options, chosen, allow_ignored)| {
                EngineRequest::Retry(Box::new(RetryQuestion { request, options, chosen, allow_ignored }))
            }
        ),
        (text(), text(), any::<usize>(), any::<bool>()).prop_map(|(directory, path, line, wants_preview)| {
            let request = SuggestionRequest { path, line, wants_preview, ..SuggestionRequest::default() };
            EngineRequest::Suggest(Box::new(SuggestQuestion { directory: directory.into(), request }))
        }),
        directory.prop_map(EngineRequest::SummarizeDirectory),
        Just(EngineRequest::Roots),
        Just(EngineRequest::Reindex),
    ]
}

fn client_message() -> impl Strategy<Value = ClientFrame> {
    prop_oneof![
        any::<u64>().prop_map(ClientFrame::Ping),
        (any::<u64>(), question()).prop_map(|(number, question)| ClientFrame::Ask(number, question)),
    ]
}

fn roots() -> impl Strategy<Value = Vec<RootName>> {
    vec((text(), text()).prop_map(|(given, canonical)| RootName { given, canonical }), 0..3)
}

prop_compose! {
    fn answer()(
        status in prop::sample::select(vec![Status::Exists, Status::Resolved, Status::Ambiguous, Status::NotFound]),
        path in option::of((0..2_usize, rel_path())), confidence in any::<f32>(),
        position in option::of((any::<u32>(), option::of(any::<u32>()))), may_act in any::<bool>(), why in text(),
        candidates in vec((0..2_usize, rel_path(), any::<f32>()), 0..3), reranked in any::<bool>(),
        refusal in option::of(prop::sample::select(vec![Refusal::Ambiguous, Refusal::Deleted, Refusal::LeftOut])),
        next_question in option::of(text()),
    ) -> Answer {
        let candidates = candidates.into_iter().map(|(root, path, score)| Candidate {
            root, path, score, contributions: Vec::new(), generators: Vec::new(),
        }).collect();
        let signals = Vec::new();
        Answer { status, path, confidence, position, may_act, why, candidates, refusal, signals, reranked, next_question }
    }
}

prop_compose! {
    fn resolved()(answer in answer(), roots in roots(), total in any::<Duration>(), directory in option::of((any::<usize>(), rel_path()))) -> Resolved {
        let directory = directory.map(|(root, path)| ExistingDirectory { root, path });
        Resolved { answer, timing: Timing { total, stages: Vec::new() }, roots, directory }
    }
}

fn outcome() -> impl Strategy<Value = RetryResult> {
    let output = prop_oneof![
        (text(), option::of(any::<usize>()), any::<bool>(), any::<bool>())
            .prop_map(|(text, next, cut, lossy)| ActionOutput::Read(Contents::Text { text, next, cut, lossy })),
        any::<u64>().prop_map(|bytes| ActionOutput::Read(Contents::Binary { bytes })),
        (vec(text(), 0..3), any::<bool>(), any::<usize>())
            .prop_map(|(entries, more, ignored)| ActionOutput::Listed(DirectoryListing { entries, more, ignored })),
        (option::of(any::<u64>()), option::of(any::<i64>()))
            .prop_map(|(bytes, modified)| ActionOutput::Stat(Details { kind: "file".into(), bytes, modified })),
    ];
    prop_oneof![
        text().prop_map(RetryResult::Withheld),
        Just(()).prop_map(|()| RetryResult::Tried(RetryOutcome::Unsure)),
        (any::<usize>(), rel_path(), any::<usize>(), output).prop_map(|(root, path, attempts, output)| {
            RetryResult::Tried(RetryOutcome::Succeeded { root, path, attempts, output })
        }),
        vec((any::<usize>(), rel_path(), text()), 0..3).prop_map(|attempts| {
            let attempt = |(root, path, error)| FailedAttempt { root, path, error };
            RetryResult::Tried(RetryOutcome::AllFailed(attempts.into_iter().map(attempt).collect()))
        }),
    ]
}

prop_compose! {
    fn found()(
        hits in vec((0..2_usize, rel_path(), any::<f32>(), text(), option::of(any::<u32>())), 0..3),
        declared in any::<(usize, usize)>(), strong in any::<bool>(), took in any::<Duration>(), roots in roots(),
    ) -> Found {
        let hit = |(root, path, score, why, line)| Hit { root, path, score, why, line, contributions: Vec::new() };
        let answer = FindAnswer { hits: hits.into_iter().map(hit).collect(), declared, strong, searched: None, has_unread: strong, indexed: strong.then_some(declared), weak: !strong, lacking: Vec::new(), passage: None };
        Found { answer, took, roots }
    }
}

fn reply() -> impl Strategy<Value = EngineReply> {
    let kinds = [
        EngineErrorKind::BadRequest,
        EngineErrorKind::RootGone,
        EngineErrorKind::BadRoot,
        EngineErrorKind::Internal,
        EngineErrorKind::Unanswered,
    ];
    let certain = (text(), any::<bool>(), any::<f32>(), text()).prop_map(|(path, may_act, confidence, why)| {
        let preview = Some(ContentPreview::Entries(vec![why.clone()], may_act));
        Suggestion::Certain { path, is_directory: true, confidence, may_act, why, preview }
    });
    let root = (text(), any::<bool>(), any::<(usize, usize, usize)>());
    prop_oneof![
        resolved().prop_map(|resolved| EngineReply::Resolved(Box::new(resolved))),
        found().prop_map(|found| EngineReply::Found(Box::new(found))),
        (resolved(), outcome())
            .prop_map(|(resolved, outcome)| EngineReply::Retried(Box::new(Retried { resolved, outcome }))),
        certain.prop_map(|certain| EngineReply::Suggested(Box::new(certain))),
        (vec(text(), 0..3), any::<bool>())
            .prop_map(|(values, has_more)| EngineReply::Completed(Completion { values, has_more })),
        vec(any::<u8>(), 0..30).prop_map(|bytes| EngineReply::Resource(ResourceAnswer::Bytes(bytes))),
        (text(), vec(text(), 0..3)).prop_map(|(directory, entries)| {
            let endings = entries.iter().map(|entry| (entry.clone(), 1)).collect();
            EngineReply::Directory(Some(DirectorySummary { directory, entries, more: Some(1), endings }))
        }),
        vec(root, 0..3).prop_map(|roots| {
            let root = |(path, is_lossy, (files, directories, unreadable))| RootStatus {
                path,
                is_lossy,
                files,
                directories,
                unreadable,
                is_gone: is_lossy,
            };
            EngineReply::Roots(roots.into_iter().map(root).collect())
        }),
        any::<(usize, usize, Duration)>()
            .prop_map(|(files, directories, took)| EngineReply::Reindexed(ReindexCounts { files, directories, took })),
        (prop::sample::select(kinds.to_vec()), text())
            .prop_map(|(kind, message)| EngineReply::Failed(EngineError { kind, message })),
    ]
}

fn leader_message() -> impl Strategy<Value = LeaderFrame> {
    prop_oneof![
        any::<u64>().prop_map(LeaderFrame::Pong),
        (any::<u64>(), reply()).prop_map(|(number, reply)| LeaderFrame::Reply(number, reply)),
    ]
}

fn decode<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    runtime().block_on(frame::read(&mut &*bytes, MAX_MESSAGE_BYTES)).expect("a message")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn questions_are_read_as_written(message in client_message()) {
        let read: Option<ClientFrame> = decode(&encode_request(&message));
        prop_assert_eq!(format!("{:?}", read), format!("{:?}", Some(message)));
    }

    #[test]
    fn replies_are_read_as_written(message in leader_message()) {
        let read: Option<LeaderFrame> = decode(&encode_reply(&message));
        prop_assert_eq!(format!("{:?}", read), format!("{:?}", Some(message)));
    }

    #[test]
    fn a_leader_ends_after_any_bytes(greets: bool, bytes in vec(any::<u8>(), 0..300)) {
        send_to_leader(greets, &bytes);
    }

    #[test]
    fn a_leader_ends_after_any_messages(greets: bool, messages in vec(any_message(), 0..4)) {
        send_to_leader(greets, &messages.concat());
    }

    #[test]
    fn a_leader_ends_after_damaged_messages(messages in vec(damaged(client_message(), encode_request), 1..4)) {
        send_to_leader(true, &messages.concat());
    }

    #[test]
    fn a_client_ends_after_any_bytes(greets: bool, bytes in vec(any::<u8>(), 0..300)) {
        _ = ask_leader(greets, &bytes);
    }

    #[test]
    fn a_client_ends_after_damaged_messages(messages in vec(damaged(leader_message(), encode_reply), 1..4)) {
        _ = ask_leader(true, &messages.concat());
    }

    #[test]
    fn a_message_takes_no_more_memory_than_arrives(claimed in any::<u32>(), body in vec(any::<u8>(), 0..300)) {
        let bytes = [&claimed.to_le_bytes()[..], &body].concat();
        let read = runtime().block_on(frame::read_bytes(&mut &*bytes, 200));
        if claimed > 200 || body.len() < claimed as usize {
            prop_assert!(read.is_err());
        } else {
            let message = read.expect("no error").expect("a message");
            prop_assert_eq!(message.len(), claimed as usize);
            prop_assert!(message.capacity() <= 256, "{}", message.capacity());
        }
    }
}

/// A list in a message may claim any length.
#[test]
fn a_claimed_length_allocates_nothing() {
    // A reply with completions, of which there are said to be 2^60.
    let mut bytes = encode_reply(&LeaderFrame::Reply(
        0,
        EngineReply::Completed(Completion { values: Vec::new(), has_more: false }),
    ));
    let length = [0xff; 8].into_iter().chain([0x0f]);
    bytes.splice(bytes.len() - 2.., length);
    let body = bytes.len() - size_of::<u32>();
    bytes[..4].copy_from_slice(&(body as u32).to_le_bytes());
    let lost = ask_leader(true, &bytes).expect("connected").expect_err("no answer");
    assert!(matches!(lost, BackendError::Lost(LeaderLost::Disconnected)), "{lost}");
}

#[test]
fn refuses_messages_beyond_the_limit() {
    let long = ClientFrame::Ask(
        0,
        EngineRequest::Find(FindQuestion {
            request: FindRequest::new("x".repeat(MAX_MESSAGE_BYTES)),
            audience: Audience::Agent,
        }),
    );
    assert!(frame::encode(&long).is_err());
    send_to_leader(true, &(MAX_MESSAGE_BYTES as u32 + 1).to_le_bytes());
}

/// A leader never answers with a root that it does not name: the client would look it up in vain.
#[test]
fn refuses_replies_with_unknown_roots() {
    let hit = Hit { root: 3, path: "a".into(), score: 1.0, why: String::new(), line: None, contributions: Vec::new() };
    let answer = FindAnswer {
        hits: vec![hit],
        declared: (0, 0),
        strong: true,
        searched: None,
        weak: false,
        lacking: vec!["word".to_owned()],
        has_unread: false,
        indexed: None,
        passage: None,
    };
    let found = Found { answer, took: Duration::ZERO, roots: Vec::new() };
    let reply = encode_reply(&LeaderFrame::Reply(0, EngineReply::Found(Box::new(found))));
    let lost = ask_leader(true, &reply).expect("connected").expect_err("no answer");
    assert!(matches!(lost, BackendError::Lost(LeaderLost::Disconnected)), "{lost}");
}

/// Questions and pings at the same time get the replies that belong to them.
#[test]
fn answers_several_questions_at_once() {
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let (own, theirs) = duplex(1 << 10);
    runtime.spawn(connection::serve(theirs, Arc::new(DumbEngine), leader_info()));
    let server = ClientRuntime::new(Some(runtime.handle())).expect("a runtime");
    let client = EngineClient::connect(own, server, Path::new("/p"), None).expect("connected");
    std::thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(|| {
                let error = Backend::Remote(&client).roots().expect_err("no answer");
                assert!(matches!(&error, BackendError::Engine(error) if error.message == "no"), "{error}");
            });
        }
    });
}
