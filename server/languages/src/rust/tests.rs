//! Fixtures of Rust: found, missing and unknown modules and includes.

use crate::testing::{assert_ranges_valid, check, severities};

mod edition_2015;
mod other_crates;

/// A package at the root and one in `lib`.
const TREE: &str = "Cargo.toml\nbuild.rs\nsrc/main.rs\nsrc/config.rs\nsrc/config/load.rs\nsrc/net/mod.rs\nsrc/net/tcp.rs\n\
                    src/unix.rs\nsrc/windows.rs\nREADME.md\nlib/Cargo.toml = [lib]\\npath = \"code/start.rs\"\n\
                    lib/code/start.rs\nlib/code/part.rs\nlib/data/x.txt";

#[test]
fn resolves_modules() {
    check(
        TREE,
        "src/lib.rs",
        "mod config;\npub(crate) mod net;\n/// mod no;\nmod gone;\nmod r#type;\nmod inner { mod deep; }\n",
        "rust.mod config → src/config.rs
         rust.mod net → src/net/mod.rs
         rust.mod gone → missing
         rust.mod type → missing
         rust.mod deep → missing",
    );
    check(
        TREE,
        "src/config.rs",
        "mod load;\nmod save;",
        "rust.mod load → src/config/load.rs
         rust.mod save → missing",
    );
    check(TREE, "src/net/mod.rs", "mod tcp;\nmod udp;", "rust.mod tcp → src/net/tcp.rs\nrust.mod udp → missing");
    check(
        TREE,
        "lib/code/start.rs",
        "mod part;\nmod data;",
        "rust.mod part → lib/code/part.rs\nrust.mod data → missing",
    );
    check(TREE, "src/bin/x.rs", "mod part;", "rust.mod part → missing");
    check("Cargo.toml\nsrc/Net.rs", "src/lib.rs", "mod net;", "rust.mod net → case-mismatch");
    // Inline modules are directories.
    check(
        "Cargo.toml\nsrc/lib.rs\nsrc/a/b/c.rs\nsrc/x/a/c.rs",
        "src/lib.rs",
        "mod a { mod b { mod c; } }",
        "rust.mod c → src/a/b/c.rs",
    );
    check("Cargo.toml\nsrc/x/a/c.rs", "src/x.rs", "mod a { mod c; }", "rust.mod c → src/x/a/c.rs");
}

#[test]
fn recognizes_crate_roots() {
    for root in [
        "src/bin/a.rs",
        "src/bin/a/main.rs",
        "tests/a.rs",
        "tests/a/main.rs",
        "examples/a.rs",
        "benches/a.rs",
        "build.rs",
    ] {
        let beside =
            root.rsplit_once('/').map_or("part.rs".to_owned(), |(directory, _)| format!("{directory}/part.rs"));
        check(&format!("Cargo.toml\n{beside}"), root, "mod part;", &format!("rust.mod part → {beside}"));
    }
    // A crate root of another build tool, and a sample that no manifest names.
    check("BUILD\nx/part.rs", "x/lib.rs", "mod part;", "rust.mod part → x/part.rs");
    check("x/part.rs", "x/sample.rs", "mod part;", "rust.mod part → unknown undecided");
    assert_eq!(severities("x/a.txt", "x/sample.rs", "mod part;"), ["hint"]);
    // A file that another one includes or names in a `#[path]`.
    for other in ["#[path = \"imp/b.rs\"] mod c;", "include!(\"imp/b.rs\");"] {
        check(
            &format!("Cargo.toml\nsrc/lib.rs = {other}\nsrc/imp/part.rs"),
            "src/imp/b.rs",
            "mod part;\nmod gone;",
            "rust.mod part → src/imp/part.rs\nrust.mod gone → missing",
        );
    }
}

