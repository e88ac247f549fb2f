//! Attributes: under which conditions something is compiled, and the paths that they name.

use std::ops::Range;

use super::tokens::{Token, What, tokens};

/// Under which conditions an item is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Condition {
    /// Always.
    #[default]
    Always,
    /// In tests: whoever runs them needs it.
    Test,
    /// On some platform, or with some feature: someone builds it so, and then it fails.
    Sometimes,
    /// Under a name that only a build script or a flag sets: it may never be.
    Custom,
}

/// What the attributes of one item say.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub(super) condition: Condition,
    /// Of `#[path = "…"]`.
    pub(super) path: Option<Range<usize>>,
    /// Of `#[cfg_attr(…, path = "…")]`.
    pub(super) branches: Vec<Range<usize>>,
}

/// Names of conditions that compilers and Cargo set.
const KNOWN: [&str; 22] = [
    "debug_assertions",
    "doc",
    "docsrs",
    "doctest",
    "feature",
    "panic",
    "proc_macro",
    "target_abi",
    "target_arch",
    "target_endian",
    "target_env",
    "target_family",
    "target_feature",
    "target_has_atomic",
    "target_os",
    "target_pointer_width",
    "target_thread_local",
    "target_vendor",
    "test",
    "unix",
    "wasm",
    "windows",
];

impl Attributes {
    /// Takes in the attribute that stands in this range: `#[…]` or `#![…]`.
    pub(super) fn take(&mut self, text: &str, range: Range<usize>) {
        let tokens = tokens(text, range);
        let Some(start) = tokens.iter().position(|token| token.is(b'[')) else { return };
        let tokens = &tokens[start + 1..];
        let Some((first, rest)) = tokens.split_first() else { return };
        match &text[first.range.clone()] {
            "cfg" => self.condition = self.condition.max(condition(text, rest)),
            "path" if first.what == What::Word => {
                if let [equals, path, ..] = rest
                    && equals.is(b'=')
                    && path.what == What::Text
                {
                    self.path.get_or_insert(path.range.clone());
                }
            }
            "cfg_attr" => {
                let path = |window: &[Token]| {
                    let is_path = &text[window[0].range.clone()] == "path" && window[1].is(b'=');
                    (is_path && window[2].what == What::Text).then(|| window[2].range.clone())
                };
                self.branches.extend(rest.windows(3).filter_map(path));
            }
            _ => {}
        }
    }
}

/// What is in the brackets of `cfg(…)`.
fn condition(text: &str, tokens: &[Token]) -> Condition {
    let words = tokens.iter().filter(|token| token.what == What::Word).map(|token| &text[token.range.clone()]);
    let is_known = |word: &str| KNOWN.contains(&word) || matches!(word, "all" | "any" | "not" | "true");
    // `cfg(any())` and `cfg(false)` are never true.
    let is_never = |words: &[&str]| words.contains(&"false") || words == ["any"];
    let words: Vec<&str> = words.collect();
    if is_never(&words) || !words.iter().all(|word| is_known(word)) {
        Condition::Custom
    } else if words == ["test"] {
        Condition::Test
    } else {
        Condition::Sometimes
    }
}

#[cfg(test)]
mod tests {
    use super::{Attributes, Condition};

    #[test]
    fn taken() {
        let check = |text: &str, condition: Condition, paths: &str| {
            let mut attributes = Attributes::default();
            attributes.take(text, 0..text.len());
            assert_eq!(attributes.condition, condition, "{text}");
            let all: Vec<&str> =
                attributes.path.into_iter().chain(attributes.branches).map(|range| &text[range]).collect();
            assert_eq!(all.join(" "), paths, "{text}");
        };
        check("#[cfg(test)]", Condition::Test, "");
        check("#![cfg(all(unix, not(feature = \"x\")))]", Condition::Sometimes, "");
        check("#[cfg(loom)]", Condition::Custom, "");
        check("#[cfg(any())]", Condition::Custom, "");
        check("#[path = r\"a.rs\"]", Condition::Always, "a.rs");
        check("#[path]", Condition::Always, "");
        check("#[cfg_attr(unix, path = \"u.rs\")]", Condition::Always, "u.rs");
        check("#[cfg_attr(a, allow(x), path = \"b.rs\")]", Condition::Always, "b.rs");
        check("#[", Condition::Always, "");
    }
}
