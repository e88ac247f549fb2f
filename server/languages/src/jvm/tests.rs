//! Fixtures of the JVM languages: found, missing and unknown imports.

use crate::testing::{assert_ranges_valid, check, severities};

const TREE: &str =
    "app/src/main/java/a/b/C.java = package a.b; public class C { static int f; class Inner {} } class Second {}
app/src/main/java/a/b/D.java = package a.b; import a.b.old.C; class D {}
app/src/main/java/a/b/E.java = package a.b; class E {}
app/src/main/java/a/b/y/M.java = package a.b.y; class M {}
app/src/main/java/a/b/y/N.java = package a.b.y; class N {}
app/src/main/java/a/b/x/F.kt = package a.b.x\\nfun top() {}\\nclass G
app/src/main/java/a/b/x/H.kt = package a.b.x\\nclass H
other/K.java = package a.b; class K {}
test/org/junit/Rule.java = package org.junit; class Rule {}
schema/user.proto = message Person {}";

#[test]
fn resolves_java_imports() {
    check(
        TREE,
        "app/src/main/java/a/b/x/X.java",
        "package a.b.x;\nimport java.util.List;\nimport a.b.C;\nimport a.b.C.Inner;\nimport static a.b.C.f;\nimport a.b.Second;\nimport a.b.K;\n\
         import a.b.Gone;\nimport a.b.x.G;\nimport a.b.x.FKt;\nimport a.b.*;\nimport a.b.gone.*;\nimport a.b.old.C;\nimport a.b.lib.Other;\nimport static a.b.Gone.y;\nimport org.junit.Test;\n\
         import a.b.Person;\nimport a.b.QUser;\nimport a.b.c;\n",
        "java.import java.util.List → unknown elsewhere
         java.import a.b.C → app/src/main/java/a/b/C.java
         java.import a.b.C → app/src/main/java/a/b/C.java
         java.import a.b.C → app/src/main/java/a/b/C.java
         java.import a.b.Second → app/src/main/java/a/b/C.java
         java.import a.b.K → other/K.java
         java.import a.b.Gone → missing
         java.import a.b.x.G → app/src/main/java/a/b/x/F.kt
         java.import a.b.x.FKt → app/src/main/java/a/b/x/F.kt
         java.import a.b → app/src/main/java/a/b
         java.import a.b.gone → unknown elsewhere
         java.import a.b.old.C → missing
         java.import a.b.lib.Other → unknown elsewhere
         java.import a.b.Gone → missing
         java.import org.junit.Test → unknown elsewhere
         java.import a.b.Person → unknown produced
         java.import a.b.QUser → unknown produced
         java.import a.b.c → unknown elsewhere",
    );
}

/// A type that left its module is not that of another module of the same name.
#[test]
fn tells_namesakes_of_modules() {
    let tree = "a/src/main/java/p/x/C.java = package p.x; class C {}
moved a/src/main/java/p/C.java a/src/main/java/p/x/C.java
b/src/main/java/p/C.java = package p; class C {}";
    let text = "package p.y;\nimport p.C;\n";
    check(tree, "a/src/test/java/p/y/D.java", text, "java.import p.C → moved");
    check(tree, "b/src/main/java/p/y/D.java", text, "java.import p.C → b/src/main/java/p/C.java");
    check(tree, "c/src/main/java/p/y/D.java", text, "java.import p.C → b/src/main/java/p/C.java");
    // It moved to the other module.
    let tree =
        "moved a/src/main/java/p/C.java b/src/main/java/p/C.java\nb/src/main/java/p/C.java = package p; class C {}";
    check(tree, "a/src/main/java/p/y/D.java", text, "java.import p.C → b/src/main/java/p/C.java");
}

/// A module that asks for another version of a module of the tree is built with an artifact.
#[test]
fn leaves_what_another_version_has() {
    let tree = |version: &str| {
        format!(
            "core/pom.xml = <project><artifactId>core</artifactId><version>2</version></project>
core/src/main/java/a/b/x/Gone.java = package a.b.x;
moved core/src/main/java/a/b/Gone.java core/src/main/java/a/b/x/Gone.java
app/pom.xml = <project><dependencies><dependency><artifactId>core</artifactId><version>{version}</version></dependency></dependencies></project>"
        )
    };
    for (version, verdict) in [("1", "unknown undecided"), ("2", "moved")] {
        let expect = format!("java.import a.b.Gone → {verdict}");
        check(&tree(version), "app/src/main/java/a/c/X.java", "package a.c;\nimport a.b.Gone;\n", &expect);
    }
}

