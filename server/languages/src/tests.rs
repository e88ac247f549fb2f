//! Properties of every language on any text: no panic, and ranges on character boundaries of the file.

mod document;
mod earlier_paths;
mod fixes;
mod fuzz;
mod incremental;
mod kinds;
mod move_edits;
mod move_modules;
mod move_texts;
mod reverse_dependencies;
mod rewrite;
mod settings;
mod typo_findings;

use std::sync::LazyLock;

use proptest::prelude::*;

use super::{ALL, for_path};
use crate::testing::{MemoryTree, new_project};
use pathfinder_literals::{Project, Source};

/// A small file of each language, with most of its constructs.
const SAMPLES: &[(&str, &str)] = &[
    ("a/x.adoc", "= é\n:d: b\ninclude::b.txt[]\nimage::c.png[x]\nxref:b.adoc#y[z]\n----\ninclude::n.txt[]\n----\n"),
    ("a/x.lst", "# é\nb.txt\nb.txt\nb.txt\nb.txt\n./b.txt\nb.txt\ngone.txt\n"),
    ("a/BUILD", "load(\":b.bzl\", \"c\")\ncc_library(\n    name = \"é\",\n    srcs = [\"b.txt\", \"gone.c\"],\n)\n"),
    (
        "a/x.c",
        "#include \"b.h\"\n/* é */ #include <c/d.h>\n#if A\n#include \"gone.h\"\n#endif\n#embed \"b.txt\"\nchar *s = R\"(x)\";\n",
    ),
    ("a/CMakeLists.txt", "add_executable(x b.c \"é.c\")\ninclude(${A}/b.cmake)\nadd_subdirectory(gone)\n#[[ x ]]\n"),
    ("a/x.css", "@import \"b.css\";\n/* é */ a { background: url(c.png) }\n"),
    ("a/x.less", "@import (less) \"b\";\n// é\na { b: url('c.png') }\n"),
    ("a/x.scss", "@use 'b' as c;\n@import \"d\", 'é';\na { b: url(c.png) }\n"),
    ("a/x.dart", "import 'b.dart' if (dart.library.io) 'c.dart';\nexport 'package:x/é.dart';\npart 'gone.g.dart';\n"),
    ("a/Dockerfile", "FROM x AS é\nCOPY --from=é /a b\nCOPY [\"b.txt\", \"gone\", \"/\"]\nRUN <<E\ny\nE\n"),
    (
        "a/x.csproj",
        "<Project>\n<ItemGroup><Compile Include=\"b.cs;é\\**\\*.cs\" /><ProjectReference Include=\"..\\g\\g.csproj\" />\n</ItemGroup></Project>",
    ),
    ("a/x.sln", "Project(\"{A}\") = \"é\", \"b\\b.csproj\", \"{B}\"\nEndProject\n"),
    ("a/x.go", "package a\nimport (\n\té \"example.com/x/b\"\n\t\"fmt\"\n)\n//go:embed b.txt gone/*\nvar s string\n"),
    ("go.mod", "module example.com/x\nreplace a => ./é\nrequire (\n\tb v1\n)\n"),
    ("settings.gradle", "include ':a', \":é\"\nincludeBuild('../b')\nproject(':a').projectDir = file('gone')\n"),
    (
        "a/x.hs",
        "{-# LANGUAGE CPP #-}\nmodule A.X where\nimport qualified A.B as É\n#if X\nimport A.Gone\n#endif\n{- x -}\n",
    ),
    ("x.cabal", "name: é\nlibrary\n  hs-source-dirs: a\n  exposed-modules: A.B,\n    A.Gone\n"),
    (
        "a/x.html",
        "<!doctype html><p>é<a href=\"b.html#c\">x</a><img src=c.png srcset='a 1x, b 2x'><script src=\"g.js\"></script>",
    ),
    ("a/x.svg", "<svg><image href=\"c.png\"/><use xlink:href='é.svg#a'/></svg>"),
    (
        "a/x.js",
        "import é, { b } from './b.js';\nconst c = require(`./${d}`), e = require('./gone');\n// './n'\nimport('./f');\n",
    ),
    (
        "a/x.ts",
        "import type { A } from \"../b\";\nexport * from './é';\n/// <reference path=\"./g.d.ts\" />\njest.mock('./b');\nconst r = /'/;\n",
    ),
    ("a/x.tsx", "import A from './b';\nconst é = <A b=\"c\">{`${import('./gone')}`}</A>;\n"),
    ("a/x.conf", "include d/b.conf;\n# é d/n.conf\nfile = ./b.txt\n"),
    (
        "a/x.vue",
        "<template><img src=\"./c.png\">é</template>\n<script lang=\"ts\">\nimport b from './b.vue'\n</script>\n<style src='./gone.css'></style>\n",
    ),
    (
        "a/x.svelte",
        "<script>\nimport b from './é.svelte';\n</script>\n{#if x}<b/>{/if}\n<style>@import 'g.css';</style>\n",
    ),
    ("a/x.astro", "---\nimport b from '../gone.astro';\nconst é = 1;\n---\n<b>{é}</b>\n"),
    ("tsconfig.json", "{\n  // é\n  \"extends\": \"./b.json\", \"files\": [\"a/x.ts\", \"gone.ts\"],\n}"),
    ("a/X.java", "package a;\nimport a.b.Gone;\nimport static a.É.c;\nclass X { String s = \"\"\"\nx\"\"\"; }\n"),
    ("a/X.kt", "package a\nimport a.b.Gone as É\nimport a.*\nval s = \"${x}\"\n"),
    ("a/X.scala", "package a\nimport a.b.{Gone, É => C}\nimport _root_.a._\n"),
    ("a/x.lua", "local é = require('b.c')\nlocal d = require \"a.gone\"\n-- require('n')\nlocal s = [[x]]\n"),
    ("a/x.tex", "\\input{b} % é\n\\includegraphics[width=1cm]{c}\n\\begin{verbatim}\n\\input{n}\n\\end{verbatim}\n"),
    ("a/Makefile", "include b.mk $(é)\nx: gone.c b.txt\n\tcat b.txt > $@\n"),
    ("a/x.md", "[é](b.md#c) ![i](c.png) <img src='g.png'>\n\n```\n[x](y)\n```\n[d]: e.md\n"),
    (
        "pom.xml",
        "<project><parent><relativePath>../é/pom.xml</relativePath></parent><modules><module>gone</module></modules></project>",
    ),
    ("a/x.nix", "{ imports = [ ./b.nix ../é/gone.nix ]; s = ''${./c} x''; }\n"),
    (
        "a/x.php",
        "<p>é<?php\nrequire __DIR__ . '/b.php';\ninclude_once dirname(__FILE__, 2) . \"/gone.php\";\n$x = <<<E\ny\nE;\n",
    ),
    ("a/x.proto", "syntax = \"proto3\";\nimport public \"a/b.proto\";\n// é\nimport \"gone.proto\";\n"),
    (
        "a/x.py",
        "from .b import (c as é,\n  d)\nimport a.gone\ntry:\n    import e\nexcept ImportError:\n    pass\ns = f\"{b}\"\n",
    ),
    (
        "a/y.py",
        "import os\nclass A(é):\n    def f(self):\n        from .b import c\n        open(os.path.join(os.path.dirname(__file__), \"gone.txt\"))\n\n    @skip\n    async def g(x=(1,\n2)):\n        import a.gone\nif x:\n    import a.b\nelse:\n    from . import gone\n",
    ),
    ("a/x.rst", ".. include:: b.txt\n\n.. image:: c.png\n   :alt: é\n\n:doc:`gone` and `x <b.html>`_\n"),
    ("a/x.rb", "require_relative 'b'\nrequire \"é/gone\"\nload File.join(__dir__, 'b.rb')\nx = <<~X\n  y\nX\n"),
    (
        "src/lib.rs",
        "mod b;\n#[cfg(é)]\n#[path = \"c/gone.rs\"]\nmod d { mod e; }\nconst F: &str = include_str!(r#\"../b.txt\"#);\n",
    ),
    ("a/x.sh", "#!/bin/sh\n. ./b.sh\nsource \"$(dirname \"$0\")/gone.sh\" # é\ncat <<E\n. n.sh\nE\n"),
    ("a/x.tf", "module \"é\" {\n  source = \"./b\"\n}\nx = file(\"${path.module}/gone.txt\")\n"),
    (
        "Cargo.toml",
        "[package]\nname = \"é\"\nreadme = \"gone.md\"\n[dependencies]\nb = { path = \"a/b\" }\n[[bin]]\npath = 'é.rs'\n",
    ),
    ("docker-compose.yml", "services:\n  é:\n    build: ./b\n    env_file: [gone.env]\n"),
    ("mix.exs", "[{:é, path: \"gone\"}]\nFile.read!(Path.join(__DIR__, \"no.txt\"))\n"),
    ("Package.swift", "// é\nPackage(targets: [.target(name: \"A\", path: \"gone\")])\n"),
    (
        "a/x.xcodeproj/project.pbxproj",
        "{ objects = { R = { isa = PBXProject; mainGroup = M; }; M = { isa = PBXGroup; children = (A); sourceTree = \"<group>\"; }; A = { path = \"é b.txt\"; sourceTree = \"<group>\"; }; }; }",
    ),
    ("a/x.zig", "const é = @import(\"b.zig\");\nconst c = @embedFile(\"gone.txt\");\n"),
];

