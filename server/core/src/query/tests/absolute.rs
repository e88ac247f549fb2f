//! Absolute paths: under a root, on other machines, in other notations.

use expect_test::expect;

use super::{check_all, environment, roots};

#[test]
fn reads_absolute_paths_under_a_root() {
    check_all(
        &[
            "/home/me/work/ripgrep/src/main.rs",
            "/home/me/work/ripgrep/",
            "/home/me/work/ripgrep/../x",
            "/home/me/work/ripgrepper/x",
        ],
        &environment(),
        &expect![[r#"
            "/home/me/work/ripgrep/src/main.rs"
              0.00 src/main.rs [as written] root 0
            "/home/me/work/ripgrep/"
              0.00  [as written] root 0 directory
            "/home/me/work/ripgrep/../x"
              0.15 work/x [prefix of another machine removed] foreign
              0.15 x [prefix of another machine removed] foreign
              0.30 home/me/work/x [path of another machine] foreign outside
            "/home/me/work/ripgrepper/x"
              0.10 x [prefix of another machine removed] foreign
              0.15 ripgrepper/x [prefix of another machine removed] foreign
              0.15 work/ripgrepper/x [prefix of another machine removed] foreign
              0.30 home/me/work/ripgrepper/x [path of another machine] foreign outside
        "#]],
    );
    check_all(
        &["/r/two/x", "/r/one/x"],
        &roots(&["/r/one", "/r/two"]),
        &expect![[r#"
        "/r/two/x"
          0.00 x [as written] root 1
        "/r/one/x"
          0.00 x [as written] root 0
    "#]],
    );
}

#[test]
fn drops_prefixes_of_other_machines() {
    check_all(
        &[
            "/workspace/repo/README.md#L8",
            "/home/dev/projects/app/crates/x.rs",
            "/Users/someone/code/ripgrep/crates/x.rs:40:7",
            "/app/crates/ruff_wasm/src/lib.rs",
            "/src/main.rs",
            "/",
        ],
        &environment(),
        &expect![[r#"
            "/workspace/repo/README.md#L8"
              0.17 README.md [line suffix removed; prefix of another machine removed] foreign
              0.17 repo/README.md [line suffix removed; prefix of another machine removed] foreign
              0.22 workspace/repo/README.md [line suffix removed; / read as the root] foreign
              0.32 workspace/repo/README.md [line suffix removed; path of another machine] foreign outside
            "/home/dev/projects/app/crates/x.rs"
              0.10 crates/x.rs [prefix of another machine removed] foreign
              0.15 app/crates/x.rs [prefix of another machine removed] foreign
              0.15 projects/app/crates/x.rs [prefix of another machine removed] foreign
              0.30 home/dev/projects/app/crates/x.rs [path of another machine] foreign outside
            "/Users/someone/code/ripgrep/crates/x.rs:40:7"
              0.06 crates/x.rs [line suffix removed; root's own name removed] root 0
              0.17 code/ripgrep/crates/x.rs [line suffix removed; prefix of another machine removed] foreign
              0.17 ripgrep/crates/x.rs [line suffix removed; prefix of another machine removed] foreign
              0.32 Users/someone/code/ripgrep/crates/x.rs [line suffix removed; path of another machine] foreign outside
            "/app/crates/ruff_wasm/src/lib.rs"
              0.05 app/crates/ruff_wasm/src/lib.rs [/ read as the root] foreign
              0.06 crates/ruff_wasm/src/lib.rs [prefix of another machine removed] foreign
              0.30 app/crates/ruff_wasm/src/lib.rs [path of another machine] foreign outside
            "/src/main.rs"
              0.05 src/main.rs [/ read as the root] foreign
              0.06 main.rs [prefix of another machine removed] foreign
              0.30 src/main.rs [path of another machine] foreign outside
            "/"
              0.05  [/ read as the root] foreign
              0.30  [path of another machine] foreign outside
        "#]],
    );
}

#[test]
fn reads_windows_paths() {
    check_all(
        &[
            "C:\\Users\\dev\\src\\crates\\core\\config.rs:12",
            "C:/ripgrep/x.rs",
            "D:GithubX",
            "/c/work/app/x.rs",
            "\\\\server\\share\\dir\\x.rs",
            "src\\main.rs",
        ],
        &environment(),
        &expect![[r#"
            "C:\\Users\\dev\\src\\crates\\core\\config.rs:12"
              0.14 core/config.rs [line suffix removed; backslashes read as /; prefix of another machine removed] foreign
              0.19 crates/core/config.rs [line suffix removed; backslashes read as /; prefix of another machine removed] foreign
              0.19 src/crates/core/config.rs [line suffix removed; backslashes read as /; prefix of another machine removed] foreign
              0.34 Users/dev/src/crates/core/config.rs [line suffix removed; backslashes read as /; path of another machine] foreign outside
            "C:/ripgrep/x.rs"
              0.04 x.rs [root's own name removed] root 0
              0.10 ripgrep/x.rs [drive letter removed] foreign
              0.30 ripgrep/x.rs [path of another machine] foreign outside
            "D:GithubX"
              0.10 GithubX [drive letter removed] foreign
            "/c/work/app/x.rs"
              0.10 x.rs [prefix of another machine removed] foreign
              0.15 app/x.rs [prefix of another machine removed] foreign
              0.20 work/app/x.rs [drive letter removed] foreign
              0.30 c/work/app/x.rs [path of another machine] foreign outside
            "\\\\server\\share\\dir\\x.rs"
              0.07 dir/x.rs [backslashes read as /; network share removed] foreign
              0.32 server/share/dir/x.rs [backslashes read as /; path of another machine] foreign outside
            "src\\main.rs"
              0.02 src/main.rs [backslashes read as /]
              0.40 src\main.rs [as written]
        "#]],
    );
}

#[test]
fn translates_windows_notations() {
    let windows = roots(&["C:\\Work\\tool"]);
    check_all(
        &["c:/work/tool/src/x.rs", "/mnt/c/Work/tool/src/x.rs", "/c/Work/tool/src/x.rs", "\\\\?\\C:\\Work\\tool\\x"],
        &windows,
        &expect![[r#"
            "c:/work/tool/src/x.rs"
              0.00 src/x.rs [as written] root 0
            "/mnt/c/Work/tool/src/x.rs"
              0.01 src/x.rs [WSL or MSYS notation translated] root 0
            "/c/Work/tool/src/x.rs"
              0.01 src/x.rs [WSL or MSYS notation translated] root 0
            "\\\\?\\C:\\Work\\tool\\x"
              0.00 x [as written] root 0
        "#]],
    );
    let linux = roots(&["/mnt/c/work/tool"]);
    check_all(
        &["C:\\work\\tool\\x.rs"],
        &linux,
        &expect![[r#"
            "C:\\work\\tool\\x.rs"
              0.01 x.rs [WSL or MSYS notation translated] root 0
        "#]],
    );
    check_all(
        &["\\\\wsl$\\Ubuntu\\home\\me\\work\\ripgrep\\x.rs", "\\\\wsl.localhost\\Debian\\home\\you\\x.rs"],
        &environment(),
        &expect![[r#"
            "\\\\wsl$\\Ubuntu\\home\\me\\work\\ripgrep\\x.rs"
              0.00 x.rs [as written] root 0
            "\\\\wsl.localhost\\Debian\\home\\you\\x.rs"
              0.17 x.rs [backslashes read as /; prefix of another machine removed] foreign
              0.32 home/you/x.rs [backslashes read as /; path of another machine] foreign outside
        "#]],
    );
}

#[test]
fn reads_uris() {
    check_all(
        &[
            "file:///home/me/work/ripgrep/my%20file.rs",
            "file:///srv/build/crates/x.rs",
            "file:///c%3A/dev/x.rs",
            "file://localhost/app/x.rs",
            "https://github.com/BurntSushi/ripgrep/blob/master/crates/core/main.rs#L10-L12",
            "http://localhost:3000/src/main.ts?t=123",
            "webpack:///./src/x.js",
            "node:fs/promises",
        ],
        &environment(),
        &expect![[r#"
            "file:///home/me/work/ripgrep/my%20file.rs"
              0.01 my%20file.rs [file URI read] root 0
              0.04 my file.rs [file URI read; percent-encoding undone] root 0
            "file:///srv/build/crates/x.rs"
              0.11 crates/x.rs [file URI read; prefix of another machine removed] foreign
              0.16 build/crates/x.rs [file URI read; prefix of another machine removed] foreign
              0.21 srv/build/crates/x.rs [file URI read; / read as the root] foreign
              0.31 srv/build/crates/x.rs [file URI read; path of another machine] foreign outside
            "file:///c%3A/dev/x.rs"
              0.16 x.rs [file URI read; prefix of another machine removed] foreign
              0.21 dev/x.rs [file URI read; drive letter removed] foreign
              0.31 dev/x.rs [file URI read; path of another machine] foreign outside
            "file://localhost/app/x.rs"
              0.06 app/x.rs [file URI read; / read as the root] foreign
              0.07 x.rs [file URI read; prefix of another machine removed] foreign
              0.31 app/x.rs [file URI read; path of another machine] foreign outside
            "https://github.com/BurntSushi/ripgrep/blob/master/crates/core/main.rs#L10-L12"
              0.12 crates/core/main.rs [path taken from a URL; line suffix removed]
              0.42 BurntSushi/ripgrep/blob/master/crates/core/main.rs [path taken from a URL; line suffix removed; path of another machine] foreign outside
            "http://localhost:3000/src/main.ts?t=123"
              0.10 src/main.ts [path taken from a URL]
              0.40 src/main.ts [path taken from a URL; path of another machine] foreign outside
            "webpack:///./src/x.js"
              0.10 src/x.js [path taken from a URL]
              0.40 src/x.js [path taken from a URL; path of another machine] foreign outside
            "node:fs/promises"
              0.00 node:fs/promises [as written]
        "#]],
    );
}

/// Splits a used path into its root and its segments below.
#[test]
fn localises_used_paths() {
    let forms = super::super::RootForms::new(&roots(&["/r/one", r"C:\r\two", "/r/one/deep"]));
    for (path, expect) in [
        ("src/a.rs", (None, "src/a.rs")),
        ("/r/one/src/./a.rs", (Some(0), "src/a.rs")),
        ("/r/one/deep/a.rs", (Some(2), "a.rs")),
        ("/r/oneself/a.rs", (None, "r/oneself/a.rs")),
        (r"C:\r\two\src\a.rs", (Some(1), "src/a.rs")),
        ("c:/r/two/src/a.rs", (Some(1), "src/a.rs")),
        (r"D:\r\two\a.rs", (None, "D:/r/two/a.rs")),
    ] {
        let (root, segments) = forms.localise(path);
        assert_eq!((root, segments.join("/").as_str()), expect, "{path}");
    }
}
