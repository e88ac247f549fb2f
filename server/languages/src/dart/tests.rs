//! Fixtures of Dart: found, missing and unknown directives.

use crate::testing::{assert_ranges_valid, check};

const TREE: &str = "pkg/pubspec.yaml = name: app # mine\\ndependencies:\\n  name: x\npkg/lib/a.dart\npkg/lib/src/b.dart\npkg/test/t.dart\nother/pubspec.yaml = name: other\nother/lib/o.dart";

#[test]
fn resolves_directives() {
    check(
        TREE,
        "pkg/lib/x.dart",
        "// import 'no.dart';\n@JS('no')\nlibrary x;\nimport 'dart:io';\nimport 'package:app/a.dart' as a show B;\nimport 'package:app/gone.dart';\n\
         import 'package:other/o.dart';\nimport 'package:flutter/material.dart';\nimport 'src/b.dart' if (dart.library.io == 'x') 'src/c.dart';\nexport \"../lib/a.dart\";\n\
         part 'x.g.dart';\npart 'y.dart';\nimport '$a.dart';\nimport 'l10n/app.dart';\nvoid main() { load('no.dart'); }\nimport 'no.dart';",
        "dart.import dart:io → unknown elsewhere
         dart.import package:app/a.dart → pkg/lib/a.dart
         dart.import package:app/gone.dart → missing
         dart.import package:other/o.dart → unknown elsewhere
         dart.import package:flutter/material.dart → unknown elsewhere
         dart.import src/b.dart → pkg/lib/src/b.dart
         dart.import src/c.dart → missing
         dart.export ../lib/a.dart → pkg/lib/a.dart
         dart.part x.g.dart → unknown produced
         dart.part y.dart → missing
         dart.import $a.dart → unknown dynamic
         dart.import l10n/app.dart → unknown produced",
    );
    check(TREE, "pkg/lib/src/x.dart", "part of '../a.dart';", "dart.part_of ../a.dart → pkg/lib/a.dart");
    check(TREE, "pkg/lib/src/x.dart", "part of a.b;\nclass A { var x = 'y.dart'; }", "");
}

#[test]
fn accepts_broken_text() {
    for text in ["import", "import 'é", "import 'a.dart' if (", "@", "part of", "import r'''a"] {
        assert_ranges_valid("a.dart", text);
    }
}
