//! Tests of ranges, and a property test against `toml_edit`.

use proptest::prelude::*;
use toml_edit::{DocumentMut, Item, Table, Value};

use super::{MAX_DEPTH, read};
use crate::data::{Node, Text};

#[test]
fn ranges_are_without_quotes() {
    let text = "a = 'é'\n\"k y\" = \"x\"\n[t]\nm = \"\"\"y\"\"\"\n'q' = [ \"z\", 'é/w' ]\n";
    let node = read(text).expect("TOML");
    let slices: Vec<&str> = node.texts("**").map(|found| &text[found.range.clone()]).collect();
    assert_eq!(slices, ["é", "x", "y", "z", "é/w"]);
    let keys: Vec<&str> = node.texts("**.@").map(|found| &text[found.range.clone()]).collect();
    assert_eq!(keys, ["a", "k y", "t", "m", "q"]);
}

#[test]
fn headers_reopen_tables() {
    let check = |text: &str, pattern: &str, expect: Option<&[&str]>| {
        let node = read(text);
        let found = node.as_ref().map(|node| node.texts(pattern).map(|text| text.text.as_ref()).collect::<Vec<_>>());
        assert_eq!(found.as_deref(), expect, "{text}");
    };
    check("[a]\nx='1'\n[b]\nx='2'\n[a.c]\nx='3'\n", "a.**.x", Some(&["1", "3"]));
    check("[a.b]\nx='1'\n[a]\nx='2'\n", "a.**.x", Some(&["2", "1"]));
    check("[[a]]\nx='1'\n[a.b]\nx='2'\n[[a]]\nx='3'\n", "a.x", Some(&["1", "3"]));
    check("a.b.c='1'\na.b.d='2'\na={}\n", "a.b.*", None);
    check("a.b.c='1'\na.b.d='2'\n", "a.b.*", Some(&["1", "2"]));
    check("a={b.c='1',b.d={e='2'}}\n", "a.b.**", Some(&["1", "2"]));
    check("[a]\n[a]\n", "@", None);
    check("a='1'\na='2'\n", "@", None);
    check("a='{{ b }}\n", "@", None);
    check("a=[['1', {b='2'}], '3']\n", "a", Some(&["1", "3"]));
}

#[test]
fn depth_is_bounded() {
    let check = |text: String, expect: bool| assert_eq!(read(&text).is_some(), expect, "{}", text.len());
    for depth in [MAX_DEPTH - 2, 50_000] {
        let is_less = depth < MAX_DEPTH;
        check(format!("a={}{}\n", "[".repeat(depth), "]".repeat(depth)), is_less);
        check(format!("a={}1{}\n", "{a=".repeat(depth), "}".repeat(depth)), is_less);
        check(format!("[{}a]\n", "a.".repeat(depth)), is_less);
        check(format!("{}a=1\n", "a.".repeat(depth)), is_less);
        check(format!("a={{{}a=1}}\n", "a.".repeat(depth)), is_less);
        check(format!("[a{}]\nb={}{}\n", ".a".repeat(depth / 2), "[".repeat(depth), "]".repeat(depth)), false);
    }
}

/// Returns whether a node equals an item of `toml_edit`. Their keys can have another order.
fn is_same(node: &Node<'_>, item: &Item) -> bool {
    if let Some(table) = item.as_table_like() {
        let entries = node.entries();
        let has = |(key, node): &(Text<'_>, _)| table.get(&key.text).is_some_and(|item| is_same(node, item));
        return matches!(node, Node::Map(_)) && entries.len() == table.len() && entries.iter().all(has);
    }
    match (node, item) {
        (Node::List(items), Item::ArrayOfTables(tables)) => {
            let is_one = |(node, table): (_, &Table)| is_same(node, &Item::Table(table.clone()));
            items.len() == tables.len() && items.iter().zip(tables).all(is_one)
        }
        (Node::List(items), Item::Value(Value::Array(values))) => {
            let is_one = |(node, value): (_, &Value)| is_same(node, &Item::Value(value.clone()));
            items.len() == values.len() && items.iter().zip(values).all(is_one)
        }
        (Node::Text(text), Item::Value(Value::String(value))) => text.text == *value.value(),
        (Node::Other(this), Item::Value(Value::Boolean(value))) => this == value.value(),
        (Node::Other(false), Item::Value(Value::Integer(_) | Value::Float(_) | Value::Datetime(_))) => true,
        _ => false,
    }
}

/// Lines and fragments from which the property test builds documents.
const WORDS: [&str; 34] = [
    "[a]\n",
    "[b]\n",
    "[a.b]\n",
    "[a.b.c]\n",
    "[a.c]\n",
    "[[a]]\n",
    "[[a.b]]\n",
    "[[b]]\n",
    "a = 1\n",
    "b = 'x'\n",
    "\"a\" = \"\\u00e9\"\n",
    "a.b = true\n",
    "a.c = [1, 'y']\n",
    "b.c = {a = 'z', b.c = 2}\n",
    "c = {a.b = 1, a.c = 2}\n",
    "a = {}\n",
    "b = [[], {a = 1}]\n",
    "c = '''x\ny'''\n",
    "c = \"\"\"\nx\\\n  y\"\"\"\n",
    "# c\n",
    "\r\n",
    "[",
    "]",
    "{",
    "}",
    "'",
    "\"",
    "=",
    ".",
    ",",
    "a",
    "1.5",
    " ",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn agrees_with_toml_edit(words in prop::collection::vec(0..WORDS.len(), 0..10)) {
        let text: String = words.into_iter().map(|word| WORDS[word]).collect();
        let (ours, theirs) = (read(&text), text.parse::<DocumentMut>().ok());
        let same = match (&ours, theirs) {
            (Some(node), Some(document)) => is_same(node, document.as_item()),
            (None, None) => true,
            _ => false,
        };
        prop_assert!(same, "{:?}: {:?}", text, ours);
    }
}
