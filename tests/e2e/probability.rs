//! `check`: a missing path is reported where it is likely broken, and a fix is preferred where that is certain.

use std::process::Command;

use serde_json::Value;

use crate::tree::Tree;

/// `FILE LITERAL → FIX`, with `!` behind a preferred fix and `?` behind another one; `-` without a fix that is worth it.
pub(crate) fn rows(tree: &Tree, args: &[&str]) -> Vec<String> {
    let mut lines = tree.plan(&[&["check", "--format", "json"], args].concat()).run().jsons();
    lines.pop();
    let row = |line: Value| {
        let first = &line["fixes"][0];
        let fix = match (first["preferred"].as_bool(), first["confidence"].as_f64()) {
            (Some(true), _) => format!("{}!", first["literal"].as_str().unwrap()),
            (_, Some(0.5..)) => format!("{}?", first["literal"].as_str().unwrap()),
            _ => "-".to_owned(),
        };
        format!("{} {} → {fix}", line["file"].as_str().unwrap(), line["literal"].as_str().unwrap())
    };
    lines.into_iter().map(row).collect()
}

#[track_caller]
pub(crate) fn check(tree: &str, expect: &[&str]) {
    assert_eq!(rows(&Tree::new(tree), &[]), expect);
}

#[test]
fn prefers_the_path_of_a_slip() {
    let page = "
        README.md = [x](dcs/a.md) [y](docs/b.md)
        docs/a.md
        docs/b.md
    ";
    check(page, &["README.md dcs/a.md → docs/a.md!"]);
    let component = "
        src/App.tsx = import { Button } from './components/Buton'
        src/components/Button.tsx = export const Button = 1
        src/components/Bottle.tsx = export const Bottle = 1
    ";
    check(component, &["src/App.tsx ./components/Buton → ./components/Button!"]);
    let module = "
        flask/__init__.py
        flask/app.py = from .gobals import request_ctx
        flask/globals.py = x = 1
        flask/helpers.py = request_ctx = 1
    ";
    check(module, &["flask/app.py .gobals → .globals!"]);
    check("c/a.c = #include \"../inc/engin.h\"\ninc/engine.h", &["c/a.c ../inc/engin.h → ../inc/engine.h!"]);
    // The twelfth path that is tried, and a name that is usually left out.
    check("js/a.js = import './actiions'\njs/actions/index.js", &["js/a.js ./actiions → ./actions!"]);
    check("js/a.js = import './actions/indxe'\njs/actions/index.js", &["js/a.js ./actions/indxe → ./actions/index!"]);
    check("js/a/b.js = require('./../utls.js')\njs/utils.js", &["js/a/b.js ./../utls.js → ./../utils.js!"]);
}

/// Pages link to a target again and again, but a module is imported once.
#[test]
fn prefers_the_path_of_a_slip_that_a_page_has_elsewhere() {
    let page = "
        README.md = [x](docs/giude.md) [y](docs/guide.md) [z](docs/more.md)
        docs/guide.md
        docs/more.md
    ";
    check(page, &["README.md docs/giude.md → docs/guide.md!"]);
    let module = "
        src/a.ts = import { x } from './modle'; import { y } from './model'
        src/model.ts = export const x = 1, y = 2
    ";
    check(module, &["src/a.ts ./modle → ./model?"]);
}

#[test]
fn prefers_no_other_kind_of_file() {
    check("a.md = ![x](img/logo.png)\nimg/logo.png.md5\nimg/lego.jpg", &["a.md img/logo.png → -"]);
}

/// Most targets that are missing are gone: a short name that begins otherwise is another word.
#[test]
fn offers_nothing_for_what_is_gone() {
    check("a.md = [x](gone.md) [y](b.md)\none.md\nb.md", &["a.md gone.md → -"]);
    check("a.md = [x](docs/test.md)\ndocs/best.md\ndocs/b.md", &["a.md docs/test.md → -"]);
}

