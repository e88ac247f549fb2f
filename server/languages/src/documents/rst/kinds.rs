//! The literal kinds of reStructuredText.

pathfinder_literals::literal_kinds! {
    /// File of the directive `bibliography`.
    BIBLIOGRAPHY = "rst.bibliography";
    /// File of the directive `csv-table`.
    CSV_TABLE = "rst.csv-table";
    /// Document of the role `:doc:`.
    DOC = "rst.doc";
    /// File of the role `:download:`.
    DOWNLOAD = "rst.download";
    /// Image of the directive `figure`.
    FIGURE = "rst.figure";
    /// Image of the directive `image`.
    IMAGE = "rst.image";
    /// File of the directives `include` and `mdinclude`.
    INCLUDE = "rst.include";
    /// File of the directive `literalinclude`.
    LITERALINCLUDE = "rst.literalinclude";
    /// Module of the directives `automodule`, `module` and `currentmodule`.
    MODULE = "rst.module";
    /// File of the directive `raw`.
    RAW = "rst.raw";
    /// Target of a hyperlink: `.. _a: b.html`.
    TARGET = "rst.target";
    /// Document of a `toctree`.
    TOCTREE = "rst.toctree";
}
