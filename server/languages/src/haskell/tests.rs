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
fn accepts_broken_text() {
    for text in ["import", "import É", "import A.é", "{-", "-}"] {
        assert_ranges_valid("a.hs", text);
    }
    for text in ["exposed-modules: É,\u{a0}A", "hs-source-dirs:", ":", "library\n exposed-modules"] {
        assert_ranges_valid("a.cabal", text);
    }
}
