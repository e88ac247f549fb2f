//! Scans a C file as its preprocessor sees it: include directives and the conditions around them.
//!
//! Not `tree-sitter-c`: it parses the language behind the preprocessor too, of which nothing is needed.

use std::ops::Range;

/// No real file nests more conditions than this.
const MAX_CONDITIONALS: usize = 200;

/// An include directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Include {
    /// The text between the quotes or brackets, or the name of a macro.
    pub(super) range: Range<usize>,
    pub(super) form: IncludeForm,
    pub(super) condition: IncludeCondition,
}

/// The form in which a directive names its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum IncludeForm {
    /// `"…"`
    Quoted,
    /// `<…>`
    Angle,
    /// Through a macro.
    Macro,
    /// `#include_next`: the second file of that name.
    Next,
}

/// The condition under which a directive is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum IncludeCondition {
    /// None that matters.
    Always,
    /// Depends on the platform or the compiler.
    Platform,
    /// Depends on a macro of the project.
    Sometimes,
    /// Depends on a macro that says whether a file or feature is available.
    Optional,
    /// Never compiled.
    Never,
}

/// An open `#if`.
struct OpenConditional {
    condition: IncludeCondition,
    /// True if an earlier branch is always taken, so that no later one is.
    is_over: bool,
    /// The name in `#ifndef NAME`, until the next line shows whether it is an include guard.
    guard: Option<String>,
}

/// All include directives of a file.
pub(super) fn find_includes(text: &str) -> Vec<Include> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut open: Vec<OpenConditional> = Vec::new();
    let (mut at, mut is_start) = (0, true);
    // Most files have all their includes at the beginning.
    let Some(last) = last_directive(bytes) else { return found };
    while at <= last {
        let byte = bytes[at];
        match byte {
            b'\n' => (at, is_start) = (at + 1, true),
            b' ' | b'\t' | b'\r' | 0x0c | 0x0b => at += 1,
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'#' if is_start => {
                let end = directive_end(bytes, at);
                if text.is_char_boundary(end) {
                    read_directive(text, at + 1..end, &mut open, &mut found);
                }
                (at, is_start) = (end, false);
            }
            b'"' => (at, is_start) = (string_end(bytes, at), false),
            b'\'' => (at, is_start) = (character_end(bytes, at), false),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                let start = at;
                // The quote in `1'000` is part of the number.
                let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
                let is_number = byte.is_ascii_digit();
                while bytes.get(at).is_some_and(|byte| is_word(*byte) || is_number && *byte == b'\'') {
                    at += 1;
                }
                if bytes.get(at) == Some(&b'"') && bytes[start..at].ends_with(b"R") {
                    at = raw_string_end(bytes, at);
                }
                is_start = false;
            }
            _ => (at, is_start) = (at + 1, false),
        }
    }
    found
}

/// The offset of the last sign that can begin a directive with a file.
fn last_directive(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr_iter(b'#', bytes).find(|at| {
        let rest = &bytes[at + 1..];
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        ["include", "import", "embed"].iter().any(|word| rest[blank..].starts_with(word.as_bytes()))
    })
}

/// The end of a line; a backslash before it joins it with the next.
fn line_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        let before = bytes[..at].strip_suffix(b"\r").unwrap_or(&bytes[..at]);
        if at == bytes.len() || before.last() != Some(&b'\\') {
            return at;
        }
        at += 1;
    }
}

/// The end of a directive. A block comment can extend it beyond its line.
fn directive_end(bytes: &[u8], from: usize) -> usize {
    let end = line_end(bytes, from);
    let Some(start) = memchr::memmem::find(&bytes[from..end], b"/*") else { return end };
    if memchr::memmem::find(&bytes[from..from + start], b"//").is_some() {
        return end;
    }
    let after = comment_end(bytes, from + start);
    if after > end { line_end(bytes, after) } else { end }
}

fn comment_end(bytes: &[u8], at: usize) -> usize {
    let inside = bytes.get(at + 2..).unwrap_or_default();
    memchr::memmem::find(inside, b"*/").map_or(bytes.len(), |length| at + 2 + length + 2)
}

/// The offset after a string. A string without an end in its line is not a string.
fn string_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The offset after a character literal. An apostrophe without a close end is part of a text.
fn character_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\'' => return at + 1,
            b'\n' => return at,
            b'\\' => at += 2,
            _ if at > open + 12 => return open + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The offset after `R"x( … )x"`, whose quote is at `open`.
fn raw_string_end(bytes: &[u8], open: usize) -> usize {
    let rest = &bytes[open + 1..];
    let Some(length) = rest.iter().take(17).position(|byte| *byte == b'(') else { return open + 1 };
    let close = [b")", &rest[..length], b"\""].concat();
    memchr::memmem::find(rest, &close).map_or(bytes.len(), |end| open + 1 + end + close.len())
}

