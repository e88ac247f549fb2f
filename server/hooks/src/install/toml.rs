//! Adds and removes hook entries in Codex's `config.toml`, if the user already has hooks there.

use std::path::Path;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::hook_entry::HookEntry;
use super::{MAX_SETTINGS_BYTES, OwnHook, line_ends};
use pathfinder_vfs::regular_file;
use pathfinder_vfs::toml_depth::{self, TomlTextError};

/// Returns whether the file has hooks for any event. An unreadable file counts as having none, so that it is not edited.
pub(super) fn has_hooks(file: &Path) -> bool {
    let text = regular_file::read_to_string(file, MAX_SETTINGS_BYTES).unwrap_or_default();
    let Ok(document) = toml_depth::parse(&text) else { return false };
    let hooks = document.get("hooks").and_then(Item::as_table_like);
    hooks.is_some_and(|hooks| hooks.iter().any(|(_, item)| item.is_array_of_tables() || item.is_array()))
}

/// Returns the text with one hook for each of these entries.
///
/// # Errors
/// A message, when the text is not such settings.
pub(super) fn add_hooks(text: &str, own_hook: OwnHook<'_>, entries: &[HookEntry]) -> Result<String, String> {
    let mut document = parse(text)?;
    for HookEntry { event, matcher, timeout } in entries {
        let mut hook = Table::new();
        hook["type"] = value("command");
        hook["command"] = value(own_hook.command);
        hook["timeout"] = value(i64::from(*timeout));
        let groups = groups_of_event(&mut document, event)?;
        if let Some((group, at)) = find_hook(groups, own_hook) {
            let group = groups.get_mut(group).ok_or("it changed while it was looked at")?;
            let hooks = group["hooks"].as_array_of_tables_mut().ok_or("it changed while it was looked at")?;
            let alone = hooks.len() == 1;
            if let Some(found) = hooks.get_mut(at) {
                for (name, item) in hook
                    .iter()
                    .filter(|(name, item)| found.get(name).map(trimmed_text) != Some(trimmed_text(item)))
                    .map(|(n, i)| (n.to_owned(), i.clone()))
                    .collect::<Vec<_>>()
                {
                    found[&name] = item;
                }
            }
            if let Some(matcher) =
                matcher.filter(|matcher| alone && group.get("matcher").and_then(Item::as_str) != Some(*matcher))
            {
                group["matcher"] = value(matcher);
            }
            continue;
        }
        let mut group = Table::new();
        if let Some(matcher) = matcher {
            group["matcher"] = value(*matcher);
        }
        let mut hooks = ArrayOfTables::new();
        hooks.push(hook);
        group["hooks"] = Item::ArrayOfTables(hooks);
        groups.push(group);
    }
    Ok(print(text, &document))
}

/// Returns the text without this program's hooks.
///
/// # Errors
/// A message, when the text is not such settings.
pub(super) fn remove_hooks(text: &str, own_hook: OwnHook<'_>, entries: &[HookEntry]) -> Result<String, String> {
    let mut document = parse(text)?;
    let mut is_changed = false;
    for HookEntry { event, .. } in entries {
        if document.get("hooks").and_then(|hooks| hooks.get(event)).is_none() {
            continue;
        }
        let groups = groups_of_event(&mut document, event)?;
        if find_hook(groups, own_hook).is_none() {
            continue;
        }
        is_changed = true;
        while let Some((group, at)) = find_hook(groups, own_hook) {
            let hooks = groups.get_mut(group).and_then(|group| group["hooks"].as_array_of_tables_mut());
            match hooks.filter(|hooks| hooks.len() > 1) {
                Some(hooks) => hooks.remove(at),
                None => groups.remove(group),
            };
        }
        if groups.is_empty()
            && let Some(hooks) = document["hooks"].as_table_like_mut()
        {
            hooks.remove(event);
        }
    }
    Ok(if is_changed { print(text, &document) } else { text.to_owned() })
}

