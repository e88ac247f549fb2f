//! The same entries in Codex's `config.toml`, where somebody has hooks there already.

use std::path::Path;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::wanted::Wanted;
use super::{FILE_MAX, Ours};
use crate::os::regular_file;

/// Whether the file has hooks for any event. One that cannot be read has none: then it is not touched.
pub(super) fn has_hooks(file: &Path) -> bool {
    let text = regular_file::read_to_string(file, FILE_MAX).unwrap_or_default();
    let Ok(document) = text.parse::<DocumentMut>() else { return false };
    let hooks = document.get("hooks").and_then(Item::as_table_like);
    hooks.is_some_and(|hooks| hooks.iter().any(|(_, item)| item.is_array_of_tables() || item.is_array()))
}

/// The text with a hook for each of these events.
///
/// # Errors
/// In words, when it is not such settings.
pub(super) fn with(text: &str, ours: Ours<'_>, wanted: &[Wanted]) -> Result<String, String> {
    let mut document = parse(text)?;
    for Wanted { event, matcher, timeout } in wanted {
        let mut hook = Table::new();
        hook["type"] = value("command");
        hook["command"] = value(ours.command);
        hook["timeout"] = value(i64::from(*timeout));
        let groups = groups(&mut document, event)?;
        if let Some((group, at)) = find(groups, ours) {
            let group = groups.get_mut(group).ok_or("it changed while it was looked at")?;
            let hooks = group["hooks"].as_array_of_tables_mut().ok_or("it changed while it was looked at")?;
            let alone = hooks.len() == 1;
            if let Some(found) = hooks.get_mut(at) {
                for (name, item) in hook
                    .iter()
                    .filter(|(name, item)| found.get(name).map(text_of) != Some(text_of(item)))
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
    Ok(document.to_string())
}

/// The text without any of our hooks.
///
/// # Errors
/// In words, when it is not such settings.
pub(super) fn without(text: &str, ours: Ours<'_>, wanted: &[Wanted]) -> Result<String, String> {
    let mut document = parse(text)?;
    for Wanted { event, .. } in wanted {
        if document.get("hooks").and_then(|hooks| hooks.get(event)).is_none() {
            continue;
        }
        let groups = groups(&mut document, event)?;
        while let Some((group, at)) = find(groups, ours) {
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
    Ok(document.to_string())
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| format!("it is not TOML: {}", error.message()))
}

fn groups<'d>(document: &'d mut DocumentMut, event: &str) -> Result<&'d mut ArrayOfTables, String> {
    let hooks = document.entry("hooks").or_insert_with(|| Item::Table(Table::new()));
    let hooks = hooks.as_table_like_mut().ok_or("\"hooks\" in it is not a table")?;
    let groups = hooks.entry(event).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    groups.as_array_of_tables_mut().ok_or_else(|| format!("hooks.{event} in it is not written as [[hooks.{event}]]"))
}

/// Where our hook is: which entry, which hook of it.
fn find(groups: &ArrayOfTables, ours: Ours<'_>) -> Option<(usize, usize)> {
    groups.iter().enumerate().find_map(|(at, group)| {
        let hooks = group.get("hooks")?.as_array_of_tables()?;
        let is_ours = |hook: &Table| hook.get("command").and_then(Item::as_str).is_some_and(|text| ours.is(text));
        Some((at, hooks.iter().position(is_ours)?))
    })
}

fn text_of(item: &Item) -> String {
    item.to_string().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::Ours;
    use super::super::wanted::Wanted;
    use super::{with, without};

    const WANTED: [Wanted; 2] = [
        Wanted { event: "PreToolUse", matcher: Some("Bash"), timeout: 10 },
        Wanted { event: "UserPromptSubmit", matcher: None, timeout: 10 },
    ];
    const OTHERS: &str = "# mine\nmodel = \"x\"\n\n[[hooks.PreToolUse]] # theirs\nmatcher = \"^Bash$\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"check\"\n";

    fn ours(command: &str) -> Ours<'_> {
        Ours { agent: "codex", command }
    }

    #[test]
    fn others_stay_and_twice_is_once() {
        let once = with(OTHERS, ours("/bin/pathfinder hook codex"), &WANTED).expect("settings");
        assert!(once.starts_with(OTHERS), "{once}");
        assert_eq!(once.matches("/bin/pathfinder hook codex").count(), 2, "{once}");
        assert_eq!(with(&once, ours("/bin/pathfinder hook codex"), &WANTED).expect("settings"), once);
        let moved = with(&once, ours("/opt/pathfinder hook codex"), &WANTED).expect("settings");
        assert_eq!(moved, once.replace("/bin/", "/opt/"));
        assert_eq!(
            without(&moved, ours("/bin/pathfinder hook codex"), &WANTED).expect("settings").trim_end(),
            OTHERS.trim_end()
        );
    }

    #[test]
    fn what_is_something_else_is_refused() {
        for (text, expect) in [
            ("a = [", "it is not TOML"),
            ("hooks = 1", "\"hooks\" in it is not a table"),
            ("[hooks]\nPreToolUse = []", "hooks.PreToolUse in it is not written as"),
        ] {
            let error = with(text, ours("pathfinder hook codex"), &WANTED).expect_err("refused");
            assert!(error.starts_with(expect), "{error}");
        }
    }
}
