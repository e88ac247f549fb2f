//! Checks `pyproject.toml`, and separate configuration files of its tools.

use crate::data_report::{DataReport, PathRule};
use crate::toml::kinds;
use pathfinder_literals::glob::is_glob;
use pathfinder_literals::path::{extension, join};
use pathfinder_literals::{LiteralKind, Reason};
use pathfinder_syntax::data::{Node, Text};

/// Checks the paths of a `pyproject.toml`.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    for (pattern, rule) in [
        ("project.license-files", PathRule::file(kinds::PYPROJECT_LICENSE).warning()),
        ("project.license-files.paths", PathRule::file(kinds::PYPROJECT_LICENSE).warning()),
        ("tool.poetry.readme", PathRule::file(kinds::PYPROJECT_README)),
        ("tool.poetry.dependencies.*.path", PathRule::any(kinds::POETRY_PATH)),
        ("tool.poetry.dev-dependencies.*.path", PathRule::any(kinds::POETRY_PATH)),
        ("tool.poetry.group.*.dependencies.*.path", PathRule::any(kinds::POETRY_PATH)),
        ("tool.uv.sources.*.path", PathRule::any(kinds::UV_PATH)),
        ("tool.uv.workspace.members", PathRule::directory(kinds::UV_MEMBERS)),
        ("tool.maturin.manifest-path", PathRule::file(kinds::MATURIN_MANIFEST_PATH)),
        ("tool.maturin.python-source", PathRule::directory(kinds::MATURIN_PYTHON_SOURCE)),
        ("tool.setuptools.packages.find.where", PathRule::directory(kinds::SETUPTOOLS_WHERE)),
        ("tool.setuptools.package-dir.*", PathRule::directory(kinds::SETUPTOOLS_PACKAGE_DIR)),
        ("tool.setuptools.dynamic.*.file", PathRule::file(kinds::SETUPTOOLS_DYNAMIC)),
        ("tool.hatch.build.targets.*.packages", PathRule::any(kinds::HATCH_PACKAGES).warning()),
        ("tool.hatch.build.include", PathRule::any(kinds::HATCH_INCLUDE).hint().slash()),
        ("tool.hatch.build.targets.*.include", PathRule::any(kinds::HATCH_INCLUDE).hint().slash()),
        ("tool.hatch.version.path", PathRule::file(kinds::HATCH_VERSION)),
        ("tool.pdm.version.path", PathRule::file(kinds::PDM_VERSION)),
        ("tool.pyright.include", PathRule::any(kinds::PYRIGHT_INCLUDE).warning()),
        ("tool.basedpyright.include", PathRule::any(kinds::PYRIGHT_INCLUDE).warning()),
        ("tool.rooster.version_files", PathRule::file(kinds::ROOSTER_VERSION_FILES)),
        ("tool.towncrier.template", PathRule::file(kinds::TOWNCRIER_TEMPLATE).warning()),
    ] {
        report.check_all(root, pattern, rule);
    }
    let is_backend_strict = is_backend_strict(root);
    for (pattern, kind) in [
        ("project.readme", kinds::PYPROJECT_README),
        ("project.readme.file", kinds::PYPROJECT_README),
        ("project.license.file", kinds::PYPROJECT_LICENSE),
    ] {
        for text in root.texts(pattern) {
            let (rule, here) = (PathRule::file(kind), report.here());
            if is_backend_strict { report.check_packaged(text, rule) } else { report.check(text, rule, &[here]) }
        }
    }
    check_packages(report, root);
    check_mypy(report, root);
    check_pytest(report, root);
    root.texts("tool.coverage.run.omit").for_each(|text| check_literal(report, text, kinds::COVERAGE_OMIT));
    if let Some(ruff) = root.at("tool.ruff") {
        check_ruff(report, ruff);
    }
    for (pattern, kind) in [
        ("tool.commitizen.version_files", kinds::COMMITIZEN_VERSION_FILES),
        ("tool.semantic_release.version_variables", kinds::SEMANTIC_RELEASE_VERSION),
        ("tool.semantic_release.version_toml", kinds::SEMANTIC_RELEASE_VERSION),
    ] {
        root.texts(pattern).for_each(|text| check_version_file(report, text, kind));
    }
}

