//! The construct that a literal belongs to, as evidence.

use pathfinder_literals::Code;

use super::evidence::Evidence;
use super::form::{LiteralForm, LiteralStart};

/// The construct that a literal belongs to, as far as it affects the meaning of a miss.
pub(super) fn construct_evidence(kind: &str, code: Code, form: &LiteralForm<'_>) -> Evidence {
    const PAGES: [&str; 4] = ["md", "rst", "adoc", "tex"];
    const BUILDS: [&str; 17] = [
        "json",
        "toml",
        "yaml",
        "cmake",
        "make",
        "docker",
        "gradle",
        "maven",
        "bazel",
        "nix",
        "terraform",
        "cs",
        "ini",
        "sh",
        "xml",
        "swift",
        "meson",
    ];
    if code == Code::MissingAnchor {
        return Evidence::Anchor;
    }
    let (language, construct) = kind.split_once('.').unwrap_or((kind, ""));
    match construct {
        "string" => return Evidence::Text,
        "mock" => return Evidence::Mock,
        "value" => return Evidence::Value,
        _ => {}
    }
    if matches!(language, "html" | "svg") {
        return Evidence::Attribute;
    }
    if PAGES.contains(&language) {
        // An element of HTML in a page leads where links and images of the page lead: what a browser requests depends on where the page
        // is shown.
        let is_link = matches!(construct, "link" | "image" | "definition" | "target" | "xref");
        return match is_link || construct.starts_with("html.") {
            true if form.has_extension() => Evidence::PageFile,
            true => Evidence::PageName,
            false => Evidence::Directive,
        };
    }
    if BUILDS.contains(&language) {
        return Evidence::Configuration;
    }
    let is_named = matches!(form.start(), LiteralStart::Name | LiteralStart::Names)
        && matches!(construct, "import" | "use" | "include_angle");
    if is_named { Evidence::Named } else { Evidence::Relative }
}
