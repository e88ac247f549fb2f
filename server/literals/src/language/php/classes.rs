//! `use A\B;`: where a class is by the mappings of Composer (PSR-4).
//!
//! A class that is not where its name says can still be there: in a file of another name that is loaded as a whole, by
//! another name, or in a package that has the same name space. It is missing only where all of these are ruled out.

use super::composer::{Composer, Prefix};
use super::declared::Declared;
use super::uses::{self, Use};
use crate::checked::{Code, Missing, Reason, Severity, Target, Verdict};
use crate::lookup::{Lookup, Want};
use crate::path::{extension, head, join, name, parent};
use crate::project::{Project, within};
use crate::report::{Report, Resolution, severity_in, unknown};
use crate::tree::Kind;

/// Adds what a file takes in, as far as it can be the project's own.
pub(super) fn check(report: &mut Report<'_>) {
    // What is not called `.php` is a test's text or a template as often as a file that is loaded.
    if extension(report.source.path()) != "php" || !report.source.text().contains("use ") {
        return;
    }
    let composer = report.project.index::<Composer>();
    for one in uses::of(report.source.text()) {
        if composer.of(&one.name, report.source.path()).next().is_none() {
            continue;
        }
        let outcome = outcome(report, composer, &one);
        report.add("php.use", one.range.start, one.range.len(), outcome);
    }
}

/// The verdict on a class of a name space that the project maps.
fn outcome(report: &Report<'_>, composer: &Composer, one: &Use) -> Resolution {
    let project = report.project;
    let tree = project.tree();
    let path = report.source.path();
    let mapped = || composer.of(&one.name, path);
    let places: Vec<String> = mapped()
        .filter_map(|prefix| join(&prefix.directory, &one.name[prefix.space.len()..].replace('\\', "/")))
        .collect();
    let files: Vec<String> = places.iter().map(|place| format!("{place}.php")).collect();
    if let Some(found) = files.iter().find(|file| tree.kind(file) == Some(Kind::File)) {
        return (Verdict::Found(Target { path: found.clone() }), vec![found.clone()]);
    }
    // A name space, of which `B\C` takes something.
    if let Some(found) = places.iter().find(|place| tree.kind(place) == Some(Kind::Directory)) {
        return (Verdict::Found(Target { path: found.clone() }), vec![found.clone()]);
    }
    if is_asked(report.source.text(), &one.alias) {
        return unknown(Reason::Optional);
    }
    let last = one.name.rsplit('\\').next().unwrap_or_default();
    let declared = project.index::<Declared>();
    if declared.is_alias(last) {
        return unknown(Reason::Undecided("class_alias".to_owned()));
    }
    // A name that is taken in and not used does no harm.
    let text = report.source.text();
    let is_used = text.matches(one.alias.as_str()).nth(1);
    let severity = severity_in(path, if is_used.is_some() { Severity::Error } else { Severity::Warning });
    let by = declared.files(project, &one.name);
    if let Some(file) = by.first() {
        let is_misplaced = |file: &&str| {
            name(file) == format!("{last}.php")
                && !composer.loads(file)
                && !declared.includes(name(file))
                && mapped().any(|prefix| within(file, &prefix.directory))
        };
        return if by.iter().all(is_misplaced) {
            misplaced(project, files, file, severity)
        } else {
            (Verdict::Found(Target { path: (*file).to_owned() }), vec![(*file).to_owned()])
        };
    }
    let is_known = files.iter().any(|file| tree.moved(file).is_some())
        || mapped().any(|prefix| is_ours(project, composer, prefix, &one.name));
    if !is_known {
        return unknown(Reason::Elsewhere);
    }
    // The directory that is there is what was meant in the first place.
    let (mut first, rest): (Vec<String>, Vec<String>) =
        files.into_iter().partition(|file| is_own(project, parent(file)));
    first.extend(rest);
    Lookup::new(project, Want::File).verdict(severity, first.into_iter().map(Some))
}

/// Whether a class that is not there can only have been the project's own: there are sources in the directory of its name
/// space; or, where that is gone, all that is used of it is now in another.
fn is_ours(project: &Project, composer: &Composer, prefix: &Prefix, class: &str) -> bool {
    let rest = &class[prefix.space.len()..];
    let (declared, needs) = (project.index::<Declared>(), composer.needs(class));
    let last = rest.rsplit('\\').next().unwrap_or_default();
    let mut at = prefix.directory.clone();
    for (end, _) in rest.match_indices('\\') {
        let Some(below) = join(&prefix.directory, &rest[..end].replace('\\', "/")) else { return false };
        if project.tree().kind(&below).is_none() {
            let space = &class[..=prefix.space.len() + end];
            return !needs && declared.has_all_below(&prefix.space, space);
        }
        at = below;
    }
    // The packages of one vendor share what is not below a name of their own.
    let is_shared = needs && !rest.contains('\\');
    is_own(project, &at) && (!is_shared || declared.has_below(&prefix.space, last))
}

/// The class is in a file that was moved without its name space: Composer does not load it.
fn misplaced(project: &Project, files: Vec<String>, file: &str, severity: Severity) -> Resolution {
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, files.into_iter().map(Some));
    let verdict = match verdict {
        Verdict::Missing(missing) if missing.code == Code::MissingPath => {
            let reason = format!("{} does not exist, and {file} is not where its name space says", missing.wanted);
            Verdict::Missing(Missing { reason, severity: severity.max(Severity::Warning), ..missing })
        }
        verdict => verdict,
    };
    (verdict, tried)
}

/// Whether a directory has sources: the name space that it stands for is the project's own.
fn is_own(project: &Project, directory: &str) -> bool {
    project.tree().names(directory).iter().any(|name| extension(name) == "php")
}

/// Whether a file asks whether a class is there, or does something only once it is.
fn is_asked(text: &str, alias: &str) -> bool {
    const CALLS: [&str; 8] =
        ["_exists(", "willBeAvailable(", "fterResolving(", "bound(", "resolved(", "has(", "hasDefinition(", "is_a("];
    /// A call's arguments are shorter.
    const LONGEST: usize = 120;
    let calls = CALLS.into_iter().flat_map(|call| text.match_indices(call).map(move |(at, _)| at + call.len()));
    let mut arguments = calls.map(|at| head(&text[at..], LONGEST).split(')').next().unwrap_or_default());
    let class = format!("{alias}::class");
    arguments.any(|arguments| arguments.contains(&class) || arguments.contains(&format!("\\{alias}")))
}
