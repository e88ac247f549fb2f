//! Tests of `MoveRewriter`: an entry of a tree is moved, and every edit is compared.

use crate::testing::{MemoryTree, new_project};
use pathfinder_literals::{MoveRewriter, Tree as _, text_after_move};

/// Moves an entry of a tree and compares every edit, as `FILE: LITERAL → LITERAL`.
#[track_caller]
pub(super) fn check(tree: &str, from: &str, to: &str, expect: &[&str]) {
    check_moves(tree, &[(from, to)], expect);
}

/// Moves several entries at once.
#[track_caller]
pub(super) fn check_moves(tree: &str, moves: &[(&str, &str)], expect: &[&str]) {
    let (before, after) = moved_trees(tree, moves);
    let files: Vec<(String, String)> =
        before.files().iter().map(|path| (path.clone(), before.read(path).unwrap_or_default())).collect();
    let (before, after) = (new_project(before), new_project(after));
    let moves: Vec<(String, String)> = moves.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
    let rewriter = MoveRewriter { before: &before, after: &after, moves: &moves };
    let rows = files.iter().flat_map(|(path, text)| {
        rewriter.edits(path, text.as_bytes()).into_iter().map(move |edit| {
            let new = edit.literal.unwrap_or_else(|| "-".to_owned());
            format!("{path}: {} → {new}", &text[edit.range])
        })
    });
    assert_eq!(rows.collect::<Vec<_>>(), expect);
}

/// Returns a tree before and after moves.
pub(super) fn moved_trees(tree: &str, moves: &[(&str, &str)]) -> (MemoryTree, MemoryTree) {
    let after_path = |path: &str| {
        let own = moves.iter().find_map(|(from, to)| {
            let rest = path.strip_prefix(from)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
        });
        own.unwrap_or_else(|| path.to_owned())
    };
    let (before, mut after) = (MemoryTree::new(tree), MemoryTree::new(""));
    for path in before.files() {
        let (to, text) = (after_path(path), before.read(path).unwrap_or_default());
        let edited = (to != *path).then(|| text_after_move(crate::ALL, &before, path, &to, &text)).flatten();
        after.add(&to, &edited.unwrap_or(text));
    }
    (before, after)
}

/// A link to a directory names its index page, which moves along with the page that links to it.
#[test]
fn keeps_a_link_to_a_directory_whose_index_moves() {
    let tree = "
        docs/index.md = # Home
        docs/ref/a.md = [home](../) [next](b.md)
        docs/ref/b.md
        docs/other.md
    ";
    let page = ("docs/ref/a.md", "docs/site/ref/a.md");
    check_moves(tree, &[page, ("docs/index.md", "docs/site/index.md")], &["docs/ref/a.md: b.md → ../../ref/b.md"]);
    check_moves(tree, &[page], &["docs/ref/a.md: ../ → ../..", "docs/ref/a.md: b.md → ../../ref/b.md"]);
}

