//! Fixtures of Python: found, missing and unknown imports and paths.

use crate::testing::{assert_ranges_valid, check, severities};

const TREE: &str = "
    pyproject.toml = [project]\\nname = 'app'\\ndependencies = ['docker ~= 7']
    app/__init__.py = from .core import run
    app/core.py
    app/sub/__init__.py
    app/sub/leaf.py
    app/_speed.pyx
    docker/tool.py
    scripts/tool.py
    tests/__init__.py
";

/// The directory above the package is not declared; a namespace that others share has no modules of its own.
#[test]
fn reports_missing_modules_of_the_package_around_the_file() {
    let tree = "src/own/part/mod.py\nsrc/own/part/deep/leaf.py\nsrc/own/far/b.py";
    check(
        tree,
        "src/own/far/a.py",
        "import own.part.mod\nimport own.part.gone\nimport own.far.c\nimport own.gone\nimport own.part.other.gone\n",
        "py.import own.part.mod → src/own/part/mod.py
         py.import own.part.gone → missing
         py.import own.far.c → missing
         py.import own.gone → unknown undecided
         py.import own.part.other.gone → unknown undecided",
    );
    check(tree, "tests/a.py", "import own.part.gone\n", "py.import own.part.gone → unknown elsewhere");
}

#[test]
fn reports_moved_modules_in_spite_of_what_a_file_sets() {
    let tree = "own/__init__.py\nown/new.py\nmoved own/old.py own/new.py";
    check(
        tree,
        "tests/a.py",
        "from own.old import x\nfrom own.gone import y\nsys.path.insert(0, '.')\n",
        "py.import own.old → moved
         py.import own.gone → unknown undecided",
    );
    // A module became a directory of modules, of which the import names none.
    let tree = "own/__init__.py\nown/old/new.py\nmoved own/old.py own/old/new.py";
    check(tree, "own/a.py", "from .old import Name, other\n", "py.import .old → moved");
    check(
        tree,
        "own/a.py",
        "from .old import new\n",
        "py.import .old → own/old
         py.import new → own/old/new.py",
    );
}

/// Modules above the outermost package are imported only by their own names.
#[test]
fn leaves_relative_imports_from_above_the_package() {
    let tree = "src/own/__init__.py\nsrc/own/in/__init__.py\nsrc/own/b.py\nsrc/far/c.py\nsrc/pack/d.py";
    check(
        tree,
        "src/own/in/a.py",
        "from ..b import x\nfrom ...far.c import x\nfrom ...far.gone import x\n",
        "py.import ..b → src/own/b.py
         py.import ...far.c → unknown undecided
         py.import ...far.gone → missing",
    );
    check(tree, "src/pack/a.py", "from ..far.c import x\n", "py.import ..far.c → src/far/c.py");
}

#[test]
fn prefers_packages_to_modules_of_their_names() {
    let tree = "own/__init__.py\nown/geo.py\nown/geo/__init__.py\nown/far.py\nown/far/x.py";
    check(
        tree,
        "own/a.py",
        "from own.geo import X\nfrom .geo import X\nfrom own.far import X\n",
        "py.import own.geo → own/geo/__init__.py
         py.import .geo → own/geo/__init__.py
         py.import own.far → own/far.py",
    );
}

/// A compiled module is one of its package, though its name may be near that of another.
#[test]
fn leaves_compiled_modules_near_the_name_of_another() {
    let tree = "own/__init__.py = __getattr__ = load\nown/_ode.py\nown/meson.build = py3.extension_module('_vode')";
    check(tree, "own/a.py", "from . import _vode\n", "py.import . → own/__init__.py");
    let tree =
        "own/__init__.py\nown/calign.py\npyproject.toml = [[tool.setuptools.ext-modules]]\\nname = 'own.ccalign'";
    for import in ["from .ccalign import x\n", "from own.ccalign import x\n"] {
        let name = import.split(' ').nth(1).unwrap_or_default();
        check(tree, "own/calign.py", import, &format!("py.import {name} → unknown produced"));
    }
}

