//! `check`: a literal is held against the age of what would explain its miss: moves of its target, moves of its file, and the commits since.

use crate::probability::{history, rows};

/// A script that is younger than the move of what it names means another file of that name; a literal that is younger than the move of
/// its own file is not relative to where that was.
#[test]
fn prefers_no_move_from_before_the_text() {
    let library = "mkdir -p lib/x64; echo library > lib/x64/a.py; echo 'load x64/a.py' > lib/old.list";
    let moved = "mkdir -p lib/run; git mv lib/x64 lib/run/win";
    let script = "echo 'load x64/a.py' > lib/update.sh";
    let later = (40, "echo x > x.txt");
    let rows_of = |steps: &[(u32, &str)]| {
        rows(&history(steps), &[]).into_iter().filter(|row| row.contains("update.sh")).collect::<Vec<_>>()
    };
    let old = rows_of(&[(1, &format!("{library}; {script}")), (2, moved), (20, "echo x > x.txt")]);
    assert_eq!(old, ["lib/update.sh x64/a.py → run/win/a.py!"]);
    assert_eq!(rows_of(&[(1, library), (2, moved), (3, script), later]), ["lib/update.sh x64/a.py → run/win/a.py?"]);

    let optional = "try { require('./conf') } catch (e) {}";
    let files = "mkdir src; echo x > conf.js; seq 9 > a.js";
    let text = |file: &str| format!("seq 9 > {file}; echo \"{optional}\" >> {file}");
    let moved = "git mv a.js src/a.js";
    let before = history(&[(1, &format!("{files}; {}", text("a.js"))), (2, moved), later]);
    assert_eq!(rows(&before, &[]), ["src/a.js ./conf → ../conf?"]);
    let after = history(&[(1, files), (2, moved), (3, &text("src/a.js")), later]);
    assert_eq!(rows(&after, &[]), [""; 0]);
}

/// A name that is not in the tree can be a library's, unless the file named it when a commit moved the file that it led to.
#[test]
fn follows_moves_only_of_what_named_the_file() {
    let settings = r#"echo '{"compilerOptions": {"baseUrl": "src"}}' > tsconfig.json"#;
    let files = format!("{settings}; mkdir -p src/new; seq 9 > src/own.ts; seq 3 > src/a.ts");
    let import = "echo 'import \"own\";' >> src/a.ts";
    let moved = "git mv src/own.ts src/new/own.ts";
    let named = history(&[(1, &format!("{files}; {import}")), (2, moved)]);
    assert_eq!(rows(&named, &[]), ["src/a.ts own → new/own!"]);
    assert_eq!(rows(&history(&[(1, &files), (2, moved), (3, import)]), &[]), [""; 0]);
}

/// A site makes addresses of its own, but one that led to a page until a commit moved that is broken, unless the page or a redirect keeps
/// it. A list of pages from before the move does not.
#[test]
fn follows_addresses_of_moved_pages() {
    let site = "echo 'x = 1' > docusaurus.config.js; mkdir -p docs/old docs/new; seq 3 > docs/index.md";
    let link = "{ seq 5; echo '[x](/docs/old/setup#y)'; } > docs/a.md";
    let list = "echo \"pages = ['old/setup',\" > sidebars.js";
    let moved = "git mv docs/old/setup.md docs/new/setup.md";
    let check = |page: &str, moved: &str, expect: &[&str]| {
        let first = format!("{site}; {{ {page}; seq 9; echo '# Y'; }} > docs/old/setup.md; {link}; {list}");
        assert_eq!(rows(&history(&[(1, &first), (2, moved)]), &[]), expect, "{page} {moved}");
    };
    check("echo", moved, &["docs/a.md /docs/old/setup#y → /docs/new/setup#y!"]);
    check("echo", &format!("{moved}; echo '/docs/old/setup /docs/new/setup' > _redirects"), &[]);
    check("echo", &format!("{moved}; echo \"from = ['/docs/old/setup'],\" >> docusaurus.config.js"), &[]);
    check("printf -- '---\\npermalink: /docs/old/setup\\n---\\n'", moved, &[]);
    // The link was written after the move.
    check(
        "echo",
        &format!("{moved}; echo '[x](/docs/old/setup)' > docs/b.md"),
        &["docs/a.md /docs/old/setup#y → /docs/new/setup#y!"],
    );
}

