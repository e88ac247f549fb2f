//! Serves one client of the shared engine's leader: reads its questions, answers several at once and writes the replies.
//!
//! Answers are computed in threads for blocking work; pings are answered between them. A client cannot queue more than
//! [`MAX_PENDING_QUESTIONS`].

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader, WriteHalf, split};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::client::{ClientFrame, LeaderFrame};
use super::frame::{self, MAX_HELLO_BYTES, MAX_MESSAGE_BYTES};
use super::hello::{ClientHello, LeaderHello, LeaderInfo, PROTOCOL};
use super::question::{EngineError, EngineReply, EngineRequest};

/// Questions of a client that are answered at the same time. They wait for the disk or for the first walk of the roots.
const MAX_CONCURRENT_QUESTIONS: usize = 16;
/// Questions of a client that are answered or wait. A client of this program has no more than it asks at the same time.
const MAX_PENDING_QUESTIONS: usize = 2 * MAX_CONCURRENT_QUESTIONS;
/// Time for a client's greeting, which is immediate, but the machine may be busy.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for a leader without roots to close its connections.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The engine that a leader shares.
pub(super) trait ServedEngine: Send + Sync + 'static {
    /// Returns whether it has roots.
    fn is_open(&self) -> bool;

    /// Answers a question of a client in this directory. Blocks.
    fn answer(&self, directory: &Path, question: EngineRequest) -> EngineReply;
}

/// Serves a client until it is gone.
pub(super) async fn serve(
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
    engine: Arc<impl ServedEngine>,
    info: LeaderInfo,
) {
    if let Err(error) = try_serve(stream, engine, info).await {
        tracing::info!(%error, "closed the connection of a client");
    }
}

async fn try_serve(
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
    engine: Arc<impl ServedEngine>,
    info: LeaderInfo,
) -> io::Result<()> {
    let (reader, mut writer) = split(stream);
    let mut reader = BufReader::new(reader);
    let hello = timeout(HELLO_TIMEOUT, frame::read::<ClientHello>(&mut reader, MAX_HELLO_BYTES)).await;
    let hello = hello.map_err(|_| io::Error::new(ErrorKind::TimedOut, "it says nothing"))??;
    // A process that looks for a leader only connects.
    let Some(hello) = hello else { return Ok(()) };
    let hello = hello.check()?;
    frame::write(&mut writer, &LeaderHello::new(info)).await?;
    if hello.protocol != PROTOCOL {
        return Err(io::Error::other(format!("it speaks protocol {}, not {PROTOCOL}", hello.protocol)));
    }
    let (out, replies) = mpsc::channel(MAX_PENDING_QUESTIONS);
    // The writer ends after the last reply: a client may have closed its side only.
    tokio::try_join!(read_questions(reader, engine, hello.directory.into(), out), write_replies(writer, replies))?;
    Ok(())
}

/// Answers questions until the client is gone. Dropping the future drops the questions that wait.
async fn read_questions(
    mut from: impl AsyncRead + Unpin,
    engine: Arc<impl ServedEngine>,
    directory: Arc<Path>,
    out: mpsc::Sender<Vec<u8>>,
) -> io::Result<()> {
    let pending = Arc::new(Semaphore::new(MAX_PENDING_QUESTIONS));
    let running = Arc::new(Semaphore::new(MAX_CONCURRENT_QUESTIONS));
    let mut tasks = JoinSet::new();
    while let Some(message) = frame::read(&mut from, MAX_MESSAGE_BYTES).await? {
        while tasks.try_join_next().is_some() {}
        let (number, question) = match message {
            ClientFrame::Ping(number) => {
                // A client that sends pings and reads nothing waits here.
                _ = out.send(frame::encode(&LeaderFrame::Pong(number))?).await;
                continue;
            }
            ClientFrame::Ask(number, question) => (number, question),
        };
        // Neither semaphore is ever closed.
        let place = Arc::clone(&pending).acquire_owned().await.map_err(io::Error::other)?;
        let (engine, directory) = (Arc::clone(&engine), Arc::clone(&directory));
        let (running, out) = (Arc::clone(&running), out.clone());
        tasks.spawn(async move {
            let Ok(_permit) = running.acquire().await else { return };
            let reply = answer(engine, directory, question).await;
            // The writing side has ended if the client is gone.
            _ = out.send(encode_reply(number, reply)).await;
            drop(place);
        });
    }
    while tasks.join_next().await.is_some() {}
    Ok(())
}

async fn answer(engine: Arc<impl ServedEngine>, directory: Arc<Path>, question: EngineRequest) -> EngineReply {
    if !engine.is_open() {
        // The editor closed its folders. The leader closes its connections soon, and then the client answers by itself.
        sleep(CLOSE_TIMEOUT).await;
        return EngineReply::Failed(EngineError::unanswered("no roots are open any more"));
    }
    let task = tokio::task::spawn_blocking(move || engine.answer(&directory, question));
    task.await.unwrap_or_else(|error| {
        EngineReply::Failed(EngineError::unanswered(format!("internal error, a defect of pathfinder: {error}")))
    })
}

fn encode_reply(number: u64, reply: EngineReply) -> Vec<u8> {
    frame::encode(&LeaderFrame::Reply(number, reply)).unwrap_or_else(|error| {
        let error = EngineError::unanswered(format!("the answer cannot be sent: {error}"));
        frame::encode(&LeaderFrame::Reply(number, EngineReply::Failed(error))).unwrap_or_default()
    })
}

/// Writes replies until the client is gone.
async fn write_replies<S: AsyncWrite>(mut to: WriteHalf<S>, mut replies: mpsc::Receiver<Vec<u8>>) -> io::Result<()> {
    while let Some(reply) = replies.recv().await {
        to.write_all(&reply).await?;
    }
    Ok(())
}
