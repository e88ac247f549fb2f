//! The literal kinds of Rust.

pathfinder_literals::literal_kinds! {
    /// Module that the first name of a path stands for by a `use`.
    BOUND = "rust.bound";
    /// File of `include!`, `include_str!`, `include_bytes!` and the like.
    INCLUDE = "rust.include";
    /// Module of `mod a;`.
    MOD = "rust.mod";
    /// File of `#[path]`.
    PATH = "rust.path";
    /// Module that a path of names begins with, as in `crate::a::b::C`.
    USE = "rust.use";
}
