//! `Node`: the common tree for JSON, YAML and TOML, so that a rule for a key is written once. The checks of data files use it.

pub mod json;
pub mod toml;
pub mod yaml;

use std::borrow::Cow;
use std::ops::Range;

/// A decoded string with its byte range in the source text, without quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text<'t> {
    /// The decoded value.
    pub text: Cow<'t, str>,
    /// The byte range of the text between the quotes.
    pub range: Range<usize>,
}

/// A value of a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node<'t> {
    /// A string. In YAML also numbers and booleans.
    Text(Text<'t>),
    /// A list of values.
    List(Vec<Node<'t>>),
    /// Keys with values, in order. A key can occur twice.
    Map(Vec<(Text<'t>, Node<'t>)>),
    /// A number, a boolean, null or a computed value. True only for the boolean `true`.
    Other(bool),
}

impl<'t> Node<'t> {
    /// Copies the node, so that it outlives the text that it was read from.
    pub fn into_owned(self) -> Node<'static> {
        let owned = |text: Text<'t>| Text { text: text.text.into_owned().into(), range: text.range };
        match self {
            Self::Text(text) => Node::Text(owned(text)),
            Self::List(items) => Node::List(items.into_iter().map(Self::into_owned).collect()),
            Self::Map(entries) => {
                Node::Map(entries.into_iter().map(|(key, node)| (owned(key), node.into_owned())).collect())
            }
            Self::Other(value) => Node::Other(value),
        }
    }

    /// Returns the value of a key; the last one if the key occurs more than once.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().rev().find(|(name, _)| name.text == key).map(|(_, node)| node)
    }

    /// Returns the value at a path of keys (`a.b`).
    pub fn at(&self, path: &str) -> Option<&Self> {
        path.split('.').try_fold(self, |node, key| node.get(key))
    }

    /// Returns the keys and values of a map; empty for other nodes.
    pub fn entries(&self) -> &[(Text<'t>, Self)] {
        if let Self::Map(entries) = self { entries } else { &[] }
    }

    /// Returns the elements of a list; other nodes are a list of one.
    pub fn items(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { std::slice::from_ref(self) }
    }

    /// Returns the text of a string node.
    pub fn text(&self) -> Option<&Text<'t>> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the value of a string node.
    pub fn str(&self) -> Option<&str> {
        self.text().map(|text| text.text.as_ref())
    }

    /// Returns whether the node is the boolean `value`.
    pub fn is(&self, value: bool) -> bool {
        match self {
            Self::Other(this) => *this == value,
            Self::Text(text) => text.text == if value { "true" } else { "false" },
            _ => false,
        }
    }

    /// Returns all nodes and keys that match a pattern of keys, in order.
    ///
    /// Keys are separated by dots. `*` matches any key, `**` any number of keys, and `@` at the end selects the keys instead of
    /// their values. Elements of lists are matched one by one, at every level.
    pub fn select<'n>(&'n self, pattern: &str) -> Vec<NodeMatch<'n, 't>> {
        let steps: Vec<&str> = pattern.split('.').filter(|step| !step.is_empty()).collect();
        let mut found = Vec::new();
        self.walk(&steps, &mut found);
        found
    }

    /// Returns the strings that match a pattern.
    pub fn texts<'n>(&'n self, pattern: &str) -> impl Iterator<Item = &'n Text<'t>> + use<'n, 't> {
        self.select(pattern).into_iter().filter_map(|found| match found {
            NodeMatch::Key(text) => Some(text),
            NodeMatch::Value(node) => node.text(),
        })
    }

    /// Returns the values that match a pattern.
    pub fn values<'n>(&'n self, pattern: &str) -> impl Iterator<Item = &'n Self> + use<'n, 't> {
        self.select(pattern).into_iter().filter_map(|found| match found {
            NodeMatch::Key(_) => None,
            NodeMatch::Value(node) => Some(node),
        })
    }

    /// Appends the matches of the remaining steps. The parsers limit the depth, so recursion is bounded.
    fn walk<'n>(&'n self, steps: &[&str], found: &mut Vec<NodeMatch<'n, 't>>) {
        if let Self::List(items) = self {
            for item in items {
                item.walk(steps, found);
            }
            return;
        }
        let Some((step, rest)) = steps.split_first() else {
            found.push(NodeMatch::Value(self));
            return;
        };
        match *step {
            "@" => found.extend(self.entries().iter().map(|(key, _)| NodeMatch::Key(key))),
            "*" => self.entries().iter().for_each(|(_, node)| node.walk(rest, found)),
            "**" => {
                self.walk(rest, found);
                self.entries().iter().for_each(|(_, node)| node.walk(steps, found));
            }
            key => {
                let named = self.entries().iter().filter(|(name, _)| name.text == key);
                named.for_each(|(_, node)| node.walk(rest, found));
            }
        }
    }
}

/// A match of [`Node::select`].
#[derive(Clone, Copy)]
pub enum NodeMatch<'n, 't> {
    /// A key (`@`).
    Key(&'n Text<'t>),
    /// A value of a data file.
    Value(&'n Node<'t>),
}

#[cfg(test)]
mod tests {
    use super::Node;

    #[test]
    fn selects_by_pattern() {
        let node = super::json::read(r#"{"a": [{"b": "1"}, {"b": ["2", "3"]}], "c": {"d": {"b": "4"}}, "b": 5}"#);
        let node = node.expect("JSON");
        let check = |pattern: &str, expect: &[&str]| {
            let texts: Vec<&str> = node.texts(pattern).map(|text| text.text.as_ref()).collect();
            assert_eq!(texts, expect, "{pattern}");
        };
        check("a.b", &["1", "2", "3"]);
        check("c.*.b", &["4"]);
        check("**.b", &["1", "2", "3", "4"]);
        check("c.@", &["d"]);
        check("@", &["a", "c", "b"]);
        check("x", &[]);
        check("b", &[]);
        assert_eq!(node.at("c.d.b").and_then(Node::str), Some("4"));
    }
}
