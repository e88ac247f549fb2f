//! The literal kinds of `AsciiDoc`.

pathfinder_literals::literal_kinds! {
    /// Image or video: `image::a.png[]`, `video::a.mp4[]`.
    IMAGE = "adoc.image";
    /// Included file: `include::a.adoc[]`.
    INCLUDE = "adoc.include";
    /// Link to a file: `link:a.pdf[]`.
    LINK = "adoc.link";
    /// Reference to another document: `xref:a.adoc[]`, `<<a.adoc#b>>`.
    XREF = "adoc.xref";
}
