//! Limits of the HTTP server: counts, bytes and times. Well-behaved clients stay far below all of them.

use std::time::Duration;

/// Connections that are open at the same time. Agents keep one or two each, and some clients open one for each call: a
/// thousand calls at once fit.
pub(super) const MAX_CONNECTIONS: usize = 1024;
/// Long-lived streams (`GET`, `subscriptions/listen`) that are open at the same time: a client has one per session. The
/// other half of the connections stays free for requests.
pub(super) const MAX_STREAMS: usize = MAX_CONNECTIONS / 2;
/// Refused connections that are still being told so. They end
/// with [`REFUSAL_TIMEOUT`]; beyond this number a connection is closed without a word.
pub(super) const MAX_REFUSALS: usize = 64;
/// How long a refused client may take to read its refusal, in seconds: a round trip takes less.
pub(super) const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);

/// Sessions that are kept at the same time: a machine that runs a hundred agents needs a hundred, and new ones have a part for
/// themselves. With all of them in use the server has below 100 MB (`tests/bench/http.py`).
pub(super) const MAX_SESSIONS: usize = 256;
/// How long an idle session is kept. People think for minutes before they answer an agent; the number
/// of sessions is limited anyway.
pub(super) const SESSION_IDLE_TIMEOUT: Duration = Duration::from_mins(30);
/// How long a new session may take to be initialized. Both come in one request, so that this happens at once or never.
pub(super) const SESSION_INIT_TIMEOUT: Duration = Duration::from_secs(10);
/// Requests of one session whose answers the client did not wait for. The protocol library may keep a few KB for each
/// until the session ends; a client that gives up so often starts anew.
pub(super) const MAX_ABANDONED_REQUESTS: usize = 128;

/// The largest head of a request. Browsers and proxies send a quarter of it.
pub(super) const MAX_HEAD_BYTES: usize = 16 << 10;
/// The largest body of a request. Paths and evidence have a few KB; lines on stdin may be longer, where the client is
/// this program's parent.
pub(super) const MAX_BODY_BYTES: usize = 1 << 20;
/// Bodies up to this size are always accepted, as all ordinary ones are: for all connections together 16 MiB.
pub(super) const SMALL_BODY_BYTES: usize = 16 << 10;
/// Memory beyond that for all larger bodies together, from their first byte to the end of the answer. Parsed, a body takes
/// up to thirty times its size.
pub(super) const MAX_LARGE_BODY_BYTES: usize = 4 << 20;

/// How long a connection may be idle between two requests. Clients close one that they do not use after some seconds,
/// busy ones later; the server must not be the first, because a request that is already on its way would be lost.
pub(super) const IDLE_TIMEOUT: Duration = Duration::from_mins(1);
/// How long the head of a request may take from its first byte on. It comes in one packet.
pub(super) const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the next bytes of a body may take: several retransmissions on a bad network.
pub(super) const BODY_READ_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a body may take in all: a body of [`MAX_BODY_BYTES`] at 300 kbit/s.
pub(super) const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a client may take to read the next bytes of an answer.
pub(super) const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long an ended connection is read from, so that a client which is still sending gets its answer.
pub(super) const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// Bytes that are read so. Clients look for an answer between two writes, which are of 64 KiB to some MiB.
pub(super) const MAX_DRAINED_BYTES: usize = 32 << 20;
/// Bytes that are read at once in doing so: for all connections together 8 MiB.
pub(super) const DRAIN_BUFFER_BYTES: usize = 8 << 10;
