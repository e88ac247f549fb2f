//! Walks the syntax tree of a file: module declarations and macro calls, with their conditions and inline modules.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::keyword_hits::KeywordHits;

use super::attributes::{CfgCondition, ItemAttributes};
use super::macro_modules;

/// No real file nests deeper than this; deeper nodes are skipped.
const MAX_DEPTH: usize = 200;

/// An inline module around another declaration.
#[derive(Clone, Debug)]
pub(super) struct InlineModule {
    pub(super) name: String,
    pub(super) attributes: ItemAttributes,
}

/// A construct of a file that can name a path.
pub(super) enum FileItem {
    /// `mod name;`
    Module { name: Range<usize>, attributes: ItemAttributes, inside: Vec<InlineModule> },
    /// A macro call, or an attribute with a value.
    Call { range: Range<usize>, name: Option<Range<usize>>, condition: CfgCondition },
}

/// The state at one depth of the tree.
struct TreeLevel {
    condition: CfgCondition,
    /// Attributes that apply to the next item.
    pending: ItemAttributes,
    /// True if an inline module ends with this level.
    is_inline: bool,
    /// True in a function, where a module must have a `#[path]`.
    is_block: bool,
}

/// Returns whether a keyword can be one of a construct that names a file: a macro, or `mod` before a name.
pub(super) fn can_begin_item(text: &str, range: &Range<usize>) -> bool {
    let rest = &text[range.end..];
    match &text[range.clone()] {
        "mod" => rest.starts_with('/') || rest.starts_with(char::is_whitespace),
        _ => rest.trim_start().starts_with(['!', '/']),
    }
}

/// All modules and calls of a tree, in order.
///
/// `calls` includes macro calls; without them most of the tree is skipped. Nodes without any of the `hits` are skipped
/// too, but the conditions and attributes beside them count.
pub(super) fn walk(tree: &Tree, text: &str, calls: bool, hits: &KeywordHits) -> Vec<FileItem> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    let mut levels = vec![TreeLevel::new(CfgCondition::Always, false, false)];
    let mut inside: Vec<InlineModule> = Vec::new();
    if !cursor.goto_first_child() {
        return found;
    }
    loop {
        let node = cursor.node();
        let deeper = match levels.last_mut() {
            Some(level) => level.visit(node, text, calls, hits, &mut inside, &mut found),
            None => return found,
        };
        if let Some(deeper) = deeper
            && levels.len() < MAX_DEPTH
        {
            let is_inline = deeper.is_inline;
            if cursor.goto_first_child() {
                levels.push(deeper);
                continue;
            }
            if is_inline {
                inside.pop();
            }
        }
        while !cursor.goto_next_sibling() {
            if levels.pop().is_some_and(|level| level.is_inline) {
                inside.pop();
            }
            if levels.is_empty() || !cursor.goto_parent() {
                return found;
            }
        }
    }
}

impl TreeLevel {
    fn new(condition: CfgCondition, is_inline: bool, is_block: bool) -> Self {
        Self { condition, pending: ItemAttributes::default(), is_inline, is_block }
    }

    /// Visits a node. Returns the level below it, if that is to be visited.
    fn visit(
        &mut self,
        node: Node<'_>,
        text: &str,
        calls: bool,
        hits: &KeywordHits,
        inside: &mut Vec<InlineModule>,
        found: &mut Vec<FileItem>,
    ) -> Option<Self> {
        let call = |name: Option<Node<'_>>, condition: CfgCondition| FileItem::Call {
            range: node.byte_range(),
            name: name.map(|name| name.byte_range()),
            condition,
        };
        match node.kind() {
            "attribute_item" => {
                self.pending.add_attribute(text, node.byte_range());
                found.extend(calls.then(|| call(None, self.condition.max(self.pending.condition))));
                return None;
            }
            "inner_attribute_item" => {
                let mut own = ItemAttributes::default();
                own.add_attribute(text, node.byte_range());
                self.condition = self.condition.max(own.condition);
                found.extend(calls.then(|| call(None, self.condition)));
                return None;
            }
            "line_comment" | "block_comment" => return None,
            _ => {}
        }
        if !node.is_named() {
            return None;
        }
        let attributes = std::mem::take(&mut self.pending);
        let condition = self.condition.max(attributes.condition);
        if !hits.has_hit_in(&node.byte_range()) {
            return None;
        }
        match node.kind() {
            "mod_item" => {
                let name = node.child_by_field_name("name")?.byte_range();
                if node.child_by_field_name("body").is_some() {
                    let name = text.get(name)?.to_owned();
                    inside.push(InlineModule { name, attributes });
                    return Some(Self::new(condition, true, self.is_block));
                }
                if !self.is_block || attributes.path.is_some() {
                    let attributes = ItemAttributes { condition, ..attributes };
                    found.push(FileItem::Module { name, attributes, inside: inside.clone() });
                }
                None
            }
            "macro_invocation" => {
                if !self.is_block {
                    let name = node.child_by_field_name("macro").and_then(|name| text.get(name.byte_range()));
                    macro_modules::find_modules(
                        text,
                        node.byte_range(),
                        name.unwrap_or_default(),
                        condition,
                        inside,
                        found,
                    );
                }
                found.extend(calls.then(|| call(node.child_by_field_name("macro"), condition)));
                None
            }
            "macro_definition" | "string_literal" | "raw_string_literal" | "token_tree" => None,
            "declaration_list" | "expression_statement" => Some(Self::new(condition, false, self.is_block)),
            _ if calls => {
                let is_block = self.is_block || node.kind() == "block";
                Some(Self::new(condition, false, is_block))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::can_begin_item;

    #[test]
    fn skips_words_that_are_no_macro() {
        let check = |text: &str, expect: bool| {
            let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
            assert_eq!(can_begin_item(text, &(0..end)), expect, "{text}");
        };
        check("include_str!(\"a\")", true);
        check("include ! (\"a\")", true);
        check("mod a;", true);
        check("mod/**/a;", true);
        check("include\": [\"a\"]", false);
        check("mod.ts", false);
        check("mod", false);
    }
}
