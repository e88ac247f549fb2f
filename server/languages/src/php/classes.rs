//! Checks `use A\B;`: finds the file of a class by Composer's mappings (PSR-4).
//!
//! A class without the file of its name can still exist. It can be in a file that is loaded as a whole, have an alias,
//! or belong to a package that shares the namespace. It is missing only if all of these are ruled out.

use memchr::memmem;

use super::composer::{ComposerAutoload, NamespacePrefix};
use super::declared_classes::DeclaredClasses;
use super::uses::{self, ClassUse};
use crate::php::kinds;
use pathfinder_literals::path::{extension, head, is_within, join, name, parent};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Code, Kind, Lookup, Missing, Project, Reason, Report, Resolution, Severity, Target, Verdict, Want,
};

/// Checks the `use` statements that can name classes of the project.
pub(super) fn check(report: &mut Report<'_>) {
    // A file without the extension `.php` is as often test data or a template as code.
    if extension(report.source.path()) != "php" || !report.source.text().contains("use ") {
        return;
    }
    let composer = report.project.index::<ComposerAutoload>();
    for class_use in uses::parse_header(report.source.text()).uses {
        if composer.prefixes_for(&class_use.name, report.source.path()).next().is_none() {
            continue;
        }
        let outcome = resolve(report, composer, &class_use);
        report.add(kinds::USE, class_use.range.start, class_use.range.len(), outcome);
    }
}

/// The verdict on a class in a namespace that the project maps.
fn resolve(report: &Report<'_>, composer: &ComposerAutoload, class_use: &ClassUse) -> Resolution {
    let project = report.project;
    let tree = project.tree();
    let path = report.source.path();
    let mapped = || composer.prefixes_for(&class_use.name, path);
    let paths: Vec<String> = mapped()
        .filter_map(|prefix| join(&prefix.directory, &class_use.name[prefix.namespace.len()..].replace('\\', "/")))
        .collect();
    let files: Vec<String> = paths.iter().map(|path| format!("{path}.php")).collect();
    if let Some(found) = files.iter().find(|file| tree.kind(file) == Some(Kind::File)) {
        return (Verdict::Found(Target { path: found.clone() }), vec![found.clone()]);
    }
    // The name can be that of a namespace, used as `B\C`.
    let is_directory = |path: &&str| tree.kind(path) == Some(Kind::Directory);
    let mut directories = paths.iter().map(String::as_str).chain(composer.directory_of(&class_use.name, path));
    if let Some(found) = directories.find(is_directory) {
        return (Verdict::Found(Target { path: found.to_owned() }), vec![found.to_owned()]);
    }
    if is_existence_tested(report.source.text(), &class_use.alias) {
        return unknown(Reason::Optional);
    }
    let last = class_use.name.rsplit('\\').next().unwrap_or_default();
    let declared = project.index::<DeclaredClasses>();
    if declared.is_alias(last) {
        return unknown(Reason::Undecided("class_alias".to_owned()));
    }
    // An unused import causes no error.
    let text = report.source.text();
    let is_used = text.matches(class_use.alias.as_str()).nth(1);
    let severity = severity_in(path, if is_used.is_some() { Severity::Error } else { Severity::Warning });
    let by = declared.files_declaring(project, &class_use.name);
    if let Some(file) = by.first() {
        let is_misplaced = |file: &&str| {
            name(file) == format!("{last}.php")
                && !composer.is_loaded(file)
                && !declared.is_included(name(file))
                && mapped().any(|prefix| is_within(file, &prefix.directory))
                && !has_neighbours_in_namespace(project, file, &class_use.name)
        };
        return if by.iter().all(is_misplaced) {
            resolve_misplaced(project, files, file, severity)
        } else {
            (Verdict::Found(Target { path: (*file).to_owned() }), vec![(*file).to_owned()])
        };
    }
    // A package that was part of the project has its namespace still.
    let is_first_party = |prefix| is_first_party(project, composer, prefix, &class_use.name);
    let is_known = files.iter().any(|file| tree.moved(file).is_some())
        || !composer.is_of_required_package(&class_use.name) && mapped().any(is_first_party);
    if !is_known {
        // A typo in the class or its namespace is one of these files.
        return (Verdict::Unknown(Reason::Elsewhere), files);
    }
    // A path whose directory exists is the likelier target.
    let (mut first, rest): (Vec<String>, Vec<String>) =
        files.into_iter().partition(|file| has_sources(project, parent(file)));
    first.extend(rest);
    Lookup::new(project, Want::File).verdict(severity, first.into_iter().map(Some))
}

