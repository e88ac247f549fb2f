//! Resolves imports of functions and values of Kotlin that are in no type. No name of a file says what it declares, so that such an import is
//! missing only if a file that declares the name left its package, or the package has a name that differs by a typo.

use pathfinder_literals::path::extension;
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{Lookup, Reason, Report, Resolution, Severity, Target, Verdict, Want};

use super::left_files::LeftFiles;
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
