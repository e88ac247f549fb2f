//! Checks `package.json` and its lock file.

use crate::data_report::{DataReport, PathRule, flag_outside_package};
use crate::json::kinds;
use pathfinder_literals::path::{ancestors, extension, join, name, parent, sibling_path};
use pathfinder_literals::{Code, LiteralKind, Lookup, Reason, Severity, Verdict, Want};
use pathfinder_syntax::data::json::read;
use pathfinder_syntax::data::{Node, Text};
use rustc_hash::FxHashSet;

/// Extensions of languages that compile to a file beside the source: `a.ts` to `a.js`.
const COMPILED_EXTENSIONS: [&str; 10] = ["ts", "tsx", "mts", "cts", "coffee", "ls", "res", "re", "elm", "scss"];

/// Checks the entry points, files, workspaces and dependencies of a `package.json`.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    // An installed package has what its author put into it.
    if report.here().split('/').any(|name| name == "node_modules") {
        return;
    }
    // A private package can name any file.
    let is_published = root.at("name").is_some() && !matches!(root.at("private"), Some(Node::Other(true)));
    for (pattern, kind) in [
        ("main", kinds::PACKAGE_MAIN),
        ("module", kinds::PACKAGE_MODULE),
        ("types", kinds::PACKAGE_TYPES),
        ("typings", kinds::PACKAGE_TYPES),
        ("bin", kinds::PACKAGE_BIN),
        ("bin.*", kinds::PACKAGE_BIN),
        ("exports", kinds::PACKAGE_EXPORTS),
        ("exports.**", kinds::PACKAGE_EXPORTS),
        ("imports.**", kinds::PACKAGE_IMPORTS),
    ] {
        let is_relative_only = matches!(kind, kinds::PACKAGE_EXPORTS | kinds::PACKAGE_IMPORTS);
        for text in root.texts(pattern) {
            if !is_relative_only || text.text.starts_with("./") {
                check_built(report, kind, text, is_published);
            }
        }
    }
    // The keys are names under which others import what the values lead to.
    for (key, _) in root.at("exports").map_or(&[][..], Node::entries) {
        if key.text.starts_with("./") {
            report.unknown(kinds::PACKAGE_EXPORTS, key, Reason::Elsewhere);
        }
    }
    check_files(report, root);
    check_workspaces(report, root);
    super::scripts::check(report, root);
    for pattern in ["dependencies.*", "devDependencies.*", "optionalDependencies.*", "peerDependencies.*"] {
        root.texts(pattern).for_each(|text| check_dependency(report, text));
    }
    if let Some(text) = root.at("repository.directory").and_then(Node::text) {
        check_repository_directory(report, root, text);
    }
    for tool in ["rome.extends", "biome.extends", "eslintConfig.extends", "babel.extends", "stylelint.extends"] {
        root.texts(tool).for_each(|text| super::tools::check_extended_path(report, text));
    }
    if root.at("engines.vscode").is_some() {
        for pattern in [
            "contributes.languages.configuration",
            "contributes.grammars.path",
            "contributes.themes.path",
            "contributes.iconThemes.path",
            "contributes.snippets.path",
        ] {
            root.texts(pattern).for_each(|text| check_built(report, kinds::PACKAGE_CONTRIBUTES, text, false));
        }
        for pattern in
            ["contributes.commands.icon.*", "contributes.languages.icon.*", "contributes.viewsContainers.*.icon"]
        {
            root.texts(pattern).for_each(|text| check_icon(report, text));
        }
        let urls = root.texts("contributes.jsonValidation.url").filter(|text| text.text.starts_with('.'));
        urls.for_each(|text| check_built(report, kinds::PACKAGE_CONTRIBUTES, text, false));
    }
}

