//! Scans the instructions of a Dockerfile, and the sources of `COPY` and `ADD`: continued lines with comments between them, flags, JSON
//! lists, heredocs.
//!
//! Not `parse-dockerfile`: it ends at the first error (an instruction of a frontend, a part without `FROM`), reads the lines of
//! `RUN cat <<EOF` as instructions, and splits quoted words at their blanks.

use std::ops::Range;

/// The limit of unterminated heredocs; each search costs the rest of the file.
const MAX_UNTERMINATED_HEREDOCS: usize = 32;

/// A source as it is written.
pub(super) struct CopySource {
    pub(super) text: String,
    pub(super) range: Range<usize>,
    pub(super) is_add: bool,
    /// True if the instruction has no other source.
    pub(super) is_only_source: bool,
}

/// An instruction that names files.
pub(super) struct Instruction {
    /// In capitals.
    pub(super) name: String,
    /// Its words, of which the first is the name.
    pub(super) words: Vec<InstructionWord>,
}

/// A word of an instruction.
pub(super) struct InstructionWord {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// All instructions that name files or decide what their names mean.
pub(super) fn instructions(text: &str) -> Vec<Instruction> {
    const NAMES: [&str; 7] = ["ADD", "CMD", "COPY", "ENTRYPOINT", "FROM", "RUN", "WORKDIR"];
    let escape = if has_backtick(text) { '`' } else { '\\' };
    let mut lines = DockerfileLines { text, at: 0 };
    let mut found = Vec::new();
    let mut unterminated: Vec<String> = Vec::new();
    while let Some(first) = lines.next() {
        let trimmed = text[first.clone()].trim_start();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let instruction = trimmed.split_whitespace().next().unwrap_or("").to_ascii_uppercase();
        let mut parts = vec![first];
        while parts.last().is_some_and(|part| text[part.clone()].trim_end().ends_with(escape)) {
            let Some(next) = lines.next() else { break };
            // Comments and empty lines between continued lines are skipped.
            let line = text[next.clone()].trim_start();
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            parts.push(next);
        }
        if NAMES.contains(&instruction.as_str()) {
            let words = split_words(text, &parts, escape);
            for word in &words {
                if let Some(end) = heredoc_end(&word.text) {
                    // If one is unterminated, a second search for its end would fail too.
                    if unterminated.len() < MAX_UNTERMINATED_HEREDOCS
                        && !unterminated.contains(&end)
                        && !skip_heredoc(&mut lines, &end)
                    {
                        unterminated.push(end);
                    }
                }
            }
            found.push(Instruction { name: instruction, words });
        }
    }
    found
}

/// All sources that come from the context.
pub(super) fn find_sources(instructions: &[Instruction]) -> Vec<CopySource> {
    let mut found = Vec::new();
    for Instruction { name, words } in instructions {
        if matches!(name.as_str(), "COPY" | "ADD") {
            collect_sources(words, name == "ADD", &mut found);
        }
    }
    found
}

/// Collects the sources among the words of one instruction.
fn collect_sources(words: &[InstructionWord], is_add: bool, found: &mut Vec<CopySource>) {
    let flags = words.iter().skip(1).take_while(|word| word.text.starts_with("--")).count();
    let (flags, rest) = words.get(1..).unwrap_or_default().split_at(flags);
    if flags.iter().any(|flag| flag.text.starts_with("--from")) {
        return;
    }
    let Some((_, sources)) = rest.split_last() else { return };
    for source in sources {
        if !source.text.starts_with("<<") && !source.text.is_empty() {
            found.push(CopySource {
                text: source.text.clone(),
                range: source.range.clone(),
                is_add,
                is_only_source: sources.len() == 1,
            });
        }
    }
}

/// Iterates over lines without their ends.
struct DockerfileLines<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for DockerfileLines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let end = memchr::memchr(b'\n', &self.text.as_bytes()[start..]).map_or(self.text.len(), |at| start + at);
        self.at = end + 1;
        Some(start..end - usize::from(self.text[start..end].ends_with('\r')))
    }
}

/// Returns whether a directive at the beginning is `# escape=` followed by a backtick.
fn has_backtick(text: &str) -> bool {
    let directives = text.lines().take_while(|line| line.trim_start().starts_with('#'));
    directives.map(|line| line.replace(' ', "").to_ascii_lowercase()).any(|line| line == "#escape=`")
}

/// The delimiter of a heredoc, if the word begins one.
fn heredoc_end(word: &str) -> Option<String> {
    let at = word.find("<<")?;
    let rest = word[at + 2..].trim_start_matches('-').trim_matches(['"', '\'']);
    let name = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (name && !rest.is_empty() && word[..at].bytes().all(|byte| byte.is_ascii_digit())).then(|| rest.to_owned())
}

