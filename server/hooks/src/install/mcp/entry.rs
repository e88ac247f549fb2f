//! Adds and removes this server's entry among a client's servers. All other entries, comments and the user's own members
//! of this entry stay.

use jsonc_parser::cst::{CstInputValue, CstObject};
use toml_edit::{Array, InlineTable, Item, Table, TableLike, Value, value};

use super::super::json::{self, is_blank};
use super::super::toml;
use super::NAME;

/// Returns the text with the entry. An entry that is there gets the new `command` and the members that it lacks.
pub(super) fn add_json(text: &str, key: &str, members: Vec<(String, CstInputValue)>) -> Result<String, String> {
    let (bom, root) = json::parse(text)?;
    let all = root.object_value_or_create().ok_or("it is not a JSON object")?;
    let servers = all.object_value_or_create(key).ok_or_else(|| format!("{key:?} in it is not an object"))?;
    match servers.get(NAME) {
        Some(property) => match property.object_value() {
            Some(server) => complete(&server, members),
            None => property.set_value(CstInputValue::Object(members)),
        },
        None => _ = servers.append(NAME, CstInputValue::Object(members)),
    }
    Ok(format!("{bom}{root}"))
}

/// Sets the command of an entry, and adds the members that it lacks.
fn complete(server: &CstObject, members: Vec<(String, CstInputValue)>) {
    for (name, wanted) in members {
        let Some(property) = server.get(&name) else {
            server.append(&name, wanted);
            continue;
        };
        if name != "command" {
            continue;
        }
        let first = property.array_value().and_then(|words| words.elements().into_iter().next());
        match (first, wanted) {
            // The other words are the user's.
            (Some(first), CstInputValue::Array(words)) => {
                let program = words.into_iter().next();
                let current = first.as_string_lit().and_then(|text| text.decoded_value().ok());
                if let (Some(CstInputValue::String(program)), Some(text)) = (program, first.as_string_lit())
                    && current.as_deref() != Some(&*program)
                {
                    text.replace_with(program.as_str().into());
                }
            }
            (_, CstInputValue::String(program)) => {
                if json::string_member(server, &name).as_deref() != Some(&*program) {
                    property.set_value(program.as_str().into());
                }
            }
            (_, wanted) => property.set_value(wanted),
        }
    }
}

/// Returns the text without the entry.
pub(super) fn remove_json(text: &str, key: &str) -> Result<String, String> {
    let (bom, root) = json::parse(text)?;
    let all = root.object_value().ok_or("it is not a JSON object")?;
    let Some(servers) = all.object_value(key) else { return Ok(text.to_owned()) };
    let Some(property) = servers.get(NAME) else { return Ok(text.to_owned()) };
    property.remove();
    if is_blank(&servers.children())
        && let Some(property) = all.get(key)
    {
        property.remove();
    }
    Ok(format!("{bom}{root}"))
}

/// The table of all servers in Codex's settings.
const SERVERS: &str = "mcp_servers";

/// Returns the text with the entry, in TOML.
pub(super) fn add_toml(text: &str, program: &str, args: &[String]) -> Result<String, String> {
    let mut document = toml::parse(text)?;
    let implicit = || {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    };
    let args: Array = args.iter().map(String::as_str).collect();
    let servers = document.entry(SERVERS).or_insert_with(implicit);
    let is_inline = servers.is_inline_table();
    let servers = servers.as_table_like_mut().ok_or("mcp_servers in it is not a table")?;
    if let Some(server) = servers.get_mut(NAME).and_then(Item::as_table_like_mut) {
        set_command(server, program);
        if !server.contains_key("args") {
            server.insert("args", value(args));
        }
        return Ok(toml::print(text, &document));
    }
    let server = if is_inline {
        let mut server = InlineTable::new();
        server.insert("command", program.into());
        server.insert("args", args.into());
        value(server)
    } else {
        let mut server = Table::new();
        server["command"] = value(program);
        server["args"] = value(args);
        Item::Table(server)
    };
    servers.insert(NAME, server);
    Ok(toml::print(text, &document))
}

/// Sets the command of an entry. Spaces and comments around it stay.
fn set_command(server: &mut dyn TableLike, program: &str) {
    match server.get_mut("command").and_then(Item::as_value_mut) {
        Some(command) if command.as_str() == Some(program) => {}
        Some(command) => {
            let decor = command.decor().clone();
            *command = Value::from(program);
            *command.decor_mut() = decor;
        }
        None => _ = server.insert("command", value(program)),
    }
}

