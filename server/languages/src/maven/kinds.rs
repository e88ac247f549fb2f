//! The literal kinds of Maven.

pathfinder_literals::literal_kinds! {
    /// Directory of a module.
    MODULE = "maven.module";
    /// `relativePath` of the parent.
    PARENT = "maven.parent";
}
