//! Fuzz target: feeds any bytes as an HTTP connection.

use std::convert::Infallible;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::MAX_HEAD_BYTES;
use super::body::BodyMemory;
use super::head;

/// Bytes in flight in either direction: more than an input and its responses have.
const BUFFER_BYTES: usize = 4 << 20;

/// Seconds until a connection must have ended. It ends at once after the client's last byte, except on a busy machine.
const TIMEOUT_SECONDS: u64 = 5;

#[test]
fn heads() {
    crate::fuzz_driver::run("http-heads", Vec::new(), |input| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async {
            let (mut client, server) = tokio::io::duplex(BUFFER_BYTES);
            client.write_all(input).await.expect("room for the input");
            client.shutdown().await.expect("an open connection");
            let mut http = hyper::server::conn::http1::Builder::new();
            http.max_buf_size(MAX_HEAD_BYTES);
            let connection = http.serve_connection(TokioIo::new(server), service_fn(answer));
            let ended = tokio::time::timeout(Duration::from_secs(TIMEOUT_SECONDS), connection).await;
            assert!(ended.is_ok(), "the connection does not end");
            let mut reply = Vec::new();
            client.read_to_end(&mut reply).await.expect("a reply");
            assert!(reply.is_empty() || reply.starts_with(b"HTTP/1."), "{:?}", String::from_utf8_lossy(&reply));
        });
    });
}

/// Runs the checks that precede the protocol.
async fn answer(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let (status, bytes) = match head::check(&head) {
        Err(_) => (StatusCode::BAD_REQUEST, Bytes::new()),
        Ok(()) => match BodyMemory::new().read(body).await {
            Ok(read) => (StatusCode::OK, read.bytes),
            Err(error) => (error.status(), Bytes::new()),
        },
    };
    Ok(Response::builder().status(status).body(Full::new(bytes)).expect("a reply"))
}
