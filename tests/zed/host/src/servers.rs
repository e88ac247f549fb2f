//! The commands that the extension returns, started as Zed starts them, and spoken to as Zed speaks.

use std::path::Path;

use serde_json::{Value, json};

use crate::conversation::{Conversation, Framing};
use crate::extension::{Running, built};
use crate::world::World;

/// The program as a release: a script, so that not hundreds of megabytes are compressed for each test.
fn released() -> String {
    format!("#!/bin/sh\nexec '{}' \"$@\"\n", built("PATHFINDER_BIN").display())
}

/// A broken import, whose file is there under another name.
fn project(world: &World) {
    let write = |path: &str, text: &str| {
        let path = world.project.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("package.json", "{}\n");
    write("src/components/Button.ts", "export const Button = 1;\n");
    write("src/main.ts", "import { Button } from './components/Buton';\nconsole.log(Button);\n");
    write("README.md", "[x](docs/gone.md)\n");
}

pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Zed's capabilities, as recorded for all tests of the language server.
fn profile() -> Value {
    serde_json::from_str(include_str!("../../../lsp/profiles/zed.json")).unwrap()
}

/// The id with which Zed opens a document: that of `extension.toml`.
fn language_id(name: &str) -> String {
    let line = include_str!("../../languages.txt").lines().find(|line| line.starts_with(&format!("{name} | ")));
    line.unwrap().split(" | ").nth(1).unwrap().to_owned()
}

/// The language server of the extension, initialised in the project; and what it can do.
pub(crate) fn language_server(zed: &mut Running) -> (Conversation, Value) {
    let command = zed.language_server().unwrap();
    let (options, configuration) = (zed.options(), zed.configuration());
    let mut process = zed.process(&command);
    let root = zed.world().project.clone();
    let mut server = Conversation::with(process.current_dir(&root), Framing::Headers);
    server.configuration = configuration.clone();
    let profile = profile();
    let result = server.ask(
        "initialize",
        json!({
            "processId": std::process::id(),
            "rootUri": uri(&root),
            "workspaceFolders": [{"uri": uri(&root), "name": "project"}],
            "capabilities": profile["capabilities"],
            "clientInfo": profile["clientInfo"],
            "initializationOptions": options,
        }),
    );
    server.tell("initialized", json!({}));
    // Zed pushes the settings too.
    server.tell("workspace/didChangeConfiguration", json!({"settings": configuration}));
    let ready = |message: &Value| message["method"] == "pathfinder/status" && message["params"]["state"] == "ready";
    server.until("the server to be ready", ready);
    (server, result["capabilities"].clone())
}

pub(crate) fn open(server: &mut Conversation, path: &Path, language: &str) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    let document = json!({"uri": uri(path), "languageId": language_id(language), "version": 1, "text": text});
    server.tell("textDocument/didOpen", json!({"textDocument": document}));
    server.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri(path)}}))["items"].clone()
}

fn fixes_the_import(zed: &mut Running) {
    let main = zed.world().project.join("src/main.ts");
    let (mut server, can) = language_server(zed);
    let found = open(&mut server, &main, "TypeScript");
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found:#}");
    assert_eq!((&found[0]["source"], &found[0]["code"]), (&json!("pathfinder"), &json!("missing-path")));
    let range = found[0]["range"].clone();
    assert_eq!(range, json!({"start": {"line": 0, "character": 24}, "end": {"line": 0, "character": 42}}));

    let context = json!({"diagnostics": found});
    let params = json!({"textDocument": {"uri": uri(&main)}, "range": range, "context": context});
    let actions = server.ask("textDocument/codeAction", params);
    let first = &actions[0];
    assert!(first["title"].as_str().unwrap().starts_with("Change to `./components/Button`"), "{actions:#}");
    assert_eq!((&first["kind"], &first["isPreferred"]), (&json!("quickfix"), &json!(true)));
    let edit = serde_json::to_string(&first["edit"]).unwrap();
    assert!(edit.contains("\"newText\":\"./components/Button\""), "{edit}");

    // Zed shows an action with a command only if the server offers to execute it.
    let commands = can["executeCommandProvider"]["commands"].as_array().unwrap();
    for action in actions.as_array().unwrap() {
        let command = &action["command"]["command"];
        assert!(command.is_null() || commands.contains(command), "{action:#}");
        assert!(action.get("edit").is_some() || !command.is_null(), "{action:#}");
    }
    assert!(commands.len() > 5, "{commands:?}");
    let asked = json!({"command": "pathfinder.resolve", "arguments": [{"failed_path": "src/components/Buton.ts"}]});
    assert_eq!(server.ask("workspace/executeCommand", asked)["path"], "src/components/Button.ts");
    server.ask("shutdown", Value::Null);
    server.tell("exit", Value::Null);
    server.end();
}

