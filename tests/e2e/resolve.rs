//! One question, asked in every way there is: as arguments, as a line of a batch, and as text.

use serde_json::{Value, json};

use crate::tree::{PROJECT, Tree, is_there};

/// Asks `request` (a path, or a whole request; `{root}` is the root's absolute path) in `tree`.
///
/// `expect` is one of: `exists P`, `resolved P`, `found P` (either of these), `best P` (found, or first among the
/// candidates), `ambiguous`, `not_found`, `not_found KIND`, `unresolved` (neither exists nor resolved).
#[track_caller]
fn check(tree: &str, request: impl Into<Value>, expect: &str) {
    check_in(&Tree::new(tree), "", request, expect);
}

/// Resolves in a directory below the root.
#[track_caller]
fn check_in(tree: &Tree, directory: &str, request: impl Into<Value>, expect: &str) {
    let answer = ask(tree, directory, request);
    let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    let (status, path, kind) = (text("status"), text("path"), text("error_kind"));
    let found = status == "exists" || status == "resolved";
    let first = answer["candidates"][0]["path"].as_str().unwrap_or_default();
    let holds = match expect.split_once(' ').unwrap_or((expect, "")) {
        ("found", wanted) => found && path == wanted,
        ("best", wanted) => (found && path == wanted) || (!found && first == wanted),
        ("unresolved", "") => !found,
        ("not_found", wanted) => status == "not_found" && (wanted.is_empty() || kind == wanted),
        (wanted, "") => status == wanted,
        (wanted, at) => status == wanted && path == at,
    };
    assert!(holds, "{expect} was expected: {answer:#}");
}

/// Asks in every way, checks what must hold for every answer, and returns it.
#[track_caller]
fn ask(tree: &Tree, directory: &str, request: impl Into<Value>) -> Value {
    let mut request = match request.into() {
        Value::String(path) => json!({ "failed_path": path }),
        other => other,
    };
    let root = tree.root();
    let failed_path = request["failed_path"].as_str().unwrap().replace("{root}", root.to_str().unwrap());
    request["failed_path"] = failed_path.clone().into();
    let args = arguments(&request);
    let args: Vec<_> = args.iter().map(String::as_str).collect();

    let single = tree.plan(&args).arg("--format=json").arg("--").arg(&failed_path).within(root.join(directory)).run();
    let batch = tree.plan(&["resolve", "--batch"]).stdin(request.to_string()).within(root.join(directory)).run();
    let text = tree.plan(&args).arg("--").arg(&failed_path).within(root.join(directory)).run();
    let mut answer = single.json();
    let mut line = batch.json();
    // A single answer names its root.
    assert_eq!(answer.as_object_mut().unwrap().remove("root"), Some(root.to_str().unwrap().into()));
    assert_eq!(line["id"], Value::Null, "a batch line without id");
    line.as_object_mut().unwrap().remove("id");
    for one in [&mut line, &mut answer] {
        assert!(one.as_object_mut().unwrap().remove("elapsed_us").unwrap().is_u64());
    }
    assert_eq!(answer, line, "single and batch");
    invariants(tree, &request, &answer);

    let found = answer["path"].as_str();
    let code = i32::from(found.is_none());
    assert_eq!((single.code, text.code, batch.code), (Some(code), Some(code), Some(0)), "{answer:#}");
    if request["explain"].is_null() {
        let candidates: Vec<_> = answer["candidates"].as_array().unwrap().iter().map(|c| &c["path"]).collect();
        // Text is relative to the current directory.
        let from_here = |path: &str| written_from(directory, path);
        // A command to which a shell hands it must not take it for an option.
        let operand = |path: &str| if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
        let position: String =
            ["line", "column"].iter().filter_map(|name| Some(format!(":{}", answer[name].as_u64()?))).collect();
        let expect: Vec<_> = found
            .map_or(candidates.iter().map(|path| path.as_str().unwrap()).collect(), |path| vec![path])
            .into_iter()
            .map(|path| format!("{}{position}", operand(&from_here(path))))
            .collect();
        assert_eq!(text.stdout.lines().collect::<Vec<_>>(), expect, "text mode prints the paths alone");
    }
    assert!(text.stderr.starts_with(&answer["status"].as_str().unwrap().replace('_', " ")), "{text:?}");
    answer
}

