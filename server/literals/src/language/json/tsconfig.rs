//! `tsconfig.json` and `jsconfig.json`.

use crate::checked::{Reason, Severity};
use crate::language::data::json::read;
use crate::language::data::report::{DataReport, PathRule};
use crate::language::data::{Node, Text};
use crate::lookup::{Lookup, Want, with_endings};
use crate::path::{extension, join, parent};

/// Files that extend files: a cycle ends here.
const INHERITED: usize = 4;
/// What TypeScript adds to a path in `paths`.
const ENDINGS: [&str; 18] = [
    "",
    ".ts",
    ".tsx",
    ".d.ts",
    ".js",
    ".jsx",
    ".mts",
    ".cts",
    ".mjs",
    ".cjs",
    ".json",
    ".vue",
    "/index.ts",
    "/index.tsx",
    "/index.d.ts",
    "/index.js",
    "/index.jsx",
    "/package.json",
];

pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    root.texts("extends").for_each(|text| extends(report, text));
    report.all(root, "files", PathRule::file("json.tsconfig.files"));
    root.texts("include").for_each(|text| include(report, text));
    root.texts("references.path").for_each(|text| reference(report, text));
    for (key, kind) in [
        ("compilerOptions.rootDir", "json.tsconfig.rootDir"),
        ("compilerOptions.rootDirs", "json.tsconfig.rootDirs"),
        ("compilerOptions.typeRoots", "json.tsconfig.typeRoots"),
    ] {
        report.all(root, key, PathRule::directory(kind).hint());
    }
    paths(report, root);
}

/// With a dot before it, a file, `.json` being added; otherwise a package.
fn extends(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::file("json.tsconfig.extends");
    if !text.text.starts_with('.') && !text.text.starts_with('/') {
        return report.unknown(rule.kind, text, Reason::NotInstalled);
    }
    let here = report.here();
    report.check_with(text, rule, &[here], &["", ".json", "/tsconfig.json"]);
}

/// A literal that is gone includes nothing, without a word; a pattern may wait for its files. A bare directory (`test`)
/// and declarations at the top (`env.d.ts`) come with every new project, whether there are any or not.
fn include(report: &mut DataReport<'_>, text: &Text) {
    let here = report.here();
    let path = text.text.trim_start_matches("./").trim_end_matches('/');
    let usual = !path.contains('/') && (extension(path).is_empty() || path.ends_with(".d.ts"));
    let rule = PathRule::any("json.tsconfig.include");
    report.check(text, if usual { rule.hint() } else { rule.warning() }, &[here]);
}

/// A file, or a directory with a `tsconfig.json` in it.
fn reference(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::file("json.tsconfig.references");
    let Some(path) = report.path(text, rule) else { return };
    let path = join(report.here(), &path);
    let inside = path.as_ref().map(|path| format!("{path}/tsconfig.json").trim_start_matches('/').to_owned());
    let is_file = path.as_deref().is_some_and(|path| extension(path) == "json");
    report.check_paths(text, rule, path.filter(|_| is_file).map(Some).into_iter().chain([inside]));
}

/// The base where the file itself has none: that of a file which it extends, or else its own directory. `None` if one
/// of those cannot be read.
fn inherited(report: &DataReport<'_>, root: &Node, directory: &str, depth: usize) -> Option<String> {
    let mut base = None;
    for extended in root.get("extends").map_or(&[][..], Node::items) {
        let path = extended.str().filter(|path| path.starts_with('.') && depth > 0)?;
        let path = join(directory, path)?;
        let tree = report.project.tree();
        let (file, text) = ["", ".json", "/tsconfig.json"].iter().find_map(|ending| {
            let file = format!("{path}{ending}");
            tree.read(&file).map(|text| (file, text))
        })?;
        let node = read(&text)?;
        let from = parent(&file);
        base = match node.at("compilerOptions.baseUrl") {
            Some(own) => Some(join(from, own.str()?)?),
            None if node.get("extends").is_some() => {
                Some(inherited(report, &node, from, depth - 1)?).filter(|at| at != from)
            }
            None => base,
        };
    }
    Some(base.unwrap_or_else(|| directory.to_owned()))
}

/// The targets of `paths`: one of a list is enough, and patterns are left alone.
fn paths(report: &mut DataReport<'_>, root: &Node) {
    let kind = "json.tsconfig.paths";
    let base = root.at("compilerOptions.baseUrl");
    let base = match base {
        Some(base) => base.str().and_then(|base| join(report.here(), base)),
        None => inherited(report, root, report.here(), INHERITED),
    };
    let Some(table) = root.at("compilerOptions.paths") else { return };
    for (_, targets) in table.entries() {
        let mut missing = Vec::new();
        let mut any = false;
        for text in targets.items().iter().filter_map(Node::text) {
            let rule = PathRule::any(kind).warning();
            let Some(path) = report.path(text, rule) else {
                any = true;
                continue;
            };
            if path.contains('*') || base.is_none() {
                any = true;
                let by = if base.is_none() { "baseUrl" } else { "a pattern" };
                report.unknown(kind, text, Reason::Undecided(by.to_owned()));
                continue;
            }
            let path = base.as_deref().and_then(|base| join(base, &path));
            let lookup = Lookup::new(report.project, Want::Any);
            let answer = match path.as_deref() {
                Some(path) => lookup.verdict(Severity::Warning, with_endings(path, &ENDINGS)),
                None => lookup.verdict(Severity::Warning, [None]),
            };
            if matches!(answer.0, crate::checked::Verdict::Missing(_)) {
                missing.push((text, answer));
            } else {
                any = true;
                report.add(kind, text, answer);
            }
        }
        for (text, answer) in missing {
            if any { report.unknown(kind, text, Reason::Optional) } else { report.add(kind, text, answer) }
        }
    }
}