/// A package of the tree with one typo is that package; another one can be of a library.
#[test]
fn reports_packages_with_a_typo() {
    let tree = "src/main/java/com/acme/store/Cart.java = package com.acme.store; public class Cart {}";
    check(
        tree,
        "src/main/java/com/acme/shop/Shop.java",
        "package com.acme.shop;\nimport com.acme.stor.Cart;\nimport com.acme.stor.Other;\nimport com.acme.lib.Cart;\n",
        "java.import com.acme.stor.Cart → missing
         java.import com.acme.stor.Other → unknown elsewhere
         java.import com.acme.lib.Cart → unknown elsewhere",
    );
}

#[test]
fn resolves_kotlin_and_scala_imports() {
    check(
        TREE,
        "app/src/main/java/a/b/x/X.kt",
        "package a.b.x\nimport a.b.C as D\nimport a.b.Gone\nimport a.b.x.top\nimport a.b.x.gone\nimport kotlin.io.*\nval x = \"import a.b.No\"",
        "kotlin.import a.b.C → app/src/main/java/a/b/C.java
         kotlin.import a.b.Gone → missing
         kotlin.import a.b.x.top → app/src/main/java/a/b/x/F.kt
         kotlin.import a.b.x.gone → unknown elsewhere
         kotlin.import kotlin.io → unknown elsewhere",
    );
    check(
        TREE,
        "app/X.scala",
        "package a.b\nimport a.b.{C, Gone => D}\nimport x.H\nimport scala.util._\n",
        "scala.import C → app/src/main/java/a/b/C.java
         scala.import Gone → missing
         scala.import x.H → app/src/main/java/a/b/x/H.kt
         scala.import scala.util → unknown elsewhere",
    );
}

/// A function of Kotlin is where a file of its package declares it.
#[test]
fn resolves_functions() {
    let tree = "src/main/kotlin/p/q/Help.kt = package p.q\\nfun assist() {}\\nval size = 1
src/main/kotlin/p/q/More.kt = package p.q
src/main/kotlin/p/r/Left.kt = package p.r\\nfun leave() {}
moved src/main/kotlin/p/old/Left.kt src/main/kotlin/p/r/Left.kt
src/main/kotlin/p/r/Went.kt = package p.r\\nfun went() {}
moved src/main/kotlin/p/q/Went.kt src/main/kotlin/p/r/Went.kt";
    let text = |import: &str, used: &str| format!("package p.s\nimport {import}\nval x = {used}()\n");
    let check_import = |import: &str, used: &str, expect: &str| {
        check(tree, "src/main/kotlin/p/s/X.kt", &text(import, used), &format!("kotlin.import {import} → {expect}"));
    };
    check_import("p.q.assist", "assist", "src/main/kotlin/p/q/Help.kt");
    check_import("p.q.size", "size", "src/main/kotlin/p/q/Help.kt");
    check_import("p.old.leave", "leave", "moved");
    check_import("p.q.went", "went", "moved");
    // A slip is made once.
    check_import("p.q.asist", "assist", "missing");
    check_import("p.q.asist", "asist", "unknown elsewhere");
    check_import("p.q.other", "other", "unknown elsewhere");
    check_import("kotlin.math.abs", "abs", "unknown elsewhere");
}

/// A package with a single name is not the end of another one.
#[test]
fn tells_packages_with_a_single_name() {
    let tree = "src/main/kotlin/com/acme/events/Bus.kt = package com.acme.events\\nclass Bus
moved src/main/kotlin/events/Bus.kt src/main/kotlin/com/acme/events/Bus.kt
src/main/kotlin/own/Own.kt = package own\\nclass Own";
    check(
        tree,
        "src/main/kotlin/App.kt",
        "import events.Bus\nimport own.Own\nimport own.*\nimport com.acme.events.Bus\n",
        "kotlin.import events.Bus → moved
         kotlin.import own.Own → src/main/kotlin/own/Own.kt
         kotlin.import own → src/main/kotlin/own
         kotlin.import com.acme.events.Bus → src/main/kotlin/com/acme/events/Bus.kt",
    );
}

