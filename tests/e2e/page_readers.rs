//! `check`: a path that is missing where its file lies is not reported if the file is read from elsewhere, or a build makes the path.

use crate::probability::{check, committed, history, rows};
use crate::tree::Tree;

/// A page whose links all broke when it was moved, and that stands so, is read from where it was.
#[test]
fn leaves_pages_that_stand_where_no_link_works() {
    let links = "echo '[a](a.md) [b](b.md) [c](c.md)' > docs/list.md";
    let before = format!("mkdir -p docs site/docs; for i in a b c; do echo $i > docs/$i.md; done; {links}");
    let moved = "git mv docs/list.md site/docs/list.md";
    let tree =
        |days: u32, more: &str| history(&[(1, &before), (2, &format!("{moved}; {more}")), (2 + days, "echo x > x")]);
    let right = "site/docs/list.md a.md → ../../docs/a.md!";
    assert_eq!(rows(&tree(20, "true"), &[])[0], right);
    assert_eq!(rows(&tree(40, "true"), &[]), [""; 0]);
    // One that works tells where the page is read.
    assert_eq!(rows(&tree(40, "echo d > site/docs/d.md; echo '[d](d.md)' >> site/docs/list.md"), &[])[0], right);
}

/// So is one with other links that lead to files from there, and from where it lies to none.
#[test]
fn leaves_pages_that_are_read_from_an_earlier_directory() {
    let scripts =
        |names: &[&str]| names.iter().map(|name| format!("<script src={name}></script>")).collect::<Vec<_>>().concat();
    let tree = |days: u32, names: &[&str]| {
        let files = "mkdir -p app/src/js lib; touch app/webpack.config.js; for i in a b c; do seq 9 > app/src/js/$i.js; done; seq 30 > lib/x.js";
        let page = format!("{files}; seq 9 > app/index.html; echo '{}' >> app/index.html", scripts(names));
        history(&[(1, &page), (2, "git mv app/index.html app/src/index.html"), (2 + days, "echo x > x")])
    };
    let all = ["../lib/x.js", "src/js/a.js", "src/js/b.js", "src/js/c.js"];
    let right = "app/src/index.html ../lib/x.js → ../../lib/x.js!";
    assert_eq!(rows(&tree(40, &all[..3]), &[]), [right]);
    assert_eq!(rows(&tree(20, &all), &[]), [right]);
    assert_eq!(rows(&tree(40, &all), &[]), [""; 0]);
}

/// A build file of today that names what was removed makes it now.
#[test]
fn leaves_what_a_build_makes_instead() {
    let before = "mkdir -p src/data; echo 1 > src/data/made.json; echo \"import x from './data/made.json'\" > src/a.ts; echo > src/data/x";
    let tree = |build: &str| history(&[(1, before), (2, &format!("git rm -q src/data/made.json; {build}"))]);
    assert_eq!(rows(&tree("true"), &[]), ["src/a.ts ./data/made.json → -"]);
    assert_eq!(rows(&tree("echo 'outs = [\"data/made.json\"]' > src/BUILD.bazel"), &[]), [""; 0]);
}

/// A bundler writes the sheet of a page with its script.
#[test]
fn leaves_sheets_that_are_made_with_a_script() {
    let page = |script: &str| {
        let html = format!("<link rel=\"stylesheet\" href=\"./options.css\"><script src=\"{script}\"></script>");
        let other = "old/options.css\nold/a.html = <link rel=\"stylesheet\" href=\"./options.css\">\npublic/other.js";
        format!("public/options.html = {html}\npackage.json = {{}}\n{other}")
    };
    check(&page("./options.js"), &[]);
    check(&page("./other.js"), &["public/options.html ./options.css → ../old/options.css?"]);
}

