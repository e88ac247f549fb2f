//! Tests of the JSON checker: resolved, missing and undecidable paths.

use proptest::prelude::*;

use crate::testing::{check, severities};

#[test]
fn reads_the_directories_of_patterns_that_moved() {
    let tree = "ts/a.ts\nb/x.ts\nmoved src ts\nmoved src/a.ts ts/a.ts";
    check(
        tree,
        "tsconfig.json",
        r#"{ "include": ["./src/**/*", "ts/*.ts", "b/**/*", "src/*.tsx", "c/**/*"] }"#,
        "json.tsconfig.include ./src → moved
         json.tsconfig.include ts → ts
         json.tsconfig.include b/**/* → b/x.ts
         json.tsconfig.include src → moved
         json.tsconfig.include c/**/* → missing",
    );
}

#[test]
fn checks_tsconfig() {
    let tree = "src/a.ts\ntsconfig.base.json\npkg/a/tsconfig.json\npkg/b/x.ts\nsrc/lib/index.ts\nignore .nuxt";
    check(
        tree,
        "tsconfig.json",
        r#"{ // with comments
  "extends": ["./tsconfig.base", "./gone.json", "@tsconfig/node18/tsconfig.json", "./.nuxt/tsconfig.json"],
  "files": ["src/a.ts", "src/b.ts"],
  "include": ["src", "old/vite.config.ts", "src/**/*.ts", "gone/**/*", "${configDir}/x"],
  "references": [{ "path": "./pkg/a" }, { "path": "pkg/a/tsconfig.json" }, { "path": "./pkg/b" }, { "path": "pkg/a/x.ts" }],
  "exclude": ["dist", "nothing/here"], "compilerOptions": { "outDir": "./dist", "paths": { "x": ["./gone"] } },
}"#,
        "json.tsconfig.extends ./tsconfig.base → tsconfig.base.json
         json.tsconfig.extends ./gone.json → missing
         json.tsconfig.extends @tsconfig/node18/tsconfig.json → unknown not-installed
         json.tsconfig.extends ./.nuxt/tsconfig.json → unknown ignored
         json.tsconfig.files src/a.ts → src/a.ts
         json.tsconfig.files src/b.ts → missing
         json.tsconfig.include src → src
         json.tsconfig.include old/vite.config.ts → missing
         json.tsconfig.include src/**/*.ts → src/a.ts
         json.tsconfig.include gone/**/* → missing
         json.tsconfig.include ${configDir}/x → unknown dynamic
         json.tsconfig.references ./pkg/a → pkg/a/tsconfig.json
         json.tsconfig.references pkg/a/tsconfig.json → pkg/a/tsconfig.json
         json.tsconfig.references ./pkg/b → missing
         json.tsconfig.references pkg/a/x.ts → missing
         json.tsconfig.paths ./gone → unknown undecided",
    );
    check(
        "src/a.ts\nsrc/lib/index.ts\nconf/base.json = {\"compilerOptions\": {\"baseUrl\": \"../src\"}}\nconf/none.json = {}",
        "jsconfig.json",
        r#"{"extends": "./conf/none.json", "compilerOptions": {"paths": {
    "@lib": ["./src/lib"], "@a": ["./src/gone", "./src/a"], "@gone": ["./gone"], "@/*": ["./none/*"] } } }"#,
        "json.tsconfig.extends ./conf/none.json → conf/none.json
         json.tsconfig.paths ./src/lib → src/lib
         json.tsconfig.paths ./src/gone → unknown optional
         json.tsconfig.paths ./src/a → src/a.ts
         json.tsconfig.paths ./gone → missing
         json.tsconfig.paths ./none/* → unknown undecided",
    );
    check(
        "src/a.ts\nconf/base.json = {\"compilerOptions\": {\"baseUrl\": \"../src\"}}",
        "tsconfig.json",
        r#"{"extends": "./conf/base.json", "compilerOptions": {"paths": {"a": ["a"], "b": ["gone"]}}}"#,
        "json.tsconfig.extends ./conf/base.json → conf/base.json
         json.tsconfig.paths a → src/a.ts
         json.tsconfig.paths gone → missing",
    );
}

/// fallow#757, #725: files of packages are built, and 6,335 findings were false. A published package lacks files
/// outside of it; a private package need not be published.
#[test]
fn flags_targets_outside_the_package() {
    let tree = "shared/index.js\npackages/a/index.js";
    let path = "packages/a/package.json";
    let missing = "json.package.main ../../shared/index.js → outside-package-target";
    check(tree, path, "{\"name\": \"a\", \"main\": \"../../shared/index.js\"}", missing);
    let found = "json.package.main ../../shared/index.js → shared/index.js";
    check(tree, path, "{\"name\": \"a\", \"private\": true, \"main\": \"../../shared/index.js\"}", found);
    check(tree, path, "{\"main\": \"../../shared/index.js\"}", found);
    let inside = "json.package.main ./index.js → packages/a/index.js";
    check(tree, path, "{\"name\": \"a\", \"main\": \"./index.js\"}", inside);
}

#[test]
fn checks_pictures_of_extensions() {
    check(
        "images/a.svg",
        "package.json",
        r#"{"engines": {"vscode": "1"}, "contributes": {"commands": [{"icon": {"light": "images/a.svg", "dark": "images/gone.svg"}}, {"icon": "$(x)"}],
"languages": [{"icon": {"light": "./made/a.svg"}}], "viewsContainers": {"activitybar": [{"icon": "images/gone2.svg"}, {"icon": "$(book)"}]}}}"#,
        "json.package.contributes images/a.svg → images/a.svg
         json.package.contributes images/gone.svg → missing
         json.package.contributes ./made/a.svg → unknown produced
         json.package.contributes images/gone2.svg → missing
         json.package.contributes $(book) → unknown dynamic",
    );
}

#[test]
fn leaves_patterns_of_the_shell() {
    let text = r#"{"entryPoints": ["packages/!(x|y)", "packages/gone"]}"#;
    let rows =
        "json.typedoc.entryPoints packages/!(x|y) → unknown dynamic\njson.typedoc.entryPoints packages/gone → missing";
    check("packages/x/a.ts", "typedoc.json", text, rows);
}

/// No build creates a source of TypeScript.
#[test]
fn reports_moved_sources_of_a_package() {
    check(
        "src/new/a.ts\nmoved src/old/a.ts src/new/a.ts",
        "package.json",
        r#"{"exports": {"import": "./src/old/a.ts", "types": "./src/old/b.ts"}}"#,
        "json.package.exports ./src/old/a.ts → moved
         json.package.exports ./src/old/b.ts → unknown produced",
    );
}

#[test]
fn accepts_package_output() {
    check(
        "src/index.jsx\nsrc/other.ts\nlib/x.js\npackages/core/package.json\nsibling/a",
        "package.json",
        r#"{"main": "./dist/index.js", "module": "lib/index.mjs", "types": "./src/other.d.ts", "bin": {"x": "./bin/x.js"},
"exports": {".": {"import": "./dist/index.mjs", "types": "./dist/index.d.ts"}, "./a/*": "./dist/*.js"},
"imports": {"\#nitro": "pkg", "\#x": "./build/x.js"}, "browser": "x",
"files": ["dist", "lib", "!lib", "README.md"], "workspaces": ["packages/*", "packages/core", "packages/gone"],
"dependencies": {"a": "file:sibling", "b": "link:../out", "c": "workspace:*", "d": "file:./gone", "e": "^1.0.0"},
"scripts": {"build": "./x.sh", "prepack": "cp ../README.md ."}}"#
            .replace("\\#", "#")
            .as_str(),
        "json.package.main ./dist/index.js → unknown produced
         json.package.module lib/index.mjs → unknown produced
         json.package.types ./src/other.d.ts → unknown produced
         json.package.bin ./bin/x.js → unknown produced
         json.package.exports ./dist/index.mjs → unknown produced
         json.package.exports ./dist/index.d.ts → unknown produced
         json.package.exports ./a/* → unknown elsewhere
         json.package.exports ./dist/*.js → unknown undecided
         json.package.imports ./build/x.js → unknown produced
         json.package.files dist → missing
         json.package.files lib → lib
         json.package.files !lib → lib
         json.package.files README.md → unknown produced
         json.package.workspaces packages/* → packages/core
         json.package.workspaces packages/core → packages/core
         json.package.workspaces packages/gone → missing
         json.package.dependency file:sibling → sibling
         json.package.dependency link:../out → unknown outside
         json.package.dependency file:./gone → unknown produced
         json.package.script ./x.sh → unknown produced",
    );
}

#[test]
fn checks_package_sources() {
    check(
        "examples/a/src/index.jsx\npackages/core/x",
        "examples/a/package.json",
        r#"{"main": "src/index.js", "repository": {"directory": "packages/ref"}, "rome": {"extends": "../../gone.json"}}"#,
        "json.package.main src/index.js → missing
         json.package.directory packages/ref → missing
         json.extends ../../gone.json → missing",
    );
    // The directory of another package that moved is copied from there.
    check(
        "moved packages/local packages/providers/local\npackages/providers/local/a.js\npackages/providers/cloud/a.js",
        "packages/providers/cloud/package.json",
        r#"{"repository": {"directory": "packages/local"}}"#,
        "json.package.directory packages/local → missing",
    );
    // A package above is in the repository that it names.
    let url = r#""url": "git+https://example.org/a.git""#;
    let above = |directory: &str| {
        let text = format!(r#"{{"repository": {{{url}, "directory": "{directory}"}}}}"#);
        check(
            &format!("core/package.json = {text}\ncore/npm/x/a.js"),
            "core/npm/x/package.json",
            &format!(r#"{{"repository": {{{url}, "directory": "old/core/npm/x"}}}}"#),
            if directory == "core" {
                "json.package.directory old/core/npm/x → missing"
            } else {
                "json.package.directory old/core/npm/x → unknown elsewhere"
            },
        );
    };
    above("core");
    above("old/core");
    // A vendored package names the directory of its own repository.
    check(
        "third/x",
        "third/package.json",
        r#"{"main": "index.js", "repository": {"directory": "packages/third"}}"#,
        "json.package.main index.js → unknown produced
         json.package.directory packages/third → unknown elsewhere",
    );
    check(
        "packages/core/x",
        "package-lock.json",
        r#"{"packages": {"": {}, "node_modules/@a/core": {"resolved": "packages/core", "link": true},
"node_modules/@a/old": {"resolved": "packages/old", "link": true},
"node_modules/b": {"resolved": "https://registry.npmjs.org/b.tgz"}}}"#,
        "json.lock.resolved packages/core → packages/core
         json.lock.resolved packages/old → missing",
    );
}

#[test]
fn checks_composer() {
    check(
        "src/A.php\nbin/run\nsrc/helpers.php",
        "composer.json",
        r#"{"autoload": {"psr-4": {"A\\": "src/", "B\\": ["src/", "old/"]}, "files": ["src/helpers.php", "src/gone.php", "vendor/a/b.php"],
"exclude-from-classmap": ["gone/"]}, "bin": ["bin/run", "bin/old"],
"scripts": {"a": "bin/old", "b": "@php bin/none", "c": ["phpunit", "A\\B::c", "vendor/bin/x"], "d": "gone/x"}}"#,
        "json.composer.psr4 src/ → src
         json.composer.psr4 src/ → src
         json.composer.psr4 old/ → missing
         json.composer.files src/helpers.php → src/helpers.php
         json.composer.files src/gone.php → missing
         json.composer.files vendor/a/b.php → unknown not-installed
         json.composer.bin bin/run → bin/run
         json.composer.bin bin/old → missing
         json.composer.script bin/old → missing",
    );
}

#[test]
fn checks_editor_files() {
    check(
        "packages/core/x.js\nsrc/a.js",
        ".vscode/launch.json",
        r#"{"configurations": [
{"program": "${workspaceFolder}/src/a.js", "cwd": "${workspaceFolder}/packages/old"},
{"program": "${workspaceFolder}/src/gone.js", "cwd": "${fileDirname}"},
{"program": "${workspaceFolder}/out/a.js"}, {"program": "${workspaceFolder}/target/debug/a"},
{"program": "${workspaceFolder}/bin/debug/a", "cwd": "${workspaceFolder}/bin/debug"}, {"program": "a", "cwd": "bin/b"},
{"runtimeArgs": ["run", "-w", "packages/server", "-w", "packages/core", "packages/none"]}]}"#,
        "json.vscode.program ${workspaceFolder}/src/a.js → src/a.js
         json.vscode.cwd ${workspaceFolder}/packages/old → missing
         json.vscode.program ${workspaceFolder}/src/gone.js → missing
         json.vscode.cwd ${fileDirname} → unknown dynamic
         json.vscode.program ${workspaceFolder}/out/a.js → unknown produced
         json.vscode.cwd ${workspaceFolder}/bin/debug → unknown produced
         json.vscode.cwd bin/b → missing
         json.vscode.args packages/server → missing
         json.vscode.args packages/core → packages/core",
    );
    check(
        "Dockerfile\n.devcontainer/x.yml",
        ".devcontainer/devcontainer.json",
        r#"{"build": {"dockerfile": "../Dockerfile", "context": ".."}, "dockerComposeFile": ["x.yml", "y.yml"]}"#,
        "json.devcontainer.dockerfile ../Dockerfile → Dockerfile
         json.devcontainer.context .. → .
         json.devcontainer.compose x.yml → .devcontainer/x.yml
         json.devcontainer.compose y.yml → missing",
    );
}

#[test]
fn checks_references() {
    let tree = "schemas/a.json\nschemas/b c.json";
    check(
        tree,
        "api/openapi.json",
        r##"{"a": {"$ref": "../schemas/a.json#/definitions/x"}, "b": [{"$ref": "gone.json"}], "c": {"$ref": "#/x"},
"d": {"$ref": "https://a/b.json"}, "e": {"$ref": "../schemas/b%20c.json"}, "f": {"$ref": "Pet"}, "properties": {"$ref": {"type": "string"}}}"##,
        "json.ref ../schemas/a.json#/definitions/x → schemas/a.json
         json.ref gone.json → missing
         json.ref https://a/b.json → unknown elsewhere
         json.ref ../schemas/b%20c.json → schemas/b c.json"
            .replace("         json.ref https://a/b.json → unknown elsewhere\n", "")
            .as_str(),
    );
    // References of a schema with an identifier are relative to that.
    check(
        tree,
        "schemas/c.json",
        r#"{"$id": "https://a/b/c.json", "$ref": "elsewhere.json", "x": {"$ref": "a.json"}}"#,
        "json.ref elsewhere.json → unknown undecided
         json.ref a.json → schemas/a.json",
    );
    check(
        tree,
        "x/any.options.json",
        r#"{"$schema": "../schemas/a.json", "file": "gone/away.json", "path": "./gone"}"#,
        "json.schema ../schemas/a.json → schemas/a.json",
    );
    check(tree, "any.json", r#"{"$schema": "./gone.json"}"#, "json.schema ./gone.json → missing");
    check(
        tree,
        "any.jsonc",
        r#"{"$schema": "./node_modules/nx/schemas/x.json"}"#,
        "json.schema ./node_modules/nx/schemas/x.json → unknown produced",
    );
    check(tree, "any.json", r#"{"$schema": "https://json.schemastore.org/x"}"#, "");
}

#[test]
fn checks_tools() {
    check(
        "examples/react/basic/x\npackages/a/package.json\nconfig/eslint.js",
        ".codesandbox/ci.json",
        r#"{"sandboxes": ["/examples/react/basic", "/examples/basic", "react-typescript-ts"]}"#,
        "json.codesandbox.sandboxes /examples/react/basic → examples/react/basic
         json.codesandbox.sandboxes /examples/basic → missing",
    );
    check(
        "packages/a/package.json",
        ".github/renovate.json5",
        "{packageRules: [{matchFileNames: ['packages/a/package.json', 'packages/b/package.json', '**/x.json']}], extends: ['config:base']}",
        "json.renovate.files packages/a/package.json → packages/a/package.json
         json.renovate.files packages/b/package.json → missing",
    );
    check(
        "config/eslint.js",
        ".eslintrc.json",
        r#"{"root": true, "extends": ["eslint:recommended", "./config/eslint", "./config/gone"], "plugins": ["x"]}"#,
        "json.extends eslint:recommended → unknown not-installed
         json.extends ./config/eslint → config/eslint.js
         json.extends ./config/gone → missing",
    );
    check(
        "apps/web/src/main.ts\nnx.json",
        "apps/web/project.json",
        r#"{"sourceRoot": "apps/web/src", "targets": {"build": {"options": {"main": "apps/web/src/main.ts", "tsConfig": "apps/web/tsconfig.app.json",
"outputPath": "dist/apps/web", "assets": ["{projectRoot}/x"], "polyfills": ["zone.js"]}}}}"#,
        "json.nx.sourceRoot apps/web/src → apps/web/src
         json.nx.options apps/web/src/main.ts → apps/web/src/main.ts
         json.nx.options apps/web/tsconfig.app.json → missing",
    );
}

