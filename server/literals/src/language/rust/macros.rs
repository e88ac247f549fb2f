//! The modules that stand in what a macro is called with: `cfg_if! { … }`, and macros that put a condition around items.
//!
//! A syntax tree has tokens there and no items. What such a macro does with them is not known, but as a rule it repeats them.

use std::ops::Range;

use super::attributes::{Attributes, Condition};
use super::tokens::{Token, What, tokens};
use super::walk::{Found, Inline};

/// More braces in one another than this nobody writes.
const MAX_DEPTH: usize = 50;

/// An open brace.
struct Open {
    condition: Condition,
    /// An inline module begins with it.
    is_inline: bool,
}

/// The modules in the range of a macro's call. `name` is the macro's, `inside` are the inline modules that the call stands in,
/// and `condition` is that of the call.
pub(super) fn modules(
    text: &str,
    range: Range<usize>,
    name: &str,
    condition: Condition,
    inside: &[Inline],
    found: &mut Vec<Found>,
) {
    let name = name.rsplit("::").next().unwrap_or(name);
    // What is quoted is compiled elsewhere, and what a macro writes as its rule, too.
    if name.contains("quote") || name == "macro_rules" {
        return;
    }
    // A feature or a platform decides on `cfg_if!` and its like. Others may do anything.
    let own = if name == "cfg_if" || name.starts_with("cfg_") { Condition::Sometimes } else { Condition::Custom };
    let tokens = tokens(text, range);
    let Some(start) = tokens.iter().position(|token| token.is(b'!')) else { return };
    let word =
        |at: usize| tokens.get(at).filter(|token| token.what == What::Word).map(|token| &text[token.range.clone()]);
    let mut open = vec![Open { condition: condition.max(own), is_inline: false }];
    let mut inside = inside.to_vec();
    let mut waiting = Attributes::default();
    let mut at = start + 1;
    while let Some(token) = tokens.get(at) {
        let outer = open.last().map_or(condition, |open| open.condition);
        match token.what {
            What::Sign(b'#') => {
                let end = attribute_end(&tokens, at);
                waiting.take(text, token.range.start..tokens.get(end).map_or(token.range.end, |end| end.range.end));
                at = end;
            }
            What::Sign(b'{') if open.len() < MAX_DEPTH => {
                open.push(Open { condition: outer.max(waiting.condition), is_inline: false });
                waiting = Attributes::default();
            }
            What::Sign(b'}') if open.len() > 1 => {
                if open.pop().is_some_and(|open| open.is_inline) {
                    inside.pop();
                }
                waiting = Attributes::default();
            }
            What::Sign(b';') => waiting = Attributes::default(),
            // Functions have bodies, in which a module must name its path.
            What::Word if word(at) == Some("fn") => at = body_end(&tokens, at),
            What::Word if word(at) == Some("mod") => {
                let after = tokens.get(at + 2);
                let Some(module) = tokens.get(at + 1).filter(|module| module.what == What::Word) else {
                    at += 1;
                    continue;
                };
                let attributes = std::mem::take(&mut waiting);
                let condition = outer.max(attributes.condition);
                if after.is_some_and(|sign| sign.is(b';')) {
                    let attributes = Attributes { condition, ..attributes };
                    found.push(Found::Module { name: module.range.clone(), attributes, inside: inside.clone() });
                    at += 2;
                } else if after.is_some_and(|sign| sign.is(b'{')) && open.len() < MAX_DEPTH {
                    inside.push(Inline { name: text[module.range.clone()].to_owned(), attributes });
                    open.push(Open { condition, is_inline: true });
                    at += 2;
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The bracket that closes an attribute, which begins at `#`.
fn attribute_end(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at + 1) {
        match token.what {
            What::Sign(b'[') => depth += 1,
            What::Sign(b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && !token.is(b'!') {
            return index;
        }
    }
    tokens.len()
}

/// The end of a function, which begins at `fn`: a semicolon, or the brace that closes its body.
fn body_end(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at + 1) {
        match token.what {
            What::Sign(b'{') => depth += 1,
            What::Sign(b'}') if depth <= 1 => return index,
            What::Sign(b'}') => depth -= 1,
            What::Sign(b';') if depth == 0 => return index,
            _ => {}
        }
    }
    tokens.len()
}
