//! Fixtures of Go: found, missing and unknown imports, patterns and directories.

use crate::testing::{assert_ranges_valid, check, severities};

const TREE: &str = "go.mod = module example.com/m\\n\\nrequire (\\n  example.com/m/api v1.2.0 // indirect\\n  example.com/m/tool v0.1.0\\n)\\nreplace example.com/m/tool => ./tool\\n
a/a.go\nb/c/c.go\nb/c/c_test.go\nempty/x.txt\nassets/logo.png\nassets/index.html\ntool/go.mod = module example.com/m/tool\ntool/t/t.go
other/go.mod = module example.com/other\nother/o/o.go\nsub/go.mod = module example.com/m/sub\\nreplace example.com/m => ..\nsub/s.go
ignore build/\nignore a/dist";

#[test]
fn resolves_imports() {
    check(
        TREE,
        "cmd/main.go",
        "package main\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n\t\"example.com/m/a\"\n\tc \"example.com/m/b/c\"\n\t\"example.com/m/b\"\n\
         \t_ \"example.com/m/gone\"\n\t\"example.com/m/empty\"\n\t\"example.com/m/api/v1\"\n\t\"example.com/m/tool/t\"\n\t\"example.com/m/tool/u\"\n\
         \t\"example.com/m/sub\"\n\t\"example.com/m/sub/x\"\n\t\"example.com/other/p\"\n\t\"example.com/mm/a\"\n\t\"example.com/m/build/x\"\n\t\"example.com/m/B/c\"\n)\n\
         import \"C\"\nvar x = \"example.com/m/no\"\n",
        "go.import fmt → unknown elsewhere
         go.import net/http → unknown elsewhere
         go.import example.com/m/a → a
         go.import example.com/m/b/c → b/c
         go.import example.com/m/b → missing
         go.import example.com/m/gone → missing
         go.import example.com/m/empty → missing
         go.import example.com/m/api/v1 → unknown elsewhere
         go.import example.com/m/tool/t → tool/t
         go.import example.com/m/tool/u → missing
         go.import example.com/m/sub → sub
         go.import example.com/m/sub/x → unknown elsewhere
         go.import example.com/other/p → unknown elsewhere
         go.import example.com/mm/a → unknown elsewhere
         go.import example.com/m/build/x → unknown ignored
         go.import example.com/m/B/c → case-mismatch
         go.import C → unknown elsewhere",
    );
}

/// A module that has another name since its directory moved, and one that is required as it was.
#[test]
fn follows_modules_that_moved() {
    let tree = |requires: &str| {
        format!(
            "pkg/go.mod = module example.com/r/pkg\npkg/conf/a.go\nmoved lib/conf pkg/conf\napp/go.mod = module example.com/r/app\\n{requires}"
        )
    };
    let text = "package main\nimport \"example.com/r/lib/conf\"\nimport \"example.com/r/never\"\n";
    let rows = |verdict: &str| {
        format!("go.import example.com/r/lib/conf → {verdict}\ngo.import example.com/r/never → unknown elsewhere")
    };
    check(&tree(""), "app/main.go", text, &rows("moved"));
    check(&tree("require example.com/r/lib v1.0.0"), "app/main.go", text, &rows("unknown elsewhere"));
}

#[test]
fn resolves_import_comments() {
    let comment = |path: &str| format!("package c // import \"{path}\"\nimport \"example.com/m/a\"\n");
    let rows = |verdict: &str| format!("go.import-comment {verdict}\ngo.import example.com/m/a → a");
    check(TREE, "b/c/d.go", &comment("example.com/m/b/c"), &rows("example.com/m/b/c → b/c"));
    let moved = &format!("{TREE}\nmoved old/c b/c");
    check(moved, "b/c/d.go", &comment("example.com/m/old/c"), &rows("example.com/m/old/c → moved"));
    // A copy of another package, one of which git knows nothing, another module.
    check(moved, "other/c/d.go", &comment("example.com/m/old/c"), &rows("example.com/m/old/c → unknown elsewhere"));
    check(TREE, "b/c/d.go", &comment("example.com/m/a"), &rows("example.com/m/a → unknown elsewhere"));
    check(TREE, "b/c/d.go", &comment("example.com/m/gone"), &rows("example.com/m/gone → unknown elsewhere"));
    check(TREE, "b/c/d.go", &comment("k8s.io/x"), &rows("k8s.io/x → unknown elsewhere"));
}

#[test]
fn resolves_other_modules() {
    check(
        TREE,
        "sub/x/x.go",
        "package x\nimport \"example.com/m/a\"\nimport \"example.com/m/sub\"\nimport \"example.com/m/z\"\nimport \"example.com/m/sub/z\"",
        "go.import example.com/m/a → a
         go.import example.com/m/sub → sub
         go.import example.com/m/z → missing
         go.import example.com/m/sub/z → missing",
    );
    check(
        TREE,
        "other/o/p.go",
        "package o\nimport \"example.com/m/a\"\nimport \"example.com/m/z\"",
        "go.import example.com/m/a → a\ngo.import example.com/m/z → unknown elsewhere",
    );
}

