//! Templates of Django, Jinja and Twig: checks the files of `include`, `extends`, `import` and `from`.
//!
//! A name is relative to any of the project's template directories, and packages bring further ones. A missing name is
//! therefore a finding only in a directory of templates that the project itself has.

mod kinds;
mod roots;
mod tags;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::{extension, join, parent};
use pathfinder_literals::report::unknown;
use pathfinder_literals::{
    Checked, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Target, Verdict,
    Want, is_fixture,
};

use roots::{TemplateRoots, is_root_name, root_of};

/// The [`Language`] of templates.
pub(crate) struct Template;

impl Language for Template {
    fn name(&self) -> &'static str {
        "template"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        /// Extensions of files that the engines fill in. Charts of Helm are YAML and have another syntax.
        const EXTENSIONS: [&str; 9] = ["html", "htm", "jinja", "jinja2", "j2", "twig", "txt", "js", "svg"];
        root_of(path).is_some() && EXTENSIONS.contains(&extension(path).as_str())
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        // A template for a project has variables in its directories, and its targets are those of that project.
        if source.path().contains("{{") {
            return;
        }
        let mut report = Report::new(source, project, found);
        for tag in tags::scan(source.text()) {
            let written = &source.text()[tag.range.clone()];
            let outcome = resolve(&report, written, tag.is_optional);
            report.add(kinds::INCLUDE, tag.range.start, tag.range.len(), outcome);
        }
    }
}

/// The verdict on the name of a template.
fn resolve(report: &Report<'_>, written: &str, is_optional: bool) -> Resolution {
    let (source, project) = (report.source, report.project);
    // Twig writes `@Bundle/x` and `::x`, themes of Sphinx `!x`.
    if written.starts_with(['@', '!', '/', ':', '#']) || written.contains(['{', '$', '\\', '<', '*', ':']) {
        return unknown(Reason::Elsewhere);
    }
    let severity = if is_plain_fixture(source.path()) { Severity::Hint } else { Severity::Warning };
    let lookup = || Lookup::new(project, Want::File);
    if written.starts_with("./") || written.starts_with("../") {
        return lookup().verdict(severity, [join(source.directory(), written)]);
    }
    let roots = project.index::<TemplateRoots>();
    let own = root_of(source.path()).unwrap_or_default();
    let directory = parent(written);
    let mut bases: Vec<&str> = roots.with_directory(directory).collect();
    // The file's own directory of templates comes first: the engine finds most names there.
    bases.sort_by_key(|base| *base != own);
    let paths: Vec<Option<String>> = bases.iter().take(MAX_ROOTS).map(|base| join(base, written)).collect();
    let existing = paths.iter().flatten().find(|path| project.tree().kind(path).is_some());
    if let Some(path) = existing {
        // A template that extends its own name overrides one of a package.
        if path == source.path() {
            return unknown(Reason::Elsewhere);
        }
        return (Verdict::Found(Target { path: path.clone() }), vec![path.clone()]);
    }
    if let Some(other) = project.find_by_suffix(written) {
        return (Verdict::Unknown(Reason::Undecided(other.to_owned())), paths.into_iter().flatten().collect());
    }
    let because = |reason: Reason| {
        let own = paths.is_empty().then(|| join(own, written)).flatten();
        (Verdict::Unknown(reason), paths.iter().flatten().cloned().chain(own).collect())
    };
    if is_optional {
        return because(Reason::Optional);
    }
    let namespace = written.split('/').next().unwrap_or_default();
    if directory.is_empty() || is_foreign_namespace(roots, namespace) {
        return because(Reason::Elsewhere);
    }
    if !bases.is_empty() {
        return lookup().verdict(severity, paths);
    }
    // The directory is gone, but another of the same namespace is the project's own.
    let base = roots.with_directory(namespace).min_by_key(|base| *base != own);
    let base = base.or_else(|| roots.of_application(namespace));
    base.map_or_else(|| because(Reason::Elsewhere), |base| lookup().verdict(severity, [join(base, written)]))
}

/// Directories of templates that are tried for one name. Larger projects have one per application, and few share a
/// namespace.
const MAX_ROOTS: usize = 8;

/// Returns whether the templates of a namespace come from a package, which the project overrides in part: the directory
/// belongs to Django or a well-known application, and no application of the project has its name.
fn is_foreign_namespace(roots: &TemplateRoots, namespace: &str) -> bool {
    const PACKAGES: [&str; 22] = [
        "account",
        "admin",
        "admin_doc",
        "allauth",
        "auth",
        "basic",
        "bootstrap",
        "bootstrap5",
        "crispy_forms",
        "debug_toolbar",
        "django",
        "drf-yasg",
        "flatpages",
        "gis",
        "mptt",
        "openid",
        "postman",
        "registration",
        "rest_framework",
        "sitemaps",
        "socialaccount",
        "wagtailadmin",
    ];
    PACKAGES.contains(&namespace) && !roots.is_in_application(namespace)
}

/// Returns whether a template is test input or a vendored copy. `templates` alone does not make it one.
fn is_plain_fixture(path: &str) -> bool {
    let rest: Vec<&str> = path.split('/').filter(|segment| !is_root_name(segment)).collect();
    is_fixture(&rest.join("/"))
}