#[test]
fn resolves_path_attributes() {
    check(
        TREE,
        "src/lib.rs",
        "#[path = \"net/tcp.rs\"]\nmod tcp;\n#[path = r\"../gone.rs\"] mod gone;\nfn f() { #[path = \"unix.rs\"] mod u; mod v; }",
        "rust.path net/tcp.rs → src/net/tcp.rs
         rust.path ../gone.rs → missing
         rust.path unix.rs → src/unix.rs",
    );
    // Inline modules, in a crate root and in another file.
    check(
        "Cargo.toml\nsrc/inline/other.rs",
        "src/lib.rs",
        "mod inline { #[path = \"other.rs\"] mod inner; }",
        "rust.path other.rs → src/inline/other.rs",
    );
    check(
        "Cargo.toml\nsrc/a/inline/other.rs",
        "src/a.rs",
        "mod inline { #[path = \"other.rs\"] mod inner; }",
        "rust.path other.rs → src/a/inline/other.rs",
    );
    check(
        "Cargo.toml\nsrc/threads/tls.rs\nsrc/threads/b.rs",
        "src/a.rs",
        "#[path = \"threads\"] mod thread { #[path = \"tls.rs\"] mod data; mod b; }",
        "rust.path tls.rs → src/threads/tls.rs\nrust.mod b → src/threads/b.rs",
    );
    // rust-analyzer#9173, #14230, #6170: a path out of the package is a path.
    check(
        "lib/Cargo.toml\nshared.rs",
        "lib/src/lib.rs",
        "#[path = \"../../shared.rs\"] mod s;",
        "rust.path ../../shared.rs → shared.rs",
    );
    check(
        "lib/Cargo.toml",
        "src/lib.rs",
        "#[path = \"../../shared.rs\"] mod s;",
        "rust.path ../../shared.rs → unknown outside",
    );
    check(TREE, "src/lib.rs", "#[path = \"/a/b.rs\"] mod s;", "rust.path /a/b.rs → unknown dynamic");
}

/// rust-analyzer#6425, #17371.
#[test]
fn resolves_conditional_paths() {
    check(
        TREE,
        "src/lib.rs",
        "#[cfg_attr(unix, path = \"unix.rs\")]\n#[cfg_attr(windows, path = \"windows.rs\")]\n#[cfg_attr(wasi, path = \"wasi.rs\")]\nmod sys;",
        "rust.path unix.rs → src/unix.rs
         rust.path windows.rs → src/windows.rs
         rust.path wasi.rs → unknown optional
         rust.mod sys → src/unix.rs",
    );
    check(
        TREE,
        "src/lib.rs",
        "#[cfg_attr(unix, path = \"no.rs\")]\nmod config;\n#[cfg_attr(unix, path = \"no.rs\")]\nmod sys;",
        "rust.path no.rs → unknown optional
         rust.mod config → src/config.rs
         rust.path no.rs → unknown optional
         rust.mod sys → missing",
    );
    check(
        "Cargo.toml\nsrc/u/x.rs",
        "src/lib.rs",
        "#[cfg_attr(unix, path = \"u\")] mod a { mod x; }",
        "rust.mod x → src/u/x.rs",
    );
}

#[test]
fn respects_cfg() {
    let text = "#[cfg(test)] mod tests;\n#[cfg(feature = \"x\")]\n// why\nmod x;\n#[cfg(loom)] mod loom;\n#[cfg(any(unix, mine))] mod m;\n\
                #[cfg(mine)] mod a { mod b; }\nmod c { #![cfg(mine)] mod d; }\nmod e;";
    check(
        TREE,
        "src/lib.rs",
        text,
        "rust.mod tests → missing
         rust.mod x → missing
         rust.mod loom → unknown optional
         rust.mod m → unknown optional
         rust.mod b → unknown optional
         rust.mod d → unknown optional
         rust.mod e → missing",
    );
    assert_eq!(severities(TREE, "src/lib.rs", text), ["warning", "warning", "error"]);
    assert_eq!(severities(TREE, "tests/ui/a.rs", "mod x;"), ["hint"]);
    assert_eq!(severities(TREE, "tests/fixtures/src/a.rs", "mod x;"), ["hint"]);
}

#[test]
fn recognizes_generated_files() {
    check(
        "Cargo.toml\nbuild.rs = fs::write(\"src/tables.rs\", x)\nignore src/pb.rs",
        "src/lib.rs",
        "mod tables;\nmod pb;\nconst X: &str = include_str!(\"tables.rs\");",
        "rust.mod tables → unknown produced
         rust.mod pb → unknown ignored
         rust.include tables.rs → unknown produced",
    );
}