/// Returns whether a missing class can only be the project's own. The directory of its namespace contains sources, or is gone
/// and another namespace has all classes used of it.
fn is_first_party(project: &Project, composer: &ComposerAutoload, prefix: &NamespacePrefix, class: &str) -> bool {
    let rest = &class[prefix.namespace.len()..];
    let (declared, is_required) = (project.index::<DeclaredClasses>(), composer.has_required_vendor(class));
    let last = rest.rsplit('\\').next().unwrap_or_default();
    let mut at = prefix.directory.clone();
    for (end, _) in rest.match_indices('\\') {
        let Some(below) = join(&prefix.directory, &rest[..end].replace('\\', "/")) else { return false };
        if project.tree().kind(&below).is_none() {
            let namespace = &class[..=prefix.namespace.len() + end];
            return !is_required && declared.are_all_declared_below(&prefix.namespace, namespace);
        }
        at = below;
    }
    // Packages of one vendor share the vendor's namespace, but not the subnamespaces.
    let is_shared = is_required && !rest.contains('\\');
    has_sources(project, &at) && (!is_shared || declared.is_declared_below(&prefix.namespace, last))
}

/// Returns whether all other classes beside a file are in its namespace. Then something maps their directory, a container for
/// example: one file is out of place by a mistake, a whole directory is not.
fn has_neighbours_in_namespace(project: &Project, file: &str, class: &str) -> bool {
    /// Classes that are compared: each `use` compares them anew.
    const MAX_CLASSES: usize = 32;
    let namespace = class.rsplit_once('\\').map_or("", |(namespace, _)| namespace);
    let names = project.tree().names(parent(file));
    let others = names.iter().filter(|other| *other != name(file)).filter_map(|name| name.strip_suffix(".php"));
    let mut others = others.take(MAX_CLASSES).peekable();
    let is_in_namespace = |stem: &str| {
        let beside = join(parent(file), &format!("{stem}.php"));
        let files = project.index::<DeclaredClasses>().files_declaring(project, &format!("{namespace}\\{stem}"));
        beside.is_some_and(|beside| files.contains(&beside.as_str()))
    };
    others.peek().is_some() && others.all(is_in_namespace)
}

/// The verdict on a class whose file moved without its namespace: Composer does not load it.
fn resolve_misplaced(project: &Project, files: Vec<String>, file: &str, severity: Severity) -> Resolution {
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, files.into_iter().map(Some));
    let verdict = match verdict {
        Verdict::Missing(missing) if missing.code == Code::MissingPath => {
            let reason = format!("{} does not exist; {file} does not match its namespace", missing.wanted);
            Verdict::Missing(Missing { reason, severity: severity.max(Severity::Warning), ..missing })
        }
        verdict => verdict,
    };
    (verdict, tried)
}

/// Returns whether a directory contains sources, so that its namespace is the project's own.
fn has_sources(project: &Project, directory: &str) -> bool {
    project.tree().names(directory).iter().any(|name| extension(name) == "php")
}

/// Returns whether a file tests whether a class exists, or runs code only if it does.
fn is_existence_tested(text: &str, alias: &str) -> bool {
    const CALLS: [&str; 8] =
        ["_exists(", "willBeAvailable(", "fterResolving(", "bound(", "resolved(", "has(", "hasDefinition(", "is_a("];
    /// The arguments of such a call are shorter.
    const MAX_ARGUMENTS_BYTES: usize = 120;
    let calls =
        CALLS.into_iter().flat_map(|call| memmem::find_iter(text.as_bytes(), call).map(move |at| at + call.len()));
    let mut arguments = calls.map(|at| head(&text[at..], MAX_ARGUMENTS_BYTES).split(')').next().unwrap_or_default());
    let class = format!("{alias}::class");
    arguments.any(|arguments| arguments.contains(&class) || arguments.contains(&format!("\\{alias}")))
}
