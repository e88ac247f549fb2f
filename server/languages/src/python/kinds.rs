//! The literal kinds of Python.

pathfinder_literals::literal_kinds! {
    /// Module of `import` or `from`.
    IMPORT = "py.import";
    /// File relative to `__file__`.
    PATH = "py.path";
}
