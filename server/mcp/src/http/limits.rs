//! Limits of the HTTP server: counts, bytes and times. Normal clients stay far below all of them.

use std::time::Duration;

/// Connections that are open at the same time. Agents keep one or two each, and some clients open one per call: a thousand calls
/// at once fit.
pub(super) const MAX_CONNECTIONS: usize = 1024;
/// Long-lived streams (`GET`, `subscriptions/listen`) that are open at the same time: a client has one per session. The other half
/// of the connections stays free for requests.
pub(super) const MAX_STREAMS: usize = MAX_CONNECTIONS / 2;
/// Refused connections that are still being answered. Each ends within [`REFUSAL_TIMEOUT`]; beyond this number a connection is
/// closed without a response.
pub(super) const MAX_REFUSALS: usize = 64;
/// Time for a refused client to read its refusal: a round trip takes less.
pub(super) const REFUSAL_TIMEOUT: Duration = Duration::from_secs(1);

/// Sessions that are kept at the same time: a machine with a hundred agents needs a hundred, and new ones have a reserved part.
/// With all of them in use the server takes less than 100 MB (`tests/bench/http.py`).
pub(super) const MAX_SESSIONS: usize = 256;
/// Time that an idle session is kept. Users think for minutes before they answer an agent, and the number of sessions is limited
/// anyway.
pub(super) const SESSION_IDLE_TIMEOUT: Duration = Duration::from_mins(30);
/// Time for a new session to be initialized. Both come in one request, so that this happens at once or never.
pub(super) const SESSION_INIT_TIMEOUT: Duration = Duration::from_secs(10);
/// Requests of one session with answers that the client did not wait for. The protocol library may keep a few KB for each until the
/// session ends; a client that cancels so often must start anew.
pub(super) const MAX_ABANDONED_REQUESTS: usize = 128;

/// Largest head of a request. Browsers and proxies send a quarter of it.
pub(super) const MAX_HEAD_BYTES: usize = 16 << 10;
/// Largest body of a request. Paths and evidence have a few KB. Lines on stdin may be longer, where the client is this program's
/// parent.
pub(super) const MAX_BODY_BYTES: usize = 1 << 20;
/// Bodies up to this size are always accepted; all ordinary bodies are smaller. All connections together: 16 MiB.
pub(super) const SMALL_BODY_BYTES: usize = 16 << 10;
/// Memory beyond that for all larger bodies together, from their first byte to the end of the response. A parsed body takes up to
/// thirty times its size.
pub(super) const MAX_LARGE_BODY_BYTES: usize = 4 << 20;

/// Time that a connection may be idle between two requests. Clients close unused ones after some seconds; the server must not close
/// first, or it would lose a request that is on its way.
pub(super) const IDLE_TIMEOUT: Duration = Duration::from_mins(1);
/// Time for the head of a request, from its first byte on. It comes in one packet.
pub(super) const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for the next bytes of a body: several retransmissions on a bad network.
pub(super) const BODY_READ_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for a whole body: [`MAX_BODY_BYTES`] at 300 kbit/s.
pub(super) const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Time for a client to read the next bytes of a response.
pub(super) const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Time that an ended connection is still read, so that a client that is still sending gets its response.
pub(super) const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// Bytes that are read so. Clients look for a response between two writes, which are of 64 KiB to some MiB.
pub(super) const MAX_DRAINED_BYTES: usize = 32 << 20;
/// Buffer size for doing so: 8 MiB for all connections together.
pub(super) const DRAIN_BUFFER_BYTES: usize = 8 << 10;