/// A literal that may be deliberate is not edited unseen.
#[test]
fn prefers_no_fix_of_what_may_be_deliberate() {
    let tree = |after: &str| {
        format!(
            "src/a.ts = import {{ x }} from './modle'{after}\nsrc/model.ts = export const x = 1\nsrc/b.ts = import './model'"
        )
    };
    check(&tree(""), &["src/a.ts ./modle → ./model!"]);
    check(&tree(" // @ts-ignore"), &["src/a.ts ./modle → ./model?"]);
    // The literal can be right from where a build puts the file.
    let from_output = "
        .git/HEAD = ref: refs/heads/main
        src/lib/a.js = import x from '../../../test/web.js'
        test/web.js = export default 1
    ";
    check(from_output, &["src/lib/a.js ../../../test/web.js → ../../test/web.js?"]);
}

/// A double among the tests is no place to which a module was moved.
#[test]
fn leaves_what_tests_merge_in() {
    let tree = |double: &str| {
        let plain = ["c", "d", "e", "f"].map(|name| format!("tests/{name}.py = import pkg.a\n")).concat();
        Tree::new(&format!(
            "pkg/__init__.py\npkg/a.py\npkg/utils/__init__.py\ntests/lib/t.py = import pkg.utils.extra\n{double}\n{plain}"
        ))
    };
    assert_eq!(rows(&tree("pkg/other/utils/extra.py"), &[]).len(), 1);
    assert_eq!(rows(&tree("tests/utils/extra.py"), &[]), [""; 0]);
}

/// A page that a link shows elsewhere can be written for that place.
#[test]
fn leaves_pages_that_are_read_elsewhere() {
    let page = "GUIDE.md = [x](setup.md)\ndocs/setup.md";
    check(page, &["GUIDE.md setup.md → docs/setup.md!"]);
    check(&format!("{page}\ndocs/GUIDE.md -> ../GUIDE.md"), &[]);
}

/// A page that is put together from several files has the links of each.
#[test]
fn leaves_parts_of_pages() {
    let tree = |text: &str| {
        Tree::new(&format!("hack/docs/a.md = [x](other.md) and more\ndocs/a.md = # A: {text}, the end.\ndocs/other.md"))
    };
    assert_eq!(rows(&tree("[y](other.md) and more"), &[]), ["hack/docs/a.md other.md → ../../docs/other.md!"]);
    assert_eq!(rows(&tree("[x](other.md) and more"), &[]), [""; 0]);
}

/// A test that is meant to fail, or that does not run, may miss what it likes.
#[test]
fn prefers_no_fix_in_failing_tests() {
    let tree = |directory: &str| {
        format!("tests/{directory}/a.ts = import './modle'\ntests/{directory}/model.ts = export const x = 1")
    };
    check(&tree("run"), &["tests/run/a.ts ./modle → ./model!"]);
    check(&tree("neg"), &["tests/neg/a.ts ./modle → ./model?"]);
}

/// A rule says that an include for another platform may be missing; one other file of the name says that it is elsewhere.
#[test]
fn weighs_what_a_rule_leaves_undecided() {
    let tree = |images: &str| {
        format!(
            "Cargo.toml = package.name = 'a'\nsrc/lib.rs = #[cfg(feature = \"x\")] static I: &[u8] = include_bytes!(\"window.png\");\n{images}"
        )
    };
    check(&tree("img/window.png"), &["src/lib.rs window.png → ../img/window.png?"]);
    check(&tree("img/window.png\nother/window.png"), &[]);
    check(&tree("img/other.png"), &[]);
}

/// The slash that joins a path to a directory is no root.
#[test]
fn reports_joined_paths() {
    let tree =
        "tests/resources/a.php = <?php require __DIR__ . '/../../tests/lib/inndex.php';\ntests/lib/index.php = <?php";
    check(tree, &["tests/resources/a.php /../../tests/lib/inndex.php → /../../tests/lib/index.php?"]);
}

/// Images of HTML lead where other images of the pages lead: a site takes them from elsewhere.
#[test]
fn counts_images_of_html_with_images() {
    let page = |name: &str| format!("guide/{name}.md = ![x](images/{name}.png)\nassets/images/{name}.png\n");
    let pages: String = ["one", "two", "three", "four", "five", "six"].map(page).concat();
    check(&format!("{pages}assets/images/b.png\nguide/b.md = <img src='images/b.png'>"), &[]);
}

/// A path with a slash that is there from a directory above the file has its root there.
#[test]
fn leaves_paths_of_another_root() {
    let count = |image: &str| {
        let page = "docs/conf.py = project = 'x'\ndocs/index.rst\ndocs/user/guides/a.rst = .. image:: /img/a.png";
        rows(&Tree::new(&format!("{page}\n{image}")), &[]).len()
    };
    assert_eq!(count("docs/other/img/a.png"), 1);
    assert_eq!(count("docs/user/img/a.png"), 0);
}

