//! `Node`: the one shape that JSON, YAML and TOML are read into, so that a rule about a key is written once.

pub(crate) mod json;
pub(crate) mod report;
pub(crate) mod toml;
pub(crate) mod yaml;

use std::borrow::Cow;
use std::ops::Range;

/// A text as it means, and where it is written, in bytes of the source's text, without quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) range: Range<usize>,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node<'t> {
    /// A string (in YAML also what is a number or a truth value).
    Text(Text<'t>),
    /// A list.
    List(Vec<Node<'t>>),
    /// Keys with values, in order; the same key can be there twice.
    Map(Vec<(Text<'t>, Node<'t>)>),
    /// A number, a truth value, nothing, or something that is computed.
    Other(bool),
}

impl<'t> Node<'t> {
    /// The same, kept longer than the text that it was read from.
    pub(crate) fn into_owned(self) -> Node<'static> {
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

    /// The value of a key; the last one, if there are several.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().rev().find(|(name, _)| name.text == key).map(|(_, node)| node)
    }

    /// The value at a path of keys (`a.b`).
    pub(crate) fn at(&self, path: &str) -> Option<&Self> {
        path.split('.').try_fold(self, |node, key| node.get(key))
    }

    /// The keys and values of a map; none of anything else.
    pub(crate) fn entries(&self) -> &[(Text<'t>, Self)] {
        if let Self::Map(entries) = self { entries } else { &[] }
    }

    /// The elements of a list; anything else is a list of itself.
    pub(crate) fn items(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { std::slice::from_ref(self) }
    }

    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&Text<'t>> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// What the text says, if it is one.
    pub(crate) fn str(&self) -> Option<&str> {
        self.text().map(|text| text.text.as_ref())
    }

    /// Whether it is the truth value `value`.
    pub(crate) fn is(&self, value: bool) -> bool {
        match self {
            Self::Other(this) => *this == value,
            Self::Text(text) => text.text == if value { "true" } else { "false" },
            _ => false,
        }
    }

    /// All that a pattern of keys leads to: keys with dots between them; `*` is any key, `**` any number of them, `@`
    /// (at the end) the keys themselves instead of their values. Lists are gone through wherever they stand, also at
    /// the end.
    pub(crate) fn select<'n>(&'n self, pattern: &str) -> Vec<Found<'n, 't>> {
        let steps: Vec<&str> = pattern.split('.').filter(|step| !step.is_empty()).collect();
        let mut found = Vec::new();
        self.walk(&steps, &mut found);
        found
    }

    /// The texts that a pattern leads to.
    pub(crate) fn texts<'n>(&'n self, pattern: &str) -> impl Iterator<Item = &'n Text<'t>> + use<'n, 't> {
        self.select(pattern).into_iter().filter_map(|found| match found {
            Found::Key(text) => Some(text),
            Found::Value(node) => node.text(),
        })
    }

    /// The values that a pattern leads to.
    pub(crate) fn values<'n>(&'n self, pattern: &str) -> impl Iterator<Item = &'n Self> + use<'n, 't> {
        self.select(pattern).into_iter().filter_map(|found| match found {
            Found::Key(_) => None,
            Found::Value(node) => Some(node),
        })
    }

    /// Recursion is bounded by the readers, which bound the depth.
    fn walk<'n>(&'n self, steps: &[&str], found: &mut Vec<Found<'n, 't>>) {
        if let Self::List(items) = self {
            for item in items {
                item.walk(steps, found);
            }
            return;
        }
        let Some((step, rest)) = steps.split_first() else {
            found.push(Found::Value(self));
            return;
        };
        match *step {
            "@" => found.extend(self.entries().iter().map(|(key, _)| Found::Key(key))),
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

/// What a pattern leads to.
#[derive(Clone, Copy)]
pub(crate) enum Found<'n, 't> {
    /// A key (`@`).
    Key(&'n Text<'t>),
    /// A value.
    Value(&'n Node<'t>),
}

#[cfg(test)]
mod tests {
    use super::Node;

    #[test]
    fn patterns() {
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
