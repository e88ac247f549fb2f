//! `pathfinder hook install`: settings of agents that are edited, and that are never damaged.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::tree::Tree;

/// Each agent's file below the home directory, and below a project.
const FILES: [(&str, &str, &str); 7] = [
    ("claude-code", ".claude/settings.json", ".claude/settings.json"),
    ("cline", "Documents/Cline/Hooks/PostToolUse", ".clinerules/hooks/PostToolUse"),
    ("codex", ".codex/hooks.json", ".codex/hooks.json"),
    ("copilot", ".copilot/hooks/pathfinder.json", ".github/hooks/pathfinder.json"),
    ("cursor", ".cursor/hooks.json", ".cursor/hooks.json"),
    ("gemini", ".gemini/settings.json", ".gemini/settings.json"),
    ("opencode", ".config/opencode/plugin/pathfinder.js", ".opencode/plugin/pathfinder.js"),
];

/// A run that succeeds.
#[track_caller]
fn run(tree: &Tree, args: &[&str]) -> String {
    let run = tree.plan(&["hook", "install"]).arg_all(args).run();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run.stdout
}

#[test]
fn each_agent_is_set_up_once_and_can_be_left() {
    for (agent, user, project) in FILES {
        for (more, file) in
            [(None, Tree::home as fn(&Tree) -> _), (Some("--project"), Tree::root)].map(|(more, base)| (more, base))
        {
            let tree = Tree::new(".git/HEAD = x\nsrc/a.rs\n");
            let file = file(&tree).join(if more.is_some() { project } else { user });
            let args: Vec<&str> = [agent].into_iter().chain(more).collect();
            let with = |last: &'static str| args.iter().copied().chain([last]).collect::<Vec<_>>();
            let diff = run(&tree, &with("--dry-run"));
            assert!(diff.contains("+++ ") && !file.exists(), "{diff}");
            assert!(run(&tree, &args).contains("has the hook now"));
            let once = fs::read_to_string(&file).unwrap();
            assert!(once.contains("hook") && once.contains("pathfinder"), "{once}");
            // In a project no place of this machine is named.
            assert_eq!(once.contains(env!("CARGO_BIN_EXE_pathfinder")), more.is_none(), "{once}");
            assert!(run(&tree, &args).contains("is set up already"));
            assert_eq!(fs::read_to_string(&file).unwrap(), once, "twice is once");
            assert!(run(&tree, &with("--remove")).contains("no longer has the hook"));
            assert!(!file.exists());
            let beside = fs::read_dir(file.parent().unwrap()).unwrap();
            assert_eq!(beside.count(), 0, "{agent}: no copy of what was written by itself");
            assert!(run(&tree, &with("--remove")).contains("does not have the hook"));
        }
    }
}

/// A program that is called something else is known by its command.
#[test]
fn another_name() {
    for (agent, file, _) in FILES {
        let tree = Tree::new("src/a.rs\n");
        let file = tree.home().join(file);
        let wrapped = [agent, "--program", "nice pf"];
        run(&tree, &wrapped);
        let once = fs::read_to_string(&file).unwrap();
        assert!(run(&tree, &wrapped).contains("is set up already"), "{agent}");
        assert_eq!(fs::read_to_string(&file).unwrap(), once, "{agent}: twice is once");
        run(&tree, &[agent, "--program", "nice pf", "--remove"]);
        assert!(!fs::read_to_string(&file).unwrap_or_default().contains("pf"), "{agent}");
    }
}

#[test]
fn comments_modes_and_links_stay() {
    let tree = Tree::new("dotfiles/settings.json\n");
    let text = "{\n  // mine\n  \"permissions\": {\"allow\": [\"Read\"]}, /* why */\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n";
    let real = tree.root().join("dotfiles/settings.json");
    fs::write(&real, text).unwrap();
    fs::create_dir_all(tree.home().join(".claude")).unwrap();
    let link = tree.home().join(".claude/settings.json");
    symlink(&real, &link).unwrap();
    assert!(run(&tree, &["claude-code"]).contains("the previous settings are in"));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let after = fs::read_to_string(&real).unwrap();
    for kept in ["// mine", "\"permissions\": {\"allow\": [\"Read\"]}, /* why */", "\"Stop\": []"] {
        assert!(after.contains(kept), "{after}");
    }
    assert!(after.contains("PostToolUseFailure"), "{after}");
    assert_eq!(fs::read_to_string(tree.home().join(".claude/settings.json.before-pathfinder")).unwrap(), text);
    run(&tree, &["claude-code", "--remove"]);
    assert_eq!(fs::read_to_string(&real).unwrap(), text);
}

