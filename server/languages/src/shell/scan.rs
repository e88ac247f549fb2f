//! Splits a shell script into commands of words with their byte ranges.
//!
//! Not `tree-sitter-bash`, whose scripts are those of bash only, nor `shlex`, which gives no byte ranges and knows no commands.

/// A word with its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShellWord {
    pub(crate) at: usize,
    pub(crate) end: usize,
    /// True after `>`.
    pub(crate) is_output: bool,
    /// True after `<`.
    pub(crate) is_input: bool,
}

/// The operator after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListOperator {
    /// `||`: the command may fail.
    Or,
    /// Any other operator or line end.
    Other,
}

/// A simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShellCommand {
    pub(crate) words: Vec<ShellWord>,
    pub(crate) operator: ListOperator,
}

/// The commands and comments of a script.
#[derive(Debug, Default)]
pub(crate) struct ShellScript {
    pub(crate) commands: Vec<ShellCommand>,
    /// Comments, without `#`.
    pub(crate) comments: Vec<(usize, usize)>,
}

/// The state of the scanner: its offset, the current command, and pending here-documents.
struct ShellScanner<'t> {
    bytes: &'t [u8],
    at: usize,
    script: ShellScript,
    words: Vec<ShellWord>,
    is_output: bool,
    is_input: bool,
    /// Delimiters of here-documents that begin at the next line, and whether their tabs are stripped.
    pending: Vec<(Vec<u8>, bool)>,
}

/// Parses a script. Offsets are relative to `text`.
pub(crate) fn parse_script(text: &str) -> ShellScript {
    let mut scanner = ShellScanner {
        bytes: text.as_bytes(),
        at: 0,
        script: ShellScript::default(),
        words: Vec::new(),
        is_output: false,
        is_input: false,
        pending: Vec::new(),
    };
    scanner.run();
    let mut script = scanner.script;
    for command in &mut script.commands {
        command.words.retain(|word| text.get(word.at..word.end).is_some());
    }
    script.comments.retain(|&(at, end)| text.get(at..end).is_some());
    script
}

