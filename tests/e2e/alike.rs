//! `check`: misses that are alike in several places are made by a program or read from elsewhere, and a fix of what programs have read for
//! a month is for a person to choose.

use crate::probability::{committed, history, rows};
use crate::tree::Tree;

/// No file has the name, and several paths of it are missing: a program writes them.
#[test]
fn leaves_a_name_that_several_paths_miss() {
    let check = |directories: &[&str], more: &str, expect: usize| {
        let make =
            |name: &&str| format!("mkdir -p app/{name}; echo x > app/{name}/view.astro; echo y > app/{name}/y.ts; ");
        let import = |name: &&str| format!("import {name} from './{name}/view.astro';\\n");
        let imports: String = directories.iter().map(import).collect();
        let pages = format!(
            "printf \"{imports}\" > app/gallery.mdx; echo \"import y from './{}/y.ts'\" > app/y.mdx",
            directories[0]
        );
        let first = format!("{}{pages}", directories.iter().map(make).collect::<String>());
        let removed = format!("git rm -q app/*/view.astro; mkdir -p app {more}; echo z > app/z.ts");
        let tree = history(&[(1, &first), (2, &removed), (42, "echo y > app/w.ts")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{directories:?} {more}");
    };
    check(&["a", "b", "c", "d"], "", 0);
    check(&["a", "b", "c"], "", 3);
    // A file of the name tells that an author writes them.
    check(&["a", "b", "c", "d"], "other; echo x > other/view.astro", 4);
}

/// Pages of a directory that miss what lies elsewhere are read from another one.
#[test]
fn leaves_pages_that_are_read_from_another_directory() {
    let pages = |count: usize| {
        let names = &["alpha", "beta", "gamma", "delta"][..count];
        let page = |name: &&str| {
            format!(
                "docs/meta/{name}.md = # {name}\\nSee [it](parts-{name}.md) and [a](../a.md).\ndocs/site/{name}/parts-{name}.md\n"
            )
        };
        format!("docs/a.md\n{}docs/b.md = [a](a.md)", names.iter().map(page).collect::<String>())
    };
    assert_eq!(rows(&committed(&pages(3)), &[]).len(), 3);
    assert_eq!(rows(&committed(&pages(4)), &[]), [""; 0]);
    // Without git's history nothing says that they never worked here.
    assert_eq!(rows(&Tree::new(&pages(4)), &[]).len(), 4);
}

/// A plugin is laid over the program that it is for.
#[test]
fn leaves_what_a_plugin_is_laid_over() {
    let plugin = |directory: &str, file: &str| {
        let script = "<?php require_once '../../config.php'; require_once '../../menu.php';";
        let tree = format!(
            "www/admin/{file}\nplugins/a/{directory}/menu.php\nplugins/a/{directory}/plugins/ui/a.php = {script}"
        );
        rows(&committed(&tree), &[]).len()
    };
    assert_eq!(plugin("www/admin", "config.php"), 0);
    assert_eq!(plugin("www/other", "config.php"), 1);
}

/// A path that programs have read for a month is not edited unasked: it is read from elsewhere, or not at all.
#[test]
fn prefers_no_fix_of_what_programs_have_read_for_long() {
    let check = |file: &str, text: &str, days: u32, expect: &str| {
        let first = format!("mkdir -p docs tools .github; seq 9 > tools/make.py; {text} > {file}");
        let moved = "mkdir -p tools/build; git mv tools/make.py tools/build/make.py";
        let tree = history(&[(1, &first), (2, moved), (2 + days, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]), [expect], "{file} {days}");
    };
    let script = "echo 'python3 tools/make.py'";
    check("run.sh", script, 20, "run.sh tools/make.py → tools/build/make.py!");
    check("run.sh", script, 40, "run.sh tools/make.py → tools/build/make.py?");
    check("docs/a.md", "echo '[x](../tools/make.py)'", 40, "docs/a.md ../tools/make.py → ../tools/build/make.py!");
}

/// Modules that are all named in another style than their directories are read by a program that knows how.
#[test]
fn leaves_names_in_another_style() {
    let check = |names: &[(&str, &str)], expect: usize| {
        let module = |(_, module): &(&str, &str)| format!("<module>{module}</module>");
        let file = |(directory, _): &(&str, &str)| format!("{directory}/pom.xml = <project/>\n");
        let [modules, files]: [String; 2] = [names.iter().map(module).collect(), names.iter().map(file).collect()];
        let tree = format!("{files}pom.xml = <project><modules>{modules}</modules></project>");
        assert_eq!(rows(&committed(&tree), &[]).len(), expect, "{names:?}");
    };
    let names =
        [("NoOutput", "no-output"), ("OneFile", "one-file"), ("TwoFiles", "two-files"), ("SomeTests", "some-tests")];
    check(&names, 0);
    check(&names[..3], 3);
}

/// Data files of which many name what is gone tell of the past.
#[test]
fn leaves_records_of_what_was_there() {
    let check = |count: usize, days: u32, expect: usize| {
        let record = |at: usize| {
            format!(
                "echo '{{\"changes\": [\"src/own.py\", \"src/util.py\", \"src/x{at}.py\"]}}' > data/{at}.json; echo > src/x{at}.py; "
            )
        };
        let records: String = (0..count).map(record).collect();
        let first = format!("mkdir -p src data; seq 9 > src/own.py; echo > src/util.py; {records}");
        let moved = "mkdir lib; git mv src/own.py lib/own.py";
        let tree = history(&[(1, &first), (2, moved), (2 + days, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{count} {days}");
    };
    check(9, 40, 0);
    check(9, 20, 9);
    check(8, 40, 8);
}

/// A list of many files that moved long ago tells of the past; one of few, or of files that moved lately, was left behind.
#[test]
fn leaves_lists_of_what_is_long_gone() {
    let check = |moved: u32, days: u32, expect: usize| {
        let names: Vec<String> = (0..20).map(|at| format!("\"src/{at}.ts\"")).collect();
        let files = "mkdir -p src lib; for i in $(seq 0 19); do echo $i-$i-$i > src/$i.ts; done";
        let first = format!("{files}; echo '[{}]' > texts.json", names.join(", "));
        let move_them = format!("for i in $(seq 1 {moved}); do git mv src/$i.ts lib/; done");
        let tree = history(&[(1, &first), (2, &move_them), (2 + days, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{moved} {days}");
    };
    check(8, 40, 0);
    check(7, 40, 7);
    check(8, 10, 8);
}

/// No fix is sure among literals of a form of which most lead nowhere: it is unknown how they are read.
#[test]
fn prefers_no_fix_in_an_unknown_form() {
    let fix = |strange: usize| {
        let page = |at: usize| format!("echo '[x](lost{at}.md) [y](gone{at}.md)' > docs/p{at}.md; ");
        let known = "for i in 1 2 3 4; do echo \"[x](b$i.md)\" > docs/k$i.md; echo $i > docs/b$i.md; done";
        let pages: String = (0..strange).map(page).collect();
        let first =
            format!("mkdir -p docs; {known}; {pages}echo '# Guide' > docs/guide.md; echo '[x](guide.md)' > docs/a.md");
        let tree = history(&[(1, &first), (2, "mkdir docs/new; git mv docs/guide.md docs/new/guide.md")]);
        rows(&tree, &[]).into_iter().find(|row| row.starts_with("docs/a.md"))
    };
    assert_eq!(fix(0).as_deref(), Some("docs/a.md guide.md → new/guide.md!"));
    assert_eq!(fix(12).as_deref(), Some("docs/a.md guide.md → new/guide.md?"));
}