#[test]
fn skips_data_and_broken_files() {
    check("", "data.json", r#"{"path": "./gone.txt", "file": "a/b.md", "main": "x/y.js"}"#, "");
    check("", "tsconfig.json", r#"{"extends": "./gone.json""#, "");
    check("", "tsconfig.json", "", "");
    check("", "tsconfig.json", r#"["./gone"]"#, "");
    check("", "package.json", r#"{"main": 1, "files": {}, "bin": null, "workspaces": true}"#, "");
}

/// False reports in real repositories: `TanStack/query`, `astral-sh/ruff`, `prometheus/prometheus`, and the test data
/// of biome and buf.
#[test]
fn gives_hints_for_uncertain_paths() {
    let check = |path: &str, contents: &str, expect: &[&str]| {
        assert_eq!(severities("src/a.ts\npackages/x", path, contents), expect, "{path} {contents}");
    };
    check("tsconfig.json", r#"{"include": ["src/b.ts", "vite.config.ts"]}"#, &["warning", "warning"]);
    check("tsconfig.json", r#"{"include": ["test", "env.d.ts", "types/", "x/**/*"]}"#, &["hint"; 4]);
    check("tsconfig.json", r#"{"files": ["src/b.ts"]}"#, &["error"]);
    check("a/testdata/b/tsconfig.json", r#"{"files": ["src/b.ts"]}"#, &["hint"]);
    check("a/tests/paths/valid/tsconfig.json", r#"{"extends": "./gone.json"}"#, &["hint"]);
    check("tests/tsconfig.json", r#"{"extends": "./gone.json"}"#, &["error"]);
    check("a/fixtures/b.json", r#"{"$schema": "../gone.json"}"#, &["warning"]);
    check(
        "angular.json",
        r#"{"projects": {"a": {"architect": {"build": {"options": {"assets": ["src/assets"]}}}}}}"#,
        &["hint"],
    );
    check(
        "angular.json",
        r#"{"projects": {"a": {"architect": {"build": {"options": {"main": "src/main.ts"}}}}}}"#,
        &["warning"],
    );
    check(
        "angular.json",
        r#"{"projects": {"a": {"architect": {"build": {"options": {"stylePreprocessorOptions": {"includePaths": ["src/styles", "node_modules/x"]}}}}}}}"#,
        &["warning"],
    );
    check("package.json", r#"{"files": ["dist"]}"#, &["hint"]);
    // tauri: generated schemas, and templates; kaniko: vendored projects.
    check("a/b.json", r#"{"$schema": "../gen/schemas/x.json"}"#, &[]);
    check("cli/templates/a/tsconfig.json", r#"{"extends": "./gone.json"}"#, &["hint"]);
    check("vendor/a/b/tsconfig.json", r#"{"extends": "./gone.json"}"#, &["hint"]);
}

#[test]
fn accepts_packages_that_are_built() {
    // wasm-pack creates a package inside a package.
    check(
        "web/package.json\nsrc/index.ts",
        "web/package-lock.json",
        r#"{"packages": {"a": {"resolved": "wasm", "link": true}, "b": {"resolved": "../gone", "link": true}}}"#,
        "json.lock.resolved wasm → unknown produced\njson.lock.resolved ../gone → unknown produced"
            .replace("../gone → unknown produced", "../gone → missing")
            .as_str(),
    );
    check(
        "src/a.js",
        "package.json",
        r#"{"types": "src/index.d.ts"}"#,
        "json.package.types src/index.d.ts → unknown produced",
    );
    check(
        "",
        "composer.json",
        r#"{"autoload": {"psr-4": {"A": "src/"}}}"#,
        "json.composer.psr4 src/ → unknown optional",
    );
    check(
        "a.php",
        "composer.json",
        r#"{"autoload": {"psr-4": {"A": "tmp"}}}"#,
        "json.composer.psr4 tmp → unknown produced",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn accepts_any_text(text in r#"([\[\]{}"':,\\/\r\n*.$-]|"files"|"main"|"extends"|"\$ref"|"paths"|"compilerOptions"|"../a\.json"|"\\u00e9"|é|//|/\*|"x/y"){0,40}"#) {
        for path in ["tsconfig.json", "a/package.json", "composer.json", ".vscode/launch.json", "x/any.json", "angular.json"] {
            crate::testing::assert_ranges_valid(path, &text);
        }
    }

    /// Well-formed text reaches the checks.
    #[test]
    fn accepts_any_value(value in r"[a-zé/.*{}\[\]$:#?!@\\\\-]{0,12}") {
        let value = escape_backslashes(&value);
        for (path, text) in [
            ("tsconfig.json", format!(r#"{{"extends": "{value}", "files": ["{value}"], "references": [{{"path": "{value}"}}], "compilerOptions": {{"paths": {{"a": ["{value}"]}}}}}}"#)),
            ("a/package.json", format!(r#"{{"main": "{value}", "exports": "{value}", "files": ["{value}"], "dependencies": {{"a": "file:{value}"}}, "workspaces": ["{value}"]}}"#)),
            ("x/any.json", format!(r#"{{"$ref": "{value}", "a": {{"$ref": "{value}.json#/x"}}, "$schema": "{value}"}}"#)),
            (".vscode/launch.json", format!(r#"{{"configurations": [{{"program": "{value}.js", "cwd": "{value}"}}]}}"#)),
            ("composer.json", format!(r#"{{"autoload": {{"files": ["{value}"]}}, "scripts": {{"a": "{value}"}}}}"#)),
        ] {
            crate::testing::assert_ranges_valid(path, &text);
        }
    }
}

/// Escapes backslashes.
fn escape_backslashes(text: &str) -> String {
    text.replace('\\', "\\\\")
}

/// Checking takes little time for any text, even on one long line.
#[test]
fn checks_large_and_deep_text() {
    let many = format!(r#"{{"files": [{}"x"]}}"#, r#""gone/a.ts","#.repeat(60_000));
    crate::testing::assert_ranges_valid("tsconfig.json", &many);
    crate::testing::assert_ranges_valid("tsconfig.json", &"[".repeat(1_000_000));
    crate::testing::assert_ranges_valid("tsconfig.json", &format!("{}1{}", "[".repeat(400), "]".repeat(400)));
    crate::testing::assert_ranges_valid("a.json", &format!("{}1{}", r#"{"$ref":"#.repeat(400), "}".repeat(400)));
}

#[test]
fn checks_turbo() {
    check(
        "tsconfig.json\nweb/package.json",
        "turbo.json",
        r#"{"extends": ["//"], "globalDependencies": ["tsconfig.json", "gone.json", "**/.env.*local", ".env", "!x", "$TURBO_ROOT$/x"],
            "tasks": {"build": {"outputs": ["dist/**"], "inputs": ["none.txt"]}}}"#,
        "json.turbo.global-dependencies tsconfig.json → tsconfig.json
         json.turbo.global-dependencies gone.json → missing",
    );
}
