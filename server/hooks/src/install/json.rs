//! Adds and removes hook entries in JSON settings of Claude Code's shape, which other agents share:
//! `{"hooks": {EVENT: [{"matcher", "hooks": [{"type", "command", "timeout"}]}]}}`, and of Cursor's, whose entries are not nested.
//! Comments and all other entries stay.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};

use super::OwnHook;
use super::hook_entry::{HookEntry, JsonLayout};

/// The version of Cursor's settings, the only one that its reference has (August 2026).
const FLAT_VERSION: &str = "1";

/// Returns the text with one hook for each of these entries.
///
/// # Errors
/// A message, when the text is not such settings.
pub(super) fn add_hooks(
    text: &str,
    own_hook: OwnHook<'_>,
    entries: &[HookEntry],
    layout: JsonLayout,
) -> Result<String, String> {
    let (bom, root) = parse(text)?;
    let all = root.object_value_or_create().ok_or("it is not a JSON object")?;
    if layout == JsonLayout::Flat && all.get("version").is_none() {
        all.append("version", CstInputValue::Number(FLAT_VERSION.to_owned()));
    }
    let hooks = all.object_value_or_create("hooks").ok_or("\"hooks\" in it is not an object")?;
    for HookEntry { event, matcher, timeout } in entries {
        let groups = hooks.array_value_or_create(event).ok_or_else(|| format!("{event:?} in it is not a list"))?;
        let matcher_member = || matcher.map(|matcher| ("matcher".to_owned(), matcher.into()));
        let hook = || {
            let mut hook = Vec::new();
            // Claude Code wants the type, and has the matcher outside.
            hook.extend((layout == JsonLayout::Grouped).then(|| ("type".to_owned(), "command".into())));
            hook.push(("command".to_owned(), own_hook.command.into()));
            hook.extend(matcher_member().filter(|_| layout == JsonLayout::Flat));
            hook.push(("timeout".to_owned(), CstInputValue::Number(timeout.to_string())));
            hook
        };
        let entry = match layout {
            JsonLayout::Flat => hook(),
            JsonLayout::Grouped => {
                let hooks = ("hooks".to_owned(), CstInputValue::Array(vec![CstInputValue::Object(hook())]));
                matcher_member().into_iter().chain([hooks]).collect()
            }
        };
        let mut installed = find_hooks(&groups, own_hook, layout).into_iter();
        match installed.next() {
            None => {
                groups.append(CstInputValue::Object(entry));
            }
            Some(found) if is_current(&found, *matcher, own_hook.command, *timeout) => {}
            // An entry with another program's hook is kept, and only this hook in it is replaced.
            Some(found) if found.has_siblings => {
                found.hook.replace_with(CstInputValue::Object(hook()));
            }
            Some(found) => {
                found.group.replace_with(CstInputValue::Object(entry));
            }
        }
        installed.for_each(InstalledHook::remove);
    }
    Ok(format!("{bom}{root}"))
}

/// Returns the text without this program's hooks.
///
/// # Errors
/// A message, when the text is not such settings.
pub(super) fn remove_hooks(
    text: &str,
    own_hook: OwnHook<'_>,
    entries: &[HookEntry],
    layout: JsonLayout,
) -> Result<String, String> {
    let (bom, root) = parse(text)?;
    let all = root.object_value().ok_or("it is not a JSON object")?;
    let Some(hooks) = all.object_value("hooks") else { return Ok(text.to_owned()) };
    let mut is_changed = false;
    for HookEntry { event, .. } in entries {
        let Some(groups) = hooks.array_value(event) else { continue };
        let installed = find_hooks(&groups, own_hook, layout);
        if installed.is_empty() {
            continue;
        }
        is_changed = true;
        installed.into_iter().for_each(InstalledHook::remove);
        if is_blank(&groups.children())
            && let Some(property) = hooks.get(event)
        {
            property.remove();
        }
    }
    if !is_changed {
        return Ok(text.to_owned());
    }
    if is_blank(&hooks.children())
        && let Some(property) = all.get("hooks")
    {
        property.remove();
    }
    Ok(format!("{bom}{root}"))
}

/// Returns whether the children of an object or a list are neither values nor comments.
pub(super) fn is_blank(children: &[CstNode]) -> bool {
    children.iter().all(|child| child.is_token() || child.is_whitespace() || child.is_newline())
}

/// Splits off the byte order mark and parses the rest into a lossless syntax tree.
pub(super) fn parse(text: &str) -> Result<(&str, CstRootNode), String> {
    let (bom, rest) = text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 });
    let rest = if rest.trim().is_empty() { "{}\n" } else { rest };
    let root =
        CstRootNode::parse(rest, &ParseOptions::default()).map_err(|error| format!("it is not JSON: {error}"))?;
    Ok((bom, root))
}

/// An installed hook of this program.
struct InstalledHook {
    group: CstObject,
    hook: CstObject,
    /// True if its entry contains hooks of other programs as well.
    has_siblings: bool,
}

impl InstalledHook {
    fn remove(self) {
        if self.has_siblings { self.hook.remove() } else { self.group.remove() }
    }
}

fn find_hooks(groups: &CstArray, own_hook: OwnHook<'_>, layout: JsonLayout) -> Vec<InstalledHook> {
    let is_own = |hook: &CstObject| string_member(hook, "command").is_some_and(|command| own_hook.matches(&command));
    let groups = groups.elements().into_iter().filter_map(|group| group.as_object());
    let found = groups.filter_map(|group| {
        if layout == JsonLayout::Flat {
            return is_own(&group).then(|| InstalledHook { hook: group.clone(), group, has_siblings: false });
        }
        let hooks = group.array_value("hooks")?.elements();
        let hook = hooks.iter().filter_map(CstNode::as_object).find(is_own)?;
        Some(InstalledHook { group, hook, has_siblings: hooks.len() > 1 })
    });
    found.collect()
}

/// Returns whether an installed hook needs no change.
fn is_current(found: &InstalledHook, matcher: Option<&str>, command: &str, timeout: u32) -> bool {
    let number = found.hook.get("timeout").and_then(|property| property.value()?.as_number_lit());
    string_member(&found.hook, "command").as_deref() == Some(command)
        && number.is_some_and(|number| number.to_string() == timeout.to_string())
        && (found.has_siblings || string_member(&found.group, "matcher").as_deref() == matcher)
}

pub(super) fn string_member(object: &CstObject, name: &str) -> Option<String> {
    object.get(name)?.value()?.as_string_lit()?.decoded_value().ok()
}

#[cfg(test)]
mod tests;
