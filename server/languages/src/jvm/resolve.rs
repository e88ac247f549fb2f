//! Resolves one import to the file that declares the type.

use super::left_files::LeftFiles;
use super::near_names::near_name;
use super::packages::{JvmPackages, split_import};
use super::removed_packages::LeftNamesakes;
use super::scan::{FileHeader, JvmImport};
use super::{SOURCE_EXTENSIONS, generated, members, removed_packages, versions};
use crate::file_moves::FileMoves;
use pathfinder_literals::path::{extension, is_within, join, parent};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{Lookup, Project, Reason, Report, Resolution, Severity, Target, Verdict, Want};

/// The number of source roots that are tried for a type, after the file's own. Further roots belong to unrelated
/// modules.
const MAX_SOURCE_ROOTS: usize = 8;

/// The verdict on an import of a file with this header.
pub(super) fn resolve(report: &Report<'_>, header: &FileHeader, import: &JvmImport) -> Resolution {
    let project = report.project;
    let path = import.name.replace('.', "/");
    if import.is_wildcard && split_import(&import.name).is_none() {
        return resolve_wildcard(report, &import.name, &path);
    }
    let Some((package, name)) = split_import(&import.name) else {
        // `import a.b` of Scala names a package.
        let removed = || removed_packages::resolve_all(report, &path);
        let is_package = matches!(extension(report.source.path()).as_str(), "sc" | "scala");
        let moved = if is_package && project.find_by_suffix(&path).is_none() { removed() } else { None };
        return moved.unwrap_or_else(|| members::resolve(report, header, import));
    };
    let directory = package.replace('.', "/");
    let mut end = [&directory, "/", name, "."].concat();
    let stem = end.len();
    for ending in SOURCE_EXTENSIONS {
        end.truncate(stem);
        end.push_str(ending);
        let all = project.find_all_by_suffix(&end, MAX_SOURCE_ROOTS);
        // Programs of one repository can have types of the same name: the nearest one is meant.
        let nearest = all.iter().rev().max_by_key(|path| common_segments(path, report.source.path()));
        if let Some(found) = nearest.filter(|path| !is_of_longer_package(report, package, path)) {
            let own = moved_from_here(report, &end, &all, found);
            return own
                .unwrap_or_else(|| (Verdict::Found(Target { path: (*found).to_owned() }), vec![(*found).to_owned()]));
        }
    }
    if !is_near_package(report, header, package) {
        let removed = removed_packages::resolve(report, &directory, name);
        let left = || resolve_left(report, &directory, name);
        return removed.or_else(left).unwrap_or_else(|| unknown(Reason::Elsewhere));
    }
    let packages = project.index::<JvmPackages>();
    if let Some(index) = packages.declaring_file(project.tree(), package, name) {
        let Some(found) = project.tree().files().get(index as usize) else { return unknown(Reason::Elsewhere) };
        return (Verdict::Found(Target { path: found.clone() }), vec![found.clone()]);
    }
    let outcome = resolve_undeclared(report, header, packages, package, name);
    match outcome.0 {
        Verdict::Unknown(Reason::Produced(_) | Reason::Elsewhere) => mistyped(report, package, name).unwrap_or(outcome),
        _ => outcome,
    }
}

/// The verdict on a name that a build could make, if the only one of its package that is like it is used in the file: Kotlin's files have
/// names of their own.
fn mistyped(report: &Report<'_>, package: &str, name: &str) -> Option<Resolution> {
    let project = report.project;
    let packages = project.index::<JvmPackages>();
    // `Kit$` is the class of the object `Kit` of Scala.
    let known = packages.get(package).filter(|_| packages.is_first_party(package) && !name.contains('$'))?;
    let wanted = format!("{}/{name}.{}", known.directories.first()?, extension(report.source.path()));
    near_name(project, report.source.text(), &wanted)?;
    let severity = severity_in(report.source.path(), Severity::Error);
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, [Some(wanted)]);
    matches!(verdict, Verdict::Missing(_)).then_some((verdict, tried))
}

/// The verdict on a type that a file declares which recent commits moved out of a package directory.
fn resolve_left(report: &Report<'_>, directory: &str, name: &str) -> Option<Resolution> {
    let from = report.project.index::<LeftFiles>().find(report.project, directory, name)?;
    Some(
        Lookup::new(report.project, Want::File)
            .verdict(severity_in(report.source.path(), Severity::Error), [Some(from)]),
    )
}

/// Returns whether a package is related to a directory or to the file's package; any other is third-party.
pub(super) fn is_near_package(report: &Report<'_>, header: &FileHeader, package: &str) -> bool {
    let project = report.project;
    let shares = |above: &str| {
        header.package.strip_prefix(above).is_some_and(|below| below.is_empty() || below.starts_with('.'))
    };
    project.find_by_suffix(&package.replace('.', "/")).is_some()
        || parents(package).any(|above| {
            shares(above) || above.contains('.') && project.find_by_suffix(&above.replace('.', "/")).is_some()
        })
}

