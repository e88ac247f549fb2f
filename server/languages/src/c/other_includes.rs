//! Tells from the other includes of a file whether a missing header belongs to the project.

use pathfinder_literals::Report;
use pathfinder_literals::path::parent;

use super::scan::{Include, IncludeCondition, IncludeForm};
use super::search_path::SearchPath;

/// Includes of a file that are looked up; longer lists repeat what the first ones say.
const MAX_INCLUDES: usize = 64;

/// Returns whether the file includes several headers of the project in angle brackets from the directory of this one.
pub(super) fn is_among_own_angles(
    report: &Report<'_>,
    search: &SearchPath<'_>,
    (include, all): (&Include, &[Include]),
    path: &str,
) -> bool {
    /// One can have the name of a library's by chance.
    const MIN_OWN: usize = 2;
    /// Includes of a file that are compared; people write fewer.
    const MAX_COMPARED: usize = 500;
    let text = report.source.text();
    let others = all.iter().take(MAX_COMPARED).map(|other| (other.form, &text[other.range.clone()]));
    let others =
        others.filter(|(form, other)| *form == include.form && parent(other) == parent(path) && *other != path);
    let own = others.take(MAX_INCLUDES).filter(|(form, other)| search.find_file(other, *form).is_some());
    own.take(MIN_OWN).count() == MIN_OWN
}

/// Returns whether a header of several words stands among quoted headers of the project only: a file that quotes headers of libraries
/// quotes more than one, and theirs are seldom of several words.
pub(super) fn is_among_own(report: &Report<'_>, search: &SearchPath<'_>, include: &Include, all: &[Include]) -> bool {
    /// Fewer are quoted beside a library's by chance.
    const MIN_OWN: usize = 3;
    let text = report.source.text();
    let stem = text[include.range.clone()].split('.').next().unwrap_or_default();
    if include.condition != IncludeCondition::Always || !stem.trim_matches(['_', '-']).contains(['_', '-']) {
        return false;
    }
    let others = all.iter().filter(|other| {
        other.form == IncludeForm::Quoted
            && other.range != include.range
            && other.condition == IncludeCondition::Always
            && !text[other.range.clone()].contains('/')
    });
    let mut found = 0;
    for other in others.take(MAX_INCLUDES) {
        if search.find_file(&text[other.range.clone()], other.form).is_none() {
            return false;
        }
        found += 1;
    }
    found >= MIN_OWN
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    /// A file that quotes headers of the project only quotes none of a library.
    #[test]
    fn reports_headers_among_own() {
        let check_last = |others: &str, last: &str, expect: &str| {
            let text: Vec<String> = others.split_whitespace().map(|name| format!("#include \"{name}\"\n")).collect();
            let text = text.concat();
            let outcome = format!("c.include {last} → {expect}");
            let tree = "src/a.h\nsrc/b.h\nsrc/c.h\nsrc/d.h";
            let found = |name: &str| match name {
                "zlib.h" => "c.include zlib.h → unknown elsewhere".to_owned(),
                _ => format!("c.include {name} → src/{name}"),
            };
            let rows: Vec<String> = others.split_whitespace().map(found).chain([outcome]).collect();
            check(tree, "src/z.c", &format!("{text}#include \"{last}\"\n"), &rows.join("\n"));
        };
        check_last("a.h b.h c.h", "busy_days.h", "missing");
        check_last("a.h b.h c.h", "busy.h", "unknown elsewhere");
        check_last("a.h b.h", "busy_days.h", "unknown elsewhere");
        check_last("a.h b.h c.h zlib.h", "busy_days.h", "unknown elsewhere");
    }

    /// Names in angle brackets are those of the project where others of the file are.
    #[test]
    fn reports_own_headers_in_angle_brackets() {
        let tree = "CMakeLists.txt = include_directories(src)\nsrc/a.h\nsrc/b.h\nfar/in/debug.h\nsrc/new_name.h\nmoved src/old_name.h src/new_name.h";
        let check_last = |others: &str, last: &str, expect: &str| {
            let text: Vec<String> = others.split_whitespace().map(|name| format!("#include <{name}>\n")).collect();
            let text = format!("{}#include <{last}>\n", text.concat());
            let found = |name: &str| match name {
                "zlib.h" => "c.include_angle zlib.h → unknown elsewhere".to_owned(),
                _ => format!("c.include_angle {name} → src/{name}"),
            };
            let rows = others.split_whitespace().map(found).chain([format!("c.include_angle {last} → {expect}")]);
            for file in ["src/z.c", "src/z.l"] {
                check(tree, file, &text, &rows.clone().collect::<Vec<_>>().join("\n"));
            }
        };
        check_last("a.h b.h", "deubg.h", "missing");
        check_last("a.h b.h", "old_name.h", "moved");
        check_last("a.h b.h", "never_name.h", "unknown elsewhere");
        check_last("a.h zlib.h", "deubg.h", "unknown elsewhere");
    }
}