/// A path of the root as it is written in a directory below the root.
fn written_from(directory: &str, path: &str) -> String {
    let mut here: Vec<&str> = directory.split('/').filter(|segment| !segment.is_empty()).collect();
    let mut there: Vec<&str> = path.split('/').filter(|segment| *segment != ".").collect();
    while !here.is_empty() && here.first() == there.first() {
        here.remove(0);
        there.remove(0);
    }
    let written: Vec<&str> = here.iter().map(|_| "..").chain(there).collect();
    if written.is_empty() { ".".to_owned() } else { written.join("/") }
}

/// Checks the properties of every answer.
#[track_caller]
fn invariants(tree: &Tree, request: &Value, answer: &Value) {
    let found = answer["path"].as_str();
    assert_eq!(found.is_none(), answer.get("failed_path").is_some(), "{answer:#}");
    assert_eq!(found.is_none(), answer.get("error_kind").is_some(), "{answer:#}");
    // Asked is only between rivals: one candidate is no question.
    assert!(answer["status"] == "ambiguous" || answer.get("next_question").is_none(), "{answer:#}");
    if found.is_none() {
        assert_eq!(answer["failed_path"], request["failed_path"]);
    }
    let confidence = answer["confidence"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&confidence), "{answer:#}");
    assert!(!answer["why"].as_str().unwrap().is_empty() || answer["status"] == "exists", "{answer:#}");
    let candidates = answer["candidates"].as_array().unwrap();
    let mut last = 100.0;
    for candidate in candidates {
        let score = candidate["score"].as_f64().unwrap();
        assert!((0.0..=last).contains(&score), "scores fall from 100 to 0: {answer:#}");
        last = score;
    }
    if answer["status"] == "resolved" {
        assert_eq!(answer["path"], candidates[0]["path"], "{answer:#}");
    }
    for path in candidates.iter().map(|candidate| candidate["path"].as_str().unwrap()).chain(found) {
        let plain =
            !path.is_empty() && !path.starts_with(['/', '\\']) && !path.ends_with('/') && !path.starts_with("./");
        assert!(plain && !path.split('/').any(|segment| segment == ".."), "{path}");
        assert!(is_there(&tree.root().join(path)), "{path} is not there");
    }
}

/// A request as arguments; the path itself comes after them.
fn arguments(request: &Value) -> Vec<String> {
    let mut args = vec!["resolve".to_owned()];
    for (name, value) in request.as_object().unwrap() {
        let flag = match name.as_str() {
            "failed_path" => continue,
            "intent_text" => "intent",
            "root_hint" => "root-hint",
            "from_file" => "from",
            other => other,
        };
        match value {
            Value::Bool(true) => args.push(format!("--{flag}")),
            Value::String(text) => args.push(format!("--{flag}={text}")),
            Value::Number(number) => args.push(format!("--{flag}={number}")),
            Value::Array(values) => args.extend(values.iter().map(|v| format!("--{flag}={}", v.as_str().unwrap()))),
            Value::Object(evidence) => args.push(format!("--{flag}={}", evidence["contains"].as_str().unwrap())),
            other => panic!("{other}"),
        }
    }
    args
}

#[test]
fn what_is_there_exists() {
    check(PROJECT, "src/main.rs", "exists src/main.rs");
    check(PROJECT, "internal/infra/vllm", "exists internal/infra/vllm");
    check(PROJECT, "{root}/src/lib.rs", "found src/lib.rs");
    check(PROJECT, "./src/lib.rs", "found src/lib.rs");
    check(PROJECT, "src/net/", "found src/net");
    check(PROJECT, "src//net/../lib.rs", "found src/lib.rs");
}

#[test]
fn a_slip_in_the_name() {
    check(PROJECT, "src/mian.rs", "resolved src/main.rs");
    check(PROJECT, "src/net/serverr.rs", "resolved src/net/server.rs");
    check(PROJECT, "docs/guide/gettng-started.md", "resolved docs/guide/getting-started.md");
    check(PROJECT, "docs/guide/getting_started.md", "resolved docs/guide/getting-started.md");
    check(PROJECT, "readme.md", "resolved README.md");
    check(PROJECT, ".github/workflows/relase.yml", "resolved .github/workflows/release.yml");
}

