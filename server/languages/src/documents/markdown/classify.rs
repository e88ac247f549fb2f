//! Classifies a link's destination or a document's path by its text alone.

use pathfinder_literals::path::{extension, name};
use pathfinder_literals::report::{is_release, is_vendored};
use pathfinder_literals::{Code, Reason, Verdict};
use rustc_hash::FxHashSet;

/// Top-level domains that are not extensions of files that documents link to.
const DOMAINS: [&str; 12] = ["com", "org", "net", "io", "dev", "app", "co", "ai", "edu", "gov", "me", "info"];

/// First path segments of a forge's pages beside the files of a repository.
const FORGE_PAGES: [&str; 26] = [
    "actions",
    "blob",
    "branches",
    "commit",
    "commits",
    "compare",
    "contributors",
    "discussions",
    "edit",
    "graphs",
    "issues",
    "labels",
    "milestone",
    "milestones",
    "network",
    "new",
    "packages",
    "projects",
    "pull",
    "pulls",
    "raw",
    "releases",
    "stargazers",
    "tags",
    "tree",
    "wiki",
];

/// Documents that conventionally have no extension.
const EXTENSIONLESS_DOCUMENTS: [&str; 11] = [
    "LICENSE",
    "LICENCE",
    "COPYING",
    "CONTRIBUTING",
    "CHANGELOG",
    "CHANGES",
    "README",
    "AUTHORS",
    "NOTICE",
    "SECURITY",
    "CODEOWNERS",
];

/// Returns whether a destination is a placeholder, not a path to a file.
pub(crate) fn is_placeholder(path: &str) -> bool {
    const PARTS: [&str; 16] =
        ["path/to/", "...", "…", "*", "<", ">", "$", "{", "}", "%s", "%%", "@@", "|", "\n", "your-", "XXX"];
    const NAMES: [&str; 15] = [
        "document",
        "foo",
        "bar",
        "baz",
        "url",
        "link",
        "href",
        "src",
        "xxx",
        "todo",
        "tbd",
        "file",
        "filename",
        "some-link",
        "image-url",
    ];
    let last = name(path.trim_end_matches('/'));
    let stem = last.split('.').next().unwrap_or(last).to_ascii_lowercase();
    // `SOME_ADDRESS` is a placeholder.
    let is_constant = path.contains('_') && path.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    is_constant
        || PARTS.iter().any(|part| path.contains(part))
        || (NAMES.contains(&stem.as_str()) && !path.trim_start_matches("./").trim_start_matches("../").contains('/'))
        || path.starts_with('~')
        || path.chars().any(char::is_control)
}

/// Returns whether a destination is a host without a scheme, or a mail address.
pub(crate) fn is_host(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    let is_domain = first.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && DOMAINS.contains(&ending));
    is_domain
        || first.starts_with("www.")
        || (path.contains('@') && !path.contains('/'))
        || first.starts_with("localhost")
}

/// Returns whether a destination is a page of the forge, relative to the page of a file.
pub(crate) fn is_forge_page(path: &str) -> bool {
    let mut segments = path.split('/').filter(|segment| !segment.is_empty() && *segment != ".").peekable();
    let mut is_above = false;
    while segments.next_if(|segment| *segment == "..").is_some() {
        is_above = true;
    }
    let first = segments.next().unwrap_or("");
    // GitLab shows images that people put into a page there: `uploads/8f4e…c1/a.png`.
    let is_hash = |name: &str| name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if first == "uploads" && segments.peek().is_some_and(|next| is_hash(next)) {
        return true;
    }
    let is_one = FORGE_PAGES.contains(&first);
    // On the repository's page `issues` alone is a page of the forge; `blob/main/x` is not.
    is_one && (is_above || !matches!(first, "blob" | "raw" | "tree"))
}

/// Returns whether an address is a page of a forge without its host: `/owner/repository/blob/…`.
pub(crate) fn is_forge_absolute(path: &str) -> bool {
    path.trim_start_matches('/').split('/').nth(2).is_some_and(|third| FORGE_PAGES.contains(&third))
}

/// Returns whether the last segment has a plausible file extension.
pub(crate) fn has_extension(path: &str) -> bool {
    let ending = extension(path);
    !ending.is_empty()
        && ending.len() <= 10
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
        && !ending.chars().all(|c| c.is_ascii_digit())
}

/// Returns whether documents link to files with this extension, so that `a.b` alone is a file and not code.
pub(crate) fn is_known_extension(path: &str) -> bool {
    const KNOWN: [&str; 44] = [
        "md", "mdx", "markdown", "rst", "adoc", "txt", "html", "htm", "png", "jpg", "jpeg", "gif", "svg", "webp",
        "avif", "ico", "mp4", "webm", "mov", "pdf", "json", "yaml", "yml", "toml", "xml", "csv", "js", "ts", "tsx",
        "jsx", "py", "rs", "go", "rb", "java", "c", "h", "cpp", "sh", "css", "scss", "ipynb", "proto", "sql",
    ];
    KNOWN.contains(&extension(path).as_str())
}

