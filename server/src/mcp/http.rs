//! The same server over HTTP: for clients that cannot start a program, or that share one.
//!
//! One address, `/mcp`, serves both eras: sessions of the revisions that begin with `initialize`, single requests of the
//! later ones. Only this machine is served, unless there is a token. The head of a request is checked before anything
//! else; [`limits`] bounds connections, streams, sessions, bytes and times, so that no client can take what others need.

mod body;
mod connections;
#[cfg(test)]
mod fuzz;
mod head;
mod limits;
mod sessions;
mod timed_stream;
mod token;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, bail};
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::http::request::Parts;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;

use super::server::Server;
use body::BodyMemory;
use connections::{Connection, Connections};
use limits::{
    DRAIN_BUFFER_BYTES, DRAIN_TIMEOUT, IDLE_TIMEOUT, MAX_BODY_BYTES, MAX_CONNECTIONS, MAX_DRAINED_BYTES,
    MAX_HEAD_BYTES, MAX_REFUSALS, MAX_SESSIONS, MAX_STREAMS, REFUSAL_TIMEOUT,
};
use sessions::BoundedSessions;
use timed_stream::TimedStream;
use token::{TOKEN, is_token};

/// Where requests go; the one that clients assume.
const PATH: &str = "/mcp";
/// Origins of pages that this machine itself serves, as development tools do.
const ORIGINS: [&str; 6] = [
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
    "https://127.0.0.1:*",
    "https://[::1]:*",
];
/// The answer to a connection beyond the limit.
const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n";

type Reply = Response<BoxBody<Bytes, Infallible>>;

/// Where to listen, and for whom.
pub(super) struct Http {
    listener: TcpListener,
    token: Option<Arc<str>>,
}

impl Http {
    /// Begins to listen at `HOST:PORT`, or at a port of this machine.
    ///
    /// # Errors
    /// When it cannot be listened there, or others than this machine could come in without a token.
    pub(super) async fn open(address: &str) -> anyhow::Result<Self> {
        let token = token::from_environment()?;
        let is_port = !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_digit());
        let named = if is_port { format!("127.0.0.1:{address}") } else { address.to_owned() };
        let listener = listen(&named).await.with_context(|| {
            format!("--http {address}: cannot listen there; give a free port, or HOST:PORT such as 127.0.0.1:7777")
        })?;
        if !listener.local_addr()?.ip().is_loopback() && token.is_none() {
            bail!(
                "--http {address}: others than this machine could come in; set {TOKEN} to a secret that they must send"
            );
        }
        Ok(Self { listener, token })
    }

    /// The address that clients are configured with.
    ///
    /// # Errors
    /// When the system does not know it.
    pub(super) fn url(&self) -> anyhow::Result<String> {
        Ok(format!("http://{}{PATH}", self.listener.local_addr()?))
    }

    /// Serves all clients that connect, until it is dropped.
    pub(super) async fn serve(self, server: Server) -> anyhow::Result<()> {
        // Files are read as well.
        let max = MAX_CONNECTIONS.min(crate::os::open_file_limit::raise() / 2);
        let connections = Connections::new(max);
        let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
        let endpoint = Arc::new(Endpoint::new(server, self.token, MAX_STREAMS.min(max / 2)));
        loop {
            let (stream, from) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection that did not come to be");
                    // There may be no more files to be opened: then the next one would fail at once, and so on.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            if let Some(connection) = connections.open() {
                tokio::spawn(converse(stream, from, connection, Arc::clone(&endpoint)));
            } else if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                tokio::spawn(async move {
                    _ = tokio::time::timeout(REFUSAL_TIMEOUT, refuse(stream)).await;
                    drop(permit);
                });
            }
        }
    }
}

async fn listen(address: &str) -> std::io::Result<TcpListener> {
    let at = tokio::net::lookup_host(address).await?.next().ok_or(std::io::ErrorKind::AddrNotAvailable)?;
    let socket = if at.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A server that is started again need not wait until the system has forgotten its last connections.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(at)?;
    socket.listen(MAX_CONNECTIONS as u32)
}

/// Tells a client that there is no room. What it sends is read, or the system would drop the refusal with it.
async fn refuse(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(BUSY).await?;
    drain(&mut stream, MAX_HEAD_BYTES).await
}

/// Ends the writing side of a stream, and reads at most `max` bytes that the client still sends: a system that closes a stream with
/// unread bytes resets it, and the client loses the answer.
async fn drain(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), max: usize) -> std::io::Result<()> {
    stream.shutdown().await?;
    let mut unread = vec![0; DRAIN_BUFFER_BYTES];
    let mut left = max;
    while left > 0 {
        match stream.read(&mut unread).await? {
            0 => break,
            read => left = left.saturating_sub(read),
        }
    }
    Ok(())
}

