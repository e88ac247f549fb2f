//! The literal kinds of shell scripts.

pathfinder_literals::literal_kinds! {
    /// Source file in the arguments of a command.
    PATH = "sh.path";
    /// Script of `source` or `.`.
    SOURCE = "sh.source";
}
