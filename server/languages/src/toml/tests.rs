//! Tests of the TOML checker: resolved, missing and undecidable paths.

use proptest::prelude::*;

use crate::testing::{check, severities};

#[test]
fn checks_cargo() {
    check(
        "a/Cargo.toml\nb/src/lib.rs\nREADME.md\nsrc/main.rs\nempty/\ncrates/x/Cargo.toml",
        "Cargo.toml",
        r#"[package]
readme = "README.md"
license-file = "LICENSE.txt"
build = false
include = ["src/**", "/gone/*"]
exclude = ["nothing/here"]

[dependencies]
a = { path = "a" }
b = { path = "b", version = "1" }
c = { path = "../c" }
d = { path = "empty" }
e = "1.0"

[target.'cfg(unix)'.dependencies]
f.path = "gone"

[[bin]]
name = "x"
path = "src/main.rs"

[[example]]
path = "examples/x_y.rs"

[workspace]
members = ["a", "crates/*", "gone", "none/*", "."]
"#,
        "toml.cargo.readme README.md → README.md
         toml.cargo.license-file LICENSE.txt → missing
         toml.cargo.include src/** → src/main.rs
         toml.cargo.include /gone/* → missing
         toml.cargo.path a → a/Cargo.toml
         toml.cargo.path b → missing
         toml.cargo.path ../c → unknown outside
         toml.cargo.path empty → unknown submodule
         toml.cargo.path gone → missing
         toml.cargo.bin src/main.rs → src/main.rs
         toml.cargo.example examples/x_y.rs → missing
         toml.cargo.members a → a/Cargo.toml
         toml.cargo.members crates/* → crates/x
         toml.cargo.members gone → missing
         toml.cargo.members none/* → missing
         toml.cargo.members . → Cargo.toml",
    );
    check(
        "",
        "template/Cargo.toml",
        "[package]\nname = \"{{name}}\"\nreadme = \"{{readme}}\"\n[dependencies]\na.path = \"../{{x}}\"\n",
        "toml.cargo.readme {{readme}} → unknown dynamic\ntoml.cargo.path ../{{x}} → unknown dynamic",
    );
}

#[test]
fn checks_python() {
    check(
        "README.md\nsrc/pkg/a.py\ncrates/x/Cargo.toml\ntests/t.py\nlibs/y/z\ndocs_src/a/b.py",
        "pyproject.toml",
        r#"[project]
readme = "README.md"
license = { file = "LICENSE.rst" }
[tool.ruff]
extend-exclude = ["crates/gone/vendor/", "crates/x", "build", "dist/gone", "*.ipynb"]
[tool.ruff.lint.per-file-ignores]
"docs_src/a/c.py" = ["F821"]
"docs_src/a/b.py" = ["F821"]
"**/tests/*" = ["S"]
"__init__.py" = ["F401"]
"src/pkg/_version.py" = ["ALL"]
[tool.coverage.run]
omit = ["docs_src/a/d.py", "*/x.py"]
[tool.mypy]
files = ["src/pkg", "tests/typing"]
exclude = "^gone/"
[tool.pyright]
include = ["src/pkg", "tests/typing"]
[tool.pytest.ini_options]
testpaths = "tests src/pkg"
[tool.maturin]
manifest-path = "crates/gone/Cargo.toml"
[tool.uv.sources]
y = { path = "libs/y", editable = true }
z = { git = "https://a/b" }
w = { path = "libs/w" }
[tool.poetry]
packages = [{ include = "pkg", from = "src" }, { include = "gone" }]
[tool.hatch.build.hooks.vcs]
version-file = "src/pkg/_version.py"
"#,
        "toml.pyproject.readme README.md → README.md
         toml.pyproject.license LICENSE.rst → missing
         toml.ruff.exclude crates/gone/vendor/ → missing
         toml.ruff.exclude crates/x → crates/x
         toml.ruff.exclude dist/gone → unknown optional
         toml.ruff.per-file-ignores docs_src/a/c.py → missing
         toml.ruff.per-file-ignores docs_src/a/b.py → docs_src/a/b.py
         toml.ruff.per-file-ignores src/pkg/_version.py → unknown produced
         toml.coverage.omit docs_src/a/d.py → missing
         toml.mypy.files src/pkg → src/pkg
         toml.mypy.files tests/typing → missing
         toml.pyright.include src/pkg → src/pkg
         toml.pyright.include tests/typing → missing
         toml.pytest.testpaths tests src/pkg → unknown undecided
         toml.maturin.manifest-path crates/gone/Cargo.toml → missing
         toml.uv.path libs/y → libs/y
         toml.uv.path libs/w → missing
         toml.poetry.packages pkg → src/pkg
         toml.poetry.packages gone → missing",
    );
    check(
        "base.toml",
        "x/ruff.toml",
        "extend = \"../base.toml\"\n[per-file-ignores]\n\"a/gone.py\" = []\n",
        "toml.ruff.extend ../base.toml → base.toml\ntoml.ruff.per-file-ignores a/gone.py → unknown optional",
    );
}

