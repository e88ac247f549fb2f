//! Table of the tools that take a path. One table serves all agents, since their tool names do not conflict, and the MCP servers
//! that any agent may use. The agents' modules call it.

use serde_json::{Map, Value};

use super::event::{ToolCall, ToolKind};
use super::read_only_programs;

/// Tools by name, in lower case without `_`. Tools that write are absent, so that the hook ignores them.
const TOOLS: [(&str, ToolKind); 31] = [
    ("read", ToolKind::Read),
    ("readfile", ToolKind::Read),
    ("readtextfile", ToolKind::Read),
    ("readmediafile", ToolKind::Read),
    ("notebookread", ToolKind::Read),
    ("view", ToolKind::Read),
    ("viewimage", ToolKind::Read),
    ("getfilecontents", ToolKind::Read),
    ("getsymbolsoverview", ToolKind::Read),
    ("filestat", ToolKind::Read),
    ("getfileinfo", ToolKind::Read),
    ("ls", ToolKind::List),
    ("list", ToolKind::List),
    ("listdir", ToolKind::List),
    ("listfiles", ToolKind::List),
    ("listdirectory", ToolKind::List),
    ("listdirectorywithsizes", ToolKind::List),
    ("directorytree", ToolKind::List),
    ("grep", ToolKind::Search),
    ("grepsearch", ToolKind::Search),
    ("rg", ToolKind::Search),
    ("glob", ToolKind::Search),
    ("searchfiles", ToolKind::Search),
    ("searchfilecontent", ToolKind::Search),
    ("edit", ToolKind::Edit),
    ("multiedit", ToolKind::Edit),
    ("notebookedit", ToolKind::Edit),
    ("replace", ToolKind::Edit),
    ("strreplace", ToolKind::Edit),
    ("editfile", ToolKind::Edit),
    ("replaceregex", ToolKind::Edit),
];

/// Tools that run a shell command.
const SHELLS: [&str; 7] =
    ["bash", "shell", POWERSHELL, "runshellcommand", "execcommand", "localshell", "runinterminal"];

/// The shell tool with commands that are not POSIX.
const POWERSHELL: &str = "powershell";

/// Arguments that hold a path, in order of precedence.
const PATH_ARGUMENTS: [&str; 9] = [
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "dir_path",
    "notebook_path",
    "relative_path",
    "filename",
    "directory",
];

/// Arguments with text that the right file contains: the text to replace.
const OLD_TEXT_ARGUMENTS: [&str; 4] = ["old_string", "oldString", "old_str", "needle"];

/// Arguments with text that the right file may contain: the search pattern.
const SEARCH_ARGUMENTS: [&str; 4] = ["symbol", "name_path", "pattern", "query"];

/// Arguments with the agent's description of its task.
const INTENT_ARGUMENTS: [&str; 3] = ["description", "instruction", "intent"];

/// Decodes a tool's name and arguments; `None` if the tool takes no path, or writes.
pub(super) fn parse_call(tool: &str, input: &Value) -> Option<ToolCall> {
    let name = normalize_name(tool);
    let kind = TOOLS.iter().find(|(known, _)| *known == name)?.1;
    let input = input.as_object()?;
    let field = PATH_ARGUMENTS.into_iter().find(|field| has_text(input, field))?;
    let path = input[field].as_str()?.to_owned();
    let edits = input.get("edits").and_then(Value::as_array).and_then(|edits| edits.first()?.as_object());
    let replaced = first_text(input, &OLD_TEXT_ARGUMENTS).or_else(|| first_text(edits?, &OLD_TEXT_ARGUMENTS));
    // An edit that replaces nothing creates a file.
    if kind == ToolKind::Edit && replaced.is_none() {
        return None;
    }
    let line = ["offset", "start_line", "startLine"].iter().find_map(|field| input.get(*field)?.as_u64());
    let range = input.get("view_range").and_then(|range| range.get(0)?.as_u64());
    Some(ToolCall {
        kind,
        path_argument: field,
        command: None,
        is_builtin: !tool.starts_with("mcp"),
        path,
        line: line.or(range).map_or(1, |line| usize::try_from(line).unwrap_or(usize::MAX).max(1)),
        evidence: replaced,
        hint: first_text(input, &SEARCH_ARGUMENTS).filter(|text| kind != ToolKind::List && is_literal(text)),
        intent: first_text(input, &INTENT_ARGUMENTS).unwrap_or_default(),
        input: input.clone(),
    })
}

