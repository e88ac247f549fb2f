//! `parse_tags`: the start tags of a page that can have URLs, and its comments, from the tokenizer of `html5gum`.
//!
//! The default emitter of `html5gum` collects every attribute of every tag into a map. That takes most of the time for
//! an image of a hundred thousand paths.

use std::ops::Range;

use html5gum::{Emitter, Error, State, Tokenizer, naive_next_state};

/// Names of tags that can have URLs.
const TAG_NAMES: [&str; 18] = [
    "a", "area", "audio", "base", "embed", "feimage", "frame", "iframe", "image", "img", "input", "link", "object",
    "script", "source", "track", "use", "video",
];

/// A start tag or a comment, with its byte range.
pub(super) enum HtmlTag {
    Start { name: &'static str, range: Range<usize> },
    Comment { is_conditional: bool, range: Range<usize> },
}

/// Iterates over the tags of a text, in order.
pub(super) fn parse_tags(text: &str) -> impl Iterator<Item = HtmlTag> + '_ {
    Tokenizer::new_with_emitter(text, TagEmitter::default()).filter_map(Result::ok)
}

/// Implements [`Emitter`] with only the state that the tokenizer needs to continue.
#[derive(Default)]
struct TagEmitter {
    /// The tag to return next.
    pending: Option<HtmlTag>,
    is_start: bool,
    name: Vec<u8>,
    last_start: Vec<u8>,
    comment: Vec<u8>,
    /// The byte at which the tag or comment begins.
    from: usize,
    at: usize,
}

impl Emitter for TagEmitter {
    type Token = HtmlTag;

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start = name.unwrap_or_default().to_vec();
    }

    fn pop_token(&mut self) -> Option<HtmlTag> {
        self.pending.take()
    }

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn start_open_tag(&mut self) {
        self.from = self.at - 1;
    }

    #[inline]
    fn move_position(&mut self, offset: isize) {
        self.at = self.at.saturating_add_signed(offset);
    }

    fn init_start_tag(&mut self) {
        self.name.clear();
        self.is_start = true;
    }

    fn init_end_tag(&mut self) {
        self.name.clear();
        self.is_start = false;
    }

    fn push_tag_name(&mut self, part: &[u8]) {
        self.name.extend(part);
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.last_start.clear();
        if self.is_start {
            self.last_start.extend(&self.name);
            let known = TAG_NAMES.into_iter().find(|name| name.as_bytes() == self.name);
            self.pending = known.map(|name| HtmlTag::Start { name, range: self.from..self.at });
        }
        // Without this state, the tokenizer would read the content of scripts as tags.
        naive_next_state(&self.last_start)
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && !self.last_start.is_empty() && self.last_start == self.name
    }

    fn init_comment(&mut self) {
        self.comment.clear();
    }

    fn push_comment(&mut self, part: &[u8]) {
        self.comment.extend(part);
    }

    fn emit_current_comment(&mut self) {
        let is_conditional = self.comment.starts_with(b"[if");
        self.pending = Some(HtmlTag::Comment { is_conditional, range: self.from..self.at });
    }

    fn emit_eof(&mut self) {}
    fn emit_error(&mut self, _: Error) {}
    fn emit_string(&mut self, _: &[u8]) {}
    fn emit_current_doctype(&mut self) {}
    fn set_self_closing(&mut self) {}
    fn set_force_quirks(&mut self) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn init_attribute(&mut self) {}
    fn push_attribute_name(&mut self, _: &[u8]) {}
    fn push_attribute_value(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use html5gum::{DefaultEmitter, Token, Tokenizer};
    use proptest::prelude::*;

    use super::{HtmlTag, TAG_NAMES, parse_tags};

    /// Pieces of pages: whole tags and their ends.
    const WORDS: [&str; 30] = [
        "<",
        ">",
        "</",
        "/>",
        "<a ",
        "<img ",
        "<script>",
        "</script>",
        "<style>",
        "</style",
        "<title",
        "</title>",
        "<!--",
        "-->",
        "--!>",
        "<![if x]>",
        "[if",
        "<!doctype html>",
        "<![CDATA[",
        "]]>",
        "=",
        "\"",
        "'",
        " ",
        "\n",
        "\r\n",
        "&amp;",
        "&#x",
        "é",
        "<plaintext>",
    ];

    proptest! {
        /// Skipping the other tags does not change the remaining ones.
        #[test]
        fn agrees_with_the_default_emitter(words in prop::collection::vec(0..WORDS.len(), 0..24)) {
            let text: String = words.into_iter().map(|word| WORDS[word]).collect();
            let mut emitter = DefaultEmitter::<usize>::new_with_span();
            emitter.naively_switch_states(true);
            let all = Tokenizer::new_with_emitter(&text, emitter).filter_map(|token| match token.ok()? {
                Token::StartTag(tag) => {
                    let name = TAG_NAMES.into_iter().find(|name| name.as_bytes() == tag.name.as_slice())?;
                    Some((name, tag.span.start..tag.span.end))
                }
                Token::Comment(comment) if comment.value.starts_with(b"[if") => {
                    Some(("", comment.span.start..comment.span.end))
                }
                _ => None,
            });
            let found = parse_tags(&text).filter_map(|tag| match tag {
                HtmlTag::Start { name, range } => Some((name, range)),
                HtmlTag::Comment { is_conditional, range } => is_conditional.then_some(("", range)),
            });
            prop_assert_eq!(found.collect::<Vec<_>>(), all.collect::<Vec<_>>(), "{:?}", text);
        }
    }
}
