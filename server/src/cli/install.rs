//! `pathfinder hook install AGENT` and `pathfinder mcp install CLIENT`: writes settings of agents, and says what is next.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use pathfinder_hooks::install::{self, InstallScope, SettingsChange, mcp};
use pathfinder_vfs::roots;

use super::args::{InstallArgs, Scope};
use super::output::{Exit, write_bytes, write_text};
use super::unified_diff::unified_diff;

/// Name of this program where settings are shared with others: they name no path of this machine.
const SHARED_PROGRAM: &str = "pathfinder";

/// Writes a hook into an agent's settings, or removes it.
pub(super) fn hook(args: &InstallArgs, scope: &Scope) -> anyhow::Result<Exit> {
    let program = match &args.program {
        Some(program) => program.clone(),
        None if args.project => SHARED_PROGRAM.to_owned(),
        None => install::quote_for_shell(&std::env::current_exe().context("cannot find the path of this program")?),
    };
    let change = install::plan(&args.agent, &install_scope(args, &directory(scope)?), &program, args.remove)?;
    apply(args, &change, "hook", "try it: let the agent read a path with a slip, such as READMEE.md")
}

/// Writes the MCP server into a client's settings, or removes it.
pub(super) fn server(args: &InstallArgs, scope: &Scope) -> anyhow::Result<Exit> {
    let program = match &args.program {
        Some(program) => program.clone(),
        None if args.project => SHARED_PROGRAM.to_owned(),
        None => {
            let program = std::env::current_exe().context("cannot find the path of this program")?;
            program.to_string_lossy().into_owned()
        }
    };
    let directory = directory(scope)?;
    let change = mcp::plan(&args.agent, &install_scope(args, &directory), &directory, &program, args.remove)?;
    apply(args, &change, "server", "try it: ask \"which file did I mean with READMEE.md? Use path_resolve.\"")
}

fn install_scope(args: &InstallArgs, directory: &Path) -> InstallScope {
    if args.project { InstallScope::Project(directory.to_owned()) } else { InstallScope::User }
}

/// The directory whose project is meant: that of `--root`, or the current one.
fn directory(scope: &Scope) -> anyhow::Result<PathBuf> {
    let current = roots::current_dir()?;
    match &scope.roots[..] {
        [] => Ok(current),
        [root] => {
            let directory = current.join(root);
            anyhow::ensure!(directory.is_dir(), "{} is not a directory", root.display());
            Ok(directory)
        }
        _ => anyhow::bail!("install takes one root: give --root once"),
    }
}

/// Applies a change, or prints it. `what` is the thing that is installed.
fn apply(args: &InstallArgs, change: &SettingsChange, what: &str, trial: &str) -> anyhow::Result<Exit> {
    let file = change.file.display().to_string();
    if change.after == change.before {
        let found = if args.remove { format!("does not have the {what}") } else { "is set up already".to_owned() };
        write_text(&format!("{file} {found}\n"))?;
        return Ok(Exit::Answered);
    }
    if args.dry_run {
        let (before, after) =
            (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default());
        write_bytes(&unified_diff(before.as_bytes(), after.as_bytes(), (&file, &file)))?;
        return Ok(Exit::Answered);
    }
    let backup = change.apply()?;
    let done = if args.remove { format!("no longer has the {what}") } else { format!("has the {what} now") };
    let replaced = change.replaced_root.as_ref().map(|root| format!("; it served {root} before")).unwrap_or_default();
    write_text(&format!("{file} {done}{replaced}\n"))?;
    if let Some(backup) = backup {
        write_text(&format!("the previous settings are in {}\n", backup.display()))?;
    }
    if args.remove {
        return Ok(Exit::Answered);
    }
    if let Some(note) = change.note {
        write_text(&format!("{note}\n"))?;
    }
    let command = if what == "hook" { "hook" } else { "mcp" };
    let project = if args.project { " --project" } else { "" };
    write_text(&format!("{trial}\nremove it: pathfinder {command} install {}{project} --remove\n", args.agent))?;
    Ok(Exit::Answered)
}
