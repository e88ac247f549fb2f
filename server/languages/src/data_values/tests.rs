//! Tests of values that are paths by evidence.

use crate::testing::{check, severities};

const TREE: &str =
    "a/one_spec.js\na/two_spec.js\na/b/three_spec.js\ndocs/x.md\ndocs/y/z.md\nlib/core/c.txt\nlib/io/c.txt";

#[test]
fn resolves_values_beside_others() {
    check(
        TREE,
        "a/list.json",
        r#"{"spec_dir": "a", "spec_files": ["one_spec.js", "two_spec.js", "gone_spec.js"], "text": "x", "other": "x/y.css"}"#,
        "json.value one_spec.js → a/one_spec.js
         json.value two_spec.js → a/two_spec.js
         json.value gone_spec.js → missing",
    );
    // A path of another commit.
    check(
        TREE,
        "a/list.json",
        r#"{"at": ["one_spec.js", "two_spec.js"], "old": {"tag": "v1", "at": "gone_spec.js"}}"#,
        "json.value one_spec.js → a/one_spec.js
         json.value two_spec.js → a/two_spec.js",
    );
    check(
        TREE,
        "a/list.json",
        r#"{"at": ["one_spec.js", "two_spec.js"], "old": {"merged": "cc832c4711fd29382be9ca0fe892b0d9f1301c97", "at": ["gone_spec.js"]}}"#,
        "json.value one_spec.js → a/one_spec.js
         json.value two_spec.js → a/two_spec.js",
    );
    // The base is the root for a file below it, and `docs` for one above.
    check(
        TREE,
        ".ci/rules.yml",
        "rules:\n  - at: lib/core\n    to: docs/x.md\n  - at: lib/io\n  - at: lib/net\n  - at: a/b@v1\n",
        "yaml.value lib/core → lib/core
         yaml.value docs/x.md → docs/x.md
         yaml.value lib/io → lib/io
         yaml.value lib/net → missing",
    );
    check(
        TREE,
        "site.yml",
        "nav:\n  - First: x.md\n  - Second: y/z.md\n  - Third: y/gone.md\n",
        "yaml.value x.md → docs/x.md
         yaml.value y/z.md → docs/y/z.md
         yaml.value y/gone.md → missing",
    );
    check(
        TREE,
        "lint.toml",
        "[ignore]\n\"lib/core/c.txt\" = [\"E1\"]\n\"lib/io/c.txt\" = [\"E2\"]\n\"lib/io/d.txt\" = [\"E3\"]\n",
        "toml.value lib/core/c.txt → lib/core/c.txt
         toml.value lib/io/c.txt → lib/io/c.txt
         toml.value lib/io/d.txt → missing",
    );
}

/// A page that lies elsewhere under its name has moved; another one may be gone or not yet there.
#[test]
fn warns_of_values_that_moved() {
    let check_nav = |page: &str, expect: &str| {
        let tree = "docs/a.md\ndocs/b.md\ndocs/c.md\ndocs/d.md\ndocs/other/contributing.md\ndocs/y/z.md";
        let text = format!("nav: [a.md, b.md, c.md, d.md, {page}]\n");
        assert_eq!(severities(tree, "site.yml", &text), [expect], "{page}");
    };
    check_nav("contributing.md", "warning");
    check_nav("gone.md", "hint");
    check_nav("z.md", "hint");
}

#[test]
fn leaves_values_without_evidence_alone() {
    // One that resolves is chance.
    check(TREE, "a/list.json", r#"{"files": ["one_spec.js", "gone_spec.js"]}"#, "");
    // A name alone is a pattern here, which matches in any directory.
    check(
        TREE,
        "x.toml",
        "\"lib/core/c.txt\" = 1\n\"lib/io/c.txt\" = 1\n\"c.txt\" = 1\n",
        "toml.value lib/core/c.txt → lib/core/c.txt
         toml.value lib/io/c.txt → lib/io/c.txt",
    );
    // Most are other names.
    check(TREE, "x.yml", "at: [lib/core, lib/io, io/net, io/tcp, io/udp]\n", "");
    check(TREE, "x.toml", "a = \"text/html\"\nb = \"1.2.3\"\nc = \"https://a.b/c.txt\"\n", "");
    // A table of redirects has the old names as keys.
    check(
        TREE,
        "x.yml",
        "lib/core/c.txt: lib/io/c.txt\nlib/io/c.txt: lib/core/c.txt\nlib/io/d.txt: lib/io/c.txt\n",
        "yaml.value lib/core/c.txt → lib/core/c.txt
         yaml.value lib/io/c.txt → lib/io/c.txt
         yaml.value lib/io/c.txt → lib/io/c.txt
         yaml.value lib/core/c.txt → lib/core/c.txt
         yaml.value lib/io/c.txt → lib/io/c.txt",
    );
    let moved = format!("{TREE}\nmoved a/old_spec.js a/b/three_spec.js");
    check(&moved, "x.yml", "a/old_spec.js: a/b/three_spec.js\n", "yaml.value a/b/three_spec.js → a/b/three_spec.js");
    check(&moved, "x.yml", "a/old_spec.js: yes\n", "yaml.value a/old_spec.js → moved");
    // A plan tells of another time.
    let list = r#"{"at": ["lib/core", "lib/io", "lib/net"]}"#;
    check(TREE, "docs/roadmap.json", list, "");
    let found = "json.value lib/core → lib/core\njson.value lib/io → lib/io\njson.value lib/net → missing";
    check(TREE, "docs/list.json", list, found);
    // A fixture and a lock file repeat other trees.
    check(TREE, "testdata/x.yml", "at: [lib/core, lib/io, lib/net]\n", "");
    check(TREE, "x-lock.yaml", "at: [lib/core, lib/io, lib/net]\n", "");
}

/// Entries of a site's contents that are directories by chance.
#[test]
fn leaves_names_of_pages_alone() {
    let contents = "pages:\n  - at: lib/core\n  - at: lib/io\n  - at: lib/net\n";
    let rows = "yaml.value lib/core → lib/core\nyaml.value lib/io → lib/io";
    check(&format!("{TREE}\nsite/source/lib/net.md"), "rules.yml", contents, rows);
    check(TREE, "rules.yml", contents, &format!("{rows}\nyaml.value lib/net → missing"));
}

#[test]
fn reports_only_what_a_move_or_a_typo_explains() {
    let list = |last: &str| format!(r#"["a/one_spec.js", "a/two_spec.js", "{last}"]"#);
    assert_eq!(severities(TREE, "list.json", &list("a/other_spec.js")), ["hint"]);
    assert_eq!(severities(TREE, "list.json", &list("a/b/thre_spec.js")), ["warning"]);
    let moved = format!("{TREE}\nmoved a/old_spec.js a/b/three_spec.js");
    assert_eq!(severities(&moved, "list.json", &list("a/old_spec.js")), ["warning"]);
}
