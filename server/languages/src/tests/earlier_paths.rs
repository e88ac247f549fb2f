//! Tests of the lookup from earlier paths of a file.

use crate::testing::{check, severities};

#[test]
fn reports_relative_paths_of_a_moved_file() {
    // The target stayed, even if the literal now leads out of the root.
    check(
        "Cargo.toml\nb/c.md\nmoved a/b/README.md a/README.md",
        "a/README.md",
        "[x](../../Cargo.toml) [y](../../gone.toml) [z](../b/c.md) [s](README.md)",
        "md.link ../../Cargo.toml → moved
         md.link ../../gone.toml → unknown outside
         md.link ../b/c.md → b/c.md
         md.link README.md → a/README.md",
    );
    check(
        "src/index.ts\nmoved tests/a.spec.ts tests/a/a.spec.ts",
        "tests/a/a.spec.ts",
        "import a from '../src'; import b from '../gone'; import c from 'src'",
        "ts.import ../src → moved
         ts.import ../gone → missing
         ts.import src → unknown not-installed",
    );
    // An optional include that worked from the earlier path is broken by the move.
    check(
        "Cargo.toml\nicon.png\nsrc/lib.rs\nmoved src/window.rs src/display/window.rs",
        "src/display/window.rs",
        "#[cfg(feature = \"x\")] const A: &[u8] = include_bytes!(\"../icon.png\");\n#[cfg(feature = \"x\")] const B: &[u8] = include_bytes!(\"../made.png\");",
        "rust.include ../icon.png → moved
         rust.include ../made.png → unknown optional",
    );
    // The target moved too, with another name.
    check(
        "src/linux-calls.h\nmoved src/linux/calls.c src/linux-calls.c\nmoved src/linux/calls.h src/linux-calls.h",
        "src/linux-calls.c",
        "#include \"calls.h\"\n#include <stdio.h>\n#include \"other.h\"\n",
        "c.include calls.h → moved
         c.include_angle stdio.h → unknown elsewhere
         c.include other.h → unknown elsewhere",
    );
    // Most links of the page are broken by its move.
    let rows = |line: &str| (0..12).map(|at| line.replace('#', &at.to_string())).collect::<Vec<_>>().join("\n");
    let (links, files) = (rows("[x](#.md)"), rows("docs/#.md"));
    let (moved, undecided) = (rows("md.link #.md → moved"), rows("md.link #.md → unknown undecided"));
    check(&format!("{files}\nmoved docs/a.md a.md"), "a.md", &links, &moved);
    check(&files, "a.md", &links, &undecided);
    // The targets of most links of the page moved.
    check(&format!("{files}\n{}", rows("moved #.md docs/#.md")), "a.md", &links, &moved);
    // Another file was moved to this directory.
    check(
        "Cargo.toml\nmoved a/b/x.md a/x.md",
        "a/README.md",
        "[x](../../Cargo.toml)",
        "md.link ../../Cargo.toml → unknown outside",
    );
}

#[test]
fn says_nothing_of_what_an_earlier_path_does_not_tell() {
    // The file itself, where another file is now.
    check("docs/a/x.md\nmoved docs/a/x.md docs/b.md", "docs/b.md", "[x](./x.md)", "md.link ./x.md → missing");
    // Declarations are read where the package is installed, templates of issues in the issue.
    let declared = |old: &str, expect: &str| {
        let tree = format!("src/declared/types.ts\nmoved src/declared/core/index{old} src/internal/core/index.d.ts");
        check(&tree, "src/internal/core/index.d.ts", "import a from '../types'", expect);
    };
    declared(".d.ts", "ts.import ../types → moved");
    declared(".ts", "ts.import ../types → missing");
    let template = "CONTRIBUTING.md\nmoved PULL_REQUEST_TEMPLATE.md .github/PULL_REQUEST_TEMPLATE.md";
    let link = "[x](./CONTRIBUTING.md)";
    check(template, ".github/PULL_REQUEST_TEMPLATE.md", link, "md.link ./CONTRIBUTING.md → unknown undecided");
    // A package imports its modules by its own name.
    check(
        "app/__init__.py\napp/new/base.py\nmoved app/old/__init__.py app/new/__init__.py\nmoved app/old/base.py app/new/base.py",
        "app/new/__init__.py",
        "from app.old import base\n",
        "py.import app.old → moved",
    );
    // Nothing includes itself: a library has the name as well. A page can link to itself, and a configuration name itself.
    let own = "src/x.md\nmoved src/Thread.h src/OSThread.h\nmoved src/old.md src/new.md";
    check(own, "src/OSThread.h", "#include \"Thread.h\"", "c.include Thread.h → unknown elsewhere");
    check(own, "src/other.h", "#include \"Thread.h\"", "c.include Thread.h → moved");
    check(own, "src/new.md", "[x](old.md)", "md.link old.md → moved");
    // A search path.
    check(
        "src/targets/pc/core/backend.h\nsrc/targets/android/core/backend.h\nmoved src/targets/pc/core/log.h src/core/log.h",
        "src/core/log.h",
        "#include \"core/backend.h\"",
        "c.include core/backend.h → unknown undecided",
    );
    // The path leads there already.
    check(
        "web/typings.d.ts\nmoved old/typings.d.ts web/typings.d.ts\nmoved old/tsconfig.json web/tsconfig.json",
        "web/tsconfig.json",
        "{\"compilerOptions\": {\"typeRoots\": [\"./typings.d.ts\"]}}",
        "json.tsconfig.typeRoots ./typings.d.ts → web/typings.d.ts",
    );
    // A rule has the same target and doubts it.
    check(
        "Cargo.toml = package.name = 'a'\nbenches-off/marks/mod.rs\nmoved benches/main_.rs benches-off/main_.rs\n\
         moved benches/marks/mod.rs benches-off/marks/mod.rs",
        "benches-off/main_.rs",
        "mod marks;",
        "rust.mod marks → unknown undecided",
    );
}

