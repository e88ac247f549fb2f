//! The literal kinds of makefiles.

pathfinder_literals::literal_kinds! {
    /// File of `include`.
    INCLUDE = "make.include";
    /// Source file in a prerequisite or a command.
    PATH = "make.path";
}
