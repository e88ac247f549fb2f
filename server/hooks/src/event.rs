//! Events and answers in a form that all agents share. The agents' modules convert from and to it.

use serde_json::{Map, Value};

use pathfinder_protocol::command_line::{CommandLine, is_option_like};

/// One event of an agent.
#[derive(Debug)]
pub(super) enum Event {
    /// A session begins. No path is known yet.
    SessionStart,
    /// A tool is about to run.
    PreTool(ToolCall),
    /// A tool has failed.
    ToolFailed(ToolCall),
    /// A tool has run, perhaps on a missing path. The event does not say whether it failed.
    PostTool(ToolCall),
    /// A tool has tried several paths, some of which may be missing.
    PostTools(Vec<ToolCall>),
    /// A command has printed this text.
    CommandOutput(String),
    /// The user has entered this prompt.
    Prompt(String),
    /// An event that has nothing to do with paths.
    Other,
}

/// Effect of a tool on its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToolKind {
    /// Reads a file.
    Read,
    /// Lists a directory.
    List,
    /// Searches below a directory.
    Search,
    /// Changes an existing file.
    Edit,
}

/// A call of a tool that has a path argument.
#[derive(Debug)]
pub(super) struct ToolCall {
    pub(super) kind: ToolKind,
    /// All arguments.
    pub(super) input: Map<String, Value>,
    /// Name of the argument that is or contains the path.
    pub(super) path_argument: &'static str,
    /// The shell command that contains the path, if the tool runs one.
    pub(super) command: Option<CommandLine>,
    /// True for the agent's own tools, which the user's rules on reading cover; false for tools of MCP servers.
    pub(super) is_builtin: bool,
    /// The path.
    pub(super) path: String,
    /// First requested line, counted from 1.
    pub(super) line: usize,
    /// Text that the right file contains.
    pub(super) evidence: Option<String>,
    /// Text that the right file may contain: the search pattern.
    pub(super) hint: Option<String>,
    /// The agent's description of its task.
    pub(super) intent: String,
}

impl ToolCall {
    /// Returns the arguments with another path; `None` if a shell or a program that the tool starts would misread the path.
    pub(super) fn with_path(&self, path: &str) -> Option<Map<String, Value>> {
        // `./-x` would be safe too, but such a path is not worth a risk.
        if is_option_like(path) || path.starts_with("./-") {
            return None;
        }
        let argument = match &self.command {
            None => path.to_owned(),
            Some(command) => command.with_operand(path)?,
        };
        let mut input = self.input.clone();
        input.insert(self.path_argument.to_owned(), argument.into());
        Some(input)
    }
}

/// Reaction to an event.
#[derive(Debug, PartialEq)]
pub(super) enum Repair {
    /// No reaction.
    Nothing,
    /// Give the tool other arguments and tell the agent why.
    Rewrite {
        /// All new arguments.
        input: Map<String, Value>,
        /// Explanation for the agent.
        note: String,
    },
    /// Tell the agent this.
    Note(String),
}

/// Reason why an event cannot be decoded. It is only logged.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// A member of the contract is missing, or has another type.
    #[error("the event has no {0}")]
    Missing(&'static str),
    /// The hook is not registered for this event.
    #[error("the event {0:?} is not known")]
    Unknown(String),
}

/// Returns a text member of an event.
pub(super) fn text<'v>(event: &'v Value, name: &'static str) -> Result<&'v str, EventError> {
    event[name].as_str().ok_or(EventError::Missing(name))
}
