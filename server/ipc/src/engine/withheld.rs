//! Keeps git's own files, files with credentials and ignored files out of all answers to agents.
//!
//! Users may approve the tools once per session, because no input leads a model to such a file. An answer names one only if the
//! request had its exact path, and never contains its contents. Only the user can allow reading exact paths, with `--allow-ignored`.

use pathfinder_core::{Answer, Kind, Refusal, RelPath, Status};

use pathfinder_project::settings::{Key, SettingSource};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::probe::withheld::{WithheldReason, is_withheld_name};

/// Reason in an answer from which the best match was removed.
const REDACTED_REASON: &str = "the best match is not named: it is ignored, or has the name of a file with credentials";

/// Returns whether an answer may name an entry that was not requested by its exact path.
pub(super) fn is_shown(workspace: &WorkspaceSnapshot, root: usize, path: &RelPath) -> bool {
    match workspace.engine().roots()[root].snapshot.get(path.as_bytes()) {
        // The index has no ignored files.
        Some(Kind::File | Kind::Directory) => !is_withheld_name(path.as_bytes()),
        // A symbolic link may lead anywhere.
        Some(Kind::Symlink) | None => workspace.probe().find_withheld(root, path).is_none(),
    }
}

/// Removes all entries from an answer that it may not name. A path that exists exactly as requested stays.
pub(super) fn redact(workspace: &WorkspaceSnapshot, answer: &mut Answer) {
    if answer.status == Status::Exists {
        return;
    }
    let is_hidden = |root: usize, path: &RelPath| !is_shown(workspace, root, path);
    let is_first_hidden = answer.path.as_ref().is_some_and(|(root, path)| is_hidden(*root, path))
        || answer.candidates.first().is_some_and(|first| is_hidden(first.root, &first.path));
    let before = answer.candidates.len();
    answer.candidates.retain(|candidate| !is_hidden(candidate.root, &candidate.path));
    if answer.candidates.len() < before {
        // The question may name a removed candidate.
        answer.next_question = None;
    }
    if !is_first_hidden {
        return;
    }
    REDACTED_REASON.clone_into(&mut answer.why);
    // The confidence was that of the removed candidate.
    answer.confidence = 0.0;
    match answer.status {
        Status::Ambiguous if !answer.candidates.is_empty() => {}
        _ => {
            answer.candidates.clear();
            answer.path = None;
            answer.status = Status::NotFound;
            answer.refusal = Some(Refusal::Ignored);
        }
    }
}

/// Returns the reason for not reading an exactly named entry; `None` if it may be read. `allow`: the server was started with
/// `--allow-ignored`.
pub(super) fn find_withheld(workspace: &WorkspaceSnapshot, root: usize, path: &RelPath, allow: bool) -> Option<String> {
    let withheld = workspace.probe().find_withheld(root, path)?;
    let is_allowed = match withheld {
        WithheldReason::Outside => false,
        WithheldReason::Git | WithheldReason::Secret => allow,
        WithheldReason::Ignored => allow || is_included_by_user(workspace, root, path),
    };
    if is_allowed {
        return None;
    }
    let how = match withheld {
        WithheldReason::Outside => "",
        _ => "; to allow it, start the server with --allow-ignored",
    };
    Some(format!("it {withheld}: it is not read{how}"))
}

/// Returns whether the user had an ignored path indexed by naming its directory (`--include-dirs`, `INCLUDE_DIRS`).
///
/// A project's own settings do not count, since they come with the repository. For a symbolic link only the target matters, which the
/// index does not know.
fn is_included_by_user(workspace: &WorkspaceSnapshot, root: usize, path: &RelPath) -> bool {
    let is_users = |source: &SettingSource| matches!(source, SettingSource::Flag(_) | SettingSource::Variable(_));
    let mut settings = workspace.opened()[root].settings.shown();
    let is_indexed = || {
        let kind = workspace.engine().roots()[root].snapshot.get(path.as_bytes());
        matches!(kind, Some(Kind::File | Kind::Directory))
    };
    settings.any(|(setting, _, source)| setting.key == Key::IncludeDirs && is_users(source)) && is_indexed()
}
