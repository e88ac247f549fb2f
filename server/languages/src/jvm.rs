//! Java, Kotlin, Scala and Groovy: checks imports of types in packages that the repository declares.
//!
//! A type is searched by its path first (`a.b.C` is `a/b/C.java` below some directory). `JvmPackages` is read only if
//! that fails: a file can declare more types than its name says, and another package than its directory.

pub(crate) mod full_names;
mod generated;
mod kinds;
mod left_files;
mod members;
pub(crate) mod near_names;
mod packages;
mod removed_packages;
mod resolve;
mod scan;
#[cfg(test)]
mod tests;
mod versions;

use std::ops::Range;

use pathfinder_literals::path::extension;
use pathfinder_literals::{Checked, Language, LiteralKind, PackageDeclaration, Project, Report, Source};

/// Extensions of files that declare types for each other.
const SOURCE_EXTENSIONS: [&str; 4] = ["java", "kt", "scala", "groovy"];

/// The [`Language`] of Java, Kotlin, Scala and Groovy sources.
pub(crate) struct Jvm;

impl Language for Jvm {
    fn name(&self) -> &'static str {
        "java"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        import_kind(path).is_some()
    }

    fn is_known_name(&self, kind: LiteralKind, text: &str) -> bool {
        const LIBRARIES: [&str; 3] = ["java.", "javax.", "kotlin."];
        kinds::ALL.contains(&kind) && LIBRARIES.iter().any(|library| text.starts_with(library))
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let Some(kind) = import_kind(source.path()) else { return };
        let mut report = Report::new(source, project, found);
        let header = scan::FileHeader::parse(source.text(), &extension(source.path()));
        for import in &header.imports {
            let outcome = resolve::resolve(&report, &header, import);
            report.add(kind, import.range.start, import.range.len(), outcome);
        }
    }

    fn continued_literal(&self, source: &Source<'_>, kind: LiteralKind, range: &Range<usize>) -> Option<Range<usize>> {
        (kind == kinds::SCALA_IMPORT).then(|| scan::package_of_selector(source.text(), range)).flatten()
    }

    fn package_declaration(&self, source: &Source<'_>) -> Option<PackageDeclaration> {
        let header = scan::FileHeader::parse(source.text(), &extension(source.path()));
        (!header.package.is_empty()).then_some(PackageDeclaration { names: header.package_names, separator: '.' })
    }
}

/// The literal kind of the imports of a file.
fn import_kind(path: &str) -> Option<LiteralKind> {
    Some(match extension(path).as_str() {
        "java" => kinds::JAVA_IMPORT,
        "kt" | "kts" => kinds::KOTLIN_IMPORT,
        "scala" | "sc" => kinds::SCALA_IMPORT,
        "groovy" => kinds::GROOVY_IMPORT,
        _ => return None,
    })
}
