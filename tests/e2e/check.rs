//! `check`: what is found where, in every format, and how it is switched off.

use serde_json::Value;

use crate::tree::Tree;

/// A working link, a broken one, and two in a file that is not checked.
const DOCS: &str = "
    README.md = # Guide
    docs/guide.md = See [setup](setup.md) and [nothing](gone.md).
    docs/setup.md = # Setup
    notes/draft.md = [a](missing.md)
";

/// `FILE:LINE:COLUMN CODE LITERAL` of each finding, sorted as printed.
fn findings(tree: &Tree, args: &[&str]) -> (Option<i32>, Vec<String>, Value) {
    let run = tree.plan(&[&["check", "--format", "json"], args].concat()).run();
    let mut lines = run.jsons();
    let summary = lines.pop().expect("a summary")["summary"].clone();
    let row = |line: Value| {
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        let (row, column) = (&line["line"], &line["column"]);
        format!("{}:{row}:{column} {} {}", text("file"), text("code"), text("literal"))
    };
    (run.code, lines.into_iter().map(row).collect(), summary)
}

#[track_caller]
fn check(tree: &Tree, args: &[&str], code: i32, expect: &[&str]) {
    let (status, rows, summary) = findings(tree, args);
    assert_eq!((status, rows), (Some(code), expect.iter().map(|&row| row.to_owned()).collect()), "{summary}");
}

#[test]
fn what_leads_nowhere() {
    let tree = Tree::new(DOCS);
    check(&tree, &[], 1, &["docs/guide.md:1:37 missing-path gone.md", "notes/draft.md:1:5 missing-path missing.md"]);
    check(&tree, &["docs"], 1, &["docs/guide.md:1:37 missing-path gone.md"]);
    check(&tree, &["docs/setup.md", "README.md"], 0, &[]);
    let (_, _, summary) = findings(&tree, &["docs"]);
    let counts = ["files", "literals", "found", "missing", "unknown"].map(|name| summary[name].as_u64().unwrap());
    assert_eq!(counts, [2, 2, 1, 1, 0]);
    assert!(summary["elapsed_ms"].is_u64());
}

#[test]
fn offsets_slice_back_to_the_literal() {
    let text = "\u{feff}# Title\r\n\r\né [x](gone.md)\r\n";
    let tree = Tree::new("a.md");
    std::fs::write(tree.root().join("a.md"), text).unwrap();
    let run = tree.plan(&["check", "--format=json"]).run();
    let finding = &run.jsons()[0];
    let at = |name: &str| finding[name].as_u64().unwrap() as usize;
    assert_eq!(&text.as_bytes()[at("byte_start")..at("byte_end")], b"gone.md");
    assert_eq!((at("line"), at("column")), (3, 8));
}

#[test]
fn text_shows_the_place() {
    let run = Tree::new(DOCS).plan(&["check", "docs"]).run();
    assert!(
        run.stdout.starts_with("docs/guide.md:1:37: warning[missing-path]: docs/gone.md does not exist\n"),
        "{run:?}"
    );
    assert!(run.stdout.contains("\n1 | See [setup](setup.md) and [nothing](gone.md).\n"), "{run:?}");
    assert!(run.stdout.contains("^^^^^^^\n"), "{run:?}");
    let end = "2 links and imports checked in 2 files, 1 broken\nexplained by `pathfinder rule missing-path`\n";
    assert!(run.stdout.ends_with(end), "{run:?}");
}