#[test]
fn ignores_other_macros() {
    check(
        TREE,
        "src/lib.rs",
        "macro_rules! m { () => { mod a; include_str!(\"no.txt\") }; ($x:expr) => { include_str!($x) } }\n\
         fn f() { cfg_if! { if #[cfg(unix)] { mod no; } } }\nlet q = quote! { include_str!(\"no.txt\") mod no; };\n\
         // include_str!(\"no.txt\")\n/// include_str!(\"no.txt\")\nconst S: &str = \"include_str!(\\\"no.txt\\\") mod x;\";\nmod config;",
        "rust.mod config → src/config.rs",
    );
}

/// Items in a conditional macro count as if they stood alone; the items of other macros are unknown.
#[test]
fn finds_modules_in_macros() {
    check(
        TREE,
        "src/lib.rs",
        "cfg_if::cfg_if! { if #[cfg(unix)] { mod unix; } else if #[cfg(loom)] { mod loom; } else { mod gone; } }\n\
         cfg_rt! { pub mod config; #[path = \"net/tcp.rs\"] mod t; fn f() { mod g; } mod net { pub(crate) mod tcp; mod udp; } }\n\
         each! { mod windows; mod mac; }\ncfg_x!(mod other;);",
        "rust.mod unix → src/unix.rs
         rust.mod loom → unknown optional
         rust.mod gone → missing
         rust.mod config → src/config.rs
         rust.path net/tcp.rs → src/net/tcp.rs
         rust.mod tcp → src/net/tcp.rs
         rust.mod udp → missing
         rust.mod windows → src/windows.rs
         rust.mod mac → unknown optional
         rust.mod other → missing",
    );
    for text in ["a! {", "cfg_a! { mod", "cfg_a! { mod a { #[", "cfg_a! }}} mod a;", "cfg_a! { fn mod b; }"] {
        assert_ranges_valid("src/lib.rs", text);
    }
    assert_ranges_valid("src/lib.rs", &format!("cfg_a! {{ {} }}", "mod a { ".repeat(5000)));
}

/// The only undeclared module file, mistyped, is broken wherever the file lies and under any condition.
#[test]
fn reports_mistyped_modules() {
    let tree = "x/arena.rs\nx/text/mod.rs\nx/part1.rs\nx/known.rs";
    let text = "mod arna;\nmod teext;\nmod part2;\nmod known;\nmod knowns;\n#[cfg(mine)] mod arrena;";
    check(
        tree,
        "x/lib.rs",
        text,
        "rust.mod arna → missing
         rust.mod teext → missing
         rust.mod part2 → missing
         rust.mod known → x/known.rs
         rust.mod knowns → missing
         rust.mod arrena → missing",
    );
    assert_eq!(severities(tree, "x/lib.rs", text), ["error", "error", "hint", "hint", "warning"]);
}

#[test]
fn resolves_included_files() {
    check(
        TREE,
        "src/lib.rs",
        "#![doc = include_str!(\"../README.md\")]\n#[doc = include_str!(\"../NO.md\")]\nfn f() {\n\
         let a = include_bytes!(r#\"net/tcp.rs\"#); include!(\"no.rs\",);\nassert_eq!(std::include_str! { \"gone.txt\" }, x);\n\
         let d = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/src/unix.rs\"));\n\
         let e = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/src/no.rs\"));\n\
         include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\")); include!(concat!(env!(\"X\"), \"/made.rs\"));\n\
         include_str!(concat!(\"a\", \"b.txt\")); include!(env!(\"X\")); include_str!(\"/etc/x\"); include_str!(\"a\\\\b\");\n}",
        "rust.include ../README.md → README.md
         rust.include ../NO.md → missing
         rust.include net/tcp.rs → src/net/tcp.rs
         rust.include no.rs → missing
         rust.include gone.txt → missing
         rust.include /src/unix.rs → src/unix.rs
         rust.include /src/no.rs → missing
         rust.include /made.rs → unknown produced
         rust.include /made.rs → unknown dynamic
         rust.include b.txt → unknown dynamic
         rust.include /etc/x → unknown elsewhere",
    );
    check(
        TREE,
        "lib/code/start.rs",
        "include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/\", \"data/x.txt\"));\n\
         include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data/x.txt\"));\n#[cfg(mine)] const A: &str = include_str!(\"no\");\n\
         #[cfg(target_arch = \"wasm32\")] const A: &str = include_str!(\"made.ron\");\n\
         #[cfg(all(windows, target_arch = \"x86_64\"))] const A: &[u8] = include_bytes!(\"run.exe\");\n#[cfg(test)] const A: &str = include_str!(\"test\");\n\
         static D: Dir = include_dir!(\"$CARGO_MANIFEST_DIR/data\"); static E: Dir = include_dir!(\"$CARGO_MANIFEST_DIR/no\");",
        "rust.include data/x.txt → unknown dynamic
         rust.include /data/x.txt → lib/data/x.txt
         rust.include no → unknown optional
         rust.include made.ron → unknown optional
         rust.include run.exe → missing
         rust.include test → missing
         rust.include data → lib/data
         rust.include no → missing",
    );
}