/// A file that became a template is laid out elsewhere; code in a directory of that name is a framework's.
#[test]
fn leaves_what_became_a_template() {
    let tree = "linux/main.cc\nsrc/part.js\nmoved linux/CMakeLists.txt setup/templates/linux/CMakeLists.txt\nmoved src/page.js src/templates/page.js";
    check(
        tree,
        "setup/templates/linux/CMakeLists.txt",
        "add_executable(app main.cc)",
        "cmake.source main.cc → missing",
    );
    check(tree, "src/templates/page.js", "import './part';", "js.import ./part → moved");
}

/// The tree before the move decides where a literal led, and not its form.
#[test]
fn reports_literals_that_led_to_a_moved_file() {
    check(
        "x.gemspec\nlib/b/cli.rb\nlib/b/c.rbi\nmoved lib/a/cli.rb lib/b/cli.rb\nmoved lib/a/c.rb lib/b/c.rbi",
        "lib/b.rb",
        "require 'a/cli'\nrequire 'a/gone'\nrequire 'a/c'\n",
        "ruby.require a/cli → moved
         ruby.require a/gone → unknown elsewhere
         ruby.require a/c → unknown elsewhere",
    );
    // A package that is installed can have the name.
    check(
        "package.json = {\"dependencies\": {\"cookie\": \"1\"}}\ntsconfig.esm.json = {\"compilerOptions\": {\"baseUrl\": \"src\"}}\n\
         src/cookies.ts\nmoved src/cookie.ts src/cookies.ts\nmoved src/own.ts src/owned.ts\nsrc/owned.ts",
        "src/a.ts",
        "import 'cookie';\nimport 'own';\n",
        "ts.import cookie → unknown not-installed
         ts.import own → moved",
    );
}

#[test]
fn raises_hints_in_samples_by_target() {
    let tree = "src/b.js\nspecs/y.js\nmoved src/a.js src/b.js\nmoved specs/x.js specs/y.js";
    let text = "require('../src/a'); require('./x'); require('./gone')";
    assert_eq!(severities(tree, "specs/z.js", text), ["warning", "hint", "hint"]);
    assert_eq!(severities(tree, "vendor/z.js", text), ["hint", "hint", "hint"]);
    // Gatsby has the components of pages in `templates`.
    let tree = "web/templates/y.js\nmoved web/templates/x.js web/templates/y.js\n\
                fixtures/templates/y.js\nmoved fixtures/templates/x.js fixtures/templates/y.js";
    let text = "require('./x'); require('./gone')";
    assert_eq!(severities(tree, "web/templates/z.js", text), ["warning", "hint"]);
    assert_eq!(severities(tree, "fixtures/templates/z.js", text), ["hint", "hint"]);
}

/// A rule could not tell whether these exist; that a commit moved them is known.
#[test]
fn reports_moves_of_what_a_rule_cannot_place() {
    // An optional construct.
    check(
        "Gemfile = gem 'own', path: '.'\nlib/own.rb\nlib/own/http_server/app.rb\nmoved lib/own/http/app.rb lib/own/http_server/app.rb",
        "lib/own.rb",
        "begin\n  require 'own/http/app'\n  require 'own/http/gone'\n  require 'own/http_server/app'\nrescue LoadError\nend\n",
        "ruby.require own/http/app → moved
         ruby.require own/http/gone → unknown optional
         ruby.require own/http_server/app → lib/own/http_server/app.rb",
    );
    // The site's root.
    check(
        "dist/new.js\ndist/new.html\nmoved dist/old.js dist/new.js\nmoved dist/old.html dist/new.html",
        "test/page/index.html",
        "<script src=\"/dist/old.js\"></script><script src=\"/dist/gone.js\"></script><a href=\"/dist/old.html\">x</a>",
        "html.src /dist/old.js → moved
         html.src /dist/gone.js → unknown undecided
         html.href /dist/old.html → unknown undecided",
    );
    // A translation.
    check(
        "README.zh-TW.md\nmoved README_zh-TW.md README.zh-TW.md",
        "README.md",
        "[zh](./README_zh-TW.md) [de](./README_de.md)",
        "md.link ./README_zh-TW.md → moved
         md.link ./README_de.md → unknown undecided",
    );
    // A script of the project names the file.
    check(
        "build.js = write('lib/check.js'); write('lib/made.js')\nlib/new-check.js\nmoved lib/check.js lib/new-check.js",
        "lib/a.js",
        "require('./check'); require('./made');",
        "js.require ./check → moved
         js.require ./made → unknown produced",
    );
    // From its earlier path, the file named another.
    check(
        "bench/build.js = write('lib/tree.js')\nlib/tree.js\nbench/core/a.js\nmoved bench/a.js bench/core/a.js",
        "bench/core/a.js",
        "require('../lib/tree.js')",
        "js.require ../lib/tree.js → moved",
    );
}

