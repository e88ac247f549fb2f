//! Resource handles that Zed passes to an extension. They have no contents here, as there is one world.

/// A folder that is open in Zed.
pub struct Worktree;
/// All that is open in a window.
pub struct Project;
/// The target of indexed documentation.
pub struct Shelf;
