//! Keeps what is not the agent's to see out of all answers: git's own files, files with credentials, ignored files.
//!
//! Tools may be approved once for all of a session, because nothing that a model sends leads to such a file: answers do not
//! name one that was not asked for by its exact path, and contents are not read. Only the user lifts the latter, for exact
//! paths, with `--allow-ignored`.

use pathfinder_core::{Answer, Kind, Refusal, RelPath, Status};

use crate::os::probe::withheld::{Withheld, is_withheld_name};
use crate::settings::{Key, SettingSource};
use crate::snapshot::WorkspaceSnapshot;

/// Why there is no answer, or another one.
const WITHHELD: &str = "the best match is not named: it is ignored, or has the name of a file with credentials";

/// Whether an answer may name an entry that was not asked for by its exact path.
pub(super) fn is_shown(workspace: &WorkspaceSnapshot, root: usize, path: &RelPath) -> bool {
    match workspace.engine().roots()[root].snapshot.get(path.as_bytes()) {
        // The index has nothing that is ignored.
        Some(Kind::File | Kind::Directory) => !is_withheld_name(path.as_bytes()),
        // A link may lead anywhere.
        Some(Kind::Symlink) | None => workspace.probe().find_withheld(root, path).is_none(),
    }
}

/// Takes out of an answer all that it may not name. A path that exists exactly as it was asked for stays.
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
        // It may name one that was taken out.
        answer.next_question = None;
    }
    if !is_first_hidden {
        return;
    }
    WITHHELD.clone_into(&mut answer.why);
    // The confidence was that of the first one.
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

/// Why an entry that was asked for by its exact path is not read; `None` if it may be. `allow`: the server was started with
/// `--allow-ignored`.
pub(super) fn find_withheld(workspace: &WorkspaceSnapshot, root: usize, path: &RelPath, allow: bool) -> Option<String> {
    let withheld = workspace.probe().find_withheld(root, path)?;
    let is_allowed = match withheld {
        Withheld::Outside => false,
        Withheld::Git | Withheld::Secret => allow,
        Withheld::Ignored => allow || is_included_by_user(workspace, root, path),
    };
    if is_allowed {
        return None;
    }
    let how = match withheld {
        Withheld::Outside => "",
        _ => "; to allow it, start the server with --allow-ignored",
    };
    Some(format!("it {withheld}: it is not read{how}"))
}

/// Whether an ignored path is indexed because the user named its directory (`--include-dirs`, `INCLUDE_DIRS`). A project's own
/// settings do not count: they come with the repository. Of a link only its target is in question, which the index does not say.
fn is_included_by_user(workspace: &WorkspaceSnapshot, root: usize, path: &RelPath) -> bool {
    let is_users = |source: &SettingSource| matches!(source, SettingSource::Flag(_) | SettingSource::Variable(_));
    let mut settings = workspace.opened()[root].settings.shown();
    let is_indexed = || {
        let kind = workspace.engine().roots()[root].snapshot.get(path.as_bytes());
        matches!(kind, Some(Kind::File | Kind::Directory))
    };
    settings.any(|(setting, _, source)| setting.key == Key::IncludeDirs && is_users(source)) && is_indexed()
}
