//! Finds the declared name that a literal has with a typo, where no path is like the one that the literal leads to: a type or a function in a
//! file of another name, a package in a directory of another name.

use pathfinder_literals::{Checked, Missing, Project};

use crate::near_name::NearName;
use crate::{js, jvm};

/// The only declared name that differs by a typo from the one that a missing literal has; `None` if names of its language are those of files.
pub fn find_near_name(project: &Project, text: &str, literal: &Checked, missing: &Missing) -> Option<NearName> {
    if missing.instead.is_some() {
        return None;
    }
    match literal.kind.language() {
        "groovy" | "java" | "kotlin" | "scala" => jvm::near_names::near_name(project, text, &missing.wanted),
        "js" | "ts" | "mdx" | "block" => js::near_package(project, text.get(literal.range.clone())?),
        _ => None,
    }
}