/// A form of link that resolves in no file of a tree is an unknown convention.
#[test]
fn leaves_conventions_alone() {
    let page = |name: &str| format!("docs/{name}.md = [a](../made/{name}.txt) [c](index.md)\n");
    let pages: String = ["one", "two", "three", "four", "five", "six"].map(page).concat();
    let tree = Tree::new(&format!("docs/index.md\n{pages}docs/z.md = [x](indx.md)"));
    assert_eq!(rows(&tree, &[]), ["docs/z.md indx.md → index.md!"]);
    let explained = tree.plan(&["check", "--explain"]).run().stdout;
    assert!(explained.contains("unknown[doubtful]: ../made/one.txt: broken with probability 0."), "{explained}");
    assert!(explained.contains("\n  probability: 0."), "{explained}");
}

/// One target that many miss is one observation, and a slip is none.
#[test]
fn reports_the_same_miss_in_many_files() {
    let names = ["one", "two", "three", "four", "five", "six", "seven"];
    let pages: String = names.map(|name| format!("docs/{name}.md = [a](indx.md)\n")).concat();
    let expect = names.map(|name| format!("docs/{name}.md indx.md → index.md!"));
    let mut rows_of = rows(&Tree::new(&format!("docs/index.md\n{pages}")), &[]);
    rows_of.sort();
    let mut expect = expect.to_vec();
    expect.sort();
    assert_eq!(rows_of, expect);
    let pages: String = names.map(|name| format!("docs/{name}.md = [a](lost/page.md) [b](index.md)\n")).concat();
    assert_eq!(rows(&Tree::new(&format!("docs/index.md\n{pages}")), &[]).len(), names.len());
}

#[test]
fn fixes_anchors_by_anchors() {
    let guide = "docs/guide.md = # Installation";
    check(
        &format!("a.md = [x](docs/guide.md#instalation)\n{guide}"),
        &["a.md docs/guide.md#instalation → docs/guide.md#installation?"],
    );
    // Another page has it; none leads to a page without it.
    check(
        &format!("docs/a.md = [x](other.md#installation)\ndocs/other.md = # Other\n{guide}"),
        &["docs/a.md other.md#installation → guide.md#installation?"],
    );
    // The only heading that goes on behind it comes before another page. The generator of the site joins dashes.
    let option = "docs/other.md = # Installation (`-i`)";
    check(
        &format!("docs/a.md = [x](other.md#installation)\n{option}\n{guide}"),
        &["docs/a.md other.md#installation → other.md#installation--i?"],
    );
    check(
        &format!("mkdocs.yml = site_name: a\ndocs/a.md = [x](other.md#installation)\n{option}\n{guide}"),
        &["docs/a.md other.md#installation → other.md#installation-i?"],
    );
    // A variable can stand for any heading.
    check("a.md = # Usage\n\n## ${parameters}\n\n[x](#installation)", &[]);
    // An anchor of the own page is a heading that was changed.
    check(&format!("docs/a.md = # Usage [x](#installation)\n{guide}"), &["docs/a.md #installation → -"]);
    check(
        &format!("a.md = [x](docs/guide.md#contributing)\nguide.md\n{guide}"),
        &["a.md docs/guide.md#contributing → -"],
    );
}

#[test]
fn counts_uncertain_uses() {
    let tree = Tree::new(
        "
        src/components/Card.astro
        src/content/a.ts = import Card from '@components/Card.astro'
        src/content/b.ts = import Card from '@components/Card.astro'
    ",
    );
    let run = tree.plan(&["check", "--if-deleted=src/components/Card.astro"]).run();
    assert!(run.stdout.contains(", none broken, 2 possible uses"), "{run:?}");
    let run = tree.plan(&["check", "--if-deleted=src/content/a.ts"]).run();
    assert!(run.stdout.contains(", none broken") && !run.stdout.contains("possible"), "{run:?}");
}

