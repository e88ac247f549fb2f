//! Fixtures of Maven: found, missing and unknown modules and parents.

use crate::testing::{assert_ranges_valid, check, severities};

#[test]
fn resolves_modules_and_parents() {
    check(
        "pom.xml\na/pom.xml\nd/pom_template.xml\nb/x.txt\nc/other.xml",
        "pom.xml",
        "<project><parent><relativePath>../pom.xml</relativePath></parent><modules>\n <module>a</module>\n<module> b </module><module>c/other.xml</module>\n\
         <!-- <module>no</module> --><module>d</module><module>gone</module><module>${x}</module></modules>\n<profiles><profile><modules><module>no</module></modules></profile></profiles></project>",
        "maven.parent ../pom.xml → unknown outside
         maven.module a → a/pom.xml
         maven.module b → missing
         maven.module c/other.xml → c/other.xml
         maven.module d → unknown produced
         maven.module gone → missing
         maven.module ${x} → unknown dynamic",
    );
    check(
        ".mvn/extensions.xml\na/pom.xml\na/b/feature.xml",
        "a/pom.xml",
        "<project><modules><module>b</module><module>gone</module></modules></project>",
        "maven.module b → a/b
         maven.module gone → missing",
    );
    check("pom.xml", "a/pom.xml", "<project><parent><relativePath/></parent></project>", "");
    check(
        "pom.xml",
        "a/pom.xml",
        "<project><parent><relativePath>..</relativePath></parent></project>",
        "maven.parent .. → pom.xml",
    );
    let with_name = |name: &str, expect: &str| {
        let text = "<project><parent><artifactId>all</artifactId><relativePath>..</relativePath></parent><artifactId>b</artifactId></project>";
        let parent = format!("pom.xml = <project><artifactId>{name}</artifactId></project>");
        check(&parent, "a/pom.xml", text, &format!("maven.parent .. → {expect}"));
    };
    with_name("all", "pom.xml");
    with_name("${x}", "pom.xml");
    with_name("other", "unknown not-installed");
    let with_version = |version: &str, expect: &str| {
        let text = format!(
            "<project><parent><relativePath>../gone/pom.xml</relativePath><version>{version}</version></parent></project>"
        );
        check("pom.xml", "a/pom.xml", &text, &format!("maven.parent ../gone/pom.xml → {expect}"));
    };
    with_version("1.0.0-SNAPSHOT", "missing");
    with_version("${revision}", "missing");
    with_version("1.0.0", "unknown not-installed");
    let text = "<project><modules><module>x</module></modules></project>";
    assert_eq!(severities("", "a/src/test/resources/pom.xml", text), ["hint"]);
    assert_eq!(severities("", "a/pom.xml", text), ["error"]);
}

#[test]
fn accepts_broken_text() {
    assert_ranges_valid("pom.xml", "<project><modules><module>é");
    assert_ranges_valid("pom.xml", "</x><module>é</module>");
}