#[test]
fn accepts_broken_text() {
    for text in [
        "mod a; #[path = \"",
        "include_str!(",
        "#[cfg_attr(x, path = \"é",
        "mod a { mod b { mod c; ",
        "mod r#;",
        "mod ;",
    ] {
        assert_ranges_valid("src/lib.rs", text);
    }
    assert_ranges_valid("src/lib.rs", &"mod a { ".repeat(3000));
    assert_ranges_valid(
        "src/lib.rs",
        &format!("{}mod b; include_str!(\"a\")", "#[cfg(a)] mod a { fn f() { ".repeat(500)),
    );
}

/// A bridge to C++ names headers, which are not searched beside the file.
#[test]
fn ignores_headers_of_a_bridge() {
    check(
        "src/lib.rs",
        "src/ffi.rs",
        "unsafe extern \"C++\" { include!(\"a/b.h\"); }\nfn f() { include!(\"gone.rs\"); }\n",
        "rust.include a/b.h → unknown elsewhere
         rust.include gone.rs → missing",
    );
}

/// A build script writes a file of this name, but git moved this one, so it is not generated.
#[test]
fn prefers_moves_over_generators() {
    let tree = "a/Cargo.toml\na/build.rs = fs::write(Path::new(\"src\").join(\"made.rs\"), x)\na/src/other.rs";
    check(tree, "a/src/lib.rs", "mod made;", "rust.mod made → unknown produced");
    let moved = format!("{tree}\nmoved a/src/made.rs a/src/other.rs");
    check(&moved, "a/src/lib.rs", "mod made;", "rust.mod made → moved");
    let made_since = format!("{tree}\na/src/made.rs.in\nmoved a/src/made.rs a/src/made.rs.in");
    check(&made_since, "a/src/lib.rs", "mod made;", "rust.mod made → unknown produced");
}

/// A crate whose files import each other.
const CRATE: &str = "Cargo.toml = [package]\\nname = \"my-lib\"\nsrc/lib.rs = mod a;\\nmod c;\\npub use c::Gone;\\nmod d { }\n\
                     src/a.rs = mod b;\\nmod x;\nsrc/a/b.rs\nsrc/a/x.rs\nsrc/c/mod.rs = mod e;\nsrc/c/e.rs\nsrc/d.rs\n\
                     tool/Cargo.toml = [package]\\nname = \"tool\"\ntool/src/main.rs";

#[test]
fn resolves_modules_in_paths() {
    check(
        CRATE,
        "src/a/x.rs",
        "use crate::{a::b::{self, C}, c::e};\nuse super::b::D;\nfn f() { crate::c::g(); crate::d::h(); serde::a::b() }",
        "rust.use a::b → src/a/b.rs
         rust.use c::e → src/c/e.rs
         rust.use super::b → src/a/b.rs
         rust.use crate::c → src/c/mod.rs",
    );
}

