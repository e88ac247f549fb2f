//! Tests of `MoveRewriter` for modules and packages that get other names: Haskell, Rust, and groups of imports of Scala.

use super::move_edits::{check, check_moves};

#[test]
fn rewrites_the_package_of_a_group_of_imports() {
    let tree = "
        s/main/scala/a/io/udp/Packet.scala = package a.io.udp\\nclass Packet\\n
        s/main/scala/a/io/udp/Socket.scala = package a.io.udp\\nclass Socket\\n
        s/main/scala/a/Use.scala = package a\\nimport a.io.udp.{ Packet, Socket => S }\\nclass Use { def f = 1 }\\n
    ";
    let (packet, socket) = ("s/main/scala/a/io/udp/Packet.scala", "s/main/scala/a/io/udp/Socket.scala");
    let (new_packet, new_socket) = ("s/main/scala/a/net/udp/Packet.scala", "s/main/scala/a/net/udp/Socket.scala");
    check_moves(
        tree,
        &[(packet, new_packet), (socket, new_socket)],
        &[
            "s/main/scala/a/Use.scala: a.io.udp → a.net.udp",
            "s/main/scala/a/io/udp/Packet.scala: a.io.udp → a.net.udp",
            "s/main/scala/a/io/udp/Socket.scala: a.io.udp → a.net.udp",
        ],
    );
    // One of them stays: the import has to become two.
    check_moves(
        tree,
        &[(packet, new_packet)],
        &["s/main/scala/a/Use.scala: Packet → -", "s/main/scala/a/io/udp/Packet.scala: a.io.udp → a.net.udp"],
    );
}

/// The name of a module shows no separator until it has two segments, and no source directory of the new file.
#[test]
fn rewrites_modules_that_get_a_longer_name() {
    let tree = "
        x.cabal = library\\n  hs-source-dirs: app src\\n  other-modules: Main, A.Types\\n
        app/Main.hs = import A.Types\\n
        app/A/Types.hs
        app/Setup.hs = import Main\\n
    ";
    check(
        tree,
        "app/A/Types.hs",
        "src/Lib/Types.hs",
        &["app/Main.hs: A.Types → Lib.Types", "x.cabal: A.Types → Lib.Types"],
    );
    check(tree, "app/Main.hs", "app/B/Main.hs", &["app/Setup.hs: Main → B.Main", "x.cabal: Main → B.Main"]);
    check(tree, "app/Main.hs", "src/B/Main.hs", &["app/Setup.hs: Main → B.Main", "x.cabal: Main → B.Main"]);
}

/// A path that starts from the module of its file starts from there after the move as well.
#[test]
fn keeps_paths_from_the_module_of_a_moved_file() {
    let tree = "
        Cargo.toml = [package]\\nname = \"a\"\\nedition = \"2021\"\n
        src/lib.rs = mod attr;\n
        src/attr/mod.rs = mod attr_linux;\\npub use self::attr_linux::A;\n
        src/attr/attr_linux.rs = use super::attr_other;\n
        src/attr/attr_other.rs
    ";
    check_moves(
        tree,
        &[
            ("src/attr/mod.rs", "src/xattr/mod.rs"),
            ("src/attr/attr_linux.rs", "src/xattr/linux.rs"),
            ("src/attr/attr_other.rs", "src/xattr/other.rs"),
        ],
        &[
            "src/attr/attr_linux.rs: super::attr_other → super::other",
            "src/attr/mod.rs: attr_linux → linux",
            "src/attr/mod.rs: self::attr_linux → self::linux",
            "src/lib.rs: attr → xattr",
        ],
    );
}

/// Git records no move of an empty file, so the package goes with the files in it.
#[test]
fn leaves_paths_to_a_package_whose_files_all_move() {
    let tree = "
        a/x/use.py = from .sub import B\\nfrom ..z import C\n
        a/x/sub/__init__.py
        a/x/sub/b.py
        a/z.py
    ";
    let (user, sub) = (("a/x/use.py", "a/y/v/use.py"), ("a/x/sub/b.py", "a/y/v/sub/b.py"));
    check_moves(tree, &[user, sub], &["a/x/use.py: ..z → ...z"]);
    check_moves(tree, &[user], &["a/x/use.py: .sub → ...x.sub", "a/x/use.py: ..z → ...z"]);
}

