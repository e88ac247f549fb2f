//! Expands idioms for the script's own directory: `$(dirname "$0")/x`, `${BASH_SOURCE%/*}/x`, and `$DIR/x` if `DIR` is
//! one of these.

use rustc_hash::FxHashMap;

use pathfinder_literals::path::{join, parent};

/// A variable that refers to others more often than this refers to itself.
const MAX_EXPANSIONS: usize = 8;

/// The values of a script's variables; `None` for one that is assigned several values.
pub(crate) struct ScriptVariables<'t> {
    path: &'t str,
    values: FxHashMap<&'t str, Option<&'t str>>,
}

/// A path relative to the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExpandedPath {
    /// `None` if it leads out of the root.
    pub(crate) path: Option<String>,
    /// False for `$0`, which is another script if this one is sourced.
    pub(crate) is_sure: bool,
}

impl<'t> ScriptVariables<'t> {
    /// Without any assignment, for the script at this path.
    pub(crate) fn new(path: &'t str) -> Self {
        Self { path, values: FxHashMap::default() }
    }

    /// Adds an assignment.
    pub(crate) fn assign(&mut self, name: &'t str, value: &'t str) {
        // No idiom is longer. Without a limit, each use of a huge value would scan it again.
        if value.len() > 400 {
            self.values.insert(name, None);
            return;
        }
        let known = self.values.entry(name).or_insert(Some(value));
        if *known != Some(value) {
            *known = None;
        }
    }

    /// Expands a word that begins with a known variable or idiom and continues literally.
    pub(crate) fn expand(&self, word: &str) -> Option<ExpandedPath> {
        self.expand_value(word, MAX_EXPANSIONS)
    }

    /// Expands a word, following at most `depth` variables.
    fn expand_value(&self, word: &str, depth: usize) -> Option<ExpandedPath> {
        let depth = depth.checked_sub(1)?;
        let word = word.trim();
        // Quotes may surround the whole word or only its computed part.
        let word = word.strip_prefix('"').unwrap_or(word);
        let (base, rest) = match word.as_bytes() {
            [b'$', b'(', ..] => {
                let (inside, rest) = bracketed(&word[1..], '(', ')')?;
                (self.expand_command(inside.trim(), depth)?, rest)
            }
            [b'$', b'{', ..] => {
                let (inside, rest) = bracketed(&word[1..], '{', '}')?;
                (self.expand_parameter(inside, depth)?, rest)
            }
            [b'$', ..] => {
                let end =
                    word[1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(word.len(), |end| end + 1);
                (self.expand_variable(&word[1..end], depth)?, &word[end..])
            }
            _ => return None,
        };
        let rest = rest.strip_prefix('"').unwrap_or(rest);
        let rest = rest.strip_suffix('"').unwrap_or(rest);
        let is_static = rest.is_empty() || rest.starts_with('/');
        let unsupported = ['$', '`', '"', '\'', '*', '?', '[', '{', '\\', '\u{1a}', '<', '~', ' '];
        if !is_static || rest.contains(unsupported) {
            return None;
        }
        let path = if rest.is_empty() { base.path } else { base.path.and_then(|base| join(&base, rest)) };
        Some(ExpandedPath { path, is_sure: base.is_sure })
    }

    /// `$(…)`.
    fn expand_command(&self, inside: &str, depth: usize) -> Option<ExpandedPath> {
        let inside = inside.strip_prefix("builtin ").unwrap_or(inside);
        if inside == "git rev-parse --show-toplevel" {
            return Some(ExpandedPath { path: Some(String::new()), is_sure: true });
        }
        if let Some(rest) = inside.strip_prefix("dirname ") {
            let rest = rest.trim().trim_start_matches("-- ");
            return self.expand_value(single_word(rest)?, depth).map(parent_directory);
        }
        for name in ["readlink -f ", "readlink -e ", "readlink ", "realpath -s ", "realpath ", "greadlink -f "] {
            if let Some(rest) = inside.strip_prefix(name) {
                return self.expand_value(single_word(rest.trim().trim_start_matches("-- "))?, depth);
            }
        }
        let inside =
            inside.trim_start_matches("unset CDPATH; ").trim_start_matches("CDPATH= ").trim_start_matches("CDPATH='' ");
        let rest = inside.strip_prefix("cd ")?;
        let (directory, then) = rest.split_once("&&").or_else(|| rest.split_once(';'))?;
        if !then.trim().starts_with("pwd") || then.contains('$') {
            return None;
        }
        let directory = directory.trim().trim_start_matches("-P ").trim_start_matches("-- ");
        let directory =
            [" >/dev/null", " > /dev/null", " &>/dev/null", " &> /dev/null", " 2>/dev/null", " 1>/dev/null"]
                .iter()
                .find_map(|end| directory.split_once(end))
                .map_or(directory, |(directory, _)| directory);
        self.expand_value(single_word(directory.trim())?, depth)
    }

    /// `${…}`.
    fn expand_parameter(&self, inside: &str, depth: usize) -> Option<ExpandedPath> {
        let is_own = |name: &str| matches!(name, "BASH_SOURCE" | "BASH_SOURCE[0]" | "(%):-%x" | "(%):-%N");
        if let Some(name) = inside.strip_suffix("%/*") {
            return if is_own(name) {
                Some(parent_directory(self.script_path(true)))
            } else {
                self.expand_variable(name, depth).map(parent_directory)
            };
        }
        if is_own(inside) {
            return Some(self.script_path(true));
        }
        match inside {
            "0:A:h:h" | "0:a:h:h" | "0:h:h" => Some(parent_directory(parent_directory(self.script_path(true)))),
            "0:A:h" | "0:a:h" | "0:h" | "0:P:h" | "(%):-%x:h" | "(%):-%N:h" | "${(%):-%x}:h" | "${(%):-%x}:A:h" => {
                Some(parent_directory(self.script_path(true)))
            }
            name if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => self.expand_variable(name, depth),
            _ => None,
        }
    }

    fn expand_variable(&self, name: &str, depth: usize) -> Option<ExpandedPath> {
        match name {
            "0" => Some(self.script_path(false)),
            "BASH_SOURCE" => Some(self.script_path(true)),
            // The directory of the running test: tests lie together.
            "BATS_TEST_DIRNAME" => Some(parent_directory(self.script_path(false))),
            _ => self.expand_value(self.values.get(name).copied().flatten()?, depth),
        }
    }

    /// The path of the script itself.
    fn script_path(&self, is_sure: bool) -> ExpandedPath {
        ExpandedPath { path: Some(self.path.to_owned()), is_sure }
    }
}

/// The parent directory of a path.
fn parent_directory(base: ExpandedPath) -> ExpandedPath {
    let path = base.path.filter(|path| !path.is_empty()).map(|path| parent(&path).to_owned());
    ExpandedPath { path, is_sure: base.is_sure }
}

/// A single word without quotes around it; `None` if there are several.
fn single_word(word: &str) -> Option<&str> {
    let word = word.trim();
    match word.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"').or(Some(rest)),
        None => (!word.contains(' ') || word.starts_with("$(")).then_some(word),
    }
}

