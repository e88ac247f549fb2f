//! Module forms.

use expect_test::expect;

use super::{ask, check_all, environment};
use crate::request::Request;

fn from(path: &str, file: &str) -> Request {
    Request { from_file: Some(file.to_owned()), ..Request::new(path) }
}

#[test]
fn reads_dotted_names() {
    check_all(
        &[
            "pkg.mod.name",
            "foo.test.ts",
            "com.acme.Foo",
            "os.path",
            "README.md",
            "rates.xlsx",
            "pkg.mod:func",
            "com.acme.Foo$Inner",
            "..pkg.mod",
            ".env.local",
            "a.b.C.run()",
        ],
        &environment(),
        &expect![[r#"
            "pkg.mod.name"
              0.00 pkg.mod.name [as written]
              0.10 pkg/mod/name [module name read as path] foreign module
            "foo.test.ts"
              0.00 foo.test.ts [as written]
              0.40 foo/test/ts [module name read as path] foreign module
            "com.acme.Foo"
              0.00 com.acme.Foo [as written]
              0.05 com/acme/Foo [module name read as path] foreign module
            "os.path"
              0.00 os.path [as written]
              0.25 os/path [module name read as path] foreign module
            "README.md"
              0.00 README.md [as written]
            "rates.xlsx"
              0.00 rates.xlsx [as written]
            "pkg.mod:func"
              0.00 pkg.mod:func [as written]
              0.05 pkg/mod [module name read as path] foreign module
              0.05 pkg.mod [symbol name removed]
            "com.acme.Foo$Inner"
              0.00 com.acme.Foo$Inner [as written]
              0.05 com/acme/Foo [module name read as path] foreign module
            "..pkg.mod"
              0.00 ..pkg.mod [as written]
              0.10 pkg/mod [module name read as path] foreign module
            ".env.local"
              0.00 .env.local [as written]
            "a.b.C.run()"
              0.00 a.b.C.run() [as written]
              0.10 a/b/C/run [module name read as path] foreign module
        "#]],
    );
    ask(
        &from(".models", "app/users/views.py"),
        &environment(),
        &expect![[r#"
        0.00 .models [as written]
        0.05 app/users/models [module name read as path] module
        0.08 app/users/.models [relative to the file that names it]
    "#]],
    );
    ask(
        &from("..core.db", "app/users/views.py"),
        &environment(),
        &expect![[r#"
        0.00 ..core.db [as written]
        0.05 app/core/db [module name read as path] module
        0.08 app/users/..core.db [relative to the file that names it]
    "#]],
    );
    ask(
        &from("core.db2", "app/users/views.py"),
        &environment(),
        &expect![[r#"
        0.00 core.db2 [as written]
        0.08 app/users/core.db2 [relative to the file that names it]
        0.10 core/db2 [module name read as path] foreign module
    "#]],
    );
}

#[test]
fn reads_names_with_double_colons() {
    check_all(
        &["crate::a::b", "std::vec::Vec<u8>", "A::B", "Foo::Bar->baz"],
        &environment(),
        &expect![[r#"
            "crate::a::b"
              0.00 crate::a::b [as written]
              0.05 a/b [module name read as path] foreign module
              0.07 src/a/b [module name read as path] foreign module
            "std::vec::Vec<u8>"
              0.00 std::vec::Vec<u8> [as written]
              0.05 std/vec/Vec [module name read as path] foreign module
            "A::B"
              0.00 A::B [as written]
              0.05 A/B [module name read as path] foreign module
            "Foo::Bar->baz"
              0.00 Foo::Bar->baz [as written]
              0.05 Foo/Bar [module name read as path] foreign module
        "#]],
    );
    ask(
        &from("super::x", "src/a/b.rs"),
        &environment(),
        &expect![[r#"
        0.00 super::x [as written]
        0.02 src/a/x [module name read as path] module
        0.05 x [module name read as path] foreign module
        0.08 src/a/super::x [relative to the file that names it]
    "#]],
    );
    ask(
        &from("self::x", "src/a/mod.rs"),
        &environment(),
        &expect![[r#"
        0.00 self::x [as written]
        0.02 src/a/x [module name read as path] module
        0.05 x [module name read as path] foreign module
        0.08 src/a/self::x [relative to the file that names it]
    "#]],
    );
}

#[test]
fn reads_namespaces_with_backslashes() {
    check_all(
        &["App\\Http\\Kernel"],
        &environment(),
        &expect![[r#"
        "App\\Http\\Kernel"
          0.02 App/Http/Kernel [backslashes read as /]
          0.07 App/Http/Kernel [backslashes read as /; module name read as path] foreign module
          0.40 App\Http\Kernel [as written]
    "#]],
    );
}
