//! Tests of texts that no language reads and that name moved files, and of the forms that they are written in.

use std::collections::BTreeSet;

use super::move_edits::{check as check_literals, moved_trees};
use crate::testing::new_project;
use pathfinder_literals::{MoveRewriter, MovedTexts, Tree as _};

/// Moves entries of a tree and compares the edits of texts, as `FILE: TEXT → TEXT`.
#[track_caller]
fn check(tree: &str, moves: &[(&str, &str)], expect: &[&str]) {
    let (before, after) = moved_trees(tree, moves);
    let files: Vec<(String, String)> =
        before.files().iter().map(|path| (path.clone(), before.read(path).unwrap_or_default())).collect();
    let (before, after) = (new_project(before), new_project(after));
    let moves: Vec<(String, String)> = moves.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    let rewriter = MoveRewriter { before: &before, after: &after, moves: &moves };
    let (mut forms, mut modules) = (BTreeSet::new(), MovedTexts::default());
    for (path, text) in &files {
        let edits = rewriter.edits(path, text.as_bytes());
        rewriter.learn_forms(path, text.as_bytes(), &edits, &mut forms);
        modules.learn_module(path, text, &edits);
    }
    let texts = rewriter.texts(&forms).with_modules(modules);
    let rows = files.iter().flat_map(|(path, text)| {
        rewriter
            .text_edits(&texts, path, text.as_bytes())
            .into_iter()
            .map(move |edit| format!("{path}: {} → {}", &text[edit.range], edit.literal.unwrap_or_default()))
    });
    assert_eq!(rows.collect::<Vec<_>>(), expect);
}

#[test]
fn follows_texts_in_the_form_of_edited_literals() {
    let tree = "
        x.gemspec
        lib/a/cli.rb = require 'a/tasks'\\nputs \"require 'a/tasks'\"\\n
        lib/a/tasks.rb
        lib/b.rb
        bin/a = #!/usr/bin/env jruby\\nrequire 'a/cli'\\nrequire 'a/other'\\n
        CHANGELOG = 'a/cli'\\n
        features/x.feature = require 'a/tasks' and a/cli and 'a/cli.rb'\\n
    ";
    check(
        tree,
        &[("lib/a", "lib/b")],
        &["bin/a: a/cli → b/cli", "features/x.feature: a/tasks → b/tasks", "lib/a/cli.rb: a/tasks → b/tasks"],
    );
    let tree = "
        CMakeLists.txt = include_directories(include)\\n
        include/own.h
        src/a.c = #include <own.h>\\n
        tools/gen.py = print('#include <own.h>', 'own.h', \"own.c\")\\n
    ";
    check(tree, &[("include/own.h", "include/x/own.h")], &["tools/gen.py: own.h → x/own.h"]);
}

/// A module keeps its name when its file becomes the index of a directory.
#[test]
fn leaves_texts_that_name_a_new_index() {
    let tree = "
        lua/a/b.lua = require('a.c.d')\\nrequire('a.x.y')\n
        lua/a/c/d.lua
        lua/a/x/y.lua
        tests/t.lua = package.loaded['a.c.d'] = nil\\npackage.loaded['a.x.y'] = nil\n
    ";
    check(
        tree,
        &[("lua/a/c/d.lua", "lua/a/c/d/init.lua"), ("lua/a/x/y.lua", "lua/a/x/z.lua")],
        &["tests/t.lua: a.x.y → a.x.z"],
    );
}

/// The manifest names the module by its directory, and so do imports.
#[test]
fn follows_modules_of_swift() {
    let tree = "
        Package.swift = let package = Package(targets: [.target(name: \"Core\"), .target(name: \"App\", dependencies: [\"Core\"])])\\n
        Sources/Core/a.swift
        Sources/App/b.swift = @testable import Core\\nimport struct Core.A\\nimport CoreData\\nlet Core = 1 // import Core\\npublic import Core // x\\n
    ";
    check(
        tree,
        &[("Sources/Core", "Sources/OwnCore")],
        &[
            "Package.swift: Core → OwnCore",
            "Sources/App/b.swift: Core → OwnCore",
            "Sources/App/b.swift: Core → OwnCore",
        ],
    );
}

#[test]
fn follows_whole_paths_that_can_name_nothing_else() {
    let tree = "
        src/a/b.c
        tests/run.feature = 'src/a/b.c' \"src/a/b.cc\" src/a/b.c\\n
        docs/x.md = Write `src/a/b.c` or \"src/a/b.c\".\\n
        pkg/src/other.c
        pkg/x.feature = 'src/a/b.c'\\n
        tests/fixtures/x.feature = 'src/a/b.c'\\n
    ";
    check(tree, &[("src/a/b.c", "src/b.c")], &["tests/run.feature: src/a/b.c → src/b.c"]);
}

/// An address from the root of a site stays one, and gets the slash of a directory.
#[test]
fn keeps_the_root_of_a_site() {
    let tree = "
        docs/.vitepress/config.ts = export default {}\\n
        docs/env.md = # E\\n
        docs/index.md = [e](/env) [f](/env#e)\\n
    ";
    check_literals(
        tree,
        "docs/env.md",
        "docs/env/index.md",
        &["docs/index.md: /env → /env/", "docs/index.md: /env#e → /env/#e"],
    );
    // Another page has the address without the ending, and an address with one is none of a page.
    let tree = format!("{tree}\n docs/other/page.md\n docs/a.md = [o](/other/page)\\n");
    check_literals(&tree, "docs/other/page.md", "docs/other.md", &["docs/a.md: /other/page → /other"]);
}
