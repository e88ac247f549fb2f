//! Recognises files that build tools generate, by convention. `Project::generated_by` uses it for missing paths, so that they
//! are not reported.

use crate::path::{extension, name, parent};
use crate::spellings::Spellings;

/// Extensions of templates. Tools remove them from the name of their output.
const TEMPLATE_EXTENSIONS: [&str; 13] =
    ["cmake", "in", "template", "tmpl", "tpl", "gotmpl", "j2", "jinja", "jinja2", "erb", "ejs", "mustache", "hbs"];

/// Returns whether `path` is a template of files with the extension of `output`: `config-unix.h.in` for `config.h`, or a sample of which
/// each user makes an own copy: `config.sh.sample`, or settings for a new project: `_package.json`. Git sees such a file as the moved one.
pub(crate) fn is_template_of(path: &str, output: &str) -> bool {
    /// Marks behind the name of a file that users copy.
    const SAMPLES: [&str; 4] = ["default", "dist", "example", "sample"];
    let mark = name(path).strip_prefix(name(output)).and_then(|rest| rest.strip_prefix('.'));
    if mark.is_some_and(|mark| SAMPLES.contains(&mark)) {
        return true;
    }
    // A generator of projects takes the mark off, which keeps other tools from reading the settings here. Directories above can have moved.
    let is_in_place = name(parent(path)) == name(parent(output));
    let is_marked = is_in_place && name(path).strip_prefix('_') == Some(name(output));
    if is_marked && is_settings(extension(output).as_str()) {
        return true;
    }
    let made = path.rsplit_once('.').filter(|(_, end)| TEMPLATE_EXTENSIONS.contains(end)).map(|(made, _)| made);
    made.is_some_and(|made| !extension(output).is_empty() && extension(made) == extension(output))
}

/// Returns the template or source beside a path that has its name and one extension more or less: `index.template.js` for
/// `index.js`, `config.h.in` for `config.h`, `client.dart` for `client.dart.js`. `beside` are the names of its directory.
pub(crate) fn find_template(beside: &Spellings, path: &str) -> Option<String> {
    let last = name(path);
    let (stem, end) = last.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let is_template = |other: &&String| {
        let rest = other.strip_prefix(last).and_then(|rest| rest.strip_prefix('.'));
        let middle = || other.strip_prefix(stem)?.strip_prefix('.')?.strip_suffix(end)?.strip_suffix('.');
        // A test makes `a.png` to compare it with `a.expected.png`.
        rest.or_else(middle).is_some_and(|mark| TEMPLATE_EXTENSIONS.contains(&mark) || mark == "expected")
    };
    // `package-template.json` of `package.json`.
    let is_named_template = |other: &&String| {
        let middle = other.strip_prefix(stem).and_then(|rest| rest.strip_suffix(end)?.strip_suffix('.'));
        middle.is_some_and(|mark| matches!(mark, "-template" | "_template" | "-tmpl" | "_tmpl" | "-tpl" | "_tpl"))
    };
    let is_source = |other: &&String| *other == stem && stem.contains('.') && !stem.starts_with('.');
    let is_marked = |other: &&String| is_settings(end) && has_template_mark(other, last, stem, end);
    // Each begins with the stem, or with a mark.
    let all = beside.with_prefix(stem).chain(TEMPLATE_MARKS.iter().flat_map(|mark| beside.with_prefix(mark)));
    let mut all = all.into_iter();
    all.find(|other| is_template(other) || is_named_template(other) || is_source(other) || is_marked(other)).cloned()
}

/// Words in the names of files of which each user makes an own copy.
const TEMPLATE_MARKS: [&str; 3] = ["example", "sample", "template"];

/// Returns whether files of this ending are settings, which users make of a template.
fn is_settings(ending: &str) -> bool {
    matches!(ending, "cfg" | "conf" | "env" | "ini" | "json" | "properties" | "toml" | "xml" | "yaml" | "yml")
}

/// Returns whether a name is that of a file with a mark of templates before it or after its stem: `example_config.yml`, `config.sample.yml`.
fn has_template_mark(other: &str, last: &str, stem: &str, end: &str) -> bool {
    let marked = [
        other.strip_suffix(last).and_then(|mark| mark.strip_suffix(['-', '_', '.'])),
        other
            .strip_prefix(stem)
            .and_then(|rest| rest.strip_suffix(end)?.strip_suffix('.')?.strip_prefix(['-', '_', '.'])),
    ];
    marked.into_iter().flatten().any(|mark| TEMPLATE_MARKS.contains(&mark))
}

