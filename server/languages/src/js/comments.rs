//! Finds what comments of scripts name: `/// <reference path="…" />`, and modules of types that TypeScript checks in JavaScript:
//! `@typedef {import('./a').B} B`.

use memchr::memmem;

use super::scan::{Construct, ModuleLiteral};

/// Bytes of a line before the type. No comment that people write has more.
const MAX_LINE_BYTES: usize = 400;
/// Beginning of the module of a type.
const MARK: &str = "import(";

/// Returns the relative specifiers in the types of comments.
pub(super) fn find_comment_types(text: &str) -> Vec<ModuleLiteral> {
    let mut found = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), MARK) {
        let before = &text[text.ceil_char_boundary(at.saturating_sub(MAX_LINE_BYTES))..at];
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        let is_comment = line.starts_with('*') || line.starts_with("/*") || line.starts_with("//");
        // A tag names the type in braces. Others are samples of code.
        if !is_comment || !line.split_once('@').is_some_and(|(_, tag)| tag.contains('{')) {
            continue;
        }
        let start = at + MARK.len();
        let rest = text[start..].split('\n').next().unwrap_or_default();
        let Some(quote) = rest.chars().next().filter(|mark| matches!(mark, '"' | '\'')) else { continue };
        if let Some(length) = rest[1..].find(quote)
            && rest[1..].starts_with('.')
        {
            let range = start + 1..start + 1 + length;
            found.push(ModuleLiteral { range, construct: Construct::CommentType, is_optional: false });
        }
    }
    found
}

/// Finds the references in the comments before the first statement.
pub(super) fn find_reference_comments(text: &str) -> Vec<ModuleLiteral> {
    const HEAD: &str = "<reference";
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let is_comment = ["//", "/*", "*", "'use", "\"use"].iter().any(|start| trimmed.starts_with(start));
        if !is_comment && !trimmed.is_empty() {
            break;
        }
        let reference = trimmed.strip_prefix("///").map(str::trim_start).filter(|rest| rest.starts_with(HEAD));
        let path = reference.and_then(|rest| Some(rest.split_once("path=")?.1.trim_start()));
        if let Some(quoted) = path {
            let mark = quoted.chars().next().filter(|mark| matches!(mark, '"' | '\''));
            let value = mark.and_then(|mark| quoted[1..].split_once(mark)).map(|(value, _)| value);
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                let start = at + (value.as_ptr() as usize - line.as_ptr() as usize);
                found.push(ModuleLiteral {
                    range: start..start + value.len(),
                    construct: Construct::Reference,
                    is_optional: false,
                });
            }
        }
        at += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_types_in_comments() {
        let tree = "src/a.js\nsrc/b.d.ts\nsrc/c.ts\nmoved src/old.js src/a.js";
        let text = "/** @typedef {import('./a.js').A} A */\n/**\n * @param {Map<string, import(\"./b\").B>} b\n * @type {import('./old.js')}\n \
                    * import('./sample.js')\n * @type {import('x')}\n */\n// @type {import('./gone')}\nlet s = '@type {import(';\n";
        let expect = "js.comment_type ./a.js → src/a.js
            js.comment_type ./b → src/b.d.ts
            js.comment_type ./old.js → moved
            js.comment_type ./gone → missing";
        check(tree, "src/x.js", text, expect);
        check(tree, "src/x.ts", text, "");
    }
}
