//! Checks `Cargo.toml`, and Cargo's own configuration.

use crate::data_report::{DataReport, PathRule};
use crate::toml::kinds;
use pathfinder_literals::glob::is_glob;
use pathfinder_literals::path::{is_dynamic, join};
use pathfinder_literals::{Code, LiteralKind, Missing, Reason, Severity, Verdict, Want};
use pathfinder_syntax::data::{Node, Text, toml};

/// Tables of dependencies.
const DEPENDENCY_TABLES: [&str; 11] = [
    "dependencies",
    "dev-dependencies",
    "dev_dependencies",
    "build-dependencies",
    "build_dependencies",
    "target.*.dependencies",
    "target.*.dev-dependencies",
    "target.*.build-dependencies",
    "workspace.dependencies",
    "patch.*",
    "replace",
];

/// Checks the dependencies, targets, members and packaged files of a `Cargo.toml`.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    for table in DEPENDENCY_TABLES {
        for dependency in root.values(&format!("{table}.*")) {
            let Some(text) = dependency.get("path").and_then(Node::text) else { continue };
            // The path is relative to a base in Cargo's own configuration.
            match dependency.get("base") {
                Some(_) => report.unknown(kinds::CARGO_PATH, text, Reason::Undecided("base".to_owned())),
                None => check_package(report, text, kinds::CARGO_PATH),
            }
        }
    }
    // Compiled files must lie in the package; Cargo copies a README and a license into it.
    let is_published = is_published(root) && !is_for_tests(report.source.path());
    for (key, kind) in
        [("lib.path", kinds::CARGO_LIB), ("bin.path", kinds::CARGO_BIN), ("package.build", kinds::CARGO_BUILD)]
    {
        for text in root.texts(key) {
            let (rule, here) = (PathRule::file(kind), report.here());
            if is_published { report.check_packaged(text, rule) } else { report.check(text, rule, &[here]) }
        }
    }
    for (target, kind) in
        [("test", kinds::CARGO_TEST), ("example", kinds::CARGO_EXAMPLE), ("bench", kinds::CARGO_BENCH)]
    {
        report.check_all(root, &format!("{target}.path"), PathRule::file(kind));
    }
    for (key, kind) in [
        ("package.readme", kinds::CARGO_README),
        ("package.license-file", kinds::CARGO_LICENSE_FILE),
        ("workspace.package.readme", kinds::CARGO_README),
        ("workspace.package.license-file", kinds::CARGO_LICENSE_FILE),
    ] {
        report.check_all(root, key, PathRule::file(kind));
    }
    root.texts("package.workspace").for_each(|text| check_package(report, text, kinds::CARGO_WORKSPACE));
    check_members(report, root);
    check_assets(report, root);
    // `include` has patterns like `.gitignore`, which can match future files.
    report.check_all(root, "package.include", PathRule::any(kinds::CARGO_INCLUDE).hint().slash());
}

/// Checks the files that `cargo-deb` and `cargo-generate-rpm` put into a package. Those below `target` are built.
fn check_assets(report: &mut DataReport<'_>, root: &Node) {
    let rule = PathRule::any(kinds::CARGO_ASSETS).warning();
    for key in ["package.metadata.deb.assets", "package.metadata.generate-rpm.assets"] {
        for asset in root.at(key).map_or(&[][..], Node::items) {
            let source = asset.get("source").or_else(|| asset.items().first()).and_then(Node::text);
            if let Some(text) = source.filter(|text| !text.text.split('/').any(|name| name == "target")) {
                let here = report.here();
                report.check(text, rule, &[here]);
            }
        }
    }
}

/// Returns whether a package lies among tests or examples, which are not published.
fn is_for_tests(path: &str) -> bool {
    const DIRECTORIES: [&str; 7] = ["bench", "benches", "benchmarks", "examples", "fuzz", "test", "tests"];
    path.split('/').any(|directory| DIRECTORIES.contains(&directory))
}

/// Returns whether the package can be published: it has a version and what crates.io asks for, and no `publish` key other than `true`.
fn is_published(root: &Node) -> bool {
    let has = |key: &str| root.at(key).is_some();
    ["package.version", "package.description"].into_iter().all(has)
        && ["package.license", "package.license-file"].into_iter().any(has)
        && root.at("package.publish").is_none_or(|publish| matches!(publish, Node::Other(true)))
}

