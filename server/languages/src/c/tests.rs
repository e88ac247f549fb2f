//! Fixtures of C and its relatives: found, missing and unknown includes.

use crate::testing::{MemoryTree, assert_ranges_valid, check, new_project, severities};
use pathfinder_literals::{Source, Verdict};

/// A library with its headers under `include`, and sources beside headers of their own.
const TREE: &str = "include/lib/a.h\ninclude/lib/e.h\ninclude/lib/sub/b.h\ninclude/lib/sub/d.h\ninclude/top.h\nsrc/main.c\nsrc/own.h\nsrc/part/x.h\nsrc/part/w2.h\nsrc/gone.c\n\
                    third_party/zip/zip.h\nCMakeLists.txt = include_directories(include)";

#[test]
fn resolves_quoted_includes() {
    check(
        TREE,
        "src/z.c",
        "#include \"own.h\"\n#include \"part/x.h\"\n#include \"part/y.h\"\n#include \"lib/a.h\"\n#include \"lib/c.h\"\n\
         #include \"gone.h\"\n#include \"./own.h\"\n#include \"../own.h\"\n#include \"../../x.h\"\n#include \"x.h\"\n#include OWN_H\n\
         #include_next \"own.h\"\n#include \"part\\x.h\"\n#include \"part\\y.h\"\n#include \"/usr/x.h\"\n",
        "c.include own.h → src/own.h
         c.include part/x.h → src/part/x.h
         c.include part/y.h → missing
         c.include lib/a.h → include/lib/a.h
         c.include lib/c.h → missing
         c.include gone.h → missing
         c.include ./own.h → src/own.h
         c.include ../own.h → missing
         c.include ../../x.h → unknown outside
         c.include x.h → unknown undecided
         c.include OWN_H → unknown dynamic
         c.include own.h → unknown elsewhere
         c.include part\\x.h → src/part/x.h
         c.include part\\y.h → missing
         c.include /usr/x.h → unknown elsewhere",
    );
    check(TREE, "src/z.c", "#include \"Own.h\"", "c.include Own.h → case-mismatch");
}

/// No library is included by the name that each project gives to its directory of headers.
#[test]
fn finds_headers_that_left_the_directory_of_headers() {
    let check_in = |tree: &str, expect: &str| check(tree, "src/z.c", "#include \"include/deno.h\"", expect);
    check_in("src/deno.h", "c.include include/deno.h → missing");
    check_in("src/other.h", "c.include include/deno.h → unknown elsewhere");
    check_in("src/deno.h\nlib/deno.h", "c.include include/deno.h → unknown elsewhere");
    check("src/deno.h", "src/z.c", "#include \"v8/deno.h\"", "c.include v8/deno.h → unknown elsewhere");
}

#[test]
fn resolves_angle_includes() {
    check(
        TREE,
        "src/z.cpp",
        "#include <lib/a.h>\n#include <lib/c.h>\n#include <lib/sub/c.h>\n#include <top.h>\n#include <bottom.h>\n#include <vector>\n\
         #include <openssl/ssl.h>\n#include <zip/zap.h>\n#include <part/y.h>\n#import <Foundation/Foundation.h>\n",
        "c.include_angle lib/a.h → include/lib/a.h
         c.include_angle lib/c.h → missing
         c.include_angle lib/sub/c.h → missing
         c.include_angle top.h → include/top.h
         c.include_angle bottom.h → unknown elsewhere
         c.include_angle vector → unknown elsewhere
         c.include_angle openssl/ssl.h → unknown elsewhere
         c.include_angle zip/zap.h → unknown elsewhere
         c.include_angle part/y.h → missing
         c.include_angle Foundation/Foundation.h → unknown elsewhere",
    );
    // A project directory of the same name does not make it a library's.
    check(
        "unix/linux/a.h\ninclude/linux/b.h",
        "unix/z.c",
        "#include <linux/if.h>",
        "c.include_angle linux/if.h → unknown elsewhere",
    );
    check("x/util/a.h", "y/z.c", "#include <util/if.h>", "c.include_angle util/if.h → unknown elsewhere");
}

