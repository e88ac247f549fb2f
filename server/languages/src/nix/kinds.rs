//! The literal kinds of Nix.

pathfinder_literals::literal_kinds! {
    /// Path expression: `./a.nix`.
    PATH = "nix.path";
}