/// A page that has the text that it had before the move lacked the heading then: the move did not take it away.
#[test]
fn prefers_a_moved_page_that_lacked_the_heading_before() {
    let site = "echo 'x = 1' > docusaurus.config.js; mkdir -p docs/old docs/new; seq 3 > docs/index.md";
    let first =
        format!("{site}; {{ seq 9; echo; echo '<T/>'; }} > docs/old/b.md; echo '[x](/docs/old/b#gone)' > docs/a.md");
    let moved = "git mv docs/old/b.md docs/new/b.md";
    let check = |change: &str, expect: &str| {
        assert_eq!(rows(&history(&[(1, &first), (2, moved), (3, change)]), &[]), [expect], "{change}");
    };
    check("echo x > x.txt", "docs/a.md /docs/old/b#gone → /docs/new/b#gone!");
    check("echo '# Z' >> docs/new/b.md", "docs/a.md /docs/old/b#gone → -");
}

/// A script moved together with its declarations: the import that leads to those leads to both.
#[test]
fn follows_a_script_with_its_declarations() {
    let files = "mkdir src test; seq 9 > src/old.js; seq 5 > src/old.d.ts; echo 'import \"../src/old\";' > test/a.js";
    let moved = "git mv src/old.js src/new.js; git mv src/old.d.ts src/new.d.ts";
    assert_eq!(rows(&history(&[(1, files), (2, moved)]), &[]), ["test/a.js ../src/old → ../src/new!"]);
}

