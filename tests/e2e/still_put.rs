//! `check`: paths of a directory that moved, where others go on being written as before.

use crate::probability::{history, rows};

/// A generator that puts the files of a directory back to where they were before a move puts new ones there too.
#[test]
fn leaves_paths_that_are_written_after_a_move() {
    let page = |names: &str| format!("for n in {names}; do echo \"![](img/$n.png)\"; done");
    let pictures = |at: &str, names: &str| format!("for n in {names}; do seq ${{n}}00 ${{n}}99 > {at}/$n.png; done");
    let first =
        format!("mkdir -p docs/img over; {}; {{ {}; }} > docs/a.md", pictures("docs/img", "1 2 3"), page("1 2 3"));
    let moved = "git mv docs/img over/img";
    let later = |names: &str| format!("{}; {{ {}; }} > docs/b.md", pictures("over/img", names), page(names));
    let rows_of = |names: &str| {
        let all = rows(&history(&[(1, &first), (2, moved), (3, &later(names))]), &[]);
        all.iter().filter(|row| row.starts_with("docs/a.md")).count()
    };
    assert_eq!(rows_of("4 5"), 3);
    assert_eq!(rows_of("4 5 6"), 0);
}