#[test]
fn a_program_on_the_path_fixes_an_import() {
    let mut world = World::new();
    project(&world);
    world.which = Some(built("PATHFINDER_BIN").to_str().unwrap().to_owned());
    fixes_the_import(&mut Running::on(world));
}

#[test]
fn a_released_program_fixes_an_import() {
    let mut world = World::new();
    project(&world);
    world.release("1.2.0", "x86_64-unknown-linux-gnu", &released());
    fixes_the_import(&mut Running::on(world));
}

#[test]
fn settings_reach_the_server() {
    let check = |set: Value, expect: usize| {
        let mut world = World::new();
        project(&world);
        world.settings = json!({"lsp": {"pathfinder": set}});
        world.settings["lsp"]["pathfinder"]["binary"] = json!({"path": built("PATHFINDER_BIN")});
        let mut zed = Running::on(world);
        let readme = zed.world().project.join("README.md");
        let (mut server, _) = language_server(&mut zed);
        let found = open(&mut server, &readme, "Markdown");
        assert_eq!(found.as_array().map(Vec::len), Some(expect), "{set}: {found:#}");
    };
    check(json!({}), 1);
    check(json!({"settings": {"diagnostics": false}}), 0);
    check(json!({"initialization_options": {"diagnostics": false}}), 0);
    check(json!({"initialization_options": {"diagnostics": false}, "settings": {"diagnostics": true}}), 1);
}

/// Calls the tools in a directory; `settings` are those of the context server.
fn tools(settings: Value, current: impl Fn(&World) -> std::path::PathBuf) {
    let mut world = World::new();
    project(&world);
    world.release("1.2.0", "x86_64-unknown-linux-gnu", &released());
    let project = world.project.clone();
    let place = json!({"settings": settings}).to_string().replace("PROJECT", project.to_str().unwrap());
    world.settings = json!({"context_servers": {"pathfinder": serde_json::from_str::<Value>(&place).unwrap()}});
    let current = current(&world);
    let mut zed = Running::on(world);
    let command = zed.context_server().unwrap();
    let mut server = Conversation::with(zed.process(&command).current_dir(current), Framing::Lines);
    // Zed declares nothing, no roots either.
    let client = json!({"name": "Zed", "version": "1.20.2"});
    let hello = json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client});
    assert_eq!(server.ask("initialize", hello)["serverInfo"]["name"], "pathfinder");
    server.tell("notifications/initialized", json!({}));
    let tools = server.ask("tools/list", json!({}));
    let names: Vec<_> = tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["path_resolve", "path_find", "tool_retry_with_resolve", "roots_list", "reindex_paths"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let call = json!({"name": "path_resolve", "arguments": {"failed_path": "src/components/Buton.ts"}});
    let answer = server.ask("tools/call", call)["structuredContent"].clone();
    assert_eq!(
        (&answer["status"], &answer["path"]),
        (&json!("resolved"), &json!("src/components/Button.ts")),
        "{answer}"
    );
    let roots = server.ask("tools/call", json!({"name": "roots_list", "arguments": {}}))["structuredContent"].clone();
    assert_eq!(roots["roots"][0]["path"], project.to_str().unwrap(), "{roots}");
    server.end();
}

#[test]
fn tools_work_in_the_first_folder() {
    tools(json!({}), |world| world.project.clone());
}

#[test]
fn tools_work_where_the_settings_say() {
    tools(json!({"root": "PROJECT"}), |world| world.beside().to_owned());
}