/// Skips a heredoc. Returns false and skips nothing if it is unterminated.
fn skip_heredoc(lines: &mut DockerfileLines<'_>, end: &str) -> bool {
    let text = lines.text;
    let from = lines.at;
    let ends = lines.any(|line| text[line].trim() == end);
    if !ends {
        lines.at = from;
    }
    ends
}

/// The words of an instruction, or the elements of its JSON list.
fn split_words(text: &str, parts: &[Range<usize>], escape: char) -> Vec<InstructionWord> {
    let mut words = Vec::new();
    for part in parts {
        let mut end = part.end;
        let line = text[part.clone()].trim_end();
        if let Some(cut) = line.strip_suffix(escape) {
            end = part.start + cut.len();
        }
        split_line(text, part.start..end, &mut words);
    }
    let list = words.iter().position(|word| text[word.range.start..].starts_with('['));
    let is_list =
        list.is_some_and(|at| words[..at].iter().skip(1).all(|word: &InstructionWord| word.text.starts_with("--")));
    match list.filter(|_| is_list) {
        Some(at) => {
            let from = words[at].range.start;
            let to = words.last().map_or(from, |word| word.range.end);
            words.truncate(at);
            parse_json_list(text, from..to, &mut words);
            words
        }
        None => words,
    }
}

/// Splits at blanks outside of quotes.
fn split_line(text: &str, range: Range<usize>, words: &mut Vec<InstructionWord>) {
    let mut start = None;
    let mut quote = None;
    for (at, c) in text[range.clone()].char_indices() {
        let at = range.start + at;
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => {
                quote = Some(c);
                start = start.or(Some(at));
            }
            (None, _) if c.is_whitespace() => {
                if let Some(start) = start.take() {
                    words.push(unquote_word(text, start..at));
                }
            }
            (None, _) => start = start.or(Some(at)),
        }
    }
    if let Some(start) = start {
        words.push(unquote_word(text, start..range.end));
    }
}

/// Removes the quotes around a word. A word that is only partly quoted counts as dynamic.
fn unquote_word(text: &str, range: Range<usize>) -> InstructionWord {
    let written = &text[range.clone()];
    for quote in ['"', '\''] {
        let inner = written.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        if let Some(inner) = inner.filter(|inner| !inner.contains(quote)) {
            return InstructionWord { text: inner.to_owned(), range: range.start + 1..range.end - 1 };
        }
    }
    let text = if written.contains(['"', '\\']) { format!("${written}") } else { written.to_owned() };
    InstructionWord { text, range }
}

/// Adds the strings of a JSON list.
fn parse_json_list(text: &str, range: Range<usize>, words: &mut Vec<InstructionWord>) {
    let mut start = None;
    let mut escaped = false;
    for (at, c) in text[range.clone()].char_indices() {
        let at = range.start + at;
        match (start, c) {
            (Some(_), '\\') => escaped = !escaped,
            (Some(from), '"') if !escaped => {
                words.push(InstructionWord { text: text[from..at].to_owned(), range: from..at });
                start = None;
            }
            (None, '"') => start = Some(at + 1),
            (None, ']') => return,
            _ => escaped = false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{find_sources, instructions};

    #[test]
    fn finds_sources_of_instructions() {
        let check = |text: &str, expect: &[&str]| {
            let found = find_sources(&instructions(text));
            let texts: Vec<&str> = found.iter().map(|copied| &text[copied.range.clone()]).collect();
            assert_eq!(texts, expect, "{text}");
        };
        check("COPY a b /c", &["a", "b"]);
        check("copy --chown=1:1 --link a /c\r\nADD d /e\r\n", &["a", "d"]);
        check("COPY --from=x a /c", &[]);
        check("COPY a \\\n  # b\n\n  c \\\n  /d\nCOPY e f", &["a", "c", "e"]);
        check("COPY [\"a b\", \"c\", \"/d/\"]", &["a b", "c"]);
        check("COPY \"a b\" /c", &["a b"]);
        check("COPY <<EOF /a\nCOPY x /y\nEOF\nCOPY b /c", &["b"]);
        check("RUN <<EOF\nCOPY x /y\nEOF\nCOPY b /c", &["b"]);
        check("RUN cat <<-'END' > a\n  COPY x /y\n  END\nADD b /c", &["b"]);
        check("ONBUILD COPY a /b", &[]);
        check("# escape=`\nCOPY a `\n b c:\\d", &["a", "b"]);
        check("COPY a", &[]);
        check("COPY", &[]);
        check("RUN echo \\\n COPY a b\n# COPY a b", &[]);
    }
}
