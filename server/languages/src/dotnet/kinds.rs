//! The literal kinds of .NET projects.

pathfinder_literals::literal_kinds! {
    /// File of a `Compile` item.
    COMPILE = "cs.compile";
    /// Project file of an `Import`.
    IMPORT = "cs.import";
    /// File of a `None`, `Content`, `EmbeddedResource` or `AdditionalFiles` item.
    ITEM = "cs.item";
    /// Project of a `ProjectReference`.
    PROJECT_REFERENCE = "cs.project_reference";
    /// Project or file that a solution lists.
    SOLUTION = "cs.solution";
}
