//! The user's settings: the program, its arguments, and the options of its language server.

use std::collections::BTreeMap;

use zed_extension_api::serde_json::{Map, Value};
use zed_extension_api::settings::{CommandSettings, ContextServerSettings, LspSettings};
use zed_extension_api::{Command, Result};

/// A command as the user wants it; what is not said is left to the extension.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Wanted {
    /// The program.
    pub(crate) path: Option<String>,
    /// Its arguments, in the place of the subcommand.
    arguments: Option<Vec<String>>,
    /// Directories that it shall answer for, further arguments.
    roots: Vec<String>,
    /// By name, so that the same settings give the same command.
    env: BTreeMap<String, String>,
}

impl From<CommandSettings> for Wanted {
    fn from(settings: CommandSettings) -> Self {
        Self {
            path: settings.path.filter(|path| !path.is_empty()),
            arguments: settings.arguments,
            roots: Vec::new(),
            env: settings.env.unwrap_or_default().into_iter().collect(),
        }
    }
}

impl Wanted {
    /// `lsp.pathfinder.binary`.
    pub(crate) fn of_language_server(settings: LspSettings) -> Self {
        settings.binary.map(Self::from).unwrap_or_default()
    }

    /// `context_servers.pathfinder`: its own `command`, or `root` and `binary` of its `settings`.
    ///
    /// # Errors
    /// If a setting is of a type that makes no sense; which one.
    pub(crate) fn of_context_server(settings: ContextServerSettings) -> Result<Self> {
        let mut wanted = settings.command.map(Self::from).unwrap_or_default();
        let settings = match settings.settings {
            None | Some(Value::Null) => return Ok(wanted),
            Some(Value::Object(settings)) => settings,
            Some(_) => return Err(wrong("settings", "an object")),
        };
        wanted.roots = match settings.get("root") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(root)) if root.is_empty() => Vec::new(),
            Some(Value::String(root)) => vec![root.clone()],
            Some(Value::Array(roots)) => {
                texts(roots).ok_or_else(|| wrong("settings.root", "a directory, or a list of them"))?
            }
            Some(_) => return Err(wrong("settings.root", "a directory, or a list of them")),
        };
        let binary = match settings.get("binary") {
            None | Some(Value::Null) => return Ok(wanted),
            Some(Value::Object(binary)) => binary,
            Some(_) => return Err(wrong("settings.binary", "an object with path, arguments and env")),
        };
        match binary.get("path") {
            None | Some(Value::Null) => {}
            Some(Value::String(path)) if path.is_empty() => {}
            Some(Value::String(path)) => wanted.path = Some(path.clone()),
            Some(_) => return Err(wrong("settings.binary.path", "a text")),
        }
        match binary.get("arguments") {
            None | Some(Value::Null) => {}
            Some(arguments) => {
                let arguments = arguments.as_array().and_then(|arguments| texts(arguments));
                wanted.arguments =
                    Some(arguments.ok_or_else(|| wrong("settings.binary.arguments", "a list of texts"))?);
            }
        }
        match binary.get("env") {
            None | Some(Value::Null) => {}
            Some(env) => {
                let pairs = env.as_object().and_then(pairs);
                wanted.env.extend(pairs.ok_or_else(|| wrong("settings.binary.env", "an object of texts"))?);
            }
        }
        Ok(wanted)
    }

    /// The command, with the subcommand unless the user gave arguments.
    pub(crate) fn command(self, program: String, subcommand: &str) -> Command {
        let mut args = self.arguments.unwrap_or_else(|| vec![subcommand.to_owned()]);
        args.extend(self.roots.into_iter().flat_map(|root| ["--root".to_owned(), root]));
        Command { command: program, args, env: self.env.into_iter().collect() }
    }
}

/// Returns the options of the language server: `initialization_options`, and over them `settings`. Both say the same things, and a
/// server that is sent one of them without the other must not lose what the other says.
pub(crate) fn of_server(settings: LspSettings) -> Value {
    let mut all = Map::new();
    for given in [settings.initialization_options, settings.settings].into_iter().flatten() {
        // Some write the section's name as well.
        let Value::Object(mut given) = given else { continue };
        if let Some(Value::Object(section)) = given.remove("pathfinder") {
            given.extend(section);
        }
        all.extend(given);
    }
    Value::Object(all)
}

