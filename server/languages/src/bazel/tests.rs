//! Fixtures of Bazel: found, missing and unreported labels.

use proptest::prelude::*;

use crate::testing::check;

const TREE: &str = "
    MODULE.bazel
    tools/BUILD
    tools/defs.bzl
    tools/sub/more.bzl
    lib/BUILD.bazel
";

#[test]
fn resolves_loads() {
    check(
        TREE,
        "tools/x.bzl",
        "\"\"\"doc\nload(\"//tools:no.bzl\", \"x\")\n\"\"\"
load(\"//tools:defs.bzl\", \"a\")\nload(\":defs.bzl\", \"b\")\nload('//tools:sub/more.bzl', 'c')\nload(\n    \"//tools:gone.bzl\", \"d\")
load(\":gone.bzl\", \"e\")\nload(\"@rules_cc//cc:defs.bzl\", \"f\")\nload(\"@//lib:gone.bzl\", \"g\")\n# load(\"//tools:no.bzl\")\nx = download(\"//tools:no.bzl\")",
        "bazel.load //tools:defs.bzl → tools/defs.bzl
        bazel.load :defs.bzl → tools/defs.bzl
        bazel.load //tools:sub/more.bzl → tools/sub/more.bzl
        bazel.load //tools:gone.bzl → missing
        bazel.load :gone.bzl → missing
        bazel.load @rules_cc//cc:defs.bzl → unknown elsewhere
        bazel.load @//lib:gone.bzl → missing",
    );
    check("a", "x/BUILD", "load(\"//tools:gone.bzl\", \"a\")", "bazel.load //tools:gone.bzl → unknown undecided");
}

proptest! {
    #[test]
    fn accepts_any_package(text in r#"([()\[\]{}"'\\\r\n #:=,+]|srcs|for|\na\(|\]\n|glob|"""|é){0,60}"#) {
        crate::testing::assert_ranges_valid("a/BUILD", &text);
    }

    #[test]
    fn accepts_any_text(text in r#"([()"'\\\r\n #:@/]|load|\n|a\.bzl|"""|é){0,40}"#) {
        crate::testing::assert_ranges_valid("a/x.bzl", &text);
    }
}

#[test]
fn resolves_sources() {
    let tree = "
        MODULE.bazel
        lib/a.cc
        lib/a.h
        lib/sub/BUILD = genrule(name = 'gen', outs = ['gen.h'])\\nmy_gen(name = 'made', dest = 'there.cc')
        lib/sub/b.txt
        lib/all/BUILD = [genrule(name = x, outs = [x + '.h']) for x in XS]
        lib/empty/x
    ";
    check(
        tree,
        "lib/BUILD",
        r#"cc_library(
    name = "a",
    srcs = ["a.cc", "gone.cc", ":rule", "out.cc", "odd.cc"] + glob(["no.cc"]) + select({"x": ["no.cc"]}),
    hdrs = ["a.h", "A.h", "sub/gone.h"],  # "no.h"
    data = ["//lib/sub:b.txt", "//lib/sub:gen.h", "//lib/sub:made_x.py", "//lib/sub:there.cc", "//lib/sub:lost.py"],
)
genrule(name = "rule", srcs = ["in.y", "//lib:lost.js", "@x//:y.c", "$(X).c"], outs = ["out.cc"])
custom(name = "odd", srcs = [":x.proto"], files = ["x.proto"])
cc_library(name = "b", srcs = ["a" + ".cc", "b.cc" % x, X], data = ["//lib/all:z.h", "//gone:x.h", "//lib/sub"])"#,
        "bazel.srcs a.cc → lib/a.cc
        bazel.srcs gone.cc → missing
        bazel.srcs out.cc → unknown produced
        bazel.srcs odd.cc → unknown produced
        bazel.hdrs a.h → lib/a.h
        bazel.hdrs A.h → case-mismatch
        bazel.hdrs sub/gone.h → missing
        bazel.data //lib/sub:b.txt → lib/sub/b.txt
        bazel.data //lib/sub:gen.h → unknown produced
        bazel.data //lib/sub:made_x.py → unknown produced
        bazel.data //lib/sub:there.cc → unknown produced
        bazel.data //lib/sub:lost.py → missing
        bazel.srcs //lib:lost.js → missing
        bazel.srcs @x//:y.c → unknown elsewhere
        bazel.srcs $(X).c → unknown dynamic
        bazel.srcs :x.proto → unknown produced
        bazel.data //lib/all:z.h → unknown produced
        bazel.data //gone:x.h → missing",
    );
    // Bundles are named after their rules, or by an attribute.
    check(
        "MODULE.bazel\nlib/x.js",
        "lib/BUILD",
        "js_binary(name = \"app\", entry = \"x.js\")\nsass_binary(name = \"css\", output_name = \"styles.css\")
filegroup(name = \"all\", srcs = [\":app.js\", \":app_bin.js\", \":styles.css\", \":gone.css\"])",
        "bazel.srcs :app.js → unknown produced
        bazel.srcs :app_bin.js → unknown produced
        bazel.srcs :styles.css → unknown produced
        bazel.srcs :gone.css → missing",
    );
    // Tests of rules have no sources.
    check(
        "MODULE.bazel\nlib/x.proto",
        "lib/BUILD",
        "util.empty_file(\"bin.py\")\npy_binary(name = \"bin\", srcs = [\"bin.py\"])
proto_library(name = \"a\", srcs = [\"a.proto\"], tags = PREVENT)\nproto_library(name = \"b\", srcs = [\"b.proto\"], tags = [\"manual\"])
proto_library(name = \"c\", srcs = [\"c.proto\", \"x.proto\"], tags = [\"slow\"])",
        "bazel.srcs bin.py → unknown produced
        bazel.srcs a.proto → unknown optional
        bazel.srcs b.proto → unknown optional
        bazel.srcs c.proto → missing
        bazel.srcs x.proto → lib/x.proto",
    );
    check(
        "MODULE.bazel",
        "t/BUILD",
        "proto_library(name = \"a\", srcs = [\"a.proto\"])",
        "bazel.srcs a.proto → unknown undecided",
    );
    // Files of other languages name outputs of rules.
    check(
        "docs/BUILD = write_file(name = 'w', out = 'made.md')\nMODULE.bazel",
        "docs/a.md",
        "[x](made.md) [y](lost.md)",
        "md.link made.md → unknown produced\nmd.link lost.md → missing",
    );
}
