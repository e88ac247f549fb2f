//! What Zed gives to an extension to ask about: things without contents here, as there is one world.

/// A folder that is open in Zed.
pub struct Worktree;
/// All that is open in a window.
pub struct Project;
/// Where an indexed documentation would go.
pub struct Shelf;