/// Checks the paths of Cargo's own configuration.
pub(super) fn check_config(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("paths") {
        // The path is relative to the directory that contains `.cargo`.
        let base = pathfinder_literals::path::parent(report.here());
        report.check(text, PathRule::directory(kinds::CARGO_PATHS).warning(), &[base]);
    }
}

/// Checks a directory that must contain a `Cargo.toml`.
fn check_package(report: &mut DataReport<'_>, text: &Text, kind: LiteralKind) {
    let rule = PathRule::file(kind);
    let Some(path) = report.path(text, rule) else { return };
    let directory = join(report.here(), &path);
    // An empty directory is a submodule, or reserved for one.
    if let Some(directory) = directory.as_deref()
        && report.exists(directory)
        && report.project.tree().names(directory).is_empty()
    {
        return report.unknown(kind, text, Reason::Submodule(directory.to_owned()));
    }
    let manifest = directory.map(|path| format!("{path}/Cargo.toml").trim_start_matches('/').to_owned());
    if let Some(manifest) = manifest.as_ref().filter(|path| kind == kinds::CARGO_PATH && is_virtual(report, path)) {
        return report.add(kind, text, (Verdict::Missing(missing_package(manifest)), vec![manifest.clone()]));
    }
    report.check_paths(text, rule, [manifest]);
}

/// Returns whether a manifest is that of a workspace alone, on which nothing can depend.
fn is_virtual(report: &DataReport<'_>, manifest: &str) -> bool {
    let text = report.project.tree().read_shared(manifest);
    let root = text.as_deref().and_then(toml::read);
    root.is_some_and(|root| {
        root.get("workspace").is_some() && root.get("package").is_none() && root.get("project").is_none()
    })
}

/// The miss of a dependency on a workspace without a package.
fn missing_package(manifest: &str) -> Missing {
    Missing {
        code: Code::MissingPath,
        severity: Severity::Error,
        reason: format!("{manifest} is a workspace without a package"),
        wanted: manifest.to_owned(),
        want: Want::File,
        instead: None,
    }
}

/// Checks the members of a workspace. If none of several exists, a script generates them all.
fn check_members(report: &mut DataReport<'_>, root: &Node) {
    let all: Vec<&Text> = root.texts("workspace.members").chain(root.texts("workspace.default-members")).collect();
    let exists = |text: &Text| {
        let manifest = join(report.here(), &format!("{}/Cargo.toml", text.text));
        is_glob(&text.text) || manifest.is_none_or(|path| report.exists(&path))
    };
    let is_generated = all.len() > 2 && !all.iter().any(|text| exists(text));
    for text in all {
        if is_generated {
            report.unknown(kinds::CARGO_MEMBERS, text, Reason::Produced("a script".to_owned()));
        } else {
            check_member(report, text);
        }
    }
}

/// Checks one member: a literal must be a package; a pattern can match nothing.
fn check_member(report: &mut DataReport<'_>, text: &Text) {
    let kind = kinds::CARGO_MEMBERS;
    if is_glob(&text.text) || is_dynamic(&text.text) {
        let here = report.here();
        report.check(text, PathRule::directory(kind).hint(), &[here]);
    } else {
        check_package(report, text, kind);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn checks_assets_of_packages() {
        check(
            "extra/a.1",
            "Cargo.toml",
            "[package.metadata.deb]\nassets = [[\"target/release/a\", \"usr/bin/\", \"755\"], [\"extra/a.1\", \"usr/share/\", \"644\"]]\n\
             [package.metadata.generate-rpm]\nassets = [{ source = \"a.1\", dest = \"/usr/share/a.1\", mode = \"644\" }]\n",
            "toml.cargo.assets extra/a.1 → extra/a.1\ntoml.cargo.assets a.1 → missing",
        );
    }

    #[test]
    fn refuses_to_depend_on_a_workspace() {
        let check = |manifest: &str, expect: &str| {
            let tree = format!("Cargo.toml = {manifest}\na/src/lib.rs");
            check(
                &tree,
                "a/Cargo.toml",
                "[dependencies]\nb = { path = \"..\" }\n",
                &format!("toml.cargo.path .. → {expect}"),
            );
        };
        check("[workspace]", "missing");
        check("[package]", "Cargo.toml");
        check("package.name = 'b'", "Cargo.toml");
    }
}
