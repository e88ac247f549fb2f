//! The literal kinds of Protocol Buffers.

pathfinder_literals::literal_kinds! {
    /// File of `import`.
    IMPORT = "proto.import";
}
