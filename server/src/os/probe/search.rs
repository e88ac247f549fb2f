//! Looking for text in a file without reading it whole.

use std::io::{self, Read as _};
use std::path::Path;

use cap_std::fs::Dir;
use memchr::memmem;

use super::contents::{ContentsError, open};

/// Most that is looked through, in bytes. Source that people write is far smaller; reading more would take
/// longer (2 ms from a warm cache) than the rest of a query.
const MAX_SEARCHED_BYTES: u64 = 8 * 1024 * 1024;

/// Read at once: large enough that system calls do not count, small enough for the second-level cache.
const CHUNK_BYTES: usize = 128 * 1024;

/// Whether the regular file at `path` holds `text`; `None` if it is no regular file, or too large and without
/// `text` in the part that was looked through.
pub(super) fn contains(dir: &Dir, path: &Path, text: &str) -> io::Result<Option<bool>> {
    let (file, size) = match open(dir, path) {
        Ok(opened) => opened,
        Err(ContentsError::Refused(error)) => return Err(error),
        Err(_) => return Ok(None),
    };
    let needle = memmem::Finder::new(text);
    // One byte more, to tell a file that ends at the limit from one that goes on.
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
            // The limit ends reading like the end of the file does; only the latter proves absence.
            return Ok((file.limit() > 0).then_some(false));
        }
        // The text may straddle two chunks.
        kept = overlap.min(filled);
        buffer.copy_within(filled - kept..filled, 0);
    }
}
