//! Fixtures of `CMake`: found, missing and unreported paths.

use proptest::prelude::*;

use crate::testing::check;

const TREE: &str = "
    CMakeLists.txt = project(Top)\\nset(TOP_DIR ${CMAKE_CURRENT_SOURCE_DIR})\\nset(ODD_DIR $ENV{X})\\nlist(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)\\nconfigure_file(config.h.in config.h)\\nadd_custom_command(OUTPUT ${OUT} made.c COMMAND x)\\nset(OUT ${CMAKE_CURRENT_BINARY_DIR}/out.c)
    config.h.in
    cmake/Own.cmake
    cmake/tool.py
    src/CMakeLists.txt
    src/a.c
    src/sub/b.c
    tests/t.c
";

#[test]
fn resolves_files_that_are_read() {
    check(
        TREE,
        "lib/CMakeLists.txt",
        "file(STRINGS ../src/gone.h V)\nfile(READ ../src/a.c A)\nfile(WRITE ../src/made.h x)\nfile(READ ../src/x.bin B)\n",
        "cmake.path ../src/gone.h → missing
        cmake.path ../src/a.c → src/a.c",
    );
}

/// A property of a target lists its headers, and makes none.
#[test]
fn reports_sources_that_a_property_lists() {
    let properties = "set_target_properties(x PROPERTIES PUBLIC_HEADER \"${HEADERS}\")\nadd_library(x ${HEADERS})";
    let generated = "set_source_files_properties(${HEADERS} PROPERTIES GENERATED ON)\nadd_library(x ${HEADERS})";
    for (use_of, verdict) in [(properties, "missing"), (generated, "unknown produced")] {
        let text = format!("set(HEADERS sub/a.h sub/gone.h)\n{use_of}");
        let tree = format!("src/sub/a.h\nsrc/CMakeLists.txt = {}", text.replace('\n', "\\n"));
        let expect = format!("cmake.list sub/a.h → src/sub/a.h\ncmake.list sub/gone.h → {verdict}");
        check(&tree, "src/CMakeLists.txt", &text, &expect);
    }
}

#[test]
fn resolves_arguments_of_commands() {
    check(
        TREE,
        "lib/CMakeLists.txt",
        "add_subdirectory(../src)\nadd_subdirectory(gone)\nadd_subdirectory(${X})
include(Own)\ninclude(Owned)\ninclude(CTest)\ninclude(../cmake/Own.cmake)\ninclude(../cmake/Gone.cmake)\ninclude(../cmake/Opt.cmake OPTIONAL)
add_library(x STATIC ../src/a.c ../src/gone.c made.c out.c config.h moc_x.cpp ${S} $<TARGET_OBJECTS:y>)
add_library(y ALIAS x.c)
target_sources(x PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/../src/a.c ${PROJECT_SOURCE_DIR}/src/gone.c ${CMAKE_CURRENT_BINARY_DIR}/g.c)
configure_file(${CMAKE_SOURCE_DIR}/config.h.in config.h)
configure_file(gone.h.in gone.h @ONLY)
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/local)\nadd_subdirectory(local)\nendif()
add_test(NAME t COMMAND ${PY} ${TOP_DIR}/cmake/tool.py ${TOP_DIR}/cmake/gone.py ${ODD_DIR}/cmake/x.py)
set(S sub/b.c src/gone.c other/x.c)
list(APPEND S src/lost.c)\nset(OUTPUTS src/o.c)\nset(CMAKE_EXTRA_INCLUDE_FILES src/system.h)\nlist(APPEND X_NAMES X.h src/x.h)
function(f)\nadd_library(z part.c src/part.c)\nendfunction()
add_library(w /abs/x.c C:/x.c)
install(FILES ../src/a.c ../src/gone.c ${CMAKE_CURRENT_BINARY_DIR}/g.c note.txt DESTINATION src/x.c)
install(FILES ../src/gone2.c DESTINATION x OPTIONAL)\ninstall(TARGETS x.c)",
        "cmake.subdirectory ../src → src
        cmake.subdirectory gone → missing
        cmake.subdirectory ${X} → unknown dynamic
        cmake.include Own → cmake/Own.cmake
        cmake.include Owned → missing
        cmake.include CTest → unknown elsewhere
        cmake.include ../cmake/Own.cmake → cmake/Own.cmake
        cmake.include ../cmake/Gone.cmake → missing
        cmake.include ../cmake/Opt.cmake → unknown optional
        cmake.source ../src/a.c → src/a.c
        cmake.source ../src/gone.c → missing
        cmake.source made.c → unknown produced
        cmake.source out.c → unknown produced
        cmake.source config.h → unknown produced
        cmake.source moc_x.cpp → unknown produced
        cmake.source ${CMAKE_CURRENT_SOURCE_DIR}/../src/a.c → src/a.c
        cmake.source ${PROJECT_SOURCE_DIR}/src/gone.c → missing
        cmake.source ${CMAKE_CURRENT_BINARY_DIR}/g.c → unknown dynamic
        cmake.configure ${CMAKE_SOURCE_DIR}/config.h.in → config.h.in
        cmake.configure gone.h.in → missing
        cmake.subdirectory local → unknown optional
        cmake.path ${TOP_DIR}/cmake/tool.py → cmake/tool.py
        cmake.path ${TOP_DIR}/cmake/gone.py → missing
        cmake.path ${ODD_DIR}/cmake/x.py → unknown dynamic
        cmake.list sub/b.c → unknown undecided
        cmake.list src/gone.c → missing
        cmake.list other/x.c → unknown elsewhere
        cmake.list src/lost.c → missing
        cmake.source part.c → unknown elsewhere
        cmake.source src/part.c → missing
        cmake.source /abs/x.c → unknown elsewhere
        cmake.source C:/x.c → unknown elsewhere
        cmake.install ../src/a.c → src/a.c
        cmake.install ../src/gone.c → missing
        cmake.install ${CMAKE_CURRENT_BINARY_DIR}/g.c → unknown dynamic",
    );
}

