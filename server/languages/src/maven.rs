//! Maven: checks the modules and the parent of a `pom.xml`.

mod kinds;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::{ancestors, extension, is_dynamic, join, name};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Checked, Kind, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Verdict, Want,
};
use pathfinder_syntax::xml::{first_text, for_each_text};

/// The [`Language`] of `pom.xml` files.
pub(crate) struct Maven;

impl Language for Maven {
    fn name(&self) -> &'static str {
        "maven"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        name(path) == "pom.xml"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        let mut report = Report::new(source, project, found);
        for_each_text(text, |open, range| {
            let kind = match open {
                ["project", "modules", "module"] => kinds::MODULE,
                ["project", "parent", "relativePath"] => kinds::PARENT,
                _ => return,
            };
            let outcome = resolve(&report, kind, &text[range.clone()]);
            let outcome = if kind == kinds::PARENT { reject_other_parent(project, text, outcome) } else { outcome };
            report.add(kind, range.start, range.len(), outcome);
        });
        if has_released_parent(text) {
            found.iter_mut().filter(|one| one.kind == kinds::PARENT).for_each(leave_to_repositories);
        }
    }
}

/// Returns whether the parent of a project is a released version, which Maven gets from a repository if its path is missing.
fn has_released_parent(text: &str) -> bool {
    let mut is_released = false;
    for_each_text(text, |open, range| {
        if matches!(open, ["project", "parent", "version"]) {
            let version = &text[range];
            is_released = !version.contains("SNAPSHOT") && !version.contains("${");
        }
    });
    is_released
}

/// Rejects a parent whose `artifactId` is not the named one: Maven warns and takes the parent from a repository.
fn reject_other_parent(project: &Project, text: &str, outcome: Resolution) -> Resolution {
    let Verdict::Found(target) = &outcome.0 else { return outcome };
    let named = first_text(text, &["project", "parent", "artifactId"]);
    let pom = project.tree().read_shared(&target.path);
    let own = pom.as_deref().and_then(|pom| first_text(pom, &["project", "artifactId"]));
    let is_other = named.zip(own).is_some_and(|(named, own)| named != own && !own.contains("${"));
    if is_other { (Verdict::Unknown(Reason::NotInstalled), outcome.1) } else { outcome }
}

/// Takes a miss back that a repository answers for, unless git says where the path is now.
fn leave_to_repositories(literal: &mut Checked) {
    if matches!(&literal.verdict, Verdict::Missing(missing) if missing.instead.is_none()) {
        literal.verdict = Verdict::Unknown(Reason::NotInstalled);
    }
}

/// Returns whether Maven is extended where a `pom.xml` is built: an extension can make the model of a directory from other files than
/// a `pom.xml`, as `tycho-pomless` and the polyglot ones do.
fn has_extensions(report: &Report<'_>) -> bool {
    let tree = report.project.tree();
    ancestors(report.source.directory())
        .any(|above| join(above, ".mvn/extensions.xml").is_some_and(|path| tree.kind(&path) == Some(Kind::File)))
}

/// The verdict on a directory with a `pom.xml`, or on such a file of another name.
fn resolve(report: &Report<'_>, kind: LiteralKind, written: &str) -> Resolution {
    if is_dynamic(written) || written.contains(['@', '&', '$']) {
        return unknown(Reason::Dynamic);
    }
    let source = report.source;
    // A build goes on without the path of its parent.
    let severity = if kind == kinds::PARENT { Severity::Warning } else { Severity::Error };
    // Tests run these builds.
    let is_sample = source.path().contains("/resources/")
        || source.path().contains("src/it/")
        || source.path().contains("/projects/");
    let severity = if is_sample { Severity::Hint } else { severity_in(source.path(), severity) };
    let Some(path) = join(source.directory(), &written.replace('\\', "/")) else { return unknown(Reason::Outside) };
    if report.project.tree().kind(&path) == Some(Kind::Directory) {
        let names = report.project.tree().names(&path);
        // `pom_template.xml`, `pom.xml.in`
        if !names.iter().any(|name| name == "pom.xml") && names.iter().any(|name| name.starts_with("pom")) {
            return unknown(Reason::Produced("a template".to_owned()));
        }
        if has_extensions(report) {
            return Lookup::new(report.project, Want::Directory).verdict(severity, [Some(path)]);
        }
        return Lookup::new(report.project, Want::File).verdict(severity, [join(&path, "pom.xml")]);
    }
    let file = if extension(&path) == "xml" { Some(path) } else { join(&path, "pom.xml") };
    Lookup::new(report.project, Want::File).verdict(severity, [file])
}
