//! Cuts a text into chunks of about a screen: passages that are ranked on their own.

/// Letters of a chunk, without indentation, from which on it ends at the next gap.
const WANTED_CHUNK_BYTES: usize = 900;
/// Letters of a chunk at which it ends in any case.
const MAX_CHUNK_BYTES: usize = 2600;

/// Finds the chunk of each line, line by line.
#[derive(Debug, Default)]
pub(crate) struct ChunkCutter {
    /// Bytes of the present chunk, without indentation.
    bytes: usize,
    /// True if the line before was blank or a single closing bracket.
    is_after_gap: bool,
}

impl ChunkCutter {
    /// Returns whether the next line begins a new chunk.
    pub(crate) fn is_cut_before(&mut self, line: &str) -> bool {
        let trimmed = line.trim();
        let starts_block = !line.starts_with([' ', '\t']);
        let is_cut = self.bytes >= MAX_CHUNK_BYTES
            || self.bytes >= WANTED_CHUNK_BYTES && self.is_after_gap && (starts_block || trimmed.is_empty());
        if is_cut {
            self.bytes = 0;
        }
        self.bytes += trimmed.len();
        self.is_after_gap = trimmed.len() <= 1;
        is_cut
    }
}

#[cfg(test)]
mod tests {
    use super::ChunkCutter;

    fn cuts(text: &str) -> Vec<usize> {
        let mut cutter = ChunkCutter::default();
        text.lines().enumerate().filter(|(_, line)| cutter.is_cut_before(line)).map(|(at, _)| at).collect()
    }

    #[test]
    fn cuts_at_gaps_and_at_the_limit() {
        let block = format!("fn a() {{\n{}}}\n", "    let b = 12345678901234567890;\n".repeat(20));
        assert_eq!(cuts(&block.repeat(4)), [44], "two blocks a chunk");
        assert_eq!(cuts(&"let b = 12345678901234567890;\n".repeat(200)), [90, 180]);
        assert_eq!(cuts("short\n\ntext\n"), []);
    }
}
