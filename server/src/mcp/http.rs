//! The same server over HTTP: for clients that cannot start a program, or that share one.
//!
//! One address, `/mcp`, serves both eras: sessions of the revisions that begin with `initialize`, single requests of the
//! later ones. Only this machine is served, unless there is a token. Names of hosts and origins are checked before
//! anything else, so that a page in a browser can neither be the client nor get there through a name of its own.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;

use super::server::Server;

/// The variable that has the token. A flag would be seen by everybody who lists processes.
pub(super) const TOKEN: &str = "PATHFINDER_HTTP_TOKEN";
/// Where requests go; the one that clients assume.
const PATH: &str = "/mcp";
/// Fewer bytes could be guessed.
const TOKEN_LEAST: usize = 16;
/// Connections that are open at the same time, and as many that wait: some clients open one for each call.
const CONNECTIONS: usize = 1024;
/// How long a client may take to send the head of a request, or the next one on the same connection. Clients close a
/// connection that they do not use after some seconds, busy ones later; who closes first must not be this side.
const HEAD: Duration = Duration::from_mins(1);
/// The largest request. Lines on stdin may be longer, where the client is a child's parent.
const BODY_MAX: usize = 4 << 20;
/// Origins of pages that this machine itself serves, as development tools do.
const ORIGINS: [&str; 6] = [
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
    "https://127.0.0.1:*",
    "https://[::1]:*",
];

type Reply = Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Server, LocalSessionManager>;

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
        let token = match std::env::var(TOKEN) {
            Ok(token) if token.is_empty() => None,
            Ok(token) if token.len() < TOKEN_LEAST => bail!("{TOKEN} must have at least {TOKEN_LEAST} characters"),
            Ok(token) => Some(token.into()),
            Err(std::env::VarError::NotPresent) => None,
            Err(error) => bail!("{TOKEN}: {error}"),
        };
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

    /// Serves whoever comes, until it is dropped.
    pub(super) async fn serve(self, server: Server) -> anyhow::Result<()> {
        let service = service(server, self.token.is_some());
        // Files are read as well.
        let connections = Arc::new(Semaphore::new(CONNECTIONS.min(crate::os::files::allowed() / 2)));
        loop {
            // Never closed.
            let place = Arc::clone(&connections).acquire_owned().await;
            let (stream, from) = match self.listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection that did not come to be");
                    // There may be no more files to be opened: then the next one would fail at once, and so on.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let (service, token) = (service.clone(), self.token.clone());
            tokio::spawn(async move {
                converse(stream, from, service, token).await;
                drop(place);
            });
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
    socket.listen(CONNECTIONS as u32)
}

fn service(server: Server, has_token: bool) -> Service {
    let config =
        StreamableHttpServerConfig::default().with_allowed_origins(ORIGINS).with_max_request_body_bytes(BODY_MAX);
    // Who has the token may come by any name; a page that was led here by a name of its own has none.
    let config = if has_token { config.disable_allowed_hosts() } else { config };
    StreamableHttpService::new(move || Ok(server.another()), Arc::new(LocalSessionManager::default()), config)
}

async fn converse(stream: TcpStream, from: SocketAddr, service: Service, token: Option<Arc<str>>) {
    // Answers are small, and waited for.
    _ = stream.set_nodelay(true);
    let answer = service_fn(move |request| {
        let (service, token) = (service.clone(), token.clone());
        async move { Ok::<_, Infallible>(answer(request, &service, token.as_deref()).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    if let Err(error) = http.serve_connection(TokioIo::new(stream), answer).await {
        tracing::debug!(%error, %from, "a connection that ended early");
    }
}

async fn answer(request: Request<Incoming>, service: &Service, token: Option<&str>) -> Reply {
    if let Some(token) = token
        && !request.headers().get(AUTHORIZATION).is_some_and(|given| is_token(given, token))
    {
        let mut reply = refusal(StatusCode::UNAUTHORIZED, "send the token: Authorization: Bearer TOKEN");
        reply.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return reply;
    }
    if request.uri().path().trim_end_matches('/') != PATH {
        return refusal(StatusCode::NOT_FOUND, "there is only /mcp");
    }
    service.handle(request).await
}

/// Whether the header carries the token. How long it takes does not tell how much of it was right.
fn is_token(given: &HeaderValue, token: &str) -> bool {
    let given = given.as_bytes();
    let Some((scheme, given)) = given.split_at_checked(7) else { return false };
    let differs = given.iter().zip(token.as_bytes()).fold(0, |differs, (one, other)| differs | (one ^ other));
    scheme.eq_ignore_ascii_case(b"bearer ") && given.len() == token.len() && std::hint::black_box(differs) == 0
}

fn refusal(status: StatusCode, says: &'static str) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from_static(says.as_bytes())).boxed());
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    reply
}

#[cfg(test)]
mod tests {
    use super::{HeaderValue, is_token};

    #[test]
    fn tokens() {
        let check = |given: &str, expect: bool| {
            assert_eq!(
                is_token(&HeaderValue::from_str(given).expect("a header"), "0123456789abcdef"),
                expect,
                "{given}"
            );
        };
        check("Bearer 0123456789abcdef", true);
        check("bearer 0123456789abcdef", true);
        check("Bearer 0123456789abcdeF", false);
        check("Bearer 0123456789abcde", false);
        check("Bearer 0123456789abcdefg", false);
        check("Basic  0123456789abcdef", false);
        check("Bearer ", false);
        check("", false);
    }
}
