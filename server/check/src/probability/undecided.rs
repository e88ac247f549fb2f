//! Selects the undecided literals that are weighed like missing ones. The checker asks before it judges a literal.
//!
//! A language's rule says "a tool may write it" or "it may be absent" of a whole construct, without a look at the rest of the tree.
//! [`undecided_miss`] selects those of which the tree knows better: a compiler or a builder of documents reads the literal from a
//! known base, and exactly one other file has the name. Languages of scripts are not among them: beside nearly each source lies the file
//! that is compiled from it (`lib/a.js` for `src/a.ts`). `BrokenEstimator` weighs the rule against that.
//!
//! Elsewhere one file of the name is no evidence. A build copies it (`dist/a.css`), a search path has it (`<fmt/format.h>`), or the
//! page is published beside it: in 40 healthy repositories none of 125 such literals was seen to be broken.

use pathfinder_literals::path::name;
use pathfinder_literals::report::is_vendored;
use pathfinder_literals::{Checked, Kind, Missing, Project, Reason, Severity, Verdict, Want};

use super::evidence::Evidence;
use super::form::FileRole;

/// Languages whose paths are read from a known base when the project is built.
const BUILT_LANGUAGES: [&str; 5] = ["rust", "rst", "py", "java", "kotlin"];
/// Tried paths of one literal whose names are looked for. Further ones differ only in their extension.
const MAX_NAMED_PATHS: usize = 4;
/// Shorter names without their extension occur in many trees by chance, and so do those of files that stand for their directory.
const MIN_STEM_BYTES: usize = 6;

/// Returns the miss of a literal that a rule left undecided, if exactly one other file of the tree has its name.
pub(crate) fn undecided_miss(project: &Project, file: &str, literal: &Checked) -> Option<Missing> {
    let Verdict::Unknown(reason) = &literal.verdict else { return None };
    doubt_evidence(reason).filter(|_| BUILT_LANGUAGES.contains(&literal.kind.language()))?;
    let tree = project.tree();
    // The rule names an existing file that the literal stands for if the unknown base fits.
    if matches!(reason, Reason::Undecided(by) if tree.kind(by).is_some())
        || FileRole::from_path(file) == FileRole::Fixture
        // A copy of another project is built elsewhere.
        || is_vendored(file)
    {
        return None;
    }
    let wanted = literal.tried.iter().take(MAX_NAMED_PATHS).find(|path| has_one_namesake(project, path))?;
    // A target that exists is undecided for another reason than its absence, and one that git ignores need not be there.
    if literal.tried.iter().any(|path| tree.kind(path) == Some(Kind::File) || tree.is_ignored(path)) {
        return None;
    }
    Some(Missing::new(wanted.clone(), Want::Any, Severity::Warning))
}

/// Returns whether exactly one file of the tree has the name of a path, and that name is its own.
fn has_one_namesake(project: &Project, path: &str) -> bool {
    let last = name(path);
    // A name without an extension is a word.
    let Some((stem, extension)) = last.rsplit_once('.') else { return false };
    let first = last.split('.').next().unwrap_or(last);
    stem.len() >= MIN_STEM_BYTES
        && !extension.is_empty()
        && !stem.eq_ignore_ascii_case("readme")
        && !stem.eq_ignore_ascii_case("__init__")
        && project.has_name(first)
        && matches!(project.find_all_by_suffix(last, 2).as_slice(), [other] if *other != path)
}

/// The evidence that a rule's reason is; `None` if the reason says that the target is not in this tree.
pub(super) fn doubt_evidence(reason: &Reason) -> Option<Evidence> {
    match reason {
        Reason::Optional => Some(Evidence::RuleOptional),
        Reason::Produced(_) => Some(Evidence::RuleProduced),
        Reason::Undecided(_) => Some(Evidence::RuleUndecided),
        // The project says itself that the path need not be there.
        Reason::Ignored(_)
        | Reason::Dynamic
        | Reason::Elsewhere
        | Reason::Outside
        | Reason::Submodule(_)
        | Reason::Sparse
        | Reason::NotInstalled
        | Reason::Doubtful(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pathfinder_literals::testing::MemoryTree;
    use pathfinder_literals::{Checked, LiteralKind, Project, Reason, Verdict};

    use super::undecided_miss;

    #[test]
    fn selects_undecided_literals_with_one_namesake() {
        let check_kind = |kind, tree: &str, reason: Reason, tried: &[&str], expect: Option<&str>| {
            let project = Project::new(Arc::new(MemoryTree::new(tree)), &[]);
            let kind = LiteralKind::new(kind, "A file.");
            let tried: Vec<String> = tried.iter().map(|&path| path.to_owned()).collect();
            let literal = Checked { kind, range: 0..1, verdict: Verdict::Unknown(reason), tried };
            let miss = undecided_miss(&project, "app/src/a.rs", &literal).map(|missing| missing.wanted);
            assert_eq!(miss.as_deref(), expect, "{tree}");
        };
        let check = |tree, reason, tried: &[&str], expect| check_kind("rust.include", tree, reason, tried, expect);
        let undecided = |by: &str| Reason::Undecided(by.to_owned());
        check("app/window.png", Reason::Optional, &["app/src/window.png"], Some("app/src/window.png"));
        check("app/window.png", Reason::Produced("a build".to_owned()), &["window.png"], Some("window.png"));
        check("app/window.png", undecided("a route"), &["window", "window.png"], Some("window.png"));
        check("app/window.png\nimg/window.png", Reason::Optional, &["app/src/window.png"], None);
        check("app/other.png", Reason::Optional, &["app/src/window.png"], None);
        check("app/a.png", Reason::Optional, &["app/src/a.png"], None);
        check("app/window.png", undecided("app/window.png"), &["app/src/window.png"], None);
        check("app/window.png", Reason::Ignored("app".to_owned()), &["app/src/window.png"], None);
        check_kind("html.src", "app/window.png", Reason::Optional, &["app/src/window.png"], None);
        let build = Reason::Produced("build.gradle".to_owned());
        check_kind("kotlin.import", "m/b/Window.kt", build, &["m/a/Window.kt"], Some("m/a/Window.kt"));
        check("app/window.png", Reason::Elsewhere, &["app/src/window.png"], None);
        check("app/window.png\nwindow.png", Reason::Optional, &["app/src/window.png", "window.png"], None);
    }
}
