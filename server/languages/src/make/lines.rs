//! Classifies the lines of a makefile: includes, assignments, rules and recipes.
//!
//! Not `makefile-lossless`: its tree of a line says no more than the line, as variables decide what it means.

/// A classified line with the byte ranges of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MakefileLine {
    /// `include a b`; optional if the keyword begins with `-` or `s`.
    Include { is_optional: bool, at: usize, end: usize },
    /// `name := value`.
    Assign { name: (usize, usize), at: usize, end: usize },
    /// `targets: prerequisites`.
    Rule { targets: (usize, usize), at: usize, end: usize },
    /// A line that is passed to the shell.
    Recipe { at: usize, end: usize },
}

/// All lines; a backslash at the end of one joins it with the next.
pub(super) fn parse_lines(text: &str) -> Vec<MakefileLine> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut is_define = false;
    let mut at = 0;
    while at < bytes.len() {
        let mut end = at;
        loop {
            end = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |length| end + length);
            let before = bytes[at..end].strip_suffix(b"\r").unwrap_or(&bytes[at..end]);
            if end == bytes.len() || before.last() != Some(&b'\\') {
                break;
            }
            end += 1;
        }
        let line = &text[at..end];
        let first = line.split_whitespace().next().unwrap_or_default();
        if first == "define" || first == "endef" {
            is_define = first == "define";
        } else if !is_define {
            lines.extend(classify(line, at));
        }
        at = end + 1;
    }
    lines
}

/// Classifies a line that begins at `at`; `None` for directives and other lines.
fn classify(line: &str, at: usize) -> Option<MakefileLine> {
    if line.starts_with('\t') {
        return Some(MakefileLine::Recipe { at: at + 1, end: at + line.len() });
    }
    let indent = line.len() - line.trim_start().len();
    let line = strip_comment(line);
    let body = line.get(indent..)?;
    let start = at + indent;
    for word in ["include", "-include", "sinclude"] {
        if let Some(rest) = body.strip_prefix(word)
            && rest.starts_with([' ', '\t'])
        {
            let is_optional = word != "include";
            return Some(MakefileLine::Include { is_optional, at: start + word.len(), end: start + body.len() });
        }
    }
    let first = body.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    if matches!(first, "ifeq" | "ifneq" | "ifdef" | "ifndef" | "else" | "endif" | "vpath" | "unexport" | "undefine") {
        return None;
    }
    let separator = find_separator(body)?;
    match separator {
        LineSeparator::Equals { from, to } => {
            let name = body[..from].trim();
            let name = name.strip_prefix("export ").or_else(|| name.strip_prefix("override ")).unwrap_or(name).trim();
            let name_at = start + (name.as_ptr() as usize - body.as_ptr() as usize);
            Some(MakefileLine::Assign {
                name: (name_at, name_at + name.len()),
                at: start + to,
                end: start + body.len(),
            })
        }
        LineSeparator::Colon { from, to } => {
            let end = body[to..].find(';').map_or(body.len(), |length| to + length);
            Some(MakefileLine::Rule { targets: (start, start + from), at: start + to, end: start + end })
        }
    }
}

/// The line without its comment; `\#` does not begin one.
fn strip_comment(line: &str) -> &str {
    let cut = line.match_indices('#').find(|(at, _)| !line[..*at].ends_with('\\'));
    cut.map_or(line, |(at, _)| &line[..at])
}

/// The separator of an assignment or a rule, from its first byte to the byte after it.
enum LineSeparator {
    Equals { from: usize, to: usize },
    Colon { from: usize, to: usize },
}

/// The first separator outside of brackets, which decides the kind of the line.
fn find_separator(body: &str) -> Option<LineSeparator> {
    let bytes = body.as_bytes();
    let mut depth = 0_usize;
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth = depth.saturating_sub(1),
            b'=' if depth == 0 => {
                let from = if at > 0 && matches!(bytes[at - 1], b'?' | b'+' | b'!') { at - 1 } else { at };
                return Some(LineSeparator::Equals { from, to: at + 1 });
            }
            b':' if depth == 0 => {
                let rest = &bytes[at..];
                let colons = rest.iter().take_while(|byte| **byte == b':').count();
                if rest.get(colons) == Some(&b'=') {
                    return Some(LineSeparator::Equals { from: at, to: at + colons + 1 });
                }
                // `target: X = y`
                let to = at + colons;
                if let Some(LineSeparator::Equals { to: value, .. }) = find_value_separator(&body[to..]) {
                    return Some(LineSeparator::Equals { from: at, to: to + value });
                }
                return Some(LineSeparator::Colon { from: at, to });
            }
            _ => {}
        }
    }
    None
}

/// The `=` of an assignment after a target.
fn find_value_separator(rest: &str) -> Option<LineSeparator> {
    let at = rest.find('=')?;
    let before = rest[..at].trim_end_matches([':', '+', '?', ' ', '\t']).trim_start();
    let is_name = !before.is_empty() && before.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some(LineSeparator::Equals { from: at, to: at + 1 })
}

#[cfg(test)]
mod tests {
    use super::{MakefileLine, parse_lines};

    #[test]
    fn classifies_lines() {
        let check = |text: &str, expect: &[&str]| {
            let show = |line: &MakefileLine| match line {
                MakefileLine::Include { is_optional, at, end } => {
                    format!("include {is_optional} {}", text[*at..*end].trim())
                }
                MakefileLine::Assign { name, at, end } => {
                    format!("{} = {}", &text[name.0..name.1], text[*at..*end].trim())
                }
                MakefileLine::Rule { targets, at, end } => {
                    format!("{} : {}", text[targets.0..targets.1].trim(), text[*at..*end].trim())
                }
                MakefileLine::Recipe { at, end } => format!("$ {}", &text[*at..*end]),
            };
            assert_eq!(parse_lines(text).iter().map(show).collect::<Vec<_>>(), expect, "{text}");
        };
        check(
            "include a.mk b.mk # c\n-include c\nsinclude d",
            &["include false a.mk b.mk", "include true c", "include true d"],
        );
        check("A := b\nC=d\nE ?= f\nexport G = h", &["A = b", "C = d", "E = f", "G = h"]);
        check("a b: c d ; e\n\tcc $(X:a=b)\n%.o: %.c", &["a b : c d", "$ cc $(X:a=b)", "%.o : %.c"]);
        check("$(O:.c=.o): x", &["$(O:.c=.o) : x"]);
        check("a: X = y", &["a = y"]);
        check("A = b \\\n c", &["A = b \\\n c"]);
        check("define X\ninclude y\nendef\nifeq (a,b)\nelse\nendif", &[]);
    }
}
