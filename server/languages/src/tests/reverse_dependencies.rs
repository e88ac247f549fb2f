//! Properties of `ReverseDependencies`: every file whose verdicts change is a dependent of a changed path.

use proptest::prelude::*;

use crate::configuration::is_configuration;
use crate::testing::{MemoryTree, new_project};
use pathfinder_literals::ReverseDependencies;
use pathfinder_literals::{Checked, Project, Source, Tree as _, Verdict};

/// Files of several languages that depend on one another in different ways.
const TREE: &str = "
    README.md = [a](docs/guide.md) [b](docs) [c](GONE.md) <img src='img/a.png'>
    docs/guide.md = [x](../src/lib.rs) [y](setup#top)
    docs/setup.md = # Top
    src/lib.rs = mod parse;\\nmod gone;\\n
    src/parse/mod.rs = mod lex;\\n
    src/parse/lex.rs
    Cargo.toml = [package]\\nname = 'a'\\nreadme = 'README.md'
    web/a.ts = import './b'; import './c/index'; import '../img/a.png'
    web/b.ts
    web/c/index.ts
    py/pyproject.toml = [project]\\nname = 'k'
    py/k/__init__.py = from .m import x\\nfrom . import n
    py/k/m.py = import k.n
    py/k/n.py
    img/a.png
    css/app.scss = @use 'part';
    css/_part.scss
    zig/a.zig = const b = @import(\\\"b.zig\\\");
";

fn verdicts(tree: &MemoryTree, project: &Project, file: &str) -> Option<Vec<pathfinder_literals::Checked>> {
    let text = tree.read(file)?;
    let source = Source::new(file, text.as_bytes())?;
    Some(pathfinder_literals::check(&source, project))
}

/// Deletes each file in turn.
#[test]
fn finds_every_dependent_of_a_deleted_file() {
    let full = MemoryTree::new(TREE);
    let files: Vec<String> = full.files().to_vec();
    let before = new_project(MemoryTree::new(TREE));
    let mut dependencies = ReverseDependencies::default();
    for file in &files {
        dependencies.set(file, &verdicts(&full, &before, file).unwrap_or_default());
    }
    let mut changed = 0;
    for gone in files.iter().filter(|file| !is_configuration(file)) {
        let kept: Vec<&str> = TREE.lines().filter(|line| line.trim().split(" = ").next() != Some(gone)).collect();
        let tree = MemoryTree::new(&kept.join("\n"));
        let after = new_project(MemoryTree::new(&kept.join("\n")));
        let dependents = dependencies.dependents(gone);
        for file in files.iter().filter(|file| *file != gone) {
            if verdicts(&full, &before, file) != verdicts(&tree, &after, file) {
                changed += 1;
                assert!(dependents.contains(&file.as_str()), "{file} depends on {gone}; dependents are {dependents:?}");
            }
        }
    }
    assert!(changed >= 12, "the tree has files that depend on one another: {changed}");
}

#[test]
fn drops_removed_files() {
    let tree = MemoryTree::new(TREE);
    let project = new_project(MemoryTree::new(TREE));
    let mut dependencies = ReverseDependencies::default();
    dependencies.set("README.md", &verdicts(&tree, &project, "README.md").unwrap_or_default());
    assert_eq!(dependencies.dependents("docs/GUIDE.md"), ["README.md"]);
    assert_eq!(dependencies.dependents("img"), ["README.md"], "dependents of a file depend on its directory");
    assert!(dependencies.dependents("img/other.png").is_empty());
    assert!(dependencies.dependents("src/parse/lex.rs").is_empty());
    dependencies.remove("README.md");
    assert!(dependencies.dependents("docs/guide.md").is_empty() && dependencies.is_empty());
}

/// Files of every language that depend on one another, some with broken literals.
const MIXED: &str = "
    Cargo.toml = [package]\\nname = 'a'
    go.mod = module example.com/x
    package.json = {\"name\": \"x\"}
    README.md = [a](docs/guide.md) [b](docs) [c](GONE.md) [d](Docs/Setup.md) [e](lib/none.md)
    docs/guide.md = [x](../src/lib.rs) [y](setup#top) ![z](img/one.png)
    docs/setup.md = # Top\\n[g](guide.md#no)
    docs/img/one.png
    docs/part.rst = .. include:: one.txt\\n\\n:doc:`two`
    docs/one.txt
    docs/page.adoc = include::one.txt[]\\nxref:guide.adoc#a[b]
    docs/a.tex = \\input{part/b}
    src/lib.rs = mod parse;\\nmod gone;\\nconst A: &str = include_str!(\"../docs/one.txt\");
    src/parse/mod.rs = mod lex;\\n
    src/parse/lex.rs
    web/a.ts = import './b'; import './c'; import './B'; import './d/none'; require('../docs/img/one.png');
    web/b.ts
    web/c/index.ts = import '../a'; import '../../web/none';
    web/View.vue = <script>import './b'; import './e.vue'</script>
    web/page.html = <a href='other.html'>x</a><img src='../docs/img/one.png'><script src='none.js'></script>
    web/other.html
    py/pyproject.toml = [project]\\nname = 'k'
    py/k/__init__.py = from .m import x\\nfrom . import n\\nfrom .none import y
    py/k/m.py = import k.n\\nimport k.none\\nfrom k.s.t import u
    py/k/n.py
    py/k/s/__init__.py
    py/k/s/t.py
    css/app.scss = @use 'part'; @import 'none/part'; a { background: url(../docs/img/one.png) }
    css/_part.scss
    css/a.less = @import 'b';
    css/a.css = @import './b.css';
    zig/a.zig = const b = @import(\"b.zig\"); const c = @embedFile(\"c/d.txt\");
    zig/b.zig
    c/a.c = #include \"b.h\"\\n#include \"in/c.h\"\\n#include \"gone/d.h\"\\n
    c/b.h
    c/in/c.h
    rb/lib/a.rb = require_relative 'b'\\nrequire 'a/c'\\nrequire_relative 'none/d'
    rb/lib/b.rb
    rb/lib/a/c.rb
    php/a.php = <?php require __DIR__ . '/b.php'; include 'c.php'; include './d/e.php';
    php/b.php
    lua/a.lua = local b = require('lua.b')\\nlocal c = require('lua.none')
    lua/b.lua
    go/a.go = package a\\nimport \"example.com/x/go/b\"\\nimport \"example.com/x/go/none\"\\n//go:embed c.txt\\nvar c string
    go/b/b.go = package b
    java/p/A.java = package p;\\nimport p.q.B;\\nimport p.q.None;
    java/p/q/B.java = package p.q;\\nclass B {}
    sh/a.sh = . ./b.sh\\nsource sh/none/c.sh\\ncat docs/one.txt
    sh/b.sh
    tf/a.tf = module \"m\" { source = \"./m\" }\\nx = file(\"${path.module}/n.txt\")
    tf/m/main.tf
    nix/a.nix = import ./b.nix ./none.nix
    nix/b.nix
    proto/a.proto = import \"proto/b.proto\"; import \"proto/none.proto\";
    proto/b.proto
    dart/a.dart = import 'b.dart'; import 'none/c.dart';
    dart/b.dart
    hs/A.hs = module A where\\nimport A.B\\nimport A.None
    hs/A/B.hs
";

/// Returns every file of a tree with its findings.
fn findings(tree: &MemoryTree, project: &Project) -> Vec<(String, Vec<Checked>)> {
    let missing = |file: &str| {
        let all = verdicts(tree, project, file).unwrap_or_default().into_iter();
        all.filter(|literal| matches!(literal.verdict, Verdict::Missing(_))).collect()
    };
    tree.files().iter().map(|file| (file.clone(), missing(file))).collect()
}

fn build_tree(files: &[(String, String)]) -> (MemoryTree, Project) {
    let new_tree = || {
        let mut tree = MemoryTree::new("");
        for (path, text) in files {
            tree.add(path, text);
        }
        tree
    };
    (new_tree(), new_project(new_tree()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn finds_every_file_whose_findings_change(
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        come in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8), 0..3),
        moved in prop::option::of((any::<prop::sample::Index>(), any::<prop::sample::Index>())),
    ) {
        let tree = MemoryTree::new(MIXED);
        let mut files: Vec<(String, String)> =
            tree.files().iter().map(|file| (file.clone(), tree.read(file).unwrap_or_default())).collect();
        let (tree, before) = build_tree(&files);
        let was = findings(&tree, &before);
        let mut dependencies = ReverseDependencies::default();
        let mut tried: Vec<String> = Vec::new();
        for (file, _) in &was {
            let all = verdicts(&tree, &before, file).unwrap_or_default();
            tried.extend(all.iter().flat_map(|literal| literal.tried.iter().cloned()));
            dependencies.set(file, &all);
        }
        let mut changed: Vec<String> = Vec::new();
        for at in gone {
            let (path, _) = files.remove(at.index(files.len()));
            changed.push(path);
        }
        // Creates a tried path: unchanged, in upper case, at the root, or as a directory.
        for (at, how) in come {
            let path = at.get(&tried).clone();
            let path = match how {
                0 => path,
                1 => path.to_uppercase(),
                2 => pathfinder_literals::path::name(&path).to_owned(),
                _ => format!("{path}/index.ts"),
            };
            let is_free = |path: &str| !path.is_empty() && tree.kind(path).is_none();
            // A path must not be below a file.
            let fits = pathfinder_literals::path::parent(&path).split('/').count() < 9
                && !files.iter().any(|(file, _)| pathfinder_literals::path::is_within(&path, file) || pathfinder_literals::path::is_within(file, &path));
            if is_free(&path) && fits {
                files.push((path.clone(), String::new()));
                changed.push(path);
            }
        }
        // Moves a directory or a file.
        if let Some((from, to)) = moved {
            let (path, _) = from.get(&files);
            let from = if to.index(2) == 0 { pathfinder_literals::path::parent(path).to_owned() } else { path.clone() };
            if !from.is_empty() {
                let to = format!("moved/{from}");
                for (file, _) in &mut files {
                    if pathfinder_literals::path::is_within(file, &from) {
                        *file = format!("moved/{file}");
                    }
                }
                changed.extend([from, to]);
            }
        }
        let below = |path: &String| files.iter().any(|(file, _)| pathfinder_literals::path::is_within(file, path) && is_configuration(file))
            || was.iter().any(|(file, _)| pathfinder_literals::path::is_within(file, path) && is_configuration(file));
        if changed.iter().any(below) {
            return Ok(());
        }
        let (tree, after) = build_tree(&files);
        let paths = changed.iter().map(String::as_str);
        let dependents = dependencies.dependents_of_all(&ReverseDependencies::affected_paths(paths, &before, &after));
        let now = findings(&tree, &after);
        for (file, is) in &now {
            let Some((_, was)) = was.iter().find(|(other, _)| other == file) else { continue };
            let show = |all: &[Checked]| all.iter().map(|literal| format!("{:?}", literal.verdict)).collect::<Vec<_>>();
            prop_assert!(was == is || dependents.contains(&file.as_str()), "{file}: {changed:?}\n{:?}\n{:?}", show(was), show(is));
        }
    }
}
