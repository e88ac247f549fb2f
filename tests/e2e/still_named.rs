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

/// Many paths in another letter case say that it makes no difference, unless a commit has just renamed them all.
#[test]
fn reports_what_a_rename_in_letter_case_broke() {
    let names = "11 12 13 14 15 16 17 18 19 20 21 22";
    let first = format!(
        "mkdir img; for n in {names}; do seq ${{n}}00 ${{n}}99 > img/$n.PNG; echo \"![](img/$n.PNG)\" > $n.md; done"
    );
    let moved = format!("for n in {names}; do git mv img/$n.PNG img/$n.png; done");
    let later = (60, "echo x > x.txt");
    let count = |steps: &[(u32, &str)]| rows(&history(steps), &[]).len();
    assert_eq!(count(&[(1, &first), (2, &moved)]), 12);
    assert_eq!(count(&[(1, &first), (2, &moved), later]), 0);
}
