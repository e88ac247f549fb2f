//! Measures the similarity of two files as git does: the bytes of lines that both have, in any order, as a share of the
//! larger file.

use std::cmp::Ordering;
use std::hash::Hasher as _;

use rustc_hash::FxHasher;

/// Longer lines are split, so that minified and binary files have more than one.
const MAX_LINE_BYTES: usize = 64;

/// The lines of a file as sorted hashes with their sizes, which are quick to compare.
#[derive(Debug)]
pub(super) struct LineCounts {
    size: u64,
    /// (Hash of a line, bytes of all lines with it), sorted.
    counts: Vec<(u32, u32)>,
}

impl LineCounts {
    pub(super) fn new(content: &[u8]) -> Self {
        let mut counts: Vec<(u32, u32)> = Vec::with_capacity(content.len() / 32);
        let mut rest = content;
        while !rest.is_empty() {
            let longest = &rest[..rest.len().min(MAX_LINE_BYTES)];
            let end = memchr::memchr(b'\n', longest).map_or(longest.len(), |at| at + 1);
            let (line, after) = rest.split_at(end);
            // Files that differ only in line endings have the same lines.
            let text = line.strip_suffix(b"\r\n").or_else(|| line.strip_suffix(b"\n")).unwrap_or(line);
            let mut hasher = FxHasher::default();
            hasher.write(text);
            // The upper half is used, because the lower bits of this hash depend on less of the text.
            counts.push(((hasher.finish() >> 32) as u32, end as u32));
            rest = after;
        }
        counts.sort_unstable();
        counts.dedup_by(|next, all| {
            let same = next.0 == all.0;
            if same {
                all.1 = all.1.saturating_add(next.1);
            }
            same
        });
        Self { size: content.len() as u64, counts }
    }

    /// Returns the similarity from 0 to 1; 0 as well if it must be below `least`.
    pub(super) fn similarity(&self, new: &Self, least: f64) -> f64 {
        let (smaller, larger) = (self.size.min(new.size), self.size.max(new.size));
        // Even if all of the smaller file were common, it would not be enough.
        if larger == 0 || (smaller as f64) < least * larger as f64 {
            return 0.0;
        }
        let mut common: u64 = 0;
        let (mut old, mut new_counts) = (self.counts.iter().peekable(), new.counts.iter().peekable());
        while let (Some(&&(a, in_old)), Some(&&(b, in_new))) = (old.peek(), new_counts.peek()) {
            match a.cmp(&b) {
                Ordering::Less => _ = old.next(),
                Ordering::Greater => _ = new_counts.next(),
                Ordering::Equal => {
                    common += u64::from(in_old.min(in_new));
                    old.next();
                    new_counts.next();
                }
            }
        }
        common as f64 / larger as f64
    }
}
