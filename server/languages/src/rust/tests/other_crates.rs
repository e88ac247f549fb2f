//! Fixtures of files that came from another crate.

use crate::testing::check;

/// A file came from another crate with a module that it names from the root of its crate.
#[test]
fn reports_paths_of_a_file_that_left_its_crate() {
    let tree = "a/Cargo.toml\na/src/lib.rs = mod rest;\na/src/rest.rs\nb/Cargo.toml\nb/src/lib.rs = mod core;\nb/src/core/mod.rs = mod path; mod api;\n\
                b/src/core/path.rs\nb/src/core/api.rs\nmoved a/src/path.rs b/src/core/path.rs\nmoved a/src/api.rs b/src/core/api.rs";
    check(
        tree,
        "b/src/core/api.rs",
        "use crate::path::P;\nuse crate::core::F;\nuse crate::other::G;",
        "rust.use crate::path → moved\nrust.use crate::core → b/src/core/mod.rs",
    );
    check(tree, "b/src/core/path.rs", "use crate::rest::P;", "rust.use crate::rest → moved");
    // The module that the path goes on to left the other crate as well.
    let tree = "a/Cargo.toml\na/src/lib.rs = mod rest;\na/src/rest/mod.rs = mod path; mod api;\nb/Cargo.toml\nb/src/lib.rs = mod core;\n\
                b/src/core/mod.rs = mod path; mod api;\nb/src/core/path.rs\nb/src/core/api.rs\n\
                moved a/src/rest/path.rs b/src/core/path.rs\nmoved a/src/rest/api.rs b/src/core/api.rs";
    check(tree, "b/src/core/api.rs", "use crate::rest::path::P;", "rust.use crate::rest::path → moved");
}

/// A path names a module that is declared under a name with one letter more. A module belongs to the crate that declares it.
#[test]
fn reports_mistyped_modules() {
    let tree = "a/Cargo.toml\na/src/lib.rs = pub mod update; pub mod tools; macro_rules! m {}\na/src/main.rs = fn main() {}\n\
                a/src/tools.rs\na/src/update/mod.rs = mod product; mod package;\na/src/update/product.rs\na/src/update/package.rs";
    check(
        tree,
        "a/src/update/package.rs",
        "use crate::update::prodct::P;\nuse crate::tols::{A, B};\nuse crate::tols;\nuse super::prodct::{Q};\nuse crate::gone::R;",
        "rust.use crate::update::prodct → missing
         rust.use crate::tols → missing
         rust.use super::prodct → missing",
    );
    // An item can have the name, and a glob none that is nearly the name of a module.
    let tree = tree
        .replace("pub mod tools;", "pub mod tools; pub use x::*;")
        .replace("mod product;", "mod product; use y::prodct;");
    let expect = "rust.use crate::tols → missing";
    check(&tree, "a/src/update/package.rs", "use crate::tols::A;\nuse super::prodct::Q;", expect);
}

/// The first name of a `use` is no library of the manifest and no item, and differs by one letter from a module beside.
#[test]
fn reports_mistyped_first_names() {
    let manifest =
        "a/Cargo.toml = [package]\\nname = \"a\"\\nedition = \"2024\"\\n[dependencies]\\nrust-gameplan = \"1\"\\n";
    let tree = format!("{manifest}\na/src/lib.rs = mod gameplay; mod errors;\na/src/gameplay/mod.rs\na/src/errors.rs");
    let check =
        |text: &str, expect: &str| check(&tree, "a/src/lib.rs", &format!("mod gameplay; mod errors;\n{text}"), expect);
    let modules = "rust.mod gameplay → a/src/gameplay/mod.rs\nrust.mod errors → a/src/errors.rs";
    check("use gamelay::A;", &format!("{modules}\nrust.use gamelay → missing"));
    check("use x::*;\nuse gamelay::{A, B};", &format!("{modules}\nrust.use gamelay → missing"));
    // A library, an item, the plural of another module, an item alone.
    check("use gameplan::A;", modules);
    check("mod b { pub fn gamelay() {} }\nuse b as gamelay;\nuse gamelay::A;", modules);
    check("use error::A;", modules);
    check("use gamelay;", modules);
}