/// Returns whether a name is that of a document without extension.
pub(crate) fn is_extensionless_document(path: &str) -> bool {
    EXTENSIONLESS_DOCUMENTS
        .iter()
        .any(|known| path == *known || path.strip_prefix(known).is_some_and(|rest| rest.starts_with(['-', '_'])))
}

/// Returns whether a document is a translation of another: `README.de.md`, `index_zh-CN.md`.
pub(crate) fn is_translation(path: &str) -> bool {
    let last = name(path);
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let lower = stem.to_ascii_lowercase();
    let Some(rest) = ["readme", "index", "contributing"].iter().find_map(|twin| lower.strip_prefix(twin)) else {
        return false;
    };
    rest.strip_prefix(['.', '_', '-']).is_some_and(is_locale)
}

/// Returns whether a name is that of a locale: `de`, `zh-CN`, `pt_br`.
pub(crate) fn is_locale(name: &str) -> bool {
    // Two-letter names that are more often not a language.
    const OTHERS: [&str; 14] = ["js", "ts", "py", "rs", "go", "rb", "ui", "db", "ci", "md", "db", "io", "os", "v1"];
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, ""));
    let letters = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic());
    language.len() == 2
        && letters(language)
        && matches!(region.len(), 0 | 2 | 4)
        && letters(region)
        && !(region.is_empty() && OTHERS.contains(&language))
}

/// Returns whether a file contains instructions for agents.
pub(crate) fn is_for_agents(path: &str) -> bool {
    let lower = name(path).to_ascii_lowercase();
    matches!(lower.as_str(), "agents.md" | "claude.md" | "gemini.md" | "skill.md" | "copilot-instructions.md")
        || lower.ends_with(".instructions.md")
        || lower.ends_with(".prompt.md")
}

/// Returns whether a file is the input or the expected output of a test. Its paths are invented.
pub(crate) fn is_test_data(path: &str) -> bool {
    const DATA: [&str; 22] = [
        "fixtures",
        "fixture",
        "__fixtures__",
        "testdata",
        "test-data",
        "test_data",
        "__snapshots__",
        "snapshots",
        "__tests__",
        "test",
        "tests",
        "spec",
        "specs",
        "mocks",
        "__mocks__",
        "testing",
        "e2e",
        "testfixtures",
        "corpus",
        "fuzz",
        "benchmarks",
        "mdtest",
    ];
    let mut segments = path.split('/');
    segments.next_back();
    segments.any(|segment| DATA.contains(&segment))
}

/// Returns whether a path is that of a page of a built site.
pub(super) fn is_built_page(path: &str) -> bool {
    has_extension(path) && matches!(extension(path).as_str(), "html" | "htm" | "php" | "aspx")
}

/// Returns the destinations of the links in the blocks of code of a text, which shows how links are written, and what becomes of them.
pub(super) fn links_in_code(text: &str) -> FxHashSet<String> {
    let mut is_in_block = false;
    let mut found = FxHashSet::default();
    for line in text.lines() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            is_in_block = !is_in_block;
        } else if is_in_block {
            found.extend(line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
        }
    }
    found
}

/// Makes a missing target unknown if the document is rendered elsewhere, or is test data and git never moved the target.
pub(crate) fn suppress_if_detached(path: &str, verdict: Verdict) -> Verdict {
    let Verdict::Missing(missing) = &verdict else { return verdict };
    let is_left = missing.code == Code::MovedPath;
    let is_data = is_test_data(path) && !is_left;
    let by = if is_data { Some("the test that it is data of") } else { detached_reason(path) };
    // A file that moved in the project itself was not left out where the document was copied from.
    let is_own = is_left && by == Some(VENDOR) && !is_vendored(&missing.wanted);
    by.filter(|_| !is_own).map_or(verdict, |by| Verdict::Unknown(Reason::Undecided(by.to_owned())))
}

/// The reason of documents that were copied.
const VENDOR: &str = "what was left out where it was copied from";

/// The reader of a template for issues.
pub(crate) const ISSUE: &str = "the issue it is the template of";

/// The reason why a document's links cannot be resolved from its own path, if it is rendered elsewhere.
pub(crate) fn detached_reason(path: &str) -> Option<&'static str> {
    const PARTS: [&str; 12] = [
        "includes",
        "include",
        "partials",
        "partial",
        "snippets",
        "shared",
        "fragments",
        "templates",
        "template",
        "stubs",
        "examples-md",
        "archetypes",
    ];
    const SHARED: [&str; 4] = ["snippets", "shared", "includes", "include"];
    const VENDORED: [&str; 7] =
        ["vendor", "third_party", "third-party", "node_modules", "thirdparty", "external", "deps"];
    let lower = path.to_ascii_lowercase();
    if lower.contains("issue_template")
        || lower.contains("pull_request_template")
        || lower.contains("merge_request_template")
    {
        return Some(ISSUE);
    }
    let mut segments = path.split('/');
    let last = segments.next_back().unwrap_or("");
    // Forges show a `README` where it stands, unless it is one of a project that is still to be made.
    let is_readme = lower.rsplit('/').next().is_some_and(|last| last.starts_with("readme."));
    let is_part = |segment: &str| PARTS.contains(&segment) && !(is_readme && SHARED.contains(&segment));
    for segment in segments {
        if is_part(segment) || segment.contains("{{") || segment.contains("cookiecutter") {
            return Some("the document it is a part of");
        }
        if VENDORED.contains(&segment) || is_release(segment) {
            return Some(VENDOR);
        }
        // Directories such as `_posts` and `_docs` are collections; `_layouts` and `_shared_content` are not.
        let is_part = |word: &str| PARTS.contains(&word) || word == "layouts";
        if segment.strip_prefix('_').is_some_and(|words| words.split(['-', '_']).any(is_part)) {
            return Some("the document it is a part of");
        }
    }
    let lower = last.to_ascii_lowercase();
    let is_template =
        last.starts_with("TEMPLATE") || [".tpl.", ".tmpl.", "template."].iter().any(|part| lower.contains(part));
    is_template.then_some("the document it is a template of")
}

