//! Fixtures of .NET projects: found, missing and unknown items.

use crate::testing::{assert_ranges_valid, check};

const TREE: &str = "lib/Lib.csproj\nlib/a.cs\nbuild/common.props";

/// Windows alone builds a project of the older form.
#[test]
fn ignores_letter_case_for_visual_studio() {
    let check_item = |project: &str, expect: &str| {
        let text = format!("<Project {project}><Compile Include=\"..\\lib\\A.cs\" /></Project>");
        check(TREE, "app/App.csproj", &text, &format!("cs.compile ..\\lib\\A.cs → {expect}"));
    };
    check_item("xmlns=\"http://schemas.microsoft.com/developer/msbuild/2003\"", "lib/a.cs");
    check_item("Sdk=\"Microsoft.NET.Sdk\"", "case-mismatch");
}

#[test]
fn resolves_project_items() {
    check(
        TREE,
        "app/App.csproj",
        "<Project Sdk=\"Microsoft.NET.Sdk\">\n<Import Project=\"..\\build\\common.props\" /><Import Project=\"..\\gone.props\"/><Import Project=\"x.props\" Condition=\"Exists('x.props')\"/>\
         <Import Project=\"Sdk.props\" Sdk=\"Y\" />\n<ItemGroup><ProjectReference Include=\"..\\lib\\Lib.csproj;../lib/Gone.csproj\" />\n\
         <Compile Include=\"$(MSBuildThisFileDirectory)..\\lib\\a.cs\" Link=\"no.cs\" /><Compile Include=\"**\\*.cs\" /><Compile Update=\"no.cs\" /><Compile Include=\"$(Gen)\\b.cs\" />\
         <None Include=\"obj\\x.json\" /></ItemGroup>\n<ItemGroup Condition=\"'$(X)' == 'y'\"><Compile Include=\"z.cs\"/></ItemGroup><!-- <Compile Include=\"no.cs\"/> --><Content Include=\"c.txt\"></Content></Project>",
        "cs.import ..\\build\\common.props → build/common.props
         cs.import ..\\gone.props → missing
         cs.import x.props → unknown optional
         cs.project_reference ..\\lib\\Lib.csproj → lib/Lib.csproj
         cs.project_reference ../lib/Gone.csproj → missing
         cs.compile $(MSBuildThisFileDirectory)..\\lib\\a.cs → lib/a.cs
         cs.compile $(Gen)\\b.cs → unknown dynamic
         cs.item obj\\x.json → unknown produced
         cs.compile z.cs → unknown optional
         cs.item c.txt → missing",
    );
    check(
        TREE,
        "build/x.props",
        "<Project><ItemGroup><Compile Include=\"a.cs\"/><Compile Include=\"$(MSBuildThisFileDirectory)a.cs\"/></ItemGroup></Project>",
        "cs.compile a.cs → unknown undecided\ncs.compile $(MSBuildThisFileDirectory)a.cs → missing",
    );
}

#[test]
fn resolves_paths_from_the_solution() {
    let tree = "App.sln\nbuild/common.props\nset/base.xml\nmoved base.xml set/base.xml";
    let check = |path: &str, expect: &str| {
        let text = format!("<Project><Import Project=\"$(SolutionDir){path}\" /></Project>");
        check(tree, "app/App.csproj", &text, &format!("cs.import $(SolutionDir){path} → {expect}"));
    };
    check("build\\common.props", "build/common.props");
    check("build/comon.props", "missing");
    check("base.xml", "moved");
    check("gone/base.props", "unknown dynamic");
    check("gone.props", "unknown dynamic");
    check("$(X)/a.props", "unknown dynamic");
}

#[test]
fn resolves_solutions() {
    check(
        TREE,
        "App.sln",
        "Project(\"{9A19103F-16F7-4668-BE54-9A1E7A4F7556}\") = \"Lib\", \"lib\\Lib.csproj\", \"{1}\"\nEndProject\n\
         Project(\"{9A19103F-16F7-4668-BE54-9A1E7A4F7556}\") = \"Gone\", \"Gone\\Gone.csproj\", \"{2}\"\nEndProject\n\
         Project(\"{2150E333-8FDC-42A3-9474-1A3956D46DE8}\") = \"Docs\", \"Docs\", \"{3}\"\nEndProject\n",
        "cs.solution lib\\Lib.csproj → lib/Lib.csproj\ncs.solution Gone\\Gone.csproj → missing",
    );
    // C++ is built on Windows alone.
    let list = |project: &str| {
        format!("Project(\"{{9A19103F-16F7-4668-BE54-9A1E7A4F7556}}\") = \"a\", \"A\\{project}\", \"{{1}}\"\n")
    };
    check("a/a.vcxproj\na/a.csproj", "App.sln", &list("a.vcxproj"), "cs.solution A\\a.vcxproj → a/a.vcxproj");
    check("a/a.vcxproj\na/a.csproj", "App.sln", &list("a.csproj"), "cs.solution A\\a.csproj → case-mismatch");
    check(
        TREE,
        "App.slnx",
        "<Solution><Project Path=\"lib/Lib.csproj\" /></Solution>",
        "cs.solution lib/Lib.csproj → lib/Lib.csproj",
    );
}

#[test]
fn accepts_broken_text() {
    for text in ["<Compile Include=\"é", "<Import Project=\";;é;\"/>", "</x></y>", "<"] {
        assert_ranges_valid("a.csproj", text);
    }
    for text in ["Project(\"", "Project(\"a\") = \"é\", \"", "Project("] {
        assert_ranges_valid("a.sln", text);
    }
}
