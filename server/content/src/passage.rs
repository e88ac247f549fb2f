//! Cuts the passage around a line out of a text, as the index cuts it.

use std::ops::Range;

use crate::chunks::ChunkCutter;

/// Bytes of a passage at most, indentation included: a chunk has 2,600 without it.
const MAX_PASSAGE_BYTES: usize = 4000;

/// Returns the number of the first line (from 1) and the lines of the chunk that has this line (from 1), cut to about a
/// screen. `None` if the text has no such line.
pub fn passage(text: &str, line: u32) -> Option<(u32, &str)> {
    let wanted = usize::try_from(line).ok()?.checked_sub(1)?;
    let mut cutter = ChunkCutter::default();
    let (mut chunk, mut first, mut end, mut is_found): (Range<usize>, usize, usize, bool) = (0..0, 0, 0, false);
    for (at, piece) in text.split_inclusive('\n').enumerate() {
        if cutter.is_cut_before(piece.trim_end_matches(['\n', '\r'])) {
            if is_found {
                break;
            }
            (chunk.start, first) = (end, at);
        }
        // A long chunk begins at the line, or else it would be cut off before.
        if at == wanted && end - chunk.start > MAX_PASSAGE_BYTES / 2 {
            (chunk.start, first) = (end, at);
        }
        end += piece.len();
        chunk.end = end;
        is_found |= at == wanted;
    }
    let mut cut = chunk.end.min(chunk.start + MAX_PASSAGE_BYTES);
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    is_found.then(|| (first as u32 + 1, &text[chunk.start..cut]))
}

#[cfg(test)]
mod tests {
    use super::{MAX_PASSAGE_BYTES, passage};

    #[test]
    fn cuts_the_chunk_of_a_line() {
        let function =
            |name: usize| format!("fn f{name}() {{\n{}}}\n\n", "    let value = compute(1, 2);\n".repeat(40));
        let text: String = (0..4).map(function).collect();
        let (first, part) = passage(&text, 50).expect("a passage");
        assert!(part.starts_with("\nfn f1()") || part.starts_with("fn f1()"), "{first} {part}");
        assert_eq!(text.lines().nth(first as usize - 1), part.lines().next());
        assert_eq!(passage("one\ntwo\n", 2), Some((1, "one\ntwo\n")));
        assert_eq!(passage("one\ntwo", 3), None);
        assert_eq!(passage("", 1), None);
        assert_eq!(passage("a", 0), None);
        let long = "\u{e9}".repeat(10_000);
        let (_, part) = passage(&long, 1).expect("a passage");
        assert!(part.len() <= MAX_PASSAGE_BYTES && part.len() > MAX_PASSAGE_BYTES - 4);
        // The line itself is in the passage, however long the lines before it are.
        let indented = format!("{}target\n", format!("{}x\n", " ".repeat(400)).repeat(50));
        assert!(passage(&indented, 51).expect("a passage").1.contains("target"));
    }
}
