//! The literal kinds of PHP.

pathfinder_literals::literal_kinds! {
    /// File of `include` or `require`.
    INCLUDE = "php.include";
    /// File in another call, relative to `__DIR__` or a learned directory.
    PATH = "php.path";
    /// Class or namespace of `use`.
    USE = "php.use";
}
