//! The literal kinds of Bazel.

pathfinder_literals::literal_kinds! {
    /// Label or file in `data`.
    DATA = "bazel.data";
    /// Label or file in `hdrs`, `textual_hdrs` and `public_hdrs`.
    HDRS = "bazel.hdrs";
    /// File that `load` reads.
    LOAD = "bazel.load";
    /// Label or file in `srcs`.
    SRCS = "bazel.srcs";
}
