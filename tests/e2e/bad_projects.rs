//! Projects that are no projects: configuration that cannot be read, includes in circles, texts of a megabyte in one line, aliases that
//! lead out of the root. Each is checked and fixed in bounded time; what is broken beside it is still found.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::tree::Tree;

/// Longer than the slowest row takes without optimisation on a busy machine, and far shorter than what is quadratic in a megabyte.
const BOUND: Duration = Duration::from_mins(2);
/// A length that no person writes in one line and a few generators do.
const HUGE_BYTES: usize = 1_000_000;
/// The length of a file beside it, which is read for every finding.
const LONG_BYTES: usize = 20_000;

/// Compares `FILE LITERAL` of all findings in these files, hints too, and fixes them without writing. `outside` lies around the root:
/// no output may name any of it.
#[track_caller]
fn check_files(outside: &str, files: &[(&str, &str)], expect: &[&str]) {
    let tree = Tree::new(outside);
    for (path, text) in files {
        let path = tree.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace("PLACE", tree.place().to_str().unwrap())).unwrap();
    }
    let start = Instant::now();
    let run = tree.plan(&["check", "--hints", "--format", "json"]).run();
    let findings = run.jsons().into_iter().filter(|line| line.get("summary").is_none());
    let row = |line: Value| format!("{} {}", line["file"].as_str().unwrap(), line["literal"].as_str().unwrap());
    let mut rows: Vec<String> = findings.map(row).collect();
    rows.sort();
    assert_eq!(rows, expect);
    let fixed = tree.plan(&["fix", "--dry-run", "--min-confidence", "0.01"]).run();
    assert!(matches!(fixed.code, Some(0 | 1)), "{fixed:?}");
    assert!(start.elapsed() < BOUND, "{:?}", start.elapsed());
}

