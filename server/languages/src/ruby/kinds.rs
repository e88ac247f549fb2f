//! The literal kinds of Ruby.

pathfinder_literals::literal_kinds! {
    /// File of `autoload`.
    AUTOLOAD = "ruby.autoload";
    /// File of `load`.
    LOAD = "ruby.load";
    /// Path from the directory of the program: `File.join(__dir__, 'a.txt')`.
    PATH = "ruby.path";
    /// File of `require`.
    REQUIRE = "ruby.require";
    /// File of `require_relative`.
    REQUIRE_RELATIVE = "ruby.require_relative";
}
