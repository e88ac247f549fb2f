//! `check`: the first fix is a path that the literal can have.

use crate::probability::{history, rows};
use crate::tree::Tree;

/// Compares the first fix of the only finding.
#[track_caller]
fn check(tree: &str, expect: &str) {
    let run = Tree::new(tree).plan(&["check", "--format", "json"]).run();
    let lines = run.jsons();
    let firsts: Vec<&str> = lines.iter().filter_map(|line| line["fixes"][0]["literal"].as_str()).collect();
    assert_eq!(firsts, [expect], "{run:?}");
}

/// A module is declared once, and the roots of a crate never.
#[test]
fn offers_modules_that_are_not_declared() {
    let reader = "src/reader.rs = pub fn read() {}\nCargo.toml = [package]\n";
    check(
        &format!(
            "{reader}src/lib.rs = mod reader; mod source_distribution; mod distribution;\n\
             src/source_distribution.rs = pub struct Source;\nsrc/file.rs = pub struct File;"
        ),
        "file",
    );
    check(
        &format!(
            "{reader}src/lib.rs = mod reader; pub use codegen::generate; mod codegen;\n\
             src/main.rs = use codegen::generate; fn main() {{}}\nsrc/boilerplate.rs = pub struct File;"
        ),
        "boilerplate",
    );
    // It moved into a directory of its own.
    check(&format!("{reader}src/lib.rs = mod reader; mod registry;\nsrc/publish/mod.rs = pub struct File;"), "publish");
}

/// A file does not import from the package that loads it.
#[test]
fn offers_no_package_that_loads_the_file() {
    let tree = Tree::new(
        "dask/__init__.py = from dask.io.csv import read; from dask.expr import Expr\ndask/io/__init__.py\n\
         dask/io/csv.py = from dask.core import Expr\ndask/expr.py = class Expr: pass",
    );
    let lines = tree.plan(&["check", "--format", "json"]).run().jsons();
    let offered: Vec<&str> =
        lines[0]["fixes"].as_array().unwrap().iter().filter_map(|fix| fix["literal"].as_str()).collect();
    assert!(offered[0] == "dask.expr" && !offered.contains(&"dask"), "{offered:?}");
}

/// The package that loads the file, and did so until it moved with it.
#[test]
fn offers_the_package_that_moved_with_the_file() {
    let text = "mkdir -p a/old; echo > a/__init__.py; echo 'from a.old import win' > a/old/__init__.py; \
                printf 'class E: pass\\n\\nclass F(E): pass\\n' > a/old/base.py; echo 'from a.old import base' > a/old/win.py";
    let found = rows(&history(&[(1, text), (2, "git mv a/old a/new")]), &[]);
    assert_eq!(found, ["a/new/__init__.py a.old → a.new!", "a/new/win.py a.old → a.new!"]);
}

/// A header became no source, and a page can lie in a directory beside it.
#[test]
fn offers_files_of_the_kind() {
    check("run.c = #include \"execute.h\"\nexecute.c\njq.h = int execute(void);\nx.h", "jq.h");
    check(
        "docs/index.md = [a](./a.md) [b](./b.md) [r](./resolver-internals.md)\ndocs/a.md\ndocs/b.md\ndocs/internals/resolver.md\n\
         docs/internals/other.md",
        "./internals/resolver.md",
    );
}

/// A file often becomes a directory with an index file, which is named by the directory.
#[test]
fn compares_index_files_by_their_directories() {
    check(
        "core/Cargo.toml = example = [{ name = \"bench_ops\", path = \"examples/bench_ops.rs\" }]\ncore/src/lib.rs\n\
         core/examples/bench_ops/main.rs\ncore/examples/bench_ops/bench_ops.js\ncore/examples/hello_ops.rs",
        "examples/bench_ops/main.rs",
    );
}

/// A file takes its names from the modules of its package rather than from the index file above, and those of another package from that
/// package's index file.
#[test]
fn weighs_the_index_file_of_another_package_only() {
    let check = |importer: &str, expect: f64| {
        let tree = "lib/index.ts = export const a = 1\nlib/inner.ts = export const b = 1\n";
        let run = Tree::new(&format!("{tree}{importer}")).plan(&["check", "--format", "json", "--explain"]).run();
        let lines = run.jsons();
        let mut fixes = lines[0]["fixes"].as_array().unwrap().iter();
        let index = fixes.find(|fix| fix["path"] == "lib/index.ts").unwrap();
        assert_eq!(index["signals"]["index"].as_f64(), Some(expect), "{run:?}");
    };
    check("lib/x/y.ts = import { q } from '../core'", 0.0);
    check("app/y.ts = import { q } from '../lib/core'", 1.0);
}

/// A file that has no headings has no anchor either.
#[test]
fn offers_no_anchor_of_a_file_without_headings() {
    check("docs/a.md = [x](guides.md#setup)\nguides.txt\ndocs/guide-old.md = # Setup", "guide-old.md#setup");
}