#[test]
fn checks_tools() {
    check(
        "book/src/a.md\nbook/a.css",
        "book/book.toml",
        "[book]\nsrc = \"src\"\n[output.html]\nadditional-css = [\"a.css\"]\nadditional-js = [\"theme/x.min.js\"]\n",
        "toml.book.src src → book/src
         toml.book.additional a.css → book/a.css
         toml.book.additional theme/x.min.js → missing",
    );
    check(
        "crates/a/Cargo.toml",
        "knope.toml",
        "[packages.a]\nversioned_files = [\"crates/a/Cargo.toml\", \"crates/b/Cargo.toml\"]\nchangelog = \"crates/a/CHANGELOG.md\"\n",
        "toml.knope.versioned-files crates/a/Cargo.toml → crates/a/Cargo.toml
         toml.knope.versioned-files crates/b/Cargo.toml → missing",
    );
    check("", "netlify.toml", "[build]\npublish = \"dist\"\n", "toml.netlify.publish dist → missing");
    check("site/x", "site/netlify.toml", "[build]\nbase = \"site/\"\n", "toml.netlify.base site/ → site");
    check("", "other.toml", "path = \"gone\"\n[dependencies]\na.path = \"gone\"\n", "");
    check("", "Cargo.toml", "[dependencies\na.path = \"gone\"\n", "");
}

