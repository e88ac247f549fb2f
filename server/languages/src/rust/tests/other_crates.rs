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
