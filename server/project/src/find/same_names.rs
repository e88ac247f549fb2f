//! Adds the lines of further functions of one name to a hit: a file is listed once, with the line of one of them. Called by
//! `find`.

use pathfinder_core::symbols::{SymbolKind, SymbolRef};
use pathfinder_core::{Hit, Root};

/// Further lines that are named; the rest is counted. A reader opens the file after a few.
const NAMED_LINES_MAX: usize = 3;

/// Adds to each hit whose line declares a function the lines of other functions of that name in its file.
pub(super) fn add(roots: &[Root], hits: &mut [Hit]) {
    for hit in hits {
        let Some(line) = hit.line else { continue };
        let path = hit.path.text();
        let declared = roots[hit.root].symbols.in_file(&path);
        let is_shown = |symbol: &&SymbolRef<'_>| symbol.line == line && is_function(symbol) && names(&hit.why, symbol);
        let Some(shown) = declared.iter().find(is_shown) else { continue };
        let mut lines: Vec<u32> = declared
            .iter()
            .filter(|symbol| symbol.name == shown.name && symbol.line != line && is_function(symbol))
            .map(|symbol| symbol.line)
            .collect();
        lines.sort_unstable();
        lines.dedup();
        if let Some(text) = further(&lines) {
            hit.why.push_str(&text);
        }
    }
}

fn is_function(symbol: &SymbolRef<'_>) -> bool {
    matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
}

/// Returns whether a reason names this declaration.
fn names(why: &str, symbol: &SymbolRef<'_>) -> bool {
    let rest = why.strip_prefix(symbol.kind.name()).and_then(|rest| rest.trim_start().strip_prefix(symbol.name));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([',', ' ']))
}

/// Writes the lines, in order; `None` without any.
fn further(lines: &[u32]) -> Option<String> {
    let named: Vec<String> = lines.iter().take(NAMED_LINES_MAX).map(u32::to_string).collect();
    let more = lines.len().saturating_sub(named.len());
    match (named.len(), more) {
        (0, _) => None,
        (1, _) => Some(format!(", also line {}", named[0])),
        (_, 0) => Some(format!(", also lines {}", named.join(", "))),
        _ => Some(format!(", also lines {} and {more} more", named.join(", "))),
    }
}