/// Reads one directive: it opens or closes a condition, or adds an include.
fn read_directive(text: &str, range: Range<usize>, open: &mut Vec<OpenConditional>, found: &mut Vec<Include>) {
    let line = &text[range.clone()];
    let body = line.trim_start_matches([' ', '\t']);
    let word = body.split(|c: char| !c.is_ascii_alphabetic() && c != '_').next().unwrap_or_default();
    let rest = &body[word.len()..];
    if let Some(last) = open.last_mut()
        && let Some(guard) = last.guard.take()
        && word == "define"
        && rest.split_whitespace().next() == Some(&guard)
    {
        last.condition = IncludeCondition::Always;
    }
    match word {
        "if" | "ifdef" | "ifndef" => {
            let guard = (word == "ifndef").then(|| rest.split_whitespace().next().unwrap_or_default().to_owned());
            let condition = parse_condition(word, rest);
            let is_over = word == "if" && matches!(rest.trim(), "1" | "true");
            open.push(OpenConditional { condition, is_over, guard });
        }
        "elif" | "elifdef" | "elifndef" => {
            if let Some(last) = open.last_mut() {
                let own = parse_condition(word, rest);
                last.condition = match last.condition {
                    _ if last.is_over => IncludeCondition::Never,
                    IncludeCondition::Never => own,
                    _ => own.max(last.condition).max(IncludeCondition::Platform),
                };
            }
        }
        "else" => {
            if let Some(last) = open.last_mut() {
                last.condition = match last.condition {
                    _ if last.is_over => IncludeCondition::Never,
                    IncludeCondition::Never => IncludeCondition::Always,
                    condition => condition,
                };
            }
        }
        "endif" => _ = open.pop(),
        "include" | "import" | "include_next" | "embed" => {
            if open.len() > MAX_CONDITIONALS {
                return;
            }
            let condition = open.iter().map(|open| open.condition).max().unwrap_or(IncludeCondition::Always);
            // A backslash at the end of a line continues it in the next.
            let at = range.end - rest.trim_start_matches([' ', '\t', '\\', '\r', '\n']).len();
            if let Some((range, form)) = parse_operand(text, at, range.end)
                && condition != IncludeCondition::Never
            {
                let form = if word == "include_next" { IncludeForm::Next } else { form };
                found.push(Include { range, form, condition });
            }
        }
        _ => {}
    }
}

/// The range and form of a directive's operand, which begins at `at`.
fn parse_operand(text: &str, at: usize, end: usize) -> Option<(Range<usize>, IncludeForm)> {
    let rest = text.get(at..end)?;
    let (close, form) = match rest.bytes().next()? {
        b'"' => ('"', IncludeForm::Quoted),
        b'<' => ('>', IncludeForm::Angle),
        byte if byte == b'_' || byte.is_ascii_alphabetic() => {
            let length = rest.find([' ', '\t', '\r', '\n', '/']).unwrap_or(rest.len());
            return Some((at..at + length, IncludeForm::Macro));
        }
        _ => return None,
    };
    let length = rest[1..].find([close, '\n'])?;
    (length > 0 && rest[1 + length..].starts_with(close)).then_some((at + 1..at + 1 + length, form))
}

/// Classifies the expression of a conditional directive.
fn parse_condition(word: &str, rest: &str) -> IncludeCondition {
    let rest = rest.split("//").next().unwrap_or(rest);
    let rest = rest.split("/*").next().unwrap_or(rest).trim();
    if word == "if" || word == "elif" {
        match rest {
            "0" | "false" | "(0)" => return IncludeCondition::Never,
            "1" | "true" => return IncludeCondition::Always,
            _ => {}
        }
    }
    let words = rest.split(|c: char| c != '_' && !c.is_ascii_alphanumeric());
    let words: Vec<&str> =
        words.filter(|word| word.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())).collect();
    if words.iter().any(|word| is_optional(word)) {
        return IncludeCondition::Optional;
    }
    // `#ifndef A_H` around `#include "a.h"` only avoids reading the file twice.
    let is_guard =
        word == "ifndef" && ["_H", "_H_", "_H__", "_HPP", "_INCLUDED", "_h"].iter().any(|end| rest.ends_with(end));
    let is_language = matches!(rest, "__cplusplus" | "__OBJC__");
    if is_guard || is_language {
        IncludeCondition::Always
    } else if words.iter().all(|word| is_platform(word)) {
        IncludeCondition::Platform
    } else {
        IncludeCondition::Sometimes
    }
}

