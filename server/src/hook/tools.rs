//! Which tools take a path, and what they do with it: those of all agents in one table, since their names do not contradict one
//! another, and those of MCP servers, which any of them may have.

use serde_json::{Map, Value};

use super::event::{Act, Call};
use super::readers;

/// Tools by their names in small letters, without `_`. What writes is not here: nothing is said of it.
const TOOLS: [(&str, Act); 30] = [
    ("read", Act::Read),
    ("readfile", Act::Read),
    ("readtextfile", Act::Read),
    ("readmediafile", Act::Read),
    ("notebookread", Act::Read),
    ("view", Act::Read),
    ("viewimage", Act::Read),
    ("getfilecontents", Act::Read),
    ("getsymbolsoverview", Act::Read),
    ("filestat", Act::Read),
    ("getfileinfo", Act::Read),
    ("ls", Act::List),
    ("list", Act::List),
    ("listdir", Act::List),
    ("listdirectory", Act::List),
    ("listdirectorywithsizes", Act::List),
    ("directorytree", Act::List),
    ("grep", Act::Search),
    ("grepsearch", Act::Search),
    ("rg", Act::Search),
    ("glob", Act::Search),
    ("searchfiles", Act::Search),
    ("searchfilecontent", Act::Search),
    ("edit", Act::Edit),
    ("multiedit", Act::Edit),
    ("notebookedit", Act::Edit),
    ("replace", Act::Edit),
    ("strreplace", Act::Edit),
    ("editfile", Act::Edit),
    ("replaceregex", Act::Edit),
];

/// Tools that run a command.
const SHELLS: [&str; 7] =
    ["bash", "shell", POWERSHELL, "runshellcommand", "execcommand", "localshell", "runinterminal"];

/// The one of them whose commands are not POSIX'.
const POWERSHELL: &str = "powershell";

/// Arguments that are paths; the first that is there counts.
const PATHS: [&str; 9] = [
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

/// What the file holds if it is the one meant: the text that was to be replaced.
const REPLACED: [&str; 4] = ["old_string", "oldString", "old_str", "needle"];

/// What is looked for in it.
const SOUGHT: [&str; 4] = ["symbol", "name_path", "pattern", "query"];

/// What an agent says of what it is doing.
const INTENTS: [&str; 3] = ["description", "instruction", "intent"];

/// The call that a tool's name and arguments are; `None` if it takes no path, or writes.
pub(super) fn call(tool: &str, input: &Value) -> Option<Call> {
    let name = plain(tool);
    let act = TOOLS.iter().find(|(known, _)| *known == name)?.1;
    let input = input.as_object()?;
    let field = PATHS.into_iter().find(|field| is_said(input, field))?;
    let path = input[field].as_str()?.to_owned();
    let edits = input.get("edits").and_then(Value::as_array).and_then(|edits| edits.first()?.as_object());
    let replaced = first(input, &REPLACED).or_else(|| first(edits?, &REPLACED));
    // An edit that replaces nothing makes a new file.
    if act == Act::Edit && replaced.is_none() {
        return None;
    }
    let line = ["offset", "start_line", "startLine"].iter().find_map(|field| input.get(*field)?.as_u64());
    let range = input.get("view_range").and_then(|range| range.get(0)?.as_u64());
    Some(Call {
        act,
        field,
        command: None,
        is_own: !tool.starts_with("mcp"),
        path,
        line: line.or(range).map_or(1, |line| usize::try_from(line).unwrap_or(usize::MAX).max(1)),
        evidence: replaced,
        hint: first(input, &SOUGHT).filter(|text| act != Act::List && is_literal(text)),
        intent: first(input, &INTENTS).unwrap_or_default(),
        input: input.clone(),
    })
}

/// The same for what is about to run: also a command that does nothing but read one file or list one directory. Commands of
/// PowerShell are left alone: its `cat` and `ls` are others, and have other options.
pub(super) fn about(tool: &str, input: &Value) -> Option<Call> {
    let is_posix = || is_shell(tool) && plain(tool) != POWERSHELL;
    call(tool, input).or_else(|| is_posix().then(|| read_command(input)).flatten())
}

fn read_command(input: &Value) -> Option<Call> {
    let field = ["command", "cmd"].into_iter().find(|field| input[*field].is_string())?;
    let (act, command) = readers::parse(input[field].as_str()?)?;
    Some(Call {
        act,
        input: input.as_object()?.clone(),
        field,
        path: command.operand().to_owned(),
        command: Some(command),
        is_own: true,
        line: 1,
        evidence: None,
        hint: None,
        intent: input["description"].as_str().unwrap_or_default().to_owned(),
    })
}

/// Whether a tool runs commands.
pub(super) fn is_shell(tool: &str) -> bool {
    SHELLS.contains(&plain(tool).as_str())
}

/// `mcp__server__read_file` and `mcp_server_read_file` are `readfile`, as `Read_File` is.
fn plain(tool: &str) -> String {
    let name = match tool.rsplit_once("__") {
        Some((server, name)) if server.starts_with("mcp") => name,
        _ => tool,
    };
    let name: String = name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect();
    // One underscore does not say where the server's name ends.
    let known = || TOOLS.iter().map(|(known, _)| *known).filter(|known| known.len() > 4);
    match name.strip_prefix("mcp").filter(|_| tool.starts_with("mcp_") && !tool.starts_with("mcp__")) {
        Some(rest) => known().find(|known| rest.ends_with(known)).map_or(name.clone(), str::to_owned),
        None => name,
    }
}

fn is_said(input: &Map<String, Value>, field: &str) -> bool {
    input.get(field).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty())
}

