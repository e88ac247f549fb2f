//! Finds blocks of code in documents, with the name of their language.
//!
//! Line by line, and not by `pulldown-cmark`: it takes a fence in the indented body of a generator's block (`=== "Tab"`) for text, and no
//! library reads reStructuredText.

use std::ops::Range;

/// A block of code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block<'t> {
    /// Its language as the document says, or empty.
    pub language: &'t str,
    /// The byte range of its lines.
    pub range: Range<usize>,
}

/// The notation of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// Fences of backquotes or tildes.
    Markdown,
    /// Directives with an indented body, and examples of the interpreter of Python.
    Rst,
    /// Lines of dashes after `[source,java]`.
    AsciiDoc,
}

/// Directives of docutils and Sphinx that contain code, each with the language of its code if it has only one.
const DIRECTIVES: [(&str, &str); 6] = [
    ("code", ""),
    ("code-block", ""),
    ("doctest", "python"),
    ("ipython", "python"),
    ("sourcecode", ""),
    ("testcode", "python"),
];

/// Returns the blocks of code of a text, in order. One without an end reaches to the end of the text.
pub(super) fn find_blocks(text: &str, notation: Notation) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(Block<'_>, End<'_>)> = None;
    let mut before = "";
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        if let Some((mut block, end)) = open.take() {
            if end.is_before(body) {
                block.range.end = at;
                blocks.push(block);
                // The line after an indented body can begin another one.
                if !end.is_marked() {
                    open = begin(body, before, notation, at, line.len());
                }
            } else {
                open = Some((block, end));
            }
        } else {
            open = begin(body, before, notation, at, line.len());
        }
        before = body;
        at += line.len();
    }
    blocks.extend(open.map(|(block, _)| Block { range: block.range.start..at, ..block }));
    blocks
}

/// The line at which a block ends.
enum End<'t> {
    /// Its mark, or a longer one.
    Mark(&'t str),
    /// A line with at most so much indentation.
    Indentation(usize),
    /// An empty line.
    Empty,
}

impl End<'_> {
    /// Returns whether the block ends before this line.
    fn is_before(&self, line: &str) -> bool {
        match self {
            Self::Mark(mark) => {
                let line = without_quote(line);
                line.starts_with(mark) && line.trim_start_matches(&mark[..1]).is_empty()
            }
            Self::Indentation(own) => !line.is_empty() && indentation(line) <= *own,
            Self::Empty => line.is_empty(),
        }
    }

    /// Returns whether the line at which the block ends belongs to it.
    fn is_marked(&self) -> bool {
        matches!(self, Self::Mark(_))
    }
}

/// Returns the block that a line of `length` bytes at `at` opens.
fn begin<'t>(
    line: &'t str,
    before: &'t str,
    notation: Notation,
    at: usize,
    length: usize,
) -> Option<(Block<'t>, End<'t>)> {
    let block = |language, start| Block { language, range: start..start };
    match notation {
        Notation::Markdown => {
            let fence = without_quote(line);
            let first = fence.chars().next().filter(|mark| "`~".contains(*mark))?;
            let info = fence.trim_start_matches(first);
            let mark = &fence[..fence.len() - info.len()];
            (mark.len() >= 3 && !info.contains('`'))
                .then(|| (block(language_of_info(info), at + length), End::Mark(mark)))
        }
        Notation::Rst => {
            if line.trim_start().starts_with(">>> ") {
                return Some((block("python", at), End::Empty));
            }
            let (name, language) = line.trim_start().strip_prefix(".. ")?.split_once("::")?;
            let (_, own) = DIRECTIVES.iter().find(|(directive, _)| *directive == name)?;
            let language = if own.is_empty() { language.trim() } else { own };
            Some((block(language, at + length), End::Indentation(indentation(line))))
        }
        Notation::AsciiDoc => {
            let is_mark = line.len() >= 4 && line.bytes().all(|byte| byte == b'-');
            let list = before.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or_default();
            let mut words = list.split(',').map(str::trim);
            let is_source = words.next().is_some_and(|style| style.is_empty() || style.starts_with("source"));
            let language = words.next().filter(|_| is_source).unwrap_or_default();
            is_mark.then(|| (block(language, at + length), End::Mark(line)))
        }
    }
}

/// Returns the language that the text after a fence names: `python title="a.py"`, `{.python}`, `{code-block} python`.
fn language_of_info(info: &str) -> &str {
    let info = info.trim();
    let info = match info.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((inner, rest)) if rest.trim().is_empty() => inner.trim().trim_start_matches('.'),
        Some((directive, rest)) if DIRECTIVES.iter().any(|(name, own)| *name == directive && own.is_empty()) => rest,
        _ => info,
    };
    info.trim().split(|c: char| c.is_whitespace() || ",:{(".contains(c)).next().unwrap_or_default()
}

/// Returns a line without the marks of a quotation and without indentation.
fn without_quote(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_whitespace() || c == '>')
}

/// Bytes of white space before a line.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::{Notation, find_blocks};

    #[test]
    fn finds_blocks() {
        let check = |notation, text: &str, expect: &[(&str, &str)]| {
            let found = find_blocks(text, notation);
            let found: Vec<_> = found.iter().map(|block| (block.language, &text[block.range.clone()])).collect();
            assert_eq!(found, expect, "{text:?}");
        };
        let md = Notation::Markdown;
        check(md, "a\n```python\nb\n```\nc\n~~~ js\nd\n~~~~\n", &[("python", "b\n"), ("js", "d\n")]);
        check(md, "````md\n```js\na\n```\n````\nb\n", &[("md", "```js\na\n```\n")]);
        check(md, "=== \"Tab\"\n\n    ```{.java .x}\n    a\n    ```\n", &[("java", "    a\n")]);
        check(md, "> ```ts:src/a.ts\n> a\n> ```\n", &[("ts", "> a\n")]);
        check(md, "```{code-block} python\na\n```\n``` `x` ```\n", &[("python", "a\n")]);
        check(md, "```\na", &[("", "a")]);
        let rst = Notation::Rst;
        check(rst, ".. code-block:: c\n\n   a\n\n   b\nc\n", &[("c", "\n   a\n\n   b\n")]);
        check(rst, "  >>> a\n  b\n\n>>> c\n", &[("python", "  >>> a\n  b\n"), ("python", ">>> c\n")]);
        check(rst, ".. code:: go\n   a\n.. testcode::\n   b\n", &[("go", "   a\n"), ("python", "   b\n")]);
        check(rst, ".. note::\n   a\n", &[]);
        let adoc = Notation::AsciiDoc;
        check(adoc, "[source,java]\n----\na\n----\n\n----\nb\n----\n", &[("java", "a\n"), ("", "b\n")]);
        check(adoc, "[source%linenums, kotlin]\n----\na\n----\n", &[("kotlin", "a\n")]);
    }
}
