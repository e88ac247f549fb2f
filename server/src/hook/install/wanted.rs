//! `Wanted`: what an agent is to say.

/// One event that is listened to.
pub(super) struct Wanted {
    pub(super) event: &'static str,
    /// Of which tools; all, or no tools' event, without.
    pub(super) matcher: Option<&'static str>,
    /// In the agent's unit.
    pub(super) timeout: u32,
}
