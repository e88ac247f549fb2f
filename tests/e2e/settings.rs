//! Settings as they reach the program, and what depends on them.

use crate::run::Plan;
use crate::tree::{PROJECT, Tree};

/// Checks one setting in `doctor`'s output, as `VALUE (SOURCE)`.
#[track_caller]
fn check(tree: &Tree, set: impl Fn(Plan) -> Plan, name: &str, expect: &str) {
    let report = set(tree.plan(&["doctor", "--format=json"])).run().json();
    let settings = report["roots"][0]["settings"].as_array().unwrap();
    let setting = settings.iter().find(|setting| setting["name"] == name).unwrap();
    let actual = format!("{} ({})", setting["value"].as_str().unwrap(), setting["source"].as_str().unwrap());
    assert_eq!(actual.replace(&format!("{}/", tree.root().display()), ""), expect, "{report:#}");
}

/// Values that are refused, by every command.
#[track_caller]
fn refused(tree: &Tree, set: impl Fn(Plan) -> Plan, says: &str) {
    for command in [&["resolve", "x"][..], &["resolve", "--batch"], &["index"], &["doctor"], &["mcp"], &["--root=."]] {
        let run = set(tree.plan(command)).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.starts_with("error[BadSetting]: ") && run.stderr.contains(says), "{run:?}");
    }
}

#[test]
fn each_source_is_named() {
    let tree = Tree::new("src/x\npathfinder.toml = topk = 40");
    check(&tree, |plan| plan, "topk", "40 (pathfinder.toml)");
    check(&tree, |plan| plan.env("RESOLVE_TOPK", "30"), "topk", "30 (RESOLVE_TOPK)");
    check(&tree, |plan| plan.env("RESOLVE_TOPK", "30").arg("--topk=20"), "topk", "20 (--topk)");
    check(&tree, |plan| plan.env("RESOLVE_RERANK", "off"), "rerank", "off (RESOLVE_RERANK)");
    check(
        &tree,
        |plan| plan.env("RESOLVE_MODEL_PRECISION", "fp16"),
        "model_precision",
        "fp16 (RESOLVE_MODEL_PRECISION)",
    );
    check(&tree, |plan| plan.env("RESOLVE_MODEL_DIR", "/"), "model_dir", "/ (RESOLVE_MODEL_DIR)");
    check(&tree, |plan| plan.env("PATHFINDER_CACHE_DIR", "/tmp"), "cache_dir", "/tmp (PATHFINDER_CACHE_DIR)");
    check(&tree, |plan| plan.env("INCLUDE_DIRS", "a,b"), "include_dirs", "a,b (INCLUDE_DIRS)");
    check(&tree, |plan| plan, "rerank", "on (default)");
}

#[test]
fn bad_values_are_refused() {
    let tree = Tree::new(PROJECT);
    refused(&tree, |plan| plan.env("RESOLVE_TOPK", "many"), "RESOLVE_TOPK: topk is \"many\"");
    refused(&tree, |plan| plan.env("RESOLVE_RERANK", "2"), "on or off");
    refused(&tree, |plan| plan.env("RESOLVE_MODEL_PRECISION", "int4"), "int8, fp16 or fp32");
    refused(&tree, |plan| plan.env("RESOLVE_VECTOR_CACHE_MB", "much"), "a number of megabytes");
    refused(&tree, |plan| plan.env("INCLUDE_DIRS", "../up"), "inside the root");
    refused(&tree, |plan| plan.arg("--topk=0"), "--topk: topk is \"0\"");
}

#[test]
fn a_model_that_is_none_costs_a_warning_and_only_when_it_is_needed() {
    let tree = Tree::new("a/form.ts\nb/form.ts\nsrc/parser.rs");
    let ask = |path: &str, model: &str| {
        let plan = tree.plan(&["resolve", path]);
        (if model.is_empty() { plan.env("RESOLVE_RERANK", "off") } else { plan.env("RESOLVE_MODEL_DIR", model) }).run()
    };
    for (path, needed) in [("form.ts", true), ("src/praser.rs", false), ("src/parser.rs", false)] {
        let plain = ask(path, "");
        for model in ["nowhere", "src", "src/parser.rs"] {
            let run = ask(path, model);
            assert_eq!((run.code, &run.stdout), (plain.code, &plain.stdout));
            let warning = run.stderr.strip_suffix(&plain.stderr).unwrap_or_else(|| panic!("{run:?}"));
            assert_eq!(warning.starts_with("pathfinder: warning: the model cannot be used"), needed, "{run:?}");
            assert_eq!(warning.lines().count(), usize::from(needed), "{run:?}");
        }
    }
}

