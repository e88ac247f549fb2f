//! The user's settings reach the servers as they were written.

use serde_json::{Value, json};

use crate::extension::Running;
use crate::world::World;

fn with(settings: Value) -> Running {
    let mut world = World::new();
    world.settings = settings;
    world.which = Some("/usr/bin/pathfinder".to_owned());
    world.shell_env =
        vec![("INCLUDE_DIRS".to_owned(), "of the shell".to_owned()), ("HOME".to_owned(), "/h".to_owned())];
    Running::on(world)
}

#[test]
fn of_the_language_server() {
    let check = |set: Value, expect: Value| {
        let mut zed = with(json!({"lsp": {"pathfinder": set}}));
        assert_eq!(zed.options(), expect);
        assert_eq!(zed.configuration(), json!({"pathfinder": expect}));
    };
    check(Value::Null, json!({}));
    check(
        json!({"settings": {"hints": true, "includeDirs": ["dist"]}}),
        json!({"hints": true, "includeDirs": ["dist"]}),
    );
    check(json!({"initialization_options": {"debounceMs": 5}}), json!({"debounceMs": 5}));
    check(
        json!({"initialization_options": {"debounceMs": 5}, "settings": {"debounceMs": 7}}),
        json!({"debounceMs": 7}),
    );
    check(json!({"settings": {"pathfinder": {"hints": true}}}), json!({"hints": true}));
}

#[test]
fn environments() {
    let mut zed = with(json!({}));
    let env = |pairs: &[(&str, &str)]| -> Vec<_> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    assert_eq!(zed.language_server().unwrap().env, env(&[("INCLUDE_DIRS", "of the shell"), ("HOME", "/h")]));
    zed.world().settings = json!({"lsp": {"pathfinder": {"binary": {"env": {"INCLUDE_DIRS": "set"}}}}});
    assert_eq!(zed.language_server().unwrap().env, env(&[("HOME", "/h"), ("INCLUDE_DIRS", "set")]));
    zed.world().settings =
        json!({"context_servers": {"pathfinder": {"settings": {"binary": {"env": {"INCLUDE_DIRS": "set"}}}}}});
    assert_eq!(zed.context_server().unwrap().env, env(&[("INCLUDE_DIRS", "set")]));
}

#[test]
fn of_the_context_server() {
    let check = |settings: Value, expect: Result<&[&str], &str>| {
        let mut zed = with(json!({"context_servers": {"pathfinder": {"settings": settings}}}));
        zed.language_server().unwrap();
        match (zed.context_server(), expect) {
            (Ok(command), Ok(expect)) => assert_eq!(command.args, expect),
            (Err(error), Err(expect)) => assert!(error.contains(expect), "{error}"),
            (command, expect) => panic!("{:?} is not {expect:?}", command.map(|command| command.args)),
        }
    };
    check(json!({}), Ok(&["mcp"]));
    check(json!({"root": "/a"}), Ok(&["mcp", "--root", "/a"]));
    check(json!({"root": ["/a", "/b"]}), Ok(&["mcp", "--root", "/a", "--root", "/b"]));
    check(json!({"binary": {"arguments": ["mcp", "--include-dirs", "x"]}}), Ok(&["mcp", "--include-dirs", "x"]));
    check(json!({"root": 1}), Err("context_servers.pathfinder.settings.root in Zed's settings must be a directory"));
}

#[test]
fn what_zed_shows_of_the_context_server() {
    let described = with(json!({})).described();
    assert!(described.installation_instructions.contains("`root`"), "{}", described.installation_instructions);
    let schema: Value = serde_json::from_str(&described.settings_schema).unwrap();
    let defaults = described.default_settings.lines().filter(|line| !line.trim_start().starts_with("//"));
    let defaults: Value = serde_json::from_str(&defaults.collect::<String>()).unwrap();
    for name in defaults.as_object().unwrap().keys() {
        assert!(schema["properties"][name].is_object(), "{name}");
    }
    // The defaults can be saved as they are.
    let mut zed = with(json!({"context_servers": {"pathfinder": {"settings": defaults}}}));
    zed.language_server().unwrap();
    assert_eq!(zed.context_server().unwrap().args, ["mcp"]);
}