#[test]
fn rewrites_relative_links() {
    let tree = "
        README.md = [a](docs/guide.md#top) [b](docs) ![c](img/a.png)
        docs/guide.md = # Top\\n[x](../README.md) [y](setup.md) ![z](../img/a.png) [gone](gone.md)
        docs/setup.md = [g](./guide.md)
        img/a.png
        src/main.zig = const a = @import(\"lex/a.zig\");
        src/lex/a.zig = const b = @import(\"b.zig\");
        src/lex/b.zig
    ";
    check(
        tree,
        "docs/guide.md",
        "docs/first/guide.md",
        &[
            "README.md: docs/guide.md#top → docs/first/guide.md#top",
            "docs/guide.md: ../README.md → ../../README.md",
            "docs/guide.md: setup.md → ../setup.md",
            "docs/guide.md: ../img/a.png → ../../img/a.png",
            "docs/setup.md: ./guide.md → ./first/guide.md",
        ],
    );
    // Links between files that move together stay correct.
    check(
        tree,
        "docs",
        "handbook/en",
        &[
            "README.md: docs/guide.md#top → handbook/en/guide.md#top",
            "README.md: docs → handbook/en",
            "docs/guide.md: ../README.md → ../../README.md",
            "docs/guide.md: ../img/a.png → ../../img/a.png",
        ],
    );
    check(tree, "src/lex", "src/parse/lex", &["src/main.zig: lex/a.zig → parse/lex/a.zig"]);
    check(tree, "src/lex/b.zig", "src/b.zig", &["src/lex/a.zig: b.zig → ../b.zig"]);
    check(tree, "src/main.zig", "src/start.zig", &[]);
}

#[test]
fn rewrites_changed_extensions() {
    let tree = "package.json = {}\na.js = import './b.js'; import './c';\nb.js\nc.js";
    check(tree, "b.js", "b.jsx", &["a.js: ./b.js → ./b.jsx"]);
    check(tree, "b.js", "b.ts", &[]);
    check(tree, "c.js", "c.jsx", &[]);
    check(tree, "c.js", "c.mjs", &["a.js: ./c → ./c.mjs"]);
    let tree = "package.json = {}\na.js = import './b/index'; import './b'\nb/index.js";
    check(tree, "b", "c", &["a.js: ./b/index → ./c/index", "a.js: ./b → ./c"]);
}

/// An import that names the output of a source keeps its lead, like any other.
#[test]
fn keeps_the_lead_of_compiled_extensions() {
    let tree = "
        package.json = {}
        tsconfig.json = {\"compilerOptions\": {\"paths\": {\"@/*\": [\"./src/*\"]}}}
        src/a/use.ts = import '@/a/b.js';\\nimport '../a/b.js';\\nimport './b.js';
        src/a/b.ts
    ";
    check(
        tree,
        "src/a/b.ts",
        "src/a/c.ts",
        &["src/a/use.ts: @/a/b.js → @/a/c.js", "src/a/use.ts: ../a/b.js → ../a/c.js", "src/a/use.ts: ./b.js → ./c.js"],
    );
}

#[test]
fn keeps_ambiguous_includes_and_globs() {
    let tree = "Makefile = a:\\n\tcc -Ix/include a.c\nCMakeLists.txt = include_directories(x/include)\nx/include/z.h\nlib/z.h\nx/include/one.h\nex/a.c = #include <z.h>\\n#include <one.h>\\n";
    check(tree, "x/include/z.h", "x/linux/z.h", &[]);
    // The include directory that the build names is empty now (libzmq): `<../../include/zmq.h>` is right from there only.
    let tree = "Makefile.am = AM_CPPFLAGS = -Ib/c\nb/c/zmq.h\nperf/c/a.c = #include <zmq.h>\\n#include \"zmq.h\"";
    check(tree, "b/c/zmq.h", "include/zmq.h", &["perf/c/a.c: zmq.h → -"]);
    let tree =
        "pyproject.toml = [tool.poetry]\\nname = 'x'\\ninclude = ['extra/*.py']\\nreadme = 'R.md'\nextra/a.py\nR.md";
    check(tree, "extra", "more", &[]);
}

#[test]
fn keeps_the_start_of_a_site() {
    let page = "<a href=\"/\">s</a><img src=\"b.png\">";
    let tree = format!("t/e/base.html = <p>\nt/e/index.html = <p>\nt/e/a.html = {page}\nt/e/b.png\nindex.html = <p>");
    check(&tree, "t/e/a.html", "t/f/e/a.html", &["t/e/a.html: b.png → ../../e/b.png"]);
    let moves =
        [("t/e/a.html", "t/f/a.html"), ("t/e/base.html", "t/f/base.html"), ("t/e/index.html", "t/f/index.html")];
    check_moves(&tree, &moves, &["t/e/a.html: b.png → ../e/b.png"]);
}

#[test]
fn rewrites_modules() {
    let tree = "
        Cargo.toml = [package]\\nname = 'a'
        src/lib.rs = mod parse;\\n
        src/parse.rs = const A: &str = include_str!(\"a.txt\");\\n
        src/a.txt
        py/pyproject.toml = [project]\\nname = 'k'
        py/k/__init__.py
        py/k/m.py = from .n import x\\nimport k.n\\nfrom k.n import y\\n
        py/k/n.py = x = y = 1\\n
    ";
    check(tree, "src/a.txt", "data/a.txt", &["src/parse.rs: a.txt → ../data/a.txt"]);
    check(tree, "src/parse.rs", "src/scan.rs", &["src/lib.rs: parse → scan"]);
    check(tree, "py/k/n.py", "py/k/o.py", &["py/k/m.py: .n → .o", "py/k/m.py: k.n → k.o", "py/k/m.py: k.n → k.o"]);
    check(
        tree,
        "py/k/n.py",
        "py/k/s/n.py",
        &["py/k/m.py: .n → .s.n", "py/k/m.py: k.n → k.s.n", "py/k/m.py: k.n → k.s.n"],
    );
    // A module in another directory cannot be named without a path attribute.
    check(tree, "src/parse.rs", "src/x/parse.rs", &["src/lib.rs: parse → -", "src/parse.rs: a.txt → ../a.txt"]);
}

/// The name of a class follows from its directory by the PSR-4 mappings. In a group only the last part can be rewritten.
#[test]
fn rewrites_classes() {
    let tree = r#"
        composer.json = {"autoload": {"psr-4": {"App\\": "src/"}}, "autoload-dev": {"psr-4": {"Tests\\": "tests/"}}}
        src/Http/Request.php = <?php\nnamespace App\Http;\nclass Request {}
        src/Http/Answer.php = <?php\nnamespace App\Http;\nclass Answer {}
        src/a.php = <?php\nuse App\Http\Request;\nuse \App\Http\{Answer, Request as R};\nnew Request; new R;
        tests/B.php = <?php\nuse App\Http\Request as Q;\nnew Q;
    "#;
    check(
        tree,
        "src/Http",
        "src/Web/Http",
        &[
            "src/Http/Answer.php: App\\Http → App\\Web\\Http",
            "src/Http/Request.php: App\\Http → App\\Web\\Http",
            "src/a.php: App\\Http\\Request → App\\Web\\Http\\Request",
            "src/a.php: Answer → -",
            "src/a.php: Request → -",
            "tests/B.php: App\\Http\\Request → App\\Web\\Http\\Request",
        ],
    );
    // Renaming the file does not rename the class.
    check(tree, "src/Http/Request.php", "src/Http/Ask.php", &[]);
}

/// A type is imported by the package that its file declares, and the declaration follows the file.
#[test]
fn rewrites_packages_of_the_jvm() {
    let tree = "
        app/src/main/java/a/b/C.java = package a.b;\\nimport a.d.D;\\npublic class C { class In {} }\\nclass Second {}
        app/src/main/java/a/b/E.java = package a.b;\\nclass E { C c; }
        app/src/main/java/a/d/D.java = package a.d;\\nimport a.b.C.In;\\nimport a.b.Second;\\nimport static a.b.C.x;\\nimport a.b.E;\\nimport a.b.*;
        lib/src/test/kotlin/F.kt = package g\\nimport a.b.C as B\\nimport a.b.E
        lib/src/main/scala/a/G.scala = package a\\npackage g\\nimport a.b.{C, E}\\nimport a.b.C
        lib/src/main/kotlin/web/H.kt = package org.x.web\\nclass H
        lib/src/main/kotlin/I.kt = package org.x\\nimport org.x.web.H\\nimport org.x.any.J
        lib/src/main/kotlin/other/J.kt = package org.x.any\\nclass J
        lib/src/main/kotlin/near/K.kt = package org.x.next\\nclass K
    ";
    check(
        tree,
        "app/src/main/java/a/b/C.java",
        "app/src/main/java/a/b/s/C.java",
        &[
            "app/src/main/java/a/b/C.java: a.b → a.b.s",
            "app/src/main/java/a/d/D.java: a.b.C → a.b.s.C",
            "app/src/main/java/a/d/D.java: a.b.Second → a.b.s.Second",
            "app/src/main/java/a/d/D.java: a.b.C → a.b.s.C",
            "lib/src/main/scala/a/G.scala: C → -",
            "lib/src/main/scala/a/G.scala: a.b.C → a.b.s.C",
            "lib/src/test/kotlin/F.kt: a.b.C → a.b.s.C",
        ],
    );
    // To a source directory of another module, with and without another package.
    let moved = ("app/src/main/java/a/b/E.java", "lib/src/main/java/a/e/E.java");
    check_moves(
        tree,
        &[moved],
        &[
            "app/src/main/java/a/b/E.java: a.b → a.e",
            "app/src/main/java/a/d/D.java: a.b.E → a.e.E",
            "lib/src/main/scala/a/G.scala: E → -",
            "lib/src/test/kotlin/F.kt: a.b.E → a.e.E",
        ],
    );
    check(tree, moved.0, "lib/src/main/java/a/b/E.java", &[]);
    check(tree, "app/src/main/java", "app/source", &[]);
    // A package without the first directories; one that its directory does not name; the package of the files there.
    let web = "lib/src/main/kotlin/web/H.kt";
    check(
        tree,
        web,
        "lib/src/main/kotlin/site/H.kt",
        &["lib/src/main/kotlin/I.kt: org.x.web.H → org.x.site.H", &format!("{web}: org.x.web → org.x.site")],
    );
    check(
        tree,
        web,
        "lib/src/main/kotlin/near/H.kt",
        &["lib/src/main/kotlin/I.kt: org.x.web.H → org.x.next.H", &format!("{web}: org.x.web → org.x.next")],
    );
    check(tree, "lib/src/main/kotlin/other/J.kt", "lib/src/main/kotlin/more/J.kt", &[]);
    // A layout with other directories, where the package has another name too.
    check(
        "m/src/main/java/org/k/x/A.kt = package org.k.x\\nclass A\nm/src/main/java/org/l/B.kt = package org.l\\nimport org.k.x.A",
        "m/src/main/java/org/k/x/A.kt",
        "n/src/common/kotlin/org/k/A.kt",
        &["m/src/main/java/org/k/x/A.kt: org.k.x → org.k", "m/src/main/java/org/l/B.kt: org.k.x.A → org.k.A"],
    );
    // A name that is no package, and a layout in which the source directory is not known.
    check(tree, "app/src/main/java/a/b/E.java", "app/src/main/java/a/b-c/E.java", &[]);
    check("src/a/A.java = package a; class A {}", "src/a/A.java", "src/main/java/a/b/A.java", &[]);
    check("src/a/A.java = package a; class A {}", "src/a/A.java", "src/main/java/b/A.java", &[]);
}

/// The new directory has no file of its module yet.
#[test]
fn rewrites_modules_of_rust_that_move_to_a_new_directory() {
    check(
        "
        Cargo.toml = [package]\\nname = \"it\"
        src/lib.rs = mod a;mod util;
        src/a.rs = use crate::util;\\nfn f() { util::g() }
        src/util.rs = use super::a::F;
        ",
        "src/util.rs",
        "src/sync/util.rs",
        &[
            "src/a.rs: crate::util → crate::sync::util",
            "src/a.rs: util → -",
            "src/lib.rs: util → -",
            "src/util.rs: super::a → crate::a",
        ],
    );
}

#[test]
fn rewrites_modules_of_rust() {
    let tree = "
        Cargo.toml = [package]\\nname = \"it\"
        src/lib.rs = mod a;\\nmod c;\\nuse a::b::B;
        src/a.rs = mod b;\\nmod x;\\nuse self::b::B;
        src/a/b.rs = use super::x::X;
        src/a/x.rs = use crate::{a::{b, x}, c};\\nuse super::b::{B, C};
        src/c.rs = use crate::a::b::B;\\nfn f() { crate::a::b::g() }
    ";
    check(
        tree,
        "src/a/b.rs",
        "src/a/d.rs",
        &[
            "src/a.rs: b → d",
            "src/a.rs: self::b → self::d",
            "src/a/x.rs: b → d",
            "src/a/x.rs: super::b → super::d",
            "src/c.rs: crate::a::b → crate::a::d",
            "src/c.rs: crate::a::b → crate::a::d",
            "src/lib.rs: a::b → a::d",
        ],
    );
    check(
        tree,
        "src/a/b.rs",
        "src/c/b.rs",
        &[
            "src/a.rs: b → -",
            "src/a.rs: self::b → crate::c::b",
            "src/a/b.rs: super::x → crate::a::x",
            "src/a/x.rs: b → -",
            "src/a/x.rs: super::b → crate::c::b",
            "src/c.rs: crate::a::b → crate::c::b",
            "src/c.rs: crate::a::b → crate::c::b",
            "src/lib.rs: a::b → c::b",
        ],
    );
}

/// A module exports an item of the name of its private module (tokio): paths of the item stay, those below the module change.
#[test]
fn leaves_items_that_a_module_exports() {
    check(
        "
        Cargo.toml = [package]\\nname = \"it\"
        src/lib.rs = mod a;mod b;mod task;
        src/task/mod.rs = mod run;\\npub use run::run;
        src/task/run.rs
        src/a.rs = use crate::task::run;\\nfn f() { crate::task::run(); crate::task::run::g() }
        src/b.rs = use crate::task::run;\\nfn f() { run::g() }
        ",
        "src/task/run.rs",
        "src/task/go.rs",
        &[
            "src/a.rs: crate::task::run → crate::task::go",
            "src/b.rs: crate::task::run → crate::task::go",
            "src/b.rs: run → go",
            "src/task/mod.rs: run → go",
            "src/task/mod.rs: run → go",
        ],
    );
}

/// A path that begins with a name of `use` is spelled after the `use`; one that begins with an alias stays.
#[test]
fn rewrites_names_that_use_binds() {
    let tree = "
        Cargo.toml = [package]\\nname = \"it\"
        src/lib.rs = mod a;\\nmod b;\\nmod c;
        src/a.rs = mod deep;
        src/a/deep.rs
        src/b.rs = use crate::a;\\nfn f() { a::g(); a::deep::h() }
        src/c.rs = use crate::{a::{self, g}, b as a2};\\nuse crate::a as x;\\nfn f() { a::g(); x::g() }
    ";
    check(
        tree,
        "src/a.rs",
        "src/d.rs",
        &[
            "src/a.rs: deep → -",
            "src/b.rs: crate::a → crate::d",
            "src/b.rs: a → d",
            "src/c.rs: a → d",
            "src/c.rs: crate::a → crate::d",
            "src/c.rs: a → d",
            "src/lib.rs: a → d",
        ],
    );
    check(tree, "src/a/deep.rs", "src/a/new.rs", &["src/a.rs: deep → new", "src/b.rs: a::deep → a::new"]);
}

/// A package that binds the name of its submodule gives others what it binds.
#[test]
fn leaves_names_that_a_package_of_python_binds() {
    let tree = "
        app/__init__.py = from .version import version
        app/version.py = version = 1
        app/parts.py
        app/main.py = from . import version, parts
    ";
    check(tree, "app/version.py", "app/about.py", &["app/__init__.py: .version → .about"]);
    check(tree, "app/parts.py", "app/pieces.py", &["app/main.py: parts → pieces"]);
    check(tree, "app/parts.py", "lib/parts.py", &["app/main.py: parts → -"]);
}

/// A module that is imported by its name goes to another package: the statement names that one, if it has no other name.
#[test]
fn rewrites_the_package_of_a_moved_module_of_python() {
    let tree = "
        app/__init__.py
        app/core/__init__.py
        app/six.py
        app/core/a.py = from .. import six
        app/b.py = from . import six
        app/c.py = from . import six, b
        app/d.py = from app import six as s
    ";
    check(
        tree,
        "app/six.py",
        "app/core/six.py",
        &["app/b.py: . → .core", "app/c.py: six → -", "app/core/a.py: .. → .", "app/d.py: app → app.core"],
    );
    // The importing module moves.
    check(tree, "app/b.py", "app/core/b.py", &["app/b.py: . → ..", "app/c.py: b → -"]);
}

/// The name behind a package that moved stays as it is.
#[test]
fn leaves_names_in_moved_packages_of_python() {
    let tree = "
        app/__init__.py
        app/models/__init__.py
        app/models/user.py
        app/main.py = from app.models import user\\nimport app.models.user
    ";
    check(
        tree,
        "app/models",
        "app/tables",
        &["app/main.py: app.models → app.tables", "app/main.py: app.models.user → app.tables.user"],
    );
}

/// A package clause of Go can name the package's own import path in a comment.
#[test]
fn rewrites_import_comments() {
    let tree = "
        go.mod = module example.com/m
        a/b/x.go = package b // import \"example.com/m/a/b\"
        a/b/y.go = package b // import \"example.com/m/a/b\"
        c-d/z.go = package d // import \"example.com/m/c-d\"\\nimport \"example.com/m/a/b\"
    ";
    check(
        tree,
        "a/b",
        "a/e-f/b",
        &[
            "a/b/x.go: example.com/m/a/b → example.com/m/a/e-f/b",
            "a/b/y.go: example.com/m/a/b → example.com/m/a/e-f/b",
            "c-d/z.go: example.com/m/a/b → example.com/m/a/e-f/b",
        ],
    );
    check(tree, "a/b/y.go", "c-d/y.go", &["a/b/y.go: example.com/m/a/b → example.com/m/c-d"]);
}

/// A package of nested clauses follows its directory, and so do the imports from it.
#[test]
fn rewrites_nested_packages() {
    let tree = "
        src/main/scala/cats/laws/A.scala = package cats\\npackage laws\\n\\ntrait A
        src/main/scala/cats/B.scala = package cats\\n\\nimport cats.laws.A\\n\\ntrait B
    ";
    check(
        tree,
        "src/main/scala/cats/laws",
        "src/main/scala/cats/rules",
        &[
            "src/main/scala/cats/B.scala: cats.laws.A → cats.rules.A",
            "src/main/scala/cats/laws/A.scala: cats\npackage laws → cats\npackage rules",
        ],
    );
}

/// Literals that no rule resolves, but that name the moved file and no other.
#[test]
fn rewrites_undecided_literals_that_name_the_file() {
    let tree = "
        package.json = {}
        web/js/app.js = import '@/cards/Card.vue';\\nimport '@/cards/Old.vue';\\nimport 'cards/Card';
        web/js/cards/Card.vue
        web/js/x/cards/Old.vue
        other/cards/Old.vue
        docs/README.md = [a](docs/guide/a.md) [b](guide/b.md)
        docs/guide/a.md
    ";
    let made = "idl/Msgs.thrift\nidl/made/dev/llm/Msgs.h\nsrc/a.cpp = #include <dev/llm/Msgs.h>";
    check(made, "idl/made/dev/llm/Msgs.h", "idl/made/dev/Msgs.h", &["src/a.cpp: dev/llm/Msgs.h → dev/Msgs.h"]);
    check(tree, "web/js/cards/Card.vue", "web/js/ui/Card.vue", &["web/js/app.js: @/cards/Card.vue → @/ui/Card.vue"]);
    // Below another directory the alias leads nowhere; two files have the name.
    check(tree, "web/js/cards/Card.vue", "Card.vue", &[]);
    check(tree, "other/cards/Old.vue", "other/ui/Old.vue", &[]);
    check(tree, "docs/guide/a.md", "docs/start/a.md", &["docs/README.md: docs/guide/a.md → docs/start/a.md"]);
}
