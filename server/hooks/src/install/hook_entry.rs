//! `HookEntry`: one event that an agent reports to the hook, and `JsonLayout`, its form. `agents` lists them; `json` and `toml` write them.

/// The form of an entry in JSON settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonLayout {
    /// `{"matcher", "hooks": [{"type", "command", "timeout"}]}`, as Claude Code has it.
    Grouped,
    /// `{"command", "matcher", "timeout"}` in a file with a `version`, as Cursor has it.
    Flat,
}

/// One event that the hook listens to.
pub(super) struct HookEntry {
    pub(super) event: &'static str,
    /// Pattern of tool names; `None` for all tools, or for events without a tool.
    pub(super) matcher: Option<&'static str>,
    /// Timeout in the agent's unit.
    pub(super) timeout: u32,
}