/// Returns the text without the entry, in TOML.
pub(super) fn remove_toml(text: &str) -> Result<String, String> {
    let mut document = toml::parse(text)?;
    let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_like_mut) else {
        return Ok(text.to_owned());
    };
    if servers.remove(NAME).is_none() {
        return Ok(text.to_owned());
    }
    let is_empty = servers.is_empty();
    let has_comment = document.get(SERVERS).is_some_and(|servers| servers.to_string().contains('#'))
        || document.get(SERVERS).and_then(Item::as_table).is_some_and(has_comment_beside);
    if is_empty && !has_comment {
        document.remove(SERVERS);
    }
    Ok(toml::print(text, &document))
}

/// Returns whether a comment stands above a table's header or behind it.
fn has_comment_beside(table: &Table) -> bool {
    let decor = table.decor();
    let texts = [decor.prefix(), decor.suffix()].map(|raw| raw.and_then(|raw| raw.as_str()).unwrap_or_default());
    texts.iter().any(|text| text.contains('#'))
}

#[cfg(test)]
mod tests {
    use jsonc_parser::cst::CstInputValue;

    use super::{add_json, add_toml, remove_json, remove_toml};

    /// Installs into a text twice, and removes: compares the text after each.
    #[track_caller]
    fn check_json(before: &str, installed: &str, removed: &str) {
        let members = || {
            vec![("command".to_owned(), "/new".into()), ("args".to_owned(), CstInputValue::Array(vec!["mcp".into()]))]
        };
        assert_eq!(add_json(before, "s", members()).expect("settings"), installed);
        assert_eq!(add_json(installed, "s", members()).expect("settings"), installed, "twice is once");
        assert_eq!(remove_json(installed, "s").expect("settings"), removed);
    }

    #[test]
    fn keeps_members_and_comments_of_json() {
        check_json(
            r#"{"s": {"b": 1, "pathfinder": {"command": "/old", "args": ["mcp", "--ask"], "env": {"A": "1"}}}}"#,
            r#"{"s": {"b": 1, "pathfinder": {"command": "/new", "args": ["mcp", "--ask"], "env": {"A": "1"}}}}"#,
            r#"{"s": {"b": 1}}"#,
        );
        check_json(
            "{\n  \"s\": {\n    // mine\n    \"pathfinder\": {\"command\": \"/new\", \"args\": []}\n  }\n}\n",
            "{\n  \"s\": {\n    // mine\n    \"pathfinder\": {\"command\": \"/new\", \"args\": []}\n  }\n}\n",
            "{\n  \"s\": {\n    // mine\n  }\n}\n",
        );
        for text in ["{\"s\": {}}", "{\"s\": { } }", "{ }"] {
            assert_eq!(remove_json(text, "s").expect("settings"), text, "nothing is removed");
        }
    }

    #[test]
    fn keeps_later_words_of_a_command() {
        let members = || vec![("command".to_owned(), CstInputValue::Array(vec!["/new".into(), "mcp".into()]))];
        let text = r#"{"mcp": {"pathfinder": {"command": ["/old", "mcp", "--ask"], "enabled": false}}}"#;
        assert_eq!(add_json(text, "mcp", members()).expect("settings"), text.replace("/old", "/new"));
        let text = r#"{"mcp": {"pathfinder": {"command": []}}}"#;
        assert_eq!(
            add_json(text, "mcp", members()).expect("settings").replace(char::is_whitespace, ""),
            r#"{"mcp":{"pathfinder":{"command":["/new","mcp"]}}}"#
        );
    }

    #[track_caller]
    fn check_toml(before: &str, installed: &str, removed: &str) {
        let args = ["mcp".to_owned()];
        assert_eq!(add_toml(before, "/new", &args).expect("settings"), installed);
        assert_eq!(add_toml(installed, "/new", &args).expect("settings"), installed, "twice is once");
        assert_eq!(remove_toml(installed).expect("settings"), removed);
    }

    #[test]
    fn keeps_members_and_comments_of_toml() {
        check_toml(
            "[mcp_servers.pathfinder]\ncommand = \"/old\" # mine\nargs = [\"mcp\", \"--ask\"]\nenv = { A = \"1\" }\n",
            "[mcp_servers.pathfinder]\ncommand = \"/new\" # mine\nargs = [\"mcp\", \"--ask\"]\nenv = { A = \"1\" }\n",
            "",
        );
        check_toml(
            "mcp_servers = { b = { command = \"x\" } }\n",
            "mcp_servers = { b = { command = \"x\" } , pathfinder = { command = \"/new\", args = [\"mcp\"] } }\n",
            "mcp_servers = { b = { command = \"x\" } }\n",
        );
        check_toml(
            "# mine\n[mcp_servers]\n",
            "# mine\n[mcp_servers]\n\n[mcp_servers.pathfinder]\ncommand = \"/new\"\nargs = [\"mcp\"]\n",
            "# mine\n[mcp_servers]\n",
        );
    }

    #[test]
    fn refuses_deep_toml() {
        let deep = "a = [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]";
        assert_eq!(add_toml(deep, "/new", &[]).expect_err("refused"), "its tables nest too deeply");
    }
}
