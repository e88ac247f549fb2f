//! Checks the cheapest readings on disk; `Engine` runs it before history and candidates are searched.

use crate::answer::Refusal;
use crate::path::RelPath;
use crate::probe::{Kind, Presence, Probe};
use crate::query::{Note, Reading};
use crate::request::Request;
use crate::root::Root;

/// Readings that are checked on disk; dearer ones are left to the index.
const MAX_READINGS_CHECKED: usize = 4;

/// The state of the readings on disk.
#[derive(Debug, Default)]
pub(crate) struct DiskCheck {
    /// The root and path that exists exactly as requested.
    pub(crate) exact: Option<(usize, RelPath)>,
    /// A reading that exists and is not ignored, but is not in the index yet.
    pub(crate) new: Option<(usize, RelPath, Kind)>,
    /// True if a reading exists but is ignored. Then no other path is offered.
    pub(crate) ignored: bool,
    /// True if a reading is left out of the checkout and no reading exists. Then no other path is offered.
    pub(crate) left_out: bool,
    /// True if a reading leaves the roots.
    outside: bool,
}

impl DiskCheck {
    /// Returns whether the requested path is known and cannot be returned.
    pub(crate) fn withholds(&self) -> bool {
        self.ignored || self.left_out
    }

    /// The reason to report if there is no answer.
    pub(crate) fn refusal(&self) -> Refusal {
        match self {
            Self { ignored: true, .. } => Refusal::Ignored,
            Self { left_out: true, .. } => Refusal::LeftOut,
            Self { outside: true, .. } => Refusal::OutsideRoot,
            _ => Refusal::NotFound,
        }
    }
}

/// Checks the cheapest readings on disk.
pub(crate) fn check_disk(request: &Request, readings: &[Reading], roots: &[Root], probe: &dyn Probe) -> DiskCheck {
    let mut check = DiskCheck::default();
    let syntax = PathSyntax::parse(&request.failed_path);
    let mut absent = Vec::new();
    let mut is_any_there = false;
    let mut order: Vec<(usize, &Reading)> = readings.iter().enumerate().collect();
    // `./x` is relative to the current directory.
    if syntax.is_dotted {
        order.sort_by_key(|(_, reading)| !reading.notes.contains(&Note::FromCwd));
    }
    for (at, reading) in order {
        let exact = syntax.is_exact(reading);
        check.outside |= reading.outside && at == 0;
        if reading.outside || !exact && at >= MAX_READINGS_CHECKED {
            continue;
        }
        let path = reading.segments.join("/");
        for root in (0..roots.len()).filter(|&root| reading.root.is_none_or(|wanted| wanted == root)) {
            match probe.presence(root, path.as_bytes()) {
                Presence::Absent => absent.push((root, path.clone())),
                Presence::Outside => check.outside = true,
                Presence::Present(kind) => {
                    is_any_there = true;
                    if exact && (!reading.is_directory || is_directory(root, &path, kind, probe)) {
                        check.exact = Some((root, RelPath::from(path.as_str())));
                        return check;
                    }
                    // The root itself is in no index, and is never new.
                    let known = path.is_empty() || roots[root].snapshot.get(path.as_bytes()).is_some();
                    if !known && probe.is_ignored(root, path.as_bytes()) {
                        check.ignored = true;
                    } else if !known && check.new.is_none() {
                        check.new = Some((root, RelPath::from(path.as_str()), kind));
                    }
                }
            }
        }
    }
    check.left_out = !is_any_there && absent.iter().any(|(root, path)| probe.is_left_out(*root, path.as_bytes()));
    check
}

/// Returns whether the entry is a directory or a link to one.
fn is_directory(root: usize, path: &str, kind: Kind, probe: &dyn Probe) -> bool {
    match kind {
        Kind::Directory => true,
        Kind::File => false,
        Kind::Symlink => matches!(probe.presence(root, format!("{path}/.").as_bytes()), Presence::Present(_)),
    }
}

/// The parts of the failed path's text that decide which readings are exact.
struct PathSyntax {
    /// True if it begins with `./` or `../`.
    is_dotted: bool,
    /// True if `..` follows a directory, so that the path exists only if that directory does.
    has_inner_parent: bool,
}

impl PathSyntax {
    fn parse(text: &str) -> Self {
        let mut inside = false;
        let mut has_inner_parent = false;
        for segment in text.split('/') {
            match segment {
                "" | "." => {}
                ".." => has_inner_parent |= inside,
                _ => inside = true,
            }
        }
        Self { is_dotted: text.starts_with("./") || text.starts_with("../"), has_inner_parent }
    }

    /// Returns whether the reading is the literal text, so that an existing path is not a correction.
    fn is_exact(&self, reading: &Reading) -> bool {
        !self.has_inner_parent
            && reading.notes.iter().all(|note| match note {
                Note::AsWritten | Note::FromCwd | Note::ParentResolved => true,
                Note::FromFile => self.is_dotted,
                _ => false,
            })
    }
}