/// A build compiles several scripts of a page, which git never had, beside those that are there. Two can be mistakes.
#[test]
fn leaves_scripts_that_a_build_adds() {
    let tree = |names: &[&str]| {
        let scripts =
            names.iter().map(|name| format!("<script src=\"js/{name}.js\"></script>")).collect::<Vec<_>>().concat();
        committed(&format!("web/a.html = {scripts}\nweb/js/x.js\nweb/js/y.js"))
    };
    assert_eq!(rows(&tree(&["x", "y", "main", "editor"]), &[]).len(), 2);
    assert_eq!(rows(&tree(&["x", "y", "main", "editor", "viewer"]), &[]), [""; 0]);
}

/// A program beside the expected output of its test is an input, whose imports lead to other trees.
#[test]
fn leaves_programs_beside_their_expected_output() {
    let tree = |beside: &str| Tree::new(&format!("test/x/code.ts = import './gone'\ntest/x/{beside}"));
    assert_eq!(rows(&tree("other.ts"), &[]).len(), 1);
    assert_eq!(rows(&tree("output_format.ts"), &[]).len(), 1);
    assert_eq!(rows(&tree("expected.json"), &[]).len(), 1);
    assert_eq!(rows(&tree("expected.ts"), &[]), [""; 0]);
}

/// The page of a component shows its examples.
#[test]
fn leaves_headings_of_the_page_above() {
    let example = "alert/demo/style.md = # en\\nThe [parts](#semantic-dom).\nalert/index.en-US.md = ";
    check(&format!("{example}## Other"), &["alert/demo/style.md #semantic-dom → -"]);
    check(&format!("{example}## Semantic DOM"), &[]);
}

/// A fix keeps no fragment unseen, and a name that a file had is no typo.
#[test]
fn is_unsure_of_unverified_fixes() {
    let page = |heading: &str| {
        let first = format!("mkdir -p docs; echo '# {heading}' > docs/b.md; echo '[x](docs/b.md#setup)' > README.md");
        history(&[(1, &first), (2, "mkdir guide; git mv docs/b.md guide/b.md")])
    };
    assert_eq!(rows(&page("Setup"), &[]), ["README.md docs/b.md#setup → guide/b.md#setup!"]);
    assert_eq!(rows(&page("Other"), &[]), ["README.md docs/b.md#setup → -"]);
    let step = "jobs: {a: {runs-on: x, steps: [{uses: actions/setup-node@v4, with: {node-version-file: .nvmrc}}]}}";
    let made = format!(
        "mkdir -p .github/workflows; echo '{step}' > .github/workflows/a.yml; echo 20 > .nvmrc; echo x=1 > .npmrc"
    );
    assert_eq!(rows(&history(&[(1, &made), (2, "rm .nvmrc")]), &[]), [".github/workflows/a.yml .nvmrc → -"]);
}

/// A page of a program is a part of the text that the program shows.
#[test]
fn leaves_headings_of_embedded_pages() {
    let page = "cmd/mount.md = # Mount\\nSee [the cache](#file-caching).";
    check(&format!("{page}\ncmd/mount.go = package cmd"), &["cmd/mount.md #file-caching → -"]);
    check(&format!("{page}\ncmd/mount.go = package cmd\\n//go:embed mount.md"), &[]);
    check(&format!("{page}\nsrc/lib.rs = #[doc = include_str!(\"../cmd/mount.md\")]"), &[]);
}

/// Letter case makes no difference where many files ignore it.
#[test]
fn leaves_case_that_makes_no_difference() {
    let pages = |count: usize| {
        let page = |at: usize| format!("docs/a{at}.md = [x](Guide.md) [y](b.md)\n");
        Tree::new(&format!("docs/guide.md\ndocs/b.md\n{}", (0..count).map(page).collect::<String>()))
    };
    assert_eq!(rows(&pages(3), &[])[0], "docs/a0.md Guide.md → guide.md!");
    assert_eq!(rows(&pages(9), &[]), [""; 0]);
    // As in two project files of another system, of which one has many such names.
    let list = |count: usize| {
        let name = |at: usize| format!("<Compile Include=\"a{at}.cs\" />");
        let file = |at: usize| format!("many/A{at}.cs\n");
        let (names, files): (String, String) = (0..count).map(|at| (name(at), file(at))).unzip();
        let few = "few/few.csproj = <Project><Compile Include=\"own.cs\" /></Project>\nfew/Own.cs";
        Tree::new(&format!("{few}\nmany/many.csproj = <Project>{names}</Project>\n{files}"))
    };
    assert_eq!(rows(&list(2), &[]).len(), 3);
    assert_eq!(rows(&list(9), &[]), [""; 0]);
}

