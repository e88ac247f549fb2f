//! Finds module declarations in macro arguments: `cfg_if! { … }`, and macros that put a condition around items.
//!
//! A syntax tree has tokens there and no items. The macro's expansion is unknown, but usually repeats its items.

use std::ops::Range;

use super::attributes::{CfgCondition, ItemAttributes};
use super::tokens::{RustToken, RustTokenKind, tokenize};
use super::walk::{FileItem, InlineModule};

/// No real file nests more braces than this.
const MAX_DEPTH: usize = 50;

/// An open brace.
struct OpenBrace {
    condition: CfgCondition,
    /// True if it begins an inline module.
    is_inline: bool,
}

/// Adds the modules in a macro call. `name` is the macro, `inside` are the inline modules around the call, and
/// `condition` is the condition of the call.
pub(super) fn find_modules(
    text: &str,
    range: Range<usize>,
    name: &str,
    condition: CfgCondition,
    inside: &[InlineModule],
    found: &mut Vec<FileItem>,
) {
    let name = name.rsplit("::").next().unwrap_or(name);
    // Quoted code is compiled elsewhere, and so is the expansion of a macro definition.
    if name.contains("quote") || name == "macro_rules" {
        return;
    }
    // A feature or a platform decides `cfg_if!` and similar macros. The effect of others is unknown.
    let own = if name == "cfg_if" || name.starts_with("cfg_") { CfgCondition::Sometimes } else { CfgCondition::Custom };
    let tokens = tokenize(text, range);
    let Some(start) = tokens.iter().position(|token| token.is_punct(b'!')) else { return };
    let word = |at: usize| {
        tokens.get(at).filter(|token| token.kind == RustTokenKind::Word).map(|token| &text[token.range.clone()])
    };
    let mut open = vec![OpenBrace { condition: condition.max(own), is_inline: false }];
    let mut inside = inside.to_vec();
    let mut pending = ItemAttributes::default();
    let mut at = start + 1;
    while let Some(token) = tokens.get(at) {
        let outer = open.last().map_or(condition, |open| open.condition);
        match token.kind {
            RustTokenKind::Punct(b'#') => {
                let end = attribute_end(&tokens, at);
                pending.add_attribute(
                    text,
                    token.range.start..tokens.get(end).map_or(token.range.end, |end| end.range.end),
                );
                at = end;
            }
            RustTokenKind::Punct(b'{') if open.len() < MAX_DEPTH => {
                open.push(OpenBrace { condition: outer.max(pending.condition), is_inline: false });
                pending = ItemAttributes::default();
            }
            RustTokenKind::Punct(b'}') if open.len() > 1 => {
                if open.pop().is_some_and(|open| open.is_inline) {
                    inside.pop();
                }
                pending = ItemAttributes::default();
            }
            RustTokenKind::Punct(b';') => pending = ItemAttributes::default(),
            // A module in a function body must have a `#[path]`.
            RustTokenKind::Word if word(at) == Some("fn") => at = body_end(&tokens, at),
            RustTokenKind::Word if word(at) == Some("mod") => {
                let after = tokens.get(at + 2);
                let Some(module) = tokens.get(at + 1).filter(|module| module.kind == RustTokenKind::Word) else {
                    at += 1;
                    continue;
                };
                let attributes = std::mem::take(&mut pending);
                let condition = outer.max(attributes.condition);
                if after.is_some_and(|sign| sign.is_punct(b';')) {
                    let attributes = ItemAttributes { condition, ..attributes };
                    found.push(FileItem::Module { name: module.range.clone(), attributes, inside: inside.clone() });
                    at += 2;
                } else if after.is_some_and(|sign| sign.is_punct(b'{')) && open.len() < MAX_DEPTH {
                    inside.push(InlineModule { name: text[module.range.clone()].to_owned(), attributes });
                    open.push(OpenBrace { condition, is_inline: true });
                    at += 2;
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The index of the bracket that closes the attribute at `#`.
fn attribute_end(tokens: &[RustToken], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at + 1) {
        match token.kind {
            RustTokenKind::Punct(b'[') => depth += 1,
            RustTokenKind::Punct(b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && !token.is_punct(b'!') {
            return index;
        }
    }
    tokens.len()
}

/// The index of the end of the function at `fn`: a semicolon, or the closing brace of its body.
fn body_end(tokens: &[RustToken], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at + 1) {
        match token.kind {
            RustTokenKind::Punct(b'{') => depth += 1,
            RustTokenKind::Punct(b'}') if depth <= 1 => return index,
            RustTokenKind::Punct(b'}') => depth -= 1,
            RustTokenKind::Punct(b';') if depth == 0 => return index,
            _ => {}
        }
    }
    tokens.len()
}
