//! `Served`: an MCP server that is asked one thing after the other, for as long as it takes.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::run::{Conversation, TIMEOUT};
use crate::tree::Tree;

/// A running `pathfinder mcp` process and its pipes.
pub(crate) struct Served<'a> {
    tree: &'a Tree,
    conversation: Conversation,
    asked: usize,
}

impl<'a> Served<'a> {
    /// Starts one in a mount namespace of its own, after these commands of a shell.
    pub(crate) fn start(tree: &'a Tree, before: &str) -> Self {
        let script = format!("said=$PWD/../said\n{before}\nexec \"$0\" mcp --root \"$PWD\" 2> \"$said\"");
        let mut conversation = tree.plan_unshared(&script).env("PATHFINDER_LOG", "warn").converse();
        let client =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
        conversation.ask(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}).to_string());
        conversation.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        Self { tree, conversation, asked: 0 }
    }

    /// Calls `path_resolve` and returns its answer.
    #[track_caller]
    pub(crate) fn resolve(&mut self, path: &str) -> String {
        self.asked += 1;
        let params = json!({"name": "path_resolve", "arguments": {"failed_path": path}});
        let call = json!({"jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": params});
        let answer = self.conversation.ask(&call.to_string());
        assert_eq!(answer["id"], self.asked, "{answer}");
        answer["result"]["structuredContent"].to_string()
    }

    /// Asks until the answer has this in it.
    #[track_caller]
    pub(crate) fn resolve_until(&mut self, path: &str, has: &str) {
        let end = Instant::now() + TIMEOUT;
        loop {
            let answer = self.resolve(path);
            if answer.contains(has) {
                return;
            }
            assert!(Instant::now() < end, "{has:?} is not in {answer}; {}", self.said());
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Returns the text on stderr.
    pub(crate) fn said(&self) -> String {
        std::fs::read_to_string(self.tree.place().join("said")).unwrap_or_default()
    }

    /// Ends it; what it has said.
    #[track_caller]
    pub(crate) fn end(self) -> String {
        let Self { tree, conversation, .. } = self;
        assert_eq!(conversation.end(), Some(0));
        std::fs::read_to_string(tree.place().join("said")).unwrap()
    }
}
