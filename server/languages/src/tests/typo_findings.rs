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

/// A script can invent a place, but not one that is a file but for a typo, unless it writes there.
#[test]
fn reports_typos_in_addresses_beside_a_script() {
    let text = "new URL('../data/settigns', import.meta.url);\nnew URL('../data/other', import.meta.url);\n";
    let expect = "js.url ../data/settigns → missing\njs.url ../data/other → unknown undecided";
    check("data/settings", "src/a.mjs", text, expect);
    let written = format!("writeFile();\n{text}");
    check("data/settings", "src/a.mjs", &written, &expect.replace("missing", "unknown undecided"));
}

#[test]
fn raises_hints_in_samples_to_warnings() {
    let tree = "templates/app/avatar.tsx\ntemplates/app/tools.ts\nsrc/templates/avatar.tsx";
    let check = |text: &str, expect: &str| assert_eq!(severities(tree, "templates/app/a.ts", text), [expect], "{text}");
    check("import './avaatr';", "warning");
    check("import './other';", "hint");
    check("import './tool';", "hint");
    // Code that handles templates is no sample.
    assert_eq!(severities(tree, "src/templates/a.ts", "import './other';"), ["error"]);
}

#[test]
fn looks_for_typos_where_the_others_are() {
    // Below the directory in which the file's other images are, beside the file, in the only directory of the name, and nowhere.
    let tree = "docs/images/diagram.png\ndocs/images/overview.png\ndocs/guide/a.adoc\npublic/img/posts/cover.webp\napp/data/words.csv";
    check(
        tree,
        "docs/guide/a.adoc",
        "image::diagram.png[]\n\nimage::overveiw.png[]\n\nimage::other.png[]\n",
        "adoc.image diagram.png → docs/images/diagram.png
         adoc.image overveiw.png → missing
         adoc.image other.png → unknown undecided",
    );
    check(
        tree,
        "app/a.py",
        "import os\nx = open(os.path.join(os.path.dirname(__file__), 'data/wrods.csv'))\n",
        "py.import os → unknown elsewhere
         py.path data/wrods.csv → missing",
    );
    check(tree, "posts/a.md", "![](/img/posts/covr.webp)\n", "md.image /img/posts/covr.webp → missing");
    check(tree, "posts/a.md", "![](/img/pages/covr.webp)\n", "md.image /img/pages/covr.webp → unknown elsewhere");
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
fn looks_for_typos_in_pages_named_without_an_ending() {
    let tree = "docs/units.md\ndocs/Virtual-Hosts.md";
    check(tree, "docs/a.md", "[a](unts) [b](other)\n", "md.link unts → missing\nmd.link other → unknown elsewhere");
    check(tree, "docs/a.md", "[a](Virtual-Hots#b)\n", "md.link Virtual-Hots#b → missing");
}

#[test]
fn tells_copies_from_commands_that_name_a_file_twice() {
    let tree = "ci/compile.sh\nconf/main.conf";
    let check = |text: &str, expect: &str| check(tree, "x.yml", text, expect);
    let both = "yaml.value ci/compile.sh → ci/compile.sh";
    check("run: |\n  chmod +x ci/compile.sh\n  ci/compil.sh\n", &format!("{both}\nyaml.value ci/compil.sh → missing"));
    check("run: cp ci/compile.sh ci/compil.sh\n", &format!("{both}\nyaml.value ci/compil.sh → unknown elsewhere"));
    check("from: ci/compile.sh\nto: ci/compil.sh\n", &format!("{both}\nyaml.value ci/compil.sh → unknown elsewhere"));
}

#[test]
fn looks_for_typos_in_packages_that_nothing_declares() {
    let tree = "bin/run.py\nharvester/__init__.py\nharvester/core.py\nns/part/tools.py\nns/part/widgets.py\npyproject.toml = project = { name = 'x', dependencies = ['ns'] }";
    let check = |file: &str, text: &str, expect: &str| check(tree, file, text, expect);
    check("bin/run.py", "import harester.core\n", "py.import harester.core → missing");
    check("bin/run.py", "import harester\n", "py.import harester → missing");
    check("bin/run.py", "import requests\n", "py.import requests → unknown elsewhere");
    check("ns/part/widgets.py", "import ns.part.tols\n", "py.import ns.part.tols → missing");
    check("ns/part/widgets.py", "import ns.part.other\n", "py.import ns.part.other → unknown elsewhere");
}

#[test]
fn leaves_headers_of_the_system_beside_headers_of_like_names() {
    let tree = "CMakeLists.txt = include_directories(src)\nsrc/pool.h\nsrc/regexp.h\nsrc/widget.h";
    let check = |text: &str, expect: &str| check(tree, "src/a.c", text, expect);
    check("#include <poll.h>\n", "c.include_angle poll.h → unknown elsewhere");
    check("#include <regex.h>\n", "c.include_angle regex.h → unknown elsewhere");
    check("#include <widgt.h>\n", "c.include_angle widgt.h → missing");
    let tree = "a/include/model/tree.h\na/include/model/node.h\na/include/model/file.h\nb/include/model/function.h";
    let check = |text: &str, expect: &str| crate::testing::check(tree, "src/a.c", text, expect);
    check("#include <model/fuction.h>\n", "c.include_angle model/fuction.h → missing");
    check("#include <sys/fuction.h>\n", "c.include_angle sys/fuction.h → unknown elsewhere");
}

#[test]
fn looks_for_typos_in_helpers_and_other_languages_of_a_package() {
    let tree = "spec/rails_helper.rb\nsrc/a/AndroidUtilities.kt = package a\nsrc/a/Main.java = package a;";
    check(tree, "spec/models/x_spec.rb", "require 'rails_heper'\n", "ruby.require rails_heper → missing");
    check(tree, "spec/models/x_spec.rb", "require 'rspec'\n", "ruby.require rspec → unknown elsewhere");
    check(tree, "src/b/B.java", "package b;\nimport a.AndroidUtilties;\n", "java.import a.AndroidUtilties → missing");
}

/// The steps of a workflow run one program again and again.
#[test]
fn reports_typos_in_steps() {
    let steps = "jobs:\n  a:\n    steps:\n      - run: ./gradlew build\n      - run: ./gralew test\n      - run: make && ./other\n";
    check(
        "gradlew",
        ".github/workflows/a.yml",
        steps,
        "yaml.actions.run ./gradlew → gradlew\nyaml.actions.run ./gralew → missing",
    );
}

/// A bare name can be that of a library. But no other file imports this one, and others import one that differs by a typo.
#[test]
fn reports_imports_that_other_files_have_without_a_typo() {
    let other =
        |tree: &str, imports: &str| format!("{tree}\nother.py = {imports}\nother.c = {imports}\nother.ts = {imports}");
    let c = other("CMakeLists.txt = include_directories(lib/include)\nlib/include/llama.h", "#include \"llama.h\"");
    check(&c, "examples/y/b.cpp", "#include \"llma.h\"\n", "c.include llma.h → missing");
    check(
        "CMakeLists.txt = include_directories(lib/include)\nlib/include/llama.h",
        "examples/y/b.cpp",
        "#include \"llma.h\"\n",
        "c.include llma.h → unknown elsewhere",
    );
    let py = other("setup.py\nutils.py", "from utils import a");
    check(&py, "tests/unit/test_a.py", "from utls import b\n", "py.import utls → missing");
    // A second file imports it, a manifest names it, the language has it, and the file imports both.
    let twice = format!("{py}\ntests/b.py = import utls");
    let twice = format!("{twice}\ntests/c.py = import utls");
    check(&twice, "tests/unit/test_a.py", "from utls import b\n", "py.import utls → unknown elsewhere");
    let declared = format!("{py}\nrequirements.txt = utls==1");
    check(&declared, "tests/unit/test_a.py", "from utls import b\n", "py.import utls → unknown elsewhere");
    let own = other("setup.py\ntokem.py", "import tokem");
    check(&own, "tests/unit/test_a.py", "import token\n", "py.import token → unknown elsewhere");
    let both = "from utils import a\nfrom utls import b\n";
    check(&py, "tests/unit/test_a.py", both, "py.import utils → utils.py\npy.import utls → unknown elsewhere");
    // A path of an own package, whose build could make it.
    let package = "a/package.json = {\"name\": \"@x/tools\", \"exports\": {\"./*\": \"./dist/*.js\"}}\na/src/query.ts";
    let package = other(package, "import { a } from '@x/tools/query'");
    check(&package, "b/a.ts", "import { b } from '@x/tools/qury'\n", "ts.import @x/tools/qury → missing");
    check(&package, "b/a.ts", "import { b } from '@x/tools/other'\n", "ts.import @x/tools/other → unknown produced");
}
