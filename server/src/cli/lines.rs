//! Reads stdin line by line with a limit on the length, so that an endless line cannot fill the memory.

use std::io::{self, BufRead, Read as _};

/// One line, without its line ending.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputLine {
    /// The whole line.
    Whole(Vec<u8>),
    /// The line was longer than the limit, and was skipped.
    TooLong,
}

/// Reads the next line; `None` at the end of the input. Holds at most `limit` bytes and one buffer.
pub(crate) fn next(input: &mut impl BufRead, limit: usize) -> io::Result<Option<InputLine>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(limit as u64 + 1).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if line.len() > limit {
        input.skip_until(b'\n')?;
        return Ok(Some(InputLine::TooLong));
    }
    Ok(Some(InputLine::Whole(line)))
}

#[cfg(test)]
mod tests {
    use super::{InputLine, next};

    /// Reads `text` with a limit of four bytes through buffers of several sizes; `!` stands for a line that is too
    /// long.
    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        for size in [1, 3, 64] {
            let mut input = std::io::BufReader::with_capacity(size, text.as_bytes());
            let mut lines = Vec::new();
            while let Some(line) = next(&mut input, 4).unwrap() {
                lines.push(match line {
                    InputLine::Whole(bytes) => String::from_utf8(bytes).unwrap(),
                    InputLine::TooLong => "!".to_owned(),
                });
            }
            assert_eq!(lines, expect, "buffer of {size}");
        }
    }

    #[test]
    fn returns_lines_up_to_the_limit() {
        check("", &[]);
        check("a", &["a"]);
        check("a\n", &["a"]);
        check("a\r\n\nabcd\n", &["a", "", "abcd"]);
        check("abcd", &["abcd"]);
    }

    #[test]
    fn skips_longer_lines() {
        check("abcde", &["!"]);
        check("abcdefghij\nx\n", &["!", "x"]);
        check("a\nabcdefghij\n\nx", &["a", "!", "", "x"]);
    }
}
