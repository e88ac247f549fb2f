//! `FullNames`: the types of the JVM that recent commits moved, by their full names, and the texts that name them so: `new a.b.C()` in code,
//! `class="a.b.C"` in settings.
//!
//! An import says that its name is a type. Anywhere else a full name is one by evidence only: a file had it until a commit moved that, and
//! nothing of the project has it since.

use std::ops::Range;

use memchr::memmem;
use pathfinder_literals::path::{extension, name, parent};
use pathfinder_literals::{Lookup, Project, ProjectIndex, Resolution, Severity, Source, Target, Tree, Verdict, Want};
use rustc_hash::FxHashMap;

use super::SOURCE_EXTENSIONS;
use super::scan::FileHeader;
use crate::path_words::tells_of_move;

/// Packages that are looked for in each text. A commit that moved types of more of them changed everything.
const MAX_PACKAGES: usize = 64;
/// Names of one file that are looked up. A file with more is a list that a program writes.
const MAX_NAMES: usize = 200;
/// Extensions of texts for people.
const PROSE: [&str; 9] = ["adoc", "asciidoc", "htm", "html", "markdown", "md", "mdx", "rst", "txt"];
/// Directories of sources, below which directories are packages.
const SOURCE_ROOTS: [&str; 5] = ["/java/", "/kotlin/", "/scala/", "/groovy/", "src/"];

/// Moved types by their full names.
#[derive(Default)]
pub(crate) struct FullNames {
    /// The earlier paths.
    earlier: FxHashMap<String, String>,
    /// The later paths.
    later: FxHashMap<String, String>,
    /// Their packages, each with a dot behind it, in order.
    packages: Vec<String>,
}

impl ProjectIndex for FullNames {
    fn build(project: &Project) -> Self {
        let mut names = Self::default();
        for (from, moved) in project.tree().recent_moves() {
            let Some(old) = full_name(&from).filter(|_| is_source(&moved.to)) else { continue };
            let declared = declared_name(project.tree(), &moved.to);
            for new in declared.into_iter().chain(full_name(&moved.to)).filter(|new| *new != old) {
                names.later.insert(new, moved.to.clone());
                names.earlier.insert(old.clone(), from.clone());
            }
        }
        let all = names.earlier.keys().chain(names.later.keys());
        names.packages = all.filter_map(|name| Some(format!("{}.", name.rsplit_once('.')?.0))).collect();
        names.packages.sort_unstable();
        names.packages.dedup();
        if names.packages.len() > MAX_PACKAGES { Self::default() } else { names }
    }
}

/// Finds the full names in a text that are those of moved types, with their verdicts. Text for people tells of old versions too.
pub(crate) fn find(source: &Source<'_>, project: &Project) -> Vec<(Range<usize>, Resolution)> {
    let names = project.index::<FullNames>();
    let text = source.text();
    if PROSE.contains(&extension(source.path()).as_str()) {
        return Vec::new();
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut found = Vec::new();
    for package in &names.packages {
        for at in memmem::find_iter(text.as_bytes(), package) {
            let is_inside = text[..at].ends_with(|c| is_part(c) || c == '.');
            let end = at + package.len();
            let end = end + text[end..].find(|c| !is_part(c)).unwrap_or(text.len() - end);
            if !is_inside && found.len() < MAX_NAMES {
                found.extend(names.resolve(source, project, at..end).map(|outcome| (at..end, outcome)));
            }
        }
    }
    found
}

impl FullNames {
    /// The verdict on a full name; `None` if no type of that name moved.
    fn resolve(&self, source: &Source<'_>, project: &Project, range: Range<usize>) -> Option<Resolution> {
        let tree = project.tree();
        let text = &source.text()[range.clone()];
        if let Some(path) = self.later.get(text) {
            return Some((Verdict::Found(Target { path: path.clone() }), Vec::new()));
        }
        let from = self.earlier.get(text)?;
        let path = text.replace('.', "/");
        let is_there = SOURCE_EXTENSIONS.iter().any(|end| project.find_by_suffix(&format!("{path}.{end}")).is_some());
        if is_there || tree.had_text_at_origin(source.path(), from, text) != Some(true) {
            return None;
        }
        let (verdict, tried) = Lookup::new(project, Want::File).verdict(Severity::Warning, [Some(from.clone())]);
        let is_moved = matches!(&verdict, Verdict::Missing(missing) if missing.instead.is_some());
        // A comment can tell of the old name.
        (is_moved && !tells_of_move(source.text(), range.start)).then_some((verdict, tried))
    }
}

/// The full name of the type that a source is called after, by its path; `None` if no directory of sources is above it.
fn full_name(path: &str) -> Option<String> {
    let ends = SOURCE_ROOTS.iter().filter_map(|root| path.rfind(root).map(|at| at + root.len()));
    let rest = &path[ends.max()?..];
    let stem = name(rest).split('.').next().filter(|stem| stem.starts_with(|c: char| c.is_ascii_uppercase()))?;
    let package = Some(parent(rest)).filter(|package| package.contains('/') && !package.contains('.'))?;
    is_source(path).then(|| format!("{}.{stem}", package.replace('/', ".")))
}

/// The full name of the type that a source is called after, by the package that it declares.
fn declared_name(tree: &dyn Tree, path: &str) -> Option<String> {
    let package = FileHeader::parse(&tree.read_shared(path)?, &extension(path)).package;
    let stem = name(path).split('.').next().unwrap_or_default();
    (!package.is_empty()).then(|| format!("{package}.{stem}"))
}

fn is_source(path: &str) -> bool {
    SOURCE_EXTENSIONS.contains(&extension(path).as_str())
}

#[cfg(test)]
mod tests {
    use super::full_name;
    use crate::testing::check;

    #[test]
    fn tells_full_names_by_paths() {
        let check = |path: &str, expect: &str| assert_eq!(full_name(path).as_deref().unwrap_or("-"), expect, "{path}");
        check("core/src/main/java/org/x/Action.java", "org.x.Action");
        check("src/org/x/Action.scala", "org.x.Action");
        check("core/src/main/java/Action.java", "-");
        check("core/src/main/java/org/x/package-info.java", "-");
        check("core/src/main/java/org/x/Action.txt", "-");
    }

    #[test]
    fn follows_full_names() {
        let tree = "src/main/java/org/x/action/Action.java = package org.x.action;\\n\nsrc/main/java/org/x/Other.java\n\
                    moved src/main/java/org/x/Action.java src/main/java/org/x/action/Action.java";
        check(tree, "a/B.java", "class B extends org.x.Action {}\n", "code.type org.x.Action → moved");
        check(tree, "a/b.xml", "<bean class=\"org.x.Action\"/>\n", "code.type org.x.Action → moved");
        check(
            tree,
            "a/B.java",
            "class B extends org.x.action.Action {}\n",
            "code.type org.x.action.Action → src/main/java/org/x/action/Action.java",
        );
        check(tree, "a/B.java", "/** Formerly org.x.Action was moved. */\nclass B {}\n", "");
        check(tree, "a/B.java", "class B extends my.org.x.Action { org.x.Other x; org.x.ActionList y; }\n", "");
        check(tree, "a/B.java", "import org.x.Action;\n", "java.import org.x.Action → moved");
        check(tree, "CHANGES.md", "Uses org.x.Action.\n", "");
    }
}