#[test]
fn separates_first_party_headers() {
    let tree = "src/own.h\ninclude/uv-a.h\ninclude/uv-b.h\ninclude/uv-c.h\nsrc/accctrl/x.c\nsrc/stb/y.h";
    // The header is in a family, has a name that only first-party headers have, or shares a word with the file.
    check(
        tree,
        "src/ipc-win32.c",
        "#include \"own.h\"\n#include \"uv-gone.h\"\n#include \"utils.h\"\n#include \"ipc-gone.h\"\n#include \"uv-private/uv-a.h\"\n",
        "c.include own.h → src/own.h
         c.include uv-gone.h → missing
         c.include utils.h → missing
         c.include ipc-gone.h → missing
         c.include uv-private/uv-a.h → missing",
    );
    check(
        "src/catch_a.h\nsrc/catch_b.h\nsrc/catch_c.h\ngone/x.c",
        "t/z.cpp",
        "#include \"internal/catch_a.h\"",
        "c.include internal/catch_a.h → missing",
    );
    // git's accctrl.h and libuv's zos-base.h are system headers, protobuf's absl is a dependency.
    check(
        tree,
        "src/ipc-win32.c",
        "#include \"accctrl.h\"\n#include \"windows.h\"\n#include \"zos-base.h\"\n#include \"absl/strings/own.h\"\n#include \"tools/runfiles.h\"\n",
        "c.include accctrl.h → unknown elsewhere
         c.include windows.h → unknown elsewhere
         c.include zos-base.h → unknown elsewhere
         c.include absl/strings/own.h → unknown elsewhere
         c.include tools/runfiles.h → unknown elsewhere",
    );
    // Redis: the project generates the header if its own macro is set.
    check(
        tree,
        "src/uv.c",
        "#ifdef LOG_REQ_RES\n#include \"uv-made.def\"\n#endif\n#ifdef __linux__\n#include \"uv-linux.h\"\n#endif",
        "c.include uv-made.def → unknown optional
         c.include uv-linux.h → missing",
    );
    // git has a copy of a file of glibc.
    check(
        tree,
        "src/regex.c",
        "#ifdef _LIBC\n#include \"../locale/info.h\"\n#endif",
        "c.include ../locale/info.h → unknown optional",
    );
    // protobuf: an include directory of one part of a repository does not serve another part.
    check(
        "upb/base/a.h\nupb/base/b.h\nupb/CMakeLists.txt = include_directories(${CMAKE_CURRENT_SOURCE_DIR})",
        "src/a.cc",
        "#include \"base/init.h\"",
        "c.include base/init.h → unknown elsewhere",
    );
    // Flutter's own headers lie below a directory name that the project uses too, with one header in it.
    check(
        "linux/flutter/made.h\nlinux/CMakeLists.txt = include_directories(${CMAKE_SOURCE_DIR})",
        "linux/a.cc",
        "#include <flutter/x.h>",
        "c.include_angle flutter/x.h → unknown elsewhere",
    );
}

#[test]
fn respects_conditions() {
    let text = "#include \"own.h\"\n#ifdef _WIN32\n#include \"part/w.h\"\n#endif\n#if __has_include(\"part/h.h\")\n#include \"part/h.h\"\n#endif\n\
                #ifdef HAVE_X\n#include \"part/o.h\"\n#endif\n#if 0\n#include \"part/n.h\"\n#endif\n#include \"part/p.h\"";
    check(
        TREE,
        "src/z.c",
        text,
        "c.include own.h → src/own.h
         c.include part/w.h → missing
         c.include part/h.h → unknown optional
         c.include part/o.h → unknown optional
         c.include part/p.h → missing",
    );
    assert_eq!(severities(TREE, "src/z.c", text), ["warning", "error"]);
    assert_eq!(severities(TREE, "src/fixtures/z.c", "#include \"../y.h\""), ["hint"]);
}

