//! `pathfinder hook AGENT`: an event on stdin, what there is to say of it on stdout. And `pathfinder hook install AGENT`.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use similar::TextDiff;

use super::args::{Hook, HookCommand, Install, Scope};
use super::{Exit, complain, write_bytes, write_json, write_text};
use crate::hook::install::{self, InstallScope};
use crate::hook::{self, ahead};

/// Longest event that is read. One about a file that was read has the file in it.
const EVENT_MAX: u64 = 16 << 20;

/// How long an agent is kept waiting, whatever happens: a first walk of the largest trees takes longer than its answer is worth.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long is read ahead at most. Nobody waits for it, but a file system that does not answer must not gather processes.
const AHEAD: Duration = Duration::from_mins(10);

/// Lines around each change: what every tool prints.
const CONTEXT: usize = 3;

/// Whether these arguments are a hook's, however wrong they are.
pub(crate) fn is_hook(arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|word| word == "hook") && arguments.get(2).is_none_or(|word| word != "install")
}

/// Answers a hook, or installs one.
pub(crate) fn run(hook: Hook, scope: Scope) -> anyhow::Result<Exit> {
    let agent = match hook.command {
        Some(HookCommand::Install(install)) => return self::install(&install),
        Some(HookCommand::Ahead) => {
            within(AHEAD, move || ahead::read(&scope.roots, &scope.given(), false))??;
            return Ok(Exit::Answered);
        }
        None => hook.agent.unwrap_or_default(),
    };
    let own = scope.clone();
    let answered = within(PATIENCE, move || answer(&agent, own));
    #[cfg(unix)]
    let is_late = matches!(answered, Err(Left::Late(_)));
    if let Err(error) = answered.map_err(Into::into).flatten() {
        complain("Hook", &format!("{error:#}; the agent goes on without an answer"));
    }
    // The next one should not have to wait for the same. On Windows this one would.
    #[cfg(unix)]
    if is_late && let Err(error) = ahead::start(&scope.roots, &scope.given()) {
        complain("Hook", &error.to_string());
    }
    Ok(Exit::Answered)
}

/// Why it is not known what came of something.
#[derive(Debug, thiserror::Error)]
enum Left {
    #[error("no answer in {} s", .0.as_secs())]
    Late(Duration),
    #[error("this is a defect of pathfinder, please report it with the event")]
    Panicked,
}

/// Does something in a thread that is left alone when this one has waited long enough.
fn within<T: Send + 'static>(patience: Duration, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Left> {
    let (ended, end) = channel();
    thread::spawn(move || {
        // Who does not wait any more has said so.
        _ = ended.send(work());
    });
    end.recv_timeout(patience).map_err(|error| match error {
        RecvTimeoutError::Timeout => Left::Late(patience),
        RecvTimeoutError::Disconnected => Left::Panicked,
    })
}

fn answer(agent: &str, scope: Scope) -> anyhow::Result<()> {
    let mut event = Vec::new();
    let mut stdin = io::stdin().lock();
    stdin.by_ref().take(EVENT_MAX + 1).read_to_end(&mut event).context("stdin cannot be read")?;
    if event.len() as u64 > EVENT_MAX {
        // Some agents treat a closed pipe as their own failure, so the rest is read and dropped.
        io::copy(&mut stdin, &mut io::sink()).context("stdin cannot be read")?;
    }
    anyhow::ensure!(event.len() as u64 <= EVENT_MAX, "the event is longer than {EVENT_MAX} bytes");
    let flags = scope.given();
    let mut written = Ok(());
    hook::answer(agent, scope.roots, flags, &event, |answer| written = write_json(answer))?;
    written
}

/// Writes a hook into an agent's settings.
fn install(install: &Install) -> anyhow::Result<Exit> {
    let place =
        if install.project { InstallScope::Project(crate::os::roots::current_dir()?) } else { InstallScope::User };
    let program = match &install.program {
        Some(program) => program.clone(),
        // What is shared with others names no place of this machine.
        None if install.project => "pathfinder".to_owned(),
        None => install::quote_for_shell(&std::env::current_exe().context("this program cannot be found")?),
    };
    let change = install::plan(&install.agent, &place, &program, install.remove)?;
    let file = change.file.display().to_string();
    if change.after == change.before {
        let found = if install.remove { "has no hook of pathfinder" } else { "is set up already" };
        write_text(&format!("{file} {found}\n"))?;
        return Ok(Exit::Answered);
    }
    if install.dry_run {
        let (before, after) =
            (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
        let diff = TextDiff::from_lines(before, after);
        let mut out = Vec::new();
        diff.unified_diff().context_radius(CONTEXT).header(&file, &file).to_writer(&mut out)?;
        write_bytes(&out)?;
        return Ok(Exit::Answered);
    }
    let backup = change.apply()?;
    write_text(&format!(
        "{file} {}\n",
        if install.remove { "has no hook of pathfinder any more" } else { "has the hook now" }
    ))?;
    if let Some(backup) = backup {
        write_text(&format!("{} is as it was before\n", backup.display()))?;
    }
    if let Some(note) = change.note.filter(|_| !install.remove) {
        write_text(&format!("{note}\n"))?;
    }
    Ok(Exit::Answered)
}
