//! Fixtures of Elixir: found, missing and unknown paths.

use crate::testing::{assert_ranges_valid, check, severities};

const TREE: &str = "
    config/dev.exs
    lib/data/a.json
    lib/page/show.html.heex
    test/support/case.exs
    apps/core/mix.exs
";

#[test]
fn resolves_files_beside_the_source() {
    check(
        TREE,
        "lib/x.ex",
        "defmodule X do\n  @external_resource Path.join(__DIR__, \"data/a.json\")\n  @a File.read!(Path.join(__DIR__, \"data/b.json\"))\n\
           @b File.read!(Path.join([__DIR__, \"data/c.json\"]))\n  @c File.stream!(\"#{__DIR__}/data/d.json\")\n  @d File.read!(__DIR__ <> \"/data/e.json\")\n\
           @e File.read!(__DIR__ |> Path.join(\"data/a.json\"))\n  @f File.read!(Path.expand(\"../test/gone.exs\", __DIR__))\n\
           @g File.read(Path.join(__DIR__, \"maybe.json\"))\n  @h File.read!(Path.join(__DIR__, name))\n  # File.read!(Path.join(__DIR__, \"no\"))\nend\n",
        "ex.file data/a.json → lib/data/a.json
         ex.file data/b.json → missing
         ex.file data/c.json → missing
         ex.file /data/d.json → missing
         ex.file /data/e.json → missing
         ex.file data/a.json → lib/data/a.json
         ex.file ../test/gone.exs → missing",
    );
    check(
        TREE,
        "test/test_helper.exs",
        "Code.require_file(\"support/case.exs\", __DIR__)\nCode.require_file \"support/gone.exs\", __DIR__\nCode.require_file(\"x.exs\")\n",
        "ex.file support/case.exs → test/support/case.exs
         ex.file support/gone.exs → missing",
    );
    // The test creates it here.
    check(
        TREE,
        "test/a_test.exs",
        "File.write!(Path.join(__DIR__, \"out.txt\"), \"\")\nFile.read!(Path.join(__DIR__, \"out.txt\"))\n",
        "ex.file out.txt → unknown optional",
    );
}

#[test]
fn resolves_configuration_and_templates() {
    check(
        TREE,
        "config/config.exs",
        "import Config\nimport_config \"dev.exs\"\nimport_config \"prod.exs\"\nimport_config \"#{config_env()}.exs\"\nimport_config \"dev.secret.exs\"\n\
         import_config \"../apps/*/config.exs\"\n",
        "ex.config dev.exs → config/dev.exs
         ex.config prod.exs → missing
         ex.config dev.secret.exs → unknown optional
         ex.config ../apps/*/config.exs → unknown dynamic",
    );
    check(
        TREE,
        "lib/page.ex",
        "defmodule P do\n  embed_templates \"page/*\"\n  embed_templates \"pages/*\"\n  embed_templates \"*\"\n  embed_templates \"x/*\", root: y\nend\n",
        "ex.templates page → lib/page
         ex.templates pages → missing",
    );
}

#[test]
fn resolves_dependencies() {
    let text = "defp deps do\n  [{:core, path: \"apps/core\"}, {:gone, \"~> 1.0\", path: \"apps/gone\", only: :test}, {:far, path: \"../far\"}, {:hex, \"~> 1.0\"}]\nend\n\
                def project, do: [path: \"nothing\"]\n";
    check(
        TREE,
        "mix.exs",
        text,
        "ex.dependency apps/core → apps/core
         ex.dependency apps/gone → missing
         ex.dependency ../far → unknown outside",
    );
    assert_eq!(severities(TREE, "mix.exs", text), ["error"]);
    check(TREE, "lib/other.exs", text, "");
}

#[test]
fn looks_for_calls_before_the_directory() {
    let check = |text: &str, expect: bool| {
        let at = text.find("__DIR__").unwrap();
        assert_eq!(super::can_begin_literal(text, &(at..at + "__DIR__".len())), expect, "{text}");
    };
    check("File.read!(Path.join(__DIR__, \"a\"))", true);
    check("Code.require_file \"../a.exs\", __DIR__", true);
    check("@external_resource \"#{__DIR__}/a\"", true);
    check("root = Path.expand(\"..\", __DIR__)\nFile.read!(root)", false);
}

#[test]
fn accepts_broken_text() {
    assert_ranges_valid("a.ex", "File.read!(Path.join(__DIR__, \"é");
    assert_ranges_valid("mix.exs", "{:a, path: \"");
    assert_ranges_valid("a.exs", "import_config");
}
