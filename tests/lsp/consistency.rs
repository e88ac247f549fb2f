//! `check` and the language server find the same, byte for byte.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::client::Client;
use crate::lay;
use crate::profile::Profile;
use crate::tree::Tree;

const MIXED: &str = r#"
    package.json = {"name": "x", "main": "src/lost.js"}
    tsconfig.json = {"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}, "include": ["src"]}
    README.md = 😀 [a](docs/gide.md) é [b](docs/guide.md#top) ![c](img/logo.png)\n\n<img src="docs/pic.svg">\n
    docs/guide.md = # Guide\n\n[up](../READNE.md) 𝕏 [x](../src/main.ts)\n
    docs/pic.svg = <svg/>
    src/main.ts = // 😀\nimport { a } from "./comp/Buton";\nimport b from "@/comp/Button";\nimport c from "@/comp/Dialgo";\n
    src/comp/Button.ts = export const a = 1;\n
    src/comp/Dialog.ts = export const a = 1;\n
    src/style.css = @import "./bsae.css";\n.a { background: url("img/x.png") }\n
    src/base.css = a {}\n
    web/index.html = <link rel="stylesheet" href="../src/stlye.css"><script src="app.js"></script>\n
    web/app.js = const x = require("./lib/utlis");\n
    web/lib/utils.js = module.exports = 1;\n
    native/main.c = #include "inlcude/a.h"\n#include <stdio.h>\nint main(void) { return 0; }\n
    native/include/a.h = int a;\n
    crates/a/Cargo.toml = [package]\nname = "a"\nversion = "0.1.0"\n\n[dependencies]\nb = { path = "../bb" }\n
    crates/a/src/lib.rs = mod helper;\nconst X: &str = include_str!("../data/x.txt");\n
    crates/b/Cargo.toml = [package]\nname = "b"\nversion = "0.1.0"\n
    app/__init__.py
    app/main.py = from app.modls import user\nfrom . import other\n
    app/models/__init__.py
    app/models/user.py
    .github/workflows/ci.yml = jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ./scripts/biuld.sh\n      - uses: ./.github/actions/setup\n
    scripts/build.sh = . ./lib/comon.sh\n
    scripts/lib/common.sh = true\n
    Dockerfile = FROM scratch\nCOPY scripts/deploy.sh /deploy.sh\n
    Makefile = include mk/rules.mk\n
"#;

/// Returns the findings of `check` for a tree, by file, as diagnostics.
fn checked(tree: &Tree) -> BTreeMap<String, Vec<Value>> {
    let output = Command::new(env!("CARGO_BIN_EXE_pathfinder"))
        .args(["check", "--format", "json", "--root"])
        .arg(tree.root())
        .env("HOME", tree.home())
        .env("PATHFINDER_CACHE_DIR", tree.place().join("cache"))
        .current_dir(tree.root())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in text.lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        if line.get("summary").is_none() {
            let message = message(&line);
            let finding = line.as_object_mut().unwrap();
            // Diagnostics have a message in the place of the reason, and no probability.
            finding.remove("probability");
            finding.remove("reason");
            finding.insert("message".to_owned(), message.into());
            all.entry(line["file"].as_str().unwrap().to_owned()).or_default().push(line);
        }
    }
    all
}

/// Returns the message that a diagnostic has for a finding.
fn message(finding: &Value) -> String {
    let (literal, reason) = (finding["literal"].as_str().unwrap(), finding["reason"].as_str().unwrap());
    let is_missing = ["missing-path", "missing-anchor"].contains(&finding["code"].as_str().unwrap());
    match finding["fixes"].get(0).filter(|fix| is_missing && fix["confidence"].as_f64().unwrap() >= 0.5) {
        Some(fix) => format!("Broken path: `{literal}`. Did you mean `{}`?", fix["literal"].as_str().unwrap()),
        None if is_missing || finding["code"] == "moved-path" => format!("Broken path: `{literal}`. {reason}"),
        None => format!("`{literal}`: {reason}"),
    }
}

/// A diagnostic in the form of a finding, but for what only one of them says.
fn as_finding(file: &str, text: &str, diagnostic: &Value) -> Value {
    let start = &diagnostic["range"]["start"];
    let at = |end: &str| crate::text::offset(text, &diagnostic["range"][end], "utf-8").unwrap();
    let literal = diagnostic["data"]["literal"].as_str().unwrap();
    let severity = match diagnostic["severity"].as_u64().unwrap() {
        1 => "error",
        2 => "warning",
        _ => "hint",
    };
    serde_json::json!({
        "file": file,
        "line": start["line"].as_u64().unwrap() + 1,
        "column": start["character"].as_u64().unwrap() + 1,
        "byte_start": at("start"),
        "byte_end": at("end"),
        "literal": literal,
        "kind": diagnostic["data"]["kind"],
        "code": diagnostic["code"],
        "severity": severity,
        "message": diagnostic["message"],
        "fixes": diagnostic["data"]["fixes"],
    })
}

/// Most of what is missing here is a convention: pages of which some build makes each a file. A slip, made again and again, is none,
/// nor is a page that all miss.
fn convention() -> String {
    let names = ["one", "two", "three", "four", "five", "six", "seven"];
    let page =
        |name: &str| format!("docs/{name}.md = [a](../made/{name}.txt) [c](index.md) [d](indx.md) [e](gone.md)\n");
    format!("docs/index.md = # Index\n{}", names.map(page).concat())
}

#[test]
fn on_a_tree_in_many_languages() {
    same(MIXED, 12);
}

#[test]
fn on_a_tree_with_a_convention() {
    same(&convention(), 7);
}

/// Both find the same in this tree, in so many files at least.
#[track_caller]
fn same(tree: &str, files: usize) {
    let tree = lay(tree);
    let expect = checked(&tree);
    assert!(expect.len() >= files, "there is something to compare: {:?}", expect.keys());
    let profile = Profile::named("emacs").with_encoding("utf-8");
    let mut client = Client::ready(&tree, &profile);
    let listed = client.tree.root();
    let mut held = 0;
    for (file, findings) in &expect {
        let on_disk = client.wait_for_rows(file, findings.len());
        let text = std::fs::read_to_string(listed.join(file)).unwrap();
        let published: Vec<Value> = on_disk.iter().map(|it| as_finding(file, &text, it)).collect();
        assert_eq!(published, *findings, "{file}, not open");
        client.open(file);
        let uri = client.uri(file);
        let plain = crate::text::plain(&uri);
        let open = client.wait("fixes", |client| {
            let published = client.published.get(&plain)?;
            let has_fixes = published.diagnostics.len() == findings.len()
                && findings.iter().zip(&published.diagnostics).all(|(it, other)| {
                    it["fixes"].as_array().unwrap().is_empty() || !other["data"]["fixes"].as_array().unwrap().is_empty()
                });
            has_fixes.then(|| published.diagnostics.clone())
        });
        let published: Vec<Value> = open.iter().map(|it| as_finding(file, &text, it)).collect();
        assert_eq!(published, *findings, "{file}, open");
        held += findings.len();
    }
    assert_eq!(client.status["broken"], held, "{}", client.status);
    // A diagnostic that `check` does not report is unexpected, and fails the test here.
    client.end();
}
