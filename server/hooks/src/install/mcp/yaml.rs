//! The entry of this server in goose's `config.yaml`, edited as text: all other lines stay as they are.
//!
//! `saphyr` was considered: it reads YAML, and what it writes has lost all comments. A file whose `extensions` are not written as a
//! block is refused.

use std::ops::Range;

use super::super::line_ends;
use super::NAME;

/// The key of all servers.
const SERVERS: &str = "extensions:";
/// Spaces before a server's name, if the file has none yet.
const INDENT: usize = 2;

/// Returns the number of spaces that a line begins with; `None` for a blank line or a comment.
fn indent_of(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches(' ');
    (!rest.trim_end().is_empty() && !rest.starts_with('#')).then(|| line.len() - rest.len())
}

/// The part of the file that holds the servers, in lines.
struct Block {
    /// The line of the key.
    key: usize,
    /// The lines of the servers.
    servers: Range<usize>,
    /// Spaces before a server's name.
    indent: usize,
    /// The lines of this program's entry.
    own: Option<Range<usize>>,
}

/// Finds the servers; `None` if the file has no such key, or an empty one.
fn find(lines: &[String]) -> Result<Option<Block>, String> {
    let Some(key) = lines.iter().position(|line| line.starts_with(SERVERS)) else { return Ok(None) };
    let value = lines[key][SERVERS.len()..].trim();
    if !value.is_empty() && !value.starts_with('#') {
        return Err("`extensions` in it is not written as a block".to_owned());
    }
    let end_of = |from: usize, least: usize| {
        let is_outside = |line: &String| indent_of(line).is_some_and(|indent| indent < least);
        lines[from..].iter().position(is_outside).map_or(lines.len(), |at| from + at)
    };
    let servers = key + 1..end_of(key + 1, 1);
    let indent = lines[servers.clone()].iter().find_map(|line| indent_of(line)).unwrap_or(INDENT);
    let is_own = |line: &String| indent_of(line) == Some(indent) && line.trim() == format!("{NAME}:");
    let own = lines[servers.clone()].iter().position(is_own).map(|at| servers.start + at);
    let own = own.map(|from| from..end_of(from + 1, indent + 1).min(servers.end));
    Ok(Some(Block { key, servers, indent, own }))
}

fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn joined(text: &str, lines: &[String]) -> String {
    let printed: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    line_ends::restore(text, &printed)
}

/// Returns the text with the entry. An entry that is there gets the new command.
pub(super) fn add(text: &str, program: &str, args: &[String]) -> Result<String, String> {
    let mut lines = lines_of(text);
    // Texts of JSON are texts of YAML.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let command = format!("cmd: {}", quoted(program));
    let block = find(&lines)?;
    if let Some(Block { own: Some(own), .. }) = &block {
        let line = lines[own.clone()].iter().position(|line| line.trim_start().starts_with("cmd:"));
        let at = own.start + line.ok_or("its entry of this program has no `cmd`")?;
        let indent = lines[at].len() - lines[at].trim_start().len();
        lines[at] = format!("{}{command}", &lines[at][..indent]);
        return Ok(joined(text, &lines));
    }
    let (at, indent) = if let Some(block) = &block {
        (block.key + 1, block.indent)
    } else {
        lines.push(SERVERS.to_owned());
        (lines.len(), INDENT)
    };
    let args = args.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(", ");
    let members = [
        format!("name: {NAME}"),
        "type: stdio".to_owned(),
        "enabled: true".to_owned(),
        command,
        format!("args: [{args}]"),
        "timeout: 60".to_owned(),
    ];
    let (outer, inner) = (" ".repeat(indent), " ".repeat(indent * 2));
    let entry = std::iter::once(format!("{outer}{NAME}:")).chain(members.map(|member| format!("{inner}{member}")));
    lines.splice(at..at, entry);
    Ok(joined(text, &lines))
}

/// Returns the text without the entry.
pub(super) fn remove(text: &str) -> Result<String, String> {
    let mut lines = lines_of(text);
    let Some(Block { key, servers, own: Some(own), .. }) = find(&lines)? else { return Ok(text.to_owned()) };
    let is_alone =
        own.start == servers.start && lines[own.end..servers.end].iter().all(|line| indent_of(line).is_none());
    lines.drain(if is_alone { key } else { own.start }..own.end);
    Ok(joined(text, &lines))
}

#[cfg(test)]
mod tests {
    use super::{add, remove};

    #[test]
    fn entries_come_and_go() {
        let args = ["mcp".to_owned()];
        let check = |before: &str, expect: &str| {
            let after = add(before, "/p", &args).expect(before);
            assert_eq!(after, expect, "{before:?}");
            assert_eq!(add(&after, "/p", &args).as_deref(), Ok(after.as_str()), "twice is once");
            assert_eq!(add(&after, "/q", &args).expect(before), after.replace("\"/p\"", "\"/q\""));
            remove(&after).expect(before)
        };
        let entry = "  pathfinder:\n    name: pathfinder\n    type: stdio\n    enabled: true\n    cmd: \"/p\"\n    args: [\"mcp\"]\n    timeout: 60\n";
        assert_eq!(check("", &format!("extensions:\n{entry}")), "");
        let model = "GOOSE_MODEL: x # why\n";
        assert_eq!(check(model, &format!("{model}extensions:\n{entry}")), model);
        let others = "extensions:\n  memory:\n    enabled: true\n\n# mine\nx: 1\n";
        let with = format!("extensions:\n{entry}  memory:\n    enabled: true\n\n# mine\nx: 1\n");
        assert_eq!(check(others, &with), others);
        for refused in ["extensions: {}\n", "extensions: { a: 1 }\n"] {
            assert!(add(refused, "/p", &args).is_err(), "{refused}");
        }
    }
}
