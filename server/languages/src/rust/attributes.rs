//! Reads attributes: the `cfg` condition of an item, and the paths in `#[path]`.

use std::ops::Range;

use super::tokens::{RustToken, RustTokenKind, tokenize};

/// The condition under which an item is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CfgCondition {
    /// Always.
    #[default]
    Always,
    /// In tests.
    Test,
    /// On some platform: a file for it is in the repository like any other.
    Platform,
    /// With some feature; such builds exist and would fail.
    Sometimes,
    /// Under a name that only a build script or a flag sets; such a build may not exist.
    Custom,
}

/// The condition and the paths in the attributes of an item.
#[derive(Clone, Debug, Default)]
pub(super) struct ItemAttributes {
    pub(super) condition: CfgCondition,
    /// The path in `#[path = "…"]`.
    pub(super) path: Option<Range<usize>>,
    /// The paths in `#[cfg_attr(…, path = "…")]`.
    pub(super) branches: Vec<Range<usize>>,
}

/// Names of conditions that compilers and Cargo set.
const KNOWN_CFGS: [&str; 22] = [
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

impl ItemAttributes {
    /// Adds the attribute in this range: `#[…]` or `#![…]`.
    pub(super) fn add_attribute(&mut self, text: &str, range: Range<usize>) {
        let tokens = tokenize(text, range);
        let Some(start) = tokens.iter().position(|token| token.is_punct(b'[')) else { return };
        let tokens = &tokens[start + 1..];
        let Some((first, rest)) = tokens.split_first() else { return };
        match &text[first.range.clone()] {
            "cfg" => self.condition = self.condition.max(parse_cfg(text, rest)),
            "path" if first.kind == RustTokenKind::Word => {
                if let [equals, path, ..] = rest
                    && equals.is_punct(b'=')
                    && path.kind == RustTokenKind::Text
                {
                    self.path.get_or_insert(path.range.clone());
                }
            }
            "cfg_attr" => {
                let path = |window: &[RustToken]| {
                    let is_path = &text[window[0].range.clone()] == "path" && window[1].is_punct(b'=');
                    (is_path && window[2].kind == RustTokenKind::Text).then(|| window[2].range.clone())
                };
                self.branches.extend(rest.windows(3).filter_map(path));
            }
            _ => {}
        }
    }
}

/// Classifies the condition in the brackets of `cfg(…)`.
fn parse_cfg(text: &str, tokens: &[RustToken]) -> CfgCondition {
    let words = tokens.iter().filter(|token| token.kind == RustTokenKind::Word).map(|token| &text[token.range.clone()]);
    let is_known = |word: &str| KNOWN_CFGS.contains(&word) || matches!(word, "all" | "any" | "not" | "true");
    // A build for the web reads no files when it runs, so it embeds those that were made for it.
    let is_for_web = tokens.iter().any(|token| text[token.range.clone()].starts_with("wasm"));
    let is_platform =
        |word: &str| word.starts_with("target_") || matches!(word, "all" | "any" | "not" | "unix" | "windows");
    // `cfg(any())` and `cfg(false)` are never true.
    let is_never = |words: &[&str]| words.contains(&"false") || words == ["any"];
    let words: Vec<&str> = words.collect();
    if is_never(&words) || !words.iter().all(|word| is_known(word)) {
        CfgCondition::Custom
    } else if words == ["test"] {
        CfgCondition::Test
    } else if words.iter().all(|word| is_platform(word)) && !is_for_web {
        CfgCondition::Platform
    } else {
        CfgCondition::Sometimes
    }
}

#[cfg(test)]
mod tests {
    use super::{CfgCondition, ItemAttributes};

    #[test]
    fn reads_conditions_and_paths() {
        let check = |text: &str, condition: CfgCondition, paths: &str| {
            let mut attributes = ItemAttributes::default();
            attributes.add_attribute(text, 0..text.len());
            assert_eq!(attributes.condition, condition, "{text}");
            let all: Vec<&str> =
                attributes.path.into_iter().chain(attributes.branches).map(|range| &text[range]).collect();
            assert_eq!(all.join(" "), paths, "{text}");
        };
        check("#[cfg(test)]", CfgCondition::Test, "");
        check("#![cfg(all(unix, not(feature = \"x\")))]", CfgCondition::Sometimes, "");
        check("#[cfg(all(windows, target_arch = \"x86\"))]", CfgCondition::Platform, "");
        check("#[cfg(target_arch = \"wasm32\")]", CfgCondition::Sometimes, "");
        check("#[cfg(all(windows, feature = \"x\"))]", CfgCondition::Sometimes, "");
        check("#[cfg(loom)]", CfgCondition::Custom, "");
        check("#[cfg(any())]", CfgCondition::Custom, "");
        check("#[path = r\"a.rs\"]", CfgCondition::Always, "a.rs");
        check("#[path]", CfgCondition::Always, "");
        check("#[cfg_attr(unix, path = \"u.rs\")]", CfgCondition::Always, "u.rs");
        check("#[cfg_attr(a, allow(x), path = \"b.rs\")]", CfgCondition::Always, "b.rs");
        check("#[", CfgCondition::Always, "");
    }
}