/// A script of Windows names files in any case.
#[test]
fn leaves_case_in_scripts_of_windows() {
    let tree = |script: &str| format!("{script} = tool ./src/App.txt\nsrc/app.txt");
    check(&tree("build.ps1"), &[]);
    check(&tree("build.sh"), &["build.sh ./src/App.txt → ./src/app.txt!"]);
}

/// Pages that a build puts into another directory have links that work from there.
#[test]
fn leaves_pages_that_are_shown_in_another_directory() {
    let rules = |count: usize| -> String {
        let rule = |at: usize| format!("src/rules/r{at}.md = [x](../autofix.md) [y](r0.md)");
        (0..count).map(rule).collect::<Vec<_>>().join("\n")
    };
    let tree = |count| committed(&format!("docs/autofix.md\ndocs/rules/index.md\n{}", rules(count)));
    assert_eq!(rows(&tree(2), &[]).len(), 2);
    assert_eq!(rows(&tree(3), &[]), [""; 0]);
}

/// Sections of one page link to each other's headings.
#[test]
fn leaves_headings_of_the_page_that_sections_make_up() {
    let section = |at: usize| format!("# Own {at}\\n[x](#own-{at})\\n");
    let own = (0..20).map(section).collect::<Vec<_>>().concat();
    let tree = |other: &str| {
        let one = format!("mkdir sections; printf '{own}[a](#two) [b](#three) [c](#made)' > sections/one.md");
        history(&[(1, &format!("{one}; printf '{other}' > sections/next.md"))])
    };
    assert_eq!(rows(&tree("# Two\\n# Three #three"), &[]), [""; 0]);
    assert_eq!(rows(&tree("# Two\\n# Four"), &[]).len(), 3);
}

/// A script that names a page and the directory of its target puts the page beside what it writes.
#[test]
fn doubts_a_moved_page_that_a_script_builds() {
    let before = "mkdir -p src/styles; echo a > src/styles/x.css; echo '<link rel=\"stylesheet\" href=\"styles/x.css\">' > src/demo.html; echo b > src/b.js";
    let tree = |script: &str| {
        history(&[(1, before), (2, &format!("mkdir -p demo tools; git mv src/demo.html demo/index.html; {script}"))])
    };
    assert_eq!(rows(&tree("echo x > tools/a.js"), &[]), ["demo/index.html styles/x.css → ../src/styles/x.css!"]);
    let script = "echo 'mkdir(\"demo/styles\"); render(\"demo/index.html\")' > tools/a.js";
    assert_eq!(rows(&tree(script), &[]), [""; 0]);
}

/// An installed package can have the templates that it is asked for.
#[test]
fn doubts_a_template_that_was_removed_long_ago() {
    let pages =
        "mkdir -p app/templates/rest; cd app/templates/rest; echo x > base.html; echo y > other.html; cd ../../..";
    let link = "echo '{% extends \"rest/base.html\" %}' > app/templates/rest/api.html";
    let tree = |days: u32| {
        history(&[
            (1, &format!("{pages}; {link}")),
            (2, "git rm -q app/templates/rest/base.html"),
            (2 + days, "echo x > x"),
        ])
    };
    assert_eq!(rows(&tree(5), &[]).len(), 1);
    assert_eq!(rows(&tree(40), &[]), [""; 0]);
}

