//! The literal kinds of CSS, Less and Sass.

pathfinder_literals::literal_kinds! {
    /// Style sheet of `@import`.
    CSS_IMPORT = "css.import";
    /// File in `url()`.
    CSS_URL = "css.url";
    /// Style sheet of `@import`.
    LESS_IMPORT = "less.import";
    /// File in `url()`.
    LESS_URL = "less.url";
    /// Style sheet of `@forward`.
    SCSS_FORWARD = "scss.forward";
    /// Style sheet of `@import`.
    SCSS_IMPORT = "scss.import";
    /// File in `url()`.
    SCSS_URL = "scss.url";
    /// Style sheet of `@use`.
    SCSS_USE = "scss.use";
}
