//! The literal kinds of Zig.

pathfinder_literals::literal_kinds! {
    /// File of `@embedFile`.
    EMBED = "zig.embed";
    /// File of `@import`.
    IMPORT = "zig.import";
}