/// Settings that cannot be parsed are refused with a reason, and stay unchanged.
#[track_caller]
fn refused(agent: &str, file: &str, contents: &[u8], why: &str) {
    let tree = Tree::new("src/a.rs\n");
    let file = tree.home().join(file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, contents).unwrap();
    for more in [None, Some("--dry-run"), Some("--remove")] {
        let mut plan = tree.plan(&["hook", "install", agent]);
        if let Some(more) = more {
            plan = plan.arg(more);
        }
        let run = plan.run();
        // Settings without hooks need no removal.
        if more != Some("--remove") {
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
            assert!(run.stderr.contains(why) && run.stderr.contains("nothing was changed"), "{run:?}");
        }
        assert_eq!(fs::read(&file).unwrap(), contents);
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }
}

#[test]
fn broken_settings_are_never_damaged() {
    let file = ".claude/settings.json";
    refused("claude-code", file, b"{\"hooks\": {", "it is not JSON");
    refused("claude-code", file, b"{\"a\": 1,, }", "it is not JSON");
    refused("claude-code", file, b"<<<<<<< HEAD\n{}\n", "it is not JSON");
    refused("claude-code", file, b"[]", "it is not a JSON object");
    refused("claude-code", file, b"{\"hooks\": 7}", "\"hooks\" in it is not an object");
    refused("claude-code", file, b"{\"hooks\": {\"PreToolUse\": 7}}", "\"PreToolUse\" in it is not a list");
    refused("claude-code", file, b"{\"a\": \"\xff\"}", "it is not UTF-8");
    refused("gemini", ".gemini/settings.json", b"{", "it is not JSON");
    refused("codex", ".codex/hooks.json", b"{", "it is not JSON");
}

#[test]
fn clines_script_runs_and_another_one_stays() {
    let tree = Tree::new("src/a.rs\n");
    run(&tree, &["cline"]);
    let file = tree.home().join("Documents/Cline/Hooks/PostToolUse");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o111, 0o111, "it can be run");
    let ran = std::process::Command::new(&file).stdin(std::process::Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && said.contains("the event is not JSON"), "{said}");
    let (file, other) = ("Documents/Cline/Hooks/PostToolUse", b"#!/bin/sh\nexec my-hook cline\n");
    refused("cline", file, other, "it is another hook; call");
}

#[test]
fn codex_hooks_stay_where_they_are() {
    let tree = Tree::new("src/a.rs\n");
    let config = tree.home().join(".codex/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    let text =
        "# mine\nmodel = \"x\" # why\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"done\"\n";
    fs::write(&config, text).unwrap();
    run(&tree, &["codex"]);
    let after = fs::read_to_string(&config).unwrap();
    assert!(after.starts_with(text) && after.contains("[[hooks.PostToolUse.hooks]]"), "{after}");
    assert!(!tree.home().join(".codex/hooks.json").exists());
    assert!(run(&tree, &["codex"]).contains("is set up already"));
    run(&tree, &["codex", "--remove"]);
    assert_eq!(fs::read_to_string(&config).unwrap().trim_end(), text.trim_end());
}

#[test]
fn an_agent_that_there_is_not() {
    let tree = Tree::new("src/a.rs\n");
    let run = tree.plan(&["hook", "install", "nobody"]).run();
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("unknown agent \"nobody\": use one of claude-code, codex"), "{run:?}");
}

