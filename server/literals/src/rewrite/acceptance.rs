//! Tells whether a rewritten literal leads to its target.

use super::style::LiteralStyle;
use crate::checked::{Checked, Reason, Verdict};
use crate::typo::is_typo;

/// Returns whether the verdict on a rewritten literal is that it leads to the target.
pub(super) fn accepts(style: &LiteralStyle<'_>, now: &Checked, spelling: &str, target: &str) -> bool {
    match &now.verdict {
        Verdict::Found(found) => {
            leads_to(style, &found.path, target) || has_same_type(now, &found.path, spelling, target)
        }
        // The build decides the base directory, which is the same as for the mistyped name.
        Verdict::Unknown(Reason::Undecided(path)) => {
            path == target && (is_typo(style.written, spelling) || keeps_base(style, now, spelling, target))
        }
        _ => false,
    }
}

/// Returns whether an include of C leads to its target from the directory that its old target was found in.
fn keeps_base(style: &LiteralStyle<'_>, now: &Checked, spelling: &str, target: &str) -> bool {
    let is_below =
        || target.strip_suffix(spelling).and_then(|base| base.strip_suffix('/')) == Some(style.base.as_str());
    now.kind.language() == "c" && style.lead.is_empty() && style.common > 0 && is_below()
}

/// Returns whether an import of the JVM names the type of the found file and of the target: modules of one repository can each have it,
/// and the build says which one is meant.
fn has_same_type(now: &Checked, found: &str, spelling: &str, target: &str) -> bool {
    let end = || format!("/{}.", spelling.replace('.', "/"));
    matches!(now.kind.language(), "java" | "kotlin" | "scala" | "groovy")
        && [found, target].iter().all(|path| path.contains(&end()))
}

/// Returns whether the found path is the target, or its directory or index file.
pub(super) fn leads_to(style: &LiteralStyle<'_>, found: &str, target: &str) -> bool {
    found == target || style.without_index(found) == Some(target) || style.without_index(target) == Some(found)
}