#[test]
fn traces() {
    let tree = Tree::new(
        "
        .gitignore = dist/
        docs/guide.md = [a](setup.md) [b](gone.md) [c](../dist/a.md) [d]({{x}}/e.md)
        docs/setup.md
    ",
    );
    let plan = |args: &[&str]| tree.plan(&[&["check", "--explain"], args].concat()).run();
    let run = plan(&["--format", "json"]);
    let lines = run.jsons();
    let rows: Vec<String> = lines[..lines.len() - 1]
        .iter()
        .map(|line| {
            let text = |name: &str| line[name].as_str().unwrap_or("-");
            let tried = line["tried"].as_array().unwrap().first().map_or("-", |path| path.as_str().unwrap());
            format!("{} {} {} {} {tried}", text("literal"), text("verdict"), text("reason"), text("detail"))
        })
        .collect();
    assert_eq!(
        rows,
        [
            "gone.md - docs/gone.md does not exist - docs/gone.md",
            "../dist/a.md unknown ignored dist/a.md dist/a.md",
            "{{x}}/e.md unknown dynamic - -",
        ]
    );
    let unknown = &lines[1];
    let names: Vec<&str> = unknown.as_object().unwrap().keys().map(String::as_str).collect();
    let expect = "file line column byte_start byte_end literal kind verdict reason detail tried";
    assert_eq!(names.join(" "), expect);
    assert_eq!((&unknown["line"], &unknown["column"], &unknown["kind"]), (&1.into(), &32.into(), &"md.link".into()));
    assert_eq!((run.code, lines.last().unwrap()["summary"]["unknown"].as_u64()), (Some(1), Some(2)));

    let run = plan(&[]);
    assert!(run.stdout.contains("\n  kind: md.link\n  tried: docs/gone.md\n"), "{run:?}");
    let unknown = "docs/guide.md:1:32: unknown[ignored]: ../dist/a.md: dist/a.md is ignored\n";
    assert!(run.stdout.contains(unknown), "{run:?}");
    // Other programs get what they always got; and what cannot be told is no finding.
    for format in ["sarif", "github"] {
        let args = ["--format", format];
        assert_eq!(plan(&args).stdout, tree.plan(&[&["check"], &args[..]].concat()).run().stdout);
    }
    assert!(!tree.plan(&["check", "--format", "json"]).run().stdout.contains("tried"));
    std::fs::write(tree.root().join("docs/guide.md"), "[c](../dist/a.md)").unwrap();
    assert_eq!(plan(&[]).code, Some(0));
}

#[test]
fn sarif_and_github() {
    let tree = Tree::new(DOCS);
    let log = tree.plan(&["check", "docs", "--format", "sarif"]).run().json();
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((result["ruleId"].as_str(), result["level"].as_str()), (Some("missing-path"), Some("warning")));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "docs/guide.md");
    assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&1.into(), &37.into()));
    let run = tree.plan(&["check", "docs", "--format", "github"]).run();
    let expect =
        "::warning file=docs/guide.md,line=1,col=37,endColumn=44,title=missing-path::docs/gone.md does not exist\n";
    assert_eq!(run.stdout, expect);
}