/// A message names what is not there, never what is.
#[test]
fn says_what_is_not_there() {
    let check = |tree: &str, expect: &str| {
        let lines = Tree::new(tree).plan(&["check", "--format", "json"]).run().jsons();
        assert_eq!(lines[0]["reason"], expect, "{lines:?}");
    };
    check("src/a.ts = import './'\nsrc/links.ts", "src is a directory without an index");
    check("src/a.ts = import './links/'\nsrc/links.ts", "src/links.ts exists, but this path does not lead to it");
    check("src/a.ts = import './gone'", "src/gone.ts does not exist");
}

/// Returns a tree of a repository whose history has lost enough files to tell what was never there.
#[track_caller]
pub(crate) fn committed(text: &str) -> Tree {
    let tree = Tree::new(text);
    let script = "set -e; git init -q -b main .; mkdir .old; for i in $(seq 60); do echo text $i > .old/$i.txt; done
        commit() { git add -A; git -c user.name=a -c user.email=a@b commit -qm \"$1\"; }
        commit one; rm -r .old; commit two";
    let mut command = Command::new("sh");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let made = command.arg("-c").arg(script).current_dir(tree.root()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    tree
}

/// A path that history never had and no typo explains is right where a program reads it.
#[test]
fn doubts_what_nothing_explains() {
    // The number of findings if history is not known, and if it is.
    let check = |text: &str, unknown: usize, known: usize| {
        assert_eq!(rows(&Tree::new(text), &[]).len(), unknown, "{text}");
        assert_eq!(rows(&committed(text), &[]).len(), known, "{text}");
    };
    let page = "page/a.html = <script src=\"lib/jquery.js\"></script> <script src=\"own.js\"></script>\npage/own.js";
    check(page, 1, 0);
    check(&format!("{page}\npage/lib/more.js"), 1, 1);
    check("README.md = [x](docs/b.md)\ndocs/a.md", 1, 1);
    let alike = |count: usize| {
        let page = |at: usize| format!("man/a{at}.md = [x](./nix3-b{at}.md) [y](./b{at}.md)\nman/b{at}.md\n");
        (0..count).map(page).collect::<String>()
    };
    let flat = |count: usize| {
        let page =
            |at: usize| format!("docs/a{at}.md = [x](c{at}.md) [y](b{at}.md)\ndocs/b{at}.md\ndocs/more/c{at}.md\n");
        (0..count).map(page).collect::<String>()
    };
    for (text, is_rule) in [(alike(3), false), (alike(5), true), (flat(3), false), (flat(5), true)] {
        let run = committed(&text).plan(&["check", "--format", "json", "--explain"]).run();
        let is_named = |line: &Value| line["evidence"]["files-have-other-names-by-a-rule"].is_number();
        assert_eq!(run.jsons().iter().any(is_named), is_rule, "{text}");
        assert!(rows(&Tree::new(&text), &[]).len() == if is_rule { 5 } else { 3 }, "{text}");
    }
}

/// Documents of which none has the headings that it links to are parts of a page.
#[test]
fn leaves_headings_of_other_parts() {
    let tree = |count: usize| {
        let page = |at: usize| format!("man/a{at}.md = # A{at}\\n[x](#other{at})\n");
        Tree::new(&(0..count).map(page).collect::<String>())
    };
    assert_eq!(rows(&tree(3), &[]).len(), 3);
    assert_eq!(rows(&tree(4), &[]), [""; 0]);
}

/// A script that names the page and what it misses puts both together.
#[test]
fn leaves_what_a_script_makes() {
    let link = |name: &str| format!("<link rel=\"stylesheet\" href=\"{name}.css\">");
    let pages = format!("web/main.html = {} {}\nweb/own.css", link("highlight"), link("own"));
    let tree = |script: &str| committed(&format!("{pages}\n{script}"));
    assert_eq!(rows(&tree("tools/make.pl = open 'web/main.html'"), &[]).len(), 1);
    assert_eq!(rows(&tree("tools/make.pl = 'main.html'; run '--style=highlight.css'"), &[]), [""; 0]);
    // A script beside a configuration writes the pages that it names.
    let tree = |script: &str| {
        let pages =
            "mkdir -p docs/systems site; touch docs/systems/dd_cascade.md docs/systems/posit.md docs/systems/lns.md";
        let list = "for page in dd-cascade posit lns; do echo \"$page: docs/systems/$page.md\"; done > site/pages.yaml";
        history(&[(1, &format!("{pages}; {list}; echo \"{script}\" > site/sync.mjs"))])
    };
    assert_eq!(rows(&tree("writeFile('x')"), &[]).len(), 1);
    assert_eq!(rows(&tree("writeFile('systems/dd-cascade.md')"), &[]), [""; 0]);
}

/// Each fixture is a tree of its own.
#[test]
fn takes_no_namesake_for_the_target_of_a_fixture() {
    let tree = |directory: &str| {
        committed(&format!(
            "{directory}/a/main.js = import './foo.json'\n{directory}/b/foo.json\nsrc/c.js = import './d.js'\nsrc/d.js"
        ))
    };
    assert_eq!(rows(&tree("src/parts"), &[]).len(), 1);
    assert_eq!(rows(&tree("test/samples"), &[]), [""; 0]);
}

/// A link that leads nowhere is there.
#[test]
fn leaves_links_that_lead_nowhere() {
    check("a.md = [x](b.md)", &["a.md b.md → -"]);
    check("a.md = [x](b.md)\nb.md -> gone.md", &[]);
}

/// Returns a tree whose git history these steps make: a day, and a command of the shell whose changes are committed on it.
#[track_caller]
pub(crate) fn history(steps: &[(u32, &str)]) -> Tree {
    let tree = Tree::new("");
    let commit = |day: u32| {
        format!(
            "git add -A; GIT_COMMITTER_DATE=\"$((1600000000 + {day} * 86400)) +0000\" git -c user.name=a -c user.email=a@b commit -qm x\n"
        )
    };
    let lost = "git init -q -b main .; mkdir .old; for i in $(seq 60); do echo text $i > .old/$i.txt; done\n";
    let mut script = vec![format!("set -e; {lost}{}rm -r .old", commit(0))];
    script.extend(steps.iter().map(|(day, step)| format!("{step}\n{}", commit(*day))));
    let mut command = Command::new("sh");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let made = command.arg("-c").arg(script.join("\n")).current_dir(tree.root()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    tree
}

/// Code that was built for a month works, and a page can be wrong for years.
#[test]
fn doubts_what_has_stood() {
    let check = |file: &str, text: &str, days: u32, expect: usize| {
        let first = format!("mkdir -p src lib; echo x > lib/helper.ts; echo \"{text}\" > {file}");
        let tree = history(&[(1, &first), (1 + days, "echo y > src/other.ts")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{file} after {days} days");
    };
    check("src/a.ts", "import x from './helper'", 20, 1);
    check("src/a.ts", "import x from './helper'", 40, 0);
    check("src/a.md", "[x](./helper.ts)", 40, 1);
}

/// A path that was gone when the literal was written is not what the literal meant.
#[test]
fn doubts_what_was_gone_before() {
    let (page, moved) = ("mkdir -p docs/guide; echo text > docs/b.md", "git mv docs/b.md docs/guide/b.md");
    let link = "echo 'See [x](b.md).' > docs/a.md";
    let preferred = ["docs/a.md b.md → guide/b.md!"];
    let later = (40, "echo x > docs/x.md");
    assert_eq!(rows(&history(&[(1, &format!("{page}; {link}")), (2, moved), later]), &[]), preferred);
    let after = rows(&history(&[(1, page), (2, moved), (3, link), later]), &[]);
    assert!(!after.iter().any(|row| row.ends_with('!')), "{after:?}");
    // The text was part of another page before.
    let split = format!("{link}; rm docs/old.md");
    let old = format!("{page}; echo 'Old. See [x](b.md).' > docs/old.md; seq 50 >> docs/old.md");
    assert_eq!(rows(&history(&[(1, &old), (2, moved), (3, &split), later]), &[]), preferred);
    // The move corrected it, and a branch from before the move was merged.
    let corrected = format!("{moved}; echo 'See [x](guide/b.md).' > docs/a.md");
    let merged = history(&[(1, &format!("{page}; {link}")), (2, &corrected), (3, link), later]);
    assert_eq!(rows(&merged, &[]), preferred);
    // A text that was written lately is a mistake.
    assert_eq!(rows(&history(&[(1, page), (2, moved), (39, link), later]), &[]), preferred);
    let written = history(&[(1, page), (2, moved), later]);
    std::fs::write(written.root().join("docs/a.md"), "See [x](b.md).").unwrap();
    assert_eq!(rows(&written, &[]), preferred);
}

/// A removal that is staged, and one that is not, break the links to a file before they are committed.
#[test]
fn reports_what_was_removed_and_not_committed() {
    let pages = "mkdir docs; for i in b c d e; do echo $i > docs/$i.md; done; echo '[b](b.md) [c](c.md) [d](d.md) [e](e.md)' > docs/a.md";
    for removal in ["rm", "git rm -q"] {
        let tree = history(&[(1, pages), (40, "echo x > docs/x.md")]);
        let made = Command::new("sh").arg("-c").arg(format!("{removal} docs/b.md")).current_dir(tree.root()).status();
        assert!(made.unwrap().success());
        assert_eq!(rows(&tree, &[]), ["docs/a.md b.md → -"], "{removal}");
    }
}

/// A name that differs from existing ones in a digit is weighed by how many there are.
#[test]
fn weighs_names_that_differ_in_a_digit() {
    let check = |link: &str, expect: [bool; 2]| {
        let tree =
            committed(&format!("docs/p.md = [x]({link})\ndocs/one1.svg\ndocs/fig1.svg\ndocs/fig2.svg\ndocs/7.svg"));
        let lines = tree.plan(&["check", "--format", "json", "--explain"]).run().jsons();
        let has = |name: &str| lines.iter().any(|line| line["evidence"][name].is_number());
        assert_eq!(["one-digit-from-a-path", "one-digit-from-several-paths"].map(has), expect, "{link}");
    };
    check("one2.svg", [true, false]);
    check("fig3.svg", [false, true]);
    check("8.svg", [false, false]);
    check("ones.svg", [false, false]);
}

/// A slip is made once: a name that several files import is made by their build.
#[test]
fn doubts_a_slip_that_several_files_have() {
    let tree = |count: usize| {
        let class =
            |at: usize| format!("src/main/java/a/U{at}.java = package a; import a.b.Permisson; class U{at} {{}}\n");
        let all: String = (0..count).map(class).collect();
        format!("src/main/java/a/b/Permission.java = package a.b; public class Permission {{}}\n{all}")
    };
    check(&tree(1), &["src/main/java/a/U0.java a.b.Permisson → a.b.Permission!"]);
    let doubted = |at: usize| format!("src/main/java/a/U{at}.java a.b.Permisson → a.b.Permission?");
    assert_eq!(rows(&Tree::new(&tree(4)), &[]), (0..4).map(doubted).collect::<Vec<_>>());
}

/// A name that git had in one of the directories that are tried is no slip of the name beside it.
#[test]
fn prefers_no_other_name_for_a_removed_class() {
    let tree = |written: &str| {
        let files = [
            ("core", "b/Permission", "package a.b; public class Permission {}".to_owned()),
            ("core", "b/Permissoin", "package a.b; public class Permissoin {}".to_owned()),
            ("web", "b/Y", "package a.b; class Y {}".to_owned()),
            ("web", "X", format!("package a; import a.b.{written}; class X {{}}")),
        ];
        let write = |(module, path, text): (&str, &str, String)| {
            format!("mkdir -p {module}/src/main/java/a/b; echo '{text}' > {module}/src/main/java/a/{path}.java")
        };
        let first = files.map(write).join("; ");
        history(&[(1, &first), (2, "git rm -q core/src/main/java/a/b/Permissoin.java"), (3, "echo x > x.txt")])
    };
    let row = |text: &str| format!("web/src/main/java/a/X.java a.b.{text}");
    assert_eq!(rows(&tree("Permisson"), &[]), [row("Permisson → a.b.Permission!")]);
    assert_eq!(rows(&tree("Permissoin"), &[]), [row("Permissoin → -")]);
}

/// No part of a file that was taken apart is preferred.
#[test]
fn prefers_no_part_of_a_file() {
    let tree = |parts: &str| {
        let first = "echo 'Project(\"{1}\") = \"a\", \"old.vcproj\", \"{2}\"' > old.sln; seq 99 > old.vcproj";
        history(&[(1, first), (2, &format!("git mv old.vcproj old.x.vcproj; {parts}")), (3, "echo x > x.txt")])
    };
    assert_eq!(rows(&tree("echo x > old.txt"), &[]), ["old.sln old.vcproj → old.x.vcproj!"]);
    assert_eq!(rows(&tree("echo x > old.y.vcproj"), &[]), ["old.sln old.vcproj → old.x.vcproj?"]);
}