fn wrong(setting: &str, expected: &str) -> String {
    format!("context_servers.pathfinder.{setting} in Zed's settings must be {expected}")
}

fn texts(values: &[Value]) -> Option<Vec<String>> {
    values.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

fn pairs(values: &Map<String, Value>) -> Option<Vec<(String, String)>> {
    values.iter().map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use zed_extension_api::serde_json::{from_value, json};

    use super::*;

    #[test]
    fn context_servers() {
        let check = |settings: Value, expect: Result<&[&str], &str>| {
            let settings: ContextServerSettings = from_value(settings.clone()).expect("settings as Zed gives them");
            let command = Wanted::of_context_server(settings).map(|wanted| {
                let program = wanted.path.clone().unwrap_or_else(|| "found".to_owned());
                let Command { command, args, env } = wanted.command(program, "mcp");
                let env = env.into_iter().map(|(name, value)| format!("{name}={value}"));
                [command].into_iter().chain(args).chain(env).collect::<Vec<_>>()
            });
            let said = command.as_ref().map_or_else(|error| Err(error.as_str()), Ok);
            match (said, expect) {
                (Ok(said), Ok(expect)) => assert_eq!(said, expect),
                (Err(said), Err(expect)) => assert!(said.contains(expect), "{said}"),
                (said, expect) => panic!("{said:?} is not {expect:?}"),
            }
        };
        check(json!({}), Ok(&["found", "mcp"]));
        check(json!({"settings": null}), Ok(&["found", "mcp"]));
        check(json!({"settings": {}}), Ok(&["found", "mcp"]));
        check(json!({"settings": {"root": ""}}), Ok(&["found", "mcp"]));
        check(json!({"settings": {"root": "/a"}}), Ok(&["found", "mcp", "--root", "/a"]));
        check(json!({"settings": {"root": ["/a", "b"]}}), Ok(&["found", "mcp", "--root", "/a", "--root", "b"]));
        check(json!({"settings": {"binary": {"path": "/p"}}}), Ok(&["/p", "mcp"]));
        check(json!({"settings": {"binary": {"arguments": ["mcp", "-v"]}}}), Ok(&["found", "mcp", "-v"]));
        check(json!({"settings": {"binary": {"env": {"B": "2", "A": "1"}}}}), Ok(&["found", "mcp", "A=1", "B=2"]));
        check(json!({"command": {"path": "/c", "arguments": ["x"], "env": null}}), Ok(&["/c", "x"]));
        check(json!({"settings": 3}), Err("settings in Zed's settings must be an object"));
        check(json!({"settings": {"root": 3}}), Err("settings.root"));
        check(json!({"settings": {"root": [3]}}), Err("settings.root"));
        check(json!({"settings": {"binary": []}}), Err("settings.binary "));
        check(json!({"settings": {"binary": {"path": 1}}}), Err("settings.binary.path"));
        check(json!({"settings": {"binary": {"arguments": "a"}}}), Err("settings.binary.arguments"));
        check(json!({"settings": {"binary": {"env": {"A": 1}}}}), Err("settings.binary.env"));
    }

    #[test]
    fn servers() {
        let check = |settings: Value, expect: Value| {
            assert_eq!(of_server(from_value(settings).expect("settings as Zed gives them")), expect);
        };
        check(json!({}), json!({}));
        check(json!({"settings": {"hints": true}}), json!({"hints": true}));
        check(
            json!({"initialization_options": {"hints": true, "debounceMs": 5}, "settings": {"hints": false}}),
            json!({"hints": false, "debounceMs": 5}),
        );
        check(json!({"settings": {"pathfinder": {"hints": true}}}), json!({"hints": true}));
        check(json!({"settings": [1]}), json!({}));
    }

    #[test]
    fn what_is_shown_is_well_formed() {
        let schema: Value = zed_extension_api::serde_json::from_str(include_str!("configuration/settings.schema.json"))
            .expect("the schema is JSON");
        assert_eq!(schema["type"], "object");
        let defaults: String = include_str!("configuration/default_settings.jsonc")
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        let defaults: Value = zed_extension_api::serde_json::from_str(&defaults).expect("JSON but for its comments");
        let known = schema["properties"].as_object().expect("an object of properties");
        assert!(defaults.as_object().is_some_and(|all| all.keys().all(|name| known.contains_key(name))));
    }
}
