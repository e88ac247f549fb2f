//! `check`: evidence that the file was meant to be there.

use std::process::Command;

use crate::probability::{committed, history, rows};
use crate::tree::Tree;

/// A script that names a manifest may name any.
#[test]
fn reports_what_a_script_names_beside_a_manifest() {
    let tree = |package: &str| {
        Tree::new(&format!(
            "{package} = {{\"name\": \"x\", \"repository\": {{\"directory\": \"libs/completions\"}}}}\nlibs/a/b.js\n\
             tools/make.sh = cp libs/completions {package}\n"
        ))
    };
    assert_eq!(rows(&tree("package.json"), &[]).len(), 1);
}

/// The steps to the directory above are counted wrong: the file moved.
#[test]
fn weighs_wrong_steps() {
    let text = |target: &str| {
        let plain = ["c", "d", "e"].map(|name| format!("std/examples/{name}_test.ts = import '../testing/all.ts'\n"));
        let plain = plain.concat() + "std/testing/all.ts\nlib/testing/asserts.ts\ncore/testing/asserts.ts\n";
        format!("{plain}{target}\nstd/examples/a_test.ts = import '../../testing/asserts.ts'")
    };
    assert_eq!(rows(&Tree::new(&text("std/testing/asserts.ts")), &[]).len(), 1);
    assert_eq!(rows(&Tree::new(&text("std/testing/other.ts")), &[]), [""; 0]);
    // Git knows that it never worked.
    assert_eq!(rows(&committed(&text("std/testing/asserts.ts")), &[]), [""; 0]);
}

/// Its runner imports a test, so a package of the tree has the module.
#[test]
fn weighs_imports_of_tests_that_run() {
    let tree = |test: &str| {
        let plain =
            ["c", "d", "e", "f"].map(|name| format!("app/tests/test_{name}.py = import app.bytes.core\n")).concat();
        let package = "app/__init__.py\napp/bytes/__init__.py\napp/bytes/core.py\n";
        Tree::new(&format!("{package}{plain}app/tests/{test} = import app.bytes.core\\nimport app.bytes.file\\n"))
    };
    assert_eq!(rows(&tree("test_b.py"), &[]).len(), 1);
    assert_eq!(rows(&tree("library.py"), &[]), [""; 0]);
}

