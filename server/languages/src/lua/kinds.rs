//! The literal kinds of Lua.

pathfinder_literals::literal_kinds! {
    /// Module of `require`.
    REQUIRE = "lua.require";
}
