//! Tests of package names in project metadata.

use pathfinder_core::RelPath;

use super::super::package_manifests;
use crate::testing::TestTree;

/// Checks the names that a metadata file with this content gives.
fn check(file: &str, content: &str, expected: &[&str]) {
    let tree = TestTree::new("d/");
    let path = format!("d/{file}");
    std::fs::write(tree.path(&path), content).expect("a file");
    let found = package_manifests::read(&tree.root(""), &[RelPath::from(path.as_str())]);
    let names: Vec<&str> = found.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(names, expected, "{file}: {content}");
    assert!(found.iter().all(|package| package.directory == "d".into()), "{found:?}");
}

#[test]
fn reads_cargo() {
    check(
        "Cargo.toml",
        "[package]\nname = \"ripple\"\nversion.workspace = true\n[dependencies]\nserde = \"1\"",
        &["ripple"],
    );
    check("Cargo.toml", "[workspace]\nmembers = []\n[workspace.package]\nname = \"no\"", &[]);
    check("Cargo.toml", "[package]\nname = 3", &[]);
    check("Cargo.toml", "[package\nname = \"broken\"", &[]);
}

#[test]
fn reads_npm_and_composer() {
    check("package.json", r#"{"name":"@acme/ui","dependencies":{"name":"no"}}"#, &["@acme/ui"]);
    check("package.json", "\u{feff}{\"name\": \" padded \"}", &["padded"]);
    check("package.json", r#"{"private":true}"#, &[]);
    check("package.json", r#"{"name":null}"#, &[]);
    check("package.json", r#"{"name":["no"]}"#, &[]);
    check("package.json", r#"{"name":"broken""#, &[]);
    check("package.json", "", &[]);
    check("package.json", &format!(r#"{{"name":"{}"}}"#, "x".repeat(513)), &[]);
    check("package.json", &format!(r#"{{"name":"big","x":"{}"}}"#, "x".repeat(1024 * 1024)), &[]);
    check("composer.json", r#"{"name":"acme/mailer","require":{}}"#, &["acme/mailer"]);
}

#[test]
fn reads_go() {
    check("go.mod", "// a comment\nmodule github.com/acme/tool/v2 // why\n\ngo 1.22\n", &["github.com/acme/tool/v2"]);
    check("go.mod", "module \"example.com/quoted\"\r\n", &["example.com/quoted"]);
    check("go.mod", "go 1.22\nmodule (\n\texample.com/block\n)\nrequire example.com/no v1.0.0", &["example.com/block"]);
    check("go.mod", "require (\n\texample.com/no v1.0.0\n)\n", &[]);
}

#[test]
fn reads_python() {
    check("pyproject.toml", "[project]\nname = \"modern\"\n", &["modern"]);
    check("pyproject.toml", "[tool.poetry]\nname = \"poet\"\n[tool.poetry.dependencies]\npython = \"*\"", &["poet"]);
    check("pyproject.toml", "[project]\nname = \"b\"\n[tool.poetry]\nname = \"a\"", &["a", "b"]);
    check("pyproject.toml", "[project]\nname = \"same\"\n[tool.poetry]\nname = \"same\"", &["same"]);
    check("pyproject.toml", "[tool.black]\nline-length = 100", &[]);
}

#[test]
fn reads_maven() {
    let project = |inside: &str| {
        format!(r#"<?xml version="1.0"?><project xmlns="http://maven.apache.org/POM/4.0.0">{inside}</project>"#)
    };
    let dependency =
        "<dependencies><dependency><groupId>x</groupId><artifactId>no</artifactId></dependency></dependencies>";
    check(
        "pom.xml",
        &project(&format!("{dependency}<groupId>com.acme</groupId><artifactId> core </artifactId>")),
        &["com.acme:core", "core"],
    );
    check(
        "pom.xml",
        &project("<parent><groupId>com.acme</groupId><artifactId>no</artifactId></parent><artifactId>sub</artifactId>"),
        &["com.acme:sub", "sub"],
    );
    check("pom.xml", &project("<parent><groupId>com.acme</groupId><artifactId>no</artifactId></parent>"), &[]);
    check("pom.xml", &project("<groupId>${group}</groupId><artifactId>alone</artifactId>"), &["alone"]);
    check("pom.xml", &project(dependency), &[]);
    check("pom.xml", "<project><artifactId>plain</artifactId></project>", &["plain"]);
    check("pom.xml", "<project><artifactId>broken", &[]);
}

#[test]
fn reads_dotnet() {
    check("Acme.App.csproj", r#"<Project Sdk="Microsoft.NET.Sdk"></Project>"#, &["Acme.App"]);
    check(
        "App.csproj",
        "<Project><PropertyGroup><AssemblyName>acme-app</AssemblyName></PropertyGroup>
        <PropertyGroup><RootNamespace>Acme.App</RootNamespace><PackageId>$(AssemblyName)</PackageId></PropertyGroup>
        <ItemGroup><AssemblyName>no</AssemblyName></ItemGroup></Project>",
        &["Acme.App", "App", "acme-app"],
    );
    check("Old.csproj", "<Project", &["Old"]);
    check("Empty.csproj", "", &[]);
}

#[test]
fn skips_missing_and_special_files() {
    let tree = TestTree::new(
        "a/package.json/x\n $ mkfifo go.mod\n b/package.json: {\"name\":\"b\"}\n c/package.json: {\"name\":\"b\"}",
    );
    let files = ["a/package.json", "go.mod", "gone/go.mod", "c/package.json", "b/package.json"].map(RelPath::from);
    let found = package_manifests::read(&tree.root(""), &files);
    let shown: Vec<String> = found.iter().map(|it| format!("{} {}", it.name, it.directory.text())).collect();
    assert_eq!(shown, ["b b", "b c"]);
}
