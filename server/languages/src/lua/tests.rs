//! Fixtures of Lua: found, missing and unknown modules.

use crate::testing::{assert_ranges_valid, check};

const TREE: &str = "lua/app/init.lua\nlua/app/view.lua\nlib/json.lua\ntools/dep/gen.lua";

#[test]
fn resolves_modules() {
    check(
        TREE,
        "lua/app/x.lua",
        "local a = require('app.view')\nlocal b = require \"app\"\nlocal c = require('app.gone')\nlocal d = require('socket.http')\n\
         local e = require('json')\nlocal f = pcall(require, 'app.no')\nlocal g = require('app.' .. x)\nlocal h = require('dep.gen')\n\
         -- require('app.comment')\n",
        "lua.require app.view → lua/app/view.lua
         lua.require app → lua/app/init.lua
         lua.require app.gone → missing
         lua.require socket.http → unknown elsewhere
         lua.require json → lib/json.lua
         lua.require dep.gen → unknown undecided",
    );
    // The first directory with a typo, wherever the modules lie.
    check(
        "scripts/tundra/ide/common.lua",
        "scripts/a.lua",
        "require 'tunra.ide.common'\nrequire 'other.ide.common'\n",
        "lua.require tunra.ide.common → missing\nlua.require other.ide.common → unknown elsewhere",
    );
    check(TREE, "lua/app/x.lua", "package.path = x\nrequire('app.gone')\n", "lua.require app.gone → unknown elsewhere");
}

#[test]
fn accepts_broken_text() {
    assert_ranges_valid("a.lua", "require('é.");
    assert_ranges_valid("a.lua", "require \"a.b\" require(");
}
