//! Who makes a module that is not in the repository.

use crate::path::{extension, name, parent};
use crate::project::Project;
use crate::tree::{Kind, Tree};

/// Directories that builds write, wherever they are.
const OUTPUT: [&str; 22] = [
    "_generated",
    "artifacts",
    "bazel-bin",
    "build",
    "bundle",
    "bundles",
    "codegen",
    "compiled",
    "coverage",
    "dist",
    "dist-test",
    "gen",
    "generated",
    "gensrc",
    "out",
    "output",
    "pkg",
    "prebuilt",
    "precompiled",
    "release",
    "temp",
    "tmp",
];
/// Directories that builds write beside a `package.json`: elsewhere these are names like others.
const OUTPUT_OF_PACKAGE: [&str; 8] = ["amd", "cjs", "commonjs", "es", "esm", "lib", "lib-esm", "umd"];

/// Who makes this module, if somebody does.
pub(super) fn by(project: &Project, path: &str) -> Option<&'static str> {
    let tree = project.tree();
    by_directory(tree, path).or_else(|| by_name(path)).or_else(|| by_source(tree, path))
}

fn by_directory(tree: &dyn Tree, path: &str) -> Option<&'static str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    for end in ends {
        let directory = &path[..end];
        let segment = name(directory);
        let is_there = tree.kind(directory).is_some();
        // Tools keep what they write to themselves in a directory of their own.
        if segment.starts_with('.') && segment.len() > 1 && !is_there && end < path.len() {
            return Some("a tool");
        }
        let beside_package = || {
            let above = parent(directory);
            above.is_empty() || tree.kind(&format!("{above}/package.json")).is_some()
        };
        let is_output = OUTPUT.contains(&segment) || segment.starts_with("dist-") || segment.ends_with("-dist");
        let is_output = is_output || (OUTPUT_OF_PACKAGE.contains(&segment) && beside_package());
        if is_output && (!is_there || (segment == "dist" && end < path.len())) {
            return Some("a build");
        }
    }
    None
}

/// By the conventions of generators of code.
fn by_name(path: &str) -> Option<&'static str> {
    const WORDS: [&str; 14] = [
        "generated",
        "gen",
        "_pb",
        "_pb2",
        "_grpc_pb",
        "_connect",
        ".pb",
        "_connectquery",
        "-generated",
        "_generated",
        "routeTree.gen",
        "codegen",
        "autogen",
        "auto-imports",
    ];
    let last = name(path);
    let stem = ["js", "ts", "mjs", "cjs", "jsx", "tsx", "json", "css"]
        .iter()
        .find_map(|end| last.strip_suffix(end)?.strip_suffix('.'))
        .unwrap_or(last);
    let is_generated = WORDS.iter().any(|word| match word.chars().next() {
        Some('_' | '-' | '.') => stem.ends_with(word),
        _ => stem == *word || stem.ends_with(&format!(".{word}")),
    });
    let is_wasm = stem.ends_with("_bg") || extension(last) == "node";
    if is_generated {
        return Some("a code generator");
    }
    if last == "next-env.d" || last == "next-env.d.ts" {
        return Some("Next.js");
    }
    is_wasm.then_some("a native build")
}

/// What lies beside it and is compiled to it.
fn by_source(tree: &dyn Tree, path: &str) -> Option<&'static str> {
    const SCRIPTS: [&str; 19] = [
        "civet",
        "coffee",
        "elm",
        "fbs",
        "fs",
        "g4",
        "grammar",
        "iced",
        "imba",
        "jison",
        "litcoffee",
        "ls",
        "ne",
        "peg",
        "pegjs",
        "peggy",
        "proto",
        "re",
        "res",
    ];
    const STYLES: [&str; 4] = ["less", "sass", "scss", "styl"];
    let last = name(path);
    let stem = last.split('.').next().filter(|stem| !stem.is_empty())?;
    let names = tree.names(parent(path));
    let sources = if extension(last) == "css" { &STYLES[..] } else { &SCRIPTS };
    let is_source = |other: &String| {
        other.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.')).is_some_and(|end| sources.contains(&end))
    };
    (tree.kind(path) != Some(Kind::Directory) && names.iter().any(is_source)).then_some("a compiler")
}
