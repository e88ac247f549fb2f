//! Reads the body of a request: whole, in time, and within the memory that bodies may take together.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::StatusCode;
use hyper::body::{Body as _, Incoming};
use serde::Deserialize;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::limits::{BODY_READ_TIMEOUT, BODY_TIMEOUT, MAX_BODY_BYTES, MAX_LARGE_BODY_BYTES, SMALL_BODY_BYTES};

/// Why a body is not read to its end.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum BodyError {
    /// It has too many bytes.
    #[error("a request has at most {MAX_BODY_BYTES} bytes, initialize {SMALL_BODY_BYTES}")]
    TooLarge,
    /// Other large bodies take all the memory that there is for them.
    #[error("too many large requests at the same time: try again")]
    Busy,
    /// The client sends nothing more, or too slowly.
    #[error("the body of the request did not come in time")]
    Late,
    /// It is not encoded as its head says, or the connection ended.
    #[error("the body of the request is malformed")]
    Malformed,
}

impl BodyError {
    /// The status that says so.
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Late => StatusCode::REQUEST_TIMEOUT,
            Self::Malformed => StatusCode::BAD_REQUEST,
        }
    }
}

/// A whole body, and its share of the memory for large ones.
#[derive(Debug)]
pub(super) struct ReadBody {
    pub(super) bytes: Bytes,
    pub(super) memory: Option<OwnedSemaphorePermit>,
}

/// The memory that large bodies share, one permit for each byte.
#[derive(Clone, Debug)]
pub(super) struct BodyMemory(Arc<Semaphore>);

impl BodyMemory {
    /// All of it.
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MAX_LARGE_BODY_BYTES)))
    }

    /// Reads a body to its end.
    ///
    /// # Errors
    /// When it is too large, too slow or malformed, or there is no memory for it.
    pub(super) async fn read(&self, body: Incoming) -> Result<ReadBody, BodyError> {
        // A body that announces too large a size is not read.
        if body.size_hint().lower() > MAX_BODY_BYTES as u64 {
            return Err(BodyError::TooLarge);
        }
        let read = timeout(BODY_TIMEOUT, self.read_frames(body)).await.map_err(|_| BodyError::Late)??;
        if read.bytes.len() > SMALL_BODY_BYTES && is_initialize(&read.bytes) {
            return Err(BodyError::TooLarge);
        }
        Ok(read)
    }

    async fn read_frames(&self, mut body: Incoming) -> Result<ReadBody, BodyError> {
        let mut bytes = BytesMut::new();
        let mut memory = None;
        while let Some(frame) = timeout(BODY_READ_TIMEOUT, body.frame()).await.map_err(|_| BodyError::Late)? {
            let Ok(data) = frame.map_err(|_| BodyError::Malformed)?.into_data() else { continue };
            let length = bytes.len() + data.len();
            if length > MAX_BODY_BYTES {
                return Err(BodyError::TooLarge);
            }
            self.reserve(&mut memory, length)?;
            bytes.extend_from_slice(&data);
        }
        Ok(ReadBody { bytes: bytes.freeze(), memory })
    }

    /// Has `memory` cover a body of so many bytes.
    fn reserve(&self, memory: &mut Option<OwnedSemaphorePermit>, length: usize) -> Result<(), BodyError> {
        let reserved = memory.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = length.saturating_sub(SMALL_BODY_BYTES).saturating_sub(reserved);
        if more == 0 {
            return Ok(());
        }
        // No more than the largest body.
        let permit = Arc::clone(&self.0).try_acquire_many_owned(more as u32).map_err(|_| BodyError::Busy)?;
        match memory {
            Some(memory) => memory.merge(permit),
            None => *memory = Some(permit),
        }
        Ok(())
    }
}

/// Whether a message may open a session, which keeps what it says. A message that names several methods may.
fn is_initialize(message: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Envelope {
        method: Option<String>,
    }
    serde_json::from_slice(message)
        .map_or(true, |Envelope { method }| method.is_some_and(|method| method == "initialize"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_beyond_a_small_body_is_counted() {
        let memory = BodyMemory::new();
        let mut one = None;
        assert_eq!(memory.reserve(&mut one, SMALL_BODY_BYTES), Ok(()));
        assert!(one.is_none());
        assert_eq!(memory.reserve(&mut one, SMALL_BODY_BYTES + MAX_LARGE_BODY_BYTES), Ok(()));
        let mut other = None;
        assert_eq!(memory.reserve(&mut other, SMALL_BODY_BYTES), Ok(()));
        assert_eq!(memory.reserve(&mut other, SMALL_BODY_BYTES + 1), Err(BodyError::Busy));
        drop(one);
        assert_eq!(memory.reserve(&mut other, SMALL_BODY_BYTES + 1), Ok(()));
    }

    #[test]
    fn initialize_is_known_by_its_method() {
        let check = |message: &str, expect: bool| assert_eq!(is_initialize(message.as_bytes()), expect, "{message}");
        check(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, true);
        check(r#"{"method":"initiali\u007ae"}"#, true);
        check(r#"{"method":"tools/call","params":{"method":"initialize"}}"#, false);
        check(r#"{"id":1,"result":{}}"#, false);
        check(r#"{"method":"tools/call","method":"initialize"}"#, true);
    }
}
