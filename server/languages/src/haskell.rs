//! Haskell: checks the modules that a `.cabal` file lists, and imports of those.
//!
//! Packages often share a namespace (`Text.Pandoc`), so only modules can be missing that the file's own package lists, or one of the
//! tree that it depends on.

mod cabal;
mod hpack;
mod kinds;
mod scan;
#[cfg(test)]
mod tests;

use self::cabal::CabalPackages;
use pathfinder_literals::path::{ancestors, extension, join};
use pathfinder_literals::report::{find_moved_target, severity_in, unknown};
use pathfinder_literals::{
    Checked, Kind, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Target,
    Verdict, Want,
};

/// Extensions of modules and of files that modules are generated from.
const MODULE_EXTENSIONS: [&str; 9] = ["hs", "lhs", "hsc", "x", "y", "chs", "hs-boot", "cpphs", "gc"];

/// The [`Language`] of Haskell sources and `.cabal` files.
pub(crate) struct Haskell;

impl Language for Haskell {
    fn name(&self) -> &'static str {
        "haskell"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "hs" | "cabal")
    }

    fn checks_one_literal(&self) -> bool {
        true
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        let mut report = Report::new(source, project, found);
        if extension(source.path()) == "cabal" {
            let package = cabal::CabalFile::parse(text);
            for range in package.modules.iter().filter(|range| source.wants(range)) {
                let outcome = resolve_module(&report, source.directory(), &package.roots, &text[range.clone()]);
                report.add(kinds::MODULE, range.start, range.len(), outcome);
            }
            return;
        }
        for import in scan::find_imports(text).into_iter().filter(|import| source.wants(&import.range)) {
            let outcome = resolve_import(&report, &text[import.range.clone()], import.is_optional);
            report.add(kinds::IMPORT, import.range.start, import.range.len(), outcome);
        }
    }
}

/// The verdict on a module of a package.
fn resolve_module(report: &Report<'_>, directory: &str, roots: &[String], name: &str) -> Resolution {
    // Cabal generates these.
    if name.starts_with("Paths_") || name.starts_with("PackageInfo_") {
        return unknown(Reason::Produced("Cabal".to_owned()));
    }
    let path = name.replace('.', "/");
    let severity = severity_in(report.source.path(), Severity::Error);
    // Most modules are in the first directory, so paths are made when they are tried.
    let pairs = roots.iter().flat_map(|root| MODULE_EXTENSIONS.map(|ending| (root, ending)));
    let files = pairs.map(|(root, ending)| join(directory, &format!("{root}/{path}.{ending}")));
    let (verdict, tried) = Lookup::new(report.project, Want::File).verdict(severity, files);
    if let Verdict::Missing(_) = verdict {
        // A package can preprocess files with an extension of its own (pandoc's `Data.hsb`).
        let mut stems = roots.iter().filter_map(|root| join(directory, &format!("{root}/{path}")));
        if let Some(from) = stems.find_map(|stem| report.project.find_with_extension(&stem)) {
            return (Verdict::Unknown(Reason::Produced(from)), tried);
        }
    }
    (verdict, tried)
}

/// The verdict on an import, which can be missing only if the file's own package lists it, or one that this depends on.
fn resolve_import(report: &Report<'_>, name: &str, is_optional: bool) -> Resolution {
    let packages = report.project.index::<CabalPackages>();
    let mut above = ancestors(report.source.directory());
    let own = above.find_map(|here| Some((here, packages.by_directory.get(here)?)));
    let Some((directory, package)) = own else {
        return unknown(Reason::Undecided("the package".to_owned()));
    };
    let dependencies = packages.dependencies(package);
    let by_own = package.names.contains(name).then_some((directory, package));
    let listed = by_own.or_else(|| dependencies.iter().find(|(_, package)| package.exposed.contains(name)).copied());
    let Some((at, package_of_module)) = listed else {
        // Most imports are third-party, so only their existence is checked, and whether git moved them.
        let path = name.replace('.', "/");
        let paths = std::iter::once((directory, package)).chain(dependencies).flat_map(|(directory, package)| {
            let files = |root| MODULE_EXTENSIONS.map(|ending| join(directory, &format!("{root}/{path}.{ending}")));
            package.roots.iter().flat_map(files).flatten().collect::<Vec<_>>()
        });
        let mut paths: Vec<String> = paths.collect();
        if let Some(found) = paths.iter().find(|path| report.project.tree().kind(path) == Some(Kind::File)) {
            return (Verdict::Found(Target { path: found.clone() }), vec![found.clone()]);
        }
        let severity = severity_in(report.source.path(), Severity::Error);
        let tree = report.project.tree();
        let moved = find_moved_target(report.project, Want::File, severity, &path, paths.iter().cloned().map(Some));
        // The package lists its directories, so that a module deeper below one of them has another name: `Parse.Text` is not `App.Parse.Text`.
        let is_deeper = |from: &&String| {
            let end = format!("{path}.{}", extension(from));
            tree.moved(from).is_some_and(|moved| {
                let is_below = from.strip_suffix(&end).is_some_and(|root| moved.to.starts_with(root));
                is_below && moved.to.ends_with(&format!("/{end}"))
            })
        };
        let moved = moved.or_else(|| {
            let from = paths.iter().find(is_deeper)?;
            Some(Lookup::new(report.project, Want::File).verdict(severity, [Some(from.clone())]))
        });
        // A module of a package that lists none can have a typo. The usual ending is compared first.
        paths.sort_by_key(|path| MODULE_EXTENSIONS.iter().position(|ending| extension(path) == *ending));
        return moved.filter(|_| !is_optional).unwrap_or((Verdict::Unknown(Reason::Elsewhere), paths));
    };
    let (verdict, tried) = resolve_module(report, at, &package_of_module.roots, name);
    match verdict {
        Verdict::Missing(_) if is_optional => (Verdict::Unknown(Reason::Optional), tried),
        verdict => (verdict, tried),
    }
}
