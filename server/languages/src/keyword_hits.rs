//! `KeywordHits`: the ranges of the keywords without which a language has no literal, such as `import`. Scanners parse and query
//! only near them.

mod outline;

use std::ops::Range;

use memchr::{memchr, memmem};
use pathfinder_syntax::grammars::{Grammar, Tree};

/// Longest beginning of a text that is parsed by itself. It is parsed again after each edit, which takes less than a
/// millisecond.
const MAX_HEAD_BYTES: usize = 8 << 10;

/// Longest outline that is parsed by itself, whatever its share of the text. It is parsed again after each edit and for each tested fix,
/// which takes about four milliseconds.
const MAX_OUTLINE_BYTES: usize = 32 << 10;
/// Longest outline that is parsed by itself if it is at most one part in [`MIN_SAVED_SHARE`] of its text: 15 milliseconds after an edit.
const MAX_LONG_OUTLINE_BYTES: usize = 128 << 10;
/// Times that a text is as long as its long outline. The whole text, which is parsed once and then in parts, takes as long as a few
/// edits of an outline.
const MIN_SAVED_SHARE: usize = 5;

/// Longest line whose beginning is looked for. A minified file has one line and a keyword every few bytes; from each, the line
/// would be read back to its beginning.
const MAX_LINE_BYTES: usize = 1 << 10;

/// The text of a line before an offset; `None` if the line begins more than [`MAX_LINE_BYTES`] before it.
pub(crate) fn line_before(text: &str, at: usize) -> Option<&str> {
    let nearest = at.saturating_sub(MAX_LINE_BYTES);
    let start = memchr::memrchr(b'\n', &text.as_bytes()[nearest..at]).map(|end| nearest + end + 1);
    Some(&text[start.or((nearest == 0).then_some(0))?..at])
}

/// Byte ranges of keywords in a text, in order.
///
/// Only whole words match: no letter, digit or `_` is next to them, unless the keyword itself begins or ends with punctuation.
#[derive(Debug)]
pub(crate) struct KeywordHits {
    ranges: Vec<Range<usize>>,
}

impl KeywordHits {
    /// Finds keywords, with regard to case.
    pub(crate) fn find(text: &str, words: &[&str]) -> Self {
        #[cfg(test)]
        if EVERYWHERE.get() {
            return Self { ranges: text.char_indices().map(|(at, c)| at..at + c.len_utf8()).collect() };
        }
        let mut ranges: Vec<Range<usize>> = words.iter().flat_map(|word| word_ranges(text.as_bytes(), word)).collect();
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        Self { ranges }
    }

    /// Finds keywords, which are given in lower case, in any ASCII case.
    pub(crate) fn find_ignoring_case(text: &str, words: &[&str]) -> Self {
        Self::find(&text.to_ascii_lowercase(), words)
    }

    /// Keeps only the hits that a predicate accepts.
    pub(crate) fn filter(mut self, is_wanted: impl Fn(&Range<usize>) -> bool) -> Self {
        #[cfg(test)]
        if EVERYWHERE.get() {
            return self;
        }
        self.ranges.retain(is_wanted);
        self
    }

    /// Adds further ranges.
    pub(crate) fn with_ranges(mut self, more: Vec<Range<usize>>) -> Self {
        if !more.is_empty() {
            self.ranges.extend(more);
            self.ranges.sort_unstable_by_key(|range| (range.start, range.end));
        }
        self
    }

    /// Keeps only these of the hits, which are in order.
    pub(crate) fn with_only(mut self, ranges: Vec<Range<usize>>) -> Self {
        #[cfg(test)]
        if EVERYWHERE.get() {
            return self;
        }
        self.ranges = ranges;
        self
    }

    /// All hits, in order.
    pub(crate) fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// Parses the beginning of a text up to the line of the last hit; `None` if that is much of the text.
    ///
    /// Most files begin with all their imports, and the rest need not be parsed. A beginning that ends within a statement,
    /// a block, a comment or a string has a syntax error. Then the result is `None` too, and the caller parses the whole
    /// text.
    pub(crate) fn parse_head(&self, text: &str, grammar: &Grammar) -> Option<Tree> {
        let last = self.ranges.last()?.end;
        let end = last + memchr(b'\n', &text.as_bytes()[last..])? + 1;
        // A backslash joins the line with the next.
        let is_open = text[..end].trim_end().ends_with('\\');
        if is_open || end > MAX_HEAD_BYTES || end > text.len() / 2 {
            return None;
        }
        grammar.parse(&text[..end]).filter(|tree| !tree.root_node().has_error())
    }

    /// Parses a text without the bodies of blocks that have no hit; `None` if that is much of the text, or if it has a
    /// syntax error: then the caller parses the whole text. Offsets are those of the whole text.
    pub(crate) fn parse_outline(&self, text: &str, grammar: &Grammar) -> Option<Tree> {
        let kept = outline::ranges(text, &self.ranges);
        let bytes: usize = kept.iter().map(|range| range.end_byte - range.start_byte).sum();
        let most = (text.len() / MIN_SAVED_SHARE).clamp(MAX_OUTLINE_BYTES, MAX_LONG_OUTLINE_BYTES);
        if bytes > most || bytes > text.len() / 2 {
            return None;
        }
        grammar.parse_ranges(text, &kept).filter(|tree| !tree.root_node().has_error())
    }

