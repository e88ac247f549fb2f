//! Fixtures of shell scripts: found, missing and unreported paths.

use proptest::prelude::*;

use crate::testing::check;

const TREE: &str = "
    lib/utils.bash
    scripts/run.sh
    scripts/common.sh
    src/a.c
    src/b.c
    docs/index.md
";

/// A script made the directory, and what it has.
#[test]
fn decides_nothing_in_directories_that_the_tree_lacks() {
    let check_script = |script: &str, expect: &str| check("scripts/run.sh\nmy-app/a.c", "build.sh", script, expect);
    check_script("pushd scripts\n./scripts/gone.sh\n", "sh.path ./scripts/gone.sh → missing");
    check_script("pushd made/by-it\n./scripts/gone.sh\npopd\n", "");
    check_script("git submodule update\n./scripts/gone.sh\n", "");
    check_script("cd -\n./scripts/gone.sh\n", "sh.path ./scripts/gone.sh → missing");
}

#[test]
fn resolves_sourced_scripts() {
    check(
        TREE,
        "scripts/x.sh",
        r#"#!/bin/bash
SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=lib/gone.sh
. "$SCRIPT_DIR/common.sh"
source "$SCRIPT_DIR/gone.sh"
. "${BASH_SOURCE%/*}/../lib/utils.sh"
. $(dirname $0)/common.sh
. $(dirname $0)/../lib/utils.sh
. /etc/profile
source ~/.bashrc
. "$HOME/x.sh"
[ -f "$SCRIPT_DIR/local.sh" ] && . "$SCRIPT_DIR/local.sh"
. "$SCRIPT_DIR/maybe.sh" || true
. ./scripts/common.sh
. ./lib/old.sh
. ./venv/bin/activate
. name
cat <<EOF
. ./lib/not.sh
EOF
"#,
        "sh.source lib/gone.sh → missing
        sh.source $SCRIPT_DIR/common.sh → scripts/common.sh
        sh.source $SCRIPT_DIR/gone.sh → missing
        sh.source ${BASH_SOURCE%/*}/../lib/utils.sh → missing
        sh.source $(dirname $0)/common.sh → scripts/common.sh
        sh.source $(dirname $0)/../lib/utils.sh → missing
        sh.source $HOME/x.sh → unknown dynamic
        sh.source $SCRIPT_DIR/local.sh → unknown optional
        sh.source $SCRIPT_DIR/maybe.sh → unknown optional
        sh.source ./scripts/common.sh → scripts/common.sh
        sh.source ./lib/old.sh → missing
        sh.source ./venv/bin/activate → unknown elsewhere
        sh.source name → unknown elsewhere",
    );
}

#[test]
fn resolves_paths() {
    check(
        TREE,
        "check.sh",
        "SOURCES=\"src/a.c src/b.c \\\n  src/gone.c\"
./scripts/run.sh && ./scripts/gone.sh
cp docs/index.md docs/copy.md
diff docs/gone.md other
python src/gone.py > src/out.py
cat src/out.py
echo docs/prose.md
[ -f src/maybe.c ] && cc src/maybe.c
cc -o src/made.c other/x.c build/y.c
MESSAGE=\"see docs/prose.md\"
./scripts/risky.sh || true
cd \"$TMP\"
./scripts/away.sh
",
        "sh.path src/a.c → src/a.c
        sh.path src/b.c → src/b.c
        sh.path src/gone.c → missing
        sh.path ./scripts/run.sh → scripts/run.sh
        sh.path ./scripts/gone.sh → missing
        sh.path docs/index.md → docs/index.md
        sh.path docs/copy.md → unknown produced
        sh.path docs/gone.md → missing
        sh.path src/gone.py → missing
        sh.path src/out.py → unknown produced
        sh.path src/maybe.c → unknown produced
        sh.path other/x.c → unknown elsewhere
        sh.path build/y.c → unknown elsewhere
        sh.path ./scripts/risky.sh → unknown produced",
    );
}

/// A value below the script's own directory is a path, unless the script makes it.
#[test]
fn resolves_values() {
    let check_value = |script: &str, expect: &str| {
        let text =
            format!("DIR=$(cd \"$(dirname \"$0\")\" && pwd)\nHERE=\"$(dirname \"${{BASH_SOURCE[0]}}\")\"\n{script}\n");
        check(TREE, "scripts/x.sh", &text, expect);
    };
    check_value("CONFIG=\"$HERE/../src/gone.c\"", "sh.path $HERE/../src/gone.c → missing");
    check_value("CONFIG=../src/gone.c", "sh.path ../src/gone.c → missing");
    check_value("CONFIG=\"$HERE/../made/gone.c\"", "");
    check_value("CONFIG=\"$HERE/../src/gone.c\"\n[ -f \"$CONFIG\" ] || exit", "");
    check_value("OUT_FILE=\"$HERE/../src/gone.c\"", "");
    check_value("CODE=\"$HERE/../src/gone\"\nmkdir -p \"$CODE\"", "");
    check(TREE, "scripts/y.sh", "cd `dirname $0`/..\ncc src/gone.c\n", "sh.path src/gone.c → missing");
}

/// The files beside it show where a word below a variable is.
#[test]
fn resolves_words_below_a_variable() {
    let found = |base: &str| {
        ["src/a.c", "src/b.c", "docs/index.md"].map(|path| format!("sh.path {path} → {base}{path}\n")).concat()
    };
    let cp = |last: &str| format!("cp \"$root/src/a.c\" \"$root/src/b.c\" $root/docs/index.md ${{root}}/{last} /tmp\n");
    check(TREE, "scripts/x.sh", &cp("src/gone.c"), &(found("") + "sh.path src/gone.c → missing"));
    check(TREE, "scripts/x.sh", &cp("made/gone.c"), &found(""));
    check(TREE, "scripts/x.sh", "cp \"$root/src/a.c\" \"$root/src/gone.c\" /tmp\n", "sh.path src/a.c → src/a.c");
}

/// In a script whose quotes are misread, text and code are swapped.
#[test]
fn survives_misread_quotes() {
    check(TREE, "x.sh", "a $'it\\'s src/no.c'\nb \"<src/no/x.nix>\" 'see src/no.c'", "");
}

#[test]
fn ignores_other_files() {
    check(TREE, "a.sh", "#!/usr/bin/env python\n. ./lib/gone.sh", "");
    check(TREE, "bin/tool", "#!/bin/sh\n. ./lib/gone.sh", "sh.source ./lib/gone.sh → missing");
    check(TREE, "bin/tool", ". ./lib/gone.sh", "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn accepts_any_text(text in r#"([$(){}"'`\\\r\n #;|&<>.=]|source|\. |\./x\.sh|src/gone\.c|EOF|<<|é|dirname|BASH_SOURCE|%/\*|0){0,40}"#) {
        crate::testing::assert_ranges_valid("src/x.sh", &text);
    }
}

/// A script reads a file as often as it likes, by several names.
#[test]
fn reports_a_second_name_with_a_typo() {
    check(
        "a/env_atlas.sh",
        "a/x.sh",
        "source \"$(dirname \"$0\")/env_atlas.sh\"\nsource ./env_tlas.sh\n",
        "sh.source $(dirname \"$0\")/env_atlas.sh → a/env_atlas.sh\nsh.source ./env_tlas.sh → missing",
    );
}