#[test]
fn a_slip_in_the_directories() {
    check(PROJECT, "net/server.rs", "resolved src/net/server.rs");
    check(PROJECT, "project/src/config.rs", "resolved src/config.rs");
    check(PROJECT, "src/network/server.rs", "best src/net/server.rs");
    check(PROJECT, "docs/getting-started.md", "resolved docs/guide/getting-started.md");
    check(PROJECT, "internal/infra/rerankr/config.go", "resolved internal/infra/reranker/config.go");
}

#[test]
fn the_wrong_extension() {
    check(PROJECT, "web/src/components/Button.jsx", "resolved web/src/components/Button.tsx");
    check(PROJECT, "web/src/components/Button", "resolved web/src/components/Button.tsx");
}

#[test]
fn text_around_the_path() {
    check(PROJECT, "src/main.rs:12:5", "resolved src/main.rs");
    check(PROJECT, "src/main.rs#L12", "resolved src/main.rs");
    check(PROJECT, "src/main.rs/", "found src/main.rs");
    check(PROJECT, "'src/main.rs'", "resolved src/main.rs");
    check(PROJECT, "a/src/main.rs", "resolved src/main.rs");
    check(PROJECT, "src\\net\\server.rs", "resolved src/net/server.rs");
    check(PROJECT, "file://{root}/src/lib.rs", "resolved src/lib.rs");
}

#[test]
fn paths_of_other_machines() {
    check(PROJECT, "/home/somebody/project/src/net/server.rs", "resolved src/net/server.rs");
    check(PROJECT, "/workspace/src/config.rs", "resolved src/config.rs");
    check(PROJECT, "C:\\Users\\x\\project\\src\\net\\server.rs", "resolved src/net/server.rs");
    check(PROJECT, "{root}/src/mian.rs", "resolved src/main.rs");
}

#[test]
fn a_name_that_several_have_is_ambiguous() {
    check(PROJECT, "client.go", "ambiguous");
    check(PROJECT, json!({"failed_path": "client.go", "intent_text": "settings of the reranker"}), RERANKER);
    check(PROJECT, json!({"failed_path": "client.go", "root_hint": "internal/infra/reranker"}), RERANKER);
    check(PROJECT, json!({"failed_path": "client.go", "history": ["internal/infra/reranker/config.go"]}), RERANKER);
    check(PROJECT, json!({"failed_path": "client.go", "from_file": "internal/infra/reranker/config.go"}), RERANKER);
    check(PROJECT, json!({"failed_path": "client.go", "evidence": {"contains": "func NewReranker"}}), RERANKER);
    check(
        PROJECT,
        json!({"failed_path": "client.go", "evidence": {"contains": "func NewCompletion"}}),
        "best internal/infra/vllm/client.go",
    );
}

const RERANKER: &str = "best internal/infra/reranker/client.go";

/// The intent is in no path: contents order the names, and the answer stays a choice.
#[test]
fn contents_order_names_that_paths_leave_equal() {
    const CLIENTS: &str =
        "api/client.go = func Open() {}\nbilling/client.go = func Retry() {}\ncore/client.go = func Close() {}\n";
    let tree = Tree::new(CLIENTS);
    let request = json!({"failed_path": "client.go", "intent_text": "retry failed uploads"});
    let answer = ask(&tree, "", request);
    assert_eq!(
        (&answer["status"], &answer["candidates"][0]["path"]),
        (&json!("ambiguous"), &json!("billing/client.go"))
    );
    assert_eq!(answer["why"], "3 candidates fit about equally; first by contents");
    check(CLIENTS, json!({"failed_path": "client.go", "intent_text": "retry in core"}), "best core/client.go");
}

/// The intent names what one of the files declares, by its kind and its method, and its words are in all paths.
#[test]
fn an_intent_leads_to_the_file_that_declares_it() {
    const ROUTES: &str = "
        src/db/route.rs = pub struct Pool; impl Pool { pub fn connect(&self) {} }
        src/http/route.rs = pub struct Router; impl Router { pub fn route(&self) {} }
        src/web/route.rs = pub fn route_of_user() {}
    ";
    let asked = |intent: &str| json!({"failed_path": "route.rs", "intent_text": intent});
    check(ROUTES, asked("Router struct and its route method"), "best src/http/route.rs");
    check(ROUTES, asked("Pool struct and its connect method"), "best src/db/route.rs");
}