async fn converse(stream: TcpStream, from: SocketAddr, connection: Connection, endpoint: Arc<Endpoint>) {
    // Answers are small, and waited for.
    _ = stream.set_nodelay(true);
    let connection = Arc::new(connection);
    let has_head = Arc::new(AtomicBool::new(false));
    let stream = TimedStream::new(stream, Arc::clone(&has_head));
    let answering = Arc::clone(&connection);
    let answer = service_fn(move |request| {
        let exchange = Exchange::start(&answering, &has_head);
        let endpoint = Arc::clone(&endpoint);
        async move { Ok::<_, Infallible>(Box::pin(endpoint.answer(request, exchange)).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(IDLE_TIMEOUT).max_buf_size(MAX_HEAD_BYTES);
    let served = async {
        let parts = http.serve_connection(TokioIo::new(stream), answer).without_shutdown().await?;
        _ = tokio::time::timeout(DRAIN_TIMEOUT, drain(&mut parts.io.into_inner(), MAX_DRAINED_BYTES)).await;
        hyper::Result::Ok(())
    };
    tokio::select! {
        ended = served => if let Err(error) = ended {
            tracing::debug!(%error, %from, "a connection that ended early");
        },
        () = connection.shed() => tracing::debug!(%from, "closed to make room for another connection"),
    }
}

/// A request whose head is complete, until its answer is written.
struct Exchange {
    connection: Arc<Connection>,
    has_head: Arc<AtomicBool>,
}

impl Exchange {
    fn start(connection: &Arc<Connection>, has_head: &Arc<AtomicBool>) -> Self {
        has_head.store(true, Ordering::Release);
        Self { connection: Arc::clone(connection), has_head: Arc::clone(has_head) }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.connection.finish_answer();
        self.has_head.store(false, Ordering::Release);
    }
}

/// The state that all connections share.
struct Endpoint {
    service: StreamableHttpService<Server, BoundedSessions>,
    token: Option<Arc<str>>,
    memory: BodyMemory,
    streams: Arc<Semaphore>,
}

impl Endpoint {
    fn new(server: Server, token: Option<Arc<str>>, max_streams: usize) -> Self {
        let config = StreamableHttpServerConfig::default()
            .with_allowed_origins(ORIGINS)
            .with_max_request_body_bytes(MAX_BODY_BYTES);
        // A client with the token may come by any name; a page that was led here by a name of its own has none.
        let config = if token.is_some() { config.disable_allowed_hosts() } else { config };
        let sessions = Arc::new(BoundedSessions::new(MAX_SESSIONS));
        Self {
            service: StreamableHttpService::new(move || Ok(server.another()), sessions, config),
            token,
            memory: BodyMemory::new(),
            streams: Arc::new(Semaphore::new(max_streams)),
        }
    }

    /// Answers a request. `exchange`, and all that the answer holds, is let go when the answer is written.
    async fn answer(&self, request: Request<Incoming>, exchange: Exchange) -> Reply {
        let (head, body) = request.into_parts();
        if let Some(reply) = self.refusal(&head) {
            return held(reply, exchange);
        }
        let stream = if is_stream(&head) {
            let Ok(permit) = Arc::clone(&self.streams).try_acquire_owned() else {
                return held(later(StatusCode::TOO_MANY_REQUESTS, "too many streams are open"), exchange);
            };
            Some(permit)
        } else {
            None
        };
        let body = match self.memory.read(body).await {
            Ok(body) => body,
            Err(error) => {
                let mut reply = refusal(error.status(), error.to_string());
                // The rest of it would be taken for the next request.
                reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                return held(reply, exchange);
            }
        };
        exchange.connection.start_answer();
        let request = Request::from_parts(head, Full::new(body.bytes));
        let (reply, is_refused) = Box::pin(sessions::with_refusal(self.service.handle(request))).await;
        let reply =
            if is_refused { later(StatusCode::TOO_MANY_REQUESTS, "too many sessions are in use") } else { reply };
        held(reply, (exchange, stream, body.memory))
    }

    /// The refusal of a request by its head alone; `None` if it is acceptable.
    fn refusal(&self, head: &Parts) -> Option<Reply> {
        if let Err(error) = head::check(head) {
            return Some(refusal(StatusCode::BAD_REQUEST, error.to_string()));
        }
        if let Some(token) = &self.token
            && !head.headers.get(AUTHORIZATION).is_some_and(|given| is_token(given, token))
        {
            let mut reply = refusal(StatusCode::UNAUTHORIZED, "send the token: Authorization: Bearer TOKEN");
            reply.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return Some(reply);
        }
        (head.uri.path().trim_end_matches('/') != PATH).then(|| refusal(StatusCode::NOT_FOUND, "there is only /mcp"))
    }
}

/// Whether a request opens a stream that lasts.
fn is_stream(head: &Parts) -> bool {
    // The later revisions have the method of the message in a header, and refuse messages of another one.
    let method = head.headers.get("mcp-method").map(HeaderValue::as_bytes);
    head.method == Method::GET || method == Some(b"subscriptions/listen")
}

/// The reply, which holds something until it is written.
fn held(reply: Reply, hold: impl Send + Sync + 'static) -> Reply {
    reply.map(|body| {
        body.map_frame(move |frame| {
            _ = &hold;
            frame
        })
        .boxed()
    })
}

fn refusal(status: StatusCode, says: impl Into<Bytes>) -> Reply {
    let mut reply = Response::new(Full::new(says.into()).boxed());
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    reply
}

/// A refusal of what can be had later.
fn later(status: StatusCode, says: &'static str) -> Reply {
    let mut reply = refusal(status, says);
    reply.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    reply
}