#[test]
fn positions_in_long_lines_are_right() {
    // A finding keeps the first 4 KiB of its line.
    let tree = Tree::new(&format!("README.md = {}[a](gone.md)", "word ".repeat(1200)));
    let log = tree.plan(&["check", "--format", "sarif"]).run().json();
    let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startColumn"], 6005);
    let run = tree.plan(&["check"]).run();
    assert!(
        run.stdout.starts_with("README.md:1:6005: warning[missing-path]: gone.md does not exist\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn findings_are_switched_off() {
    let with = |line: &str| Tree::new(&format!("{DOCS}\n{line}"));
    let guide = ["docs/guide.md:1:37 missing-path gone.md"];
    check(&with("pathfinder.toml = check.ignore = ['notes/**']"), &[], 1, &guide);
    check(&with("pathfinder.toml = check.ignore_literals = ['miss*']"), &[], 1, &guide);
    check(&with("pathfinder.toml = check.severity.missing-path = 'off'"), &[], 0, &[]);
    check(&with("pathfinder.toml = check.severity.missing-path = 'hint'"), &[], 0, &[]);
    let tree = Tree::new("a.md = [x](gone.md) <!-- pathfinder-ignore -->\nb.md = <!-- pathfinder-ignore -->");
    check(&tree, &[], 0, &[]);
    let run = tree.plan(&["check"]).run();
    assert!(run.stdout.starts_with("b.md:1: unused ignore comment: remove it\n"), "{run:?}");
}

#[test]
fn what_the_project_says_decides() {
    let tree = "a.md = [x](@/main.ts) [y](@/gone.ts) ![z](/logo.svg)\nweb/main.ts\npublic/logo.svg";
    let settings = "pathfinder.toml = check = { aliases = { '@/' = 'web' }, site_roots = ['public'] }";
    check(&Tree::new(&format!("{tree}\n{settings}")), &[], 1, &["a.md:1:20 missing-path @/gone.ts"]);
    check(&Tree::new(tree), &[], 0, &[]);
}

#[test]
fn what_git_does_not_have() {
    let tree = Tree::new("a.md = [x](b.md) [y](c.md)\nb.md\nc.md");
    let git = "git init -q . && git add a.md b.md";
    let made = std::process::Command::new("sh").arg("-c").arg(git).current_dir(tree.root()).status().unwrap();
    assert!(made.success());
    check(&tree, &["a.md"], 0, &[]);
    check(&tree, &["--hints", "a.md"], 0, &["a.md:1:15 untracked-target c.md"]);
}

/// A relative link is resolved from the file that has it.
#[test]
fn links_are_not_checked_where_they_are() {
    let tree = Tree::new("docs/a.md = [x](b.md) [y](gone.md)\ndocs/b.md\nother/a.md -> ../docs/a.md");
    check(&tree, &[], 1, &["docs/a.md:1:15 missing-path gone.md"]);
}

/// Preferred fixes are marked; SARIF has all fixes as edits; annotations name the first.
#[test]
fn fixes_are_shown() {
    let tree = Tree::new("docs/a.md = é [x](set%20up.md)\ndocs/first/set up.md\nb.md = [y](other/nothing.md)");
    let run = tree.plan(&["check", "docs"]).run();
    assert!(run.stdout.contains("  |       ^^^^^^^^^^^\n  → first/set%20up.md (preferred)\n"), "{run:?}");
    let run = tree.plan(&["check", "docs", "--format", "github"]).run();
    assert!(run.stdout.ends_with("docs/set up.md does not exist; did you mean first/set%2520up.md?\n"), "{run:?}");
    let log = tree.plan(&["check", "docs", "--format", "sarif"]).run().json();
    let result = &log["runs"][0]["results"][0];
    let fix = &result["fixes"][0];
    assert_eq!(fix["description"]["text"], "first/set%20up.md (preferred)");
    let change = &fix["artifactChanges"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(change["artifactLocation"], place["artifactLocation"]);
    assert_eq!(change["replacements"][0]["deletedRegion"], place["region"]);
    assert_eq!(change["replacements"][0]["insertedContent"]["text"], "first/set%20up.md");
    // Nothing is like it: people are not led astray.
    let run = tree.plan(&["check", "b.md"]).run();
    assert!(!run.stdout.contains('→'), "{run:?}");
}

/// Files that no parser accepts, and entries that are no files.
#[test]
fn bad_files() {
    let tree = Tree::new(
        "docs/a.md = [x](gone.md)
         loop -> .
         up -> ..
         out.md -> ../secret.md
         ../secret.md = [x](nowhere.md)
         broken.json = {\"extends\": [[[
         broken.yaml = a: [ &x *y
         broken.toml = [[[
         tsconfig.json = {\"extends\": \"./tsconfig.json\"}
         Dockerfile = COPY <<E",
    );
    let write = |name: &str, bytes: &[u8]| std::fs::write(tree.root().join(name), bytes).unwrap();
    write("binary.md", b"[x](gone.md)\0");
    write("latin.md", b"caf\xe9 [x](gone2.md)\n");
    write("deep.json", "[".repeat(200_000).as_bytes());
    write("deep.yaml", "- ".repeat(100_000).as_bytes());
    write("deep.md", "> ".repeat(50_000).as_bytes());
    write("deep.html", "<div>".repeat(50_000).as_bytes());
    write("wide.css", &b"a{background:url(x.png)}".repeat(40_000));
    write("large.md", &b"[x](gone3.md)\n".repeat(400_000));
    // Thousands of literals in one file, with and without files that could be meant instead.
    let lines = |line: &dyn Fn(usize) -> String| (0..1500).map(line).collect::<Vec<_>>().concat();
    write("lib.rs", lines(&|at| format!("mod m{at};\n")).as_bytes());
    (0..1000).for_each(|at| write(&format!("m{at}.rs"), b""));
    write("a.ts", lines(&|at| format!("import a{at} from './n{at}';\n")).as_bytes());
    (0..1000).for_each(|at| write(&format!("n{at}.ts"), b""));
    write("deep.rs", "mod a { ".repeat(1000).as_bytes());
    let pipe = std::process::Command::new("mkfifo").arg(tree.root().join("pipe.md")).status().unwrap();
    assert!(pipe.success());
    let (code, rows, _) = findings(&tree, &["docs", "latin.md"]);
    assert_eq!((code, rows.len()), (Some(1), 2), "{rows:?}");
    let (code, rows, summary) = findings(&tree, &[]);
    assert_eq!(code, Some(1), "{summary}");
    assert!(rows.contains(&"docs/a.md:1:5 missing-path gone.md".to_owned()), "{rows:?}");
    assert!(rows.iter().all(|row| !row.contains("gone3") && !row.contains("nowhere")), "{summary}");
}

#[test]
fn bad_options_are_refused() {
    let refused = |line: &str, says: &str| {
        let run = Tree::new(&format!("{DOCS}\npathfinder.toml = {line}")).plan(&["check"]).run();
        assert!(run.code == Some(2) && run.stderr.contains(says), "{run:?}");
    };
    refused("check = 1", "check must be a table");
    refused("check.ignored = []", "unknown field");
    refused("check.ignore = ['[']", "check.ignore");
    refused("check.severity.missing = 'off'", "unknown code \"missing\"");
    refused("check.severity.missing-path = 'bad'", "must be error, warning, hint or off");
    let tree = Tree::new(DOCS);
    for path in ["none.md", "..", "/"] {
        let run = tree.plan(&["check", path]).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{path}: {run:?}");
    }
    let run = tree.plan(&["check", "--root=docs", "--root=notes"]).run();
    assert_eq!(run.code, Some(2));
}

/// Each format goes into a file as it goes to stdout, without colours.
#[test]
fn output_files() {
    let tree = Tree::new(DOCS);
    for format in ["text", "concise", "sarif", "github", "gitlab", "junit", "rdjsonl"] {
        let printed = tree.plan(&["check", "-q", "--format", format]).run();
        let written = tree.plan(&["check", "-q", "--color=always", "--output-file=out", "--format", format]).run();
        assert_eq!((written.code, written.stdout.as_str()), (Some(1), ""), "{written:?}");
        assert_eq!(std::fs::read_to_string(tree.root().join("out")).unwrap(), printed.stdout, "{format}");
        std::fs::remove_file(tree.root().join("out")).unwrap();
    }
}

/// Findings of a baseline are not reported, wherever they stand in their file; one more of them is.
#[test]
fn baselines() {
    let tree = Tree::new(DOCS);
    let run = tree.plan(&["check", "--write-baseline=known.json"]).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "2 findings written to known.json\n"), "{run:?}");
    std::fs::write(tree.root().join("docs/guide.md"), "New line.\n\n[nothing](gone.md)").unwrap();
    check(&tree, &["--baseline=known.json"], 0, &[]);
    std::fs::write(tree.root().join("docs/guide.md"), "[nothing](gone.md) [more](gone.md)").unwrap();
    check(&tree, &["--baseline=known.json"], 1, &["docs/guide.md:1:27 missing-path gone.md"]);
    for text in ["{", "{\"version\":2,\"findings\":[]}", "[]"] {
        std::fs::write(tree.root().join("known.json"), text).unwrap();
        assert_eq!(tree.plan(&["check", "--baseline=known.json"]).run().code, Some(2), "{text}");
    }
}

/// Descriptions and addresses of codes are where viewers look for them.
#[test]
fn sarif_describes_its_rules() {
    let log = Tree::new(DOCS).plan(&["check", "--format=sarif"]).run().json();
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(!rules.is_empty());
    for rule in rules {
        let id = rule["id"].as_str().unwrap();
        assert!(rule["help"]["markdown"].as_str().unwrap().starts_with(&format!("# {id}\n")), "{rule:#}");
        assert!(rule["helpUri"].as_str().unwrap().ends_with(&format!("/rules/{id}.html")), "{rule:#}");
        assert!(rule["shortDescription"]["text"].as_str().unwrap().ends_with('.'), "{rule:#}");
    }
}

/// Fixing first leaves the same as `fix` and then `check`.
#[test]
fn fixes_before_it_reports() {
    let tree = Tree::new("a.md = [x](setpu.md) [y](gone.md)\nsetup.md");
    let run = tree.plan(&["check", "--diff"]).run();
    assert!(run.code == Some(1) && run.stdout.contains("+[x](setup.md)"), "{run:?}");
    check(&tree, &["--fix"], 1, &["a.md:1:19 missing-path gone.md"]);
    assert_eq!(std::fs::read_to_string(tree.root().join("a.md")).unwrap(), "[x](setup.md) [y](gone.md)");
    let run = tree.plan(&["check", "--diff"]).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{run:?}");
}

/// Refused with a message; no file is written.
#[track_caller]
fn refuses(tree: &Tree, args: &[&str], says: &str) {
    let run = tree.plan(args).stdin("[x](gone.md)").run();
    assert!(run.code == Some(2) && run.stdout.is_empty() && run.stderr.contains(says), "{args:?}: {run:?}");
    assert!(!tree.root().join("new.json").exists(), "{args:?}");
}

/// A baseline has all findings of a whole run.
#[test]
fn baselines_of_parts_are_refused() {
    let tree = Tree::new(DOCS);
    for part in [
        "--since=HEAD",
        "--if-deleted=docs",
        "--stdin-filename=docs/a.md",
        "--include-kind=md",
        "--exclude-kind=md",
        "--output-file=out",
        "--statistics",
        "--exclude=docs",
        "docs",
    ] {
        refuses(&tree, &["check", "--write-baseline=new.json", part], "cannot be used with");
    }
}

/// A file that is no baseline is not overwritten; a baseline and an empty file are.
#[test]
fn baselines_replace_baselines_only() {
    let tree = Tree::new(&format!("{DOCS}\nempty.json\nnotes.txt = mine"));
    let known = tree.root().join("known.json");
    for file in ["known.json", "known.json", "empty.json"] {
        let run = tree.plan(&["check", "--write-baseline", file]).run();
        assert_eq!((run.code, run.stdout), (Some(0), format!("2 findings written to {file}\n")));
    }
    refuses(&tree, &["check", "--write-baseline=notes.txt"], "exists and is no baseline");
    assert_eq!(std::fs::read_to_string(tree.root().join("notes.txt")).unwrap(), "mine");
    // A link stays a link.
    std::os::unix::fs::symlink("known.json", tree.root().join("link.json")).unwrap();
    std::fs::write(&known, "").unwrap();
    assert_eq!(tree.plan(&["check", "--write-baseline=link.json"]).run().code, Some(0));
    assert!(tree.root().join("link.json").is_symlink() && std::fs::metadata(&known).unwrap().len() > 0);
}

/// Only a whole run knows that a finding is gone. Counts are not trusted.
#[test]
fn unmet_findings_of_a_baseline() {
    let tree = Tree::new(DOCS);
    let gone = |count: &str| {
        format!("{{\"file\":\"a.md\",\"code\":\"missing-path\",\"literal\":\"{count}\",\"count\":{count}}}")
    };
    let most = usize::MAX.to_string();
    let text = format!("{{\"version\":1,\"findings\":[{0},{0},{1}]}}", gone(&most), gone("1"));
    std::fs::write(tree.root().join("known.json"), text).unwrap();
    let is_said = |more: &[&str]| {
        let run = tree.plan(&["check", "--baseline=known.json"]).arg_all(more).stdin("text").run();
        assert!(matches!(run.code, Some(0 | 1)), "{run:?}");
        run.stdout.contains("fixed or gone")
    };
    assert!(is_said(&[]));
    for part in [
        "docs",
        "--exclude=none",
        "--include-kind=md",
        "--exclude-kind=toml",
        "--if-deleted=docs",
        "--stdin-filename=docs/a.md",
    ] {
        assert!(!is_said(&[part]), "{part}");
    }
}

/// Text on stdin needs the name of a file below the root.
#[test]
fn names_of_stdin() {
    let tree = Tree::new(DOCS);
    refuses(&tree, &["check", "--stdin-filename=gone/../../x.md"], "leads through a directory that does not exist");
    refuses(&tree, &["check", "--stdin-filename=."], "is a directory");
    refuses(&tree, &["check", "--stdin-filename=docs"], "is a directory");
    refuses(&tree, &["check", "--stdin-filename=../x.md"], "is not below the root");
}

/// Flags without an effect are refused.
#[test]
fn flags_that_do_nothing() {
    let tree = Tree::new(DOCS);
    for format in ["json", "sarif", "github", "gitlab", "junit", "rdjsonl"] {
        refuses(&tree, &["check", "--absolute", "--format", format], "--absolute is for text only");
    }
    for format in ["concise", "sarif", "github", "gitlab", "junit", "rdjsonl"] {
        refuses(
            &tree,
            &["check", "--statistics", "--format", format],
            "--statistics has the formats text and json only",
        );
    }
    refuses(&tree, &["check", "--absolute", "--diff"], "cannot be used with");
    refuses(&tree, &["fix", "--absolute", "--dry-run"], "cannot be used with");
    refuses(&tree, &["resolve", "--absolute", "--format=json", "a.md"], "--absolute is for text only");
    refuses(&tree, &["find", "--absolute", "--format=json", "a"], "--absolute is for text only");
    for args in [["resolve", "--batch"], ["resolve", "--stdin"], ["find", "--batch"]] {
        refuses(&tree, &[args[0], args[1], "--absolute"], "cannot be used with");
    }
    let tree = Tree::new("a.md = [x](setpu.md)\nsetup.md");
    let run = tree.plan(&["check", "--diff", "--exit-zero"]).run();
    assert!(run.code == Some(0) && run.stdout.contains("+[x](setup.md)"), "{run:?}");
}
