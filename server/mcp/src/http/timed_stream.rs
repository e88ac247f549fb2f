//! `TimedStream`: a TCP stream with a deadline for the head of each request and for reading each response.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::limits::{HEAD_TIMEOUT, WRITE_TIMEOUT};

/// A deadline that runs only while something is pending.
#[derive(Debug, Default)]
struct Deadline(Option<Pin<Box<Sleep>>>);

impl Deadline {
    fn start(&mut self, timeout: Duration) {
        self.0.get_or_insert_with(|| Box::pin(sleep(timeout)));
    }

    fn stop(&mut self) {
        self.0 = None;
    }

    /// Ready once the deadline has passed.
    fn poll_passed(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().map_or(Poll::Pending, |sleep| sleep.as_mut().poll(context))
    }
}

/// A TCP stream with deadlines.
#[derive(Debug)]
pub(super) struct TimedStream {
    stream: TcpStream,
    /// True while a request with a complete head is read or answered.
    has_head: Arc<AtomicBool>,
    head: Deadline,
    write: Deadline,
}

impl TimedStream {
    /// Puts deadlines on a stream. `has_head` is true while the head of the current request is complete.
    pub(super) fn new(stream: TcpStream, has_head: Arc<AtomicBool>) -> Self {
        Self { stream, has_head, head: Deadline::default(), write: Deadline::default() }
    }

    /// Runs the write deadline while `polled` is pending.
    fn timed_write<T>(&mut self, context: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.write.stop();
            return polled;
        }
        self.write.start(WRITE_TIMEOUT);
        ready!(self.write.poll_passed(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let polled = Pin::new(&mut this.stream).poll_read(context, buffer);
        if this.has_head.load(Ordering::Acquire) {
            this.head.stop();
            return polled;
        }
        if buffer.filled().len() > before {
            this.head.start(HEAD_TIMEOUT);
        }
        if polled.is_ready() {
            return polled;
        }
        ready!(this.head.poll_passed(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.timed_write(context, polled)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.timed_write(context, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
