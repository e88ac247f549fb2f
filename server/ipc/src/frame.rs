//! Messages on a connection: a length of four bytes (little-endian), and as many bytes of a value as `postcard` encodes it.
//!
//! The length is checked before anything is allocated, and a buffer grows only with bytes that have arrived. Decoded values take a
//! small multiple of those bytes.

use std::io::{self, ErrorKind};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// Longest message in bytes. A hook's event, the longest question, has at most as many.
pub(super) const MAX_MESSAGE_BYTES: usize = 16 << 20;
/// Longest greeting in bytes. It has the roots and settings of a leader, or a client's directory.
pub(super) const MAX_HELLO_BYTES: usize = 1 << 20;

/// Bytes of the length before each message.
const LENGTH_BYTES: usize = size_of::<u32>();

/// Encodes a message with its length.
///
/// # Errors
/// If it has a path that is not UTF-8, or is longer than [`MAX_MESSAGE_BYTES`].
pub(super) fn encode(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut frame = postcard::to_io(message, vec![0; LENGTH_BYTES]).map_err(io::Error::other)?;
    let length = frame.len() - LENGTH_BYTES;
    match u32::try_from(length) {
        Ok(prefix) if length <= MAX_MESSAGE_BYTES => {
            frame[..LENGTH_BYTES].copy_from_slice(&prefix.to_le_bytes());
            Ok(frame)
        }
        _ => Err(io::Error::other(format!("it is longer than {} MiB", MAX_MESSAGE_BYTES >> 20))),
    }
}

/// Encodes and writes a message.
///
/// # Errors
/// If it cannot be encoded, or the connection has ended.
pub(super) async fn write(to: &mut (impl AsyncWrite + Unpin), message: &impl Serialize) -> io::Result<()> {
    to.write_all(&encode(message)?).await?;
    to.flush().await
}

/// Reads the next message; `None` at the end of the connection.
///
/// # Errors
/// If it is longer than `limit`, incomplete, or no value of this type.
pub(super) async fn read<T: DeserializeOwned>(
    from: &mut (impl AsyncRead + Unpin),
    limit: usize,
) -> io::Result<Option<T>> {
    let Some(message) = read_bytes(from, limit).await? else { return Ok(None) };
    let unknown = |error| io::Error::new(ErrorKind::InvalidData, format!("it sends an unknown message: {error}"));
    match postcard::take_from_bytes(&message).map_err(unknown)? {
        (value, []) => Ok(Some(value)),
        _ => Err(io::Error::new(ErrorKind::InvalidData, "it sends an unknown message with more bytes")),
    }
}

pub(super) async fn read_bytes(from: &mut (impl AsyncRead + Unpin), limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut prefix = Vec::with_capacity(LENGTH_BYTES);
    from.take(LENGTH_BYTES as u64).read_to_end(&mut prefix).await?;
    let Ok(prefix) = prefix.as_slice().try_into() else {
        return if prefix.is_empty() { Ok(None) } else { Err(ErrorKind::UnexpectedEof.into()) };
    };
    let length = u32::from_le_bytes(prefix) as usize;
    if length > limit {
        return Err(io::Error::new(ErrorKind::InvalidData, format!("it sends a message of {length} bytes")));
    }
    let mut message = Vec::new();
    from.take(length as u64).read_to_end(&mut message).await?;
    if message.len() < length { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(Some(message)) }
}
