//! The literal kinds of Haskell.

pathfinder_literals::literal_kinds! {
    /// Module of `import`.
    IMPORT = "haskell.import";
    /// Module that a Cabal file lists.
    MODULE = "haskell.module";
}
