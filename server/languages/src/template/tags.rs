//! Scans the tags of a template that name another template by a literal.

use std::ops::Range;

/// A tag with the name of a template.
pub(super) struct TemplateTag {
    /// The name without quotes.
    pub(super) range: Range<usize>,
    /// True for `ignore missing`.
    pub(super) is_optional: bool,
}

/// Returns the tags of a text, in order. Comments and raw blocks have none.
pub(super) fn scan(text: &str) -> Vec<TemplateTag> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('{').map(|found| at + found) {
        let rest = &text[start..];
        if rest.starts_with("{#") {
            at = text[start + 2..].find("#}").map_or(text.len(), |end| start + end + 4);
            continue;
        }
        if !rest.starts_with("{%") {
            at = start + 1;
            continue;
        }
        let Some(end) = rest[2..].find("%}").map(|end| start + 2 + end) else { break };
        let inside = start + 2..end;
        at = end + 2;
        let words = text[inside.clone()].trim_start_matches(['-', '+']).trim_start();
        let word = words.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        match word {
            "comment" | "verbatim" | "raw" => {
                let close = format!("end{word}");
                at = text[at..].find(&close).map_or(text.len(), |end| at + end + close.len());
            }
            "include" | "extends" | "import" | "from" => {
                let from = inside.end - words.len() + word.len();
                tags.extend(read_name(text, from..inside.end));
            }
            _ => {}
        }
    }
    tags
}

/// Reads the name behind the word of a tag, if it is one complete literal.
fn read_name(text: &str, range: Range<usize>) -> Option<TemplateTag> {
    let behind = &text[range.clone()];
    let trimmed = behind.trim_start();
    let quote = trimmed.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    // `{% include"x" %}` is no tag of any engine.
    if trimmed.len() == behind.len() {
        return None;
    }
    let start = range.end - trimmed.len() + 1;
    let name = &text[start..range.end];
    let name = &name[..name.find(quote)?];
    let rest = text[start + name.len() + 1..range.end].trim_start();
    let is_computed = rest.starts_with(['|', '~', '.', '%']) || rest.starts_with("+ ");
    let is_name = !name.is_empty() && !name.contains(['\n', ' ', '"', '\'']) && !is_computed;
    is_name.then(|| TemplateTag {
        range: start..start + name.len(),
        is_optional: rest.contains("ignore missing") || rest.starts_with("ignore"),
    })
}
