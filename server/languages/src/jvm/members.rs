//! Resolves imports of functions and values of Kotlin that are in no type. No name of a file says what it declares, so that such an import is
//! missing only if a file that declares the name left its package, or the package has a name that differs by a typo.

use pathfinder_literals::path::{extension, is_within, name, parent};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{Lookup, Project, ProjectIndex, Reason, Report, Resolution, Severity, Target, Verdict, Want};
use rustc_hash::FxHashMap;

use super::near_names::near_name;
use super::packages::JvmPackages;
use super::resolve::is_near_package;
use super::scan::{FileHeader, JvmImport};

/// The verdict on an import that names no type.
pub(super) fn resolve(report: &Report<'_>, header: &FileHeader, import: &JvmImport) -> Resolution {
    let is_kotlin = matches!(extension(report.source.path()).as_str(), "kt" | "kts");
    let Some((package, member)) = import.name.rsplit_once('.').filter(|_| is_kotlin) else {
        return unknown(Reason::Elsewhere);
    };
    let (project, directory) = (report.project, package.replace('.', "/"));
    let severity = severity_in(report.source.path(), Severity::Error);
    let verdict = |path: String| Lookup::new(project, Want::File).verdict(severity, [Some(path)]);
    if !is_near_package(report, header, package) {
        return project
            .index::<LeftFiles>()
            .find(project, &directory, member)
            .map_or(unknown(Reason::Elsewhere), verdict);
    }
    let packages = project.index::<JvmPackages>();
    if let Some(index) = packages.declaring_file(project.tree(), package, member) {
        let Some(path) = project.tree().files().get(index as usize) else { return unknown(Reason::Elsewhere) };
        return (Verdict::Found(Target { path: path.clone() }), vec![path.clone()]);
    }
    if let Some(from) = project.index::<LeftFiles>().find(project, &directory, member) {
        return verdict(from);
    }
    let near = packages.get(package).filter(|_| packages.is_first_party(package)).and_then(|known| {
        let wanted = format!("{}/{member}.kt", known.directories.first()?);
        near_name(project, report.source.text(), &wanted).map(|_| wanted)
    });
    near.map_or(unknown(Reason::Elsewhere), verdict)
}

/// Files of the JVM that recent commits moved, by the last name of the directory that they left.
struct LeftFiles(FxHashMap<String, Vec<LeftFile>>);

struct LeftFile {
    from: String,
    to: String,
    /// The package that the file declares now.
    package: String,
}

impl ProjectIndex for LeftFiles {
    fn build(project: &Project) -> Self {
        let mut left: FxHashMap<String, Vec<LeftFile>> = FxHashMap::default();
        for (from, moved) in project.tree().recent_moves() {
            let ending = extension(&moved.to);
            if !matches!(ending.as_str(), "kt" | "kts") || parent(&from) == parent(&moved.to) {
                continue;
            }
            let Some(text) = project.tree().read_shared(&moved.to) else { continue };
            let package = FileHeader::parse(&text, &ending).package;
            left.entry(name(parent(&from)).to_owned()).or_default().push(LeftFile { from, to: moved.to, package });
        }
        Self(left)
    }
}

impl LeftFiles {
    /// The earlier path of a file that left a package directory, below whatever root, and declares this name.
    fn find(&self, project: &Project, directory: &str, member: &str) -> Option<String> {
        let tree = project.tree();
        let is_of_package = |left: &&LeftFile| {
            let base = parent(&left.from).strip_suffix(directory);
            base.is_some_and(|base| base.is_empty() || base.ends_with('/')) && !is_within(&left.to, parent(&left.from))
        };
        let declares = |left: &&LeftFile| {
            let index = project.index::<JvmPackages>().declaring_file(tree, &left.package, member);
            index.and_then(|index| tree.files().get(index as usize)).is_some_and(|path| *path == left.to)
        };
        let all = self.0.get(name(directory)).into_iter().flatten();
        all.filter(is_of_package).find(declares).map(|left| left.from.clone())
    }
}
