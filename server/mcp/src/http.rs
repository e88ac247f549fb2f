//! The MCP server over HTTP, for clients that cannot start a program or that share a server. `mcp::run` starts it.
//!
//! The path `/mcp` serves sessions of the revisions that begin with `initialize`, and single requests of later revisions. Without a
//! token, only this machine is served. [`head`] checks each request first; [`limits`] bounds connections, streams, sessions, bytes and
//! times, so that no client can starve others.

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

use super::server::McpServer;
use body::BodyMemory;
use connections::{Connection, Connections};
use limits::{
    DRAIN_BUFFER_BYTES, DRAIN_TIMEOUT, IDLE_TIMEOUT, MAX_BODY_BYTES, MAX_CONNECTIONS, MAX_DRAINED_BYTES,
    MAX_HEAD_BYTES, MAX_REFUSALS, MAX_SESSIONS, MAX_STREAMS, REFUSAL_TIMEOUT,
};
use sessions::BoundedSessions;
use timed_stream::TimedStream;
use token::{TOKEN_VARIABLE, is_token};

/// Path of all requests, which clients assume by default.
const PATH: &str = "/mcp";
/// Origins of web pages that this machine itself serves, as development tools do.
const LOCAL_ORIGINS: [&str; 6] = [
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
    "https://127.0.0.1:*",
    "https://[::1]:*",
];
/// Response to a connection beyond the limit.
const BUSY_RESPONSE: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n";

type HttpReply = Response<BoxBody<Bytes, Infallible>>;

/// A listening socket and the token that clients must send.
pub(super) struct HttpServer {
    listener: TcpListener,
    token: Option<Arc<str>>,
}