#[test]
fn recognizes_generated_headers() {
    for (tree, name) in [
        ("a.c", "config.h"),
        ("a.c", "x.pb.h"),
        ("a.c", "moc_x.cpp"),
        ("a.c", "x.tab.h"),
        ("src/x.h.in", "x.h"),
        ("src/x.hpp.in", "x.hpp"),
        ("src/x.y", "x.h"),
        ("Makefile = x.h: x.sh", "x.h"),
        ("configure.ac = AC_CONFIG_HEADERS([src/x.h])", "x.h"),
        ("CMakeLists.txt = add_custom_command(OUTPUT ${B}/x.h COMMAND y)", "x.h"),
        ("CMakeLists.txt = add_made_library(x FROM y)", "x.h"),
        ("meson.build = configure_file(output: 'x.h', input: 'y')", "x.h"),
        ("BUILD.bazel = genrule(name = 'a', outs = ['x.h'])", "x.h"),
        ("src/BUILD = go_binary(name = 'x', linkmode = 'c-archive')", "x.h"),
    ] {
        let tree = format!("src/own.h\nsrc/x.c\n{tree}");
        let text = format!("#include \"own.h\"\n#include \"{name}\"");
        check(&tree, "src/z.c", &text, &format!("c.include own.h → src/own.h\nc.include {name} → unknown produced"));
    }
    check(
        "lib/Made.h\nCMakeLists.txt = add_own_sources(lib Made.h)\nsrc/CMakeLists.txt = add_made_library(made FROM y)",
        "src/z.c",
        "#include \"made.h\"",
        "c.include made.h → unknown produced",
    );
    check(
        "src/a.h\nignore src/made",
        "src/z.c",
        "#include \"a.h\"\n#include \"made/x.h\"",
        "c.include a.h → src/a.h\nc.include made/x.h → unknown ignored",
    );
    // A rule for a directory of any place says nothing of one that only its usual name suggests.
    check(
        "own/a.h\nown/b.h\nown/c.h\nown/d.h\nignore own/lib/",
        "own/z.c",
        "#include \"own/a.h\"\n#include \"own/made.h\"",
        "c.include own/a.h → own/a.h\nc.include own/made.h → missing",
    );
    // A command of the project lists sources, and a target has one of its name: they write none of these headers.
    check(
        "src/CMakeLists.txt = add_own_target(gone SOURCES a.h b.h c.h gone.c gone.h)\nsrc/a.h\nsrc/b.h\nsrc/c.h\nsrc/gone.c",
        "src/gone.c",
        "#include \"a.h\"\n#include \"gone.h\"",
        "c.include a.h → src/a.h\nc.include gone.h → missing",
    );
    // An ignored include directory does not affect a path relative to the file.
    check(
        "CMakeLists.txt = include_directories(gen/x)\nlib/a.h\nmoved lib/common/a.h lib/a.h\nignore gen/",
        "programs/b.c",
        "#include \"../lib/common/a.h\"",
        "c.include ../lib/common/a.h → moved",
    );
    // It was beside the file until a commit renamed it, and another part has one of its name (freeswitch); or the same part.
    check(
        "libs/ssl/buffer.h\nsrc/mod/avmd/avmd_buffer.h\nmoved src/mod/avmd/buffer.h src/mod/avmd/avmd_buffer.h",
        "src/mod/avmd/a.c",
        "#include \"buffer.h\"",
        "c.include buffer.h → moved",
    );
    check(
        "src/mod/fifo/buffer.h\nsrc/mod/avmd/avmd_buffer.h\nmoved src/mod/avmd/buffer.h src/mod/avmd/avmd_buffer.h",
        "src/mod/avmd/a.c",
        "#include \"buffer.h\"",
        "c.include buffer.h → unknown undecided",
    );
    // A file that git moved was there, though an ignored directory could have one of its name (libzmq). An ignored one was a build output.
    check(
        "CMakeLists.txt = include_directories(out)\nout/kept.h\nsrc/ctx.h\nmoved src/old.h src/ctx.h\nmoved out/gen.h src/ctx.h\nignore out",
        "src/z.c",
        "#include \"old.h\"\n#include \"gen.h\"",
        "c.include old.h → moved\nc.include gen.h → unknown ignored",
    );
    // An include directory can lie beside parts of the tree that are ignored (ospray).
    check(
        "src/cpu/CMakeLists.txt = include_directories(.)\nsrc/cpu/fb/new.h\nmoved src/cpu/fb/old.h src/cpu/fb/new.h\nignore src/fb",
        "src/cpu/fb/z.c",
        "#include \"fb/old.h\"",
        "c.include fb/old.h → moved",
    );
}