#[test]
fn reports_nothing_optional() {
    check(
        TREE,
        "gen.go",
        "//go:build ignore\n\npackage main\nimport \"example.com/m/gone\"",
        "go.import example.com/m/gone → unknown optional",
    );
    check(
        TREE,
        "x.go",
        "package x\nimport \"example.com/m/gen/go/v1\"\nimport \"example.com/m/userpb\"\nimport \"example.com/m/mocks\"\nimport \"example.com/m/{{.Name}}\"",
        "go.import example.com/m/gen/go/v1 → unknown produced
         go.import example.com/m/userpb → unknown produced
         go.import example.com/m/mocks → unknown produced
         go.import example.com/m/{{.Name}} → unknown dynamic",
    );
    check("go.mod = module m\ngen/a/a.go", "x.go", "package x\nimport \"m/gen/b\"", "go.import m/gen/b → missing");
    check(
        "go.mod = module m\nx/BUILD.bazel = go_library(importpath = \"m/virtual\", embedsrcs = [\":made\"])",
        "x/x.go",
        "package x\nimport \"m/virtual\"\n//go:embed made.txt\nvar x string",
        "go.import m/virtual → unknown produced\ngo.embed made.txt → unknown produced",
    );
    check("go.mod = module m", "vendor/x/x.go", "package x\nimport \"m/b\"", "");
    check(
        "go.mod = module m\n.gitmodules = path = sdk",
        "x.go",
        "package x\nimport \"m/sdk/b\"",
        "go.import m/sdk/b → unknown submodule",
    );
    assert_eq!(severities("go.mod = module m", "testdata/x.go", "package x\nimport \"m/b\""), ["hint"]);
    assert_eq!(severities("go.mod = module m", "_examples/x.go", "package x\nimport \"m/b\""), ["hint"]);
    assert_eq!(severities("go.mod = module m", "x/x.go", "package x\nimport \"m/b\""), ["error"]);
}

#[test]
fn infers_module_paths() {
    let tree = "a/a.go = package a\\nimport (\\n\"github.com/x/y/b\"\\n\"github.com/x/y/c\"\\n\"github.com/x/y/d\"\\n\"github.com/p/q/r\")\nb/b.go\nc/c.go\nd/d.go";
    check(
        tree,
        "x.go",
        "package x\nimport \"github.com/x/y/b\"\nimport \"github.com/x/y/gone\"\nimport \"github.com/p/q/r\"\nimport \"./z\"",
        "go.import github.com/x/y/b → b
         go.import github.com/x/y/gone → missing
         go.import github.com/p/q/r → unknown elsewhere
         go.import ./z → missing",
    );
    check(
        "b/b.go",
        "x.go",
        "package x\nimport \"github.com/x/y/gone\"",
        "go.import github.com/x/y/gone → unknown elsewhere",
    );
}

#[test]
fn resolves_embed_patterns() {
    check(
        TREE,
        "x.go",
        "package x\n//go:embed assets/logo.png assets/gone.png all:assets \"assets/*.html\" assets/*.css\nvar x embed.FS\n\
         //go:embed build/app.js\n//go:embed web/dist/*\n//go:embed ../x /y\nvar y = `\n//go:embed no\n`\n",
        "go.embed assets/logo.png → assets/logo.png
         go.embed assets/gone.png → missing
         go.embed all:assets → assets
         go.embed assets/*.html → assets/index.html
         go.embed assets/*.css → missing
         go.embed build/app.js → unknown ignored
         go.embed web/dist/* → unknown produced
         go.embed ../x → unknown dynamic
         go.embed /y → unknown dynamic",
    );
    check(
        TREE,
        "x.go",
        "//go:build builtin\n\npackage x\n//go:embed assets/gone.png\nvar x []byte",
        "go.embed assets/gone.png → unknown optional",
    );
}

#[test]
fn resolves_modules_and_workspaces() {
    check(
        TREE,
        "go.mod",
        "module example.com/m\n\nrequire b v1.0.0\n\nreplace (\n\ta => ./tool // ./no\n\tb v1.0.0 => ./gone\n\tc => example.com/d v1.0.0\n\te => ../f\n)\nreplace g => ./empty\nreplace h => /x",
        "go.mod.replace ./tool → tool
         go.mod.replace ./gone → missing
         go.mod.replace ../f → unknown outside
         go.mod.replace ./empty → missing
         go.mod.replace /x → unknown elsewhere",
    );
    assert_eq!(severities("", "go.mod", "require b v1.0.0\nreplace a => ./a\nreplace b => ./b"), ["hint", "error"]);
    check(
        TREE,
        "go.work",
        "go 1.22\n\nuse (\n\t.\n\t./tool\n\t\"./gone\"\n)\nuse other\nreplace x => ./z\n",
        "go.work.use . → .
         go.work.use ./tool → tool
         go.work.use ./gone → missing
         go.work.use other → other
         go.work.replace ./z → missing",
    );
}

#[test]
fn accepts_broken_text() {
    for text in ["package", "package a\nimport (", "package a\nimport \"é", "//go:embed é \"", "package a\nimport \"\""]
    {
        assert_ranges_valid("a.go", text);
    }
    for text in ["module", "replace (\n)", "replace a =>", "use \"", "é => ./é", "replace x => ./"] {
        assert_ranges_valid("go.mod", text);
        assert_ranges_valid("go.work", text);
    }
}
