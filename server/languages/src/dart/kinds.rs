//! The literal kinds of Dart.

pathfinder_literals::literal_kinds! {
    /// Library of `export`.
    EXPORT = "dart.export";
    /// Library of `import`.
    IMPORT = "dart.import";
    /// File that a `library` directive names.
    LIBRARY = "dart.library";
    /// File of `part`.
    PART = "dart.part";
    /// Library of `part of`.
    PART_OF = "dart.part_of";
}