/// Another package could bring any module, but not one that git moved from beside included ones.
#[test]
fn reports_modules_that_moved_from_beside_others() {
    let check = |text: &str, expect: &str| {
        let tree = format!(
            "{TREE}\ncmake/New.cmake\nmoved cmake/Old.cmake cmake/New.cmake\nmoved lib/Far.cmake cmake/New.cmake"
        );
        check(&tree, "src/deps.cmake", &format!("find_package(Foreign)\ninclude(Own)\n{text}"), expect);
    };
    check("include(Old)", "cmake.include Own → cmake/Own.cmake\ncmake.include Old → moved");
    // The package may bring these.
    check("include(Far)", "cmake.include Own → cmake/Own.cmake\ncmake.include Far → unknown elsewhere");
    check("include(Other)", "cmake.include Own → cmake/Own.cmake\ncmake.include Other → unknown elsewhere");
    check("include(Onw)", "cmake.include Own → cmake/Own.cmake\ncmake.include Onw → unknown elsewhere");
}

/// A project built from a subdirectory, beside another one; and a test that copies the project beside itself.
/// Names that a script compares with are no paths from its directory.
#[test]
fn decides_no_name_beside_names_of_another_directory() {
    let tree = "src/a.c\nsrc/b.c\nsrc/gone.h\ncmake/here.c";
    let check_list = |list: &str, expect: &str| check(tree, "cmake/names.cmake", list, expect);
    let expect =
        "cmake.list a.c → unknown undecided\ncmake.list b.c → unknown undecided\ncmake.list gone.c → unknown undecided";
    check_list("set(NAMES \"a.c\" \"b.c\" \"gone.c\")\n", expect);
    check_list("set(NAMES here.c gone.c)\n", "cmake.list here.c → cmake/here.c\ncmake.list gone.c → missing");
}

#[test]
fn reports_nothing_uncertain() {
    let tree = "b/CMakeLists.txt = set(CMAKE_SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/..)\ngit.c\nother/gen.c";
    check(
        tree,
        "b/x/CMakeLists.txt",
        "add_library(x ${CMAKE_SOURCE_DIR}/git.c)",
        "cmake.source ${CMAKE_SOURCE_DIR}/git.c → git.c",
    );
    check(
        tree,
        "other/CMakeLists.txt",
        "add_library(x ${CMAKE_SOURCE_DIR}/gen.c)",
        "cmake.source ${CMAKE_SOURCE_DIR}/gen.c → other/gen.c",
    );
    check(
        tree,
        "tests/CMakeLists.txt",
        "if(X STREQUAL y)\nadd_subdirectory(curl)\nendif()",
        "cmake.subdirectory curl → unknown optional",
    );
}

