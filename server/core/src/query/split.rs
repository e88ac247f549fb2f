//! From text to segments: splitting, `.` and `..`, joining to a base.

/// A text taken apart at its separators.
#[derive(Debug)]
pub(super) struct SplitPath<'a> {
    /// What is between them, without empty ones, `.` and resolved `..`.
    pub(super) segments: Vec<&'a str>,
    /// How many `..` were left over: levels above where the path starts.
    pub(super) climbs: usize,
    /// Whether there was any `..`.
    pub(super) has_parent: bool,
    /// Whether it ends in a separator, `.` or `..`.
    pub(super) directory: bool,
}

/// Splits at `/`; `..` takes away the segment before it.
pub(super) fn split_path(text: &str) -> SplitPath<'_> {
    let mut segments = Vec::new();
    let mut climbs = 0;
    let mut has_parent = false;
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                has_parent = true;
                if segments.pop().is_none() {
                    climbs += 1;
                }
            }
            segment => segments.push(segment),
        }
    }
    let directory = text.ends_with(['/']) || matches!(text.rsplit('/').next(), Some("." | ".."));
    SplitPath { segments, climbs, has_parent, directory }
}

impl<'a> SplitPath<'a> {
    /// The segments seen from `base`; `None` when there are more `..` than it is deep.
    pub(super) fn under(&self, base: &[&'a str]) -> Option<Vec<&'a str>> {
        let kept = base.len().checked_sub(self.climbs)?;
        Some([&base[..kept], &self.segments].concat())
    }
}
