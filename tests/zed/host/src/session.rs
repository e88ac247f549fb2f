//! One session, printed as `docs/pictures/make.py zed` shows it: what the extension starts, and what Zed then gets from it.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::conversation::{Conversation, Framing, TIMEOUT};
use crate::extension::{ID, Running, built};
use crate::servers::{language_server, open, uri};
use crate::world::World;

/// The project of the other pictures.
fn shop(world: &World) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/pictures/shop.sh");
    assert!(Command::new("bash").arg(script).arg(&world.project).status().unwrap().success());
}

/// A command line as the extension returned it, without the program's folder.
fn line(command: &crate::imports::Command) -> String {
    let program = Path::new(&command.command).file_name().unwrap().to_str().unwrap();
    [program].into_iter().chain(command.args.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

/// A diagnostic as an editor draws it: the line, the squiggle, the message.
fn drawn(text: &str, found: &Value) -> String {
    let place = |end: &str, field: &str| usize::try_from(found["range"][end][field].as_u64().unwrap()).unwrap();
    let (row, from, to) = (place("start", "line"), place("start", "character"), place("end", "character"));
    let source = text.lines().nth(row).unwrap();
    let squiggle = format!("{}\x1b[33m{}\x1b[0m", " ".repeat(from), "~".repeat(to - from));
    format!("  {} {source}\n    {squiggle}\n    \x1b[33m{}\x1b[0m", row + 1, found["message"].as_str().unwrap())
}

fn step(text: &str) {
    eprintln!("\x1b[1m{text}\x1b[0m");
}

#[test]
fn a_session() {
    let mut world = World::new();
    shop(&world);
    world.which = Some(built("PATHFINDER_BIN").to_str().unwrap().to_owned());
    let mut zed = Running::on(world);

    step("a TypeScript file is opened, and the extension says what to start");
    let command = zed.language_server().unwrap();
    eprintln!("  language_server_command({ID:?}) = {}", line(&command));
    assert_eq!(line(&command), "pathfinder lsp");

    step("src/main.ts");
    let main = zed.world().project.join("src/main.ts");
    let (mut server, _) = language_server(&mut zed);
    let mut found = open(&mut server, &main, "TypeScript");
    // The first answer can come before fixes are looked for; the server then asks Zed to pull once more.
    let end = Instant::now() + TIMEOUT;
    while !found[0]["message"].as_str().unwrap().contains("Did you mean") {
        assert!(Instant::now() < end, "no fix is named: {found:#}");
        thread::sleep(Duration::from_millis(50));
        let params = json!({"textDocument": {"uri": uri(&main)}});
        found = server.ask("textDocument/diagnostic", params)["items"].clone();
    }
    eprintln!("{}", drawn(&std::fs::read_to_string(&main).unwrap(), &found[0]));
    let params =
        json!({"textDocument": {"uri": uri(&main)}, "range": found[0]["range"], "context": {"diagnostics": found}});
    let actions = server.ask("textDocument/codeAction", params);
    for action in actions.as_array().unwrap() {
        let preferred = if action["isPreferred"] == true { "\x1b[32m (preferred)\x1b[0m" } else { "" };
        eprintln!("    > {}{preferred}", action["title"].as_str().unwrap());
    }
    assert_eq!(actions[0]["isPreferred"], true, "{actions:#}");

    step("the agent asks for a file that is not there");
    let command = zed.context_server().unwrap();
    eprintln!("  context_server_command({ID:?}) = {}", line(&command));
    let root = zed.world().project.clone();
    let mut tools = Conversation::with(zed.process(&command).current_dir(root), Framing::Lines);
    let client = json!({"name": "Zed", "version": "1.20.2"});
    tools.ask("initialize", json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client}));
    tools.tell("notifications/initialized", json!({}));
    for failed in ["docs/setup.md", "src/component/Buton.tsx", "go.mod"] {
        let call = json!({"name": "path_resolve", "arguments": {"failed_path": failed}});
        let answer = tools.ask("tools/call", call)["structuredContent"].clone();
        let said = |field: &str| answer[field].as_str().unwrap_or_default().to_owned();
        eprintln!("  path_resolve {failed}: \x1b[36m{} {}\x1b[0m\n    {}", said("status"), said("path"), said("why"));
        assert_eq!(answer["status"] == "resolved", failed != "go.mod", "{answer:#}");
    }
    tools.end();
}
