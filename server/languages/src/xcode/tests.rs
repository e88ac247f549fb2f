//! Tests of projects of Xcode.

use crate::testing::{assert_ranges_valid, check};

/// A project with these objects.
fn project(objects: &str) -> String {
    format!(
        "// !$*UTF8*$!\n{{\n\tarchiveVersion = 1;\n\tobjects = {{\n\t\tR = {{ isa = PBXProject; mainGroup = M; projectDirPath = \"\"; }};\n{objects}\n\t}};\n\trootObject = R;\n}}\n"
    )
}

const OBJECTS: &str = "
    M = { isa = PBXGroup; children = ( A /* App */, P, ); sourceTree = \"<group>\"; };
    A /* App */ = { isa = PBXGroup; children = (F, G, N, L); path = App; sourceTree = \"<group>\"; };
    N = { isa = PBXGroup; children = (H); name = Views; sourceTree = \"<group>\"; };
    F = { isa = PBXFileReference; lastKnownFileType = sourcecode.swift; path = Main.swift; sourceTree = \"<group>\"; };
    G = {isa = PBXFileReference; path = \"Start Screen.storyboard\"; sourceTree = \"<group>\"; };
    H = {isa = PBXFileReference; name = List.swift; path = Views/List.swift; sourceTree = \"<group>\"; };
    L = {isa = PBXFileReference; path = Shared/Kit.swift; sourceTree = SOURCE_ROOT; };
    P = { isa = PBXFileReference; explicitFileType = wrapper.application; path = App.app; sourceTree = BUILT_PRODUCTS_DIR; };
    B = { isa = XCBuildConfiguration; buildSettings = { INFOPLIST_FILE = \"App/Info.plist\"; OTHER = (\"$(inherited)\", a); \
        CODE_SIGN_ENTITLEMENTS = \"$(SRCROOT)/App/Gone.entitlements\"; PRODUCT_NAME = App/Main.swift; }; name = Debug; };";

#[test]
fn resolves_files_in_their_groups() {
    let tree = "ios/App/Main.swift\nios/App/Start Screen.storyboard\nios/Shared/Kit.swift\nios/App/Info.plist\nios/App/Lists/List.swift\n\
        moved ios/App/Views/List.swift ios/App/Lists/List.swift";
    check(
        tree,
        "ios/App.xcodeproj/project.pbxproj",
        &project(OBJECTS),
        "xcode.group App → ios/App
         xcode.file Main.swift → ios/App/Main.swift
         xcode.file Start Screen.storyboard → ios/App/Start Screen.storyboard
         xcode.file Views/List.swift → moved
         xcode.file Shared/Kit.swift → ios/Shared/Kit.swift
         xcode.setting App/Info.plist → ios/App/Info.plist
         xcode.setting App/Gone.entitlements → missing",
    );
    // Only a project has the name.
    check(tree, "ios/project.pbxproj", &project(OBJECTS), "");
}

#[test]
fn leaves_what_no_file_is() {
    let objects = "M = { isa = PBXGroup; children = (A, B, C, D, M); sourceTree = \"<group>\"; };
        A = { isa = PBXFileReference; path = /usr/lib/a.dylib; sourceTree = \"<absolute>\"; };
        B = { isa = PBXFileReference; path = UIKit.framework; sourceTree = SDKROOT; };
        C = { isa = PBXFileReference; path = \"a\\\"b.swift\"; sourceTree = \"<group>\"; };
        D = { isa = PBXFileReference; path = ../../far.swift; sourceTree = \"<group>\"; };";
    check("a.txt", "App.xcodeproj/project.pbxproj", &project(objects), "xcode.file ../../far.swift → unknown outside");
}

#[test]
fn accepts_broken_text() {
    let text = project(OBJECTS);
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)).step_by(7) {
        assert_ranges_valid("App.xcodeproj/project.pbxproj", &text[..end]);
    }
    assert_ranges_valid("App.xcodeproj/project.pbxproj", &"{ objects = ".repeat(20_000));
    assert_ranges_valid("App.xcodeproj/project.pbxproj", &format!("{{a = {}", "(".repeat(20_000)));
    assert_ranges_valid("App.xcodeproj/project.pbxproj", "{ objects = { A = { isa = \"é");
}
