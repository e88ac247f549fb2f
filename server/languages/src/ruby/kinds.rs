//! The literal kinds of Ruby.

pathfinder_literals::literal_kinds! {
    /// File of `autoload`.
    AUTOLOAD = "ruby.autoload";
    /// File of `load`.
    LOAD = "ruby.load";
    /// File of `require`.
    REQUIRE = "ruby.require";
    /// File of `require_relative`.
    REQUIRE_RELATIVE = "ruby.require_relative";
}
