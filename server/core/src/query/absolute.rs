//! Parses absolute paths: their volume, and the root under which they lie.

use super::escape;

/// The volume of an absolute path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Volume {
    /// `/`.
    Posix,
    /// `c:`, in lower case.
    Drive(u8),
    /// `//server/share`: both are the first segments.
    Share,
}

/// Splits an absolute text into its volume and the part below; `None` if it is relative. Its separators are `/`.
pub(super) fn split_volume(text: &str) -> Option<(Volume, &str)> {
    let bytes = text.as_bytes();
    if bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2] == b'/' {
        return Some((Volume::Drive(bytes[0].to_ascii_lowercase()), &text[3..]));
    }
    if let Some(rest) = text.strip_prefix("//") {
        let (server, below) = rest.split_once('/')?;
        // A path inside a Linux distribution, seen from Windows.
        if server.eq_ignore_ascii_case("wsl$") || server.eq_ignore_ascii_case("wsl.localhost") {
            return Some((Volume::Posix, below.split_once('/').map_or("", |(_, path)| path)));
        }
        return Some((Volume::Share, rest));
    }
    text.strip_prefix('/').map(|rest| (Volume::Posix, rest))
}

/// Translates `/mnt/c/x`, `/cygdrive/c/x` and `/c/x` to a drive; returns it with the number of segments that name it.
pub(super) fn to_windows_form<S: AsRef<str>>(volume: Volume, segments: &[S]) -> (Volume, usize) {
    let letter = |at: usize| match segments.get(at).map(|segment| segment.as_ref().as_bytes()) {
        Some([letter]) if letter.is_ascii_alphabetic() => Some(letter.to_ascii_lowercase()),
        _ => None,
    };
    if volume != Volume::Posix {
        return (volume, 0);
    }
    match segments.first().map(AsRef::as_ref) {
        Some("mnt" | "cygdrive") => letter(1).map_or((volume, 0), |drive| (Volume::Drive(drive), 2)),
        _ => letter(0).map_or((volume, 0), |drive| (Volume::Drive(drive), 1)),
    }
}

/// One absolute form of a root.
#[derive(Debug)]
pub(super) struct RootForm {
    pub(super) root: usize,
    volume: Volume,
    pub(super) segments: Vec<String>,
}

impl RootForm {
    /// Reads a root's absolute text; `None` when it is not absolute.
    pub(super) fn new(root: usize, text: &str) -> Option<Self> {
        let slashed = if text.starts_with('/') { None } else { escape::backslashes_to_slashes(text) };
        let (volume, rest) = split_volume(slashed.as_deref().unwrap_or(text))?;
        let segments = rest.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        Some(Self { root, volume, segments })
    }

    /// The root's own directory name.
    pub(super) fn name(&self) -> Option<&str> {
        self.segments.last().map(String::as_str)
    }

    /// The number of leading segments that are this root's path, and whether they are in the root's own notation.
    fn matched_segments(&self, volume: Volume, segments: &[&str]) -> Option<(usize, bool)> {
        if self.volume == volume && starts_with_root(segments, &self.segments, volume) {
            return Some((self.segments.len(), true));
        }
        let (ours, skip) = to_windows_form(self.volume, &self.segments);
        let (theirs, passed) = to_windows_form(volume, segments);
        let same = ours == theirs && (self.volume != ours || volume != theirs);
        (same && starts_with_root(&segments[passed..], &self.segments[skip..], ours))
            .then(|| (passed + self.segments.len() - skip, false))
    }

    /// The last position of the whole root among the segments, as start and end.
    pub(super) fn find_in(&self, segments: &[&str]) -> Option<(usize, usize)> {
        let length = self.segments.len();
        // One segment is a name, not a path.
        if length < 2 || segments.len() <= length {
            return None;
        }
        (0..=segments.len() - length)
            .rev()
            .find(|&at| {
                segments[at] == self.segments[0] && starts_with_root(&segments[at..], &self.segments, self.volume)
            })
            .map(|at| (at, at + length))
    }
}

/// Returns whether the segments begin with those of a root, ignoring case on Windows.
fn starts_with_root(segments: &[&str], root: &[String], volume: Volume) -> bool {
    segments.len() >= root.len()
        && segments.iter().zip(root).all(|(segment, own)| match volume {
            Volume::Posix => *segment == own,
            Volume::Drive(_) | Volume::Share => segment.eq_ignore_ascii_case(own),
        })
}

/// The deepest root that an absolute path lies under: its number, the number of its segments, and whether the
/// notation is the root's own.
pub(super) fn find_root(forms: &[RootForm], volume: Volume, segments: &[&str]) -> Option<(usize, usize, bool)> {
    let under = |form: &RootForm| form.matched_segments(volume, segments).map(|(length, own)| (form.root, length, own));
    // The first of equals wins: roots and their forms are in order of preference.
    forms.iter().filter_map(under).reduce(|best, next| if next.1 > best.1 { next } else { best })
}