/// Decodes a call that is about to run, including a shell command that only reads one file or lists one directory.
///
/// Commands of PowerShell are ignored: its `cat` and `ls` are other programs with other options.
pub(super) fn parse_call_or_command(tool: &str, input: &Value) -> Option<ToolCall> {
    let is_posix = || is_shell(tool) && normalize_name(tool) != POWERSHELL;
    parse_call(tool, input).or_else(|| is_posix().then(|| read_command(input)).flatten())
}

fn read_command(input: &Value) -> Option<ToolCall> {
    let field = ["command", "cmd"].into_iter().find(|field| input[*field].is_string())?;
    let (kind, command) = read_only_programs::parse(input[field].as_str()?)?;
    Some(ToolCall {
        kind,
        input: input.as_object()?.clone(),
        path_argument: field,
        path: command.operand().to_owned(),
        command: Some(command),
        is_builtin: true,
        line: 1,
        evidence: None,
        hint: None,
        intent: input["description"].as_str().unwrap_or_default().to_owned(),
    })
}

/// Returns whether a tool runs shell commands.
pub(super) fn is_shell(tool: &str) -> bool {
    SHELLS.contains(&normalize_name(tool).as_str())
}

/// Normalizes a tool's name: `mcp__server__read_file`, `mcp_server_read_file` and `Read_File` become `readfile`.
fn normalize_name(tool: &str) -> String {
    let name = match tool.rsplit_once("__") {
        Some((server, name)) if server.starts_with("mcp") => name,
        _ => tool,
    };
    let name: String = name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect();
    // A single underscore does not show where the server's name ends.
    let known = || TOOLS.iter().map(|(known, _)| *known).filter(|known| known.len() > 4);
    match name.strip_prefix("mcp").filter(|_| tool.starts_with("mcp_") && !tool.starts_with("mcp__")) {
        Some(rest) => known().find(|known| rest.ends_with(known)).map_or(name.clone(), str::to_owned),
        None => name,
    }
}

fn has_text(input: &Map<String, Value>, field: &str) -> bool {
    input.get(field).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty())
}

fn first_text(input: &Map<String, Value>, fields: &[&str]) -> Option<String> {
    let field = fields.iter().find(|field| has_text(input, field))?;
    input[*field].as_str().map(str::to_owned)
}

