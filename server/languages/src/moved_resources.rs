//! Strings of programs on the JVM that name a resource which a recent commit moved: `getResource("/schema.json")`.
//!
//! A class finds resources below `resources` beside the sources of its own kind, from there or from the directory of its package. The same
//! holds for the `assets` of Android and of tests.

use std::ops::Range;

use pathfinder_literals::path::{extension, join};
use pathfinder_literals::{Lookup, Project, Resolution, Severity, Source, Verdict, Want};

use crate::file_moves::FileMoves;
use crate::moved_strings::{MAX_STRINGS, find_quoted};
use crate::path_words;

/// Directories of resources, beside that of the sources.
const RESOURCES: [&str; 2] = ["resources", "assets"];

/// Returns the strings that name, or named, a moved resource, with the verdicts on them.
pub(crate) fn find(source: &Source<'_>, project: &Project) -> Vec<(Range<usize>, Resolution)> {
    let Some((sources, package)) = source_directory(source.path()) else { return Vec::new() };
    let moves = project.index::<FileMoves>();
    let roots: Vec<String> = RESOURCES
        .iter()
        .filter_map(|name| join(sources, name))
        .flat_map(|root| [Some(root.clone()), join(&root, package)])
        .flatten()
        .collect();
    let resolve = |range: Range<usize>| {
        let written = source.text()[range.clone()].trim_start_matches('/');
        let path = join(roots.iter().find(|root| moves.stood_in(root, written))?, written)?;
        let (verdict, tried) = Lookup::new(project, Want::File).verdict(Severity::Warning, [Some(path.clone())]);
        let is_told = match &verdict {
            Verdict::Found(_) => true,
            Verdict::Missing(missing) => {
                missing.instead.as_deref().is_some_and(|to| path_words::is_same_kind(&path, to))
            }
            Verdict::Unknown(_) => false,
        };
        is_told.then_some((range, (verdict, tried)))
    };
    let strings =
        find_quoted(source.text(), b'.').filter(|range| path_words::has_ending(&source.text()[range.clone()]));
    strings.take(MAX_STRINGS).filter_map(resolve).collect()
}

/// The directory of all sources of a kind, such as `src/test`, and that of a file's package below `src/test/kotlin`.
fn source_directory(path: &str) -> Option<(&str, &str)> {
    let language = match extension(path).as_str() {
        "java" => "/java/",
        "kt" => "/kotlin/",
        "scala" => "/scala/",
        "groovy" => "/groovy/",
        _ => return None,
    };
    // Kotlin is put beside Java as well.
    let (at, mark) = [language, "/java/"].into_iter().find_map(|mark| Some((path.find(mark)?, mark)))?;
    let package = path[at + mark.len()..].rsplit_once('/').map_or("", |(package, _)| package);
    Some((&path[..at], package))
}

#[cfg(test)]
mod tests {
    use super::source_directory;
    use crate::testing::check;

    #[test]
    fn finds_the_directory_of_sources() {
        let check = |path: &str, expect: Option<(&str, &str)>| assert_eq!(source_directory(path), expect, "{path}");
        check("a/src/test/kotlin/org/x/A.kt", Some(("a/src/test", "org/x")));
        check("a/src/main/java/A.kt", Some(("a/src/main", "")));
        check("a/kotlin.kt", None);
        check("a/src/main/java/a.py", None);
    }

    #[test]
    fn follows_resources() {
        let tree = "src/main/resources/schema-v2.json\nsrc/test/assets/x/a.json\nmoved src/main/resources/schema.json src/main/resources/schema-v2.json\n\
                    moved src/test/assets/a.json src/test/assets/x/a.json\nmoved src/main/resources/org/x/b.txt src/main/resources/org/x/c.txt\nsrc/main/resources/org/x/c.txt";
        check(
            tree,
            "src/main/kotlin/org/x/A.kt",
            "val a = load(\"/schema.json\")\nval b = load(\"/schema-v2.json\")\nval c = load(\"b.txt\")\nval d = load(\"a.json\")\n",
            "code.string /schema.json → moved
             code.string /schema-v2.json → src/main/resources/schema-v2.json
             code.string b.txt → moved",
        );
        check(tree, "src/test/java/A.java", "class A { String a = f(\"a.json\"); }\n", "code.string a.json → moved");
        check(tree, "src/main/python/a.py", "f(\"/schema.json\")\n", "");
    }
}