pub(super) fn parse(text: &str) -> Result<DocumentMut, String> {
    toml_depth::parse(text).map_err(|error| match error {
        TomlTextError::Syntax(error) => format!("it is not TOML: {}", error.message()),
        TomlTextError::TooDeep => error.to_string(),
    })
}

/// Prints an edited document with the line ends of its text.
pub(super) fn print(text: &str, document: &DocumentMut) -> String {
    line_ends::restore(text, &document.to_string())
}

fn groups_of_event<'d>(document: &'d mut DocumentMut, event: &str) -> Result<&'d mut ArrayOfTables, String> {
    let hooks = document.entry("hooks").or_insert_with(|| Item::Table(Table::new()));
    let hooks = hooks.as_table_like_mut().ok_or("\"hooks\" in it is not a table")?;
    let groups = hooks.entry(event).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    groups.as_array_of_tables_mut().ok_or_else(|| format!("hooks.{event} in it is not written as [[hooks.{event}]]"))
}

/// Returns the position of this program's hook: the entry, and the hook within it.
fn find_hook(groups: &ArrayOfTables, own_hook: OwnHook<'_>) -> Option<(usize, usize)> {
    groups.iter().enumerate().find_map(|(at, group)| {
        let hooks = group.get("hooks")?.as_array_of_tables()?;
        let is_ours =
            |hook: &Table| hook.get("command").and_then(Item::as_str).is_some_and(|text| own_hook.matches(text));
        Some((at, hooks.iter().position(is_ours)?))
    })
}

fn trimmed_text(item: &Item) -> String {
    item.to_string().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::OwnHook;
    use super::super::hook_entry::HookEntry;
    use super::{add_hooks, remove_hooks};

    const ENTRIES: [HookEntry; 2] = [
        HookEntry { event: "PreToolUse", matcher: Some("Bash"), timeout: 10 },
        HookEntry { event: "UserPromptSubmit", matcher: None, timeout: 10 },
    ];
    const OTHERS: &str = "# mine\nmodel = \"x\"\n\n[[hooks.PreToolUse]] # theirs\nmatcher = \"^Bash$\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"check\"\n";

    fn own_hook(command: &str) -> OwnHook<'_> {
        OwnHook { agent: "codex", command }
    }

    #[test]
    fn keeps_other_entries_and_installs_once() {
        let once = add_hooks(OTHERS, own_hook("/bin/pathfinder hook codex"), &ENTRIES).expect("settings");
        assert!(once.starts_with(OTHERS), "{once}");
        assert_eq!(once.matches("/bin/pathfinder hook codex").count(), 2, "{once}");
        assert_eq!(add_hooks(&once, own_hook("/bin/pathfinder hook codex"), &ENTRIES).expect("settings"), once);
        let moved = add_hooks(&once, own_hook("/opt/pathfinder hook codex"), &ENTRIES).expect("settings");
        assert_eq!(moved, once.replace("/bin/", "/opt/"));
        assert_eq!(
            remove_hooks(&moved, own_hook("/bin/pathfinder hook codex"), &ENTRIES).expect("settings").trim_end(),
            OTHERS.trim_end()
        );
    }

    #[test]
    fn removes_nothing_from_others() {
        let text = "[hooks]\r\nStop = []\r\n";
        assert_eq!(remove_hooks(text, own_hook("/bin/pathfinder hook codex"), &ENTRIES).expect("settings"), text);
    }

    #[test]
    fn rejects_other_shapes() {
        for (text, expect) in [
            ("a = [", "it is not TOML"),
            ("a = [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", "its tables nest too deeply"),
            ("hooks = 1", "\"hooks\" in it is not a table"),
            ("[hooks]\nPreToolUse = []", "hooks.PreToolUse in it is not written as"),
        ] {
            let error = add_hooks(text, own_hook("pathfinder hook codex"), &ENTRIES).expect_err("refused");
            assert!(error.starts_with(expect), "{error}");
        }
    }
}
