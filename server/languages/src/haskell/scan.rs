//! Finds the imports of a Haskell file.
//!
//! Not `tree-sitter-haskell`: its tables have several megabytes, and an import is one line at the margin.

use std::ops::Range;

/// One import.
pub(super) struct HaskellImport {
    /// The range of the module's name.
    pub(super) range: Range<usize>,
    /// True under `#if`.
    pub(super) is_optional: bool,
}

/// The imports of a file: lines outside of comments that begin with `import`.
pub(super) fn find_imports(text: &str) -> Vec<HaskellImport> {
    let mut found = Vec::new();
    let mut offset = 0;
    let mut comments = 0_usize;
    let mut conditions = 0_usize;
    for line in text.split_inclusive('\n') {
        let at = offset;
        offset += line.len();
        let is_code = comments == 0;
        // A line comment opens no block comment.
        if !(is_code && line.trim_start().starts_with("-- ")) {
            comments = (comments + line.matches("{-").count()).saturating_sub(line.matches("-}").count());
        }
        if !is_code {
            continue;
        }
        if line.starts_with("#if") {
            conditions += 1;
        } else if line.starts_with("#endif") {
            conditions = conditions.saturating_sub(1);
        }
        let Some(rest) = line.strip_prefix("import").filter(|rest| rest.starts_with([' ', '\t'])) else { continue };
        let mut from = at + "import".len();
        for word in rest.split([' ', '\t']) {
            let is_before = word.is_empty() || matches!(word, "qualified" | "safe" | "{-#" | "SOURCE" | "#-}");
            if !is_before {
                let name = word
                    .split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '\'')))
                    .next()
                    .unwrap_or_default();
                let is_name = name.starts_with(|first: char| first.is_ascii_uppercase());
                // An import with a quoted package name is third-party.
                if is_name {
                    found.push(HaskellImport { range: from..from + name.len(), is_optional: conditions > 0 });
                }
                break;
            }
            from += word.len() + 1;
        }
    }
    found
}
