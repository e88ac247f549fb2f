//! `pathfinder hook AGENT`: answers an agent's event on stdin.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;

use super::args::{HookArgs, HookCommand, Scope};
use super::install;
use super::output::{Exit, print_error, write_json};
use pathfinder_hooks::ahead;

/// Longest event that is read. An event about a read file contains the file.
const MAX_EVENT_BYTES: u64 = 16 << 20;

/// Longest time that an agent waits. A first walk of the largest trees takes longer than its answer is worth.
const HOOK_TIMEOUT: Duration = Duration::from_secs(5);

/// Time limit for reading ahead. No agent waits for it, but processes on a file system that does not respond must not
/// pile up.
const READ_AHEAD_TIMEOUT: Duration = Duration::from_mins(10);

/// Returns whether these arguments are a hook's, however wrong they are.
pub(crate) fn is_hook(arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|word| word == "hook") && arguments.get(2).is_none_or(|word| word != "install")
}

/// Answers a hook, or installs one.
pub(crate) fn run(hook: HookArgs, scope: Scope) -> anyhow::Result<Exit> {
    let agent = match hook.command {
        Some(HookCommand::Install(install)) => return install::hook(&install, &scope),
        Some(HookCommand::Ahead) => {
            run_with_timeout(READ_AHEAD_TIMEOUT, move || ahead::read(&scope.roots, &scope.overrides(), false))??;
            return Ok(Exit::Answered);
        }
        None => hook.agent.unwrap_or_default(),
    };
    let hook_scope = scope.clone();
    let result = run_with_timeout(HOOK_TIMEOUT, move || answer(&agent, &hook_scope));
    #[cfg(unix)]
    let is_timed_out = matches!(result, Err(WorkError::TimedOut(_)));
    if let Err(error) = result.map_err(Into::into).flatten() {
        print_error("Hook", &format!("{error:#}; the agent continues without an answer"));
    }
    // Reads ahead, so that the next hook need not wait as well. On Windows this hook would wait for that process.
    #[cfg(unix)]
    if is_timed_out && let Err(error) = ahead::start(&scope.roots, &scope.overrides()) {
        print_error("Hook", &error.to_string());
    }
    Ok(Exit::Answered)
}

/// The reason why work in another thread has no result.
#[derive(Debug, thiserror::Error)]
enum WorkError {
    #[error("no answer in {} s", .0.as_secs())]
    TimedOut(Duration),
    #[error("this is a bug in pathfinder, please report it with the event")]
    Panicked,
}

/// Runs work in a thread, and abandons the thread after the timeout.
fn run_with_timeout<T: Send + 'static>(
    timeout: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, WorkError> {
    let (ended, end) = channel();
    thread::spawn(move || {
        // The receiver is gone after a timeout, which was reported.
        _ = ended.send(work());
    });
    end.recv_timeout(timeout).map_err(|error| match error {
        RecvTimeoutError::Timeout => WorkError::TimedOut(timeout),
        RecvTimeoutError::Disconnected => WorkError::Panicked,
    })
}

fn answer(agent: &str, scope: &Scope) -> anyhow::Result<()> {
    let mut event = Vec::new();
    let mut stdin = io::stdin().lock();
    stdin.by_ref().take(MAX_EVENT_BYTES + 1).read_to_end(&mut event).context("cannot read stdin")?;
    if event.len() as u64 > MAX_EVENT_BYTES {
        // Some agents treat a closed pipe as their own failure, so the rest is read and dropped.
        io::copy(&mut stdin, &mut io::sink()).context("cannot read stdin")?;
    }
    anyhow::ensure!(event.len() as u64 <= MAX_EVENT_BYTES, "the event is longer than {MAX_EVENT_BYTES} bytes");
    let flags = scope.overrides();
    let mut written = Ok(());
    pathfinder_hooks::answer(agent, &scope.roots, flags, &event, |answer| written = write_json(answer))?;
    written
}