/// No file has the asked name: one that declares it is before one with a name near it, and the answer is a choice.
#[test]
fn a_declaration_is_before_a_near_name() {
    const ROUTER: &str = "
        src/route.rs = pub struct Route; impl Route { pub fn matches(&self) {} }
        src/mux.rs = pub struct Router; impl Router { pub fn route(&self) {} }
    ";
    let asked = |path: &str| json!({"failed_path": path, "intent_text": "Router struct and its route method"});
    let answer = ask(&Tree::new(ROUTER), "", asked("src/router.rs"));
    assert_eq!((&answer["status"], &answer["candidates"][0]["path"]), (&json!("ambiguous"), &json!("src/mux.rs")));
    check(ROUTER, asked("router.rs"), "best src/mux.rs");
    check(ROUTER, json!({"failed_path": "src/router.rs"}), "resolved src/route.rs");
}

#[test]
fn relative_to_the_file_in_which_it_was_written() {
    let from = |path: &str| json!({"failed_path": path, "from_file": "web/src/App.tsx"});
    check(PROJECT, from("./components/Dialog"), "resolved web/src/components/Dialog.tsx");
    check(PROJECT, from("./components/Dialgo.tsx"), "best web/src/components/Dialog.tsx");
    check(PROJECT, from("./components/Dialog.tsx"), "found web/src/components/Dialog.tsx");
}

#[test]
fn relative_to_the_current_directory() {
    let tree = Tree::new(&format!("{PROJECT}\n.git/HEAD = ref: refs/heads/main"));
    check_in(&tree, "src/net", "servr.rs", "best src/net/server.rs");
    check_in(&tree, "src/net", "../config.rs", "found src/config.rs");
    check_in(&tree, "src/net", "server.rs", "found src/net/server.rs");
}

#[test]
fn directories() {
    check(PROJECT, json!({"failed_path": "internal/infra/rerankr", "op": "list"}), "best internal/infra/reranker");
    check(PROJECT, json!({"failed_path": "infra/vllm/", "op": "list"}), "best internal/infra/vllm");
}

#[test]
fn what_may_be_about_to_be_written_is_never_resolved() {
    for path in ["src/mian.rs", "src/new.rs", "web/src/components/Button.jsx", "src/net/clientt.rs", "src/main.rs:3"] {
        check(PROJECT, json!({"failed_path": path, "op": "write"}), "unresolved");
    }
}

#[test]
fn finding_nothing_is_an_answer() {
    check(PROJECT, "zzyzx/quokka/xylophone.flac", "not_found NotFound");
    check(PROJECT, "package-lock.json", "unresolved");
    check("", "src/main.rs", "not_found NotFound");
}

#[test]
fn nothing_outside_the_root_is_stated() {
    let tree = "
        ../outside/secret-plan.txt = top
        ../secret-sibling.txt
        way-out -> ../outside
        src/main.rs
    ";
    check(tree, "../../etc/passwd", "not_found OutsideRoot");
    check(tree, "/etc/passwd", "not_found OutsideRoot");
    check(tree, "way-out/secret-plan.txt", "not_found OutsideRoot");
    check(tree, "way-out/secret-plam.txt", "unresolved");
    check(tree, "../secret-sibling.txt", "not_found OutsideRoot");
    check(tree, "../secret-sibbling.txt", "unresolved");
    check(tree, json!({"failed_path": "plan.txt", "history": ["way-out/x"], "root_hint": "way-out"}), "unresolved");
    check(tree, json!({"failed_path": "plan.txt", "evidence": {"contains": "top"}}), "unresolved");
    check(tree, json!({"failed_path": "plan.txt", "from_file": "../outside/x"}), "unresolved");
}

#[test]
fn a_path_outside_is_not_mistaken_for_a_file_inside_that_shares_its_name() {
    let tree = "src/passwd.rs\nsrc/main.rs\nsrc/net/server.rs";
    check(tree, "../../etc/passwd", "unresolved");
    check(tree, "/etc/passwd", "unresolved");
    check(tree, "/proc/passwd", "unresolved");
    // The path may exist outside the root: the candidate is first, and not the answer.
    check(tree, "../../src/passwd.rs", "best src/passwd.rs");
    check(tree, "../../net/server.rs", "best src/net/server.rs");
    check(tree, "/home/somebody/thing/src/mian.rs", "resolved src/main.rs");
}

