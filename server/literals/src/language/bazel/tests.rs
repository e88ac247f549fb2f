//! What is loaded: found, missing, and what must not be reported.

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
fn loads() {
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
    fn any_text(text in r#"([()"'\\\r\n #:@/]|load|\n|a\.bzl|"""|é){0,40}"#) {
        crate::testing::holds("a/x.bzl", &text);
    }
}
