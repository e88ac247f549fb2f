//! Splits a `CMake` file into commands.
//!
//! Not `cmake-parser`: a beta for files without errors, whose commands have no byte ranges.

/// A command with its arguments.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CmakeCommand {
    /// Lower-case.
    pub(crate) name: String,
    pub(crate) words: Vec<CommandArgument>,
}

/// The byte range of an argument without its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommandArgument {
    pub(crate) at: usize,
    pub(crate) end: usize,
}

/// All commands of a file, in order.
pub(crate) fn parse_commands(text: &str) -> Vec<CmakeCommand> {
    let bytes = text.as_bytes();
    let mut commands = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'#' => at = comment_end(bytes, at),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let start = at;
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                let name = text[start..at].to_ascii_lowercase();
                at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                if bytes.get(at) == Some(&b'(') {
                    let (mut words, after) = parse_arguments(bytes, at + 1);
                    words.retain(|word| text.get(word.at..word.end).is_some());
                    commands.push(CmakeCommand { name, words });
                    at = after;
                }
            }
            _ => at += 1,
        }
    }
    commands
}

/// The arguments up to the closing bracket, and the offset after it.
fn parse_arguments(bytes: &[u8], from: usize) -> (Vec<CommandArgument>, usize) {
    let mut words = Vec::new();
    let (mut at, mut depth) = (from, 1_usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' => (depth, at) = (depth + 1, at + 1),
            b')' => {
                (depth, at) = (depth - 1, at + 1);
                if depth == 0 {
                    break;
                }
            }
            b'#' => at = comment_end(bytes, at),
            b'"' => {
                let start = at + 1;
                at = start;
                while let Some(&byte) = bytes.get(at) {
                    match byte {
                        b'"' => break,
                        b'\\' => at += 2,
                        _ => at += 1,
                    }
                }
                at = at.min(bytes.len());
                words.push(CommandArgument { at: start, end: at });
                at += 1;
            }
            b'[' if bracket_argument(bytes, at).is_some() => {
                let (start, end, after) = bracket_argument(bytes, at).unwrap_or((at, at, at + 1));
                words.push(CommandArgument { at: start, end });
                at = after;
            }
            byte if byte.is_ascii_whitespace() || byte == b';' => at += 1,
            _ => {
                let start = at;
                while let Some(&byte) = bytes.get(at) {
                    match byte {
                        b'(' | b')' | b'"' | b'#' | b';' => break,
                        byte if byte.is_ascii_whitespace() => break,
                        b'\\' => at += 2,
                        _ => at += 1,
                    }
                }
                at = at.min(bytes.len());
                words.push(CommandArgument { at: start, end: at });
            }
        }
    }
    (words, at)
}

/// The offset after a line comment or `#[[ … ]]`.
fn comment_end(bytes: &[u8], at: usize) -> usize {
    if let Some((_, _, after)) = bracket_argument(bytes, at + 1) {
        return after;
    }
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length)
}

/// The content range of `[==[ … ]==]`, and the offset after it. `None` if no bracket argument begins here.
///
/// An unterminated one takes the rest of the file: searching its end again from every bracket would be quadratic.
fn bracket_argument(bytes: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let rest = bytes.get(at..)?.strip_prefix(b"[")?;
    let signs = rest.iter().take_while(|byte| **byte == b'=').count();
    let start = at + signs + 2;
    (rest.get(signs) == Some(&b'[')).then_some(())?;
    let close = format!("]{}]", "=".repeat(signs));
    let inside = bytes.get(start..)?;
    let end = memchr::memmem::find(inside, close.as_bytes()).map_or(bytes.len(), |length| start + length);
    Some((start, end, (end + close.len()).min(bytes.len())))
}

#[cfg(test)]
mod tests {
    use super::parse_commands;

    #[test]
    fn parses_commands() {
        let check = |text: &str, expect: &[&str]| {
            let show = |command: &super::CmakeCommand| {
                let words: Vec<&str> = command.words.iter().map(|word| &text[word.at..word.end]).collect();
                format!("{} {}", command.name, words.join("|"))
            };
            assert_eq!(parse_commands(text).iter().map(show).collect::<Vec<_>>(), expect, "{text}");
        };
        check("Add_Library (a b.c \"c d.c\")", &["add_library a|b.c|c d.c"]);
        check("if(NOT (A AND B))\nx()\nendif()", &["if NOT|A|AND|B", "x ", "endif "]);
        check("# no(a)\n#[[ no(b) ]] yes(c)", &["yes c"]);
        check("a([=[ x ) ]=] y # z\n w)", &["a  x ) |y|w"]);
        check("a(\"b", &["a b"]);
        check("a(b;c", &["a b|c"]);
    }
}