/// A script above the page that names the directory and the file writes it there.
#[test]
fn leaves_what_a_script_above_writes() {
    let page = "docs/src/guide.rst = .. include:: start/INSTALL.rst\nINSTALL.rst\ndocs/src/start/a.rst\ndocs/src/b.rst";
    let script = |text: &str| format!("{page}\ndocs/build.py = {text}");
    let missing = ["docs/src/guide.rst start/INSTALL.rst → ../../INSTALL.rst?"];
    check(&script("shutil.copy('INSTALL.rst', join('src', 'start', 'INSTALL.rst'))"), &[]);
    check(&script("print(join('src', 'start', 'INSTALL.rst'))"), &missing);
    check(&script("shutil.copy('INSTALL.rst', 'start')"), &missing);
}

/// A build that names a style sheet and an image puts both into one directory.
#[test]
fn leaves_what_a_build_puts_together() {
    let before = "mkdir -p doc; echo x > doc/icon.png; echo 'a { background: url(icon.png) } b { background: url(y.png) }' > doc/site.css; echo y > doc/y.png";
    let tree = |build: &str| {
        history(&[(1, before), (2, &format!("mkdir doc/images; git mv doc/icon.png doc/images/; {build}"))])
    };
    assert_eq!(rows(&tree("true"), &[]), ["doc/site.css icon.png → images/icon.png!"]);
    let build = "echo 'HTML_EXTRA_FILES = doc/site.css doc/images/icon.png' > doc/Doxyfile.in";
    assert_eq!(rows(&tree(build), &[]), [""; 0]);
}

/// Pages that are put together to one have their names as its anchors.
#[test]
fn leaves_anchors_that_name_the_page_beside() {
    let page =
        "mkdir guide; printf '# Use\\n[u](#use) [t](#tools) [f](#faq) [x](#gone)' > guide/a.md; echo x > guide/tools.md
        echo x > guide/03-faq.md";
    let readme = "printf '# Use\\n[u](#use) [a](#about)' > README.md; echo x > about.md";
    let tree = history(&[(1, &format!("{page}; {readme}"))]);
    assert_eq!(rows(&tree, &[]), ["README.md #about → -", "guide/a.md #gone → -"]);
}

/// A header that moved long ago is found by a search path, one that moved today is not yet.
#[test]
fn leaves_headers_that_a_search_path_has() {
    let before = "mkdir -p app common more; echo 1 > app/ui_widget.h; echo 2 > more/ui_widget.h; echo '#include \"ui_widget.h\"' > app/main.c; echo > common/x";
    let tree = |days: u32| history(&[(1, before), (2, "git mv app/ui_widget.h common/"), (2 + days, "echo x > x")]);
    assert_eq!(rows(&tree(3), &[]).len(), 1);
    assert_eq!(rows(&tree(90), &[]), [""; 0]);
}

/// A record of a day names what was there on that day.
#[test]
fn leaves_records_of_a_day() {
    let tree = |name: &str| {
        let list = format!(
            "echo '{{\"files\": [\"src/old.ts\", \"src/b.ts\", \"src/c.ts\", \"src/d.ts\"]}}' > log/{name}.json"
        );
        let before =
            format!("mkdir -p src log/test/resources; for i in old b c d; do echo $i-$i-$i > src/$i.ts; done; {list}");
        history(&[(1, &before), (2, "git mv src/old.ts src/new.ts")])
    };
    assert_eq!(rows(&tree("files"), &[]), ["log/files.json src/old.ts → src/new.ts?"]);
    // So do the data of a test.
    let explained = tree("test/resources/files").plan(&["check", "--explain"]).run().stdout;
    assert!(explained.contains("its-file-is-a-record"), "{explained}");
    assert_eq!(rows(&tree("2026-02-07-outage"), &[]), [""; 0]);
    assert_eq!(rows(&tree("link-report"), &[]), [""; 0]);
}