/// Some targets of the samples, and configuration that decides where they lead.
const TREE: &str =
    "a/b.txt\na/b.h\na/b.js\na/b.rb\na/b.py\na/__init__.py\na/A/B.hs\nsrc/b.rs\na/c.png\na/b/Cargo.toml\na/b/b.java
Cargo.toml = [package]\\nname = \"x\"
go.mod = module example.com/x
tsconfig.json = {\"extends\": \"./tsconfig.json\"}";

/// Encoding and line ends of a file.
#[derive(Clone, Copy, Debug)]
enum Encoding {
    Plain,
    ByteOrderMark,
    Windows,
    ByteOrderMarkWindows,
    /// Latin-1: some letters are bytes that are not UTF-8.
    Latin1,
    /// Lines end with a carriage return alone.
    ClassicMac,
}

impl Encoding {
    const ALL: [Self; 6] =
        [Self::Plain, Self::ByteOrderMark, Self::Windows, Self::ByteOrderMarkWindows, Self::Latin1, Self::ClassicMac];

    fn bytes(self, text: &str) -> Vec<u8> {
        let lines = |end: &str| text.replace('\n', end).into_bytes();
        let marked = |text: &[u8]| [b"\xef\xbb\xbf", text].concat();
        match self {
            Self::Plain => text.as_bytes().to_vec(),
            Self::ByteOrderMark => marked(text.as_bytes()),
            Self::Windows => lines("\r\n"),
            Self::ByteOrderMarkWindows => marked(&lines("\r\n")),
            Self::Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
            Self::ClassicMac => lines("\r"),
        }
    }
}

/// Returns one project for all tests, so that its indexes are built once.
fn project() -> &'static Project {
    static PROJECT: LazyLock<Project> = LazyLock::new(|| new_project(MemoryTree::new(TREE)));
    &PROJECT
}

