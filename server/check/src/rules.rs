//! The page of each diagnostic code, for people. `pathfinder rule` prints it; SARIF and diagnostics link to it.

use pathfinder_literals::Code;

/// Folder of these pages on the site, which `docs/build.py` makes of the same texts.
const ADDRESS: &str = concat!(env!("CARGO_PKG_HOMEPAGE"), "/rules/");

/// Returns the page of a code, in Markdown.
pub fn page(code: Code) -> &'static str {
    match code {
        Code::MissingPath => include_str!("rules/missing-path.md"),
        Code::MovedPath => include_str!("rules/moved-path.md"),
        Code::CaseMismatch => include_str!("rules/case-mismatch.md"),
        Code::UnicodeMismatch => include_str!("rules/unicode-mismatch.md"),
        Code::UntrackedTarget => include_str!("rules/untracked-target.md"),
        Code::DockerIgnoredTarget => include_str!("rules/docker-ignored-target.md"),
        Code::OutsidePackageTarget => include_str!("rules/outside-package-target.md"),
        Code::MissingAnchor => include_str!("rules/missing-anchor.md"),
    }
}

/// Returns the first sentence of a code's page.
pub fn summary(code: Code) -> &'static str {
    let paragraph = page(code).split("\n\n").nth(1).unwrap_or_default();
    paragraph.split_inclusive(". ").next().unwrap_or_default().trim()
}

/// Returns the web address of a code's page.
pub fn address(code: Code) -> String {
    format!("{ADDRESS}{}.html", code.name())
}

#[cfg(test)]
mod tests {
    use super::{page, summary};
    use pathfinder_literals::Code;

    #[test]
    fn every_code_has_its_page() {
        for code in Code::ALL {
            assert!(page(code).starts_with(&format!("# {}\n\n", code.name())), "{}", code.name());
            assert!(page(code).contains("\n## What to do\n"), "{}", code.name());
            let summary = summary(code);
            assert!(summary.ends_with('.') && !summary.contains('\n'), "{summary}");
        }
    }
}
