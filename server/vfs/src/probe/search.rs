//! Searches a file for a text without reading it whole.

use std::io::{self, Read as _};
use std::path::Path;

use cap_std::fs::Dir;
use memchr::memmem;

use super::contents::{ContentsError, open};

/// Bytes of a file that are searched. Hand-written source is far smaller, and reading more would take longer (2 ms from
/// a warm cache) than the rest of a query.
const MAX_SEARCHED_BYTES: u64 = 8 * 1024 * 1024;

/// Bytes that are read at once: large enough that system calls do not count, small enough for the second-level cache.
const CHUNK_BYTES: usize = 128 * 1024;

/// Returns whether the regular file at `path` contains `text`; `None` if it is not a regular file, or is too large and
/// the searched part lacks `text`.
pub(super) fn contains(dir: &Dir, path: &Path, text: &str) -> io::Result<Option<bool>> {
    let (file, size) = match open(dir, path) {
        Ok(opened) => opened,
        Err(ContentsError::Refused(error)) => return Err(error),
        Err(_) => return Ok(None),
    };
    let needle = memmem::Finder::new(text);
    // One byte more tells a file that ends at the limit from a longer one.
    let mut file = file.take(MAX_SEARCHED_BYTES + 1);
    let overlap = text.len().saturating_sub(1);
    // Small files get small buffers.
    let mut buffer = vec![0; CHUNK_BYTES.min(size as usize + 1) + overlap];
    let mut kept = 0;
    loop {
        let read = file.read(&mut buffer[kept..])?;
        let filled = kept + read;
        if needle.find(&buffer[..filled]).is_some() {
            return Ok(Some(true));
        }
        if read == 0 {
            // Reading ends at the limit or at the end of the file. Only the latter proves absence.
            return Ok((file.limit() > 0).then_some(false));
        }
        // The text may straddle two chunks.
        kept = overlap.min(filled);
        buffer.copy_within(filled - kept..filled, 0);
    }
}
