//! Reads the body of a request: completely, in time, and within the memory that all bodies share.

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

/// Reason for not reading a body to its end.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum BodyError {
    /// The body has too many bytes.
    #[error("the request is too large: send at most {MAX_BODY_BYTES} bytes, {SMALL_BODY_BYTES} for initialize")]
    TooLarge,
    /// Other large bodies use all memory for them.
    #[error("too many large requests at the same time: try again")]
    Busy,
    /// The client stopped sending, or sends too slowly.
    #[error("the body of the request did not arrive in time")]
    Late,
    /// The body is not encoded as its head says, or the connection ended.
    #[error("the body of the request is malformed")]
    Malformed,
}

impl BodyError {
    /// Returns the HTTP status of the error.
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Late => StatusCode::REQUEST_TIMEOUT,
            Self::Malformed => StatusCode::BAD_REQUEST,
        }
    }
}

/// A complete body, and its share of the memory for large ones.
#[derive(Debug)]
pub(super) struct RequestBody {
    pub(super) bytes: Bytes,
    pub(super) memory: Option<OwnedSemaphorePermit>,
}

/// The memory that large bodies share, one permit per byte.
#[derive(Clone, Debug)]
pub(super) struct BodyMemory(Arc<Semaphore>);

impl BodyMemory {
    /// Creates the full amount.
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MAX_LARGE_BODY_BYTES)))
    }

    /// Reads a body to its end.
    ///
    /// # Errors
    /// If the body is too large, too slow or malformed, or there is no memory for it.
    pub(super) async fn read(&self, body: Incoming) -> Result<RequestBody, BodyError> {
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

    async fn read_frames(&self, mut body: Incoming) -> Result<RequestBody, BodyError> {
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
        Ok(RequestBody { bytes: bytes.freeze(), memory })
    }

    /// Extends `memory` to cover a body of this length in bytes.
    fn reserve(&self, memory: &mut Option<OwnedSemaphorePermit>, length: usize) -> Result<(), BodyError> {
        let reserved = memory.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = length.saturating_sub(SMALL_BODY_BYTES).saturating_sub(reserved);
        if more == 0 {
            return Ok(());
        }
        // At most the size of the largest body, so the cast is exact.
        let permit = Arc::clone(&self.0).try_acquire_many_owned(more as u32).map_err(|_| BodyError::Busy)?;
        match memory {
            Some(memory) => memory.merge(permit),
            None => *memory = Some(permit),
        }
        Ok(())
    }
}

/// Returns whether a message may open a session, which stores its contents. A message with several methods counts as one.
fn is_initialize(message: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct MethodEnvelope {
        method: Option<String>,
    }
    serde_json::from_slice(message)
        .map_or(true, |MethodEnvelope { method }| method.is_some_and(|method| method == "initialize"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserves_only_bytes_beyond_a_small_body() {
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
    fn recognizes_initialize_by_its_method() {
        let check = |message: &str, expect: bool| assert_eq!(is_initialize(message.as_bytes()), expect, "{message}");
        check(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, true);
        check(r#"{"method":"initiali\u007ae"}"#, true);
        check(r#"{"method":"tools/call","params":{"method":"initialize"}}"#, false);
        check(r#"{"id":1,"result":{}}"#, false);
        check(r#"{"method":"tools/call","method":"initialize"}"#, true);
    }
}
