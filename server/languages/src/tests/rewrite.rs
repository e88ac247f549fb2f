//! Tests of `Rewriting`: one missing literal, another target, the new text.

use crate::testing::{MemoryTree, new_project};
use pathfinder_literals::{Checked, Rewriting, Source, Verdict};

/// Passes the one missing literal of a file to `rewrite`.
#[track_caller]
fn with_missing<T>(tree: &str, path: &str, contents: &str, rewrite: impl FnOnce(&Rewriting<'_>, &Checked) -> T) -> T {
    let mut tree = MemoryTree::new(tree);
    tree.add(path, contents);
    let project = new_project(tree);
    let source = Source::new(path, contents.as_bytes()).expect("a text");
    let all = pathfinder_literals::check(&source, &project);
    let missing: Vec<_> = all.iter().filter(|checked| matches!(checked.verdict, Verdict::Missing(_))).collect();
    let [missing] = missing[..] else { panic!("one is missing: {all:?}") };
    rewrite(&Rewriting::new(&source, &project, &all), missing)
}

/// Rewrites the one missing literal of a file for a target and compares the text; `-` for none.
#[track_caller]
fn check(tree: &str, path: &str, contents: &str, target: &str, expect: &str) {
    let rewritten = with_missing(tree, path, contents, |rewriting, missing| rewriting.rewrite(missing, target));
    assert_eq!(rewritten.as_deref().unwrap_or("-"), expect, "{path}: {contents}");
}

/// Rewrites the one missing literal of a file for a target, with its followers, and compares the file; `-` for none.
#[track_caller]
fn check_followers(tree: &str, path: &str, contents: &str, target: &str, expect: &str) {
    let text = with_missing(tree, path, contents, |rewriting, missing| {
        let new = rewriting.rewrite_with_followers(missing, target)?;
        let mut text = contents.to_owned();
        for (range, new) in new.followers.into_iter().rev().chain([(missing.range.clone(), new.literal)]) {
            text.replace_range(range, &new);
        }
        Some(text)
    });
    assert_eq!(text.as_deref().unwrap_or("-"), expect, "{path}: {contents}");
}

/// The new file is in another layout of directories, and says itself what its package is.
#[test]
fn rewrites_imports_by_the_declared_package() {
    check(
        "m/src/main/java/org/k/x/C.kt = package org.k.x\\nclass C\nn/src/common/kotlin/org/k/A.kt = package org.k\\nclass A\n\
         moved m/src/main/java/org/k/x/A.kt n/src/common/kotlin/org/k/A.kt",
        "m/src/main/java/org/l/B.kt",
        "package org.l\nimport org.k.x.A\n",
        "n/src/common/kotlin/org/k/A.kt",
        "org.k.A",
    );
}

/// A full name in code has the package that the new file declares.
#[test]
fn rewrites_full_names_of_types() {
    check(
        "src/main/java/org/x/action/Action.java = package org.x.action;\\nclass Action {}\n\
         moved src/main/java/org/x/Action.java src/main/java/org/x/action/Action.java",
        "src/main/java/org/y/B.java",
        "package org.y;\nclass B extends org.x.Action {}\n",
        "src/main/java/org/x/action/Action.java",
        "org.x.action.Action",
    );
}

/// The directory of the project begins the include, however many are below it.
#[test]
fn keeps_the_first_directory_of_includes() {
    let tree = "CMakeLists.txt = include_directories(libs/b libs/b/include libs/zed/include)\nlibs/zed/include/own/zed/deep/other.h\n\
        libs/b/include/own/b/engine.h\nmoved libs/zed/include/own/zed/deep/engine.h libs/b/include/own/b/engine.h";
    check(
        tree,
        "libs/b/src/a.cpp",
        "#include <own/zed/deep/engine.h>\n",
        "libs/b/include/own/b/engine.h",
        "own/b/engine.h",
    );
}

/// The directory that the include starts from is known only by the file that it led to.
#[test]
fn rewrites_includes_below_an_unknown_directory() {
    let tree = "SConstruct\nsrc/lib/audio/map.h\nsrc/lib/node/new.h\nmoved src/lib/peer/old.h src/lib/node/new.h";
    let text = "#include \"audio/map.h\"\n#include \"peer/old.h\"\n";
    check(tree, "src/tools/main.cpp", text, "src/lib/node/new.h", "node/new.h");
}

#[test]
fn rewrites_names_that_a_rewritten_use_binds() {
    let tree = "Cargo.toml\nsrc/lib.rs = mod a;mod c;\nsrc/c.rs = pub mod new;\nsrc/c/new.rs = pub mod d;\nsrc/c/new/d.rs\n\
                moved src/c/old.rs src/c/new.rs";
    let check = |contents: &str, expect: &str| check_followers(tree, "src/a.rs", contents, "src/c/new.rs", expect);
    check(
        "use crate::c::old;\nfn f() { old::g(); old::h(old::d::i()) }",
        "use crate::c::new;\nfn f() { new::g(); new::h(new::d::i()) }",
    );
    check("use crate::c::old::{self, F};\nfn f() { old::g() }", "use crate::c::new::{self, F};\nfn f() { new::g() }");
    check("use crate::c::old as o;\nfn f() { o::g() }", "use crate::c::new as o;\nfn f() { o::g() }");
}

#[test]
fn rewrites_relative_paths() {
    let tree = "docs/guide/setup.md\ndocs/img/a b.png\nlib/x.md\nsrc/a.css\nsrc/theme/b.css";
    check(tree, "docs/a.md", "[x](setup.md)", "docs/guide/setup.md", "guide/setup.md");
    check(tree, "docs/a.md", "[x](./setup.md)", "docs/guide/setup.md", "./guide/setup.md");
    check(tree, "docs/guide/b.md", "[x](../setup.md)", "docs/guide/setup.md", "./setup.md");
    check(tree, "docs/guide/b.md", "[x](y/setup.md#top)", "docs/guide/setup.md", "setup.md#top");
    // No fix drops an anchor that the new page lacks.
    check("docs/new.md = # New", "docs/b.md", "[x](old.md#gone)", "docs/new.md", "-");
    check("docs/new.md = # New", "docs/b.md", "[x](old.md#new)", "docs/new.md", "new.md#new");
    check(tree, "docs/guide/b.md", "[x](x.md)", "lib/x.md", "../../lib/x.md");
    check(tree, "docs/a.md", "![x](a%20b.png)", "docs/img/a b.png", "img/a%20b.png");
    check(tree, "docs/a.md", "[x](gone.md)", "docs/nothing.md", "-");
    let tree = "js/utils.js\njs/b.js\nc/inc/engine.h";
    check(tree, "js/a/c.js", "require('./../utls.js')", "js/utils.js", "./../utils.js");
    check(tree, "js/a/c.js", "require('../utls.js')", "js/utils.js", "../utils.js");
    check(tree, "c/src/a.c", "#include \"../inc/engin.h\"\n", "c/inc/engine.h", "../inc/engine.h");
    // A header that was found by an include directory stays so written if the other directory is an include directory too.
    let tree = "CMakeLists.txt = include_directories(x/old x/new)\nx/old/other.h\nx/new/sequence.h\nmoved x/old/matches.h x/new/sequence.h";
    check(tree, "tests/a.c", "#include \"matches.h\"\n", "x/new/sequence.h", "sequence.h");
    // Only the name changes, even if there is a shorter path.
    check(
        "docs/guide/setup.md",
        "docs/guide/b.md",
        "[x](../guide/setpu.md)",
        "docs/guide/setup.md",
        "../guide/setup.md",
    );
    // The include directories are not known, but they are the same as for the mistyped name.
    check("deps/clar/clar_lib.h", "tests/a.c", "#include \"clra_lib.h\"\n", "deps/clar/clar_lib.h", "clar_lib.h");
}

#[test]
fn keeps_omitted_endings() {
    let tree = "scss/util/_tools.scss\nscss/_all.scss\nscss/mix/_index.scss\nzig/src/lex.zig";
    check(tree, "scss/app.scss", "@use 'util/tool';", "scss/util/_tools.scss", "util/tools");
    check(tree, "scss/app.scss", "@use './util/tool';", "scss/util/_tools.scss", "./util/tools");
    check(tree, "scss/app.scss", "@use './mixes';", "scss/mix/_index.scss", "./mix");
    check(tree, "zig/main.zig", "const a = @import(\"lex.zig\");", "zig/src/lex.zig", "src/lex.zig");
    // Beside the file is a directory of the same name, in which the literal is.
    check("lib/site.rb\nlib/site/b.rb", "lib/site/a.rb", "require_relative '../sie'", "lib/site.rb", "../site");
    check("lib/a/site.rb", "lib/a/site/x/b.rb", "require_relative '../../sie'", "lib/a/site.rb", "../../site");
    check("src/site.ts\nsrc/site/b.ts", "src/site/a.ts", "import '../sie'", "src/site.ts", "../site");
    check("src/site/index.ts", "src/site/a/b.ts", "import '../home'", "src/site/index.ts", "..");
    check("src/site/index.ts", "src/site/a/b.ts", "import '../indx'", "src/site/index.ts", "../index");
    // A declaration file has an extension of two parts. It is omitted as in the old literal.
    let tree = "src/types.d.ts";
    check(tree, "docs/a.ts", "import type { A } from '../types'", "src/types.d.ts", "../src/types");
    check(tree, "docs/a.ts", "import type { A } from '../type.d'", "src/types.d.ts", "../src/types.d");
    check(tree, "docs/a.ts", "import type { A } from '../type.js'", "src/types.d.ts", "../src/types.js");
}

/// A class is named relative to its source root, and there are several roots.
#[test]
fn rewrites_to_another_source_root() {
    let tree = "a/src/main/java/p/q/A.java = package p.q; class A {}
        a/src/main/java/p/q/B.java = package p.q; class B {}
        b/src/main/java/p/q/r/C.java = package p.q.r; class C {}
        c/src/test/java/p/q/T.java = package p.q; class T {}";
    let contents = "package p.q;\nimport p.q.Gone;\nclass A {}\n";
    check(tree, "a/src/main/java/p/q/A.java", contents, "b/src/main/java/p/q/r/C.java", "p.q.r.C");
    check(tree, "a/src/main/java/p/q/A.java", contents, "c/src/test/java/p/q/T.java", "p.q.T");
}

#[test]
fn rewrites_directories() {
    let tree = "a/src/main.tf\nb/main.tf\nMakefile";
    check(tree, "b/x.tf", "module \"m\" {\n  source = \"../c/src\"\n}\n", "a/src", "../a/src");
    check(tree, "b/x.tf", "module \"m\" {\n  source = \"../c/src/\"\n}\n", "a/src", "../a/src/");
}