#[test]
fn resolves_imports_of_cython() {
    let tree = &format!("{TREE}\napp/fast.pxd\napp/new/_gone.pyx\nmoved app/_gone.pyx app/new/_gone.pyx");
    check(
        tree,
        "app/x.pyx",
        "from .core import a\nfrom .fast cimport b\nfrom .core cimport (\n    c,\n)\nfrom libc.stdlib cimport free\nfrom ._gone import d\n\
         cdef int f(object x) except -1:\n    return <int>x\n",
        "py.import .core → app/core.py
         py.import .fast → app/fast.pxd
         py.import .core → app/core.py
         py.import libc.stdlib → unknown elsewhere
         py.import ._gone → moved",
    );
    check(tree, "app/x.py", "from ._gone import d\n", "py.import ._gone → moved");
}

#[test]
fn skips_imports_in_examples() {
    let check = |text: &str, expect: bool| {
        let at = text.find(" import ").map_or(0, |at| at + 1);
        assert_eq!(super::can_begin_literal(text, &(at..at + "import".len())), expect, "{text}");
    };
    check("import a", true);
    check("if a:\n    from b.delete_from_hub import c", true);
    check("if a: import b", true);
    check("a = 1; import b", true);
    check("from a \\\n  .b import c", true);
    check("{% if a %} import b", true);
    check(">>> import a", false);
    check("    >>> from a import b", false);
    check("# see import of a", false);
    check("'an import of a'", false);
}

#[test]
fn resolves_relative_imports() {
    check(
        TREE,
        "app/sub/x.py",
        "from .leaf import a\nfrom . import leaf, gone\nfrom ..core import b\nfrom ..gone.x import c\nfrom .._speed import d\n\
         from .app_pb2 import M\nfrom .....far import e\nfrom .. import _version\n",
        "py.import .leaf → app/sub/leaf.py
         py.import . → app/sub/__init__.py
         py.import leaf → app/sub/leaf.py
         py.import gone → missing
         py.import ..core → app/core.py
         py.import ..gone.x → missing
         py.import .._speed → app/_speed.pyx
         py.import .app_pb2 → unknown produced
         py.import .....far → unknown outside
         py.import .. → app/__init__.py
         py.import _version → unknown produced",
    );
}

#[test]
fn resolves_absolute_imports() {
    check(
        TREE,
        "tests/test_a.py",
        "import app.core, app.gone as g\nfrom app.sub.leaf import x\nfrom app.sub import leaf\nimport os.path\nimport numpy.linalg\n\
         from docker.errors import E\nfrom scripts.tool import y\nfrom scripts.gone import z\nimport app\n",
        "py.import app.core → app/core.py
         py.import app.gone → missing
         py.import app.sub.leaf → app/sub/leaf.py
         py.import app.sub → app/sub/__init__.py
         py.import leaf → app/sub/leaf.py
         py.import os.path → unknown elsewhere
         py.import numpy.linalg → unknown elsewhere
         py.import docker.errors → unknown elsewhere
         py.import scripts.tool → scripts/tool.py
         py.import scripts.gone → missing
         py.import app → app/__init__.py",
    );
}

#[test]
fn allows_optional_imports() {
    check(
        TREE,
        "app/x.py",
        "try:\n    from .fast import a\nexcept ImportError:\n    from .slow import a\nif sys.version_info < (3, 8):\n    import app.old\n\
         with suppress(ImportError):\n    import app.maybe\nfrom .made import b  # type: ignore\ntry:\n    import app.gone\n\
         except ValueError:\n    pass\ndef f():\n    from .later import c\nif TYPE_CHECKING:\n    from .types import T\n",
        "py.import .fast → unknown optional
         py.import .slow → unknown optional
         py.import app.old → unknown optional
         py.import app.maybe → unknown optional
         py.import .made → unknown optional
         py.import app.gone → missing
         py.import .later → missing
         py.import .types → missing",
    );
}

