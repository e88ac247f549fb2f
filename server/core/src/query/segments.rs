//! From text to segments: splitting, `.` and `..`, joining to a base.

/// A text taken apart at its separators.
#[derive(Debug)]
pub(super) struct Split<'a> {
    /// What is between them, without empty ones, `.` and resolved `..`.
    pub(super) segments: Vec<&'a str>,
    /// How many `..` were left over: levels above where the path starts.
    pub(super) climbs: usize,
    /// Whether there was any `..`.
    pub(super) parents: bool,
    /// Whether it ends in a separator, `.` or `..`.
    pub(super) directory: bool,
}

/// Splits at `/`; `..` takes away the segment before it.
pub(super) fn split(text: &str) -> Split<'_> {
    let mut segments = Vec::new();
    let mut climbs = 0;
    let mut parents = false;
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parents = true;
                if segments.pop().is_none() {
                    climbs += 1;
                }
            }
            segment => segments.push(segment),
        }
    }
    let directory = text.ends_with(['/']) || matches!(text.rsplit('/').next(), Some("." | ".."));
    Split { segments, climbs, parents, directory }
}

impl<'a> Split<'a> {
    /// The segments seen from `base`; `None` when there are more `..` than it is deep.
    pub(super) fn under(&self, base: &[&'a str]) -> Option<Vec<&'a str>> {
        let kept = base.len().checked_sub(self.climbs)?;
        Some([&base[..kept], &self.segments].concat())
    }
}