impl HttpServer {
    /// Listens at `HOST:PORT`, or at a port of this machine.
    ///
    /// # Errors
    /// If the address cannot be listened at, or is reachable from other machines without a token.
    pub(super) async fn open(address: &str) -> anyhow::Result<Self> {
        let token = token::from_environment()?;
        let is_port = !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_digit());
        let named = if is_port { format!("127.0.0.1:{address}") } else { address.to_owned() };
        let listener = listen(&named).await.with_context(|| {
            format!("--http {address}: cannot listen there; give a free port, or HOST:PORT such as 127.0.0.1:7777")
        })?;
        if !listener.local_addr()?.ip().is_loopback() && token.is_none() {
            bail!(
                "--http {address} is reachable from other machines: set {TOKEN_VARIABLE} to a secret that clients must send"
            );
        }
        Ok(Self { listener, token })
    }

    /// Returns the URL for the clients' configuration.
    ///
    /// # Errors
    /// If the system does not report the address.
    pub(super) fn url(&self) -> anyhow::Result<String> {
        Ok(format!("http://{}{PATH}", self.listener.local_addr()?))
    }

    /// Serves all clients that connect, until it is dropped.
    pub(super) async fn serve(self, server: McpServer) -> anyhow::Result<()> {
        // Half of the file handles stay free for reading files.
        let max = MAX_CONNECTIONS.min(pathfinder_vfs::open_file_limit::raise() / 2);
        let connections = Connections::new(max);
        let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
        let state = Arc::new(HttpState::new(server, self.token, MAX_STREAMS.min(max / 2)));
        loop {
            let (stream, from) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    // The process may have no free file handles; without a pause the next accept would fail at once.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            if let Some(connection) = connections.open() {
                tokio::spawn(serve_connection(stream, from, connection, Arc::clone(&state)));
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
    // A restarted server need not wait until the system forgets its last connections.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(at)?;
    socket.listen(MAX_CONNECTIONS as u32)
}

/// Sends a client the busy response. Its request is read, or the system would drop the response.
async fn refuse(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(BUSY_RESPONSE).await?;
    drain(&mut stream, MAX_HEAD_BYTES).await
}

/// Closes the writing side of a stream and reads at most `max` more bytes. A system that closes a stream with unread bytes resets
/// it, and the client loses the response.
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

async fn serve_connection(stream: TcpStream, from: SocketAddr, connection: Connection, state: Arc<HttpState>) {
    // Responses are small, and the client waits for them.
    _ = stream.set_nodelay(true);
    let connection = Arc::new(connection);
    let has_head = Arc::new(AtomicBool::new(false));
    let stream = TimedStream::new(stream, Arc::clone(&has_head));
    let answering = Arc::clone(&connection);
    let answer = service_fn(move |request| {
        let exchange = Exchange::start(&answering, &has_head);
        let state = Arc::clone(&state);
        async move { Ok::<_, Infallible>(Box::pin(state.answer(request, exchange)).await) }
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
            tracing::debug!(%error, %from, "the connection ended early");
        },
        () = connection.shed() => tracing::debug!(%from, "closed to make room for another connection"),
    }
}

/// A request with a complete head, until its response is written.
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
struct HttpState {
    service: StreamableHttpService<McpServer, BoundedSessions>,
    token: Option<Arc<str>>,
    memory: BodyMemory,
    streams: Arc<Semaphore>,
}

impl HttpState {
    fn new(server: McpServer, token: Option<Arc<str>>, max_streams: usize) -> Self {
        let config = StreamableHttpServerConfig::default()
            .with_allowed_origins(LOCAL_ORIGINS)
            .with_max_request_body_bytes(MAX_BODY_BYTES);
        // A client with the token may use any host name. A web page that reaches this server through DNS rebinding has no token.
        let config = if token.is_some() { config.disable_allowed_hosts() } else { config };
        let sessions = Arc::new(BoundedSessions::new(MAX_SESSIONS));
        Self {
            service: StreamableHttpService::new(move || Ok(server.new_conversation()), sessions, config),
            token,
            memory: BodyMemory::new(),
            streams: Arc::new(Semaphore::new(max_streams)),
        }
    }

    /// Answers a request. `exchange`, and all that the response holds, is dropped when the response is written.
    async fn answer(&self, request: Request<Incoming>, exchange: Exchange) -> HttpReply {
        let (head, body) = request.into_parts();
        if let Some(reply) = self.refusal(&head) {
            return hold_until_sent(reply, exchange);
        }
        let stream = if is_stream(&head) {
            let Ok(permit) = Arc::clone(&self.streams).try_acquire_owned() else {
                return hold_until_sent(
                    retry_later(StatusCode::TOO_MANY_REQUESTS, "too many streams are open"),
                    exchange,
                );
            };
            Some(permit)
        } else {
            None
        };
        let body = match self.memory.read(body).await {
            Ok(body) => body,
            Err(error) => {
                let mut reply = refusal(error.status(), error.to_string());
                // The unread rest would be parsed as the next request.
                reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                return hold_until_sent(reply, exchange);
            }
        };
        exchange.connection.start_answer();
        let request = Request::from_parts(head, Full::new(body.bytes));
        let (reply, is_refused) = Box::pin(sessions::with_refusal(self.service.handle(request))).await;
        let reply =
            if is_refused { retry_later(StatusCode::TOO_MANY_REQUESTS, "too many sessions are in use") } else { reply };
        hold_until_sent(reply, (exchange, stream, body.memory))
    }

    /// Returns the refusal of a request by its head alone; `None` if the head is acceptable.
    fn refusal(&self, head: &Parts) -> Option<HttpReply> {
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

/// Returns whether a request opens a long-lived stream.
fn is_stream(head: &Parts) -> bool {
    // Later revisions have the method in a header, and refuse a message with another method.
    let method = head.headers.get("mcp-method").map(HeaderValue::as_bytes);
    head.method == Method::GET || method == Some(b"subscriptions/listen")
}

/// Keeps `hold` until the reply is written.
fn hold_until_sent(reply: HttpReply, hold: impl Send + Sync + 'static) -> HttpReply {
    reply.map(|body| {
        body.map_frame(move |frame| {
            _ = &hold;
            frame
        })
        .boxed()
    })
}

fn refusal(status: StatusCode, message: impl Into<Bytes>) -> HttpReply {
    let mut reply = Response::new(Full::new(message.into()).boxed());
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    reply
}

/// Builds a refusal with a hint to retry.
fn retry_later(status: StatusCode, message: &'static str) -> HttpReply {
    let mut reply = refusal(status, message);
    reply.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    reply
}