/// A list of ignored files cannot name one that left its directory.
#[test]
fn fixes_no_list_of_ignored_files_upwards() {
    let before =
        "mkdir -p web/docs guide; echo a-a-a > web/docs/a.md; echo 'docs/a.md' > web/.prettierignore; echo x > web/x";
    let tree = |to: &str| history(&[(1, before), (2, &format!("mkdir -p {to}; git mv web/docs/a.md {to}/"))]);
    assert_eq!(rows(&tree("web/text"), &[]), ["web/.prettierignore docs/a.md → text/a.md!"]);
    assert_eq!(rows(&tree("guide"), &[]), ["web/.prettierignore docs/a.md → -"]);
}

/// A page in a directory of tests with the name of a file beside it is what the test makes of that. Its links to pages are looked at only.
#[test]
fn leaves_pages_that_tests_make() {
    let check = |beside: &str, is_made: bool| {
        let links =
            "<link rel=stylesheet href=\"Lib.Nat.css\"> <a href=\"Gone.html\">x</a> <a href=\"Other.html\">y</a>";
        let tree = committed(&format!("test/pages/Multi.html = {links}\ntest/pages/Other.html\ntest/pages/{beside}"));
        let explained = tree.plan(&["check", "--explain"]).run().stdout;
        assert!(explained.contains("test/pages/Lib.Nat.css does not exist"), "{beside}: {explained}");
        assert_eq!(explained.contains("in-a-fixture"), is_made, "{beside}: {explained}");
        assert_eq!(rows(&tree, &[]).len(), 1, "{beside}");
    };
    check("Multi.agda", true);
    check("Multi.js", false);
    check("More.agda", false);
}

/// A page that a program beside it reads is a part of what the program writes, for another place.
#[test]
fn leaves_pages_that_a_program_reads() {
    let tree = |program: &str| committed(&format!("tools/pages/part.md = [x](guide.md)\ndocs/guide.md\n{program}"));
    assert_eq!(
        rows(&tree("tools/pages/make.ts = read('other.md')"), &[]),
        ["tools/pages/part.md guide.md → ../../docs/guide.md?"]
    );
    assert_eq!(rows(&tree("tools/pages/make.ts = read('part.md')"), &[]), [""; 0]);
}

/// A program above a page that names another page answers for it.
#[test]
fn leaves_pages_that_a_program_answers_for() {
    let tree = |program: &str| {
        committed(&format!(
            "site/content/start.html = <a href=\"./cookie.html\">x</a> <a href=\"./a.html\">y</a> <a href=\"./b.html\">z</a>\nsite/content/a.html\nsite/content/b.html\n{program}"
        ))
    };
    assert_eq!(rows(&tree("site/Server.cs = Handle(\"/other.html\")"), &[]).len(), 1);
    assert_eq!(rows(&tree("site/Server.cs = Handle(\"/cookie.html\")"), &[]), [""; 0]);
}

/// A build that names a page and a file of a new name puts them together.
#[test]
fn leaves_what_a_build_file_names() {
    let tree = |build: &str| {
        let page = "docs/start.html = <a href=\"manual/whole-manual.pdf\">x</a> <a href=\"manual/a.txt\">y</a>";
        committed(&format!("{page}\ndocs/manual/a.txt\nbuild.gradle = {build}"))
    };
    assert_eq!(rows(&tree("include 'start.html'"), &[]).len(), 1);
    assert_eq!(rows(&tree("include 'start.html'; rename { 'whole-manual.pdf' }"), &[]), [""; 0]);
}

/// A page that is mounted into a container is served there, beside what is mounted with it.
#[test]
fn leaves_pages_that_are_mounted() {
    let page = "docker/index.html = <img src=\"img/a.png\"><img src=\"b.png\">\ndocs/img/a.png\ndocker/b.png\ndocker/compose.yml = ";
    let check = |volumes: &str, expect: &[&str]| assert_eq!(rows(&committed(&format!("{page}{volumes}")), &[]), expect);
    check("volumes: [./other.html:/www/index.html]", &["docker/index.html img/a.png → ../docs/img/a.png?"]);
    check("volumes: [./index.html:/www/index.html, ../docs/img:/www/img]", &[]);
}