/// If the tried package is not installed, the other one is needed; one that was tried as well is that of another version.
#[test]
fn needs_the_last_fallback() {
    let check_fallback = |text: &str, expect: &str| check(TREE, "app/x.py", text, expect);
    let fallback =
        |tried: &str| format!("try:\n    from {tried} import a\nexcept ImportError:\n    from app.gone import a\n");
    check_fallback(&fallback("other.fast"), "py.import other.fast → unknown optional\npy.import app.gone → missing");
    check_fallback(
        &fallback("app.fast"),
        "py.import app.fast → unknown optional\npy.import app.gone → unknown optional",
    );
    let nested = fallback("other.fast").replace('\n', "\n    ");
    check_fallback(
        &format!("try:\n    {nested}pass\nexcept ImportError:\n    pass\n"),
        "py.import other.fast → unknown optional\npy.import app.gone → unknown optional",
    );
}

/// A word of a dependency or of a classifier says nothing of modules that are compiled.
#[test]
fn tells_builds_from_other_words() {
    let check_setup = |setup: &str, expect: &str| {
        check(&format!("app/__init__.py\npyproject.toml = {setup}"), "app/x.py", "from ._made import a\n", expect);
    };
    check_setup("Framework :: Sphinx :: Extension", "py.import ._made → missing");
    check_setup("scikit-learn", "py.import ._made → missing");
    check_setup("scikit-build-core", "py.import ._made → unknown produced");
}

/// A package whose modules are not its files, and one that exists twice.
#[test]
fn distrusts_dynamic_packages() {
    let six = "a/__init__.py\na/six.py = sys.modules[__name__ + '.moves'] = 1\na/ns/__init__.py = __path__ = extend_path(__path__, __name__)";
    check(
        six,
        "a/x.py",
        "from a.six.moves import urllib\nfrom .ns.other import b\n",
        "py.import a.six.moves → unknown undecided
         py.import .ns.other → unknown undecided",
    );
    // A module under its former name.
    let former = "a/__init__.py = import sys; for old, new in {'a.cart': 'a.new.cart'}.items(): sys.modules[old] = load(new)\na/new/cart.py\na/b/__init__.py";
    check(
        former,
        "a/b/x.py",
        "from ..cart import x\nimport a.cart\nfrom ..gone import y\n",
        "py.import ..cart → unknown undecided
         py.import a.cart → unknown undecided
         py.import ..gone → unknown undecided",
    );
    let lazy = "a/__init__.py = def __getattr__(name): ...\na/b/__init__.py";
    check(lazy, "a/x.py", "from . import gone\n", "py.import . → a/__init__.py");
    check("a/__init__.py\nlib/a/far.py", "a/x.py", "import a.far\n", "py.import a.far → unknown undecided");
    // pylint#4057: a directory without `__init__` is a package too.
    check(
        "src/ns/part/mod.py\nsetup.py = setup(package_dir={'': 'src'})",
        "tests/t.py",
        "import ns.part.mod\nfrom ns.part import mod\n",
        "py.import ns.part.mod → src/ns/part/mod.py
         py.import ns.part → src/ns/part
         py.import mod → src/ns/part/mod.py",
    );
}

/// `from . import x`: a submodule, or a name that the package binds. A word in a string or comment does not count.
#[test]
fn checks_names_of_packages() {
    let tree = "
        a/__init__.py = \"\"\"Has typing.\"\"\"\\nimport os.path\\nfrom .core import run as start  # globals\\nversion = 1\\ndef make(): pass
        a/core.py
        plain/b.py
        odd/__init__.py = from .core import *
    ";
    check(
        tree,
        "a/x.py",
        "from . import core, typing, globals, start, version, make, os\nfrom .core import y\nfrom a import path, run\n",
        "py.import . → a/__init__.py
         py.import core → a/core.py
         py.import typing → missing
         py.import globals → missing
         py.import .core → a/core.py
         py.import a → a/__init__.py
         py.import path → missing
         py.import run → missing",
    );
    // A name that a package imports from itself must exist.
    check(
        "k/json/__init__.py",
        "k/__init__.py",
        "from . import json as json\nfrom . import typing as typing\nfrom k import lost\nb = lost.c\n__all__ = ['json', 'typing']\n",
        "py.import . → k/__init__.py
         py.import json → k/json/__init__.py
         py.import . → k/__init__.py
         py.import typing → missing
         py.import k → k/__init__.py
         py.import lost → missing",
    );
    check(tree, "odd/x.py", "from . import gone\n", "py.import . → odd/__init__.py");
    check(
        tree,
        "plain/x.py",
        "from . import b, gone\n",
        "py.import . → plain\npy.import b → plain/b.py\npy.import gone → missing",
    );
    assert_eq!(severities(tree, "plain/x.py", "from . import gone\n"), ["hint"]);
    // A package without `__init__` can have more elsewhere, but a module that a commit moved was here.
    check(
        "src/ns/part/b.py\nsrc/ns/part/new.py\nmoved src/ns/part/old.py src/ns/part/new.py\nsetup.py = setup(package_dir={'': 'src'})",
        "tests/t.py",
        "from ns.part import b, old, gone\n",
        "py.import ns.part → src/ns/part\npy.import b → src/ns/part/b.py\npy.import old → moved",
    );
    // A directory of a package is a submodule.
    assert_eq!(severities(tree, "a/moved/x.py", "from . import core\nfrom .core import run\n"), ["warning", "error"]);
}

