//! Fixtures of makefiles: found, missing and unreported paths.

use proptest::prelude::*;

use crate::testing::check;

const TREE: &str = "
    make/a.mk
    make/go/base.mk = MAKEGO := make/go\\n$(MAKEGO)/x.sh:\\n
    make/go/scripts/a.sh
    src/a.c
    src/b.y
    etc/t.yaml
    web/scripts/embed.sh
    parser.mk = src/gen.c: src/b.y\\n%.pb.go: %.proto\\n
";

#[test]
fn resolves_includes() {
    check(
        TREE,
        "Makefile",
        "ifneq (,$(wildcard make/asked.mk))\ninclude make/asked.mk\nendif\ninclude make/a.mk make/gone.mk $(X)/y.mk\n-include make/local.mk\ninclude make/gen.mk config.mk\ninclude /usr/x.mk *.d\nmake/gen.mk:\n\techo",
        "make.include make/asked.mk → unknown optional
        make.include make/a.mk → make/a.mk
        make.include make/gone.mk → missing
        make.include $(X)/y.mk → unknown dynamic
        make.include make/local.mk → unknown optional
        make.include make/gen.mk → unknown produced
        make.include config.mk → unknown elsewhere
        make.include /usr/x.mk → unknown elsewhere
        make.include *.d → unknown dynamic",
    );
    check(
        TREE,
        "make/go/all.mk",
        "include make/go/base.mk\ninclude make/versions.mk",
        "make.include make/go/base.mk → make/go/base.mk\nmake.include make/versions.mk → missing",
    );
}

/// A recipe writes to the path of a variable.
#[test]
fn leaves_what_a_variable_is_written_to() {
    let check = |text: &str, expect: &str| check(TREE, "Makefile", text, expect);
    check("LIST=./src/a.h\nall:\n\techo x > ${LIST}\n", "");
    check("LIST=./src/a.h\nall:\n\techo x > $(LIST)\n", "");
    check("LIST=./src/a.h\nall:\n\tcat ${LIST}\n", "make.path ./src/a.h → missing");
}

#[test]
fn leaves_calls_and_outputs() {
    check(
        "modules/a.mk\nsrc/a.js",
        "Makefile",
        "include $(foreach module, $(MODULES), $(module)/mak/Makefile) modules/a.mk
all:
\tcat src/a.js > src/made.js
\t$(RM) src/old.js
\tuglify src/made.js src/lost.js",
        "make.include $(foreach → unknown dynamic
        make.include modules/a.mk → modules/a.mk
        make.path src/a.js → src/a.js
        make.path src/made.js → unknown produced
        make.path src/lost.js → missing",
    );
}

#[test]
fn resolves_paths() {
    check(
        TREE,
        "Makefile",
        "SOURCES = src/a.c src/gone.c \\\n  src/gen.c $(Y)/z.c src/x.pb.go
GENERATED := src/out.c
prog: src/a.c src/old.c other/x.c
\t@./web/scripts/embed.sh && ../scripts/up.sh
\tcc -o src/prog.c src/lost.c > src/log.md
\tmockgen -destination src/mocks.c x
\t$(MAKEGO)/scripts/a.sh $(MAKEGO)/scripts/gone.sh $(NONE)/x.sh
\trm src/removed.c; echo src/said.c
\tcp etc/t.yaml etc/copy.yaml
\ttool --in etc/gone.yaml build/etc/y.yaml",
        "make.path src/a.c → src/a.c
        make.path src/gone.c → missing
        make.path src/gen.c → unknown produced
        make.path src/x.pb.go → unknown produced
        make.path src/a.c → src/a.c
        make.path src/old.c → missing
        make.path other/x.c → unknown elsewhere
        make.path ./web/scripts/embed.sh → web/scripts/embed.sh
        make.path ../scripts/up.sh → unknown outside
        make.path src/lost.c → missing
        make.path $(MAKEGO)/scripts/a.sh → make/go/scripts/a.sh
        make.path $(MAKEGO)/scripts/gone.sh → missing
        make.path etc/t.yaml → etc/t.yaml
        make.path etc/copy.yaml → unknown produced
        make.path etc/gone.yaml → missing
        make.path build/etc/y.yaml → unknown elsewhere",
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn accepts_any_text(text in r#"([$(){}"'\\\r\n\t #;:=%@-]|include |src/gone\.c|make/x\.mk|define|endef|é|a){0,40}"#) {
        crate::testing::assert_ranges_valid("src/Makefile", &text);
    }
}