#[test]
fn a_bad_project_file_is_refused() {
    let refused = |tree: &str, says: &str| refused(&Tree::new(tree), |plan| plan, says);
    refused("pathfinder.toml = topk =", "TOML parse error");
    refused("pathfinder.toml = topq = 1", "unknown setting \"topq\"");
    refused("pathfinder.toml = model_dir = '/'", "a project cannot set model_dir");
    refused("pathfinder.toml/", "not a regular file");
    refused("pathfinder.toml -> ../secret.toml\n../secret.toml = key = 'secret.toml'", "leads out of the root");
}

#[test]
fn directories_that_git_ignores_can_be_included() {
    let tree = Tree::new(".git/HEAD = ref: refs/heads/main\n.gitignore = generated/\ngenerated/schema.rs\nsrc/main.rs");
    let ask = |set: &dyn Fn(Plan) -> Plan| set(tree.plan(&["resolve", "generated/shcema.rs"])).run();
    let (without, with) = (ask(&|plan| plan), ask(&|plan| plan.env("INCLUDE_DIRS", "generated")));
    assert_eq!((without.code, without.stdout.as_str()), (Some(1), ""), "{without:?}");
    assert_eq!((with.code, with.stdout.as_str()), (Some(0), "generated/schema.rs\n"), "{with:?}");
    assert_eq!(ask(&|plan| plan.arg("--include-dirs=generated")).stdout, with.stdout);
    std::fs::write(tree.root().join("pathfinder.toml"), "include_dirs = ['generated']").unwrap();
    assert_eq!(ask(&|plan| plan).stdout, with.stdout);
}

#[test]
fn the_log_goes_to_stderr() {
    let tree = Tree::new(PROJECT);
    let quiet = tree.plan(&["resolve", "src/main.rs"]).run();
    let loud = tree.plan(&["resolve", "src/main.rs"]).env("PATHFINDER_LOG", "debug").run();
    assert_eq!(quiet.stdout, loud.stdout);
    assert!(loud.stderr.len() > quiet.stderr.len(), "{loud:?}");
    let wrong = tree.plan(&["resolve", "src/main.rs"]).env("PATHFINDER_LOG", "a=b=c").run();
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("PATHFINDER_LOG"), "{wrong:?}");
}

#[test]
fn nothing_is_written_into_a_root() {
    let tree = Tree::new(PROJECT);
    let count = || std::fs::read_dir(tree.root()).unwrap().count();
    let before = count();
    for command in [&["resolve", "x"][..], &["index"], &["doctor"]] {
        tree.plan(command).run();
    }
    assert_eq!(count(), before);
}

/// The file that `init` writes is understood, with and without its comments, and names the schema that editors find.
#[test]
fn a_file_to_begin_with() {
    let tree = Tree::new("docs/a.md = # A");
    let run = tree.plan(&["init"]).run();
    assert_eq!(run.code, Some(0), "{run:?}");
    let file = tree.root().join("pathfinder.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let schema = tree.plan(&["settings", "--schema"]).run();
    let published = include_str!("../../server/pathfinder.schema.json");
    assert_eq!(
        schema.stdout, published,
        "server/pathfinder.schema.json is the output of `pathfinder settings --schema`"
    );
    let address = schema.json_document()["$id"].as_str().unwrap().to_owned();
    assert_eq!(text.lines().next(), Some(format!("#:schema {address}").as_str()));
    let is_setting = |line: &str| line.starts_with("# ") && line.contains(" = ");
    let live: Vec<&str> =
        text.lines().map(|line| if is_setting(line) { line.trim_start_matches("# ") } else { line }).collect();
    for text in [text.clone(), live.join("\n")] {
        std::fs::write(&file, text).unwrap();
        let run = tree.plan(&["check"]).run();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    }
    let again = tree.plan(&["init"]).run();
    assert!(again.code == Some(1) && again.stdout.contains("is there already"), "{again:?}");
}