#[test]
fn recognizes_generated_modules() {
    check(
        "pyproject.toml = [build-system]\\nrequires = ['maturin']\na/__init__.py",
        "a/x.py",
        "from a._a import f\nfrom ._core import g\nfrom .plain import h\n",
        "py.import a._a → unknown produced
         py.import ._core → unknown produced
         py.import .plain → missing",
    );
    check(
        "src/agent/Dockerfile = COPY src/shared/tools.py src/agents\nsrc/agent/src/agents/llm.py",
        "src/agent/src/agents/x.py",
        "from src.agents.llm import A\nfrom src.agents.tools import B\n",
        "py.import src.agents.llm → src/agent/src/agents/llm.py
         py.import src.agents.tools → unknown produced",
    );
}

#[test]
fn gives_hints_in_copied_code() {
    let text = "from .gone import a\n";
    assert_eq!(severities("a/__init__.py", "a/x.py", text), ["error"]);
    assert_eq!(severities("a.py", "crates/parser/resources/valid/x.py", text), ["hint"]);
    assert_eq!(severities("tests/fixtures/__init__.py", "tests/fixtures/x.py", text), ["hint"]);
}

#[test]
fn resolves_paths_from_the_file() {
    check(
        "data/a.json\nsrc/b.txt\nmoved src/moved.txt src/b.txt",
        "src/x.py",
        "A = (Path(__file__).parent / \"b.txt\").read_text()\nB = open(os.path.join(os.path.dirname(__file__), 'gone.txt'))\n\
         C = Path(__file__).resolve().parents[1] / 'data' / 'a.json'\nD = Path(__file__).parent / 'later.txt'\n\
         E = open(os.path.join(os.path.dirname(__file__), 'out.txt'), 'w')\nF = Path(__file__).parent / 'moved.txt'\n",
        "py.path b.txt → src/b.txt
         py.path gone.txt → missing
         py.path a.json → data/a.json
         py.path later.txt → unknown optional
         py.path out.txt → unknown optional
         py.path moved.txt → moved",
    );
}

#[test]
fn accepts_broken_text() {
    assert_ranges_valid("a.py", "from . import (a,\nimport\nfrom .\nfrom é.ü import");
    assert_ranges_valid("a.py", "try:\n import a.b.\nexcept");
}

/// Tests have a directory of the name of a package that a commit moved.
#[test]
fn follows_packages_of_which_tests_have_the_name() {
    let tree = "app/__init__.py\napp/util/__init__.py\napp/util/money.py\ntests/__init__.py\ntests/tools/__init__.py\n\
                tests/tools/a.py\nmoved tools/money.py app/util/money.py\nmoved tools/__init__.py app/util/__init__.py";
    check(tree, "tests/tools/a.py", "from tools.money import x\n", "py.import tools.money → moved");
    check(tree, "tests/b.py", "from tools.a import x\n", "py.import tools.a → tests/tools/a.py");
}

