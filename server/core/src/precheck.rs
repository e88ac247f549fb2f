//! What the disk says of the readings before anything is guessed.

use crate::answer::Refusal;
use crate::path::RelPath;
use crate::probe::{Kind, Presence, Probe};
use crate::query::{Note, Reading};
use crate::request::Request;
use crate::root::Root;

/// Readings that are looked for; the dearer ones are left to the index.
const LOOKED_AT: usize = 4;

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct DiskCheck {
    /// The root and path that is there exactly as asked.
    pub(crate) exact: Option<(usize, RelPath)>,
    /// What a reading means is there and not ignored, but not in the index: it was made since.
    pub(crate) new: Option<(usize, RelPath, Kind)>,
    /// What a reading means is there, but ignored. Nothing else can be the one meant.
    pub(crate) ignored: bool,
    /// What a reading means is not checked out, and nothing that one means is there. Nothing else can be the one meant either.
    pub(crate) left_out: bool,
    /// The way there leaves the roots.
    outside: bool,
}

impl DiskCheck {
    /// Whether the one meant is known, and cannot be answered.
    pub(crate) fn withholds(&self) -> bool {
        self.ignored || self.left_out
    }

    /// Why there is no answer, should there be none.
    pub(crate) fn refusal(&self) -> Refusal {
        match self {
            Self { ignored: true, .. } => Refusal::Ignored,
            Self { left_out: true, .. } => Refusal::LeftOut,
            Self { outside: true, .. } => Refusal::OutsideRoot,
            _ => Refusal::NotFound,
        }
    }
}

/// Looks for the cheap readings on disk.
pub(crate) fn check_disk(request: &Request, readings: &[Reading], roots: &[Root], probe: &dyn Probe) -> DiskCheck {
    let mut seen = DiskCheck::default();
    let written = Written::of(&request.failed_path);
    let mut absent = Vec::new();
    let mut is_any_there = false;
    let mut order: Vec<(usize, &Reading)> = readings.iter().enumerate().collect();
    // `./x` says itself that it is relative to where one stands.
    if written.dotted {
        order.sort_by_key(|(_, reading)| !reading.notes.contains(&Note::FromCwd));
    }
    for (at, reading) in order {
        let exact = written.is_exact(reading);
        seen.outside |= reading.outside && at == 0;
        if reading.outside || !exact && at >= LOOKED_AT {
            continue;
        }
        let path = reading.segments.join("/");
        for root in (0..roots.len()).filter(|&root| reading.root.is_none_or(|wanted| wanted == root)) {
            match probe.presence(root, path.as_bytes()) {
                Presence::Absent => absent.push((root, path.clone())),
                Presence::Outside => seen.outside = true,
                Presence::Present(kind) => {
                    is_any_there = true;
                    if exact && (!reading.directory || is_directory(root, &path, kind, probe)) {
                        seen.exact = Some((root, RelPath::from(path.as_str())));
                        return seen;
                    }
                    // The root itself is in no index, and is nobody's discovery.
                    let known = path.is_empty() || roots[root].snapshot.get(path.as_bytes()).is_some();
                    if !known && probe.is_ignored(root, path.as_bytes()) {
                        seen.ignored = true;
                    } else if !known && seen.new.is_none() {
                        seen.new = Some((root, RelPath::from(path.as_str()), kind));
                    }
                }
            }
        }
    }
    seen.left_out = !is_any_there && absent.iter().any(|(root, path)| probe.is_left_out(*root, path.as_bytes()));
    seen
}

/// Whether it is a directory, or a link to one.
fn is_directory(root: usize, path: &str, kind: Kind, probe: &dyn Probe) -> bool {
    match kind {
        Kind::Directory => true,
        Kind::File => false,
        Kind::Symlink => matches!(probe.presence(root, format!("{path}/.").as_bytes()), Presence::Present(_)),
    }
}

/// What the text of the failed path says about how it may be read.
struct Written {
    /// It begins with `./` or `../`.
    dotted: bool,
    /// It goes back up from a directory that it went into, which exists only if that directory does.
    turns_back: bool,
}

impl Written {
    fn of(text: &str) -> Self {
        let mut inside = false;
        let mut turns_back = false;
        for segment in text.split('/') {
            match segment {
                "" | "." => {}
                ".." => turns_back |= inside,
                _ => inside = true,
            }
        }
        Self { dotted: text.starts_with("./") || text.starts_with("../"), turns_back }
    }

    /// Whether the reading takes the text for what it says, so that what is there is no correction.
    fn is_exact(&self, reading: &Reading) -> bool {
        !self.turns_back
            && reading.notes.iter().all(|note| match note {
                Note::AsWritten | Note::FromCwd | Note::ParentResolved => true,
                Note::FromFile => self.dotted,
                _ => false,
            })
    }
}
