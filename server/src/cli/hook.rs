//! `pathfinder hook AGENT`: answers an agent's event on stdin. `pathfinder hook install AGENT`: writes the hook into
//! the agent's settings.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use similar::TextDiff;

use super::args::{HookArgs, HookCommand, InstallArgs, Scope};
use super::output::{Exit, print_error, write_bytes, write_json, write_text};
use pathfinder_hooks::ahead;
use pathfinder_hooks::install::{self, InstallScope};

/// Longest event that is read. An event about a read file contains the file.
const MAX_EVENT_BYTES: u64 = 16 << 20;

/// Longest time that an agent waits. A first walk of the largest trees takes longer than its answer is worth.
const HOOK_TIMEOUT: Duration = Duration::from_secs(5);

/// Time limit for reading ahead. No agent waits for it, but processes on a file system that does not respond must not
/// pile up.
const READ_AHEAD_TIMEOUT: Duration = Duration::from_mins(10);

/// Lines of context around each change, as in other tools.
const CONTEXT_LINES: usize = 3;

/// Returns whether these arguments are a hook's, however wrong they are.
pub(crate) fn is_hook(arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|word| word == "hook") && arguments.get(2).is_none_or(|word| word != "install")
}

/// Answers a hook, or installs one.
pub(crate) fn run(hook: HookArgs, scope: Scope) -> anyhow::Result<Exit> {
    let agent = match hook.command {
        Some(HookCommand::Install(install)) => return self::install(&install),
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

/// Writes a hook into an agent's settings, or removes it.
fn install(install: &InstallArgs) -> anyhow::Result<Exit> {
    let place =
        if install.project { InstallScope::Project(pathfinder_vfs::roots::current_dir()?) } else { InstallScope::User };
    let program = match &install.program {
        Some(program) => program.clone(),
        // Settings that are shared with others name no path of this machine.
        None if install.project => "pathfinder".to_owned(),
        None => install::quote_for_shell(&std::env::current_exe().context("cannot find the path of this program")?),
    };
    let change = install::plan(&install.agent, &place, &program, install.remove)?;
    let file = change.file.display().to_string();
    if change.after == change.before {
        let found = if install.remove { "does not have the hook" } else { "is set up already" };
        write_text(&format!("{file} {found}\n"))?;
        return Ok(Exit::Answered);
    }
    if install.dry_run {
        let (before, after) =
            (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
        let diff = TextDiff::from_lines(before, after);
        let mut out = Vec::new();
        diff.unified_diff().context_radius(CONTEXT_LINES).header(&file, &file).to_writer(&mut out)?;
        write_bytes(&out)?;
        return Ok(Exit::Answered);
    }
    let backup = change.apply()?;
    write_text(&format!("{file} {}\n", if install.remove { "no longer has the hook" } else { "has the hook now" }))?;
    if let Some(backup) = backup {
        write_text(&format!("the previous settings are in {}\n", backup.display()))?;
    }
    if let Some(note) = change.note.filter(|_| !install.remove) {
        write_text(&format!("{note}\n"))?;
    }
    Ok(Exit::Answered)
}
