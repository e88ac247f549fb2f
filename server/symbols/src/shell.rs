//! Reads the functions and global variables of shell scripts, line by line. A grammar would be 1.3 MB of tables for two
//! kinds of lines.

use crate::tags::last_segment;
use crate::{Symbol, SymbolKind};

/// Reads the symbols of a script.
pub(crate) fn read_symbols(text: &str) -> Vec<Symbol> {
    let lines: Vec<&str> = text.lines().collect();
    let mut symbols = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let Some((name, kind)) = declaration(line) {
            symbols.push(Symbol { name: last_segment(name).into(), kind, line: at as u32 + 1 });
        }
        at += 1;
        // A shift (`1 << n`) looks like the start of a document, and has no end.
        let end = here_document(line).and_then(|is_end| lines[at..].iter().position(|line| is_end(line)));
        at += end.map_or(0, |end| end + 1);
    }
    symbols
}

/// Returns the function or variable that a line declares.
fn declaration(line: &str) -> Option<(&str, SymbolKind)> {
    let text = line.trim_start();
    let (head, has_keyword) = match text.strip_prefix("function ") {
        Some(rest) => (rest.trim_start(), true),
        None => (text, false),
    };
    let (name, rest) = split_name(head, |letter| letter.is_alphanumeric() || "_:.-+@/!?".contains(letter));
    let rest = rest.trim_start();
    let has_parentheses = rest.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(')'));
    if !name.is_empty() && (has_parentheses || has_keyword && (rest.is_empty() || rest.starts_with('{'))) {
        return Some((name, SymbolKind::Function));
    }
    // An indented variable belongs to a function or a branch.
    let (head, kind) = match line.strip_prefix("readonly ") {
        Some(rest) => (rest, SymbolKind::Constant),
        None => (line, SymbolKind::Variable),
    };
    let (name, rest) = split_name(head, |letter| letter.is_ascii_alphanumeric() || letter == '_');
    let value = rest.strip_prefix('+').unwrap_or(rest).strip_prefix('=')?;
    let is_name = name.starts_with(|first: char| !first.is_ascii_digit());
    (is_name && !is_before_command(value)).then_some((name, kind))
}

fn split_name(text: &str, is_part: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|letter| !is_part(letter)).unwrap_or(text.len()))
}

/// Returns whether a command follows the value, as in `LC_ALL=C sort`: it is set for that command only.
fn is_before_command(value: &str) -> bool {
    let bytes = value.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let close = match byte {
            b' ' | b'\t' => {
                let rest = value[at..].trim_start();
                return !rest.is_empty() && !rest.starts_with(['#', ';', '&', '|']);
            }
            b';' | b'&' | b'|' => return false,
            b'\'' | b'"' | b'`' => byte,
            b'(' => b')',
            b'{' => b'}',
            _ => {
                at += 1 + usize::from(byte == b'\\');
                continue;
            }
        };
        match closing(bytes, at, close) {
            Some(end) => at = end + 1,
            // The value goes on in the next line.
            None => return false,
        }
    }
    false
}

/// Returns the position of the quote or bracket that closes the one at `open`.
fn closing(bytes: &[u8], open: usize, close: u8) -> Option<usize> {
    let mut depth = 0;
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if close != b'\'' => at += 1,
            _ if byte == close && depth == 0 => return Some(at),
            _ if byte == close => depth -= 1,
            _ if byte == bytes[open] => depth += 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns a test for the line that ends the document which begins in this line (`<<EOF`, `<<-'EOF'`).
fn here_document(line: &str) -> Option<impl Fn(&str) -> bool> {
    let (_, rest) = line.split_once("<<")?;
    let (rest, is_indented) = rest.strip_prefix('-').map_or((rest, false), |rest| (rest, true));
    let word = rest.trim_start().trim_start_matches(['\'', '"', '\\']);
    let (word, _) = split_name(word, |letter| letter.is_alphanumeric() || letter == '_');
    (word.starts_with(|first: char| !first.is_ascii_digit()))
        .then_some(move |line: &str| (if is_indented { line.trim_start_matches('\t') } else { line }) == word)
}

#[cfg(test)]
mod tests {
    use super::read_symbols;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let symbols = read_symbols(text);
        let found: Vec<_> =
            symbols.iter().map(|found| format!("{}:{:?} {}", found.line, found.kind, found.name)).collect();
        assert_eq!(found.join(", "), expect, "{text}");
    }

    #[test]
    fn reads_functions_and_global_variables() {
        check(
            "f() {\n  g () { :; }\n}\nfunction h {\nfunction i() (",
            "1:Function f, 2:Function g, 4:Function h, 5:Function i",
        );
        check("log::warn() { :; }\nb-c.d () {", "1:Function warn, 2:Function d");
        check("A=1\nB+=(a b)\nreadonly C=\"x y\"\n D=1\nexport E=1", "1:Variable A, 2:Variable B, 3:Constant C");
        check(
            "A=$(b c) # d\nB='x\ny z'\nC=a\\ b; D=1\nE=${F:-a b}",
            "1:Variable A, 2:Variable B, 4:Variable C, 5:Variable E",
        );
    }

    #[test]
    fn reads_nothing_else() {
        check("LC_ALL=C sort\nA=\"b c\" d\nB=$(c $(d)) e", "");
        check("# f() {\nif (a) then\ncase x in a) b;; esac\n[ a = b ]\nA[1]=2\n1a=2\nfunction awk(a, b) {", "");
        check("cat <<EOF\nf() {\nA=1\nEOF\nB=1\ncat <<- 'X'\nC=1\n\tX\nD=1", "5:Variable B, 9:Variable D");
        check("A=$((1 << B))\nB=1", "1:Variable A, 2:Variable B");
        check("", "");
    }
}