/// The definition of a macro says that it declares modules.
#[test]
fn rewrites_modules_that_a_macro_declares() {
    let tree = |body: &str| {
        format!(
            "
        Cargo.toml = [package]\\nname = \"own\"\\nedition = \"2021\"\n
        src/macros.rs = macro_rules! mod_pub {{ [ $( $name:ident $(,)? )+ ] => {{ $( {body} )+ }}; }}\n
        src/lib.rs = mod macros;\\nmod_pub!(fs other);\n
        src/other.rs = use crate::fs::path::Path;\\nfn f() {{ crate::fs::path::g() }}\n
        src/fs/mod.rs = mod_pub!(path);\n
        src/fs/path.rs
    "
        )
    };
    check(
        &tree("pub mod $name;"),
        "src/fs/path.rs",
        "src/fs/url.rs",
        &[
            "src/fs/mod.rs: path → url",
            "src/other.rs: crate::fs::path → crate::fs::url",
            "src/other.rs: crate::fs::path → crate::fs::url",
        ],
    );
    check(&tree("pub fn $name() {}"), "src/fs/path.rs", "src/fs/url.rs", &[]);
}

/// Packages are imported by their names, and publish files of their own.
#[test]
fn leaves_what_leads_out_of_a_package() {
    let tree = "
        package.json = {\"workspaces\": [\"packages/*\"]}
        packages/dom/package.json = {\"name\": \"@own/dom\", \"dependencies\": {\"@own/utils\": \"1\"}}
        packages/dom/src/a.ts = import { b } from '@own/utils/src/b'\n
        packages/utils/package.json = {\"name\": \"@own/utils\", \"files\": [\"README.md\"]}
        packages/utils/README.md
        packages/utils/src/b.ts
        packages/other/c.ts
    ";
    check(tree, "packages/utils/src/b.ts", "packages/other/b.ts", &["packages/dom/src/a.ts: @own/utils/src/b → -"]);
    check(tree, "packages/utils/package.json", "packages/tools/package.json", &[]);
}

/// Python imports nothing relatively from above its outermost package, and no file but `__init__` stands for a package.
#[test]
fn keeps_relative_imports_inside_their_package() {
    let tree = "
        pyproject.toml = [project]\\nname = 'old'\n
        src/old/__init__.py
        src/old/tools.py
        src/old/part/__init__.py
        src/old/part/use.py = from ..tools import x\\n
        src/new/__init__.py
    ";
    check(tree, "src/old/tools.py", "src/new/tools.py", &["src/old/part/use.py: ..tools → new.tools"]);
    check(tree, "src/old/tools.py", "src/old/in/main.py", &["src/old/part/use.py: ..tools → ..in.main"]);
}

/// A template has the language of what is made of it.
#[test]
fn rewrites_imports_of_templates() {
    let tree = "
        app/__init__.py
        app/math.pxd
        app/_fast.pyx.in = from app.math cimport log\\nfrom .math cimport exp\\n
    ";
    check(
        tree,
        "app/math.pxd",
        "app/sums.pxd",
        &["app/_fast.pyx.in: app.math → app.sums", "app/_fast.pyx.in: .math → .sums"],
    );
}

/// Nothing runs that imports a declaration by its own ending.
#[test]
fn leaves_imports_that_lead_to_a_declaration_or_its_script() {
    let tree = "
        a/tools.d.ts
        a/tools.ios.ts
        a/use.ios.ts = import { x } from './tools'\\n
    ";
    check_moves(tree, &[("a/tools.ios.ts", "a/tools.ts"), ("a/use.ios.ts", "a/use.ts")], &[]);
}