/// False reports in real repositories: a script generates protobuf's crates, and Cargo's test suite has invalid paths.
#[test]
fn accepts_generated_crates() {
    check(
        "release/a/Cargo-template.toml",
        "release/Cargo.toml",
        "[workspace]\nmembers = [\"a\", \"b\", \"c\"]\n",
        "toml.cargo.members a → unknown produced
         toml.cargo.members b → unknown produced
         toml.cargo.members c → unknown produced",
    );
    check(
        "",
        "Cargo.toml",
        "[dependencies]\na = { path = \"x\", base = \"y\" }\n",
        "toml.cargo.path x → unknown undecided",
    );
    let severity = |path: &str| severities("", path, "[dependencies]\na.path = \"gone\"\n");
    assert_eq!(severity("Cargo.toml"), ["error"]);
    assert_eq!(severity("tests/testsuite/x/in/Cargo.toml"), ["hint"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn accepts_any_text(text in r#"([\[\]{}"'=,\\/\r\n*.# -]|\[package\]\n|\[dependencies\]\n|a\.path = |readme = |"x/y"|'é'|"""|'''|members = |\[tool\.ruff\]\n|exclude = ){0,40}"#) {
        for path in ["Cargo.toml", "a/pyproject.toml", "ruff.toml", "book.toml"] {
            crate::testing::assert_ranges_valid(path, &text);
        }
    }

    /// Well-formed text reaches the checks.
    #[test]
    fn accepts_any_value(value in r"[a-zé/.*{}$:#?!@&= ,\[\]-]{0,12}") {
        for (path, text) in [
            ("Cargo.toml", format!("[package]\nreadme = '{value}'\n[dependencies]\na.path = \"{value}\"\n[workspace]\nmembers = ['''{value}''']\n")),
            ("a/pyproject.toml", format!("[tool.ruff]\nexclude = ['{value}']\n[tool.ruff.per-file-ignores]\n\"{value}\" = []\n[tool.commitizen]\nversion_files = ['{value}']\n")),
        ] {
            crate::testing::assert_ranges_valid(path, &text);
        }
    }
}

/// Checking takes little time for any text, even on one long line.
#[test]
fn checks_large_and_deep_text() {
    crate::testing::assert_ranges_valid(
        "Cargo.toml",
        &format!("[workspace]\nmembers = [{}\"x\"]", "\"gone/a\", ".repeat(60_000)),
    );
    crate::testing::assert_ranges_valid("Cargo.toml", &format!("a = {}", "[".repeat(500_000)));
    crate::testing::assert_ranges_valid("Cargo.toml", &format!("a = {}", "{a = ".repeat(100_000)));
    crate::testing::assert_ranges_valid("Cargo.toml", &format!("[{}a]", "a.".repeat(100_000)));
}

#[test]
fn flags_targets_outside_the_package() {
    let tree = "build.rs\nREADME.md\nLICENSE\ncrates/x/src/lib.rs\nsrc/y.rs";
    let check = |path: &str, text: &str, expect: &str| check(tree, path, text, expect);
    let cargo = "description = \"x\"\nbuild = \"../../build.rs\"\nreadme = \"../../README.md\"\nlicense-file = \"../../LICENSE\"\n";
    let targets =
        "[lib]\npath = \"src/lib.rs\"\n[[bin]]\npath = \"../../src/y.rs\"\n[[test]]\npath = \"../../src/y.rs\"\n";
    let rows = |outside: &str| {
        let (build, bin) = if outside.is_empty() { ("build.rs", "src/y.rs") } else { (outside, outside) };
        format!(
            "toml.cargo.build ../../build.rs → {build}
             toml.cargo.readme ../../README.md → README.md
             toml.cargo.license-file ../../LICENSE → LICENSE
             toml.cargo.lib src/lib.rs → crates/x/src/lib.rs
             toml.cargo.bin ../../src/y.rs → {bin}
             toml.cargo.test ../../src/y.rs → src/y.rs"
        )
    };
    let manifest = |head: &str| format!("[package]\nname = \"x\"\n{head}{cargo}{targets}");
    check("crates/x/Cargo.toml", &manifest("version = \"1.0.0\"\n"), &rows("outside-package-target"));
    check("crates/x/Cargo.toml", &manifest("version = \"1.0.0\"\npublish = false\n"), &rows(""));
    check("crates/x/Cargo.toml", &manifest("version = \"1.0.0\"\npublish.workspace = true\n"), &rows(""));
    check("crates/x/Cargo.toml", &manifest(""), &rows(""));
    // The registry takes no package without a description or a license.
    let version = "version = \"1.0.0\"\n";
    check("crates/x/Cargo.toml", &manifest(version).replace("description", "edition"), &rows(""));
    let for_tests = "build.rs\nREADME.md\nLICENSE\ntests/x/src/lib.rs\nsrc/y.rs";
    let expect = rows("").replace("crates/x", "tests/x");
    crate::testing::check(for_tests, "tests/x/Cargo.toml", &manifest("version = \"1.0.0\"\n"), &expect);

    let readme =
        |rest: &str| format!("[project]\nreadme = \"../README.md\"\nlicense = {{ file = \"../LICENSE\" }}\n{rest}");
    let refused = "toml.pyproject.readme ../README.md → outside-package-target\ntoml.pyproject.license ../LICENSE → outside-package-target";
    let taken = "toml.pyproject.readme ../README.md → README.md\ntoml.pyproject.license ../LICENSE → LICENSE";
    let backend = |name: &str| readme(&format!("[build-system]\nbuild-backend = \"{name}\"\n"));
    check("py/pyproject.toml", &backend("setuptools.build_meta"), refused);
    check("py/pyproject.toml", &backend("hatchling.build"), refused);
    check("py/pyproject.toml", &backend("maturin"), taken);
    check("py/pyproject.toml", &readme(""), taken);
    check("py/pyproject.toml", &format!("{}[tool.uv]\npackage = false", backend("hatchling.build")), taken);
    check(
        "py/pyproject.toml",
        &readme("classifiers = [\"Private :: Do Not Upload\"]\n[build-system]\nbuild-backend = \"hatchling.build\"\n"),
        taken,
    );
}