/// Each client's file below the home directory, and below a project (none: the client has no such file).
const SERVERS: [(&str, &str, Option<&str>); 9] = [
    ("claude-code", ".claude.json", Some(".mcp.json")),
    ("cline", ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", None),
    ("codex", ".codex/config.toml", Some(".codex/config.toml")),
    ("cursor", ".cursor/mcp.json", Some(".cursor/mcp.json")),
    ("gemini", ".gemini/settings.json", Some(".gemini/settings.json")),
    ("goose", ".config/goose/config.yaml", None),
    ("opencode", ".config/opencode/opencode.json", Some("opencode.json")),
    ("vscode", ".config/Code/User/mcp.json", Some(".vscode/mcp.json")),
    ("zed", ".config/zed/settings.json", Some(".zed/settings.json")),
];

/// A run of `mcp install` that succeeds.
#[track_caller]
fn serve(tree: &Tree, args: &[&str]) -> String {
    let run = tree.plan(&["mcp", "install"]).arg_all(args).run();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run.stdout
}

/// Installs twice, and removes: `before` is restored byte by byte.
#[track_caller]
fn server_comes_and_goes(client: &str, file: &std::path::Path, before: Option<&str>, more: Option<&str>) {
    let tree = Tree::new(".git/HEAD = x\nsrc/a.rs\n");
    let base = if more.is_some() { tree.root() } else { tree.home() };
    let file = base.join(file);
    if let Some(before) = before {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, before).unwrap();
    }
    let args: Vec<&str> = [client].into_iter().chain(more).collect();
    let with = |last: &'static str| args.iter().copied().chain([last]).collect::<Vec<_>>();
    assert!(serve(&tree, &with("--dry-run")).contains("+++ "));
    assert_eq!(fs::read_to_string(&file).ok().as_deref(), before, "{client}: a dry run writes nothing");
    let said = serve(&tree, &args);
    for word in ["has the server now", "next: ", "try it: ", &format!("remove it: pathfinder mcp install {client}")] {
        assert!(said.contains(word), "{said}");
    }
    let once = fs::read_to_string(&file).unwrap();
    assert!(once.contains("\"mcp\""), "{once}");
    assert_eq!(once.contains(env!("CARGO_BIN_EXE_pathfinder")), more.is_none(), "{once}");
    assert!(serve(&tree, &args).contains("is set up already"));
    assert_eq!(fs::read_to_string(&file).unwrap(), once, "{client}: twice is once");
    let doctor = tree.plan(&["doctor"]).run();
    assert!(doctor.stdout.contains(&format!("agents           {client} (")), "{doctor:?}");
    assert!(serve(&tree, &with("--remove")).contains("no longer has the server"));
    assert_eq!(fs::read_to_string(&file).ok().as_deref(), before, "{client}: removing restores the file");
    assert!(serve(&tree, &with("--remove")).contains("does not have the server"));
}

#[test]
fn servers_come_and_go() {
    for (client, user, project) in SERVERS {
        let before = match client {
            "codex" => "# mine\nmodel = \"x\" # why\n",
            "goose" => "# mine\nextensions:\n  memory:\n    enabled: true # why\n",
            _ => "{\n\t\"a\": 1, // why\n}\n",
        };
        let crlf = before.replace('\n', "\r\n");
        for before in [None, Some(before), Some(crlf.as_str())] {
            server_comes_and_goes(client, user.as_ref(), before, None);
            if let Some(project) = project {
                server_comes_and_goes(client, project.as_ref(), before, Some("--project"));
            }
        }
    }
}

/// A server that another program changed since is taken out, and the rest stays.
#[test]
fn later_changes_stay() {
    let tree = Tree::new("src/a.rs\n");
    let file = tree.home().join(".cursor/mcp.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}}\n").unwrap();
    serve(&tree, &["cursor"]);
    let changed = fs::read_to_string(&file).unwrap().replace("\"x\"", "\"y\"");
    fs::write(&file, changed).unwrap();
    serve(&tree, &["cursor", "--remove"]);
    let after: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(after, serde_json::json!({"mcpServers": {"other": {"command": "y"}}}));
}

/// A file's line ends stay: all lines of the user are there byte by byte, installed and removed, and new ones end the same.
#[track_caller]
fn keeps_line_ends(command: &str, name: &str, file: &str, before: &str, later: &str) {
    let tree = Tree::new("src/a.rs\n");
    let file = tree.home().join(file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, before).unwrap();
    let install = |more: &[&str]| {
        let run = tree.plan(&[command, "install", name]).arg_all(more).run();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    };
    install(&[]);
    let once = fs::read_to_string(&file).unwrap();
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let mut rest = old.iter().peekable();
    for line in once.split_inclusive('\n') {
        if rest.next_if(|old| **old == line).is_none() {
            assert!(line.ends_with("\r\n") || !line.ends_with('\n'), "{line:?} of {once:?}");
        }
    }
    assert_eq!(rest.next(), None, "{once:?}");
    // A change since: the file is edited, and not restored from its copy.
    let changed = format!("{once}{later}");
    fs::write(&file, &changed).unwrap();
    install(&["--remove"]);
    let removed = fs::read_to_string(&file).unwrap();
    assert!(!removed.contains("pathfinder"), "{removed:?}");
    assert_eq!(removed, format!("{before}{later}"), "{command} {name}");
}

