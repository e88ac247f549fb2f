//! Checks `tsconfig.json` and `jsconfig.json`.

use crate::data_report::{DataReport, PathRule};
use crate::json::kinds;
use pathfinder_literals::path::{extension, join, parent, with_endings};
use pathfinder_literals::{Lookup, Reason, Severity, Want};
use pathfinder_syntax::data::json::read;
use pathfinder_syntax::data::{Node, Text};

/// The longest chain of `check_extends`; it also ends cycles.
const MAX_EXTENDS_DEPTH: usize = 4;
/// Suffixes that TypeScript appends to a path in `check_path_mappings`.
const SUFFIXES: [&str; 18] = [
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

/// Checks the paths of a configuration.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    root.texts("extends").for_each(|text| check_extends(report, text));
    report.check_all(root, "files", PathRule::file(kinds::TSCONFIG_FILES));
    root.texts("include").for_each(|text| check_include(report, text));
    root.texts("references.path").for_each(|text| check_reference(report, text));
    for (key, kind) in
        [("compilerOptions.rootDir", kinds::TSCONFIG_ROOT_DIR), ("compilerOptions.rootDirs", kinds::TSCONFIG_ROOT_DIRS)]
    {
        report.check_all(root, key, PathRule::directory(kind).hint());
    }
    // The compiler skips a file here, and many projects name one.
    report.check_all(root, "compilerOptions.typeRoots", PathRule::any(kinds::TSCONFIG_TYPE_ROOTS).hint());
    check_path_mappings(report, root);
}

/// Checks `check_extends`: a file if it begins with a dot, with `.json` appended; otherwise a package.
fn check_extends(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::file(kinds::TSCONFIG_EXTENDS);
    if !text.text.starts_with('.') && !text.text.starts_with('/') {
        return report.unknown(rule.kind, text, Reason::NotInstalled);
    }
    let here = report.here();
    report.check_with(text, rule, &[here], &["", ".json", "/tsconfig.json"]);
}

/// Checks `check_include`. A missing literal is silently ignored, and a pattern can match future files. Every new project
/// includes a bare directory (`test`) and top-level declarations (`env.d.ts`), so those get a hint.
fn check_include(report: &mut DataReport<'_>, text: &Text) {
    let here = report.here();
    let path = text.text.trim_start_matches("./").trim_end_matches('/');
    let is_usual = !path.contains('/') && (extension(path).is_empty() || path.ends_with(".d.ts"));
    let rule = PathRule::any(kinds::TSCONFIG_INCLUDE);
    report.check(text, if is_usual { rule.hint() } else { rule.warning() }, &[here]);
}

/// Checks a reference: a file, or a directory with a `tsconfig.json`.
fn check_reference(report: &mut DataReport<'_>, text: &Text) {
    let rule = PathRule::file(kinds::TSCONFIG_REFERENCES);
    let Some(path) = report.path(text, rule) else { return };
    let path = join(report.here(), &path);
    let inside = path.as_ref().map(|path| format!("{path}/tsconfig.json").trim_start_matches('/').to_owned());
    let is_file = path.as_deref().is_some_and(|path| extension(path) == "json");
    report.check_paths(text, rule, path.filter(|_| is_file).map(Some).into_iter().chain([inside]));
}

/// The inherited `baseUrl`: that of an extended file, or else the file's own directory. `None` if an extended file
/// cannot be read.
fn inherited_base(report: &DataReport<'_>, root: &Node, directory: &str, depth: usize) -> Option<String> {
    let mut base = None;
    for extended in root.get("extends").map_or(&[][..], Node::items) {
        let path = extended.str().filter(|path| path.starts_with('.') && depth > 0)?;
        let path = join(directory, path)?;
        let tree = report.project.tree();
        let (file, text) = ["", ".json", "/tsconfig.json"].iter().find_map(|ending| {
            let file = format!("{path}{ending}");
            tree.read_shared(&file).map(|text| (file, text))
        })?;
        let node = read(&text)?;
        let from = parent(&file);
        base = match node.at("compilerOptions.baseUrl") {
            Some(own) => Some(join(from, own.str()?)?),
            None if node.get("extends").is_some() => {
                Some(inherited_base(report, &node, from, depth - 1)?).filter(|at| at != from)
            }
            None => base,
        };
    }
    Some(base.unwrap_or_else(|| directory.to_owned()))
}

/// Checks the targets of `check_path_mappings`. One existing target of a list is enough, and patterns are skipped.
fn check_path_mappings(report: &mut DataReport<'_>, root: &Node) {
    let kind = kinds::TSCONFIG_PATHS;
    let base = root.at("compilerOptions.baseUrl");
    let base = match base {
        Some(base) => base.str().and_then(|base| join(report.here(), base)),
        None => inherited_base(report, root, report.here(), MAX_EXTENDS_DEPTH),
    };
    let Some(table) = root.at("compilerOptions.paths") else { return };
    for (_, targets) in table.entries() {
        let mut missing = Vec::new();
        let mut is_any_found = false;
        for text in targets.items().iter().filter_map(Node::text) {
            let rule = PathRule::any(kind).warning();
            let Some(path) = report.path(text, rule) else {
                is_any_found = true;
                continue;
            };
            if path.contains('*') || base.is_none() {
                is_any_found = true;
                let by = if base.is_none() { "baseUrl" } else { "a pattern" };
                report.unknown(kind, text, Reason::Undecided(by.to_owned()));
                continue;
            }
            let path = base.as_deref().and_then(|base| join(base, &path));
            let lookup = Lookup::new(report.project, Want::Any);
            let answer = match path.as_deref() {
                Some(path) => lookup.verdict(Severity::Warning, with_endings(path, &SUFFIXES)),
                None => lookup.verdict(Severity::Warning, [None]),
            };
            if matches!(answer.0, pathfinder_literals::Verdict::Missing(_)) {
                missing.push((text, answer));
            } else {
                is_any_found = true;
                report.add(kind, text, answer);
            }
        }
        for (text, answer) in missing {
            if is_any_found { report.unknown(kind, text, Reason::Optional) } else { report.add(kind, text, answer) }
        }
    }
}