/// Checks the files that a package has. One that a script of the package names can be there when it is packed: `cp ../README.md .`.
fn check_files(report: &mut DataReport<'_>, root: &Node) {
    let rule = PathRule::any(kinds::PACKAGE_FILES).hint().slash();
    let is_between = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';');
    let words = root.texts("scripts.*").flat_map(|script| script.text.split(is_between));
    let named: FxHashSet<&str> = words.map(name).collect();
    for text in root.texts("files") {
        let is_named = named.contains(name(text.text.trim_matches('/')));
        if is_named && !join(report.here(), &text.text).is_some_and(|path| report.exists(&path)) {
            report.unknown(rule.kind, text, Reason::Produced("a script of the package".to_owned()));
        } else {
            report.check(text, rule, &[report.here()]);
        }
    }
}

/// Checks a picture of an extension of VS Code, which shows none if it is missing. A name of the editor's own pictures is
/// written as `$(refresh)`, and a build can make a directory that is not there.
fn check_icon(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::file(kinds::PACKAGE_CONTRIBUTES).warning();
    let Some(path) = report.path(text, rule).and_then(|path| join(report.here(), &path)) else { return };
    if report.project.tree().names(parent(&path)).is_empty() {
        return report.unknown(rule.kind, text, Reason::Produced("the package's build".to_owned()));
    }
    report.check_paths(text, rule, [Some(path)]);
}

/// Checks a target that a build can create without a trace before it runs. It is missing only if its directory is in
/// the repository with other files, and no source there compiles to it.
/// `is_packed`: whether an installed package contains only files below `package.json`.
fn check_built(report: &mut DataReport<'_>, kind: LiteralKind, text: &Text, is_packed: bool) {
    const SUFFIXES: [&str; 9] =
        ["", ".js", ".json", ".node", ".mjs", ".cjs", "/index.js", "/index.json", "/index.node"];
    let rule = PathRule::any(kind).warning();
    let Some(path) = report.path(text, rule) else { return };
    if path.contains('*') {
        return report.unknown(kind, text, Reason::Undecided("a pattern".to_owned()));
    }
    let path = join(report.here(), &path);
    let lookup = Lookup::new(report.project, Want::Any);
    let tried = SUFFIXES.iter().map(|ending| path.as_ref().map(|path| format!("{path}{ending}")));
    let answer = lookup.verdict(Severity::Warning, tried);
    let is_built = path.as_deref().is_some_and(|path| can_be_built(report, path) && !was_source(report, path));
    if is_built && matches!(answer.0, Verdict::Missing(_)) {
        return report.unknown(kind, text, Reason::Produced("the package's build".to_owned()));
    }
    let (verdict, tried) = answer;
    let verdict = if is_packed { flag_outside_package(report.here(), verdict) } else { verdict };
    report.add(kind, text, (verdict, tried));
}

/// Returns whether a commit moved a source of TypeScript from a path: no build creates those.
fn was_source(report: &DataReport<'_>, path: &str) -> bool {
    matches!(extension(path).as_str(), "mts" | "ts" | "tsx")
        && !path.contains(".d.")
        && report.project.tree().moved(path).is_some()
}

/// Returns whether a build can create the file at a path.
fn can_be_built(report: &DataReport<'_>, path: &str) -> bool {
    let directory = parent(path);
    // The directory of `package.json` always contains other files: `index.js` there is npm's default.
    if directory == report.here() {
        return true;
    }
    let names = report.project.tree().names(directory);
    let stem = name(path).split('.').next().unwrap_or("");
    let is_compiled = |other: &String| {
        other.split('.').next() == Some(stem) && COMPILED_EXTENSIONS.contains(&extension(other).as_str())
    };
    let source_directories = ["src", "source", "bin", "scripts", "syntaxes", "snippets", "themes", "configuration"];
    let is_in_source = directory.split('/').any(|segment| source_directories.contains(&segment));
    let is_declaration = path.ends_with(".d.ts") || path.ends_with(".d.mts") || path.ends_with(".d.cts");
    is_declaration || names.is_empty() || names.iter().any(is_compiled) || !is_in_source
}

/// Checks the packages of a workspace: each directory must contain a `package.json`.
fn check_workspaces(report: &mut DataReport<'_>, root: &Node) {
    let here = report.here();
    for pattern in ["workspaces", "workspaces.packages"] {
        for text in root.texts(pattern).filter(|text| !text.text.starts_with('!')) {
            report.check(text, PathRule::directory(kinds::PACKAGE_WORKSPACES).warning(), &[here]);
        }
    }
}