#[test]
fn line_ends_stay() {
    let later = "[later]\r\na = 1\nb = 2\r\n";
    let text = "# mine\r\nmodel = \"x\" # why\n\r\n[a]\r\nlong = \"\"\"\r\none\ntwo\r\n\"\"\"\r\n\nb = 1\r\n";
    keeps_line_ends("mcp", "codex", ".codex/config.toml", text, later);
    keeps_line_ends("mcp", "codex", ".codex/config.toml", &format!("\u{feff}{text}"), later);
    let hooks = "\r\n[[hooks.Stop]]\r\n[[hooks.Stop.hooks]]\r\ntype = \"command\"\ncommand = \"done\"\r\n";
    keeps_line_ends("hook", "codex", ".codex/config.toml", &format!("{text}{hooks}"), later);
    let text = "{\r\n\t// mine\n\t\"a\": 1, /* why\r\nso */\r\n\n\t\"b\": {\"c\": 2},\r\n}\r\n";
    for (client, file, _) in SERVERS.into_iter().filter(|(client, ..)| *client != "codex") {
        keeps_line_ends("mcp", client, file, text, "// later\r\n\n");
    }
    keeps_line_ends("hook", "claude-code", ".claude/settings.json", text, "// later\r\n\n");
}

/// Settings that all projects share: the server serves the project of the last installation.
#[test]
fn roots_of_shared_settings() {
    let tree = Tree::new("one/.git/HEAD = x\ntwo/.git/HEAD = x\ntwo/src/a.rs\n");
    let file = tree.home().join(SERVERS[1].1);
    let settings = || fs::read_to_string(&file).unwrap();
    let root = |name: &str| dunce::canonicalize(tree.root().join(name)).unwrap().to_str().unwrap().to_owned();
    let (one, two) = (root("one"), root("two"));
    let install = |root: &str| tree.plan(&["--root", root, "mcp", "install", "cline"]).run();
    assert!(!install("one").stdout.contains("before"));
    let first = settings();
    assert!(first.contains(&one), "{first}");
    // The client keeps its switches in the entry too.
    let first = first.replace("\"autoApprove\"", "\"disabled\": true, \"autoApprove\"");
    fs::write(&file, &first).unwrap();
    let run = install("two/src");
    assert!(
        run.code == Some(0) && run.stdout.contains(&format!("has the server now; it served {one} before")),
        "{run:?}"
    );
    assert_eq!(settings(), first.replace(&one, &two));
    assert!(install("two").stdout.contains("is set up already"));
    // With arguments of the user it is left as it is.
    for (args, other) in [
        (format!("\"--root\", \"{one}\", \"--ask\""), Some(&one)),
        (format!("\"--root={one}\""), Some(&one)),
        (format!("\"--root\", \"{one}\", \"--root\", \"{two}\""), None),
        ("\"--ask\"".to_owned(), None),
    ] {
        let text =
            format!("{{\"mcpServers\": {{\"pathfinder\": {{\"command\": \"/old\", \"args\": [\"mcp\", {args}]}}}}}}");
        fs::write(&file, &text).unwrap();
        let run = install("two");
        if let Some(other) = other {
            assert!(run.code == Some(2) && run.stderr.contains(&format!("serves {other}: ")), "{run:?}");
            assert_eq!(settings(), text);
        } else {
            assert!(run.code == Some(0) && settings().contains(&format!("[\"mcp\", {args}]")), "{run:?}");
        }
    }
}

/// Claude Code keeps its history there.
#[test]
fn large_settings() {
    let tree = Tree::new("src/a.rs\n");
    let file = tree.home().join(".claude.json");
    let before = format!(
        "{{\n  \"history\": [\n{}    \"x\"\n  ]\n}}\n",
        format!("    \"{}\",\n", "x".repeat(1000)).repeat(20_000)
    );
    fs::write(&file, &before).unwrap();
    assert!(serve(&tree, &["claude-code"]).contains("has the server now"));
    let doctor = tree.plan(&["doctor"]).run();
    assert!(doctor.stdout.contains("agents           claude-code ("), "{doctor:?}");
    serve(&tree, &["claude-code", "--remove"]);
    assert!(fs::read_to_string(&file).unwrap() == before, "removing restores the file");
    // A repository's file holds no history, and doctor reads it too.
    fs::write(tree.root().join(".mcp.json"), &before).unwrap();
    let run = tree.plan(&["mcp", "install", "claude-code", "--project"]).run();
    assert!(run.code == Some(2) && run.stderr.contains("it is larger than 4194304 bytes"), "{run:?}");
}

/// Installs over an entry of another path; removing restores the user's own text, never the earlier entry.
#[track_caller]
fn restores_own_text(command: &str, name: &str, file: &str, before: Option<&str>) {
    let tree = Tree::new("src/a.rs\n");
    let file = tree.home().join(file);
    if let Some(before) = before {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, before).unwrap();
    }
    for args in [&["--program", "/old/pathfinder"][..], &[], &["--remove"]] {
        let run = tree.plan(&[command, "install", name]).arg_all(args).run();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    }
    assert_eq!(fs::read_to_string(&file).ok().as_deref(), before, "{command} {name}");
}

