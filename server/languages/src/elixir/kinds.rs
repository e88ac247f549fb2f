//! The literal kinds of Elixir.

pathfinder_literals::literal_kinds! {
    /// File of `import_config`.
    CONFIG = "ex.config";
    /// Directory of a dependency with `path:`.
    DEPENDENCY = "ex.dependency";
    /// File that code reads relative to its own directory.
    FILE = "ex.file";
    /// Directory of `embed_templates`.
    TEMPLATES = "ex.templates";
}
