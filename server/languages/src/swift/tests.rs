//! Fixtures of Swift: found, missing and unknown paths.

use crate::testing::{assert_ranges_valid, check, severities};

const TREE: &str = "
    Sources/App/main.swift
    Sources/App/Data/a.json
    Tests/AppTests/a.swift
    Core/Sources/b.swift
    Tools/Package.swift
";

#[test]
fn resolves_manifest_paths() {
    check(
        TREE,
        "Package.swift",
        "let package = Package(name: \"p\", products: [.library(name: \"L\", targets: [\"App\"])],\n\
         dependencies: [.package(path: \"Tools\"), .package(name: \"x\", path: \"Gone\"), .package(path: \"../far\")],\n\
         targets: [\n.executableTarget(name: \"App\", dependencies: [.target(name: \"No\")], exclude: [\"x.md\"], resources: [.process(\"Data\"), .copy(\"b.json\")]),\n\
         .target(name: \"Core\", path: \"Core/Sources\"), .target(name: \"Lost\", path: \"Lost\"),\n\
         .testTarget(name: \"AppTests\"), .testTarget(name: \"CoreTests\"), .binaryTarget(name: \"Bin\", path: \"Bin.xcframework\"),\n\
         .target(name: \"Computed\", path: root + \"/x\")])\n",
        "swift.package Tools → Tools
         swift.package Gone → missing
         swift.package ../far → unknown outside
         swift.target App → Sources/App
         swift.exclude x.md → missing
         swift.resource Data → Sources/App/Data
         swift.resource b.json → missing
         swift.path Core/Sources → Core/Sources
         swift.path Lost → missing
         swift.target AppTests → Tests/AppTests
         swift.target CoreTests → missing
         swift.path Bin.xcframework → unknown produced",
    );
    let text = "let p = Package(targets: [.target(name: \"A\", path: \"no\"), .target(name: \"B\")])";
    assert_eq!(severities(TREE, "Package.swift", text), ["error", "warning"]);
}

/// The local packages can depend on the environment.
#[test]
fn allows_optional_packages() {
    check(
        TREE,
        "Package.swift",
        "if ProcessInfo.processInfo.environment[\"X\"] != nil { package.dependencies += [.package(path: \"Gone\"), .package(path: \"Tools\")] }",
        "swift.package Gone → unknown optional
         swift.package Tools → Tools",
    );
}

/// The manifest's own functions place their targets anywhere.
#[test]
fn leaves_targets_of_own_functions() {
    let all = |label: &str| {
        format!(
            "let all: [Custom] = [.target({label}: .test, name: \"LostTests\", dependencies: [\"App\"]), .target(name: \"App\", exclude: [])]"
        )
    };
    check(TREE, "Package.swift", &all("kind"), "swift.target App → Sources/App");
    check(TREE, "Package.swift", &all("plugins"), "swift.target LostTests → missing\nswift.target App → Sources/App");
}

/// The only target may lie in the default directory itself.
#[test]
fn finds_the_only_target() {
    check(
        "Sources/a.swift",
        "Package.swift",
        "let p = Package(targets: [.target(name: \"A\"), .testTarget(name: \"T\")])",
        "swift.target A → Sources
         swift.target T → missing",
    );
}

#[test]
fn accepts_broken_text() {
    assert_ranges_valid("Package.swift", "Package(targets: [.target(name: \"é\", path: \"é");
    assert_ranges_valid("Package@swift-5.9.swift", ".target(name: \"\\(x)\")");
}