/// Returns the tool that generates paths of this name by convention.
pub(crate) fn tool_by_convention(path: &str) -> Option<&'static str> {
    /// Directories that tools write and that are not committed, whether the project ignores them or not.
    const DIRECTORIES: [(&str, &str); 42] = [
        ("node_modules", "a package manager"),
        (".next", "Next.js"),
        (".nuxt", "Nuxt"),
        (".output", "Nitro"),
        (".svelte-kit", "SvelteKit"),
        (".docusaurus", "Docusaurus"),
        (".turbo", "Turborepo"),
        ("+types", "React Router"),
        ("__generated__", "a code generator"),
        ("_build", "Sphinx"),
        ("_site", "Jekyll"),
        ("__pycache__", "Python"),
        ("target", "Cargo or Maven"),
        (".angular", "Angular"),
        (".astro", "Astro"),
        (".cache", "a cache"),
        (".dart_tool", "Dart"),
        (".eggs", "setuptools"),
        (".expo", "Expo"),
        (".gradle", "Gradle"),
        (".jekyll-cache", "Jekyll"),
        (".mypy_cache", "mypy"),
        (".nox", "nox"),
        (".nyc_output", "nyc"),
        (".parcel-cache", "Parcel"),
        (".pytest_cache", "pytest"),
        (".ruff_cache", "Ruff"),
        (".serverless", "Serverless"),
        (".stack-work", "Stack"),
        (".terraform", "Terraform"),
        (".tox", "tox"),
        (".venv", "Python"),
        (".vercel", "Vercel"),
        (".wrangler", "Wrangler"),
        ("CMakeFiles", "CMake"),
        ("bazel-bin", "Bazel"),
        ("bazel-out", "Bazel"),
        ("cdk.out", "the AWS CDK"),
        ("dist-newstyle", "Cabal"),
        ("elm-stuff", "Elm"),
        ("htmlcov", "coverage"),
        ("storybook-static", "Storybook"),
    ];
    /// Suffixes of file names that code generators write.
    const SUFFIXES: [(&str, &str); 21] = [
        (".pb.h", "protoc"),
        (".pb.cc", "protoc"),
        (".pb.go", "protoc"),
        (".pb.gw.go", "protoc"),
        (".pb.ts", "protoc"),
        ("_pb.js", "protoc"),
        ("_pb.d.ts", "protoc"),
        ("_pb2.py", "protoc"),
        ("_pb2.pyi", "protoc"),
        ("_pb2_grpc.py", "protoc"),
        (".g.dart", "build_runner"),
        (".freezed.dart", "build_runner"),
        (".tsbuildinfo", "TypeScript"),
        ("flutter.js", "Flutter"),
        ("flutter_bootstrap.js", "Flutter"),
        ("flutter_service_worker.js", "Flutter"),
        ("main.dart.js", "Flutter"),
        ("compile_commands.json", "CMake"),
        ("next-env.d.ts", "Next.js"),
        ("routeTree.gen.ts", "TanStack Router"),
        (".nocache.js", "GWT"),
    ];
    let mut segments = path.split('/');
    let last = segments.next_back()?;
    let inside = segments.find_map(|segment| DIRECTORIES.iter().find(|(name, _)| *name == segment));
    let itself = || DIRECTORIES.iter().find(|(name, _)| *name == last);
    let named = || SUFFIXES.iter().find(|(end, _)| last.ends_with(end));
    inside.or_else(itself).or_else(named).map(|(_, by)| *by)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{find_template, is_template_of, tool_by_convention};
    use crate::spellings::Spellings;

    #[test]
    fn finds_templates() {
        let check = |name: &str, path: &str, expect: bool| {
            let beside = Spellings::new(Arc::from([name.to_owned()]));
            assert_eq!(find_template(&beside, path).is_some(), expect, "{name} {path}");
        };
        check("config.h.in", "config.h", true);
        check("package-template.json", "package.json", true);
        check("template_config.yaml", "config.yaml", true);
        check("config.example.yml", "config.yml", true);
        check("sample.env.toml", "env.toml", true);
        check("example_util.js", "util.js", false);
        check("example_other.yml", "config.yml", false);
        check("a.b.expected.png", "a.b.png", true);
        check("a.other.png", "a.png", false);
    }

    #[test]
    fn recognises_templates_as_moved_files() {
        let check = |path: &str, output: &str, expect: bool| assert_eq!(is_template_of(path, output), expect, "{path}");
        check("src/config-unix.h.in", "src/config.h", true);
        check("admin/config.sh.sample", "admin/config.sh", true);
        check("admin/config.sh.disabled", "admin/config.sh", false);
        check("admin/other.sh.sample", "admin/config.sh", false);
        check("new/ui/_package.json", "old/ui/package.json", true);
        check("new/ui/_package.json", "old/package.json", false);
        check("a/_page.md", "a/page.md", false);
    }

    #[test]
    fn recognises_generated_paths() {
        assert_eq!(tool_by_convention("web/.next/types/index.d.ts"), Some("Next.js"));
        assert_eq!(tool_by_convention("node_modules"), Some("a package manager"));
        assert_eq!(tool_by_convention("api/v1/api.pb.go"), Some("protoc"));
        assert_eq!(tool_by_convention("web/routeTree.gen.ts"), Some("TanStack Router"));
        assert_eq!(tool_by_convention("webapp/app/app.nocache.js"), Some("GWT"));
        assert_eq!(tool_by_convention("api/v1/api.pb.go.txt"), None);
        assert_eq!(tool_by_convention("src/targets/a.rs"), None);
        assert_eq!(tool_by_convention("docs/next.md"), None);
    }
}