fn first(input: &Map<String, Value>, fields: &[&str]) -> Option<String> {
    let said = fields.iter().find(|field| is_said(input, field))?;
    input[*said].as_str().map(str::to_owned)
}

/// Whether a pattern is a plain text, so that a file can be said to hold it or not.
fn is_literal(pattern: &str) -> bool {
    pattern.len() > 2 && !pattern.contains(['*', '+', '?', '|', '\\', '[', '^', '$', '{', '\n'])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Act, about, call};

    #[track_caller]
    fn check(tool: &str, input: &Value, expect: Option<(Act, &str)>) {
        let found = call(tool, input).map(|call| (call.act, call.path));
        assert_eq!(found, expect.map(|(act, path)| (act, path.to_owned())), "{tool} {input}");
    }

    #[test]
    fn by_name() {
        check("Read", &json!({"file_path": "a"}), Some((Act::Read, "a")));
        check("read", &json!({"filePath": "a"}), Some((Act::Read, "a")));
        check("view", &json!({"path": "a"}), Some((Act::Read, "a")));
        check("list_directory", &json!({"dir_path": "a"}), Some((Act::List, "a")));
        check("Grep", &json!({"pattern": "x", "path": "a"}), Some((Act::Search, "a")));
        check("mcp__filesystem__read_text_file", &json!({"path": "a"}), Some((Act::Read, "a")));
        check("mcp_my_server_read_file", &json!({"path": "a"}), Some((Act::Read, "a")));
        check("Edit", &json!({"file_path": "a", "old_string": "x"}), Some((Act::Edit, "a")));
        check("MultiEdit", &json!({"file_path": "a", "edits": [{"old_string": "x"}]}), Some((Act::Edit, "a")));
    }

    #[test]
    fn what_writes_or_has_no_path_is_left_alone() {
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
    fn commands_that_only_read() {
        let check = |command: &str, expect: Option<(&str, &str)>| {
            let call = about("Bash", &json!({"command": command}));
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
        let call = about("Bash", &json!({"command": "cat a"})).expect("a call");
        assert_eq!(call.with_path("a b"), None, "a shell would see two");
        assert_eq!(call.with_path("-a"), None, "a program would see an option");
        let read = about("Read", &json!({"file_path": "a"})).expect("a call");
        assert_eq!(read.with_path("-a"), None, "the tool may start a program");
        assert!(about("powershell", &json!({"command": "cat a"})).is_none());
        assert!(about("Read", &json!({"command": "cat a"})).is_none());
    }

    #[test]
    fn what_is_known_beside_the_path() {
        let call = call("Read", &json!({"file_path": "a", "offset": 30, "limit": 5})).expect("a call");
        assert_eq!(call.line, 30);
        let call = super::call("Grep", &json!({"pattern": "fn main", "path": "a"})).expect("a call");
        assert_eq!(call.hint.as_deref(), Some("fn main"));
        let call = super::call("Grep", &json!({"pattern": "fn .*", "path": "a"})).expect("a call");
        assert_eq!(call.hint, None);
        let call = super::call("replace", &json!({"file_path": "a", "old_string": "x\ny", "instruction": "mend it"}));
        let call = call.expect("a call");
        assert_eq!((call.evidence.as_deref(), call.intent.as_str()), (Some("x\ny"), "mend it"));
    }
}
