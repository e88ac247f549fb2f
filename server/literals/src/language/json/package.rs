//! `package.json` and its lock file.

use crate::checked::{Reason, Severity, Verdict};
use crate::language::data::report::{DataReport, PathRule, packed};
use crate::language::data::{Node, Text};
use crate::lookup::{Lookup, Want, beside};
use crate::path::{extension, join, name, parent};

/// Languages that are compiled to what stands beside them: `a.js` is then made from `a.ts`.
const COMPILED: [&str; 10] = ["ts", "tsx", "mts", "cts", "coffee", "ls", "res", "re", "elm", "scss"];

pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    // What is never published may point anywhere.
    let is_published = root.at("name").is_some() && !matches!(root.at("private"), Some(Node::Other(true)));
    for (pattern, kind) in [
        ("main", "json.package.main"),
        ("module", "json.package.module"),
        ("types", "json.package.types"),
        ("typings", "json.package.types"),
        ("bin", "json.package.bin"),
        ("bin.*", "json.package.bin"),
        ("exports", "json.package.exports"),
        ("exports.**", "json.package.exports"),
        ("imports.**", "json.package.imports"),
    ] {
        let relative_only = matches!(kind, "json.package.exports" | "json.package.imports");
        for text in root.texts(pattern) {
            if !relative_only || text.text.starts_with("./") {
                built(report, kind, text, is_published);
            }
        }
    }
    report.all(root, "files", PathRule::any("json.package.files").hint().slash());
    workspaces(report, root);
    for pattern in ["dependencies.*", "devDependencies.*", "optionalDependencies.*", "peerDependencies.*"] {
        root.texts(pattern).for_each(|text| dependency(report, text));
    }
    if let Some(text) = root.at("repository.directory").and_then(Node::text) {
        directory(report, text);
    }
    for tool in ["rome.extends", "biome.extends", "eslintConfig.extends", "babel.extends", "stylelint.extends"] {
        root.texts(tool).for_each(|text| super::tools::extends(report, text));
    }
    if root.at("engines.vscode").is_some() {
        for pattern in [
            "contributes.languages.configuration",
            "contributes.grammars.path",
            "contributes.themes.path",
            "contributes.iconThemes.path",
            "contributes.snippets.path",
        ] {
            root.texts(pattern).for_each(|text| built(report, "json.package.contributes", text, false));
        }
        let urls = root.texts("contributes.jsonValidation.url").filter(|text| text.text.starts_with('.'));
        urls.for_each(|text| built(report, "json.package.contributes", text, false));
    }
}

/// What packages have is mostly built, and a build leaves no trace before it runs. A target is missing only where the
/// directory it should be in is in the repository with other files, and nothing there is compiled to it.
/// `is_packed`: whether only what lies below `package.json` is there for who installs the package.
fn built(report: &mut DataReport<'_>, kind: &'static str, text: &Text, is_packed: bool) {
    const ENDINGS: [&str; 9] = ["", ".js", ".json", ".node", ".mjs", ".cjs", "/index.js", "/index.json", "/index.node"];
    let rule = PathRule::any(kind).warning();
    let Some(path) = report.path(text, rule) else { return };
    if path.contains('*') {
        return report.unknown(kind, text, Reason::Undecided("a pattern".to_owned()));
    }
    let path = join(report.here(), &path);
    let lookup = Lookup::new(report.project, Want::Any);
    let tried = ENDINGS.iter().map(|ending| path.as_ref().map(|path| format!("{path}{ending}")));
    let answer = lookup.verdict(Severity::Warning, tried);
    let made = path.as_deref().is_some_and(|path| is_made(report, path));
    if made && matches!(answer.0, Verdict::Missing(_)) {
        return report.unknown(kind, text, Reason::Produced("the package's build".to_owned()));
    }
    let (verdict, tried) = answer;
    let verdict = if is_packed { packed(report.here(), verdict) } else { verdict };
    report.add(kind, text, (verdict, tried));
}

fn is_made(report: &DataReport<'_>, path: &str) -> bool {
    let directory = parent(path);
    // Beside `package.json` itself there are always other files: `index.js` there is npm's default.
    if directory == report.here() {
        return true;
    }
    let names = report.project.tree().names(directory);
    let stem = name(path).split('.').next().unwrap_or("");
    let compiled =
        |other: &String| other.split('.').next() == Some(stem) && COMPILED.contains(&extension(other).as_str());
    let source_like = ["src", "source", "bin", "scripts", "syntaxes", "snippets", "themes", "configuration"];
    let in_source = directory.split('/').any(|segment| source_like.contains(&segment));
    let declared = path.ends_with(".d.ts") || path.ends_with(".d.mts") || path.ends_with(".d.cts");
    declared || names.is_empty() || names.iter().any(compiled) || !in_source
}

/// The packages of a workspace: a directory by its name must hold a `package.json`.
fn workspaces(report: &mut DataReport<'_>, root: &Node) {
    let here = report.here();
    for pattern in ["workspaces", "workspaces.packages"] {
        for text in root.texts(pattern).filter(|text| !text.text.starts_with('!')) {
            report.check(text, PathRule::directory("json.package.workspaces").warning(), &[here]);
        }
    }
}

/// `file:../x`, `link:../x`, `portal:../x`.
fn dependency(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::any("json.package.dependency").warning();
    let path = ["file:", "link:", "portal:"].iter().find_map(|scheme| text.text.strip_prefix(scheme));
    let Some(path) = path.filter(|path| !path.starts_with(['/', '~'])) else { return };
    // An archive or a directory of build output is packed first.
    if path.is_empty() || path.contains('#') || path.contains("::") {
        return;
    }
    let path = join(report.here(), path);
    let packed = path.as_deref().is_some_and(|path| matches!(extension(path).as_str(), "tgz" | "gz" | "tar"));
    let made = packed || path.as_deref().is_some_and(|path| is_inside_package(report, path));
    if made && path.as_deref().is_some_and(|path| !report.exists(path)) {
        return report.unknown(rule.kind, text, Reason::Produced("a build".to_owned()));
    }
    report.check_paths(text, rule, [path]);
}

/// Whether a path lies directly in a package: what is there as a package of its own was put there by a build, such as
/// wasm-pack's.
fn is_inside_package(report: &DataReport<'_>, path: &str) -> bool {
    report.exists(&beside(path, "package.json"))
}

/// `repository.directory` is seen from the root of the repository, which can be another one's (a vendored package):
/// it must at least begin in this one.
fn directory(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::directory("json.package.directory").warning();
    let Some(path) = report.path(text, rule) else { return };
    let Some(path) = join("", &path) else { return };
    let vendored = parent(&path).is_empty() || !report.exists(parent(&path));
    if vendored && !report.exists(&path) {
        return report.unknown(rule.kind, text, Reason::Elsewhere);
    }
    report.check_paths(text, rule, [Some(path)]);
}

/// The links of a lock file: packages of the workspace.
pub(super) fn check_lock(report: &mut DataReport<'_>, root: &Node) {
    let here = report.here();
    for package in root.values("packages.*").filter(|package| package.get("link").is_some_and(|link| link.is(true))) {
        let Some(text) = package.get("resolved").and_then(Node::text) else { continue };
        let rule = PathRule::directory("json.lock.resolved").warning();
        match join(here, &text.text).filter(|path| is_inside_package(report, path) && !report.exists(path)) {
            Some(_) => report.unknown(rule.kind, text, Reason::Produced("a build".to_owned())),
            None => report.check(text, rule, &[here]),
        }
    }
}