/// Checks `file:../x`, `link:../x`, `portal:../x`.
fn check_dependency(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::any(kinds::PACKAGE_DEPENDENCY).warning();
    let path = ["file:", "link:", "portal:"].iter().find_map(|scheme| text.text.strip_prefix(scheme));
    let Some(path) = path.filter(|path| !path.starts_with(['/', '~'])) else { return };
    // An archive or a build output directory is created before installation.
    if path.is_empty() || path.contains('#') || path.contains("::") {
        return;
    }
    let path = join(report.here(), path);
    let packed = path.as_deref().is_some_and(|path| matches!(extension(path).as_str(), "tgz" | "gz" | "tar"));
    let is_built = packed || path.as_deref().is_some_and(|path| is_inside_package(report, path));
    if is_built && path.as_deref().is_some_and(|path| !report.exists(path)) {
        return report.unknown(rule.kind, text, Reason::Produced("a build".to_owned()));
    }
    report.check_paths(text, rule, [path]);
}

/// Returns whether the parent of a path is a package. A build such as wasm-pack creates such a nested package.
fn is_inside_package(report: &DataReport<'_>, path: &str) -> bool {
    report.exists(&sibling_path(path, "package.json"))
}

/// Checks `repository.directory`, which is relative to the root of the repository. A vendored package names another repository, so the
/// directory's parent must exist in this one, or a package above it name the same repository.
fn check_repository_directory(report: &mut DataReport<'_>, root: &Node, text: &Text) {
    let rule = PathRule::directory(kinds::PACKAGE_DIRECTORY).warning();
    let Some(path) = report.path(text, rule) else { return };
    let Some(path) = join("", &path) else { return };
    let is_vendored = parent(&path).is_empty() || !report.exists(parent(&path));
    if is_vendored && !report.exists(&path) && !is_of_tree(report, root) {
        return report.unknown(rule.kind, text, Reason::Elsewhere);
    }
    let (mut verdict, tried) = Lookup::new(report.project, Want::Directory).verdict(Severity::Warning, [Some(path)]);
    // It is the directory of the package itself, also where the one that it names has moved: files are copied with it.
    let here = report.here();
    if let Verdict::Missing(missing) = &mut verdict
        && !here.is_empty()
        && missing.instead.as_deref() != Some(here)
    {
        missing.code = Code::MissingPath;
        missing.reason = format!("{} does not exist; the package is in {here}", missing.wanted);
        missing.instead = Some(here.to_owned());
    }
    report.add(rule.kind, text, (verdict, tried));
}

/// Returns whether a package above names the same repository, and its own place in this tree.
fn is_of_tree(report: &DataReport<'_>, own: &Node) -> bool {
    let tree = report.project.tree();
    let url = |package: &Node| package.at("repository.url").and_then(Node::str).map(str::to_owned);
    let own = url(own);
    let is_beside = |directory: &str| {
        let text = join(directory, "package.json").and_then(|path| tree.read_shared(&path)).unwrap_or_default();
        read(&text).is_some_and(|package| {
            let named = package.at("repository.directory").and_then(Node::str).unwrap_or_default();
            url(&package) == own && named.trim_matches('/') == directory
        })
    };
    own.is_some() && ancestors(parent(report.here())).any(is_beside)
}

/// Checks the links of a lock file to packages of the workspace.
pub(super) fn check_lock(report: &mut DataReport<'_>, root: &Node) {
    let here = report.here();
    for package in root.values("packages.*").filter(|package| package.get("link").is_some_and(|link| link.is(true))) {
        let Some(text) = package.get("resolved").and_then(Node::text) else { continue };
        let rule = PathRule::directory(kinds::LOCK_RESOLVED).warning();
        match join(here, &text.text).filter(|path| is_inside_package(report, path) && !report.exists(path)) {
            Some(_) => report.unknown(rule.kind, text, Reason::Produced("a build".to_owned())),
            None => report.check(text, rule, &[here]),
        }
    }
}