/// A file that a list includes runs in the directory of that.
#[test]
fn resolves_from_the_including_list() {
    check(
        "src/CMakeLists.txt\nsrc/view/a.c\nsrc/view/new.c\nmoved src/view/old.c src/view/new.c",
        "src/view/view.cmake",
        "target_sources(x PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/view/a.c ${CMAKE_CURRENT_SOURCE_DIR}/view/old.c view/old.c)",
        "cmake.source ${CMAKE_CURRENT_SOURCE_DIR}/view/a.c → src/view/a.c
        cmake.source ${CMAKE_CURRENT_SOURCE_DIR}/view/old.c → moved
        cmake.source view/old.c → moved",
    );
}

/// A function of a module can run elsewhere, but not with a script that a commit moved from beside the module.
#[test]
fn follows_scripts_of_functions() {
    check(
        "cmake/utils/fix.py\nmoved cmake/fix.py cmake/utils/fix.py\ncmake/utils/b.py",
        "cmake/x.cmake",
        "function(f)\nadd_custom_command(COMMAND ${CMAKE_CURRENT_LIST_DIR}/fix.py DEPENDS ${CMAKE_CURRENT_LIST_DIR}/b.py)\nendfunction()",
        "cmake.path ${CMAKE_CURRENT_LIST_DIR}/fix.py → moved
        cmake.path ${CMAKE_CURRENT_LIST_DIR}/b.py → unknown undecided",
    );
}

/// The directories around a list do not see its variables.
#[test]
fn reads_variables_in_their_scope() {
    let check_value = |below: &str, expect: &str| {
        let text = "set(DIR ${CMAKE_CURRENT_SOURCE_DIR}/include)\nadd_library(x ${DIR}/a.h)";
        let expect = format!("cmake.source ${{DIR}}/a.h → {expect}");
        check(&format!("include/a.h\ntest/CMakeLists.txt = {below}"), "CMakeLists.txt", text, &expect);
    };
    check_value("set(DIR ${OTHER})", "include/a.h");
    check_value("set(DIR ${OTHER} PARENT_SCOPE)", "unknown dynamic");
}

/// A command gives a variable a value that the file does not say.
#[test]
fn leaves_computed_variables() {
    let include = |computed: &str, expect: &str| {
        let tree = format!("x/a.cmake\ny/b.cmake = set(DIR ${{CMAKE_CURRENT_LIST_DIR}})\\n{computed}");
        check(
            &tree,
            "CMakeLists.txt",
            "include(${DIR}/a.cmake)",
            &format!("cmake.include ${{DIR}}/a.cmake → {expect}"),
        );
    };
    include("", "missing");
    include("file(TO_NATIVE_PATH $ENV{X}/y DIR)", "unknown undecided");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn accepts_any_text(text in r#"([$(){}"\\\r\n\t #;\[\]=]|set|include|add_library|src/gone\.c|CMAKE_SOURCE_DIR|OUTPUT|é|a){0,40}"#) {
        crate::testing::assert_ranges_valid("src/CMakeLists.txt", &text);
        crate::testing::assert_ranges_valid("src/x.cmake", &text);
    }
}

#[test]
fn requires_a_list_in_subdirectories() {
    check(
        "lib/a.c\nbare/\nsrc/CMakeLists.txt\nodd/cmakelists.txt\nmade/x.c\nignore made/CMakeLists.txt",
        "CMakeLists.txt",
        "add_subdirectory(src)\nadd_subdirectory(lib)\nadd_subdirectory(bare)\nadd_subdirectory(odd)\nadd_subdirectory(made)
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/lib/CMakeLists.txt)\nadd_subdirectory(lib)\nendif()
function(f)\nadd_subdirectory(lib)\nendfunction()",
        "cmake.subdirectory src → src
        cmake.subdirectory lib → missing
        cmake.subdirectory bare → bare
        cmake.subdirectory odd → case-mismatch
        cmake.subdirectory made → unknown ignored
        cmake.subdirectory lib → unknown optional
        cmake.subdirectory lib → lib",
    );
}

#[test]
fn reports_modules_with_a_typo() {
    check(
        "cmake/macros/CheckPlatform.cmake\ncmake/a/options.cmake",
        "CMakeLists.txt",
        "include(CheckPatform)\ninclude(CheckSymbolExists)\ninclude(optoins)\ninclude(other)",
        "cmake.include CheckPatform → missing
        cmake.include CheckSymbolExists → unknown elsewhere
        cmake.include optoins → missing
        cmake.include other → unknown elsewhere",
    );
}