impl ShellScanner<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn run(&mut self) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\\' if matches!(self.peek(1), Some(b'\n')) => self.at += 2,
                b'\\' if matches!(self.peek(1), Some(b'\r')) => self.at += 3,
                b'#' => {
                    let end = self.line_end();
                    self.script.comments.push((self.at + 1, end));
                    self.at = end;
                }
                b'\n' => {
                    self.at += 1;
                    self.finish_command(ListOperator::Other);
                    self.skip_heredocs();
                }
                b'|' if self.peek(1) == Some(b'|') => {
                    self.at += 2;
                    self.finish_command(ListOperator::Or);
                }
                b'&' if self.peek(1) == Some(b'>') => self.at += 1,
                b';' | b'|' | b'&' | b'(' | b')' => {
                    self.at += 1;
                    self.finish_command(ListOperator::Other);
                }
                b'<' if self.bytes[self.at..].starts_with(b"<<<") => self.at += 3,
                b'<' if self.peek(1) == Some(b'<') => self.read_heredoc_delimiter(),
                b'<' => {
                    self.at += 1;
                    self.is_input = true;
                }
                b'>' => {
                    while matches!(self.peek(0), Some(b'>' | b'&' | b'|')) {
                        self.at += 1;
                    }
                    self.is_output = true;
                }
                _ => self.read_word(),
            }
        }
        self.finish_command(ListOperator::Other);
    }

    fn line_end(&self) -> usize {
        memchr::memchr(b'\n', &self.bytes[self.at.min(self.bytes.len())..])
            .map_or(self.bytes.len(), |length| self.at + length)
    }

    /// Adds the current command, if it has any words.
    fn finish_command(&mut self, operator: ListOperator) {
        (self.is_output, self.is_input) = (false, false);
        if !self.words.is_empty() {
            let words = std::mem::take(&mut self.words);
            self.script.commands.push(ShellCommand { words, operator });
        }
    }

    fn read_word(&mut self) {
        let at = self.at;
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'|' | b'&' | b'(' | b')' | b'<' | b'>' => break,
                b'\\' => self.at += 2,
                b'\'' => {
                    let rest = &self.bytes[self.at + 1..];
                    self.at += memchr::memchr(b'\'', rest).map_or(rest.len(), |length| length + 1) + 1;
                }
                b'"' => self.skip_double_quoted(),
                b'$' if self.peek(1) == Some(b'\'') => self.skip_ansi_quoted(),
                b'$' => self.skip_dollar(),
                b'`' => {
                    let rest = &self.bytes[self.at + 1..];
                    self.at += memchr::memchr(b'`', rest).map_or(rest.len(), |length| length + 1) + 1;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
        let (is_output, is_input) = (self.is_output, self.is_input);
        // In `2>` the number is a file descriptor.
        let is_number =
            matches!(self.peek(0), Some(b'<' | b'>')) && self.bytes[at..self.at].iter().all(u8::is_ascii_digit);
        if !is_number {
            self.words.push(ShellWord { at, end: self.at, is_output, is_input });
            (self.is_output, self.is_input) = (false, false);
        }
    }

    /// Skips `$'…'`, in which a backslash escapes the quote.
    fn skip_ansi_quoted(&mut self) {
        self.at += 2;
        while self.peek(0).is_some_and(|byte| byte != b'\'') {
            self.at += if self.peek(0) == Some(b'\\') { 2 } else { 1 };
        }
        self.at += 1;
    }

    /// Skips a string in double quotes, in which expansions may contain quotes.
    fn skip_double_quoted(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'"' => break,
                b'\\' => self.at += 2,
                b'$' => self.skip_dollar(),
                _ => self.at += 1,
            }
        }
        self.at += 1;
    }

    /// Skips `$(…)`, `${…}` or a plain `$`. Brackets are counted without recursion.
    fn skip_dollar(&mut self) {
        self.at += 1;
        let (open, close) = match self.peek(0) {
            Some(b'(') => (b'(', b')'),
            Some(b'{') => (b'{', b'}'),
            _ => return,
        };
        let mut depth = 0_usize;
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            match byte {
                b'\\' => self.at += 1,
                _ if byte == open => depth += 1,
                _ if byte == close => {
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                // An unclosed bracket ends the line, not the file.
                b'\n' if self.at - start > 20_000 => return,
                _ => {}
            }
        }
    }

    /// Reads `<<EOF`; the document begins at the next line.
    fn read_heredoc_delimiter(&mut self) {
        self.at += 2;
        let strips = self.peek(0) == Some(b'-');
        self.at += usize::from(strips);
        while matches!(self.peek(0), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let from = self.at;
        while self
            .peek(0)
            .is_some_and(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b';' | b'|' | b'&' | b'>' | b')' | b'<'))
        {
            self.at += 1;
        }
        let name: Vec<u8> =
            self.bytes[from..self.at].iter().copied().filter(|byte| !matches!(byte, b'\'' | b'"' | b'\\')).collect();
        // `1 << 2` is arithmetic.
        if name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_' || *first == b'!') {
            self.pending.push((name, strips));
        }
    }

    /// Skips the here-documents that begin at this line.
    fn skip_heredocs(&mut self) {
        for (name, strips) in std::mem::take(&mut self.pending) {
            while self.at < self.bytes.len() {
                let end = self.line_end();
                let mut line = &self.bytes[self.at..end];
                self.at = (end + 1).min(self.bytes.len());
                while strips && line.first() == Some(&b'\t') {
                    line = &line[1..];
                }
                if line.strip_suffix(b"\r").unwrap_or(line) == name {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse_script;

    #[test]
    fn splits_commands() {
        let check = |text: &str, expect: &[&str]| {
            let script = parse_script(text);
            let line = |command: &super::ShellCommand| {
                command.words.iter().map(|word| &text[word.at..word.end]).collect::<Vec<_>>().join("|")
            };
            assert_eq!(script.commands.iter().map(line).collect::<Vec<_>>(), expect, "{text}");
        };
        check("a b 'c d' \"e f\"; g && h", &["a|b|'c d'|\"e f\"", "g", "h"]);
        check(". \"$(dirname \"$0\")/x.sh\" # y", &[".|\"$(dirname \"$0\")/x.sh\""]);
        check("a \\\n b\nc", &["a|b", "c"]);
        check("cat <<EOF > x\n. ./no.sh\nEOF\nb", &["cat|x", "b"]);
        check("cat <<-'E O'\nb", &["cat|O'\nb"]);
        check("a 2>/dev/null >x <y", &["a|/dev/null|x|y"]);
        check("x=$((1 << 2)) y\nz", &["x=$((1 << 2))|y", "z"]);
        check("a $'it\\'s' b", &["a|$'it\\'s'|b"]);
        check("a 'b", &["a|'b"]);
        check("a $(b", &["a|$(b"]);
    }
}
