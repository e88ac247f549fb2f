//! What happens in an agent, whichever it is.

use serde_json::{Map, Value};

use crate::command_line::{CommandLine, is_option_like};

/// Something that an agent tells.
#[derive(Debug)]
pub(super) enum Event {
    /// A session begins. Nothing is asked yet.
    Begun,
    /// A tool is about to run.
    Before(Call),
    /// A tool has failed.
    Failed(Call),
    /// A tool has run, maybe on something that is not there. Whether it failed is not told.
    Ended(Call),
    /// A command has printed this.
    Printed(String),
    /// The user has said this.
    Prompt(String),
    /// Nothing that concerns paths.
    Other,
}

/// What a tool does with its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Reads a file.
    Read,
    /// Lists a directory.
    List,
    /// Searches below it.
    Search,
    /// Changes a file that is there.
    Edit,
}

/// A call of a tool with a path.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) act: Act,
    /// All of its arguments.
    pub(super) input: Map<String, Value>,
    /// Which of them is the path, or has it in it.
    pub(super) field: &'static str,
    /// The command that has the path in it.
    pub(super) command: Option<CommandLine>,
    /// Whether the tool is one of the agent's own, for which the user's rules on reading hold, and not one of an MCP server.
    pub(super) is_own: bool,
    /// The path.
    pub(super) path: String,
    /// The first line that is wanted, counted from 1.
    pub(super) line: usize,
    /// Text that the file has if it is the one meant.
    pub(super) evidence: Option<String>,
    /// Text that the file may well have: what is searched for.
    pub(super) hint: Option<String>,
    /// What the agent says that it is doing.
    pub(super) intent: String,
}

impl Call {
    /// Its arguments with another path; `None` if a shell, or a program that the tool starts, would make something else of it.
    pub(super) fn with_path(&self, path: &str) -> Option<Map<String, Value>> {
        // `./-x` is no option either, but nothing is gained by it that is worth a doubt.
        if is_option_like(path) || path.starts_with("./-") {
            return None;
        }
        let argument = match &self.command {
            None => path.to_owned(),
            Some(command) => command.with_operand(path)?,
        };
        let mut input = self.input.clone();
        input.insert(self.field.to_owned(), argument.into());
        Some(input)
    }
}

/// What there is to say or do.
#[derive(Debug, PartialEq)]
pub(super) enum Repair {
    /// Nothing.
    Nothing,
    /// The tool gets these arguments, and the agent is told why.
    Rewrite {
        /// All of its arguments.
        input: Map<String, Value>,
        /// What is said of it.
        note: String,
    },
    /// The agent is told this.
    Note(String),
}

/// Why an event cannot be understood. It is only logged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Odd {
    /// A member that the contract has is not there, or is something else.
    #[error("the event has no {0}")]
    Missing(&'static str),
    /// Nobody has asked for it.
    #[error("the event {0:?} is not known")]
    Unknown(String),
}

/// A member that is a text.
pub(super) fn text<'v>(event: &'v Value, name: &'static str) -> Result<&'v str, Odd> {
    event[name].as_str().ok_or(Odd::Missing(name))
}
