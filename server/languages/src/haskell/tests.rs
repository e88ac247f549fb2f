//! Fixtures of Haskell: found, missing and unknown modules.

use crate::testing::{assert_ranges_valid, check};

const TREE: &str = "x.cabal = library\\n  hs-source-dirs: src\\n  exposed-modules: A.B,\\n                   A.Gone\\n                   A.Lex\\n
src/A/B.hs\nsrc/A/Lex.x\nsrc/A/C.hs";

#[test]
fn resolves_listed_modules() {
    check(
        TREE,
        "x.cabal",
        "name: x\nlibrary\n  hs-source-dirs: src\n  exposed-modules:\n    A.B\n    -- A.No\n    , A.Gone\n    A.Lex\n    Paths_x\n  other-modules: A.C, A.Made\n  autogen-modules: A.Made\n  build-depends: base\n",
        "haskell.module A.B → src/A/B.hs
         haskell.module A.Gone → missing
         haskell.module A.Lex → src/A/Lex.x
         haskell.module Paths_x → unknown produced
         haskell.module A.C → src/A/C.hs",
    );
    // pandoc: its setup contains a preprocessor.
    check("A/Data.hsb", "y.cabal", "library\n  other-modules: A.Data\n", "haskell.module A.Data → unknown produced");
    // A component without directories has its modules in that of the package, whatever another one says.
    check(
        "A.hs\ntest/ASpec.hs",
        "y.cabal",
        "library\n  exposed-modules: A\n\ntest-suite t\n  hs-source-dirs: test\n  other-modules: ASpec\n",
        "haskell.module A → A.hs\nhaskell.module ASpec → test/ASpec.hs",
    );
    check("lib/A.hs", "lib/y.cabal", "library\n  exposed-modules: A\n", "haskell.module A → lib/A.hs");
}

#[test]
fn resolves_imports() {
    check(
        TREE,
        "src/A/X.hs",
        "module A.X where\nimport A.B (b)\nimport qualified A.Gone as G\nimport A.Elsewhere\nimport Data.List\nimport \"base\" Data.Char\n{-\nimport A.No\n-}\n#if X\nimport A.Gone\n#endif\nimport safe A.C\nx = \"import A.No\"\n",
        "haskell.import A.B → src/A/B.hs
         haskell.import A.Gone → missing
         haskell.import A.Elsewhere → unknown elsewhere
         haskell.import Data.List → unknown elsewhere
         haskell.import A.Gone → unknown optional
         haskell.import A.C → src/A/C.hs",
    );
    check("a.txt", "X.hs", "import A.B", "haskell.import A.B → unknown undecided");
}

#[test]
fn resolves_imports_of_packages_in_the_tree() {
    let tree = "a/a.cabal = name: a\\n\
        library\\n  hs-source-dirs: src\\n  exposed-modules: A, A.Gone, A.Made\\n  autogen-modules: A.Made\\n  other-modules: A.Hidden\\n
        a/src/A.hs\na/src/A/New.hs
        b/b.cabal = name: b\\nlibrary\\n  build-depends:\\n      base >=4.7 && <5\\n    , a ^>= 1.0\\n    , twin\\n
        twin/1/twin.cabal = name: twin\\nlibrary\\n  exposed-modules: Twin\\n
        twin/2/twin.cabal = name: twin\\nlibrary\\n  exposed-modules: Twin\\n
        c/c.cabal = name: c\\nlibrary\\n  exposed-modules: C\\n";
    let text = "import A\nimport A.Gone\nimport A.Made\nimport A.New\nimport A.Hidden\nimport Twin\nimport C\nimport Data.List\n";
    // `A.New` is not listed yet. `A.Hidden` may come from a package outside the tree, and so may all that `b` does not depend on.
    check(
        tree,
        "b/B.hs",
        text,
        "haskell.import A → a/src/A.hs
         haskell.import A.Gone → missing
         haskell.import A.Made → unknown elsewhere
         haskell.import A.New → a/src/A/New.hs
         haskell.import A.Hidden → unknown elsewhere
         haskell.import Twin → unknown elsewhere
         haskell.import C → unknown elsewhere
         haskell.import Data.List → unknown elsewhere",
    );
    check(tree, "c/C.hs", "import A.Gone", "haskell.import A.Gone → unknown elsewhere");
}

/// hpack writes the Cabal file, and lists in it all modules that are there.
#[test]
fn resolves_imports_of_packages_of_hpack() {
    let tree = "a/package.yaml = name: a\\ndependencies: base\\nlibrary:\\n  source-dirs: lib\\ntests:\\n  unit:\\n    source-dirs: [test, spec]\\n
        a/lib/A.hs\na/lib/A/New.hs\na/spec/S.hs\nb/package.yaml = dependencies:\\n- a >= 1\\n
        moved a/lib/A/Old.hs a/lib/A/New.hs\nmoved x/B.hs a/lib/B.hs";
    check(
        tree,
        "a/lib/M.hs",
        "import A\nimport A.Old\nimport A.Never\nimport S\nimport B\n#if X\nimport A.Old\n#endif\n",
        "haskell.import A → a/lib/A.hs
         haskell.import A.Old → moved
         haskell.import A.Never → unknown elsewhere
         haskell.import S → a/spec/S.hs
         haskell.import B → unknown elsewhere
         haskell.import A.Old → unknown elsewhere",
    );
    // The package does not have what left its directories. The others of a typo are compared in each.
    let roots = "a/package.yaml = name: a\\nlibrary:\\n  source-dirs: [lib, src, app]\\n\na/app/Page/Builder.hs\na/old/lib/M.hs\na/old/lib/Away.hs
        moved a/lib/Away.hs a/old/lib/Away.hs";
    let typo = "haskell.import Page.Buider → missing\nhaskell.import Away → unknown elsewhere";
    check(roots, "a/lib/M.hs", "import Page.Buider\nimport Away\n", typo);
    check(tree, "b/M.hs", "import A\nimport A.Old\n", "haskell.import A → a/lib/A.hs\nhaskell.import A.Old → moved");
    // The written Cabal file is committed as well.
    check(
        "package.yaml = library:\\n  source-dirs: lib\\n\na.cabal = library\\n  hs-source-dirs: lib\\n  exposed-modules: A\\n",
        "lib/M.hs",
        "import A\n",
        "haskell.import A → missing",
    );
}

#[test]
fn accepts_broken_text() {
    for text in ["import", "import É", "import A.é", "{-", "-}"] {
        assert_ranges_valid("a.hs", text);
    }
    for text in ["a: [", "library:\n  source-dirs: {é: 1}\n", "- a"] {
        crate::testing::check(
            &format!("package.yaml = {}", text.replace('\n', "\\n")),
            "a.hs",
            "import A\n",
            "haskell.import A → unknown elsewhere",
        );
    }
    for text in ["exposed-modules: É,\u{a0}A", "hs-source-dirs:", ":", "library\n exposed-modules"] {
        assert_ranges_valid("a.cabal", text);
    }
}