/// A package that creates modules when it is loaded does not create one that was a file and was renamed.
#[test]
fn follows_moves_out_of_dynamic_packages() {
    check(
        "a/__init__.py\na/b/__init__.py = __path__ = extend_path(__path__, __name__)\na/b/new.py\nmoved a/b/old.py a/b/new.py",
        "a/c.py",
        "import a.b.old\nimport a.b.other\nimport a.b.new\n",
        "py.import a.b.old → moved
         py.import a.b.other → unknown undecided
         py.import a.b.new → a/b/new.py",
    );
    // Nor one that is a module with a typo.
    check(
        "a/__init__.py = __path__ = extend_path(__path__, __name__)\na/writers.py",
        "b.py",
        "from a.witers import x\nfrom a import witers, others\n",
        "py.import a.witers → missing\npy.import a → a/__init__.py\npy.import witers → missing",
    );
    // A directory in which other packages have modules too.
    check(
        "pyproject.toml = [project]\\nname = 'x'\\ndependencies = ['ns']\nlib/ns/b/new.py\nmoved lib/ns/b/old.py lib/ns/b/new.py",
        "lib/ns/c.py",
        "import ns.b.old\nimport ns.b.other\nimport ns.b.new\n",
        "py.import ns.b.old → moved
         py.import ns.b.other → unknown elsewhere
         py.import ns.b.new → lib/ns/b/new.py",
    );
    check(
        "a/__init__.py = __path__ = extend_path(__path__, __name__)\na/new.py\nmoved a/old.py a/new.py",
        "a/c.py",
        "from .old import x\nfrom .other import y\n",
        "py.import .old → moved\npy.import .other → unknown undecided",
    );
    // A name that builds write.
    check(
        "a/__about__.py\nmoved a/__version__.py a/__about__.py",
        "a/__init__.py",
        "from .__version__ import *\nfrom ._version import *\n",
        "py.import .__version__ → moved\npy.import ._version → unknown produced",
    );
}

/// A package that was renamed as a whole is no third-party one, unless the project depends on one of its name.
#[test]
fn follows_renamed_packages() {
    let check_with = |manifest: &str, expect: &str| {
        let tree = format!(
            "{manifest}new/__init__.py\nnew/a.py\nmoved old/a.py new/a.py\nmoved old/__init__.py new/__init__.py"
        );
        check(&tree, "test_a.py", "from old.a import A\nimport old.b\nfrom old.a.c import d\n", expect);
    };
    let rest = "\npy.import old.b → unknown elsewhere\npy.import old.a.c → unknown elsewhere";
    check_with("", &format!("py.import old.a → moved{rest}"));
    check_with("requirements.txt = old\n", &format!("py.import old.a → unknown elsewhere{rest}"));
}

/// The parser reads on behind a slash, as if the name ended before it.
#[test]
fn leaves_names_that_are_no_names() {
    check(
        "a/__init__.py\na/b/__init__.py\na/b/six.py",
        "a/c.py",
        "from . import b/six.py\nfrom .b/six import x\n",
        "py.import . → a/__init__.py",
    );
}

/// A package binds what it imports from its module of the same name; a module's dynamic content is unknown.
/// A package of tests can have the name of a package of Python.
#[test]
fn resolves_own_packages_with_standard_names() {
    let tree = "src/test/__init__.py\nsrc/test/db/__init__.py\nsrc/test/db/mongo.py\nmoved src/test/unit/mongo.py src/test/db/mongo.py";
    let text = "from test.unit.mongo import a\nfrom test.db.mongo import a\n";
    check(
        tree,
        "src/test/conftest.py",
        text,
        "py.import test.unit.mongo → moved\npy.import test.db.mongo → src/test/db/mongo.py",
    );
    check(tree, "src/main.py", "from test.support import a\n", "py.import test.support → unknown elsewhere");
}

#[test]
fn resolves_modules_named_like_their_package() {
    check(
        "x/foo/__init__.py = from .foo import bar\nx/foo/foo.py\nx/made.py = def __getattr__(name): pass\nx/__init__.py = from x.x import baz\nx/x.py",
        "x/a.py",
        "from .foo import bar\nfrom x.foo import bar, gone\nfrom x import baz\nimport x.made.y\n",
        "py.import .foo → x/foo/__init__.py
         py.import x.foo → x/foo/__init__.py
         py.import gone → missing
         py.import x → x/__init__.py
         py.import x.made.y → unknown undecided",
    );
}
