//! Messages to the client, in their order: what a handler sends before it answers is written before its response. A client
//! drops a partial result that comes later.

use std::sync::Arc;

use futures::{FutureExt as _, Stream, StreamExt as _};
use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::server_snapshot::ServerSnapshot;

/// Responses that wait to be written. Each of them holds the permit of its request until it is queued.
const QUEUE_LENGTH: usize = 64;

/// An entry in the queue of responses.
enum Outgoing {
    /// The body of a response.
    Response(Vec<u8>),
    /// The client has its response to `initialize`, and takes other messages from now on.
    Initialized,
}

/// Queues responses. A clone has the same queue.
#[derive(Clone)]
pub(super) struct ResponseSender {
    queue: Sender<Outgoing>,
    encoder: Encoder,
}

/// Encodes messages as the client spells paths.
#[derive(Clone)]
struct Encoder(ServerSnapshot);

/// Writes responses and, once the client is initialized, `requests` (notifications too) to `out`. The task ends with the last
/// sender, or when `out` is closed.
pub(super) fn write(
    state: ServerSnapshot,
    requests: impl Stream<Item = impl Serialize + Send + 'static> + Send + Unpin + 'static,
    out: Sender<Vec<u8>>,
) -> ResponseSender {
    let (queue, responses) = channel(QUEUE_LENGTH);
    let encoder = Encoder(state);
    tokio::spawn(write_in_order(encoder.clone(), requests, responses, out));
    ResponseSender { queue, encoder }
}

impl ResponseSender {
    /// Queues a response; does nothing if it cannot be encoded or the writer has ended.
    pub(super) async fn send(self, response: impl Serialize) {
        if let Some(body) = self.encoder.encode(&response) {
            _ = self.queue.send(Outgoing::Response(body)).await;
        }
    }

    /// Lets requests and notifications pass after the responses that are queued already.
    pub(super) async fn initialized(&self) {
        _ = self.queue.send(Outgoing::Initialized).await;
    }
}

impl Encoder {
    fn encode(&self, message: &impl Serialize) -> Option<Vec<u8>> {
        let aliases = Arc::clone(&self.0.latest().folder_aliases);
        if aliases.is_empty() {
            return serde_json::to_vec(message).ok();
        }
        let mut message = serde_json::to_value(message).ok()?;
        aliases.to_client(&mut message);
        serde_json::to_vec(&message).ok()
    }
}

async fn write_in_order(
    encoder: Encoder,
    mut requests: impl Stream<Item = impl Serialize + Send> + Send + Unpin,
    mut responses: Receiver<Outgoing>,
    out: Sender<Vec<u8>>,
) {
    let mut is_initialized = false;
    loop {
        let body = tokio::select! {
            Some(request) = requests.next(), if is_initialized => encoder.encode(&request),
            outgoing = responses.recv() => match outgoing {
                Some(Outgoing::Response(body)) => {
                    // Its handler queued these before it.
                    while is_initialized && let Some(Some(request)) = requests.next().now_or_never() {
                        if let Some(body) = encoder.encode(&request) {
                            _ = out.send(body).await;
                        }
                    }
                    Some(body)
                }
                Some(Outgoing::Initialized) => {
                    is_initialized = true;
                    None
                }
                None => return,
            },
        };
        if let Some(body) = body
            && out.send(body).await.is_err()
        {
            return;
        }
    }
}
