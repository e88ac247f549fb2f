//! Tests of aliases that no configuration names.

use std::fmt::Write as _;

use crate::testing::check;

/// Describes so many modules of a directory, and a script beside a package that imports them by a prefix.
fn uses(package: &str, directory: &str, prefix: &str, count: usize) -> String {
    let mut tree = String::new();
    let mut imports = String::new();
    for index in 0..count {
        let _ = writeln!(tree, "{package}{directory}/f{index}.js");
        let _ = write!(imports, "import '{prefix}/f{index}';\\n");
    }
    format!("{package}package.json = {{}}\n{tree}{package}index.js = {imports}\n")
}

#[test]
fn learns_aliases_from_imports() {
    let tree = uses("", "src/parts", "@app/parts", 160) + "src/x.js\nsrc/other/y.js\nignore src/parts/made";
    check(
        &tree,
        "src/a.js",
        "import '@app/parts/f0'; import '@app/x'; import '@app/parts/gone'; require('@app/parts/F1');\n\
         import '@app/other/gone'; import '@app/none/gone'; import '@app/none';\n\
         import '@app/parts/made'; import '@app/parts/b.generated'; import '@app/parts/gone.svg?raw';",
        "js.import @app/parts/f0 → src/parts/f0.js
         js.import @app/x → src/x.js
         js.import @app/parts/gone → missing
         js.require @app/parts/F1 → case-mismatch
         js.import @app/other/gone → missing
         js.import @app/none/gone → unknown not-installed
         js.import @app/none → unknown not-installed
         js.import @app/parts/made → unknown ignored
         js.import @app/parts/b.generated → unknown produced
         js.import @app/parts/gone.svg?raw → missing",
    );
}

/// Fewer specifiers lead to files by chance, as those of an installed package that nothing declares.
#[test]
fn learns_no_aliases_from_few_imports() {
    check(
        &uses("", "src/lib", "lodash", 7),
        "src/a.js",
        "import 'lodash/f0'; import 'lodash/gone';",
        "js.import lodash/f0 → unknown not-installed\njs.import lodash/gone → unknown not-installed",
    );
}

/// Some files of a theme replace those of an installed one.
#[test]
fn learns_no_aliases_with_other_targets() {
    let tree = uses("", "src/theme/parts", "@theme/parts", 12);
    let few = "import '@theme/parts/gone'; import '@theme/parts/none';";
    let expect = "js.import @theme/parts/gone → missing\njs.import @theme/parts/none → missing";
    check(&(tree.clone() + "src/b.js = import '@theme/parts/f0'"), "src/a.js", &few[..27], &expect[..40]);
    check(
        &tree,
        "src/a.js",
        &format!("{few} import '@theme/parts/third';"),
        "js.import @theme/parts/gone → unknown not-installed
         js.import @theme/parts/none → unknown not-installed
         js.import @theme/parts/third → unknown not-installed",
    );
}

/// The scope of a dependency is that of its own dependencies too, and what is declared is installed.
#[test]
fn leaves_scopes_of_packages_alone() {
    let tree = uses("", "src", "@org", 9).replace("{}", "{\"dependencies\": {\"@org/other\": \"1\"}}");
    check(
        &tree,
        "src/a.js",
        "import '@org/f0'; import '@org/other/gone';",
        "js.import @org/f0 → unknown not-installed\njs.import @org/other/gone → unknown not-installed",
    );
}

#[test]
fn learns_aliases_by_package() {
    let tree = uses("a/", "src/x", "~/x", 20) + &uses("b/", "lib/x", "~/x", 8) + "c/package.json = {}\nb/lib/x/own.js";
    let text = "import '~/x/f0'; import '~/x/own'; import '~/x/gone';";
    check(
        &tree,
        "b/a.js",
        text,
        "js.import ~/x/f0 → b/lib/x/f0.js\njs.import ~/x/own → b/lib/x/own.js\njs.import ~/x/gone → missing",
    );
    // A prefix can lead to a directory of each part, if one package has several.
    check(
        &tree,
        "a/a.js",
        text,
        "js.import ~/x/f0 → a/src/x/f0.js\njs.import ~/x/own → unknown not-installed\njs.import ~/x/gone → missing",
    );
    check(
        &tree,
        "c/a.js",
        text,
        "js.import ~/x/f0 → unknown not-installed
         js.import ~/x/own → unknown not-installed
         js.import ~/x/gone → unknown not-installed",
    );
}

/// A package of few scripts has the aliases of the others, where all lead to one directory.
#[test]
fn learns_aliases_of_all_packages() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let parts = names.map(|name| format!("core/src/parts/{name}.js\n")).concat();
    let package = |name| format!("x{name}/package.json = {{}}\nx{name}/x.js = import 'app/parts/{name}';\n");
    let packages = names.map(package).concat();
    let tree = format!("{parts}{packages}moved core/src/parts/old.js core/src/parts/h.js");
    let text = "import 'app/parts/b'; import 'app/parts/old';";
    let rows = "js.import app/parts/b → core/src/parts/b.js\njs.import app/parts/old → moved";
    check(&tree, "xa/y.js", text, rows);
    // A compiler made the declarations.
    let made = names.map(|name| format!("core/typings/parts/{name}.d.ts\n")).concat();
    check(&format!("{made}{tree}"), "xa/y.js", text, rows);
}

/// Each copy of a project has a directory of its own.
#[test]
fn learns_no_aliases_from_copies() {
    let tree = uses("", "one/parts", "@app/parts", 12) + "two/parts/f0.js\n";
    let text = "import '@app/parts/f0'; import '@app/parts/gone';";
    let expect = "js.import @app/parts/f0 → one/parts/f0.js\njs.import @app/parts/gone → missing";
    check(&tree, "two/a.js", text, expect);
    let tree = tree + &uses("", "two/parts", "@app/parts", 12);
    let expect = "js.import @app/parts/f0 → unknown not-installed\njs.import @app/parts/gone → unknown not-installed";
    check(&tree, "two/a.js", text, expect);
}

/// A relative path is one whatever its names have, and a name with a scheme is none.
#[test]
fn reads_names_with_a_colon() {
    let tree = "js/wire:stream.js\njs/wire-poll.js\nmoved js/wire:poll.js js/wire-poll.js";
    let text = "import './wire:stream'; import './wire:poll'; import 'node:fs';";
    check(
        tree,
        "js/x.js",
        text,
        "js.import ./wire:stream → js/wire:stream.js\njs.import ./wire:poll → moved\njs.import node:fs → unknown elsewhere",
    );
}
