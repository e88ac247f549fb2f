//! Fixtures of Zig: found, missing and unknown imports.

use crate::testing::{assert_ranges_valid, check};

const TREE: &str = "src/main.zig\nsrc/parse/lex.zig\nsrc/logo.png\nlib/";

#[test]
fn resolves_imports_and_embeds() {
    check(
        TREE,
        "src/a.zig",
        "const std = @import(\"std\");\nconst lex = @import(\"parse/lex.zig\");\nconst gone = @import(\"lex.zig\");\n\
         const up = @import(\"../../x.zig\"); // @import(\"no.zig\")\nconst logo = @embedFile(\"logo.png\");\n\
         const made = @embedFile(\"config\");\n",
        "zig.import parse/lex.zig → src/parse/lex.zig
         zig.import lex.zig → missing
         zig.import ../../x.zig → unknown outside
         zig.embed logo.png → src/logo.png
         zig.embed config → unknown elsewhere",
    );
}

/// A module that the build adds has the name of a file.
#[test]
fn respects_build_modules() {
    check(
        "build.zig = exe.root_module.addImport(\"net.zig\", net);\\nexe.addAnonymousImport(\"logo.png\", .{});",
        "src/a.zig",
        "const net = @import(\"net.zig\");\nconst gone = @import(\"lex.zig\");\nconst logo = @embedFile(\"logo.png\");\n",
        "zig.import net.zig → unknown produced
         zig.import lex.zig → missing
         zig.embed logo.png → unknown produced",
    );
}

#[test]
fn accepts_broken_text() {
    assert_ranges_valid("a.zig", "const a = @import(\"");
    assert_ranges_valid("a.zig", "@import(\"é.zig\") @import(@import(\"a/b.zig\"");
}