/// Headers below a condition, and directories that are packages without a file.
#[test]
fn reports_moves_of_headers_and_packages() {
    check(
        "src/tcp.cpp\nsrc/stream_engine.hpp\nmoved src/tcp_engine.hpp src/stream_engine.hpp",
        "src/a.cpp",
        "#ifdef HAVE_TCP\n#include \"tcp_engine.hpp\"\n#include \"gone_engine.hpp\"\n#endif\n",
        "c.include tcp_engine.hpp → moved
         c.include gone_engine.hpp → unknown optional",
    );
    check(
        "docs_src/options/callback/a.py\ndocs_src/options_completion/a.py\nmoved docs_src/options/completion docs_src/options_completion",
        "tests/test_a.py",
        "from docs_src.options.completion import a\nfrom docs_src.options.callback import a\n",
        "py.import docs_src.options.completion → moved
         py.import docs_src.options.callback → docs_src/options/callback
         py.import a → docs_src/options/callback/a.py",
    );
}

/// A module of the own package that moved is none of another version.
#[test]
fn reports_moves_of_optional_modules() {
    check(
        "app/__init__.py\napp/new.py\nmoved app/old.py app/new.py",
        "app/a.py",
        "try:\n    from .old import a\n    from .gone import b\nexcept ImportError:\n    pass\n",
        "py.import .old → moved\npy.import .gone → unknown optional",
    );
    check(
        "app/__init__.py\napp/new.py\nmoved app/old.py app/new.py",
        "tests/a.py",
        "try:\n    import yaml\n    from app.old import (\n        a,\n    )\nexcept ImportError:\n    pass\n",
        "py.import yaml → unknown optional\npy.import app.old → moved",
    );
}

/// An address leads to a file, even if a site makes its own routes; one that led to none is not decided.
#[test]
fn reports_moves_of_pages() {
    let tree = "docs/hugo.toml\ndocs/content/topics/old.md\ndocs/content/other.md = ---\\naliases: [/guide/kept]\\n---\\n\n\
                moved docs/content/guide/old.md docs/content/topics/old.md\nmoved docs/content/guide/kept.md docs/content/other.md";
    check(
        tree,
        "docs/content/guide/a.md",
        "[a](./old-page) [b](./old) [c](./kept) [d](/gone/old) [e](/guide/old) [f](/guide/kept)",
        "md.link ./old-page → missing
         md.link ./old → moved
         md.link ./kept → unknown undecided
         md.link /gone/old → unknown undecided
         md.link /guide/old → moved
         md.link /guide/kept → unknown undecided",
    );
}

/// No rule knows the directory that these start from, but they named the file that a recent commit moved, and no other.
#[test]
fn reports_moves_of_files_below_unknown_directories() {
    let tree = "SConstruct\nsrc/lib/audio/map.h\nsrc/lib/audio/new.h\nsrc/lib/node/new.h\nmoved src/lib/audio/old.h src/lib/audio/new.h\n\
                moved src/lib/peer/old.h src/lib/node/new.h\nsrc/lib/node/new.cpp\nmoved src/lib/peer/old.cpp src/lib/node/new.cpp";
    let text = "#include \"audio/map.h\"\n#include \"audio/old.h\"\n#include \"peer/old.h\"\n#include <peer/old.h>\n#include \"peer/gone.h\"\n";
    check(
        tree,
        "src/tools/main.cpp",
        text,
        "c.include audio/map.h → src/lib/audio/map.h
         c.include audio/old.h → moved
         c.include peer/old.h → moved
         c.include_angle peer/old.h → unknown elsewhere
         c.include peer/gone.h → unknown elsewhere",
    );
    // Another first name, and no other literal that leads to a file from there; nor did another header have the name.
    check(tree, "src/tools/a.cpp", "#include \"peer/old.h\"\n", "c.include peer/old.h → moved");
    let two = &format!("{tree}\nother/new.h\nmoved other/peer/old.h other/new.h");
    check(two, "src/tools/a.cpp", "#include \"peer/old.h\"\n", "c.include peer/old.h → unknown elsewhere");
}