/// A typo is fixed in the style of the literal: the directory of a module, marks before a path, the root of a site, a file that lists
/// itself, and the name that an index file gives on.
#[test]
fn keeps_what_is_not_mistyped() {
    let check = |script: &str, row: &str| assert_eq!(rows(&history(&[(1, script)]), &[]), [row], "{script}");
    check(
        "mkdir server; echo '<project/>' > server/pom.xml; \
         echo '<project><modules><module>sever</module></modules></project>' > pom.xml",
        "pom.xml sever → server!",
    );
    check(
        "mkdir -p web/pages; echo 'module a' > go.mod; echo x > web/pages/a.html; \
         printf 'package web\n\n//go:embed all:paegs\nvar x string\n' > web/b.go",
        "web/b.go all:paegs → all:pages!",
    );
    // A type that a file of another name declares.
    check(
        "mkdir -p src/p src/q; printf 'package p\nclass Assertion\n' > src/p/assert.kt; printf 'package p\nclass Other\n' > src/p/Other.kt; \
         printf 'package q\nimport p.Asertion\nval x = Assertion()\n' > src/q/X.kt",
        "src/q/X.kt p.Asertion → p.Assertion!",
    );
    check(
        "mkdir public; echo x > public/favicon.png; echo '<link rel=\"icon\" href=\"/favcon.png\">' > index.html",
        "index.html /favcon.png → /favicon.png!",
    );
    check(
        "mkdir -p .github/workflows; echo 'on: push' > .github/workflows/tests.yml; \
         printf 'on:\n  push:\n    paths:\n    - .github/workflows/relaese.yml\n' > .github/workflows/release.yml",
        ".github/workflows/release.yml .github/workflows/relaese.yml → .github/workflows/release.yml!",
    );
    check(
        "mkdir src test; echo \"export { Engine } from './engine';\" > src/index.ts; echo 'export class Engine {}' > src/engine.ts; \
         printf \"import { Engine } from '../src/inedx';\\nnew Engine();\\n\" > test/a.ts",
        "test/a.ts ../src/inedx → ../src/index!",
    );
    check(
        "mkdir -p .github/workflows .github/actions/check-all; echo 'name: x' > .github/actions/check-all/action.yaml; \
         printf 'on: push\njobs:\n  a:\n    steps:\n      - uses: ./.github/actions/chek-all\n' > .github/workflows/a.yml",
        ".github/workflows/a.yml ./.github/actions/chek-all → ./.github/actions/check-all!",
    );
    check(
        "mkdir -p .github/workflows scripts; echo x > scripts/publish.sh; \
         printf 'on: push\njobs:\n  a:\n    steps:\n      - run: bash scripts/pubish.sh\n' > .github/workflows/a.yml",
        ".github/workflows/a.yml scripts/pubish.sh → scripts/publish.sh!",
    );
    // One correction, whatever directory is the context of the build.
    check(
        "mkdir -p app/docker; echo x > app/requirements-dev.txt; printf 'FROM x\nADD ./requiremnts-dev.txt .\n' > app/docker/Dockerfile",
        "app/docker/Dockerfile ./requiremnts-dev.txt → ./requirements-dev.txt!",
    );
    check(
        "mkdir app; echo x > app/package.json; echo x > package.json; printf 'FROM x\nCOPY pacage.json /app\n' > app/Dockerfile",
        "app/Dockerfile pacage.json → package.json!",
    );
    // A page that is read here, once its only link is right.
    check(
        "mkdir doc; echo x > doc/bay-door.htm; echo x > doc/other.htm; \
         printf '<a href=\"style/gone.css\">a</a> <a href=\"bay-dor.htm\">b</a>' > doc/index.htm",
        "doc/index.htm bay-dor.htm → bay-door.htm!",
    );
    // The name of a package of the project, and of an entry of one.
    let packages = "mkdir -p packages/records/src packages/app/src; echo '{\"workspaces\": [\"packages/*\"]}' > package.json; \
                    echo '{\"name\": \"@x/records\", \"exports\": {\".\": \"./dist/index.js\", \"./svelte\": \"./dist/svelte.js\"}}' > packages/records/package.json; \
                    echo '{\"name\": \"@x/app\"}' > packages/app/package.json; echo 'export const a = 1' > packages/records/src/index.ts; \
                    echo 'export const b = 1' > packages/records/src/svelte.ts; ";
    let import = |from: &str| format!("{packages} echo \"import {{ a }} from '{from}'\" > packages/app/src/m.ts");
    check(&import("@x/recrds"), "packages/app/src/m.ts @x/recrds → @x/records!");
    check(&import("@x/records/svete"), "packages/app/src/m.ts @x/records/svete → @x/records/svelte!");
    check(
        "mkdir css; echo 'a {}' > css/mixins.css.scss; echo '@import \"mixns\";' > css/main.scss",
        "css/main.scss mixns → mixins!",
    );
}