/// The paths of a page in the language of a document that has its own in its name: `a.ko.md` for `a.md` or `a` from `b.ko.md`.
pub(super) fn in_own_language(document: &str, wanted: &str) -> Vec<String> {
    let Some((stem, ending)) = name(document).rsplit_once('.') else { return Vec::new() };
    let Some((_, language)) = stem.rsplit_once('.').filter(|(_, language)| is_locale(language)) else {
        return Vec::new();
    };
    if has_extension(wanted) {
        return wanted
            .rsplit_once('.')
            .map(|(stem, ending)| format!("{stem}.{language}.{ending}"))
            .into_iter()
            .collect();
    }
    ["", "/_index", "/index", "/README"].map(|page| format!("{wanted}{page}.{language}.{ending}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_what_moved_in_the_project() {
        use crate::testing::check;
        let tree =
            "ci/new.yml\ndeps/cli/docs/b.md\nmoved ci/old.yml ci/new.yml\nmoved deps/cli/docs/a.md deps/cli/docs/b.md";
        let text = "[x](/ci/old.yml) [y](docs/a.md) [z](/ci/none.yml)\n";
        let rows = "md.link /ci/old.yml → moved\nmd.link docs/a.md → unknown undecided\nmd.link /ci/none.yml → unknown undecided";
        check(tree, "deps/cli/README.md", text, rows);
    }

    #[test]
    fn finds_links_that_are_shown() {
        let text = "```md\n[a](#b) [x](y.md)\n```\n\nRenders to [a](#b) [c](#d)\n";
        let mut found: Vec<String> = links_in_code(text).into_iter().collect();
        found.sort();
        assert_eq!(found, ["#b", "y.md"]);
    }

    #[test]
    fn classifies_text() {
        for path in [
            "path/to/file.md",
            "<url>",
            "foo.md",
            "./link",
            "a/.../b",
            "url",
            "~/x",
            "your-file.md",
            "./rdmXXXX.md",
            "ENGLISH_VERSION_URL",
        ] {
            assert!(is_placeholder(path), "{path}");
        }
        for path in ["a.md", "docs/foo.md", "../bar/x.png", "a b.md", "links.md"] {
            assert!(!is_placeholder(path), "{path}");
        }
        for path in ["www.x.y", "github.com/a/b", "a@b.de", "localhost:80/x"] {
            assert!(is_host(path), "{path}");
        }
        for path in ["install.sh", "a/b.com", "docs/io", "node.js"] {
            assert!(!is_host(path), "{path}");
        }
        for path in [
            "uploads/0123456789abcdef0123456789abcdef/a.png",
            "../../issues",
            "issues",
            "../../wiki/Home",
            "./releases",
            "../../blob/main/a.md",
        ] {
            assert!(is_forge_page(path), "{path}");
        }
        for path in ["blob/main/a.md", "docs/issues", "issues.md", "../a"] {
            assert!(!is_forge_page(path), "{path}");
        }
        assert_eq!(detached_reason("snippets/a/readme.md"), None);
        assert_eq!(detached_reason("templates/a/README.md"), Some("the document it is a part of"));
        assert_eq!(detached_reason("docs/TEMPLATE_README.md"), Some("the document it is a template of"));
        assert_eq!(detached_reason("lib/zstd-1.5.7/README.md"), Some("what was left out where it was copied from"));
        for path in ["docs/templates.md", "docs/version-1.5.7/a.md", "images/python-3.12/README.md"] {
            assert_eq!(detached_reason(path), None, "{path}");
        }
        for path in ["README.de.md", "README_zh-CN.md", "index.pt_br.md", "README-ja.md"] {
            assert!(is_translation(path), "{path}");
        }
        for path in ["README.md", "de.md", "README-dev.md", "README.old.md"] {
            assert!(!is_translation(path), "{path}");
        }
        assert!(
            is_extensionless_document("LICENSE-MIT")
                && !is_extensionless_document("LICENSED")
                && !is_extensionless_document("License")
        );
        assert!(
            has_extension("a.md") && !has_extension("v1.2") && !has_extension(".github") && !has_extension("a.b c")
        );
    }
}