/// Checks a tree given as one file per line, `FILE = CONTENTS`; `\n` ends a line of a file. Files that begin with `../` lie outside.
#[track_caller]
fn check(tree: &str, expect: &[&str]) {
    let lines = tree.lines().map(str::trim).filter(|line| !line.is_empty());
    let (outside, inside): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("../"));
    let files = inside.iter().map(|line| line.split_once(" = ").unwrap_or((line, "")));
    let files: Vec<(&str, String)> = files.map(|(path, text)| (path, text.replace("\\n", "\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    check_files(&outside.join("\n"), &files, expect);
}

#[test]
fn configuration_that_is_none() {
    let noise = "{{{ not python :::: \0 ((( \"\"\" ''' \\\n\u{feff}[[[ = <a & %YAML".repeat(2_000);
    let text = "T\n=\n\n.. include:: gone.txt\n\n:doc:`there`\n";
    check_files(
        "",
        &[("docs/conf.py", &noise), ("docs/index.rst", text), ("docs/there.rst", "T\n=\n")],
        &["docs/index.rst gone.txt"],
    );
    for name in [
        "mkdocs.yml",
        "book.toml",
        "package.json",
        "tsconfig.json",
        "Cargo.toml",
        "hugo.toml",
        "_config.yml",
        "docusaurus.config.js",
        "vite.config.ts",
        "webpack.config.js",
        "pyproject.toml",
        "compile_commands.json",
        "composer.json",
        "go.mod",
        "pnpm-workspace.yaml",
        "CMakeLists.txt",
        ".gitmodules",
        "meson.build",
        "astro.config.mjs",
        "jest.config.js",
    ] {
        check_files("", &[(name, &noise), ("a.ts", "import './gone'; import './b'"), ("b.ts", "")], &["a.ts ./gone"]);
    }
}

#[test]
fn megabytes_in_one_line() {
    let link = "\n\n[b](gone.md#x)\n";
    let of = |part: &str| part.repeat(LONG_BYTES / part.len());
    let md = |head: &str, part: &str| format!("{head}{}{link}", of(part));
    let files = [
        ("a.md", format!("# {}{link}", "word ".repeat(HUGE_BYTES / 5))),
        ("b.md", md("", "#")),
        ("c.md", md("# ", "[a")),
        ("d.md", md("# ", "*_`")),
        ("e.md", md("# ", "![a](g.png) ")),
        ("f.md", md("# ", "<a name=\"x\">")),
        ("g.rst", format!("{}\n{}\n\n.. include:: gone.txt\n", of("x"), of("="))),
        ("h.adoc", format!("= {}\n\ninclude::gone.adoc[]\n", of("w "))),
        ("i.html", format!("<h1 id=\"{}\">x</h1><a href=\"gone.html\">", of("a"))),
        ("j.js", format!("{};import './gone'", of("a=1,"))),
        ("k.py", format!("x = '{}'\nfrom .gone import a\n", of("y"))),
        ("l.c", format!("int {};\n#include \"gone.h\"\n", of("x"))),
    ];
    // Each among the others, as fixes read what is around a file.
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    check_files(
        "",
        &files,
        &[
            "a.md gone.md#x",
            "b.md gone.md#x",
            "c.md gone.md#x",
            "d.md gone.md#x",
            "f.md gone.md#x",
            "g.rst gone.txt",
            "h.adoc gone.adoc",
            "k.py .gone",
        ],
    );
}

/// Files that include themselves and one another, each language in a directory of its own.
const CIRCLES: [(&str, &str); 16] = [
    ("c", r#"a.h = #include "b.h"\n#include "interpretr.h"\n
         b.h = #include "a.h"\n#include "b.h"\n
         interpreter.h"#),
    ("php", "a.php = <?php require __DIR__.'/b.php'; require __DIR__.'/gone.php';
       b.php = <?php require __DIR__.'/a.php'; require __DIR__.'/b.php';"),
    ("rst", "conf.py
       index.rst = T\n=\n\n.. include:: a.rst\n
       a.rst = .. include:: index.rst\n.. include:: a.rst\n.. include:: gone.rst\n\n.. toctree::\n\n   index\n   a\n"),
    ("myst", "conf.py = extensions = ['myst_parser']
       index.md = # T\n```{include} index.md\n```\n```{include} a.md\n```\n[x](#no) [y](gone.md)\n
       a.md = ```{include} index.md\n```\n"),
    ("mkdocs", "a/mkdocs.yml = site_name: x\nINHERIT: ../b/mkdocs.yml\nmarkdown_extensions:\n  - pymdownx.snippets\n
       b/mkdocs.yml = INHERIT: ../a/mkdocs.yml\n
       a/docs/index.md = --8<-- \"docs/index.md\"\n--8<-- \"docs/a.md\"\n[x](gone.md) [y](#no)\n
       a/docs/a.md = --8<-- \"docs/index.md\"\n"),
    ("ts", r#"tsconfig.json = {"extends": "./b.json"}
         b.json = {"extends": ["./tsconfig.json", "./b.json"], "references": [{"path": "."}, {"path": "../ts"}]}
         a.ts = import './gone'; import '@/x'; import { x } from './r'
         r.ts = export * from './s'
         s.ts = export * from './r'"#),
    ("cargo", r#"Cargo.toml = [workspace]\nmembers = ["a", "b", ".", "../cargo"]\n[package]\nname = "r"\nworkspace = "a"\n
         a/Cargo.toml = [package]\nname = "a"\nworkspace = "../b"\n[dependencies]\nb = { path = "../b" }\n
         b/Cargo.toml = [package]\nname = "b"\nworkspace = "../a"\n[dependencies]\na = { path = "../a" }\n
         a/src/lib.rs = mod a;\nmod gone;\n#[path = "lib.rs"] mod me;\n
         a/src/a.rs = #[path = "lib.rs"] mod x;\n#[path = "a.rs"] mod y;\n"#),
    ("npm", r##"package.json = {"name": "a", "workspaces": ["b", "."], "imports": {"#a": "#b", "#b": "#a"}, "exports": {"./x": "./y"}, "main": "."}
         b/package.json = {"name": "b", "main": "../b", "dependencies": {"a": "workspace:*"}}
         jest.config.js = module.exports = { preset: './', moduleNameMapper: { '^a$': 'a' } }
         a.js = import '#a'; import 'b'; import 'a/x'; require('./gone')"##),
    ("cmake", "CMakeLists.txt = add_subdirectory(.)\nadd_subdirectory(a)\nadd_subdirectory(gone)\n
       a/CMakeLists.txt = add_subdirectory(..)\ninclude(../CMakeLists.txt)\n"),
    ("scss", "a.scss = @import 'b'; @import './gone'; @use 'a';\n
       b.scss = @import 'a';\n"),
    ("py", "p/__init__.py = from .a import *\nfrom p import *\nfrom .gone import x\n
       p/a.py = from . import *\nfrom .a import *\nfrom p.a import b\n"),
    ("mdbook", "book.toml = [book]\nsrc = \".\"\n
       SUMMARY.md = [a](SUMMARY.md)\n[b](gone.md)\n{{#include SUMMARY.md}}\n"),
    ("ci", ".gitlab-ci.yml = include:\n  - local: /.gitlab-ci.yml\n  - local: /gone.yml\n
       docker-compose.yml = include:\n  - docker-compose.yml\nservices:\n  a:\n    extends:\n      file: docker-compose.yml\n"),
    ("maven", "pom.xml = <project><modules><module>.</module><module>gone</module></modules><parent><relativePath>pom.xml</relativePath></parent></project>"),
    ("adoc", "a.adoc = include::a.adoc[]\ninclude::b.adoc[]\ninclude::gone.adoc[]\n
       b.adoc = include::a.adoc[]\n"),
    ("other", "a.sh = . ./a.sh\n. ./b.sh\n
       b.sh = . ./a.sh\n
       Makefile = include Makefile\ninclude sub.mk\n
       sub.mk = include Makefile\n
       a.proto = syntax = \"proto3\";\nimport \"b.proto\";\n
       b.proto = import \"a.proto\";\n
       default.nix = import ./default.nix\n"),
];

#[test]
fn includes_in_circles() {
    let lines = CIRCLES.iter().flat_map(|(directory, tree)| {
        let lines = tree.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(move |line| format!("{directory}/{line}"))
    });
    let all = lines.collect::<Vec<_>>().join("\n");
    // Others are read as well and are doubtful: nothing of their kind resolves here.
    check(
        &all,
        &[
            "c/a.h interpretr.h",
            "cargo/a/src/lib.rs gone",
            "maven/pom.xml gone",
            "npm/a.js ./gone",
            "php/a.php /gone.php",
            "scss/a.scss ./gone",
            "ts/a.ts ./gone",
        ],
    );
}

/// Names that are almost those of files outside: a fixer that looked there would offer them.
#[test]
fn aliases_that_lead_out() {
    const OUTSIDE: &str = "../outside/marmalade.ts\n../outside/quince.md\n../outside/damson.h\n../outside/Medlar.php\n";
    let a = |tree: &str, expect: &[&str]| check(&format!("{OUTSIDE}{tree}"), expect);
    let out =
        ["../outside", "../../outside", "PLACE/outside", "./../outside/../outside", "../../../../../../../../../.."];
    for out in out {
        a(
            &format!(
                r#"tsconfig.json = {{"extends": "{out}/tsconfig.json", "compilerOptions": {{"baseUrl": "{out}", "paths": {{"@/*": ["{out}/*"]}}}}, "references": [{{"path": "{out}"}}]}}
            a.ts = import '@/marmalad'; import 'marmalad'; import './gone'"#
            ),
            &["a.ts ./gone"],
        );
        a(
            &format!(
                r##"package.json = {{"name": "r", "imports": {{"#x/*": "{out}/*", "#y": "{out}/marmalad.ts"}}, "main": "{out}/marmalad.ts", "exports": {{"./*": "{out}/*"}}, "workspaces": ["{out}"]}}
            vite.config.ts = import path from 'path'\nexport default {{ resolve: {{ alias: {{ v: path.resolve(__dirname, '{out}'), w: '{out}' }} }} }}
            webpack.config.js = const path = require('path'); module.exports = {{ resolve: {{ alias: {{ k: path.join(__dirname, '{out}') }}, modules: ['{out}'] }} }}
            jest.config.js = module.exports = {{ roots: ['<rootDir>/{out}'], moduleNameMapper: {{ '^j/(.*)$': '<rootDir>/{out}/$1' }} }}
            a.ts = import '#x/marmalad'; import '#y'; import 'r/marmalad'; import 'v/marmalad'; import 'w/marmalad'; import 'k/marmalad'; import 'j/marmalad'; import './gone'"##
            ),
            &["a.ts ./gone"],
        );
        a(&format!("Cargo.toml = [package]\\nname = 'r'\\n[lib]\\npath = '{out}/lib.rs'\\n[dependencies]\\nx = {{ path = '{out}' }}\\n[workspace]\\nmembers = ['{out}', '{out}/*']\\n
            build.rs = #[path = \"{out}/marmalad.rs\"] mod a;\\n
            src/main.rs = mod gone;\\n"), &["src/main.rs gone"]);
        a(
            &format!(
                "mkdocs.yml = INHERIT: {out}/mkdocs.yml\\ndocs_dir: {out}\\ntheme:\\n  custom_dir: {out}\\n
            book.toml = [book]\\nsrc = '{out}'\\n
            hugo.toml = contentDir = '{out}'\\n[[module.mounts]]\\nsource = '{out}'\\ntarget = 'content'\\n
            a.md = [a]({out}/quinec.md)\\n
            docs/a.md = # A\\n[b](./gone.md)\\n"
            ),
            &["docs/a.md ./gone.md"],
        );
        a(&format!("conf.py = html_extra_path = ['{out}']\\nhtml_static_path = ['{out}']\\n
            index.rst = T\\n=\\n\\n.. include:: {out}/quinec.md\\n.. include:: /{out}/quinec.md\\n.. include:: gone.txt\\n"), &["index.rst gone.txt"]);
        a(
            &format!(
                r#"composer.json = {{"autoload": {{"psr-4": {{"A\\": "{out}/"}}}}}}
            a.php = <?php\nuse A\Medlra;\nrequire '{out}/Medlra.php';\nrequire __DIR__ . '/gone.php';\n"#
            ),
            &["a.php /gone.php"],
        );
        a(
            &format!(
                r#"compile_commands.json = [{{"directory": "PLACE/outside", "command": "cc -I{out} -IPLACE/outside a.c", "file": "a.c"}}]
            a.c = #include "damsn.h"\n#include "{out}/damsn.h"\n"#
            ),
            &[],
        );
    }
}
