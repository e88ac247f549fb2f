//! Reads members that begin with a type instead of a keyword, as in C#: `public async Task<int> Name(`.

use super::{Body, BraceParser};
use crate::SymbolKind;

/// Tokens within which the name of a member stands.
const MAX_MEMBER_TOKENS: usize = 96;

/// Words that do not begin a member, or are not the name of one.
const NON_MEMBER_NAMES: [&str; 14] = [
    "using", "return", "throw", "await", "if", "while", "for", "foreach", "switch", "operator", "this", "base", "new",
    "where",
];

impl BraceParser<'_, '_> {
    /// Returns whether a member may begin here: after another one, after an attribute, or at the start of the body.
    pub(super) fn begins_member(&self, at: usize) -> bool {
        at == 0 || ["{", "}", ";", "]"].iter().any(|sign| self.is_sign(at - 1, sign))
    }

    /// Reads a member, and adds methods and constants; returns the position at the end of its head.
    pub(super) fn read_member(&mut self, from: usize) -> usize {
        let mut angles = 0_usize;
        let mut names = 0_usize;
        let mut last = None;
        let mut constant = false;
        self.expect_body(Body::Other);
        for at in from..(from + MAX_MEMBER_TOKENS).min(self.tokens.len()) {
            let token = &self.tokens[at];
            if token.is_name {
                if angles > 0 {
                    continue;
                }
                if self.braces.declaration_kind(token.text).is_some() {
                    return at;
                }
                constant |= token.text == "const";
                last = Some(at);
                names += 1;
                continue;
            }
            match token.text {
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                // A tuple of types: `(int, string) Name(`.
                "(" if angles == 0 && !self.parameters_begin(at) => {}
                "(" if angles == 0 => {
                    if let Some(name) = last.filter(|&name| names > 1 && self.is_member_name(name)) {
                        let kind = if self.has_body(at) { SymbolKind::Method } else { SymbolKind::Prototype };
                        self.push_symbol(name, kind);
                    }
                    return at;
                }
                "=" if angles == 0 => {
                    if let Some(name) = last.filter(|_| constant) {
                        self.push_symbol(name, SymbolKind::Constant);
                    }
                    return at;
                }
                "{" | "}" | ";" => return at,
                _ => {}
            }
        }
        from + 1
    }

    /// Returns whether the parenthesis at `at` follows a name, so that a method's parameters begin.
    fn parameters_begin(&self, at: usize) -> bool {
        let before = &self.tokens[at - 1];
        before.is_sign(">")
            || before.is_name && !["static", "async", "public", "private", "internal"].contains(&before.text)
    }

    fn is_member_name(&self, name: usize) -> bool {
        let text = self.tokens[name].text;
        let own = matches!(self.body(), Body::Type(enclosing) if enclosing == text);
        !own && !NON_MEMBER_NAMES.contains(&text)
    }

    /// Returns whether a body follows the parameters that begin here.
    fn has_body(&self, from: usize) -> bool {
        let mut depth = 0_usize;
        for token in self.tokens[from..].iter().take(4 * MAX_MEMBER_TOKENS).filter(|token| !token.is_name) {
            match token.text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                "{" | "=" if depth == 0 => return true,
                ";" | "}" if depth == 0 => return false,
                _ => {}
            }
        }
        false
    }
}