/// The content of the bracket at the beginning of a text, and the text after it.
fn bracketed(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some((&text[1..at], &text[at + 1..]));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::ScriptVariables;

    #[test]
    fn expands_idioms() {
        let mut variables = ScriptVariables::new("a/b/c.sh");
        variables.assign("DIR", "\"$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" >/dev/null 2>&1 && pwd)\"");
        variables.assign("UP", "$DIR/..");
        variables.assign("TWICE", "a");
        variables.assign("TWICE", "b");
        variables.assign("LOOP", "$LOOP/x");
        let check = |word: &str, expect: Option<(&str, bool)>| {
            let expanded = variables.expand(word);
            let got = expanded.as_ref().map(|expanded| (expanded.path.as_deref().unwrap_or("out"), expanded.is_sure));
            assert_eq!(got, expect, "{word}");
        };
        check("$(dirname \"$0\")/x.sh", Some(("a/b/x.sh", false)));
        check("\"$(dirname \"$0\")\"/x.sh", Some(("a/b/x.sh", false)));
        check("\"$(dirname \"${BASH_SOURCE[0]}\")/../x.sh\"", Some(("a/x.sh", true)));
        check("${BASH_SOURCE%/*}/x.sh", Some(("a/b/x.sh", true)));
        check("\"${0%/*}/x.sh\"", Some(("a/b/x.sh", false)));
        check("\"$DIR/x.sh\"", Some(("a/b/x.sh", true)));
        check("${UP}/x.sh", Some(("a/x.sh", true)));
        check("$(dirname \"$(readlink -f \"$0\")\")/x", Some(("a/b/x", false)));
        check("$(dirname -- \"$0\")/../../../x", Some(("out", false)));
        check("$(git rev-parse --show-toplevel)/x", Some(("x", true)));
        check("${0:A:h}/x.zsh", Some(("a/b/x.zsh", true)));
        for word in [
            "$TWICE/x",
            "$LOOP/x",
            "$NONE/x",
            "x",
            "$DIR/$x",
            "$DIRx",
            "$(pwd)/x",
            "${DIR:-x}/y",
            "$(",
            "${",
            "$DIR*/x",
        ] {
            check(word, None);
        }
    }
}