/// Checks one file and asserts that every range lies on character boundaries. Each byte that is not UTF-8 is one control
/// character, so that a range cannot split one.
#[track_caller]
fn assert_ranges_valid(path: &str, bytes: &[u8], project: &Project) {
    let Some(source) = Source::new(path, bytes) else { return };
    for checked in pathfinder_literals::check(&source, project) {
        let range =
            checked.range.start.checked_sub(source.offset()).zip(checked.range.end.checked_sub(source.offset()));
        let literal = range.and_then(|(start, end)| source.text().get(start..end));
        assert!(literal.is_some(), "{path}: {checked:?} in {:?}", source.text());
    }
}

#[test]
fn every_language_has_a_sample() {
    for language in ALL {
        let has = SAMPLES.iter().any(|(path, _)| language.claims(path));
        assert!(has, "{}", language.name());
    }
}

#[test]
fn finds_literals_in_every_encoding() {
    let project = project();
    for (path, text) in SAMPLES {
        assert!(for_path(path).next().is_some(), "{path}");
        for encoding in Encoding::ALL {
            let bytes = encoding.bytes(text);
            assert_ranges_valid(path, &bytes, project);
            let source = Source::new(path, &bytes).expect("a text");
            // No tool today ends lines with a carriage return alone, and some formats require UTF-8.
            if !matches!(encoding, Encoding::ClassicMac | Encoding::Latin1) {
                assert!(!pathfinder_literals::check(&source, project).is_empty(), "{path}: {encoding:?}");
            }
        }
    }
}

/// Checks every prefix of every sample, which may end in an open string, comment or block.
#[test]
fn accepts_truncated_texts() {
    let project = project();
    for (path, text) in SAMPLES {
        for (at, _) in text.char_indices() {
            assert_ranges_valid(path, &text.as_bytes()[..at], project);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn accepts_random_edits(
        which in 0..SAMPLES.len(),
        encoding in 0..Encoding::ALL.len(),
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..8usize, "([(){}<>\\[\\]\"'`/\\\\#*@$%:;,.= \n\réa-c]|\\.\\./|/\\*|<!--|\u{1f600}){0,4}"),
            1..8,
        ),
        bytes in prop::collection::vec((any::<prop::sample::Index>(), 1..=255u8), 0..3),
    ) {
        let (path, text) = SAMPLES[which];
        let mut text = text.to_owned();
        for (at, length, with) in edits {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.ceil_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &with);
        }
        let mut written = Encoding::ALL[encoding].bytes(&text);
        for (at, byte) in bytes {
            if !written.is_empty() {
                let at = at.index(written.len());
                written[at] = byte;
            }
        }
        assert_ranges_valid(path, &written, project());
    }
}