/// Members of a type of Scala are no types, and a file that left its package can declare types of other names.
#[test]
fn follows_types_of_scala() {
    let tree = "m/src/main/scala/a/b/x/Api.scala = package a.b.x\\nobject Api { class Failure }
moved m/src/main/scala/a/b/Api.scala m/src/main/scala/a/b/x/Api.scala
m/src/main/scala/a/b/x/all.scala = package a.b.x\\nclass First\\nclass Second
moved m/src/main/scala/q/r/all.scala m/src/main/scala/a/b/x/all.scala";
    check(
        tree,
        "m/src/main/scala/a/b/y/X.scala",
        "package a.b.y\nimport a.b.Api.{Failure, other}\nimport q.r.{First, Third}\n",
        "scala.import a.b.Api → moved
         scala.import First → moved
         scala.import Third → unknown elsewhere",
    );
}

#[test]
fn ignores_third_party_packages() {
    // More names are imported from the package than it has here.
    check(
        "x/okhttp3/A.java = package okhttp3; import okhttp3.B; import okhttp3.C; class A {}\nx/okhttp3/D.java = package okhttp3; class D {}",
        "y/X.java",
        "package y;\nimport okhttp3.B;\nimport okhttp3.A;\n",
        "java.import okhttp3.B → unknown elsewhere
         java.import okhttp3.A → x/okhttp3/A.java",
    );
    assert_eq!(severities(TREE, "testdata/X.java", "import a.b.Gone;"), ["hint"]);
    assert_eq!(severities(TREE, "X.java", "import a.b.Gone;"), ["error"]);
}

#[test]
fn accepts_broken_text() {
    for path in ["a.java", "a.kt", "a.scala", "a.groovy"] {
        for text in
            ["package", "import a.", "import a.b.{é", "@file:", "@A(", "package a\nimport a.É", "class", "import `"]
        {
            assert_ranges_valid(path, text);
        }
    }
}

/// A root package that was renamed as a whole.
#[test]
fn follows_renamed_root_packages() {
    check(
        "lib/src/main/java/kit2/http/Get.java = package kit2.http; class Get {}
         moved lib/src/main/java/kit/http lib/src/main/java/kit2/http
         moved lib/src/main/java/kit/http/Get.java lib/src/main/java/kit2/http/Get.java",
        "app/src/test/java/kit2/A.java",
        "package kit2;\nimport kit.http.Get;\nimport kit.http.Put;\nimport java.util.List;\nimport kit2.http.Get;\n",
        "java.import kit.http.Get → moved
         java.import kit.http.Put → unknown elsewhere
         java.import java.util.List → unknown elsewhere
         java.import kit2.http.Get → lib/src/main/java/kit2/http/Get.java",
    );
}

/// A module of its own source root that moved, with its package below one that other modules have.
#[test]
fn follows_renamed_modules() {
    let tree = "besu/src/main/java/a/b/besu/Besu.java = package a.b.besu; class Besu {}
        core/src/main/java/a/b/Core.java = package a.b; class Core {}
        moved pan/src/main/java/a/b/pan besu/src/main/java/a/b/besu
        moved pan/src/main/java/a/b/pan/Pan.java besu/src/main/java/a/b/besu/Besu.java";
    check(
        tree,
        "core/src/main/java/a/b/X.java",
        "package a.b;\nimport a.b.pan.Pan;\nimport a.b.pan.*;\nimport a.b.gone.*;\nimport a.b.gone.Gone;\n",
        "java.import a.b.pan.Pan → moved
         java.import a.b.pan → moved
         java.import a.b.gone → unknown elsewhere
         java.import a.b.gone.Gone → unknown elsewhere",
    );
}

/// A class that moved out of a package, which is gone or not, in a source root other than the importing file's.
#[test]
fn follows_moved_classes_of_other_source_roots() {
    let uses = "package c;\nimport a.b.web.Client;\nimport a.b.kept.One;\nimport a.b.web.Gone;\n";
    check(
        "lib/src/main/java/a/b/web/auto/Client.java = package a.b.web.auto; class Client {}
         lib/src/main/java/a/b/web/auto/One.java = package a.b.web.auto; class One {}
         lib/src/main/java/a/b/kept/Two.java = package a.b.kept; class Two {}
         moved lib/src/main/java/a/b/web/Client.java lib/src/main/java/a/b/web/auto/Client.java
         moved lib/src/main/java/a/b/kept/One.java lib/src/main/java/a/b/web/auto/One.java",
        "app/src/test/java/c/Test.java",
        uses,
        "java.import a.b.web.Client → moved
         java.import a.b.kept.One → moved
         java.import a.b.web.Gone → unknown elsewhere",
    );
}

