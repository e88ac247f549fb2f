//! Recognizes modules that a build or a tool generates.

use pathfinder_literals::path::{ancestors, extension, join, name, parent};
use pathfinder_literals::{Kind, Project, Tree};

/// Directories that builds write, at any depth.
const OUTPUT_DIRECTORIES: [&str; 22] = [
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
/// Directories that builds write beside a `package.json`; elsewhere these are ordinary names.
const PACKAGE_OUTPUT_DIRECTORIES: [&str; 8] = ["amd", "cjs", "commonjs", "es", "esm", "lib", "lib-esm", "umd"];

/// Output directories that builds write among the sources. The others are modules there (`src/codegen.ts`).
const SOURCE_OUTPUT_DIRECTORIES: [&str; 4] = ["_generated", "gen", "generated", "gensrc"];

/// Directories of tools that are imported as a whole.
const TOOL_DIRECTORIES: [&str; 5] = [".contentlayer", ".content-collections", ".fumadocs", ".source", ".velite"];

/// Returns the generator of a module, if there is one.
pub(super) fn find_generator(project: &Project, path: &str) -> Option<&'static str> {
    let tree = project.tree();
    find_output_directory(tree, path)
        .or_else(|| generator_by_name(path))
        .or_else(|| find_compiler(tree, path))
        .or_else(|| find_build_script(tree, path))
}

/// The build or tool that writes a directory of the path.
fn find_output_directory(tree: &dyn Tree, path: &str) -> Option<&'static str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    for end in ends {
        let directory = &path[..end];
        let segment = name(directory);
        let is_there = tree.kind(directory).is_some();
        // Tools write to hidden directories of their own.
        let is_own = segment.starts_with('.') && segment.len() > 1 && !is_there;
        if is_own && (end < path.len() || TOOL_DIRECTORIES.contains(&segment)) {
            return Some("a tool");
        }
        let beside_package = || {
            let above = parent(directory);
            above.is_empty() || tree.kind(&format!("{above}/package.json")).is_some()
        };
        let is_module = end == path.len()
            && is_among_sources(path)
            && !SOURCE_OUTPUT_DIRECTORIES.contains(&segment)
            && !segment.contains('-');
        let is_output = OUTPUT_DIRECTORIES.contains(&segment) && !is_module
            || segment.starts_with("dist-")
            || segment.ends_with("-dist");
        let is_output = is_output || (PACKAGE_OUTPUT_DIRECTORIES.contains(&segment) && beside_package());
        if is_output && (!is_there || (segment == "dist" && end < path.len())) {
            return Some("a build");
        }
    }
    None
}

/// Returns whether a path is that of a module among sources.
fn is_among_sources(path: &str) -> bool {
    parent(path).split('/').any(|segment| segment == "src")
}

/// The generator of a file that is named by the convention of code generators.
fn generator_by_name(path: &str) -> Option<&'static str> {
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
        ".codegen",
        "autogen",
        "auto-imports",
    ];
    let last = name(path);
    let stem = ["js", "ts", "mjs", "cjs", "jsx", "tsx", "json", "css", "wasm"]
        .iter()
        .find_map(|end| last.strip_suffix(end)?.strip_suffix('.'))
        .unwrap_or(last);
    let is_generated = WORDS.iter().any(|word| match word.chars().next() {
        Some('_' | '-' | '.') => stem.ends_with(word),
        _ => stem == *word || stem.ends_with(&format!(".{word}")),
    });
    if [".min.", ".development.", ".production."].iter().any(|mark| last.contains(mark)) {
        return Some("a build");
    }
    let is_wasm = stem.ends_with("_bg") || extension(last) == "node";
    if is_generated {
        return Some("a code generator");
    }
    if matches!(stem, "$types" | "$houdini") {
        return Some("SvelteKit");
    }
    if last == "next-env.d" || last == "next-env.d.ts" {
        return Some("Next.js");
    }
    is_wasm.then_some("a native build")
}

/// The compiler of a source file beside the path.
fn find_compiler(tree: &dyn Tree, path: &str) -> Option<&'static str> {
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

/// The build script above a path that mentions it: it copies or writes the file.
fn find_build_script(tree: &dyn Tree, path: &str) -> Option<&'static str> {
    const SCRIPTS: [&str; 11] = [
        ".eleventy.",
        "BUILD",
        "BUILD.bazel",
        "Gruntfile.",
        "Makefile",
        "build.",
        "eleventy.config.",
        "gulpfile.",
        "package.json",
        "rollup.config.",
        "webpack.",
    ];
    let stem = ["js", "ts", "mjs", "cjs", "jsx", "tsx", "d.ts"]
        .iter()
        .find_map(|end| path.strip_suffix(end)?.strip_suffix('.'));
    let stem = stem.unwrap_or(path);
    let mentioning_script = |directory: &str| {
        let below = stem.strip_prefix(directory)?.trim_start_matches('/');
        // A copied file has another directory in the output, so its last two segments suffice.
        let last_segments = below.rmatch_indices('/').nth(1).map_or(below, |(at, _)| &below[at + 1..]);
        let names = tree.names(directory);
        let mut scripts = names.iter().filter(|name| SCRIPTS.iter().any(|start| name.starts_with(start)));
        scripts.find_map(|script| {
            let text = tree.read(&join(directory, script)?)?;
            // Other entries of a package name files that must exist.
            let text = match script.as_str() {
                "package.json" => text.split_once("\"scripts\"")?.1.split_once('}')?.0.to_owned(),
                _ => text,
            };
            let is_exact = matches!(script.as_str(), "package.json" | "Makefile" | "BUILD" | "BUILD.bazel");
            mentions_path(&text, if is_exact { below } else { last_segments }).then_some("a script of the project")
        })
    };
    ancestors(parent(path)).find_map(mentioning_script)
}

/// Returns whether a text contains a path as a whole, with or without an extension, outside of imports. A single segment needs
/// an extension.
fn mentions_path(text: &str, path: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices(path).any(|(at, _)| {
        let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        let is_import = ["import ", "require(", " from "].iter().any(|word| line.contains(word));
        let (before, after) = (&text[..at], &text[at + path.len()..]);
        let is_file = after.strip_prefix('.').is_some_and(|end| end.starts_with(char::is_alphanumeric));
        // A name after a slash is a file of another directory.
        let is_other = !path.contains('/')
            && before.strip_suffix('/').is_some_and(|before| before.ends_with(|c| is_part(c) || c == '.' || c == '}'));
        let is_whole = !is_other && !before.ends_with(|c| is_part(c) || c == '.') && !after.starts_with(is_part);
        !is_import && is_whole && (is_file || path.contains('/'))
    })
}
