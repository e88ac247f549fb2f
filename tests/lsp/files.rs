//! Files that are renamed and deleted: in the editor, which asks before, and behind its back.

use serde_json::{Value, json};

use crate::client::Client;
use crate::profile::{Profile, under_all};
use crate::{lay, run_git};

const MIXED: &str = r#"
    package.json = {"name": "x"}
    pyproject.toml = [project]\n
    README.md = 😀 [the button](src/comp/Button.ts) and [setup](docs/setup.md#top)\n
    docs/setup.md = # Setup [main](../src/main.ts)\n
    src/main.ts = // 😀\nimport { Button } from "./comp/Button";\nimport a from "./comp/util";\n
    src/comp/Button.ts = import u from "./util";\n
    src/comp/util.ts = export {};\n
    app/__init__.py
    app/main.py = from app.models import user\nimport app.models.user\nprint(app.models.user.name)\n
    app/models/__init__.py
    app/models/user.py = name = 1\n
"#;

/// Renames as an editor does: asks, applies, moves, tells.
fn rename(client: &mut Client, moves: &[(&str, &str)]) -> Value {
    let uri = |client: &Client, path: &str| client.uri(path);
    let files: Vec<Value> =
        moves.iter().map(|(from, to)| json!({"oldUri": uri(client, from), "newUri": uri(client, to)})).collect();
    let edit = client.ask("workspace/willRenameFiles", json!({"files": files}));
    if !edit.is_null() {
        client.apply(&edit);
    }
    for (from, to) in moves {
        client.rename(from, to);
    }
    client.notify("workspace/didRenameFiles", json!({"files": files}));
    edit
}

/// Profiles that ask before they rename.
fn under_all_that_rename(run: impl Fn(Profile)) {
    under_all(|profile| {
        if profile.renames() {
            run(profile);
        }
    });
}

#[test]
fn a_file() {
    under_all_that_rename(|profile| {
        let tree = lay(MIXED);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        client.expect("src/main.ts", &[]);
        rename(&mut client, &[("src/comp/Button.ts", "src/ui/PushButton.ts")]);
        assert!(client.text("src/main.ts").contains("from \"./ui/PushButton\""), "{}", client.text("src/main.ts"));
        assert!(client.disk("README.md").contains("](src/ui/PushButton.ts)"), "{}", client.disk("README.md"));
        assert_eq!(client.disk("src/ui/PushButton.ts"), "import u from \"../comp/util\";\n");
        all_is_well(&mut client);
        client.end();
    });
}

#[test]
fn a_directory() {
    under_all_that_rename(|profile| {
        let tree = lay(MIXED);
        let mut client = Client::ready(&tree, &profile);
        rename(&mut client, &[("src/comp", "src/parts/ui")]);
        assert!(client.disk("src/main.ts").contains("from \"./parts/ui/Button\""), "{}", client.disk("src/main.ts"));
        assert_eq!(client.disk("src/parts/ui/Button.ts"), "import u from \"./util\";\n", "what moved along stays");
        assert!(client.disk("README.md").contains("](src/parts/ui/Button.ts)"), "{}", client.disk("README.md"));
        all_is_well(&mut client);
        client.end();
    });
}

/// The package is still found by its name, because its `main` follows the move.
#[test]
fn the_main_file_of_a_package() {
    under_all_that_rename(|profile| {
        let tree = lay(r#"
            package.json = {"name": "nunjucks", "main": "./index.js"}
            index.js = module.exports = 1;\n
            tests/a.js = require('nunjucks'); require('../index');\n
        "#);
        let mut client = Client::ready(&tree, &profile);
        rename(&mut client, &[("index.js", "src/main.js")]);
        assert_eq!(client.disk("package.json"), "{\"name\": \"nunjucks\", \"main\": \"./src/main.js\"}");
        assert_eq!(client.disk("tests/a.js"), "require('nunjucks'); require('../src/main');\n");
        all_is_well(&mut client);
        client.end();
    });
}

/// A script of an unknown interpreter and a step of a test have no language, and name files as the code does.
#[test]
fn texts_that_no_language_reads() {
    under_all_that_rename(|profile| {
        let tree = lay(r#"
            own.gemspec
            lib/own.rb = require 'own/cli'\n
            lib/own/cli.rb = puts "require 'own/cli'"\n
            lib/own/app.rb = require 'own/cli'\n
            bin/own = #!/usr/bin/env jruby\nrequire 'own/cli'\nrequire 'own/other'\n
            bin/run = #!/usr/bin/env ruby\nrequire 'own/cli'\n
            CHANGELOG = 'own/cli'\n
        "#);
        let mut client = Client::ready(&tree, &profile);
        rename(&mut client, &[("lib/own/cli.rb", "lib/own/shell/main.rb")]);
        assert_eq!(client.disk("lib/own.rb"), "require 'own/shell/main'\n");
        assert_eq!(client.disk("bin/own"), "#!/usr/bin/env jruby\nrequire 'own/shell/main'\nrequire 'own/other'\n");
        assert_eq!(client.disk("bin/run"), "#!/usr/bin/env ruby\nrequire 'own/shell/main'\n");
        assert_eq!(client.disk("lib/own/shell/main.rb"), "puts \"require 'own/shell/main'\"\n");
        assert_eq!(client.disk("CHANGELOG"), "'own/cli'\n");
        for path in ["lib/own.rb", "lib/own/app.rb", "bin/own", "bin/run"] {
            client.expect(path, &[]);
        }
        client.end();
    });
}

#[test]
fn several_in_several_languages() {
    under_all_that_rename(|profile| {
        let tree = lay(MIXED);
        let mut client = Client::ready(&tree, &profile);
        let moves = [
            ("docs/setup.md", "guide/install.md"),
            ("app/models/user.py", "app/models/person.py"),
            ("src/comp/util.ts", "src/util.ts"),
        ];
        rename(&mut client, &moves);
        assert!(client.disk("README.md").contains("](guide/install.md#top)"), "{}", client.disk("README.md"));
        let main = client.disk("app/main.py");
        assert!(main.contains("import app.models.person\nprint(app.models.person.name)"), "{main}");
        assert_eq!(client.disk("src/comp/Button.ts"), "import u from \"../util\";\n");
        assert!(client.disk("src/main.ts").contains("from \"./util\""), "{}", client.disk("src/main.ts"));
        assert!(client.disk("guide/install.md").contains("../src/main.ts"), "{}", client.disk("guide/install.md"));
        all_is_well(&mut client);
        client.end();
    });
}

/// Once the moves are known, nothing is broken.
fn all_is_well(client: &mut Client) {
    let count = client.ask("pathfinder/reindex", Value::Null)["files"].as_u64().unwrap();
    client.wait("the tree to be checked", |client| {
        (client.status["state"] == "ready" && client.status["files"] == count).then_some(())
    });
    for path in ["README.md", "src/main.ts", "app/main.py"] {
        client.expect(path, &[]);
    }
    // Findings of an intermediate state may have been published. A finding in a later file proves that all earlier changes were processed.
    client.write("last.md", "[x](nowhere.md)\n");
    client.expect("last.md", &["1 missing-path nowhere.md"]);
    client.remove("last.md");
    let others: Vec<String> = client.reports.workspace.keys().chain(client.published.keys()).cloned().collect();
    for uri in others {
        client.expect_of(&uri, &[]);
    }
}

/// A client names the files of a directory one by one; what names the directory follows them. The server was asked before it had read
/// the tree, and waits.
#[test]
fn a_directory_by_its_files() {
    under_all_that_rename(|profile| {
        let tree = lay(MIXED);
        let mut client = Client::start(&tree, &profile, &[]);
        client.initialize(&[tree.root()], json!({}));
        rename(
            &mut client,
            &[("app/models/__init__.py", "app/tables/__init__.py"), ("app/models/user.py", "app/tables/user.py")],
        );
        let text = client.disk("app/main.py");
        assert_eq!(text, "from app.tables import user\nimport app.tables.user\nprint(app.tables.user.name)\n");
        // On a busy machine the server sees the edit before the new directory.
        client.expect("app/main.py", &[]);
        client.end();
    });
}

/// The declared package of a moved class follows it, with the imports of the class. A file that an editor opened has the edit in its text.
#[test]
fn a_class_with_its_package() {
    under_all_that_rename(|profile| {
        let tree = lay("src/main/java/a/b/C.java = package a.b;\\nclass C {}\\n
            src/main/java/a/D.java = package a;\\nimport a.b.C;\\nclass D {}\\n
            pages/.vitepress/config.ts
            pages/parts/Box.vue
            pages/a.md = # A\\n\\n<script setup>\\nimport Box from './parts/Box.vue'\\n</script>\\n");
        let mut client = Client::ready(&tree, &profile);
        let (from, to) = ("src/main/java/a/b/C.java", "src/main/java/a/c/C.java");
        client.open(from);
        client.expect(from, &[]);
        rename(&mut client, &[(from, to), ("pages/a.md", "pages/guide/a.md")]);
        assert_eq!(client.disk("src/main/java/a/D.java"), "package a;\nimport a.c.C;\nclass D {}\n");
        assert!(client.text(from).starts_with("package a.c;\n"), "{}", client.text(from));
        let page = client.disk("pages/guide/a.md");
        assert!(page.contains("from '../parts/Box.vue'"), "{page}");
        // Between the edits and the moves, the new paths did not exist.
        for path in ["pages/a.md", "src/main/java/a/D.java"] {
            client.expect(path, &[]);
        }
        client.end();
    });
}

#[test]
fn nothing_names_it() {
    under_all_that_rename(|profile| {
        let tree = lay(MIXED);
        let mut client = Client::ready(&tree, &profile);
        let uri = |path: &str| crate::text::uri(&tree.root().join(path));
        let mut check = |from: String, to: String| {
            let params = json!({"files": [{"oldUri": from, "newUri": to}]});
            assert_eq!(client.ask("workspace/willRenameFiles", params), Value::Null);
        };
        check(uri("pyproject.toml"), uri("other.toml"));
        check(uri("gone.ts"), uri("there.ts"));
        check(uri("src/comp/Button.ts"), uri("src/comp/Button.ts"));
        check(uri("src/comp/Button.ts"), "file:///elsewhere/Button.ts".to_owned());
        check("untitled:a".to_owned(), "untitled:b".to_owned());
        client.end();
    });
}

#[test]
fn a_warning_before_something_is_deleted() {
    under_all(|profile| {
        let tree = lay(MIXED);
        let mut client = Client::ready(&tree, &profile);
        let delete = |client: &mut Client, path: &str| {
            let files = json!({"files": [{"uri": client.uri(path)}]});
            assert_eq!(client.ask("workspace/willDeleteFiles", files), Value::Null);
        };
        delete(&mut client, "src/comp");
        let shown = client.read("window/showMessage");
        assert_eq!(shown["type"], 2);
        let message = shown["message"].as_str().unwrap();
        assert!(message.starts_with("3 paths lead to deleted files: in README.md, src/main.ts"), "{message}");
        delete(&mut client, "pyproject.toml");
        client.end();
    });
}

#[test]
fn a_move_behind_the_back_of_the_editor() {
    under_all(|profile| {
        let tree = lay(MIXED);
        let mut client = Client::ready(&tree, &profile);
        client.open("src/main.ts");
        client.expect("src/main.ts", &[]);
        client.button = Some("Change");
        client.rename("src/comp/util.ts", "src/helpers.ts");
        let proposes = !profile.renames() && profile.asks();
        if proposes {
            let question = client.read("window/showMessageRequest");
            let message = question["message"].as_str().unwrap();
            assert!(
                message.starts_with("src/comp/util.ts is now src/helpers.ts. Change 2 paths in 2 files"),
                "{message}"
            );
            client.read("workspace/applyEdit");
            client.expect("src/main.ts", &[]);
            client.expect("src/comp/Button.ts", &[]);
            assert_eq!(client.disk("src/comp/Button.ts"), "import u from \"../helpers\";\n");
        } else {
            client.wait_for_rows("src/main.ts", 1);
            client.wait_for_rows("src/comp/Button.ts", 1);
        }
        client.end();
    });
}

/// A `git mv` in a terminal, before its commit: diagnostics know the move. The client watches here, and no event tells the rename, so
/// that the server asks git.
#[test]
fn a_rename_that_is_not_committed() {
    let tree = lay("README.md = [a](docs/guide/setup.md) [b](docs/guide/usage.md) [c](docs/api.md)\\n
        docs/api.md = Everything that the client can do.\\n
        docs/guide/setup.md = First install it, then start it.\\n
        docs/guide/usage.md = How it is used every day.\\n");
    run_git(&tree, "git init -q; git add .; git -c user.name=a -c user.email=a@b commit -qm one");
    let mut client = Client::ready(&tree, &Profile::named("vscode"));
    client.open("README.md");
    client.expect("README.md", &[]);
    run_git(&tree, "git mv docs/guide docs/manual; git mv docs/api.md docs/client.md");
    client.expect(
        "README.md",
        &[
            "1 moved-path docs/guide/setup.md -> docs/manual/setup.md",
            "1 moved-path docs/guide/usage.md -> docs/manual/usage.md",
            "1 moved-path docs/api.md -> docs/client.md",
        ],
    );
    client.end();
}