/// A class that became the template from which a build writes it.
#[test]
fn leaves_classes_that_became_templates() {
    check(
        "lib/src/mdo/java/One.java = package ${package}; class One {}
         lib/src/main/java/a/b/Two.java = package a.b; class Two {}
         moved lib/src/main/java/a/b/One.java lib/src/mdo/java/One.java",
        "lib/src/main/java/a/c/Three.java",
        "package a.c;\nimport a.b.One;\n",
        "java.import a.b.One → unknown produced",
    );
}

/// Several programs with types of the same name.
#[test]
fn prefers_the_nearest_type() {
    let tree = "one/src/main/java/a/App.java = package a; class App {}\ntwo/src/main/java/a/App.java = package a; class App {}";
    let check = |path: &str, expect: &str| check(tree, path, "package b;\nimport a.App;\n", expect);
    check("one/src/test/java/b/T.java", "java.import a.App → one/src/main/java/a/App.java");
    check("two/src/test/java/b/T.java", "java.import a.App → two/src/main/java/a/App.java");
    check("three/T.java", "java.import a.App → one/src/main/java/a/App.java");
}

/// Generators make types of such names, and so do people: git knows which.
#[test]
fn follows_moves_of_types_with_names_of_generators() {
    let tree = "m/java/a/b/C.java = package a.b; class C {}\nm/java/a/b/D.java = package a.b; class D {}\nm/java/a/b/c/UserMapper.java = package a.b.c; class UserMapper {}\n\
        moved m/java/a/b/UserMapper.java m/java/a/b/c/UserMapper.java";
    let text = "package a.b.n;\nimport a.b.UserMapper;\nimport a.b.OtherMapper;\n";
    let expect = "java.import a.b.UserMapper → moved\njava.import a.b.OtherMapper → unknown produced";
    check(tree, "m/java/a/b/n/X.java", text, expect);
}

/// A package that is nowhere would be below its parent package, whatever source root that is in: the build of that module is asked.
#[test]
fn places_missing_packages_below_their_parents() {
    let tree = |build: &str| {
        format!(
            "m/build.gradle = {build}
m/src/main/java/a/b/c/C.java = package a.b.c; class C {{}}
m/src/main/java/a/b/c/D.java = package a.b.c; class D {{}}
m/src/main/java/a/b/c/z/S.java = package a.b.c.z; class S {{}}"
        )
    };
    let text = "package a.b.n;\nimport a.b.c.y.S;\n";
    let of = |build: &str, expect: &str| check(&tree(build), "n/src/main/java/a/b/n/X.java", text, expect);
    of("plugins {}", "java.import a.b.c.y.S → missing");
    of("srcDir 'build/generated/x'", "java.import a.b.c.y.S → unknown produced");
}

/// Members of a package object are imported from its package; a module that generates sources has unknown types.
#[test]
fn resolves_package_objects_and_generated_sources() {
    check(
        "s/package.scala = package a.b\\npackage object util { type Id = Int }\ns/util/One.scala = package a.b.util\\nclass One\ns/util/Two.scala = package a.b.util\\nclass Two",
        "s/X.scala",
        "package a.b\nimport a.b.util.Id\nimport a.b.util.Gone\n",
        "scala.import a.b.util.Id → s/package.scala
         scala.import a.b.util.Gone → missing",
    );
    check(
        "m/build.gradle = sourceSets.main.java.srcDir 'build/generated/x'\nm/src/main/java/a/b/C.java = package a.b; class C {}\nm/src/main/java/a/b/D.java = package a.b; class D {}",
        "n/src/main/java/a/E.java",
        "package a;\nimport a.b.Gone;\nimport a.b.C;\n",
        "java.import a.b.Gone → unknown produced
         java.import a.b.C → m/src/main/java/a/b/C.java",
    );
}

/// A build makes further types of the package, and its files have names of their own.
#[test]
fn reports_declared_names_with_a_typo() {
    let tree = "src/a/b/Rates.kt = package a.b\\nclass ExchangeRate\\nclass Other\nsrc/a/b/More.kt = package a.b\\nclass Kit\n\
        build.gradle.kts = sqldelight { databases { } }";
    let import = |name: &str| format!("package a.c\n\nimport a.b.{name}\n\nval x = ExchangeRate(1)\n");
    check(tree, "src/a/c/X.kt", &import("ExchangeRate"), "kotlin.import a.b.ExchangeRate → src/a/b/Rates.kt");
    check(tree, "src/a/c/X.kt", &import("ExchaneRate"), "kotlin.import a.b.ExchaneRate → missing");
}