/// Returns whether the build backend rejects or omits a README and a license outside of the package's directory. Others
/// (maturin) copy them. A package that is never uploaded can name any file.
fn is_backend_strict(root: &Node) -> bool {
    const BACKENDS: [&str; 3] = ["setuptools.", "flit_core.", "hatchling."];
    let backend = root.at("build-system.build-backend").and_then(Node::str).unwrap_or_default();
    BACKENDS.iter().any(|name| backend.starts_with(name))
        && !root.texts("project.classifiers").any(|text| text.text.starts_with("Private ::"))
        && !root.at("tool.uv.package").is_some_and(|package| package.is(false))
}

/// Checks Poetry's packages: a directory or module, relative to `from` if present.
fn check_packages(report: &mut DataReport<'_>, root: &Node) {
    for package in root.values("tool.poetry.packages") {
        if let Some(text) = package.get("include").and_then(Node::text) {
            let from = package.get("from").and_then(Node::str).unwrap_or("");
            let base = join(report.here(), from).unwrap_or_default();
            report.check_with(text, PathRule::any(kinds::POETRY_PACKAGES).warning(), &[&base], &["", ".py"]);
        }
    }
}

/// Checks the paths of pytest, which are packages with `--pyargs`.
fn check_pytest(report: &mut DataReport<'_>, root: &Node) {
    const OPTIONS: &str = "tool.pytest.ini_options.addopts";
    let mut options = root.texts(OPTIONS).flat_map(|text| text.text.split_whitespace());
    let are_packages = options.any(|option| option == "--pyargs");
    for text in root.texts("tool.pytest.ini_options.testpaths") {
        let here = report.here();
        if are_packages && !text.text.starts_with('.') {
            report.unknown(kinds::PYTEST_TESTPATHS, text, Reason::Undecided("where the package is".to_owned()));
        } else {
            report.check(text, PathRule::any(kinds::PYTEST_TESTPATHS).warning(), &[here]);
        }
    }
}

/// Checks mypy's files, if they are a list and not one text with commas.
fn check_mypy(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("tool.mypy.files").filter(|text| !text.text.contains(',')) {
        let here = report.here();
        report.check(text, PathRule::any(kinds::MYPY_FILES).warning(), &[here]);
    }
}

/// Checks Ruff's configuration.
pub(super) fn check_ruff(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "extend", PathRule::file(kinds::RUFF_EXTEND));
    for pattern in ["exclude", "extend-exclude", "lint.exclude", "format.exclude"] {
        root.texts(pattern).for_each(|text| check_literal(report, text, kinds::RUFF_EXCLUDE));
    }
    for section in ["", "lint."] {
        for key in ["per-file-ignores", "extend-per-file-ignores"] {
            root.texts(&format!("{section}{key}.@"))
                .for_each(|text| check_literal(report, text, kinds::RUFF_PER_FILE_IGNORES));
        }
    }
}

/// Checks uv's own configuration.
pub(super) fn check_uv(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "sources.*.path", PathRule::any(kinds::UV_PATH));
    report.check_all(root, "workspace.members", PathRule::directory(kinds::UV_MEMBERS));
}

/// Checks an excluded literal path, which must have existed. A bare name excludes it anywhere, and a generated file
/// can be excluded before it exists.
fn check_literal(report: &mut DataReport<'_>, text: &Text, kind: LiteralKind) {
    let path = text.text.trim_start_matches("./");
    let Some((first, rest)) = path.split_once('/') else { return };
    if is_glob(path) || rest.is_empty() || path.starts_with(['/', '!']) {
        return;
    }
    let has_first_segment = join(report.here(), first).is_some_and(|first| report.exists(&first));
    if !has_first_segment {
        return report.unknown(kind, text, Reason::Optional);
    }
    let is_generated =
        extension(path) == "py" && ["_version.py", "version.py", "_pb2.py"].iter().any(|end| path.ends_with(end));
    if is_generated && join(report.here(), path).is_some_and(|path| !report.exists(&path)) {
        return report.unknown(kind, text, Reason::Produced("a build".to_owned()));
    }
    let here = report.here();
    report.check(text, PathRule::any(kind).warning(), &[here]);
}

/// Checks `path` or `path:key`.
fn check_version_file(report: &mut DataReport<'_>, text: &Text, kind: LiteralKind) {
    let path = text.text.split(':').next().unwrap_or("");
    if path.is_empty() || is_glob(path) || report.source.text().get(text.range.clone()) != Some(text.text.as_ref()) {
        return;
    }
    let cut = Text { text: path.into(), range: text.range.start..text.range.start + path.len() };
    let here = report.here();
    report.check(&cut, PathRule::file(kind).warning(), &[here]);
}
