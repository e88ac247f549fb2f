//! Fixtures of Gradle: found, missing and unknown references.

use crate::testing::{assert_ranges_valid, check, severities};

const TREE: &str = "a/b/build.gradle\nc/build.gradle\ngradle/java.gradle\nbuild-logic/settings.gradle";

#[test]
fn resolves_settings() {
    check(
        TREE,
        "settings.gradle",
        "include ':a:b', 'c',\n  ':gone' // ':no'\ninclude ':x' + y\ninclude \"d-$e\"\npluginManagement { includeBuild 'build-logic'\n includeBuild('gone-logic') }\n\
         dependencyResolutionManagement { repositories { maven { content { include 'no' } } } }\nrootProject.name = 'no'\n",
        "gradle.include :a:b → a/b
         gradle.include c → c
         gradle.include :gone → missing
         gradle.include d-$e → unknown dynamic
         gradle.include_build build-logic → build-logic
         gradle.include_build gone-logic → missing",
    );
    check(
        TREE,
        "settings.gradle.kts",
        "include(\":c\", \":gone\")\n",
        "gradle.include :c → c\ngradle.include :gone → missing",
    );
    check(
        TREE,
        "settings.gradle",
        "include ':z'\nproject(':z').projectDir = file('c')",
        "gradle.include :z → unknown undecided",
    );
    check(TREE, "build.gradle", "jar { include 'x' }\ninclude ':z'", "");
    assert_eq!(severities(TREE, "x/src/test/resources/settings.gradle", "include ':z'"), ["hint"]);
}

#[test]
fn resolves_applied_scripts() {
    check(
        TREE,
        "c/build.gradle",
        "apply plugin: 'java'\napply from: 'gradle/java.gradle'\napply from: \"$rootDir/gradle/gone.gradle\"\napply(from = \"../gradle/java.gradle\")\n\
         apply from: \"https://x/y.gradle\"\napply from: file('no.gradle')\napply from: other\nx = 'y'\napply from: 'nowhere/near.gradle'",
        "gradle.apply gradle/java.gradle → gradle/java.gradle
         gradle.apply $rootDir/gradle/gone.gradle → missing
         gradle.apply ../gradle/java.gradle → gradle/java.gradle
         gradle.apply https://x/y.gradle → unknown dynamic
         gradle.apply nowhere/near.gradle → unknown elsewhere",
    );
}

#[test]
fn accepts_broken_text() {
    for text in ["include", "include 'é", "include(\"\"", "apply from:", "}}}", "apply from: '' +", "+"] {
        assert_ranges_valid("settings.gradle", text);
    }
}
