//! Tests of paths of `use` in the edition of 2015, which start from the crate root.

use crate::testing::check;

#[test]
fn starts_paths_of_use_at_the_root_in_the_edition_of_2015() {
    let tree = "src/lib.rs = mod a; mod new;\nsrc/a.rs = mod c;\nsrc/a/c.rs\nsrc/new/mod.rs = mod d;\nsrc/new/d.rs\n\
                moved src/old/mod.rs src/new/mod.rs\nmoved src/old/d.rs src/new/d.rs\n";
    let manifest = |rest: &str| format!("{tree}Cargo.toml = [package]\\nname = \"x\"\\n{rest}");
    let text = "use a::c::X;\nuse new;\nuse old::d::Y;\nuse http::Z;\nfn f() { new::d::g() }";
    let rows = "rust.use a::c → src/a/c.rs\nrust.use new → src/new/mod.rs\nrust.use old::d → moved\nrust.bound new::d → src/new/d.rs";
    check(&manifest(""), "src/a/c.rs", text, rows);
    check(&manifest("edition = \"2021\""), "src/a/c.rs", text, "");
    // The root still declares the module that moved.
    let declared = manifest("").replace("mod a; mod new;", "mod a; mod old;");
    check(&declared, "src/a/c.rs", "use old::{d, X};", "rust.use old → moved");
    // A dependency may have the name.
    check(&manifest("[dependencies]\\nold = \"1\""), "src/a/c.rs", "use old::d::Y;", "");
}