#[test]
fn searches_include_directories() {
    // clangd-www#39: without a database the include directories are unknown; one that would work is enough.
    check("a/b/x.h", "c/z.c", "#include \"x.h\"", "c.include x.h → unknown undecided");
    for tree in [
        "compile_flags.txt = -Ia/b",
        ".clangd = CompileFlags:\\n  Add: [-Ia/b]",
        "Makefile = CFLAGS = -I$(ROOT)/a/b",
        "CMakeLists.txt = target_include_directories(x PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/a/b)",
        "meson.build = inc = include_directories('a/b')",
        "build/compile_commands.json = [{\"directory\": \"/w/build\", \"command\": \"cc -I/w/a/b\", \"file\": \"/w/c/z.c\"}]",
    ] {
        check(
            &format!("a/b/x.h\n{tree}"),
            "c/z.c",
            "#include \"x.h\"\n#include <x.h>",
            "c.include x.h → a/b/x.h\nc.include_angle x.h → a/b/x.h",
        );
    }
}

/// A compile command applies to its file; headers are found wherever any file finds them.
#[test]
fn applies_compile_commands_per_file() {
    let tree = "
        a/b/x.h
        d/e/y.h
        c/z.c
        c/w.c
        c/h.h
        compile_commands.json = [{\"directory\": \"/w\", \"command\": \"cc -Ia/b c/z.c\", \"file\": \"c/z.c\"}, \
            {\"directory\": \"/w\", \"command\": \"cc -Id/e @more c/w.c\", \"file\": \"c/w.c\"}]
    ";
    let text = "#include \"x.h\"\n#include \"y.h\"\n#include <y.h>\n";
    check(
        tree,
        "c/z.c",
        text,
        "c.include x.h → a/b/x.h\nc.include y.h → missing\nc.include_angle y.h → unknown undecided",
    );
    for path in ["c/w.c", "c/h.h"] {
        check(tree, path, text, "c.include x.h → a/b/x.h\nc.include y.h → d/e/y.h\nc.include_angle y.h → d/e/y.h");
    }
}

/// The directory was renamed, and no other file has the name.
#[test]
fn finds_renamed_directories() {
    check(
        "src/ares/net_pton.h",
        "src/a.c",
        "#include \"c-ares/net_pton.h\"\n",
        "c.include c-ares/net_pton.h → missing",
    );
    for tree in ["src/other/net_pton.h", "src/ares/net_pton.h\nlib/net_pton.h"] {
        check(tree, "src/a.c", "#include \"c-ares/net_pton.h\"\n", "c.include c-ares/net_pton.h → unknown elsewhere");
    }
}

/// Catch2: `../` is relative to an include directory that only a project variable names.
#[test]
fn allows_directories_named_by_a_variable() {
    let text = "#include \"../include/x.h\"\n#include \"../include/gone.h\"";
    let of = |directories: &str| format!("include/x.h\nCMakeLists.txt = include_directories({directories})");
    check(
        &of("${HEADERS}"),
        "a/b/z.c",
        text,
        "c.include ../include/x.h → unknown undecided\nc.include ../include/gone.h → missing",
    );
    check(
        &of("${ZLIB_INCLUDE_DIRS}"),
        "a/b/z.c",
        text,
        "c.include ../include/x.h → missing\nc.include ../include/gone.h → missing",
    );
}

/// One header of the tree is a typo away: the include is missing without any compile database.
#[test]
fn reports_mistyped_headers() {
    let tree = "src/internal.h\nsrc/part/x.h\nlib/google/arena.h\nlib/google/arena.pb.h\nlib/zstr.h\nmade/lemon.h.in\nlib/lemons.h\nlib/tables.h\nignore lib/table.h";
    let text = "#include \"intrnal.h\"\n#include \"google/arsna.h\"\n#include \"gogle/arena.h\"\n#include \"google/areena.pb.h\"\n\
                #include \"zstd.h\"\n#include \"lemon.h\"\n#include \"table.h\"\n#include <intrnal.h>\n\
                #ifdef HAVE_X\n#include \"interal.h\"\n#endif";
    check(
        tree,
        "src/a.c",
        text,
        "c.include intrnal.h → missing
         c.include google/arsna.h → missing
         c.include gogle/arena.h → missing
         c.include google/areena.pb.h → missing
         c.include zstd.h → unknown elsewhere
         c.include lemon.h → unknown produced
         c.include table.h → unknown ignored
         c.include_angle intrnal.h → unknown elsewhere
         c.include interal.h → missing",
    );
    assert_eq!(severities(tree, "src/a.c", text), ["error", "error", "error", "error", "warning"]);
    let text = "#if __has_include(\"intrnal.h\")\n#include \"intrnal.h\"\n#endif\n";
    check(tree, "src/a.c", text, "c.include intrnal.h → unknown optional");
}

#[test]
fn accepts_broken_text() {
    for text in [
        "#include \"",
        "#include <é",
        "#",
        "#if",
        "#endif\n#else\n#include \"b.h\"",
        "R\"(",
        "/*",
        "'",
        "#include \"\\\n",
    ] {
        assert_ranges_valid("src/a.c", text);
    }
    assert_ranges_valid("src/a.c", &"#if A\n".repeat(5000));
    assert_ranges_valid("src/a.c", &"R\"(".repeat(5000));
}

/// No directory of the tree resolves the include, and git history knows the new path.
#[test]
fn ignores_headers_of_systems_whose_copy_moved() {
    check(
        "include/own/a.h\ndeps/glad/vulkan.h\nmoved include/vulkan/vulkan.h deps/glad/vulkan.h",
        "include/own/b.h",
        "#include <vulkan/vulkan.h>\n",
        "c.include_angle vulkan/vulkan.h → unknown elsewhere",
    );
}

#[test]
fn follows_headers_of_any_searched_directory() {
    let tree = "api/include/own/nose_driver.h\napi/include/own/b.h\nlow/include/own/c.h\nlow/include/own/other.h\na.c\nmoved api/include/own/verlet.h api/include/own/nose_driver.h\nmoved std.h own-std.h\nown-std.h";
    check(tree, "low/include/own/kernels.h", "#include \"own/verlet.h\"\n", "c.include own/verlet.h → moved");
    check(tree, "low/include/own/kernels.h", "#include \"own/none.h\"\n", "c.include own/none.h → missing");
    let tree = format!("Makefile = CFLAGS = -I.\n{tree}");
    check(&tree, "a.c", "#include <std.h>\n", "c.include_angle std.h → moved");
}

#[test]
fn follows_moved_directories() {
    check(
        "src/linux-calls.h\nsrc/net.h.in\ncontrib/zip/zip.h\nmoved src/linux/calls.h src/linux-calls.h\nmoved src/gen/net.h src/net.h.in\n\
         moved src/zip/zip.h contrib/zip/zip.h\nmoved src/sys/calls.h src/linux-calls.h",
        "src/a.c",
        "#include \"linux/calls.h\"\n#include \"gen/net.h\"\n#include \"zip/zip.h\"\n#include <linux/calls.h>\n#include \"sys/calls.h\"\n\
         #include \"linux/other.h\"\n",
        "c.include linux/calls.h → unknown elsewhere
         c.include gen/net.h → unknown produced
         c.include zip/zip.h → moved
         c.include_angle linux/calls.h → unknown elsewhere
         c.include sys/calls.h → unknown elsewhere
         c.include linux/other.h → unknown elsewhere",
    );
    check(
        "src/x-calls.h\nmoved src/xos/calls.h src/x-calls.h",
        "src/a.c",
        "#if defined(X)\n#include \"xos/calls.h\"\n#endif\n#include <xos/calls.h>\n#include \"xos/other.h\"\n",
        "c.include xos/calls.h → moved
         c.include_angle xos/calls.h → unknown elsewhere
         c.include xos/other.h → unknown elsewhere",
    );
}

/// Git history knows the new path of a header that was in an include directory.
/// Headers below `include` are included with the directory that is named after their library, which the compiler does not search.
#[test]
fn reports_headers_without_the_directory_of_their_library() {
    let neighbor = "lib/include/own/b.h = #include \"own/a.h\"\n";
    let tree = format!("lib/include/own/a.h\n{neighbor}");
    check(&tree, "lib/a.c", "#include \"a.h\"\n", "c.include a.h → missing");
    // The includes of the file show it as well, and one without the directory that it is searched.
    let tree = "lib/include/own/a.h\nlib/include/own/c.h\nlib/include/own/d.h\n";
    let both = "c.include a.h → missing\nc.include own/c.h → lib/include/own/c.h";
    check(tree, "lib/a.c", "#include \"a.h\"\n#include \"own/c.h\"\n", both);
    check(
        tree,
        "lib/a.c",
        "#include \"a.h\"\n#include \"d.h\"\n",
        "c.include a.h → unknown undecided\nc.include d.h → unknown undecided",
    );
    check(tree, "lib/a.c", "#include \"a.h\"\n", "c.include a.h → unknown undecided");
    let searched = format!("CMakeLists.txt = include_directories(lib/include/own)\nlib/include/own/a.h\n{neighbor}");
    check(&searched, "src/a.c", "#include \"a.h\"\n", "c.include a.h → lib/include/own/a.h");
    // A header that moved there.
    check(
        "lib/include/own/a.h\nmoved lib/a.h lib/include/own/a.h",
        "lib/a.c",
        "#include \"a.h\"\n",
        "c.include a.h → moved",
    );
}

#[test]
fn follows_moves_within_include_directories() {
    check(
        "include/fresh.h\ninclude/inflate.h\nmoved include/stale.h include/fresh.h\nmoved include/zlib.h include/inflate.h",
        "src/a.c",
        "#include \"stale.h\"\n#include \"zlib.h\"\n",
        "c.include stale.h → moved\nc.include zlib.h → unknown elsewhere",
    );
    // One header is left in the directory, which is too few for a library (spdlog). The last one never was there.
    check(
        "include/lib/a/left.h\ninclude/lib/b/gone.h\nmoved include/lib/a/gone.h include/lib/b/gone.h",
        "src/z.c",
        "#include <lib/a/gone.h>\n#include \"lib/a/gone.h\"\n#include <lib/a/never.h>\n",
        "c.include_angle lib/a/gone.h → moved
         c.include lib/a/gone.h → moved
         c.include_angle lib/a/never.h → unknown elsewhere",
    );
}

/// A submodule that is not checked out can have any header, but not one that was beside the file or in another include directory.
#[test]
fn follows_moves_past_submodules() {
    check(
        "include/a/x.h\ninclude/b/y.h\n.gitmodules = path = deps/z\ndeps/z/\nCMakeLists.txt = include_directories(include deps/z)\n\
         moved include/c/x.h include/a/x.h\nmoved src/own/y.h include/b/y.h\nmoved deps/z/in.h include/b/y.h",
        "src/a.c",
        "#include \"c/x.h\"\n#include \"own/y.h\"\n#include \"in.h\"\n#include \"c/never.h\"\n",
        "c.include c/x.h → moved
         c.include own/y.h → moved
         c.include in.h → unknown submodule
         c.include c/never.h → unknown submodule",
    );
}

/// Among several headers of the intended name, the compiler's choice counts.
#[test]
fn picks_the_header_that_a_compiler_finds() {
    let mut tree = MemoryTree::new("examples/common.h\nsrc/lib/common.h\nsrc/lib/streams/b.c");
    let text = "#include \"commoon.h\"\n";
    tree.add("src/lib/streams/a.c", text);
    let project = new_project(tree);
    let source = Source::new("src/lib/streams/a.c", text.as_bytes()).expect("a text");
    let wanted = pathfinder_literals::check(&source, &project).into_iter().find_map(|checked| match checked.verdict {
        Verdict::Missing(missing) => Some(missing.wanted),
        _ => None,
    });
    assert_eq!(wanted.as_deref(), Some("src/lib/commoon.h"));
}
