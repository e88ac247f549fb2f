//! Replaces the root of an entry in settings that all projects share: the entry serves one project only.

use std::path::Path;

use jsonc_parser::cst::{CstNode, CstObject, CstRootNode, CstStringLit};

use super::super::json;
use super::NAME;
use pathfinder_vfs::paths;

/// The root that an entry serves instead of the one to install.
pub(super) enum OtherRoot {
    /// The arguments are as this program writes them, so that the root can be replaced.
    Written(String),
    /// The user has changed the arguments.
    Changed(String),
}

/// Returns the root that the entry serves, if there is one and it is not `root`.
pub(super) fn find_other(text: &str, key: &str, root: &str) -> Option<OtherRoot> {
    let (_, parsed) = json::parse(text).ok()?;
    let args = arguments(&entry(&parsed, key)?)?;
    let args: Vec<String> = args.iter().map(|arg| arg.decoded_value().unwrap_or_default()).collect();
    let value_at = |(at, arg): (usize, &String)| match arg.strip_prefix("--root") {
        Some("") => args.get(at + 1).cloned(),
        Some(value) => value.strip_prefix('=').map(str::to_owned),
        None => None,
    };
    let roots: Vec<String> = args.iter().enumerate().filter_map(value_at).collect();
    let is_same = |other: &String| other == root || paths::real(Path::new(other)).is_ok_and(|it| it == Path::new(root));
    if roots.iter().any(is_same) {
        return None;
    }
    let other = roots.into_iter().next()?;
    let is_written = matches!(&args[..], [mcp, option, _] if mcp == "mcp" && option == "--root");
    Some(if is_written { OtherRoot::Written(other) } else { OtherRoot::Changed(other) })
}

/// Returns the text with `root` in the arguments that this program wrote.
///
/// # Errors
/// A message, when the text is not such settings.
pub(super) fn replace(text: &str, key: &str, root: &str) -> Result<String, String> {
    let (bom, parsed) = json::parse(text)?;
    if let Some(value) = entry(&parsed, key).and_then(|entry| arguments(&entry)?.into_iter().nth(2)) {
        value.replace_with(root.into());
    }
    Ok(format!("{bom}{parsed}"))
}

fn entry(parsed: &CstRootNode, key: &str) -> Option<CstObject> {
    parsed.object_value()?.object_value(key)?.object_value(NAME)
}

fn arguments(entry: &CstObject) -> Option<Vec<CstStringLit>> {
    entry.array_value("args")?.elements().iter().map(CstNode::as_string_lit).collect()
}