#[test]
fn reports_moved_modules_in_paths() {
    let moved = |file: &str, contents: &str, expect: &str| {
        check(&format!("{CRATE}\nmoved src/a/old.rs src/a/b.rs\nmoved src/was.rs src/c/e.rs"), file, contents, expect);
    };
    moved("src/a/x.rs", "use super::old::C;", "rust.use super::old → moved");
    moved("src/a/x.rs", "use crate::{a, was::{C, D}};", "rust.use a → src/a.rs\nrust.use was → moved");
    // Names that stand in for the module, names of items, and files that no module declares.
    moved("src/lib.rs", "pub mod was { }\nuse crate::was::C;", "");
    moved("src/lib.rs", "make!(was);\nuse crate::was::C;", "");
    moved("src/lib.rs", "pub use c::*;\nuse crate::was::C;", "rust.use c → src/c/mod.rs");
    moved(
        "src/lib.rs",
        "mod c;\npub use c::was;\nuse crate::was::C;",
        "rust.mod c → src/c/mod.rs\nrust.use c → src/c/mod.rs",
    );
    moved("src/a/stray.rs", "use super::old::C;", "");
    moved("src/a/x.rs", "fn f() { crate::was!(1); crate::was(1) }", "");
    moved(
        "src/lib.rs",
        "mod was;\nuse was::C;\nfn f() { crate::was(1) }",
        "rust.mod was → moved\nrust.use was → moved\nrust.use crate::was → moved",
    );
    // Only the caller of a macro knows its crate.
    moved("src/a/x.rs", "macro_rules! m { () => { crate::was::C } }", "");
    check(CRATE, "src/a/x.rs", "use super::old::C; use crate::was::C;", "");
}

/// After `use crate::a;`, `a::f()` is a path to that module. Aliases, other bindings of the name and globs are left alone.
#[test]
fn follows_names_that_use_binds() {
    let tree = format!("{CRATE}\nmoved src/c/old.rs src/c/e.rs");
    let found = |contents: &str, expect: &str| check(&tree, "src/a/x.rs", contents, expect);
    found("use crate::c;\nfn f() { c::e::g() }", "rust.use crate::c → src/c/mod.rs\nrust.bound c::e → src/c/e.rs");
    found("use crate::c as d;\nfn f() { c::e::g(); d::g() }", "rust.use crate::c → src/c/mod.rs");
    found(
        "use crate::c::{self, e};\nfn f() { e::g() }",
        "rust.use crate::c → src/c/mod.rs\nrust.use e → src/c/e.rs\nrust.bound e → src/c/e.rs",
    );
    // The `use` has the old name.
    let bound = "rust.use crate::c::old → moved\nrust.bound old → unknown undecided";
    found("use crate::c::old;\nfn f() { old::g() }", bound);
    found("use crate::c::old::{self, F};\nfn f() { old::g() }", bound);
    // The `use` has the new name.
    let moved = "rust.use crate::c::e → src/c/e.rs\nrust.bound old → moved";
    found("use crate::c::e;\nfn f() { old::g() }", moved);
    for other in ["mod old { }", "use super::*;", "extern crate old;", "use x as old;"] {
        let expect = "rust.use crate::c::e → src/c/e.rs";
        found(&format!("{other}\nuse crate::c::e;\nfn f() {{ old::g() }}"), expect);
    }
    let tree = format!("{tree}\nCargo.toml = [dependencies]\\nold = \"1\"");
    check(&tree, "src/a/x.rs", "use crate::c::e;\nfn f() { old::g() }", "rust.use crate::c::e → src/c/e.rs");
}

/// A package may have modules of its own in a directory `tests`, only that beside its manifest has crates.
#[test]
fn finds_the_crate_of_a_module_in_a_directory_of_tests() {
    let tree = "lib/Cargo.toml\nlib/src/lib.rs = mod net;mod tests;\nlib/src/net.rs\nlib/src/tests/mod.rs = mod a;\nlib/src/tests/a.rs";
    check(tree, "lib/src/tests/a.rs", "use crate::net::F;", "rust.use crate::net → lib/src/net.rs");
    let tree = "Cargo.toml\nsrc/lib.rs = mod net;\nsrc/net.rs\ntests/sub/a.rs";
    check(tree, "tests/sub/a.rs", "use crate::net::F;", "");
}

/// A binary lies in a directory of modules that the library declares.
#[test]
fn finds_the_crate_that_declares_a_file() {
    let tree = "Cargo.toml = [[bin]]\\npath = \"src/cli/main.rs\"\nsrc/lib.rs = mod cli; mod net;\nsrc/net.rs\n\
                src/cli/main.rs = mod own;\nsrc/cli/mod.rs = mod command;\nsrc/cli/command.rs\nsrc/cli/own.rs\nsrc/cli/x.rs";
    check(tree, "src/cli/command.rs", "use crate::net::F;", "rust.use crate::net → src/net.rs");
    check(tree, "src/cli/own.rs", "use crate::x::F;", "rust.use crate::x → src/cli/x.rs");
}