/// Returns whether a compiler or a platform's build sets a macro.
fn is_platform(word: &str) -> bool {
    const NAMES: [&str; 14] = [
        "ANDROID", "APPLE", "DARWIN", "LINUX", "MACOS", "MACOSX", "MSVC", "POSIX", "UNIX", "WIN32", "WIN64", "WINDOWS",
        "defined", "NDEBUG",
    ];
    // Names with two underscores, or one and a capital letter, are reserved for the compiler.
    word.starts_with("__")
        || word.starts_with('_') && word.as_bytes().get(1).is_some_and(u8::is_ascii_uppercase)
        || NAMES.contains(&word)
        || ["_WINDOWS", "_MAC", "_LINUX", "_WIN32", "_UNIX"].iter().any(|end| word.ends_with(end))
}

/// Returns whether a macro says that a file or feature is available or enabled. Without it, nothing sets the macro.
fn is_optional(word: &str) -> bool {
    let starts =
        ["HAVE", "HAS_", "USE_", "USING_", "ENABLE", "WITH_", "__has_include", "__has_embed", "BUILD_", "CONFIG_"];
    starts.iter().any(|start| word.starts_with(start))
        || [
            "_HAVE_",
            "_USE_",
            "_USING_",
            "_HAS_",
            "_ENABLE",
            "_WITH_",
            "CUSTOM",
            "USER_",
            "GENERATED",
            "AMALGAM",
            "SINGLE_HEADER",
        ]
        .iter()
        .any(|part| word.contains(part))
        || word.ends_with("_FILE")
        || word.ends_with("_HEADER")
}

#[cfg(test)]
mod tests {
    use super::{IncludeCondition, IncludeForm, find_includes};

    /// Shows quotes as written, a macro as `$`, `include_next` as `+`; on a platform `~`, under a condition `?`,
    /// optional `??`.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let show = |include: super::Include| {
            let written = &text[include.range];
            let form = match include.form {
                IncludeForm::Quoted => format!("\"{written}\""),
                IncludeForm::Angle => format!("<{written}>"),
                IncludeForm::Macro => format!("${written}"),
                IncludeForm::Next => format!("+{written}"),
            };
            let mark = match include.condition {
                IncludeCondition::Always => "",
                IncludeCondition::Platform => "~",
                IncludeCondition::Sometimes => "?",
                IncludeCondition::Optional => "??",
                IncludeCondition::Never => "!",
            };
            form + mark
        };
        let shown: Vec<String> = find_includes(text).into_iter().map(show).collect();
        assert_eq!(shown.join(" "), expect, "{text}");
    }

    #[test]
    fn finds_include_directives() {
        check(
            "#include \"a.h\"\n # include<b/c.h> // d\n#import \"e.h\"\r\n#include_next <f.h>",
            "\"a.h\" <b/c.h> \"e.h\" +f.h",
        );
        check("#include X_H\n#include \\\n  \"a.h\"\n#embed \"b.bin\" limit(1)", "$X_H \"a.h\" \"b.bin\"");
        check("// #include \"a\" \\\n#include \"b\"\n/* \n#include \"c\"\n*/ #include \"d\"", "\"d\"");
        check("x #include \"a\"\ns = \"\\\"\n\";\n#include \"b\"\n'\"' #include \"c\"", "\"b\"");
        check("R\"x(\n#include \"a\"\n)\" )x\"\n#include \"b\"\nu8R\"(\n#include \"c\"\n)\"", "\"b\"");
        check("int a = 1'000; // don't\n#include \"b\"\n#error don't\n#include \"c\"", "\"b\" \"c\"");
        check("#include \"a\n#include \"\"\n#include\n#include <", "");
        check("#define X /* a\n b */\n#include \"b\"", "\"b\"");
        check("#endif // a/*\n#include \"b\"", "\"b\"");
    }

    #[test]
    fn classifies_conditions() {
        check("#ifndef A\n#define A\n#include \"b\"\n#endif\n#include \"c\"", "\"b\" \"c\"");
        check("#ifdef _WIN32\n#include \"w\"\n#else\n#include \"u\"\n#endif", "\"w\"~ \"u\"~");
        check("#if 0\n#include \"a\"\n#else\n#include \"b\"\n#endif", "\"b\"");
        check("#if 1\n#include \"a\"\n#else\n#include \"b\"\n#endif", "\"a\"");
        check("#if 0\n#if X\n#include \"a\"\n#endif\n#elif Y\n#include \"b\"\n#endif", "\"b\"?");
        check("#if __has_include(\"a.h\")\n#include \"a.h\"\n#endif", "\"a.h\"??");
        check("#ifdef HAVE_CONFIG_H\n# include \"config.h\"\n#endif", "\"config.h\"??");
        check("#ifdef __cplusplus\n#include \"a\"\n#endif\n#ifndef B_H\n#include \"b\"\n#endif", "\"a\" \"b\"");
    }
}