/// Returns whether a pattern is literal text, which a file contains or not.
fn is_literal(pattern: &str) -> bool {
    pattern.len() > 2 && !pattern.contains(['*', '+', '?', '|', '\\', '[', '^', '$', '{', '\n'])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{ToolKind, parse_call, parse_call_or_command};

    #[track_caller]
    fn check(tool: &str, input: &Value, expect: Option<(ToolKind, &str)>) {
        let found = parse_call(tool, input).map(|call| (call.kind, call.path));
        assert_eq!(found, expect.map(|(kind, path)| (kind, path.to_owned())), "{tool} {input}");
    }

    #[test]
    fn decodes_tools_by_name() {
        check("Read", &json!({"file_path": "a"}), Some((ToolKind::Read, "a")));
        check("read", &json!({"filePath": "a"}), Some((ToolKind::Read, "a")));
        check("view", &json!({"path": "a"}), Some((ToolKind::Read, "a")));
        check("list_directory", &json!({"dir_path": "a"}), Some((ToolKind::List, "a")));
        check("Grep", &json!({"pattern": "x", "path": "a"}), Some((ToolKind::Search, "a")));
        check("mcp__filesystem__read_text_file", &json!({"path": "a"}), Some((ToolKind::Read, "a")));
        check("mcp_my_server_read_file", &json!({"path": "a"}), Some((ToolKind::Read, "a")));
        check("Edit", &json!({"file_path": "a", "old_string": "x"}), Some((ToolKind::Edit, "a")));
        check("MultiEdit", &json!({"file_path": "a", "edits": [{"old_string": "x"}]}), Some((ToolKind::Edit, "a")));
    }

    #[test]
    fn ignores_tools_that_write_or_have_no_path() {
        for tool in
            ["Write", "write_file", "create", "create_directory", "mcp__filesystem__write_file", "Task", "", "mcp__"]
        {
            check(tool, &json!({"file_path": "a", "path": "a", "old_string": "x"}), None);
        }
        check("Edit", &json!({"file_path": "a", "old_string": ""}), None);
        check("replace", &json!({"file_path": "a"}), None);
        check("Grep", &json!({"pattern": "x"}), None);
        for input in [json!(null), json!([]), json!("a"), json!({"file_path": 7}), json!({"file_path": " "}), json!({})]
        {
            check("Read", &input, None);
        }
    }

    #[test]
    fn decodes_commands_that_only_read() {
        let check = |command: &str, expect: Option<(&str, &str)>| {
            let call = parse_call_or_command("Bash", &json!({"command": command}));
            let rewritten = call.as_ref().map(|call| call.with_path("n").expect("a command")["command"].clone());
            let found = call.map(|call| call.path).zip(rewritten);
            assert_eq!(found, expect.map(|(path, new)| (path.to_owned(), new.into())), "{command}");
        };
        check("cat src/a.rs", Some(("src/a.rs", "cat n")));
        check("head -n 20 src/a.rs", Some(("src/a.rs", "head -n 20 n")));
        check("sed -n '1,200p' src/a.rs", Some(("src/a.rs", "sed -n '1,200p' n")));
        check("ls -la src", Some(("src", "ls -la n")));
        for command in [
            "cat a b",
            "cat a; rm b",
            "cat a > b",
            "cat a | sh",
            "cat $(b)",
            "cat `b`",
            "cat *",
            "cat a\nrm b",
            "cat a && b",
            "sed -i s/a/b/ c",
            "sed -n 'w x' c",
            "sed -n 1p",
            "rm a",
            "",
            "cat",
            "cat -",
            "cat ~/a",
            "cat a&",
        ] {
            check(command, None);
        }
        let call = parse_call_or_command("Bash", &json!({"command": "cat a"})).expect("a call");
        assert_eq!(call.with_path("a b"), None, "a shell would see two");
        assert_eq!(call.with_path("-a"), None, "a program would see an option");
        let read = parse_call_or_command("Read", &json!({"file_path": "a"})).expect("a call");
        assert_eq!(read.with_path("-a"), None, "the tool may start a program");
        assert!(parse_call_or_command("powershell", &json!({"command": "cat a"})).is_none());
        assert!(parse_call_or_command("Read", &json!({"command": "cat a"})).is_none());
    }

    #[test]
    fn decodes_other_arguments() {
        let call = parse_call("Read", &json!({"file_path": "a", "offset": 30, "limit": 5})).expect("a call");
        assert_eq!(call.line, 30);
        let call = super::parse_call("Grep", &json!({"pattern": "fn main", "path": "a"})).expect("a call");
        assert_eq!(call.hint.as_deref(), Some("fn main"));
        let call = super::parse_call("Grep", &json!({"pattern": "fn .*", "path": "a"})).expect("a call");
        assert_eq!(call.hint, None);
        let call =
            super::parse_call("replace", &json!({"file_path": "a", "old_string": "x\ny", "instruction": "mend it"}));
        let call = call.expect("a call");
        assert_eq!((call.evidence.as_deref(), call.intent.as_str()), (Some("x\ny"), "mend it"));
    }
}
