//! A brake on storms of misses: an agent that guesses one name after another in the same directory is told what is there,
//! which ends the guessing.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use pathfinder_core::{Answer, Kind, Presence, Probe as _, RelPath, Request, Status};
use serde_json::{Value, json};

use super::withheld;
use crate::snapshot::WorkspaceSnapshot;
use crate::wire::place::placed;

/// Two misses are a slip and its correction; from the third on it is guessing.
const MISSES: usize = 3;
/// Directories that are remembered. An agent works in a handful.
const DIRECTORIES: usize = 32;
/// Names of a digest: some 200 tokens, as many as five candidates with a question take.
const NAMES: usize = 40;
/// Endings that are counted where there are more names than that.
const ENDINGS: usize = 8;

/// How many paths were missed where, since somebody last found one there. Of one conversation, or of all of a server's.
#[derive(Debug, Default)]
pub(super) struct Brake(Mutex<Vec<Missed>>);

#[derive(Debug)]
struct Missed {
    root: std::path::PathBuf,
    directory: Vec<u8>,
    times: usize,
}

impl Brake {
    /// Takes in an answer. After too many misses in one directory: what is there, as members of the reply.
    pub(super) fn note(&self, workspace: &WorkspaceSnapshot, request: &Request, answer: &Answer) -> Option<Value> {
        let (root, directory) = deepest(workspace, &request.failed_path)?;
        let canonical = &workspace.opened()[root].root.canonical;
        let mut missed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = missed.iter().position(|one| one.root == *canonical && one.directory == directory);
        let before = at.map_or(0, |at| missed.remove(at).times);
        if matches!(answer.status, Status::Exists | Status::Resolved) {
            return None;
        }
        let times = before + 1;
        if times < MISSES {
            // The one that was missed last stands last.
            missed.push(Missed { root: canonical.clone(), directory, times });
            if missed.len() > DIRECTORIES {
                missed.remove(0);
            }
            return None;
        }
        drop(missed);
        digest(workspace, root, &directory)
    }
}

/// The deepest directory on the way to a path that is there.
fn deepest(workspace: &WorkspaceSnapshot, asked: &str) -> Option<(usize, Vec<u8>)> {
    let asked = asked.replace('\\', "/");
    let roots = workspace.opened();
    let (root, below) = if Path::new(&asked).is_absolute() {
        let inside = |canonical: &Path| Path::new(&asked).strip_prefix(canonical).ok().map(Path::to_path_buf);
        roots.iter().enumerate().find_map(|(at, opened)| Some((at, inside(&opened.root.canonical)?)))?
    } else {
        // Of several roots nobody can say which was meant.
        if roots.len() > 1 {
            return None;
        }
        (0, Path::new(&asked).to_path_buf())
    };
    let below = below.to_str()?;
    let mut directory: Vec<&str> = below.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    if directory.contains(&"..") {
        return None;
    }
    let snapshot = &workspace.engine().roots()[root].snapshot;
    while directory.pop().is_some() {
        if directory.is_empty() || snapshot.get(directory.join("/").as_bytes()) == Some(Kind::Directory) {
            return Some((root, directory.join("/").into_bytes()));
        }
    }
    None
}

/// What is in a directory: its names, or the first of them and how many there are of each ending.
fn digest(workspace: &WorkspaceSnapshot, root: usize, directory: &[u8]) -> Option<Value> {
    let children = workspace.engine().roots()[root].snapshot.children(directory);
    let below = |name: &[u8]| if directory.is_empty() { name.to_vec() } else { [directory, b"/", name].concat() };
    let is_there = |name: &[u8]| {
        let path = below(name);
        matches!(workspace.probe().presence(root, &path), Presence::Present(_))
            && withheld::is_shown(workspace, root, &RelPath::new(path))
    };
    let shown = |name: &[u8], kind: Kind| {
        format!("{}{}", String::from_utf8_lossy(name), if kind == Kind::Directory { "/" } else { "" })
    };
    let there = children.iter().filter(|(name, _)| is_there(name));
    let entries: Vec<String> = there.take(NAMES).map(|(name, kind)| shown(name, *kind)).collect();
    if entries.is_empty() {
        return None;
    }
    let place = placed(workspace, root, &RelPath::new(directory));
    let mut digest = json!({"directory": if place.is_empty() { "." } else { &place }, "entries": entries});
    if children.len() > NAMES {
        let mut endings: BTreeMap<String, usize> = BTreeMap::new();
        for (name, kind) in &children {
            let dot = name.iter().rposition(|&byte| byte == b'.').filter(|&at| at > 0);
            let ending = match (kind, dot) {
                (Kind::Directory, _) => "/".to_owned(),
                (_, Some(dot)) => String::from_utf8_lossy(&name[dot..]).into_owned(),
                (_, None) => "no ending".to_owned(),
            };
            *endings.entry(ending).or_default() += 1;
        }
        let mut most: Vec<(String, usize)> = endings.into_iter().collect();
        most.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        most.truncate(ENDINGS);
        digest["more"] = json!(children.len() - NAMES);
        digest["endings"] = Value::Object(most.into_iter().map(|(ending, count)| (ending, json!(count))).collect());
    }
    Some(digest)
}
