//! Tells documents of another time by their names.

use pathfinder_literals::path::{name, parent};

/// Returns whether a document's name, or that of a directory above, says that it tells of an earlier version, of a plan or of a piece of
/// work. So does a number of three digits, as plans and decisions have.
pub(crate) fn tells_of_other_times(path: &str) -> bool {
    const WORDS: [&str; 34] = [
        "adr",
        "analysis",
        "archive",
        "audit",
        "blog",
        "change",
        "changelog",
        "deprecated",
        "design",
        "history",
        "legacy",
        "migrate",
        "migrating",
        "migration",
        "news",
        "old",
        "plan",
        "post",
        "postmortem",
        "prd",
        "progress",
        "proposal",
        "release",
        "report",
        "rfc",
        "roadmap",
        "spec",
        "sprint",
        "summary",
        "todo",
        "upgrade",
        "upgrading",
        "version",
        "versioned",
    ];
    let is_digits = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = |word: &str| word.len() >= 3 && is_digits(word);
    // Each version has its own pages: `docs/4/setup.md`.
    if parent(path).split('/').any(is_digits) {
        return true;
    }
    path.split('/').any(|segment| {
        let lower = segment.to_ascii_lowercase();
        let mut words = lower.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| WORDS.contains(&word.strip_suffix('s').unwrap_or(word)) || is_number(word) || is_version(word))
    })
}

/// Returns whether a word is a version of something, as `v2`.
fn is_version(word: &str) -> bool {
    word.strip_prefix('v').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns whether a data file tells of a plan or of the past: one among the documents whose name says so, `docs/feature/x/roadmap.json`,
/// or the exceptions of a tool that searches all commits for secrets.
pub(crate) fn is_of_other_time(path: &str) -> bool {
    const DOCUMENTS: [&str; 3] = ["doc", "docs", "documentation"];
    const OF_ALL_COMMITS: [&str; 3] = [".gitleaks.toml", "gitleaks.toml", ".gitleaksignore"];
    if OF_ALL_COMMITS.contains(&name(path)) {
        return true;
    }
    let is_documents = |segment: &str| DOCUMENTS.contains(&segment);
    path.split('/').any(is_documents) && tells_of_other_times(path)
}
