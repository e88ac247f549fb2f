//! The literal kinds of LaTeX.

pathfinder_literals::literal_kinds! {
    /// File of `\bibliography` and `\addbibresource`.
    BIBLIOGRAPHY = "tex.bibliography";
    /// File of `\includegraphics`.
    GRAPHICS = "tex.graphics";
    /// File of `\include`.
    INCLUDE = "tex.include";
    /// File of `\input`, `\subfile` and `\subfileinclude`.
    INPUT = "tex.input";
    /// File of `\lstinputlisting` and `\verbatiminput`.
    LISTING = "tex.listing";
}
