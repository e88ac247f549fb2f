//! The literal kinds of HTML and SVG.

pathfinder_literals::literal_kinds! {
    /// `data` of an `object`.
    HTML_DATA = "html.data";
    /// `href` of `a`, `area` and `link`.
    HTML_HREF = "html.href";
    /// `poster` of a `video`.
    HTML_POSTER = "html.poster";
    /// `src` of an element.
    HTML_SRC = "html.src";
    /// Candidate in `srcset` or `imagesrcset`.
    HTML_SRCSET = "html.srcset";
    /// `href` or `xlink:href` of `image`, `use` and `feImage`, and of links in SVG files.
    SVG_HREF = "svg.href";
    also crate::documents::markdown::kinds::LAYOUT;
}