    /// Returns whether a hit begins in a range.
    pub(crate) fn has_hit_in(&self, range: &Range<usize>) -> bool {
        let first = self.ranges.partition_point(|hit| hit.start < range.start);
        self.ranges.get(first).is_some_and(|hit| hit.start < range.end)
    }
}

/// Returns the ranges of one keyword.
fn word_ranges<'t>(text: &'t [u8], word: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let (begins, ends) = (is_part(word.as_bytes().first()), is_part(word.as_bytes().last()));
    memmem::find_iter(text, word).map(move |at| at..at + word.len()).filter(move |range| {
        let before = range.start.checked_sub(1).and_then(|at| text.get(at));
        !(begins && is_part(before) || ends && is_part(text.get(range.end)))
    })
}

#[cfg(test)]
thread_local! {
    /// True while [`everywhere`] runs.
    static EVERYWHERE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs a function with a hit at every character, so that scanners skip nothing.
#[cfg(test)]
pub(crate) fn everywhere<T>(action: impl FnOnce() -> T) -> T {
    EVERYWHERE.set(true);
    let result = action();
    EVERYWHERE.set(false);
    result
}

#[cfg(test)]
mod tests {
    use pathfinder_syntax::grammars::{Grammar, PHP, RUBY};

    use super::KeywordHits;

    #[test]
    fn parses_heads_that_end_after_a_statement() {
        let check = |head: &str, expect: bool| {
            let text = format!("{head}{}", "def a; end\n".repeat(20));
            let hits = KeywordHits::find(&text, &["require"]);
            let tree = hits.parse_head(&text, &RUBY);
            assert_eq!(tree.is_some(), expect, "{head}");
            assert!(tree.is_none_or(|tree| tree.root_node().end_byte() <= head.len()), "{head}");
        };
        check("require 'a'\nrequire 'b'\n", true);
        check("require 'a' \\\n  if b\n", false);
        check("require 'a' if\n  b\n", false);
        check("begin\n  require 'a'\nrescue\nend\n", false);
        check("=begin\nrequire 'a'\n=end\n", false);
        check("require('a',\n  b)\n", false);
        check(&format!("{}require 'a'\n", "x\n".repeat(200)), false);
        check("x\n", false);
    }

    #[test]
    fn parses_outlines() {
        let check = |grammar: &Grammar, text: &str, expect: Option<&str>| {
            let hits = KeywordHits::find(text, &["require"]);
            let tree = hits.parse_outline(text, grammar);
            let node = |start: usize| tree.as_ref()?.root_node().descendant_for_byte_range(start, start + 1);
            let strings: Vec<&str> =
                hits.ranges().iter().filter_map(|hit| Some(&text[node(hit.start)?.parent()?.byte_range()])).collect();
            assert_eq!(tree.is_some().then(|| strings.join(" | ")).as_deref(), expect, "{text}");
        };
        let ruby = "  def a\n    b 'x' do\n      c\n    end\n  end\n\n".repeat(9);
        check(&RUBY, &format!("class A\n{ruby}  def b\n    require 'a'\n  end\nend\n"), Some("require 'a'"));
        // A heredoc that ends beside its beginning is no block.
        let heredoc = "  a <<~X\n    b\n  X\n".repeat(9);
        check(&RUBY, &format!("class A\n{heredoc}  def b\n    require 'a'\n  end\nend\n"), None);
        // A body whose first line has a hit is kept.
        let long = "  def a\n    b = [1, 2, 3, 4, 5]\n  end\n".repeat(9);
        check(&RUBY, &format!("class A\n{long}  require(\n    'a'\n  )\nend\n"), Some("require(\n    'a'\n  )"));
        let php = "    function a()\n    {\n        $b = [1, 2, 3, 4, 5, 6, 7, 8, 9];\n    }\n".repeat(9);
        check(
            &PHP,
            &format!("<?php\nclass A {{\n{php}    function b() {{\n        require 'a';\n    }}\n}}\n"),
            Some("require 'a'"),
        );
        check(&PHP, &format!("<?php\nclass A {{\n{php}    function b() {{\n        require 'a';\n    }}\n"), None);
        check(&PHP, "<?php\nrequire 'a';\n", None);
    }

    #[test]
    fn finds_whole_words() {
        let check = |text: &str, words: &[&str], expect: &[usize]| {
            let starts: Vec<usize> = KeywordHits::find(text, words).ranges().iter().map(|range| range.start).collect();
            assert_eq!(starts, expect, "{text}");
        };
        check("load a; unload; load_b loads (load)", &["load"], &[0, 30]);
        check("require import", &["import", "require"], &[0, 8]);
        check("x include!x xinclude!", &["include!"], &[2]);
        check("x@load @loads", &["@load"], &[1]);
        check("éload", &["load"], &[2]);
        check("", &["load"], &[]);
        assert_eq!(KeywordHits::find_ignoring_case("İ INCLUDE", &["include"]).ranges(), std::slice::from_ref(&(3..10)));
        let hits = KeywordHits::find("a load b", &["load"]);
        assert!(
            hits.has_hit_in(&(2..6))
                && hits.has_hit_in(&(0..3))
                && !hits.has_hit_in(&(3..8))
                && !hits.has_hit_in(&(0..2))
        );
    }
}