/// The file of the new parent module is still to be written.
#[test]
fn follows_a_module_to_a_new_directory() {
    let tree = "Cargo.toml\nsrc/lib.rs = mod a;\nsrc/a.rs\nsrc/sync/util.rs\nmoved src/util.rs src/sync/util.rs";
    check(tree, "src/a.rs", "use crate::sync::util::F;", "rust.use crate::sync::util → src/sync/util.rs");
    check(tree, "src/a.rs", "use crate::util::F;", "rust.use crate::util → moved");
    check(tree, "src/a.rs", "use crate::sync::F;", "");
    check(tree, "src/sync/util.rs", "use super::F;\nuse crate::a::G;", "rust.use crate::a → src/a.rs");
    let tree = "Cargo.toml\nsrc/lib.rs = mod a; make!(sync);\nsrc/a.rs\nsrc/sync/util.rs";
    check(tree, "src/a.rs", "use crate::sync::util::F;", "");
}

#[test]
fn reports_relative_paths_of_a_moved_file() {
    let tree = format!("{CRATE}\nmoved src/c/x.rs src/a/x.rs");
    check(
        &tree,
        "src/a/x.rs",
        "use super::e::C;\nuse super::b::D;",
        "rust.use super::e → moved\nrust.use super::b → src/a/b.rs",
    );
}

/// The file of a module that `#[path]` names is compiled, and so is one that has just moved to where the name is an item as yet.
#[test]
fn reports_moved_modules_in_files_of_other_names() {
    check(
        "Cargo.toml\nsrc/lib.rs = mod process; mod net;\nsrc/net.rs\nsrc/process/mod.rs = #[path = \"unix/mod.rs\"] mod imp;\n\
         src/process/unix/mod.rs\nmoved src/signal.rs src/net.rs",
        "src/process/unix/mod.rs",
        "use crate::signal::D;",
        "rust.use crate::signal → moved",
    );
    check(
        "Cargo.toml\nsrc/lib.rs = mod time; mod run;\nsrc/time/mod.rs = mod driver; pub use driver::sleep::sleep;\nsrc/time/sleep.rs\n\
         src/run.rs\nmoved src/time/driver/sleep.rs src/time/sleep.rs\nmoved src/time/driver/mod.rs src/run.rs",
        "src/time/sleep.rs",
        "use crate::time::driver::T;",
        "rust.use crate::time::driver → moved",
    );
}

/// The name before a glob is that of a module which the file declares.
#[test]
fn reports_moved_modules_before_globs() {
    let check = |contents: &str, expect: &str| {
        let tree = "Cargo.toml\nsrc/lib.rs = mod plugin;\nsrc/plugin.rs\nsrc/plugin/new.rs\nmoved src/plugin/old.rs src/plugin/new.rs";
        check(tree, "src/plugin.rs", contents, expect);
    };
    check("mod old;\npub use old::*;", "rust.mod old → moved\nrust.use old → moved");
    // An item of the name of its module.
    check("mod old;\npub use old::old;", "rust.mod old → moved\nrust.use old → moved");
    check("pub use old::*;\npub use std::x::*;", "");
}

/// A module that is not declared yet is below its file, unless a dependency has its name.
#[test]
fn finds_a_module_before_its_declaration() {
    for manifest in
        ["[dependencies]\\nlogger = \"1\"", "[dependencies.logger]", "[dependencies]\\nlogger.workspace = true"]
    {
        check(&format!("Cargo.toml = {manifest}\nsrc/logger.rs"), "src/lib.rs", "use logger::C;", "");
    }
    for manifest in ["[package]\\nname = \"my-logger\"", "[dependencies]\\nlogger-core = \"1\""] {
        let tree = format!("Cargo.toml = {manifest}\nsrc/logger.rs");
        check(&tree, "src/lib.rs", "use logger::C;", "rust.use logger → src/logger.rs");
    }
}

#[test]
fn includes_what_follows_a_moved_module() {
    check(
        "Cargo.toml\nsrc/lib.rs = mod z;\nsrc/z/mod.rs = mod b;\nsrc/z/b.rs\nmoved src/a/mod.rs src/z/mod.rs",
        "src/lib.rs",
        "mod z;\nuse crate::a::b::C;",
        "rust.mod z → src/z/mod.rs\nrust.use crate::a::b → moved",
    );
}