/// Nothing compiles an example in Python, so it can stay broken.
#[test]
fn reports_examples_that_have_stood() {
    let check = |directory: &str, expect: usize| {
        let first = format!(
            "mkdir -p app {directory}; touch app/__init__.py app/compat.py app/util.py; \
             for i in 1 2 3 4 5; do printf 'from app.util import y\\nfrom app.compat import x\\n' > {directory}/a$i.py; done"
        );
        let tree = history(&[(1, &first), (2, "rm app/compat.py"), (40, "echo y > app/other.py")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{directory}");
    };
    check("demos", 5);
    check("app", 0);
}

/// A checkout of one commit says nothing of what was there before, and what CI builds mostly works: of code, only typos are reported.
#[test]
fn doubts_code_where_the_history_is_cut_off() {
    let plain = ["b", "c", "d", "e", "f"].map(|name| format!("src/{name}.ts = import './model'\n")).concat();
    let tree = Tree::new(&format!(
        "{plain}src/model.ts\ndocs/a.md = [x](gone.md) [y](b.md)\ndocs/b.md\nsrc/a.ts = import './gone'; import './modle'"
    ));
    let git = |script: &str| {
        let script = format!("git() {{ command git -c user.name=a -c user.email=a@b.c \"$@\"; }}; {script}");
        assert!(Command::new("sh").args(["-ec", &script]).current_dir(tree.root()).status().unwrap().success());
    };
    let page = "docs/a.md gone.md → -";
    let slip = "src/a.ts ./modle → ./model!";
    git("git init -q; git add .; git commit -qm a; git commit -q --allow-empty -m b");
    assert_eq!(rows(&tree, &[]), [page, "src/a.ts ./gone → -", slip]);
    git("git clone -q --bare --depth 1 file://$PWD/.git ../cut-off; rm -rf .git; mv ../cut-off .git; \
         git config core.bare false; git reset -q");
    assert_eq!(rows(&tree, &[]), [page, slip]);
}

/// A shallow clone that was read to its end says nothing of what was before.
#[test]
fn knows_only_the_end_of_a_history_that_is_cut_off() {
    let first = "mkdir docs old; seq 70 | sed 's,^,old/,' | xargs touch; touch old/x docs/b.md; echo '[x](gone.md) [y](b.md)' > docs/a.md";
    let tree = history(&[(1, "touch x"), (2, first), (3, "cd old; rm [0-9]*")]);
    let check = |expect: [bool; 2]| {
        let lines = tree.plan(&["check", "--format", "json", "--explain"]).run().jsons();
        let has = |name: &str| lines.iter().any(|line| line["evidence"][name].is_number());
        assert_eq!(["history-never-had-it", "recent-history-never-had-it"].map(has), expect);
    };
    check([true, false]);
    let cut = "git clone -q --depth 2 file://$PWD/.git ../cut; rm -rf .git; mv ../cut/.git .git";
    assert!(Command::new("sh").args(["-ec", cut]).current_dir(tree.root()).status().unwrap().success());
    check([false, true]);
}

/// A clone without the files of its history judges as one that has them: what has stood so for long is not broken, what moved is.
#[test]
fn needs_no_files_of_the_history() {
    let first = "mkdir -p src/main/java/org/x docs; cd src/main/java/org/x; for i in A B C D E Gone; do echo \"package org.x; class $i {}\" > $i.java; done; \
                 mkdir y; for i in A B C D Gone; do printf \"package org.x.y;\\nimport org.x.$i;\\n\" > y/U$i.java; done; cd - > /dev/null; \
                 echo '[x](b.md)' > docs/a.md; seq 9 > docs/b.md";
    let moved = "mkdir docs/x; git mv docs/b.md docs/x";
    let check = |last: u32, expect: &[&str]| {
        let tree = history(&[(1, first), (2, "rm src/main/java/org/x/Gone.java"), (3, moved), (last, "echo z > z")]);
        assert_eq!(rows(&tree, &[]), expect);
        let partial = "git config uploadpack.allowFilter true; git clone -q --filter=blob:none file://$PWD/.git ../partial; rm -rf .git; \
                       mv ../partial/.git .git; git rev-list --objects --all --missing=print | grep -q '^?'";
        assert!(Command::new("sh").args(["-ec", partial]).current_dir(tree.root()).status().unwrap().success());
        assert_eq!(rows(&tree, &[]), expect);
    };
    let link = "docs/a.md b.md → x/b.md!";
    check(60, &[link]);
    check(4, &[link, "src/main/java/org/x/y/UGone.java org.x.Gone → -"]);
}

/// A site has its pages at another place than the tree: many pages that a program made name a page where it was years ago.
#[test]
fn leaves_pages_of_a_site_that_is_laid_out_in_another_way() {
    let check = |pages: u32, later: (u32, &str), expect: usize| {
        let make = format!(
            "mkdir -p doc/src doc/pages; seq 9 > doc/index.html; for i in $(seq {pages}); do \
             echo '<a href=\"../index.html\">x</a>' > doc/pages/a$i.html; done"
        );
        let moved = "git mv doc/index.html doc/src/index.html";
        assert_eq!(rows(&history(&[(1, &make), (2, moved), later]), &[]).len(), expect, "{pages}");
    };
    check(12, (60, "echo x > x.txt"), 0);
    check(12, (3, "echo x > x.txt"), 12);
    check(3, (60, "echo x > x.txt"), 3);
}

/// A bundler gathers the pages that another one links to from their own directories, as their history shows: they were never beside it.
#[test]
fn leaves_pages_that_are_gathered_from_their_directories() {
    let check = |names: &[&str], expect: usize| {
        let make: Vec<_> =
            names.iter().map(|name| format!("mkdir -p src/{name}; echo x > src/{name}/{name}.html; ")).collect();
        let make = make.concat();
        let links: Vec<_> = names.iter().map(|name| format!("<a href=\"{name}.html\">x</a>")).collect();
        let links = links.concat();
        let other = "<a href=\"other.html\">x</a>".repeat(4);
        let first = format!("{make} echo '{links}{other}' > src/index.html; seq 60 | xargs touch src/other.html");
        let tree = history(&[(1, &first)]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{names:?}");
    };
    check(&["list", "search", "table", "chart"], 0);
    check(&["list", "search"], 2);
}

/// A value whose name no file of the project has, one letter from that of a file.
#[test]
fn reports_misspelt_values() {
    let check = |value: &str, more: &str, expect: &[&str]| {
        let files = format!("mkdir cfg data lib; touch data/sample.bam data/variants.bam data/madeline.xml {more}");
        let list = format!("for path in sample.bam variants.bam {value}; do echo \"x$path: data/$path\"; done");
        let tree = history(&[(1, &format!("{files}; {list} > cfg/run.yaml")), (2, "seq 9 > x.txt")]);
        assert_eq!(rows(&tree, &[]), expect, "{value} {more}");
    };
    check("madeine.xml", "", &["cfg/run.yaml data/madeine.xml → data/madeline.xml!"]);
    check("madeine.xml", "lib/madeine.py", &[]);
    check("other.xml", "", &[]);
}

/// A rule leaves the literal undecided, and a path that it could lead to differs by a letter from one that is there.
#[test]
fn reports_typos_in_what_is_undecided() {
    let check = |files: &str, expect: &[&str]| {
        let tree = history(&[(1, files), (2, "seq 9 > x.txt")]);
        assert_eq!(rows(&tree, &[]), expect, "{files}");
    };
    // The directory of headers ends as the include does, and the build may search it.
    let source = |include: &str| {
        let headers =
            "mkdir -p include/sw/num/posit tools/a/b/c; cd include/sw/num/posit; touch posit.hpp quire.hpp; cd -";
        format!("{headers}; printf '#include <num/posit/quire.hpp>\\n#include <{include}>\\n' > tools/a/b/c/d.cpp")
    };
    check(&source("num/posit/poit.hpp"), &["tools/a/b/c/d.cpp num/posit/poit.hpp → num/posit/posit.hpp!"]);
    check(&source("other/posit/poit.hpp"), &[]);
    // The directory of templates of the application comes first.
    let page = |name: &str| {
        let parts =
            "for i in a b c d e f g h; do mkdir -p app/parts/$i/templates; touch app/parts/$i/templates/x$i.html; done";
        let page = format!("echo '{{% extends \"{name}\" %}}' > app/parts/h/templates/page.html");
        format!("{parts}; mkdir app/templates; touch app/templates/layout.html; {page}")
    };
    check(&page("layut.html"), &["app/parts/h/templates/page.html layut.html → layout.html!"]);
    check(&page("other.html"), &[]);
    let parts = "for i in a b c d e f g h; do mkdir -p $i/templates; touch $i/templates/x$i.html; done";
    let page =
        "mkdir templates; touch templates/layout.html; echo '{% extends \"layut.html\" %}' > h/templates/page.html";
    check(&format!("{parts}; {page}"), &["h/templates/page.html layut.html → layout.html!"]);
    // No build writes a program under a mistyped name.
    let run = |program: &str| {
        let steps = format!("jobs:\\n  a:\\n    steps:\\n    - run: ./{program} check\\n");
        format!("mkdir -p .github/workflows; touch gradlew; printf '{steps}' > .github/workflows/ci.yml")
    };
    check(&run("gralew"), &[".github/workflows/ci.yml ./gralew → ./gradlew!"]);
    check(&run("gradle-x"), &[]);
    // A path of Rust names a module of the crate.
    let module = |name: &str| {
        let crate_of = "mkdir -p src/net; echo '[package]' > Cargo.toml; echo 'mod net;' > src/lib.rs";
        let modules = "echo 'mod client; mod server;' > src/net/mod.rs; touch src/net/client.rs";
        format!("{crate_of}; {modules}; echo 'use crate::net::{name}::C;' > src/net/server.rs")
    };
    check(&module("clent"), &["src/net/server.rs crate::net::clent → crate::net::client!"]);
    check(&module("other"), &[]);
    // A module of Python that is neither a library's nor declared as one.
    let import =
        |name: &str, more: &str| format!("mkdir app; touch app/settings.py; echo 'import {name}' > app/run.py; {more}");
    check(&import("settngs", "true"), &["app/run.py settngs → settings!"]);
    check(&import("settngs", "echo settngs > requirements.txt"), &[]);
    check(&import("set_tings", "true"), &[]);
    check(&import("requests", "touch app/request.py"), &[]);
}

/// An error is certain, but where the user calls what is missing one.
#[test]
fn reports_errors_that_are_certain() {
    let check = |files: &str, expect: &str| {
        let rows = Tree::new(files).plan(&["check", "--format", "json"]).run().jsons();
        assert_eq!(rows[0]["severity"].as_str(), Some(expect), "{files}");
    };
    check("src/a.ts = import './b'", "error");
    check("examples/a.ts = import './b'", "warning");
    check("examples/a.ts = import './b'\npathfinder.toml = check.severity = { missing-path = \"error\" }", "error");
}

/// A typo is looked for behind the longest alias, and beside what a program adds to its path.
#[test]
fn reports_typos_behind_aliases() {
    let check = |files: &str, expect: &[&str]| {
        let tree = history(&[(1, files), (2, "seq 9 > x.txt")]);
        assert_eq!(rows(&tree, &[]), expect, "{files}");
    };
    let import = |name: &str| {
        let paths = "{\"@/*\": [\"src/*\"], \"@/ui/*\": [\"src/kit/*\"]}";
        let config =
            format!("echo '{{\"compilerOptions\": {{\"baseUrl\": \".\", \"paths\": {paths}}}}}' > tsconfig.json");
        format!("mkdir -p src/kit; touch src/kit/Modal.tsx; {config}; echo \"import M from '@/ui/{name}'\" > src/a.ts")
    };
    check(&import("Modal"), &[]);
    check(&import("Moal"), &["src/a.ts @/ui/Moal → @/ui/Modal!"]);
    let import = |name: &str| {
        let package = "mkdir pkg; touch pkg/__init__.py pkg/statistics.py";
        format!("{package}; printf 'import sys\\nsys.path.insert(0, \"x\")\\nimport pkg.{name}\\n' > run.py")
    };
    check(&import("sttistics"), &["run.py pkg.sttistics → pkg.statistics!"]);
    check(&import("other"), &[]);
}

/// A file that its build lays out elsewhere is not missing: in the project of a help file, which is packed flat, and among the outputs.
#[test]
fn leaves_what_a_build_lays_out() {
    let tree = |list: &str| {
        history(&[(
            1,
            &format!(
                "mkdir -p web/c/b/a lib sdk; echo x > lib/style.css; echo x > sdk/style.css; echo x > web/c/b/a/other.htm; printf '{list}' > web/c/b/a/a.hhp; \
                 echo '<link rel=\"stylesheet\" href=\"style.css\"><a href=\"other.htm\">' > web/c/b/a/index.htm"
            ),
        )])
    };
    assert_eq!(rows(&tree("[FILES]\n..\\\\..\\\\..\\\\..\\\\lib\\\\style.css\n"), &[]), [""; 0]);
    assert_eq!(rows(&tree("[FILES]\nindex.htm\n"), &[]).len(), 1);
    let moved = |list: &str| {
        let first = format!(
            "mkdir -p images/own cfg; seq 9 > images/own/a.bmp; printf '{list}' > CMakeLists.txt; echo 'Image = images/own/a.bmp' > cfg/a.cfg"
        );
        history(&[(4, &first), (3, "mkdir src; git mv images/own/a.bmp src/"), (1, "echo x > b")])
    };
    assert_eq!(rows(&moved("install(src ${{INSTALL_DIR}}/images/own)"), &[]), [""; 0]);
    assert_eq!(rows(&moved("install(src ${{SOURCE_DIR}}/images/own)"), &[]).len(), 1);
}

/// A file that lies in another directory of the name, is copied by a script, or is there in another version, is not missing.
#[test]
fn leaves_what_is_put_together_elsewhere() {
    let rows_of = |script: &str| rows(&history(&[(2, script), (1, "echo x > b")]), &[]);
    let pages = |at: &str| {
        let images = "for n in a b c d e f g h; do touch web/images/$n.png; echo \"<img src=\\\"images/$n.png\\\">\" >> web/start.html; done";
        format!(
            "mkdir -p web/images {at}; {images}; touch {at}/metrics.png; echo '<img src=\"images/metrics.png\">' >> web/start.html"
        )
    };
    assert_eq!(rows_of(&pages("plugins/metrics/web/images")), [""; 0]);
    assert_eq!(rows_of(&pages("plugins/metrics/images")).len(), 1);
    let docs = |command: &str| {
        format!(
            "mkdir doc; echo x > LICENSE.rst; echo 'project = \"x\"' > doc/conf.py; printf '#!/bin/sh\n{command}\n' > doc/make_it; printf 'A\n=\n\n.. include:: LICENSE.rst\n' > doc/index.rst"
        )
    };
    assert_eq!(rows_of(&docs("cp -v ../LICENSE.rst .")), [""; 0]);
    assert_eq!(rows_of(&docs("cp -v ../LICENSE.rst build")).len(), 1);
    let release = |to: &str| {
        let part = "printf \"<?php require_once __DIR__ . '/class-blocks-css.php';\\n\" > plugins/css/css.php";
        let script = format!("printf '#!/bin/sh\ncp -r inc/class-blocks-$i.php {to}\n' > bin/dist.sh");
        format!("mkdir -p plugins/css inc bin; echo x > inc/class-blocks-css.php; {part}; {script}")
    };
    assert_eq!(rows_of(&release("dist/$i")), [""; 0]);
    assert_eq!(rows_of(&release("dist")).len(), 1);
    let versions = |other: &str| {
        let files = "for n in aggregate cluster disk lun node volume; do echo x > conf/9.8.0/$n.yaml; done";
        let list = "for n in aggregate cluster disk lun node volume object_store; do echo \"$n: $n.yaml\"; done > conf/default.yaml";
        format!("mkdir -p conf/9.8.0 conf/{other}; {files}; echo x > conf/{other}/object_store.yaml; {list}")
    };
    assert_eq!(rows_of(&versions("9.10.0")), [""; 0]);
    assert_eq!(rows_of(&versions("other")).len(), 1);
}

/// A name in another case is reported in any page.
#[test]
fn reports_other_cases_in_every_page() {
    let tree = Tree::new("a/One.jpg\na/x.htm = <img src=\"one.jpg\"><link rel=\"stylesheet\" href=\"gone.css\">");
    assert_eq!(rows(&tree, &[]), ["a/x.htm one.jpg → One.jpg!"]);
}
