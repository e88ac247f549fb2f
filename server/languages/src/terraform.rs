//! Terraform: checks sources of modules, and files that functions read.
//!
//! The scanner is handwritten: it only separates strings, comments, here-documents and blocks.

mod kinds;
mod scan;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::{ancestors, extension, is_dynamic, join, name, sibling_path};
use pathfinder_literals::report::{resolve_without_base, severity_in, unknown};
use pathfinder_literals::{
    Checked, Code, Language, LiteralKind, Lookup, Missing, Project, Reason, Report, Resolution, Severity, Source,
    Target, Verdict, Want,
};

use scan::TerraformReference;

/// The [`Language`] of Terraform and `OpenTofu` files.
pub(crate) struct Terraform;

impl Language for Terraform {
    fn name(&self) -> &'static str {
        "tf"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "tf" | "tofu")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let mut report = Report::new(source, project, found);
        let text = source.text();
        for (reference, at, end) in scan::find_references(text) {
            let written = &text[at..end];
            let (kind, outcome) = match reference {
                TerraformReference::Source => (kinds::SOURCE, resolve_module(&report, written)),
                TerraformReference::File => (kinds::FILE, resolve_file(&report, written)),
            };
            report.add(kind, at, end - at, outcome);
        }
    }
}

/// The verdict on the source of a module.
fn resolve_module(report: &Report<'_>, written: &str) -> Resolution {
    if is_dynamic(written) {
        return unknown(Reason::Dynamic);
    }
    // Any other source is a URL or a registry name.
    if !(written.starts_with("./") || written.starts_with("../") || matches!(written, "." | "..")) {
        return unknown(Reason::Elsewhere);
    }
    let path = join(report.source.directory(), written);
    let severity = severity_in(report.source.path(), Severity::Error);
    let (verdict, tried) = Lookup::new(report.project, Want::Directory).verdict(severity, [path]);
    let verdict = match verdict {
        Verdict::Found(target) => require_files(report, severity, target),
        verdict => verdict,
    };
    (verdict, tried)
}

/// A directory is a module only if it contains a Terraform file.
fn require_files(report: &Report<'_>, severity: Severity, target: Target) -> Verdict {
    let path = target.path;
    let names = report.project.tree().names(&path);
    // Includes `main.tf.json`, and `main.tf.tmpl`, which is a template.
    let is_module = names.iter().any(|name| name.contains(".tf") || name.contains(".tofu"));
    if is_module || names.is_empty() {
        // Git keeps no empty directories, so it is a submodule or filled later.
        return Verdict::Found(Target { path });
    }
    let wanted = sibling_path(&format!("{path}/x"), "main.tf");
    if let Some(reason) = report.project.generated_by(&wanted) {
        return Verdict::Unknown(reason);
    }
    let reason = format!("{path} contains no Terraform files");
    Verdict::Missing(Missing {
        code: Code::MissingPath,
        severity,
        reason,
        wanted,
        want: Want::Directory,
        instead: None,
    })
}

/// The verdict on the argument of a file function.
fn resolve_file(report: &Report<'_>, written: &str) -> Resolution {
    let severity = severity_in(report.source.path(), Severity::Error);
    let (path, is_sure) = match written.strip_prefix("${path.module}") {
        Some(rest) if rest.starts_with('/') => (rest, true),
        Some(_) => return unknown(Reason::Dynamic),
        None => (written, false),
    };
    if is_dynamic(path) || path.contains(['*', '~', '\\']) || path.is_empty() {
        return unknown(Reason::Dynamic);
    }
    if !is_sure && path.starts_with('/') {
        return unknown(Reason::Elsewhere);
    }
    let own = report.source.directory();
    let (verdict, tried) = if is_sure {
        Lookup::new(report.project, Want::File).verdict(severity, [join(own, path)])
    } else {
        // The path is relative to the root module, in which the command runs.
        let all: Vec<_> = ancestors(own).filter_map(|here| join(here, path)).map(Some).collect();
        resolve_without_base(report.project, Want::File, severity, path, all)
    };
    if matches!(&verdict, Verdict::Missing(missing) if missing.instead.is_none()) {
        let text = report.source.text();
        if is_deployed_file(path) || text.contains("output_path") && text.matches(written).nth(1).is_some() {
            return (Verdict::Unknown(Reason::Produced("the deployment".to_owned())), tried);
        }
        if text.contains(&format!("fileexists(\"{written}\")")) {
            return (Verdict::Unknown(Reason::Optional), tried);
        }
    }
    (verdict, tried)
}

/// Returns whether a path is a secret or an archive, which is supplied at deployment and not committed.
fn is_deployed_file(path: &str) -> bool {
    const EXTENSIONS: [&str; 15] = [
        "zip",
        "gz",
        "tgz",
        "jar",
        "pem",
        "key",
        "pub",
        "crt",
        "cer",
        "p12",
        "pfx",
        "env",
        "tfvars",
        "lock",
        "kubeconfig",
    ];
    EXTENSIONS.contains(&extension(path).as_str())
        || ["secret", "credential", "id_rsa", "kubeconfig"].iter().any(|word| name(path).contains(word))
}
