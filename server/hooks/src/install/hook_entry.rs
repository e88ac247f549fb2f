//! `HookEntry`: one event that an agent reports to the hook. `agents` lists them; `json` and `toml` write them.

/// One event that the hook listens to.
pub(super) struct HookEntry {
    pub(super) event: &'static str,
    /// Pattern of tool names; `None` for all tools, or for events without a tool.
    pub(super) matcher: Option<&'static str>,
    /// Timeout in the agent's unit.
    pub(super) timeout: u32,
}