/// The verdict on a type that a recent commit moved out of this file's module, though another module has one of the same name: a module has
/// no type of its own that one of its dependencies has as well. `None` if there is none, or a file that has the name is from the time of the
/// move: the type went there.
fn moved_from_here(report: &Report<'_>, end: &str, all: &[&str], nearest: &str) -> Option<Resolution> {
    let path = report.source.path();
    let is_nearer = |from: &&String| common_segments(from, path) > common_segments(nearest, path);
    let moves = report.project.index::<FileMoves>();
    let from = moves.ending_with(end).filter(is_nearer).max_by_key(|from| common_segments(from, path))?;
    let severity = severity_in(path, Severity::Error);
    let are_older = || {
        let to = report.project.tree().moved(from)?.to;
        let is_older = |file: &&str| *file != to && report.project.tree().had_text_at_origin(file, from, "").is_some();
        Some(all.iter().all(is_older))
    };
    let is_left = report.project.index::<LeftNamesakes>().get(from, || are_older() == Some(true));
    is_left.then(|| Lookup::new(report.project, Want::File).verdict(severity, [Some(from.clone())]))
}

/// The verdict on `a.b.*`, which is missing only if git moved the directory of that package: it names no type.
fn resolve_wildcard(report: &Report<'_>, name: &str, path: &str) -> Resolution {
    let is_other = |found: &&str| {
        let names = report.project.tree().names(found);
        let file = names.iter().find(|file| SOURCE_EXTENSIONS.contains(&extension(file).as_str()));
        file.and_then(|file| join(found, file)).is_some_and(|file| is_of_longer_package(report, name, &file))
    };
    if let Some(found) = report.project.find_by_suffix(path).filter(|found| !is_other(found)) {
        return (Verdict::Found(Target { path: found.to_owned() }), vec![found.to_owned()]);
    }
    if let Some(outcome) = removed_packages::resolve_all(report, path) {
        return outcome;
    }
    let is_dynamic = name.contains('$');
    unknown(if is_dynamic { Reason::Dynamic } else { Reason::Elsewhere })
}

/// The verdict on a type that no file declares: missing if its package is first-party and no generator is known.
fn resolve_undeclared(
    report: &Report<'_>,
    header: &FileHeader,
    packages: &JvmPackages,
    package: &str,
    name: &str,
) -> Resolution {
    let source = report.source;
    let severity = severity_in(source.path(), Severity::Error);
    let candidates = candidates(report, header, packages, package, name);
    let is_first_party = match packages.get(package) {
        Some(_) => packages.is_first_party(package) || packages.has_all_below(package, package),
        None => packages.is_moved(package),
    };
    // Most of these types are third-party, and a search for other spellings on disk would be wasted.
    let has_moved = || candidates.iter().flatten().any(|path| report.project.tree().moved(path).is_some());
    // Written by hand, as many types of such names are, if git moved its file.
    let is_in_schema = packages.schemas.name_type(name);
    if (is_in_schema || generated::is_generated_name(name)) && !has_moved() {
        let may_be_written = is_first_party && !is_in_schema && generated::is_common_name(name);
        let tried = if may_be_written { candidates.into_iter().flatten().collect() } else { Vec::new() };
        return (Verdict::Unknown(Reason::Produced("a generator".to_owned())), tried);
    }
    if !is_first_party && !has_moved() {
        let directory = package.replace('.', "/");
        let removed = removed_packages::resolve(report, &directory, name);
        if let Some(outcome) = removed.or_else(|| resolve_left(report, &directory, name)) {
            return outcome;
        }
        // A typo in a name of the package is one of these paths.
        let paths = candidates.into_iter().flatten().collect();
        return (Verdict::Unknown(Reason::Elsewhere), paths);
    }
    let (verdict, tried) = Lookup::new(report.project, Want::File).verdict(severity, candidates);
    let moved_to = if let Verdict::Missing(missing) = &verdict { missing.instead.as_deref() } else { None };
    if let Some(template) = moved_to.filter(|to| is_template(report.project, to)) {
        return unknown(Reason::Produced(template.to_owned()));
    }
    let wanted = if let Verdict::Missing(missing) = &verdict { Some(missing.wanted.as_str()) } else { None };
    let module = moved_to.or(wanted);
    // Undecided, for a recorded move of the path refutes other reasons.
    if let Some(build) = module.and_then(|to| versions::build_with_other_version(report.project, source.path(), to)) {
        return (Verdict::Unknown(Reason::Undecided(build)), tried);
    }
    let is_plain = matches!(&verdict, Verdict::Missing(missing) if missing.instead.is_none());
    let build =
        tried.first().filter(|_| is_plain).and_then(|path| generated::generating_build(report.project.tree(), path));
    (build.map_or(verdict, |build| Verdict::Unknown(Reason::Produced(build))), tried)
}