/// A script that names a page and a file of its own directory, where git never had it, puts them together.
#[test]
fn leaves_what_a_script_puts_beside_a_page() {
    let page = "docs/start.html = <script src=\"shared.js\"></script> <a href=\"a.html\">x</a>";
    let tree = |script: &str| committed(&format!("{page}\ndocs/a.html\ntools/shared.js\ntools/make.ts = {script}"));
    let line = "docs/start.html shared.js → ../tools/shared.js?";
    assert_eq!(rows(&tree("import './shared.js'"), &[]), [line]);
    assert_eq!(rows(&tree("for (f of ['start.html', 'shared.js']) emit(f)"), &[]), [""; 0]);
}

/// A name that a server has as an address is answered by it, wherever the page lies.
#[test]
fn leaves_names_that_a_server_answers() {
    let check = |server: &str, expect: &[&str]| {
        let first = format!(
            "mkdir -p app/src/server app/img; echo '<link rel=\"icon\" href=\"favicon.ico\">' > app/src/index.html; \
             echo \"{server}\" > app/src/server/main.ts; echo x > app/src/favicon.ico"
        );
        let moved = "git mv app/src/favicon.ico app/img/favicon.ico";
        assert_eq!(rows(&history(&[(1, &first), (2, moved)]), &[]), expect, "{server}");
    };
    check("listen(80)", &["app/src/index.html favicon.ico → ../img/favicon.ico!"]);
    check("app.use('/favicon.ico', file)", &[]);
}

/// Links of many pages that broke when the pages moved, wherever each leads, are addresses of a site.
#[test]
fn leaves_links_of_many_pages_that_moved() {
    let check = |pages: usize, days: u32, expect: usize| {
        let page = |at: usize| {
            let next = (at + 1) % pages;
            format!(
                "mkdir guide/d{at}; echo {at} > guide/d{at}/t.md; echo '[a](d{at}/t.md) [b](p{next}.md)' > guide/p{at}.md"
            )
        };
        let all = (0..pages).map(page).collect::<Vec<_>>().join("; ");
        let moved = "mkdir out; git mv guide/p*.md out/";
        let tree = history(&[(1, &format!("mkdir guide; {all}")), (2, moved), (2 + days, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{pages} pages after {days} days");
    };
    check(9, 40, 0);
    check(8, 40, 8);
    check(9, 20, 9);
}

/// A site that is configured elsewhere can redirect the address of a page that moved, unless all documents but one have the new address.
#[test]
fn reports_addresses_that_were_forgotten() {
    let page =
        |name: &str, links: &str| format!("printf -- '---\\ntitle: {name}\\n---\\n{links}\\n' > guide/{name}.md");
    let tree = |others: &str| {
        let files = format!(
            "mkdir -p guide/keys; seq 9 > guide/keys/backup.md; seq 30 50 > guide/keys/other.md; {}; {}; {}",
            page("a", "[x](/guide/keys/backup) [y](/guide/keys/other)"),
            page("b", "[x](/guide/keys/backup)"),
            page("c", "[x](/guide/keys/backup)"),
        );
        let moved = format!(
            "mkdir guide/safe; git mv guide/keys/backup.md guide/safe/backup.md; sed -i s,keys/backup,safe/backup, {others}"
        );
        history(&[(1, &files), (2, &moved)])
    };
    let left = "guide/c.md /guide/keys/backup → /guide/safe/backup!";
    assert_eq!(rows(&tree("guide/a.md guide/b.md"), &[]), [left]);
    assert_eq!(rows(&tree("guide/a.md"), &[]), [""; 0]);
}
