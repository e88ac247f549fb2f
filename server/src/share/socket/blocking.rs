//! `Blocking`: one end of a pipe for threads that wait, as a socket is.
//!
//! A pipe of Windows that is opened for waiting lets nobody write while somebody reads, and a read of it cannot be ended. So it is
//! one of Tokio's, and who reads or writes waits for that.

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

/// See the module's text. A clone is the same end.
#[derive(Clone)]
pub(crate) struct Blocking(Arc<End>);

struct End {
    /// `None` when it was shut.
    reader: Mutex<Option<ReadHalf<Box<dyn Both>>>>,
    writer: Mutex<Option<WriteHalf<Box<dyn Both>>>>,
    is_shut: watch::Sender<bool>,
    write_timeout: Mutex<Option<Duration>>,
    runtime: Handle,
    /// A guest may have none: the end has its own.
    own: Option<Runtime>,
}

/// A host's end, or a guest's.
trait Both: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Both for T {}

impl Blocking {
    /// Opens a pipe by its path, without waiting.
    ///
    /// # Errors
    /// When there is none, when it is another user's, or when all its instances are taken.
    pub(super) fn connect(path: &str) -> io::Result<Self> {
        // One thread, which sleeps until something comes.
        let own = Builder::new_multi_thread().worker_threads(1).thread_name("pipe").enable_all().build()?;
        let pipe = {
            let _inside = own.enter();
            // It does not lend the server this user's rights, which is Tokio's default.
            ClientOptions::new().open(path)
        };
        match pipe {
            Ok(pipe) => Ok(Self::new(Box::new(pipe), own.handle().clone(), Some(own))),
            Err(error) => {
                own.shutdown_background();
                Err(error)
            }
        }
    }

    /// A pipe that somebody has come to. Called in the runtime that has it.
    pub(super) fn of_host(pipe: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        Self::new(Box::new(pipe), Handle::current(), None)
    }

    fn new(pipe: Box<dyn Both>, runtime: Handle, own: Option<Runtime>) -> Self {
        let (reader, writer) = tokio::io::split(pipe);
        Self(Arc::new(End {
            reader: Mutex::new(Some(reader)),
            writer: Mutex::new(Some(writer)),
            is_shut: watch::Sender::new(false),
            write_timeout: Mutex::default(),
            runtime,
            own,
        }))
    }

    /// The same end for another thread.
    #[expect(clippy::unnecessary_wraps, reason = "a socket's handle may not be had twice")]
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        Ok(self.clone())
    }

    /// How long a write may take from now on.
    #[expect(clippy::unnecessary_wraps, reason = "a socket's may be refused")]
    pub(crate) fn set_write_timeout(&self, limit: Option<Duration>) -> io::Result<()> {
        *lock(&self.0.write_timeout) = limit;
        Ok(())
    }

    /// Closes it in both directions, whatever was asked for: a pipe has no other way. Who reads sees the end, here and there.
    #[expect(clippy::unnecessary_wraps, reason = "a socket may be closed already")]
    pub(crate) fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        self.0.is_shut.send_replace(true);
        // Who waits in one of them stops by that.
        drop(lock(&self.0.reader).take());
        drop(lock(&self.0.writer).take());
        Ok(())
    }
}

impl End {
    /// Waits for one operation, until it is shut, or so long.
    fn wait<T>(&self, limit: Option<Duration>, operation: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let mut is_shut = self.is_shut.subscribe();
        let late = async {
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
                () = late => Err(ErrorKind::TimedOut.into()),
            }
        })
    }
}

impl Drop for End {
    fn drop(&mut self) {
        // Whoever drops it does not wait for its thread.
        if let Some(own) = self.own.take() {
            own.shutdown_background();
        }
    }
}

impl Read for &Blocking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut reader = lock(&self.0.reader);
        let Some(reader) = reader.as_mut() else { return Ok(0) };
        match self.0.wait(None, reader.read(buffer)) {
            Err(error) if matches!(error.kind(), ErrorKind::NotConnected | ErrorKind::BrokenPipe) => Ok(0),
            read => read,
        }
    }
}

impl Write for &Blocking {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let limit = *lock(&self.0.write_timeout);
        let mut writer = lock(&self.0.writer);
        let writer = writer.as_mut().ok_or(ErrorKind::NotConnected)?;
        self.0.wait(limit, writer.write(buffer))
    }

    /// Nothing is held back. To wait until all was read, as Windows would, is nothing that a socket does.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Blocking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self).read(buffer)
    }
}

impl Write for Blocking {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        (&*self).write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self).flush()
    }
}

impl Debug for Blocking {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Blocking").field("is_shut", &*self.0.is_shut.borrow()).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