/// Returns whether a file that ends as the type of a package with a single name does declares a package of more names: `q.Type` is not
/// `p.q.Type`.
fn is_of_longer_package(report: &Report<'_>, package: &str, file: &str) -> bool {
    let declared = || {
        let text = report.project.tree().read_shared(file)?;
        Some(FileHeader::parse(&text, &extension(file)).package)
    };
    let is_longer = |own: String| own.strip_suffix(package).is_some_and(|above| above.ends_with('.'));
    // In Scala a package is named from those around the file.
    let is_relative = matches!(extension(report.source.path()).as_str(), "sc" | "scala");
    !package.contains('.') && !is_relative && declared().is_some_and(is_longer)
}

/// Returns whether a build fills in the package of this file, and so writes the type to where it was: `package ${package};`.
fn is_template(project: &Project, file: &str) -> bool {
    let text = project.tree().read_shared(file).unwrap_or_default();
    let package = text.lines().find_map(|line| line.trim_start().strip_prefix("package ")?.split(';').next());
    package.is_some_and(|package| package.contains(['$', '{', '@', '%', '#']))
}

/// The paths at which the type's file would be, first in the importing file's own root.
fn candidates(
    report: &Report<'_>,
    header: &FileHeader,
    packages: &JvmPackages,
    package: &str,
    name: &str,
) -> Vec<Option<String>> {
    let source = report.source;
    let directory = package.replace('.', "/");
    let ending = match extension(source.path()).as_str() {
        "kts" => "kt".to_owned(),
        "sc" => "scala".to_owned(),
        ending => ending.to_owned(),
    };
    let own = header.package.replace('.', "/");
    let root = source.directory().strip_suffix(own.as_str()).unwrap_or_else(|| parent(source.path()));
    let mut candidates = vec![join(root, &format!("{directory}/{name}.{ending}"))];
    if let Some(package) = packages.get(package) {
        candidates.extend(
            package.directories.iter().take(MAX_SOURCE_ROOTS).map(|here| join(here, &format!("{name}.{ending}"))),
        );
        // The root that has the package comes first.
        let is_there =
            package.directories.iter().any(|here| candidates[0].as_deref().is_some_and(|path| parent(path) == here));
        if !is_there {
            candidates.remove(0);
        }
    }
    // A package that is nowhere would be in the directory of its nearest parent, which another root can have.
    if packages.get(package).is_none()
        && let Some((above, known)) = parents(package).find_map(|above| Some((above, packages.get(above)?)))
    {
        let own = candidates.first().and_then(Option::as_deref).unwrap_or_default();
        let has_own_root = known.directories.iter().any(|here| is_within(own, here));
        if let Some(here) = known.directories.first().filter(|_| !has_own_root) {
            candidates.insert(0, join(here, &format!("{}/{name}.{ending}", &directory[above.len() + 1..])));
        }
    }
    candidates.extend(former_paths(report.project, &directory, name).into_iter().map(Some));
    // A package can have files of several languages of the JVM.
    let tree = report.project.tree();
    for here in packages.get(package).into_iter().flat_map(|package| package.directories.iter().take(MAX_SOURCE_ROOTS))
    {
        let names = tree.names(here);
        let others = ["groovy", "java", "kt", "scala"].into_iter().filter(|other| *other != ending);
        let has = |other: &&str| names.iter().any(|name| extension(name) == *other);
        candidates.extend(others.filter(has).map(|other| join(here, &format!("{name}.{other}"))));
    }
    candidates
}

/// The former paths of files of this name that git history moved out of the package, whatever source root it was in.
fn former_paths(project: &Project, directory: &str, name: &str) -> Vec<String> {
    let ends = SOURCE_EXTENSIONS.map(|ending| format!("{directory}/{name}.{ending}"));
    let is_former = |path: &String| ends.iter().any(|end| path.strip_suffix(end.as_str()).is_some_and(is_root));
    let files = SOURCE_EXTENSIONS
        .iter()
        .flat_map(|ending| project.find_all_by_suffix(&format!("{name}.{ending}"), MAX_SOURCE_ROOTS));
    files.flat_map(|file| project.tree().origins(file)).filter(is_former).collect()
}

/// Returns whether a text before a package's directory ends with a whole segment.
fn is_root(before: &str) -> bool {
    before.is_empty() || before.ends_with('/')
}

/// The number of segments that two paths have in common at their start.
fn common_segments(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

/// The parents of a package, the nearest first.
fn parents(package: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(package.rsplit_once('.').map(|(above, _)| above), |at| {
        at.rsplit_once('.').map(|(above, _)| above)
    })
}