/// Files that several imports of a file that is built have done without for long, and that are in one other directory, are read there.
#[test]
fn leaves_imports_that_are_read_elsewhere() {
    let names = ["alpha", "beta", "gamma", "delta"];
    let imports: String = names.map(|name| format!("import './{name}';")).concat();
    let all = |count: usize| {
        let make = |name: &&str| format!("seq 9 > game/ez/{name}.ts; echo {name} > plugin/ez/{name}.ts; ");
        names[..count].iter().map(make).collect::<String>()
    };
    let check = |count: usize, expect: usize| {
        let first = format!("mkdir -p game/ez plugin/ez; echo \"{imports}\" > game/ez/all.ts; {}", all(count));
        let removed = "rm -f game/ez/alpha.ts game/ez/beta.ts game/ez/gamma.ts game/ez/delta.ts";
        let tree = history(&[(1, &first), (2, removed), (42, "echo x > game/y.ts")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{count}");
    };
    check(4, 0);
    check(3, 3);
}

/// A file that was compiled after its include lost its target does without; a file that was not changed since does not tell.
#[test]
fn doubts_what_was_built_since() {
    let check = |change: &str, expect: usize| {
        let include = |name: &str| format!("echo '#include \"log/{name}.h\"'");
        let files = "mkdir -p core/log; seq 9 > core/log/old.h; seq 5 > core/log/other.h";
        let [old, other] = ["old", "other"].map(include);
        let first = format!("{files}; {{ {old}; {other}; }} > core/a.c; {other} > core/b.c");
        let moved = "mkdir core/late; git mv core/log/old.h core/late/new.h";
        let tree = history(&[(1, &first), (2, moved), (3, change), (42, "echo x > core/y.c")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{change}");
    };
    check("echo 'int x;' > core/x.c", 1);
    check("echo 'int x;' >> core/a.c", 0);
}

/// A header above is found below a search path once its includes have stood; before, they broke with the move of their file.
#[test]
fn leaves_headers_above_that_builds_find() {
    let check = |day: u32, expect: usize| {
        let first = "mkdir -p arch/part; seq 9 > arch/own.h; echo '#include \"../own.h\"' > arch/part/a.c";
        let moved = "mkdir -p arch/parts/one; git mv arch/part/a.c arch/parts/one/a.c";
        let tree = history(&[(1, first), (day, moved), (60, "echo x > arch/y.c")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{day}");
    };
    check(2, 0);
    check(58, 1);
}

/// A class that git removed is written by a processor, if the code has been built without it.
#[test]
fn leaves_classes_that_builds_do_without() {
    let check = |day: u32, expect: usize| {
        let (core, web) = ("core/src/main/java/a/b", "web/src/main/java/c");
        let files = [
            (core, "Matrix", "package a.b; public class Matrix {}"),
            (core, "Other", "package a.b; public class Other {}"),
            (web, "X", "package c; import a.b.Matrix; class X {}"),
            ("web/src/main/java/a/b", "Y", "package a.b; public class Y {}"),
        ];
        let first = files.map(|(at, name, text)| format!("mkdir -p {at}; echo '{text}' > {at}/{name}.java"));
        let gone = format!("git rm -q {core}/Matrix.java");
        let tree = history(&[(1, &first.join("; ")), (day, &gone), (60, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{day}");
    };
    check(2, 0);
    check(58, 1);
}

/// Targets to which the links of many pages lead since the pages themselves moved are put beside them by the program that publishes both.
#[test]
fn leaves_links_that_broke_in_all_pages() {
    let check = |pages: usize, days: u32, expect: usize| {
        let page = |at: usize| {
            let beside = (at + 1) % pages;
            format!(
                "echo '[a](../topic/t{at}.md) [b](p{beside}.md)' > guide/p{at}.md; echo topic {at} > topic/t{at}.md"
            )
        };
        let all = (0..pages).map(page).collect::<Vec<_>>().join("; ");
        let moved = "mkdir guide/en topic/en; git mv guide/p*.md guide/en; git mv topic/t*.md topic/en";
        let tree = history(&[(1, &format!("mkdir guide topic; {all}")), (2, moved), (2 + days, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{pages} pages after {days} days");
    };
    check(9, 40, 0);
    check(8, 40, 8);
    check(9, 20, 9);
}

/// A file that became its own template is made from it.
#[test]
fn leaves_what_its_template_makes() {
    let check = |to: &str, expect: usize| {
        let first = "mkdir -p old/init/test; seq 9 > old/init/list.json; echo '{\"include\": [\"../list.json\"]}' > old/init/test/tsconfig.json";
        let moved = format!("mkdir new; git mv old/init new/init; git mv new/init/list.json new/init/{to}");
        let tree = history(&[(1, first), (2, &moved), (3, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{to}");
    };
    check("names.json", 1);
    check("list-template.json", 0);
}

/// A pattern is not looked up from where its file was.
#[test]
fn leaves_patterns_of_moved_files() {
    let check = |include: &str, expect: usize| {
        let first =
            format!("mkdir -p a/src b; seq 9 > a/src/x.tsx; echo '{{\"include\": [\"{include}\"]}}' > a/tsconfig.json");
        let tree = history(&[(1, &first), (2, "git mv a/tsconfig.json b/tsconfig.json"), (3, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{include}");
    };
    check("src/x.tsx", 1);
    check("src/**/*.tsx", 0);
}

/// `CMake` asks where to build a directory that is not below, so that its fix needs a second argument.
#[test]
fn prefers_no_directory_of_cmake_above() {
    let check = |to: &str, expect: &str| {
        let first =
            "mkdir -p app/part; seq 9 > app/part/CMakeLists.txt; echo 'add_subdirectory(part)' > app/CMakeLists.txt";
        let moved = format!("mkdir -p {to}; git mv app/part {to}/part");
        let tree = history(&[(1, first), (2, &moved), (3, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]), [expect], "{to}");
    };
    check("app/libs", "app/CMakeLists.txt part → libs/part!");
    check("libs", "app/CMakeLists.txt part → ../libs/part?");
}

/// A class that was gone long before the file was committed comes from elsewhere; one that went lately is missed.
#[test]
fn doubts_classes_that_were_gone_before_the_file() {
    let check = |removed: u32, expect: usize| {
        let class = |module: &str, name: &str| {
            let package = format!("{module}/src/main/java/a/b");
            format!("mkdir -p {package}; echo 'package a.b; public class {name} {{}}' > {package}/{name}.java")
        };
        let first = [("core", "Matrix"), ("core", "Other"), ("web", "Y")].map(|(module, name)| class(module, name));
        let (first, user) = (first.join("; "), "web/src/main/java/c");
        let written = format!("mkdir -p {user}; echo 'package c; import a.b.Matrix; class X {{}}' > {user}/X.java");
        let gone = (removed, "git rm -q core/src/main/java/a/b/Matrix.java");
        let steps = [(1, first.as_str()), gone, (70, &written), (80, "echo x > x.txt")];
        assert_eq!(rows(&history(&steps), &[]).len(), expect, "{removed}");
    };
    check(2, 0);
    check(68, 1);
}

/// A file that a script copies back to its earlier place is there when the pages are read.
#[test]
fn leaves_what_a_script_copies_back() {
    let check = |command: &str, expect: &[&str]| {
        let first = "mkdir -p docs gif; seq 20 > docs/gifs.md; echo '[x](gifs.md)' > docs/a.md";
        let script = format!("git mv docs/gifs.md gif/README.md; echo '{command}' > deploy.sh");
        assert_eq!(rows(&history(&[(1, first), (2, &script), (40, "echo x > x.txt")]), &[]), expect, "{command}");
    };
    check("cp gif/README.md docs/gifs.md", &[]);
    check("cp gif/README.md docs/other.md", &["docs/a.md gifs.md → ../gif/README.md!"]);
}

/// The move of a file of the name that was gone before the text is no fix, if the text had a file of its own.
#[test]
fn prefers_no_move_of_another_file() {
    let page = "mkdir -p app/src; seq 30 40 > app/src/style.css; echo x > app/vite.config.ts; \
                echo '<html><link rel=stylesheet href=\"/src/style.css\"></html>' > app/index.html";
    let root = "mkdir src; seq 20 > src/style.css";
    let (moved, gone) = ("mkdir lib; git mv src/style.css lib/style.css", "git rm -q app/src/style.css");
    let tree = history(&[(1, root), (2, moved), (10, page), (20, gone), (60, "echo x > x.txt")]);
    assert_eq!(rows(&tree, &[]), ["app/index.html /src/style.css → -"]);
}

/// Another entry can be meant where git says that a path moved: a file of the name in the directory of the page, or an entry that kept
/// a word of the old name.
#[test]
fn prefers_no_move_that_has_a_rival() {
    let check = |first: &str, moved: &str, expect: &str| {
        let tree = history(&[(1, first), (2, moved), (3, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]), [expect], "{moved}");
    };
    let first = "mkdir -p app/old lib; seq 20 > app/old/greeting.md; echo '[x](old/greeting.md)' > app/README.md";
    let moved = "git mv app/old/greeting.md lib/greeting.md";
    check(first, moved, "app/README.md old/greeting.md → ../lib/greeting.md!");
    let other = format!("{moved}; mkdir app/new; seq 50 80 > app/new/greeting.md");
    check(first, &other, "app/README.md old/greeting.md → ../lib/greeting.md?");
    let first = "mkdir -p a/simple-vpc; seq 20 > a/simple-vpc/main.tf; echo '[x](a/simple-vpc)' > README.md";
    let moved = "git mv a/simple-vpc a/ipv6";
    check(first, moved, "README.md a/simple-vpc → a/ipv6!");
    let other = format!("{moved}; mkdir a/simple; seq 50 80 > a/simple/main.tf");
    check(first, &other, "README.md a/simple-vpc → a/ipv6?");
    // A file that stood beside it before is another one, and so is one that moved there from elsewhere.
    check(&format!("{first}; mkdir a/simple; seq 50 80 > a/simple/main.tf"), moved, "README.md a/simple-vpc → a/ipv6!");
    let first = "mkdir one two; seq 20 > one/solver.md; echo '[x](one/solver.md)' > README.md";
    let moved = "git mv one/solver.md one/model.md";
    check(first, &format!("{moved}; seq 9 > two/model.md"), "README.md one/solver.md → one/model.md?");
    let first = format!("{first}; seq 50 80 > two/network.md");
    check(&first, &format!("{moved}; git mv two/network.md two/model.md"), "README.md one/solver.md → one/model.md!");
    let first = "mkdir sample; seq 20 > sample/main.go; echo '[x](sample)' > README.md";
    check(first, "mkdir all; git mv sample all/layout", "README.md sample → all/layout!");
    check(first, "mkdir samples; git mv sample samples/layout", "README.md sample → samples/layout?");
}

/// Git sees a renaming in like contents. After a month, one without a word of the old name is not sure, nor one that replaces a word which
/// the link has too.
#[test]
fn prefers_no_old_renaming_without_a_common_word() {
    let check = |from: &str, label: &str, to: &str, day: u32, expect: &str| {
        let first = format!("mkdir -p web/public; seq 20 > {from}; echo '[{label}]({from})' > README.md");
        let moved = format!("git mv {from} {to}");
        let tree = history(&[(1, &first), (2, &moved), (day, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]), [format!("README.md {from} → {to}{expect}")], "{label} {to}");
    };
    let icon = "web/public/favicon.svg";
    check(icon, "x", "logo.svg", 40, "?");
    check(icon, "x", "logo.svg", 3, "!");
    check(icon, "x", "web/icon.svg", 40, "?");
    check(icon, "x", "favicons.svg", 40, "!");
    check("big-icon.svg", "big icon", "small-icon.svg", 40, "?");
    check("big-icon.svg", "big icon", "small-icon.svg", 3, "!");
    check("big-icon.svg", "the icon", "small-icon.svg", 40, "!");
    check("big-icon.svg", "big icon", "web/icon.svg", 40, "!");
}

/// A file that moved without its links means what they led to, not what had the name at the new place.
#[test]
fn follows_the_move_of_the_file_itself() {
    let first = "mkdir -p docs/old; seq 20 > README.md; seq 40 60 > docs/README.md; (seq 70 90; echo '[x](../README.md)') > docs/a.md";
    let moved = "git mv docs/a.md docs/old/a.md; git mv docs/README.md docs/old/README.md";
    let tree = history(&[(1, first), (2, moved), (40, "echo x > x.txt")]);
    assert_eq!(rows(&tree, &[]), ["docs/old/a.md ../README.md → ../../README.md!"]);
}

/// The build file of a release names files where the release has them.
#[test]
fn leaves_what_a_release_has() {
    let check = |command: &str, expect: usize| {
        let first = "mkdir src; seq 20 > src/api.c; echo 'add_library(x src/api.c)' > CMakeLists.txt";
        let moved =
            format!("mkdir src/native; git mv src/api.c src/native; printf 'release:\\n\\t{command}\\n' > Makefile");
        assert_eq!(rows(&history(&[(1, first), (2, &moved), (40, "echo x > x.txt")]), &[]).len(), expect, "{command}");
    };
    check("cp -rf src/native/*.c release/src/", 0);
    check("cp -rf src/native/*.c release/lib/", 1);
    check("cp -rf src/native/*.h release/src/", 1);
}

/// Code that became a template is written from that.
#[test]
fn leaves_code_that_a_build_makes_from_a_template() {
    let check = |to: &str, expect: usize| {
        let first = "mkdir src; seq 20 > src/IntMap.ts; echo \"import {x} from './IntMap'\" > src/a.ts";
        let moved = format!("git mv src/IntMap.ts src/{to}");
        assert_eq!(rows(&history(&[(1, first), (2, &moved)]), &[]).len(), expect, "{to}");
    };
    check("KMap.ts", 1);
    check("KMap.template", 0);
}

/// A makefile that others include names files from their directory.
#[test]
fn leaves_makefiles_that_others_include() {
    let files = "mkdir -p regex src/regex; seq 20 > regex/a.cxx";
    let first = format!("{files}; printf 'a.o: ../../regex/a.cxx\\n\\tcc $<\\n' > src/regex/a.mak");
    let tree = history(&[(1, &first), (2, "git mv src/regex/a.mak regex/a.mak"), (40, "echo x > x.txt")]);
    assert!(rows(&tree, &[]).is_empty());
}

/// A class of PHP that many files have used for long, and that git had once, is in a dependency.
#[test]
fn leaves_classes_of_php_that_many_files_use() {
    let settings = r#"printf %s '{"autoload": {"psr-4": {"A\\": "src/"}}}' > composer.json"#;
    let classes = "mkdir -p src/Net; seq 9 > src/Net/Own.php; seq 3 > src/Net/B.php";
    let check = |count: u32, later: u32| {
        let use_all = r"printf '%s\n' '<?php' 'use A\Net\Own;' 'use A\Net\B;' > src/f$i.php";
        let first = format!("{settings}; {classes}; for i in $(seq {count}); do {use_all}; done");
        let root = history(&[(1, &first), (2, "git rm -q src/Net/Own.php"), (later, "echo x > x.txt")]);
        rows(&root, &[]).len()
    };
    assert_eq!(check(8, 60), 0);
    assert_eq!(check(8, 3), 8);
    assert_eq!(check(2, 60), 2);
}

/// A workflow puts the site together with another repository, whose directory git had here before.
#[test]
fn leaves_what_a_workflow_checks_out() {
    let files = "mkdir -p docs/parts .github/workflows; seq 9 > docs/parts/a.md; echo '[a](docs/parts/a.md)' > toc.md";
    let check = |inputs: &str| {
        let step = format!("    - uses: actions/checkout@v4\\n      with: {{{inputs}}}\\n");
        let workflow = format!("printf -- 'jobs:\\n  a:\\n    steps:\\n{step}' > .github/workflows/a.yml");
        rows(&history(&[(1, &format!("{files}; {workflow}")), (2, "git rm -q docs/parts/a.md")]), &[]).len()
    };
    assert_eq!(check("repository: b/parts, path: site/docs/parts"), 0);
    assert_eq!(check("path: site/docs/parts"), 1);
    assert_eq!(check("repository: b/parts, path: site/parts"), 1);
}

/// Code that has stood at another path has stood: its line, and what it misses beside it, are read there.
#[test]
fn follows_code_that_has_stood_and_moved() {
    let check = |day: u32, expect: &str| {
        let files = "mkdir -p one/src; seq 9 > one/src/a.c; seq 3 > one/src/memory.h";
        let moved = "mkdir ext; git mv one ext/one";
        let written = "echo '#include \"memory_.h\"' >> one/src/a.c";
        let steps = [(1, files), (day, written), (45, moved), (46, "echo x > x.txt")];
        assert_eq!(rows(&history(&steps), &[]), [format!("ext/one/src/a.c memory_.h → memory.h{expect}")], "{day}");
    };
    check(2, "?");
    check(40, "!");
}

/// A page that a program serves is not read at its file's place, so the move of its file breaks no link without `../`.
#[test]
fn leaves_templates_that_moved() {
    let check = |mark: &str, expect: usize| {
        let page = format!("{{ seq 9; echo '{mark}<img src=\"icon.svg\"><a href=\"b.html\">'; }} > ui/head.html");
        let first = format!("mkdir ui; seq 5 > ui/icon.svg; touch ui/b.html; {page}");
        let moved = "mkdir -p parts/a; git mv ui/head.html ui/b.html parts/a/";
        assert_eq!(rows(&history(&[(1, &first), (2, moved)]), &[]).len(), expect, "{mark}");
    };
    check("", 1);
    check("<%= x %>", 0);
}

/// A file that stood beside another when git removed it is no other name of it.
#[test]
fn offers_no_neighbor_of_what_was_removed() {
    let check = |first: &str, then: &str, expect: &str| {
        let first = format!("{first}; echo 'COPY ./scripts/agent/start.sh /' > agent.dockerfile");
        assert_eq!(
            rows(&history(&[(1, &first), (2, then)]), &[]),
            [format!("agent.dockerfile ./scripts/agent/start.sh → {expect}")]
        );
    };
    let agent = "mkdir -p scripts/agent scripts/node; seq 9 > scripts/agent/start.sh";
    let node = "echo 'run the node' > scripts/node/start.sh";
    let removed = "git rm -q scripts/agent/start.sh";
    check(&format!("{agent}; {node}"), removed, "-");
    check(agent, &format!("{removed}; mkdir -p scripts/node; {node}"), "./scripts/node/start.sh?");
}

/// A script does not write what it requires itself, though it copies other files.
#[test]
fn reports_what_a_script_that_moved_requires() {
    let script = "{ seq 9; echo 'copy(x); require(\"./site/pages.js\")'; } > make.js";
    let files = format!("mkdir site; seq 5 > site/pages.js; {script}");
    let tree = history(&[(1, &files), (2, "git mv make.js site/make.js")]);
    assert_eq!(rows(&tree, &[]), ["site/make.js ./site/pages.js → ./pages.js!"]);
}

/// A style sheet whose place on the server is unknown led to an image until it moved lately; one that moved long ago works.
#[test]
fn follows_sheets_that_moved_lately() {
    let check = |day: u32, expect: &[&str]| {
        let sheet = "{ seq 9; echo 'a { background: url(\"../images/up.gif\") }'; } > site/css/all.css";
        let files = format!("mkdir -p site/css site/images; seq 5 > site/images/up.gif; {sheet}");
        let moved = "mkdir site/css/system; git mv site/css/all.css site/css/system/";
        let tree = history(&[(1, &files), (day, moved), (60, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]), expect, "{day}");
    };
    check(58, &["site/css/system/all.css ../images/up.gif → ../../images/up.gif!"]);
    check(2, &[]);
}

/// Code of tests is no input of them: what it names has moved if a commit of the last month says so.
#[test]
fn follows_recent_moves_in_directories_of_fixtures() {
    let check = |day: u32, expect: &[&str]| {
        let first = "mkdir -p testsuite/src; printf '[package]\\nname=\"t\"\\n' > testsuite/Cargo.toml; \
                     echo 'mod abc_def;' > testsuite/src/lib.rs; seq 30 > testsuite/src/abc_def.rs";
        let moved = "git mv testsuite/src/abc_def.rs testsuite/src/abc_other.rs";
        assert_eq!(rows(&history(&[(1, first), (2, moved), (day, "echo x > x.txt")]), &[]), expect, "{day}");
    };
    check(3, &["testsuite/src/lib.rs abc_def → abc_other!"]);
    check(40, &[]);
    // Code of a program in a directory of such a name is edited: its other imports lead to files.
    let check = |others: usize, expect: &str| {
        let imports =
            (0..others).map(|at| format!("import {{ f{at} }} from '../../lib/f{at}'\\n")).collect::<Vec<_>>().concat();
        let first = format!(
            "mkdir -p src/lib src/a/fixtures; for i in $(seq 0 {others}); do echo \"export const f$i = $i\" > src/lib/f$i.ts; done; \
             seq 30 > src/lib/engine.ts; printf \"{imports}import {{ e }} from '../../lib/engine'\\n\" > src/a/fixtures/list.ts"
        );
        let moved = "mkdir src/lib/in; git mv src/lib/engine.ts src/lib/in/";
        let row = format!("src/a/fixtures/list.ts ../../lib/engine → ../../lib/in/engine{expect}");
        assert_eq!(rows(&history(&[(1, &first), (2, moved)]), &[]), [row], "{others}");
    };
    check(12, "!");
    check(0, "?");
}

/// Two files whose names differ in case, of which one moved: the other one is not surely meant.
#[test]
fn prefers_no_file_that_stood_beside_the_moved_one() {
    let check = |moved: &str, expect: &str| {
        let first = "mkdir lib; seq 20 > lib/bridge.md; seq 30 60 > lib/Other.md; echo '[x](lib/bridge.md)' > a.md";
        let tree = history(&[(1, first), (2, "seq 70 99 > lib/Bridge.md"), (3, moved)]);
        assert_eq!(rows(&tree, &[]), [format!("a.md lib/bridge.md → {expect}")], "{moved}");
    };
    check("git mv lib/bridge.md lib/start.md", "lib/Bridge.md?");
    check("git rm -q lib/Bridge.md; git mv -f lib/bridge.md lib/Bridge.md", "lib/Bridge.md!");
}
