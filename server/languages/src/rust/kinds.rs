//! The literal kinds of Rust.

pathfinder_literals::literal_kinds! {
    /// File of `include!`, `include_str!`, `include_bytes!` and the like.
    INCLUDE = "rust.include";
    /// Module of `mod a;`.
    MOD = "rust.mod";
    /// File of `#[path]`.
    PATH = "rust.path";
    /// Module that a path of names begins with, as in `crate::a::b::C`.
    USE = "rust.use";
}
