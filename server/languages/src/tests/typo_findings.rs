//! Tests of findings for typos in undecided literals.

use crate::testing::{check, severities};

#[test]
fn reports_typos_in_undecided_literals() {
    // A build generates the files below `dist`, but none whose name is a typo of an existing one.
    let tree = "package.json = {}\ngen/Makefile\ndist/plugin.js\ndist/tools.js";
    check(
        tree,
        "a.js",
        "import './dist/plgin.js';\nimport './dist/other.js';\nimport './dist/tool.js';\n",
        "js.import ./dist/plgin.js → missing
         js.import ./dist/other.js → unknown produced
         js.import ./dist/tool.js → unknown produced",
    );
}

#[test]
fn raises_hints_in_samples_to_warnings() {
    let tree = "app/templates/avatar.tsx\napp/templates/tools.ts";
    let check = |text: &str, expect: &str| assert_eq!(severities(tree, "app/templates/a.ts", text), [expect], "{text}");
    check("import './avaatr';", "warning");
    check("import './other';", "hint");
    check("import './tool';", "hint");
}

#[test]
fn reports_typos_in_optional_imports() {
    let tree = "app/__init__.py\napp/settings.py\napp/version.py\napp/speedups.py";
    check(
        tree,
        "app/a.py",
        "try:\n    from .setings import x\n    from ._version import y\n    from .local import z\n    from .speedups import w\nexcept ImportError:\n    pass\n",
        "py.import .setings → missing
         py.import ._version → unknown optional
         py.import .local → unknown optional
         py.import .speedups → app/speedups.py",
    );
}

#[test]
fn leaves_headers_of_the_system_beside_headers_of_like_names() {
    let tree = "CMakeLists.txt = include_directories(src)\nsrc/pool.h\nsrc/regexp.h\nsrc/widget.h";
    let check = |text: &str, expect: &str| check(tree, "src/a.c", text, expect);
    check("#include <poll.h>\n", "c.include_angle poll.h → unknown elsewhere");
    check("#include <regex.h>\n", "c.include_angle regex.h → unknown elsewhere");
    check("#include <widgt.h>\n", "c.include_angle widgt.h → missing");
}
