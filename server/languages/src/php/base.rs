//! Evaluates directory expressions without literals: `__DIR__`, and `dirname` of that or of `__FILE__`.

use pathfinder_literals::Source;
use pathfinder_literals::path::parent;

/// The deepest nesting of calls, and the most levels of one. Real code has at most five.
const MAX_DEPTH: usize = 8;

/// Evaluates an expression to a directory; `None` if it is another expression or leaves the root.
pub(super) fn evaluate_directory(source: &Source<'_>, written: &str) -> Option<String> {
    evaluate(source, written.trim(), 0)
}

/// Evaluates an expression to a path.
fn evaluate(source: &Source<'_>, written: &str, depth: usize) -> Option<String> {
    match written {
        "__DIR__" => return Some(source.directory().to_owned()),
        "__FILE__" => return Some(source.path().to_owned()),
        _ if depth > MAX_DEPTH => return None,
        _ => {}
    }
    let call = written.trim_start_matches('\\');
    let inner = call.strip_prefix("dirname")?.trim_start().strip_prefix('(')?.strip_suffix(')')?.trim();
    // `dirname(x, 2)`
    let (inner, levels) = match inner.rsplit_once(',') {
        Some((inner, levels)) => (inner.trim(), levels.trim().parse::<usize>().ok()?),
        None => (inner, 1),
    };
    let mut path = evaluate(source, inner, depth + 1)?;
    for _ in 0..levels.min(MAX_DEPTH) {
        path = (!path.is_empty()).then(|| parent(&path).to_owned())?;
    }
    Some(path)
}
