//! Relative paths: bases, `..`, repetitions, aliases, diffs.

use expect_test::expect;

use super::{ask, check, check_all, environment, roots};
use crate::query::PathEnvironment;
use crate::request::Request;

fn in_directory() -> PathEnvironment {
    PathEnvironment { cwd: Some((0, "crates/core".to_owned())), ..environment() }
}

fn from(path: &str, file: &str) -> Request {
    Request { from_file: Some(file.to_owned()), ..Request::new(path) }
}

#[test]
fn keeps_plain_paths() {
    check_all(
        &["crates/cli/src/lib.rs", "./src//main.rs", "src/", ".golangci.yml", ".", "a/./b/../c"],
        &environment(),
        &expect![[r#"
            "crates/cli/src/lib.rs"
              0.00 crates/cli/src/lib.rs [as written]
            "./src//main.rs"
              0.00 src/main.rs [as written]
            "src/"
              0.00 src [as written] directory
            ".golangci.yml"
              0.00 .golangci.yml [as written]
            "."
              0.00  [as written] directory
            "a/./b/../c"
              0.01 a/c [.. resolved]
              0.07 c [diff prefix removed; .. resolved]
        "#]],
    );
}

#[test]
fn joins_the_current_directory() {
    check_all(
        &["flags/defs.rs", "./flags", "../cli/src", "../../../x"],
        &in_directory(),
        &expect![[r#"
        "flags/defs.rs"
          0.00 flags/defs.rs [as written]
          0.03 crates/core/flags/defs.rs [relative to the current directory] root 0
        "./flags"
          0.00 flags [as written]
          0.02 crates/core/flags [relative to the current directory] root 0
        "../cli/src"
          0.02 crates/cli/src [relative to the current directory] root 0
          0.30 cli/src [leads out of the root] foreign outside
        "../../../x"
          0.30 x [leads out of the root] foreign outside
    "#]],
    );
}

#[test]
fn joins_the_directory_of_the_file() {
    ask(
        &from("./util", "web/src/app.ts"),
        &environment(),
        &expect![[r#"
        0.00 util [as written]
        0.01 web/src/util [relative to the file that names it]
    "#]],
    );
    ask(
        &from("../lib/util.h", "web/src/app.c"),
        &environment(),
        &expect![[r#"
        0.01 web/lib/util.h [relative to the file that names it]
        0.30 lib/util.h [leads out of the root] foreign outside
    "#]],
    );
    ask(
        &from("util.h", "/home/me/work/ripgrep/web/app.c"),
        &environment(),
        &expect![[r#"
            0.00 util.h [as written]
            0.08 web/util.h [relative to the file that names it] root 0
        "#]],
    );
    ask(
        &from("../../../up.h", "web/app.c"),
        &environment(),
        &expect![[r#"
        0.30 up.h [leads out of the root] foreign outside
    "#]],
    );
    ask(
        &from("x.h", "/elsewhere/app.c"),
        &environment(),
        &expect![[r#"
            0.00 x.h [as written]
        "#]],
    );
    ask(
        &from("x.h", "file:///home/me/work/ripgrep/my%20web/app.c"),
        &environment(),
        &expect![[r#"
            0.00 x.h [as written]
            0.08 my web/x.h [relative to the file that names it] root 0
        "#]],
    );
}

#[test]
fn marks_paths_that_leave_the_root() {
    check_all(
        &["../utils/x.ts", "a/../../b", ".."],
        &environment(),
        &expect![[r#"
        "../utils/x.ts"
          0.30 utils/x.ts [leads out of the root] foreign outside
        "a/../../b"
          0.30 b [leads out of the root] foreign outside
        ".."
          0.30  [leads out of the root] directory foreign outside
    "#]],
    );
}

#[test]
fn joins_the_hint() {
    let request = |path: &str| Request { root_hint: Some("internal/infra".to_owned()), ..Request::new(path) };
    ask(
        &request("infra/reranker/client.go"),
        &environment(),
        &expect![[r#"
        0.00 infra/reranker/client.go [as written]
        0.08 internal/infra/reranker/client.go [under the hinted directory]
    "#]],
    );
    ask(
        &request("client.go"),
        &environment(),
        &expect![[r#"
            0.00 client.go [as written]
            0.08 internal/infra/client.go [under the hinted directory]
        "#]],
    );
    ask(
        &request("internal/infra/client.go"),
        &environment(),
        &expect![[r#"
        0.00 internal/infra/client.go [as written]
    "#]],
    );
}

#[test]
fn removes_repetitions() {
    check_all(
        &[
            "a/b/a/b/c",
            "cmd/entire/cli/session/session",
            "cmd/x/sub/cmd/x/other/f.go",
            "e2e/e2e",
            "packages/a/src/packages.json",
            "src/foo/src/bar.rs",
            "x/x/x",
        ],
        &environment(),
        &expect![[r#"
            "a/b/a/b/c"
              0.00 a/b/a/b/c [as written]
              0.05 a/b/c [repeated segments removed]
              0.06 b/a/b/c [diff prefix removed]
            "cmd/entire/cli/session/session"
              0.00 cmd/entire/cli/session/session [as written]
              0.08 cmd/entire/cli/session [repeated segments removed]
            "cmd/x/sub/cmd/x/other/f.go"
              0.00 cmd/x/sub/cmd/x/other/f.go [as written]
              0.05 cmd/x/other/f.go [path starts again]
            "e2e/e2e"
              0.00 e2e/e2e [as written]
              0.05 e2e [path starts again]
            "packages/a/src/packages.json"
              0.00 packages/a/src/packages.json [as written]
            "src/foo/src/bar.rs"
              0.00 src/foo/src/bar.rs [as written]
              0.20 src/bar.rs [path starts again]
            "x/x/x"
              0.00 x/x/x [as written]
              0.05 x/x [path starts again]
              0.08 x [repeated segments removed]
        "#]],
    );
}

#[test]
fn recognises_roots_by_name_or_without_slash() {
    check_all(
        &["ripgrep/crates/core/main.rs", "home/me/work/ripgrep/src/x.rs", "src//home/me/work/ripgrep/src/x.rs"],
        &environment(),
        &expect![[r#"
            "ripgrep/crates/core/main.rs"
              0.00 ripgrep/crates/core/main.rs [as written]
              0.06 crates/core/main.rs [root's own name removed] root 0
            "home/me/work/ripgrep/src/x.rs"
              0.00 home/me/work/ripgrep/src/x.rs [as written]
              0.02 src/x.rs [leading / restored] root 0
              0.30 ripgrep/src/x.rs [prefix of another machine removed] foreign
              0.30 work/ripgrep/src/x.rs [prefix of another machine removed] foreign
            "src//home/me/work/ripgrep/src/x.rs"
              0.00 src/home/me/work/ripgrep/src/x.rs [as written]
              0.02 src/x.rs [path starts again] root 0
        "#]],
    );
}

#[test]
fn replaces_aliases_and_diff_prefixes() {
    check_all(
        &[
            "@/components/Button",
            "~/components/Button",
            "#/utils",
            "$lib/x",
            "a/src/main.rs",
            "b/src/main.rs",
            "+++ b/src/main.rs",
            "w/x.rs",
            "a/",
        ],
        &roots(&["/r/app"]),
        &expect![[r##"
            "@/components/Button"
              0.06 src/components/Button [import alias read]
              0.10 components/Button [import alias read]
              0.40 @/components/Button [as written]
            "~/components/Button"
              0.10 components/Button [import alias read]
              0.11 Button [home directory filled in; prefix of another machine removed] foreign
              0.12 src/components/Button [import alias read]
              0.31 home/me/components/Button [home directory filled in; path of another machine] foreign outside
              0.40 ~/components/Button [as written]
            "#/utils"
              0.06 src/utils [import alias read]
              0.10 utils [import alias read]
              0.40 #/utils [as written]
            "$lib/x"
              0.00 $lib/x [as written]
              0.06 src/lib/x [import alias read]
              0.10 x [unknown variable removed] foreign
            "a/src/main.rs"
              0.00 a/src/main.rs [as written]
              0.06 src/main.rs [diff prefix removed]
            "b/src/main.rs"
              0.00 b/src/main.rs [as written]
              0.06 src/main.rs [diff prefix removed]
            "+++ b/src/main.rs"
              0.00 +++ b/src/main.rs [as written]
              0.10 b/src/main.rs [leading mark removed]
              0.16 src/main.rs [leading mark removed; diff prefix removed]
            "w/x.rs"
              0.00 w/x.rs [as written]
              0.15 x.rs [diff prefix removed]
            "a/"
              0.00 a [as written] directory
        "##]],
    );
}

#[test]
fn reads_home_and_variables() {
    check_all(
        &[
            "~/work/ripgrep/src/x.rs",
            "$HOME/other/src/x.rs",
            "${CI_PROJECT_DIR}/src/x.rs",
            "%APPDATA%\\x\\y.json",
            "$VAR/x",
            "$postId/edit.tsx",
            "${{ github.workspace }}/x",
            "<rootDir>/x.js",
            "~bob/x",
        ],
        &environment(),
        &expect![[r#"
            "~/work/ripgrep/src/x.rs"
              0.01 src/x.rs [home directory filled in] root 0
              0.10 work/ripgrep/src/x.rs [import alias read]
              0.12 src/work/ripgrep/src/x.rs [import alias read]
              0.40 ~/work/ripgrep/src/x.rs [as written]
            "$HOME/other/src/x.rs"
              0.11 src/x.rs [home directory filled in; prefix of another machine removed] foreign
              0.16 other/src/x.rs [home directory filled in; prefix of another machine removed] foreign
              0.31 home/me/other/src/x.rs [home directory filled in; path of another machine] foreign outside
              0.40 $HOME/other/src/x.rs [as written]
            "${CI_PROJECT_DIR}/src/x.rs"
              0.05 src/x.rs [unknown variable removed] foreign
              0.40 ${CI_PROJECT_DIR}/src/x.rs [as written]
            "%APPDATA%\\x\\y.json"
              0.12 x/y.json [backslashes read as /; unknown variable removed] foreign
              0.40 %APPDATA%\x\y.json [as written]
              0.42 %APPDATA%/x/y.json [backslashes read as /]
            "$VAR/x"
              0.10 x [unknown variable removed] foreign
              0.40 $VAR/x [as written]
            "$postId/edit.tsx"
              0.00 $postId/edit.tsx [as written]
              0.10 edit.tsx [unknown variable removed] foreign
            "${{ github.workspace }}/x"
              0.00 ${{ github.workspace }}/x [as written]
              0.05 x [unknown variable removed] foreign
            "<rootDir>/x.js"
              0.05 x.js [unknown variable removed] foreign
              0.40 <rootDir>/x.js [as written]
            "~bob/x"
              0.00 ~bob/x [as written]
              0.10 x [unknown variable removed] foreign
        "#]],
    );
    let homeless = PathEnvironment { home: None, ..environment() };
    check(
        "~/projects/tool/src/x.rs",
        &homeless,
        &expect![[r#"
        0.10 projects/tool/src/x.rs [home directory filled in] foreign
        0.12 src/projects/tool/src/x.rs [import alias read]
        0.20 src/x.rs [home directory filled in; prefix of another machine removed] foreign
        0.25 tool/src/x.rs [home directory filled in; prefix of another machine removed] foreign
        0.40 ~/projects/tool/src/x.rs [as written]
    "#]],
    );
}

#[test]
fn takes_wildcards_out() {
    check_all(
        &[
            "src/**/client*.go",
            "*.rs",
            "lib/{a,b}.ts",
            "app/[id].tsx",
            "app/(group)/page.tsx",
            "{x}",
            "data[0-9].csv",
            "a/.../b.c",
            "a/\u{2026}/b.c",
            "**",
        ],
        &environment(),
        &expect![[r#"
            "src/**/client*.go"
              0.05 src/client.go [wildcards taken out] glob
              0.40 src/**/client*.go [as written]
            "*.rs"
              0.05 .rs [wildcards taken out] glob
              0.40 *.rs [as written]
            "lib/{a,b}.ts"
              0.00 lib/{a,b}.ts [as written]
              0.15 lib/a.ts [wildcards taken out] glob
              0.15 lib/b.ts [wildcards taken out] glob
            "app/[id].tsx"
              0.00 app/[id].tsx [as written]
            "app/(group)/page.tsx"
              0.00 app/(group)/page.tsx [as written]
            "{x}"
              0.00 {x} [as written]
              0.02 x [brackets removed]
            "data[0-9].csv"
              0.00 data[0-9].csv [as written]
              0.15 data.csv [wildcards taken out] glob
            "a/.../b.c"
              0.00 a/.../b.c [as written]
              0.05 a/b.c [elided segments skipped] glob
              0.06 .../b.c [diff prefix removed]
              0.11 b.c [elided segments skipped; diff prefix removed] glob
            "a/\u{2026}/b.c"
              0.00 a/\u{2026}/b.c [as written]
              0.05 a/b.c [elided segments skipped] glob
              0.06 \u{2026}/b.c [diff prefix removed]
              0.11 b.c [elided segments skipped; diff prefix removed] glob
            "**"
              0.40 ** [as written]
        "#]],
    );
}
