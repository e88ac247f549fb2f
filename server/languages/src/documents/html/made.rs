//! Restrains the findings of a page that is not shown as it is: a build puts files beside it, or it was saved from another site.

use pathfinder_literals::path::{extension, join, name, parent, sibling_path};
use pathfinder_literals::report::has_test_result;
use pathfinder_literals::{Checked, Kind, Missing, Reason, Source, Tree, Verdict};

/// Files beside a page that a build makes, by what the project ignores. With so many the others that are missing are made as well.
const MIN_MADE_FILES: usize = 2;
/// Addresses of files below the root of a site that lead nowhere, for each that leads to a file. A page of the project has fewer.
const MIN_FOREIGN_ADDRESSES: usize = 10;

/// Makes findings unknown in a page that a build completes, and moves in a page of which hardly an address leads to a file of the project.
pub(super) fn restrain(source: &Source<'_>, found: &mut [Checked]) {
    let written = |literal: &Checked| {
        let start = literal.range.start.checked_sub(source.offset())?;
        source.text().get(start..literal.range.end - source.offset())
    };
    // A program answers addresses without an ending.
    let is_rooted =
        |literal: &Checked| written(literal).is_some_and(|path| path.starts_with('/') && !extension(path).is_empty());
    let count = |is: &dyn Fn(&Checked) -> bool| found.iter().filter(|literal| is(literal)).count();
    let is_unknown = |literal: &Checked| matches!(literal.verdict, Verdict::Unknown(_));
    let made = count(&|literal| matches!(literal.verdict, Verdict::Unknown(Reason::Ignored(_))) && !is_rooted(literal));
    let is_found = |literal: &Checked| matches!(literal.verdict, Verdict::Found(_));
    // One of the addresses can lead to a file by chance.
    let own = count(&|literal| is_rooted(literal) && is_found(literal));
    let is_foreign = count(&|literal| is_rooted(literal) && is_unknown(literal))
        >= MIN_FOREIGN_ADDRESSES.max(own * MIN_FOREIGN_ADDRESSES);
    let reason = |literal: &Checked| match &literal.verdict {
        Verdict::Missing(Missing { instead: None, .. }) if made >= MIN_MADE_FILES && !is_rooted(literal) => {
            Some(Reason::Produced("what makes the files beside the page".to_owned()))
        }
        Verdict::Missing(_) | Verdict::Unknown(_) if is_foreign && is_rooted(literal) => {
            Some(Reason::Produced("the site that the page was saved from".to_owned()))
        }
        _ => None,
    };
    for literal in found.iter_mut() {
        if let Some(reason) = reason(literal) {
            literal.verdict = Verdict::Unknown(reason);
            // History is asked for the earlier paths of these.
            literal.tried.clear();
        }
    }
}

/// Returns whether a page is one of the tests of a program, whose links are inputs.
pub(super) fn is_in_tests(path: &str) -> bool {
    parent(path).split('/').any(|name| matches!(name, "test" | "tests" | "spec" | "specs"))
}

/// Returns whether a page is an input of a test: beside it is the expected output, or directories beside its own have pages of its name, of which
/// each is a case.
pub(super) fn is_input(tree: &dyn Tree, path: &str) -> bool {
    /// Directories of cases; fewer are those of one test each.
    const MIN_CASES: usize = 3;
    /// Names of a directory that are asked for.
    const MAX_NAMES: usize = 200;
    let (own, directory) = (name(path), parent(path));
    let names = tree.names(directory);
    let above = tree.names(parent(directory));
    let is_case = |other: &&String| {
        let page = join(parent(directory), other).and_then(|directory| join(&directory, own));
        page.is_some_and(|page| tree.kind(&page) == Some(Kind::File))
    };
    // Each directory of a site has an index.
    let is_named = !own.starts_with("index.") && parent(directory).contains('/');
    has_test_result(&names, own) || is_named && above.iter().take(MAX_NAMES).filter(is_case).count() >= MIN_CASES
}

/// Returns whether a verdict says that a page is missing that no commit moved.
pub(super) fn is_lost_page(verdict: &Verdict) -> bool {
    let Verdict::Missing(missing) = verdict else { return false };
    missing.instead.is_none() && matches!(extension(&missing.wanted).as_str(), "" | "htm" | "html" | "php")
}

/// Returns whether a script has the name of the package in whose directory it is: its build puts the package together there.
pub(super) fn is_bundle(tree: &dyn Tree, stem: &str) -> bool {
    let manifest = sibling_path(stem, "package.json");
    let text = tree.read_shared(&manifest).unwrap_or_default();
    let own = text.lines().find_map(|line| line.trim_start().strip_prefix("\"name\":")).map(str::trim);
    let own = own.map(|value| value.trim_matches(['"', ',', ' ']));
    own.is_some_and(|own| name(own) == name(stem).trim_end_matches(".min"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn leaves_pages_that_a_build_completes() {
        let tree = "ignore web/a.js\nignore web/b.js\nweb/x.js\nweb/y.js";
        let script = |file: &str| format!("<script src=\"{file}\"></script>");
        let page = |files: &str| files.split(' ').map(script).collect::<Vec<_>>().concat();
        let found = "html.src x.js → web/x.js\nhtml.src y.js → web/y.js\nhtml.src a.js → unknown ignored";
        let expect = format!("{found}\nhtml.src b.js → unknown ignored\nhtml.src c.js → unknown produced");
        check(tree, "web/index.html", &page("x.js y.js a.js b.js c.js"), &expect);
        check(tree, "web/index.html", &page("x.js y.js a.js c.js"), &format!("{found}\nhtml.src c.js → missing"));
    }

    #[test]
    fn leaves_inputs_of_tests() {
        let page = "<img src=\"../a.png\"><img src=\"b.png\">";
        let found = "html.src b.png → tests/pages/x/b.png";
        let check = |tree: &str, verdict: &str| {
            let tree = format!("tests/pages/x/b.png\n{tree}");
            check(&tree, "tests/pages/x/source.html", page, &format!("html.src ../a.png → {verdict}\n{found}"));
        };
        check("tests/pages/x/expected.html", "unknown undecided");
        check("tests/pages/x/other.html", "missing");
        check("tests/pages/y/source.html\ntests/pages/z/source.html\ntests/pages/x/source.html", "unknown undecided");
        check("tests/pages/x/expected.html\nmoved tests/pages/a.png tests/pages/x/b.png", "moved");
    }

    #[test]
    fn leaves_pages_of_other_sites() {
        let tree = "data/x.js\ndata/y.js\nstatic/icons/logo.svg\nmoved pin.svg static/icons/logo.svg";
        let page = |others: usize| {
            let others = "<img src=\"/x/y.gif\">".repeat(others);
            format!("<script src=\"x.js\"></script><script src=\"y.js\"></script><img src=\"/pin.svg\">{others}")
        };
        let expect = |verdict: &str, other: &str, others: usize| {
            let others = format!("\nhtml.src /x/y.gif → unknown {other}").repeat(others);
            format!("html.src x.js → data/x.js\nhtml.src y.js → data/y.js\nhtml.src /pin.svg → {verdict}{others}")
        };
        check(tree, "data/a.html", &page(2), &expect("moved", "undecided", 2));
        check(tree, "data/a.html", &page(10), &expect("unknown produced", "produced", 10));
        let routes = page(2).replace("/x/y.gif", "/x/y").repeat(6);
        let moved = expect("moved", "undecided", 2).replace("/x/y.gif", "/x/y");
        check(tree, "data/a.html", &routes, &[&*moved; 6].join("\n"));
    }
}
