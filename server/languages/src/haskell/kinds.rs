//! The literal kinds of Haskell.

pathfinder_literals::literal_kinds! {
    /// Module of `import`.
    IMPORT = "haskell.import";
    /// Module that a Cabal file lists.
    MODULE = "haskell.module";
    /// Source directory that a Cabal file lists.
    SOURCE_DIRECTORY = "haskell.source-dir";
}
