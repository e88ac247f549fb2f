//! Modules of the Asynchronous Module Definition (`RequireJS`, Dojo): `define(['./a'], function (a) {…})`.
//!
//! Only names that begin with a dot are read, which lead from the module's own file. Others are from a base that a page or a build sets,
//! and modules with a name of their own stand in bundles, where names lead from that name.

use std::ops::Range;

use memchr::memmem;
use pathfinder_syntax::string_ranges::string_content;
use tree_sitter::Node;

use super::scan::{Construct, ModuleLiteral};
use crate::keyword_hits::line_before;

/// Modules of one file. Handwritten files have one.
const MAX_MODULES: usize = 100;
/// Bytes of a list of dependencies. The longest of handwritten modules have some hundred names.
const MAX_LIST_BYTES: usize = 16 << 10;

/// Returns the relative names in the lists of dependencies of a script's modules.
pub(super) fn find_dependencies(text: &str) -> Vec<ModuleLiteral> {
    let mut found = Vec::new();
    let call = "define(";
    for at in memmem::find_iter(text.as_bytes(), call).take(MAX_MODULES) {
        let is_word = !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'));
        let line = line_before(text, at).unwrap_or_default().trim_start();
        let rest = text[at + call.len()..].trim_start();
        if is_word && !line.starts_with(['/', '*']) && rest.starts_with('[') {
            let start = text.len() - rest.len() + 1;
            let end = text.floor_char_boundary((start + MAX_LIST_BYTES).min(text.len()));
            let literal = |range| ModuleLiteral { range, construct: Construct::Require, is_optional: false };
            found.extend(relative_strings(text, start..end).map(literal));
        }
    }
    found
}

/// Returns the byte ranges of the strings that begin as a relative path does, up to the end of the list.
fn relative_strings(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        loop {
            at += text[at..range.end].find(['"', '\'', ']', '/'])?;
            let rest = &text[at..range.end];
            let first = rest.chars().next()?;
            if first == ']' {
                at = range.end;
                return None;
            }
            if first == '/' {
                let end = if rest.starts_with("/*") { "*/" } else { "\n" };
                at += rest.find(end)? + end.len();
                continue;
            }
            let length = rest[1..].find([first, '\n'])? + 2;
            let quoted = at..at + length;
            at = quoted.end;
            let content = string_content(text, quoted).filter(|content| is_relative(&text[content.clone()]));
            if content.is_some() {
                return content;
            }
        }
    })
}

/// Returns whether a name, after the plug-ins that read it, is relative: `text!./page.html`.
fn is_relative(name: &str) -> bool {
    let name = name.rsplit_once('!').map_or(name, |(_, name)| name);
    name.starts_with("./") || name.starts_with("../")
}

/// Returns whether a function is that of a module without a name of its own, so that its `require` reads relative names from its file.
pub(super) fn is_module(function: Node<'_>, text: &str) -> bool {
    let arguments = function.parent().filter(|parent| parent.kind() == "arguments");
    let call = arguments.and_then(|arguments| arguments.parent()).and_then(|call| call.child_by_field_name("function"));
    let is_named = |arguments: Node<'_>| arguments.named_child(0).is_some_and(|first| first.kind() == "string");
    call.and_then(|name| text.get(name.byte_range())) == Some("define") && !arguments.is_some_and(is_named)
}
