//! `BlockingPipe`: one end of a Windows named pipe with the blocking interface of a Unix socket.
//!
//! A synchronous Windows pipe allows no write while a read waits, and the read cannot be cancelled. This type therefore wraps a pipe
//! of Tokio and blocks on its operations.

use std::fmt::{self, Debug, Formatter};
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadHalf, WriteHalf};
use tokio::net::windows::named_pipe::ClientOptions;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::watch;
use tokio::time::sleep;

/// One end of a named pipe. Clones share the end.
#[derive(Clone)]
pub(crate) struct BlockingPipe(Arc<PipeEnd>);

struct PipeEnd {
    /// `None` after a shutdown.
    reader: Mutex<Option<ReadHalf<Box<dyn DuplexStream>>>>,
    writer: Mutex<Option<WriteHalf<Box<dyn DuplexStream>>>>,
    is_shut: watch::Sender<bool>,
    write_timeout: Mutex<Option<Duration>>,
    runtime: Handle,
    /// Runtime of a client's end; a leader's end uses the leader's runtime.
    owned_runtime: Option<Runtime>,
}

/// Either end of a pipe.
trait DuplexStream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> DuplexStream for T {}

impl BlockingPipe {
    /// Opens a pipe by its path, without waiting.
    ///
    /// # Errors
    /// If there is none, when it belongs to another user, or when all its instances are in use.
    pub(super) fn connect(path: &str) -> io::Result<Self> {
        // One thread, which sleeps until data arrives.
        let owned_runtime = Builder::new_multi_thread().worker_threads(1).thread_name("pipe").enable_all().build()?;
        let pipe = {
            let _inside = owned_runtime.enter();
            // Tokio's defaults do not let the server impersonate this user.
            ClientOptions::new().open(path)
        };
        match pipe {
            Ok(pipe) => Ok(Self::new(Box::new(pipe), owned_runtime.handle().clone(), Some(owned_runtime))),
            Err(error) => {
                owned_runtime.shutdown_background();
                Err(error)
            }
        }
    }

    /// Wraps an accepted pipe. Must be called within its runtime.
    pub(super) fn from_listener(pipe: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        Self::new(Box::new(pipe), Handle::current(), None)
    }

    fn new(pipe: Box<dyn DuplexStream>, runtime: Handle, owned_runtime: Option<Runtime>) -> Self {
        let (reader, writer) = tokio::io::split(pipe);
        Self(Arc::new(PipeEnd {
            reader: Mutex::new(Some(reader)),
            writer: Mutex::new(Some(writer)),
            is_shut: watch::Sender::new(false),
            write_timeout: Mutex::default(),
            runtime,
            owned_runtime,
        }))
    }

    /// Returns the same end for another thread.
    #[expect(clippy::unnecessary_wraps, reason = "a socket's handle may not be had twice")]
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(self.clone())
    }

    /// Limits the time of later writes.
    #[expect(clippy::unnecessary_wraps, reason = "a socket's may be refused")]
    pub(crate) fn set_write_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        *lock(&self.0.write_timeout) = limit;
        Ok(())
    }

    /// Closes both directions, whatever was asked for: a pipe has no half-close. Readers on both sides see the end.
    #[expect(clippy::unnecessary_wraps, reason = "a socket may be closed already")]
    pub fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        self.0.is_shut.send_replace(true);
        // A thread that waits in one of them stops now.
        drop(lock(&self.0.reader).take());
        drop(lock(&self.0.writer).take());
        Ok(())
    }
}

impl PipeEnd {
    /// Runs one operation until it ends, the pipe is shut down, or the time limit passes.
    fn wait<T>(&self, limit: Option<Duration>, operation: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let mut is_shut = self.is_shut.subscribe();
        let timeout = async {
            match limit {
                Some(limit) => sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                _ = is_shut.wait_for(|is_shut| *is_shut) => Err(ErrorKind::NotConnected.into()),
                done = operation => done,
                () = timeout => Err(ErrorKind::TimedOut.into()),
            }
        })
    }
}

impl Drop for PipeEnd {
    fn drop(&mut self) {
        // The dropping thread must not wait for the runtime's thread.
        if let Some(owned_runtime) = self.owned_runtime.take() {
            owned_runtime.shutdown_background();
        }
    }
}

impl Read for &BlockingPipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut reader = lock(&self.0.reader);
        let Some(reader) = reader.as_mut() else { return Ok(0) };
        match self.0.wait(None, reader.read(buffer)) {
            Err(error) if matches!(error.kind(), ErrorKind::NotConnected | ErrorKind::BrokenPipe) => Ok(0),
            read => read,
        }
    }
}

impl Write for &BlockingPipe {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let limit = *lock(&self.0.write_timeout);
        let mut writer = lock(&self.0.writer);
        let writer = writer.as_mut().ok_or(ErrorKind::NotConnected)?;
        self.0.wait(limit, writer.write(buffer))
    }

    /// Does nothing: no data is buffered. Windows would wait for the reader, which a socket does not do.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for BlockingPipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self).read(buffer)
    }
}

impl Write for BlockingPipe {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        (&*self).write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self).flush()
    }
}

impl Debug for BlockingPipe {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BlockingPipe").field("is_shut", &*self.0.is_shut.borrow()).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