#[test]
fn links_have_their_own_names() {
    let tree = "
        src/net/client.rs
        alias -> src/net
        latest.rs -> src/net/client.rs
        broken.rs -> nowhere.rs
    ";
    check(tree, "alias/client.rs", "exists alias/client.rs");
    check(tree, "latest.rs", "exists latest.rs");
    check(tree, "latset.rs", "resolved latest.rs");
    check(tree, "brokn.rs", "unresolved");
}

#[test]
fn odd_names() {
    check("a b/é日本.rs", "a b/é日本.rs", "exists a b/é日本.rs");
    check("a b/é日本.rs\nsrc/x.rs", "b/é日本.rs", "best a b/é日本.rs");
    check("web/[id].tsx\nweb/index.tsx", "[id].tsx", "best web/[id].tsx");
    check("-dash.txt", "-dahs.txt", "best -dash.txt");
}

#[test]
fn names_that_are_not_text_are_marked() {
    let tree = Tree::new("src/caf\\xe9-menu.txt");
    let run = tree.plan(&["resolve", "--format=json", "src/cafe-menu.txt"]).run();
    let best = &run.json()["candidates"][0];
    assert_eq!(best["path"], "src/caf\u{fffd}-menu.txt", "{run:?}");
    assert_eq!(best["lossy"], true, "{run:?}");
}

#[test]
fn names_cannot_speak_to_the_terminal() {
    let tree = Tree::new("src/evil\\x1b[31m-name.txt");
    let run = tree.plan(&["resolve", "src/evil-name.txt"]).run();
    assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{run:?}");
    assert!(run.stdout.contains("src/evil\\u{1b}[31m-name.txt"), "{run:?}");
}

#[test]
fn a_limit_is_kept() {
    let tree = Tree::new("a/index.ts\nb/index.ts\nc/index.ts\nd/index.ts");
    for limit in [1, 2] {
        let answer = ask(&tree, "", json!({"failed_path": "index.ts", "limit": limit}));
        assert_eq!(answer["candidates"].as_array().unwrap().len(), limit, "{answer:#}");
    }
}

#[test]
fn an_explanation_names_every_contribution() {
    let tree = Tree::new(PROJECT);
    let answer = ask(&tree, "", json!({"failed_path": "src/mian.rs", "explain": true}));
    let best = &answer["candidates"][0];
    assert!(best["explain"].as_object().unwrap().values().all(Value::is_number), "{answer:#}");
    assert!(best["explain"].as_object().unwrap().len() > 3, "{answer:#}");
    assert!(best["generators"].as_array().unwrap().iter().all(Value::is_string), "{answer:#}");
    assert!(!best["generators"].as_array().unwrap().is_empty(), "{answer:#}");

    let text = tree.plan(&["resolve", "--explain=all", "src/mian.rs"]).run();
    for name in best["explain"].as_object().unwrap().keys() {
        assert!(text.stdout.contains(name.as_str()), "{text:?}");
    }
    // The short form fits one screen, and compares the first two.
    let brief = tree.plan(&["resolve", "--explain", "client.rs"]).run();
    assert!(brief.stdout.lines().count() <= 24, "{brief:?}");
    assert!(brief.stdout.contains("lacks, compared with the first:"), "{brief:?}");
    let plain = ask(&tree, "", "src/mian.rs");
    assert!(plain["candidates"][0].get("explain").is_none(), "{plain:#}");
}

#[test]
fn the_same_question_has_the_same_answer() {
    let tree = Tree::new(PROJECT);
    let first = ask(&tree, "", "client.go");
    for _ in 0..3 {
        assert_eq!(ask(&tree, "", "client.go"), first);
    }
}

#[test]
fn the_readmes_first_command_does_what_it_says() {
    let tree = Tree::new("");
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let run = tree.plan(&["resolve", "core/src/engin.rs"]).within(repository).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "server/core/src/engine.rs\n"), "{run:?}");
}
