//! The directory that an expression without literals stands for: `__DIR__`, and `dirname` of that or of `__FILE__`.

use crate::path::parent;
use crate::source::Source;

/// How deep calls may stand in calls: nobody writes more than five.
const DEEPEST: usize = 8;

/// The directory; `None` where it is none of these, or out of the root.
pub(super) fn directory(source: &Source<'_>, written: &str) -> Option<String> {
    place(source, written.trim(), 0)
}

fn place(source: &Source<'_>, written: &str, depth: usize) -> Option<String> {
    match written {
        "__DIR__" => return Some(source.directory().to_owned()),
        "__FILE__" => return Some(source.path().to_owned()),
        _ if depth > DEEPEST => return None,
        _ => {}
    }
    let call = written.trim_start_matches('\\');
    let inner = call.strip_prefix("dirname")?.trim_start().strip_prefix('(')?.strip_suffix(')')?.trim();
    // `dirname(x, 2)`
    let (inner, levels) = match inner.rsplit_once(',') {
        Some((inner, levels)) => (inner.trim(), levels.trim().parse::<usize>().ok()?),
        None => (inner, 1),
    };
    let mut path = place(source, inner, depth + 1)?;
    for _ in 0..levels.min(DEEPEST) {
        path = (!path.is_empty()).then(|| parent(&path).to_owned())?;
    }
    Some(path)
}
