//! The reading that a hook starts when an agent's session begins, so that the first question does not wait for it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use crate::run::TIMEOUT;
use crate::tree::{PROJECT, Tree};

/// The one file of such an ending in a cache directory, once it is there.
#[track_caller]
fn kept(cache: &Path, ending: &str) -> PathBuf {
    let start = Instant::now();
    loop {
        let files = fs::read_dir(cache).into_iter().flatten().map(|entry| entry.unwrap().path());
        if let Some(file) = files.into_iter().find(|path| path.extension().is_some_and(|own| own == ending)) {
            return file;
        }
        assert!(start.elapsed() < TIMEOUT, "no {ending} in {}", cache.display());
        thread::sleep(Duration::from_millis(5));
    }
}

/// The default cache directory of a test's user.
fn cache(tree: &Tree) -> PathBuf {
    tree.home().join(".cache/pathfinder")
}

/// Waits until the tree was read and no process holds the lock.
#[track_caller]
fn was_read(cache: &Path) {
    kept(cache, "listing");
    File::open(kept(cache, "ahead")).unwrap().lock().unwrap();
}

/// Tells a hook something to which there is no answer.
#[track_caller]
fn tell(tree: &Tree, args: &[&str], event: &Value) {
    let run = tree.plan(args).stdin(event.to_string()).within("/").run();
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""), "{run:?}");
}

#[test]
fn a_session_begins() {
    for (agent, event) in [
        (
            "claude-code",
            json!({"session_id": "s", "transcript_path": "/t", "hook_event_name": "SessionStart", "source": "startup"}),
        ),
        (
            "codex",
            json!({"session_id": "s", "model": "m", "permission_mode": "default", "hook_event_name": "SessionStart", "source": "resume"}),
        ),
        (
            "gemini",
            json!({"session_id": "s", "timestamp": "2026-11-20T00:00:00Z", "hook_event_name": "SessionStart", "source": "startup"}),
        ),
        ("copilot", json!({"sessionId": "s", "timestamp": 1, "source": "new", "initialPrompt": "x"})),
        ("opencode", json!({"event": "init"})),
    ] {
        let tree = Tree::new(&format!("{PROJECT}\n.git/"));
        let mut event = event;
        event[if agent == "opencode" { "directory" } else { "cwd" }] = json!(tree.root());
        tell(&tree, &["hook", agent], &event);
        was_read(&cache(&tree));
        let index = tree.plan(&["index", "--format=json"]).run().json();
        let source = &index["roots"][0]["source"];
        assert_eq!(source, "brought up to date", "{agent}: {index}");
    }
}

#[test]
fn uses_the_settings_of_the_hook() {
    let tree = Tree::new("one/src/config.rs\nother/src/main.rs\n");
    let [one, other, cache] = ["one", "other", "cache"].map(|name| tree.root().join(name).display().to_string());
    let args = [
        "hook",
        "claude-code",
        "--root",
        &one,
        "--root",
        &other,
        "--cache-dir",
        &cache,
        "--share=off",
        "--include-dirs=-x",
    ];
    tell(&tree, &args, &json!({"hook_event_name": "SessionStart"}));
    was_read(Path::new(&cache));
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 3, "two listings and a lock");
}

#[test]
fn a_session_may_begin_anywhere() {
    let tree = Tree::new("");
    for cwd in [tree.home(), PathBuf::from("/")] {
        tell(&tree, &["hook", "claude-code"], &json!({"hook_event_name": "SessionStart", "cwd": cwd}));
        // The command that the hook starts.
        let run = tree.plan(&["hook", "ahead"]).within(&cwd).run();
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
        assert!(!cache(&tree).exists());
    }
}

#[test]
fn one_at_a_time() {
    let tree = Tree::new(PROJECT);
    let ahead = || assert_eq!(tree.plan(&["hook", "ahead"]).run().code, Some(0));
    ahead();
    let cache = cache(&tree);
    let listing = kept(&cache, "listing");
    fs::remove_file(&listing).unwrap();
    ahead();
    assert!(!listing.exists(), "it was read a moment ago");
    let lock = File::options().append(true).open(kept(&cache, "ahead")).unwrap();
    lock.set_modified(SystemTime::now() - Duration::from_mins(2)).unwrap();
    lock.lock().unwrap();
    ahead();
    assert!(!listing.exists(), "another process reads it");
    drop(lock);
    ahead();
    assert!(listing.exists());
}

/// A tree that changed seconds ago cannot be validated by its times later.
#[test]
fn a_session_that_begins_in_a_new_clone() {
    let tree = Tree::new(&format!("{PROJECT}\n.git/\n.gitignore = target"));
    tell(&tree, &["hook", "claude-code"], &json!({"hook_event_name": "SessionStart", "cwd": tree.root()}));
    was_read(&cache(&tree));
    let index = tree.plan(&["index", "--format=json"]).run().json();
    assert_eq!(index["roots"][0]["source"], "brought up to date", "{index}");
}

#[test]
fn where_nothing_can_be_kept() {
    let tree = Tree::new(PROJECT);
    for cache in ["/proc/nowhere", "README.md/cache"] {
        let run = tree.plan(&["hook", "ahead"]).env("PATHFINDER_CACHE_DIR", cache).env("PATHFINDER_LOG", "info").run();
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stderr.contains("nothing is read ahead") && !run.stderr.contains("indexed"), "{run:?}");
    }
}

/// A tree that takes longer to read than an agent waits would never be known if each hook began anew.
#[test]
fn a_hook_that_is_late() {
    let tree = Tree::new(PROJECT);
    // Its event never ends.
    assert_eq!(tree.plan(&["hook", "claude-code"]).converse().wait(), Some(0));
    was_read(&cache(&tree));
}
