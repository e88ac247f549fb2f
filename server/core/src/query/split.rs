//! Splits text into segments, resolves `.` and `..`, and joins segments to a base.

/// A path text split at its separators.
#[derive(Debug)]
pub(super) struct SplitPath<'a> {
    /// The segments, without empty ones, `.` and resolved `..`.
    pub(super) segments: Vec<&'a str>,
    /// Number of unresolved `..`: levels above the start of the path.
    pub(super) climbs: usize,
    /// True if the text contains `..`.
    pub(super) has_parent: bool,
    /// True if the text ends in a separator, `.` or `..`.
    pub(super) is_directory: bool,
}

/// Splits at `/`; `..` removes the segment before it.
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
    let is_directory = text.ends_with(['/']) || matches!(text.rsplit('/').next(), Some("." | ".."));
    SplitPath { segments, climbs, has_parent, is_directory }
}

impl<'a> SplitPath<'a> {
    /// The segments joined to `base`; `None` if there are more `..` than base segments.
    pub(super) fn under(&self, base: &[&'a str]) -> Option<Vec<&'a str>> {
        let kept = base.len().checked_sub(self.climbs)?;
        Some([&base[..kept], &self.segments].concat())
    }
}