#[test]
fn removing_after_two_installations() {
    for before in [None, Some("{\n\t\"a\": 1, // why\n}\n")] {
        restores_own_text("hook", "claude-code", ".claude/settings.json", before);
        restores_own_text("mcp", "cursor", ".cursor/mcp.json", before);
        restores_own_text("mcp", "opencode", ".config/opencode/opencode.json", before);
    }
    for before in [None, Some("# mine\nmodel = \"x\" # why\n")] {
        restores_own_text("mcp", "codex", ".codex/config.toml", before);
    }
}

/// Members of this server's entry that the user added stay, whatever is installed over them.
#[test]
fn own_members_stay() {
    let tree = Tree::new("src/a.rs\n");
    for (client, file, text) in [
        (
            "cursor",
            ".cursor/mcp.json",
            r#"{"mcpServers": {"pathfinder": {"command": "/old", "args": ["mcp", "--ask"], "env": {}}}}"#,
        ),
        (
            "opencode",
            ".config/opencode/opencode.json",
            r#"{"mcp": {"pathfinder": {"type": "local", "command": ["/old", "mcp", "--ask"], "enabled": false}}}"#,
        ),
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.pathfinder]\ncommand = \"/old\"\nargs = [\"mcp\", \"--ask\"]\nenv = { A = \"1\" }\n",
        ),
    ] {
        let file = tree.home().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        serve(&tree, &[client, "--program", "/new"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text.replace("/old", "/new"), "{client}");
    }
}

/// A file that installing had created became a link since: the link stays, and the entry goes.
#[test]
fn removing_keeps_links() {
    let tree = Tree::new("src/a.rs\n");
    let file = tree.home().join(".cursor/mcp.json");
    serve(&tree, &["cursor"]);
    let real = tree.root().join("mcp.json");
    fs::rename(&file, &real).unwrap();
    symlink(&real, &file).unwrap();
    serve(&tree, &["cursor", "--remove"]);
    assert!(fs::symlink_metadata(&file).unwrap().is_symlink());
    assert!(!fs::read_to_string(&real).unwrap().contains("pathfinder"));
}

/// The project of `--root` is set up, not the current directory.
#[test]
fn other_projects() {
    let tree = Tree::new("src/a.rs\nother/.git/HEAD = x\n");
    for (command, file) in [("mcp", ".mcp.json"), ("hook", ".claude/settings.json")] {
        let run = tree.plan(&["--root=other", command, "install", "claude-code", "--project"]).run();
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(tree.root().join("other").join(file).exists() && !tree.root().join(file).exists(), "{run:?}");
        let run = tree.plan(&["--root=other", "--root=src", command, "install", "claude-code", "--project"]).run();
        assert!(run.code == Some(2) && run.stderr.contains("give --root once"), "{run:?}");
    }
}

/// A failure has its reason once.
#[test]
fn reasons_are_said_once() {
    let tree = Tree::new("src/a.rs\n");
    let file = tree.home().join(".cursor/mcp.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    symlink("gone.json", &file).unwrap();
    let run = tree.plan(&["mcp", "install", "cursor"]).run();
    assert!(run.code == Some(2) && run.stderr.contains("nothing was changed"), "{run:?}");
    assert_eq!(run.stderr.matches("could not be written").count(), 1, "{run:?}");
    assert_eq!(run.stderr.matches("os error").count(), 1, "{run:?}");
}

#[test]
fn doctor_names_each_installation_once() {
    let tree = Tree::new(".git/HEAD = x\nsrc/a.rs\n");
    for (client, ..) in SERVERS {
        serve(&tree, &[client]);
    }
    for (agent, ..) in FILES {
        run(&tree, &[agent]);
    }
    fs::create_dir_all(tree.root().join(".gemini")).unwrap();
    fs::write(tree.root().join(".gemini/settings.json"), "{\"hooks\": {}}\n").unwrap();
    let report = tree.plan(&["doctor", "--format=json"]).run().json();
    let names = |part: &str| -> Vec<String> {
        let all = report["installed"][part].as_array().unwrap_or_else(|| panic!("{report:#}"));
        let mut names: Vec<_> = all.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("agents"), SERVERS.map(|(client, ..)| client));
    assert_eq!(names("hooks"), FILES.map(|(agent, ..)| agent));
}
