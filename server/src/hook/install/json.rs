//! Entries in settings of the shape that Claude Code has and others have taken over:
//! `{"hooks": {EVENT: [{"matcher", "hooks": [{"type", "command", "timeout"}]}]}}`. Comments and all that is not ours stay.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};

use super::Ours;
use super::wanted::Wanted;

/// The text with a hook for each of these events.
///
/// # Errors
/// In words, when it is not such settings.
pub(super) fn with(text: &str, ours: Ours<'_>, wanted: &[Wanted]) -> Result<String, String> {
    let (mark, root) = parse(text)?;
    let all = root.object_value_or_create().ok_or("it is not a JSON object")?;
    let hooks = all.object_value_or_create("hooks").ok_or("\"hooks\" in it is not an object")?;
    for Wanted { event, matcher, timeout } in wanted {
        let groups = hooks.array_value_or_create(event).ok_or_else(|| format!("{event:?} in it is not a list"))?;
        let hook = || {
            CstInputValue::Object(vec![
                ("type".to_owned(), "command".into()),
                ("command".to_owned(), ours.command.into()),
                ("timeout".to_owned(), CstInputValue::Number(timeout.to_string())),
            ])
        };
        let mut entry = Vec::new();
        entry.extend(matcher.map(|matcher| ("matcher".to_owned(), matcher.into())));
        entry.push(("hooks".to_owned(), CstInputValue::Array(vec![hook()])));
        let mut there = find(&groups, ours).into_iter();
        match there.next() {
            None => {
                groups.append(CstInputValue::Object(entry));
            }
            Some(found) if is_as(&found, *matcher, ours.command, *timeout) => {}
            // With somebody else's hook beside it, the entry is not only ours.
            Some(found) if found.beside => {
                found.hook.replace_with(hook());
            }
            Some(found) => {
                found.group.replace_with(CstInputValue::Object(entry));
            }
        }
        there.for_each(Found::remove);
    }
    Ok(format!("{mark}{root}"))
}

/// The text without any of our hooks.
///
/// # Errors
/// In words, when it is not such settings.
pub(super) fn without(text: &str, ours: Ours<'_>, wanted: &[Wanted]) -> Result<String, String> {
    let (mark, root) = parse(text)?;
    let all = root.object_value().ok_or("it is not a JSON object")?;
    let Some(hooks) = all.object_value("hooks") else { return Ok(text.to_owned()) };
    for Wanted { event, .. } in wanted {
        let Some(groups) = hooks.array_value(event) else { continue };
        let there = find(&groups, ours);
        let any = !there.is_empty();
        there.into_iter().for_each(Found::remove);
        if any
            && groups.elements().is_empty()
            && let Some(property) = hooks.get(event)
        {
            property.remove();
        }
    }
    if hooks.properties().is_empty()
        && let Some(property) = all.get("hooks")
    {
        property.remove();
    }
    Ok(format!("{mark}{root}"))
}

/// The byte order mark, and the rest as a tree that remembers every character.
fn parse(text: &str) -> Result<(&str, CstRootNode), String> {
    let (mark, rest) = text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 });
    let rest = if rest.trim().is_empty() { "{}\n" } else { rest };
    let root =
        CstRootNode::parse(rest, &ParseOptions::default()).map_err(|error| format!("it is not JSON: {error}"))?;
    Ok((mark, root))
}

/// A hook of ours.
struct Found {
    group: CstObject,
    hook: CstObject,
    /// Whether its entry has others' hooks as well.
    beside: bool,
}

impl Found {
    fn remove(self) {
        if self.beside { self.hook.remove() } else { self.group.remove() }
    }
}

fn find(groups: &CstArray, ours: Ours<'_>) -> Vec<Found> {
    let groups = groups.elements().into_iter().filter_map(|group| group.as_object());
    let found = groups.filter_map(|group| {
        let hooks = group.array_value("hooks")?.elements();
        let hook = hooks
            .iter()
            .filter_map(CstNode::as_object)
            .find(|hook| text_of(hook, "command").is_some_and(|command| ours.is(&command)))?;
        Some(Found { group, hook, beside: hooks.len() > 1 })
    });
    found.collect()
}

/// Whether it says already what it is to say.
fn is_as(found: &Found, matcher: Option<&str>, command: &str, timeout: u32) -> bool {
    let number = found.hook.get("timeout").and_then(|property| property.value()?.as_number_lit());
    text_of(&found.hook, "command").as_deref() == Some(command)
        && number.is_some_and(|number| number.to_string() == timeout.to_string())
        && (found.beside || text_of(&found.group, "matcher").as_deref() == matcher)
}

fn text_of(object: &CstObject, name: &str) -> Option<String> {
    object.get(name)?.value()?.as_string_lit()?.decoded_value().ok()
}

#[cfg(test)]
mod tests;
