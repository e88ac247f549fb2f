//! Checks names that programs give after a word such as `import` or `include`, in languages without rules of their own, where the other
//! files of the project show how such a name leads to a file.
//!
//! Neither a grammar nor a table says that `include("app/lib/menu")` leads to `lib/menu.lua`. If nearly all names after one word in files of
//! one ending lead to files in one way, that is the way; a name that does not is broken. No library: those that read a language know its
//! rules, and here these are learned.

mod forms;
mod scan;

use std::ops::Range;

use pathfinder_literals::report::{is_vendored, severity_in};
use pathfinder_literals::{
    Checked, Code, Language, LiteralKind, Lookup, Project, Reason, Report, Resolution, Severity, Source, Verdict, Want,
};

use crate::formats::is_read;
use forms::LearnedForms;

/// References of one file that are looked up. A file with more is a list that a program writes.
const MAX_REFERENCES: usize = 2_000;

/// Names that other files of the project explain.
pub(crate) struct LearnedReferences;

mod kinds {
    pathfinder_literals::literal_kinds! {
        /// Name after a word such as `import`, in a language without rules of its own, whose way to a file others of the project show.
        REFERENCE = "code.reference";
    }
}

impl Language for LearnedReferences {
    fn name(&self) -> &'static str {
        "learned-references"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        is_read(path)
    }

    fn checks_one_literal(&self) -> bool {
        true
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let path = source.path();
        if is_vendored(path) || !has_no_rules(project, path) || !scan::can_have_references(source.text()) {
            return;
        }
        let forms = project.index::<LearnedForms>();
        let offset = source.offset();
        let known: Vec<_> = found.iter().map(|literal| (literal.range.clone(), is_open(&literal.verdict))).collect();
        let mut more = Vec::new();
        let mut report = Report::new(source, project, &mut more);
        let references = scan::find_references(source.text()).take(MAX_REFERENCES);
        for reference in references.filter(|one| source.wants(&one.range)) {
            let range = reference.range.start + offset..reference.range.end + offset;
            let is_known = |(other, is_open): &(Range<usize>, bool)| {
                !is_open && other.start < range.end && range.start < other.end
            };
            let paths =
                if known.iter().any(is_known) { None } else { forms.paths_of(project, source.path(), &reference) };
            if let Some(paths) = paths {
                let severity = severity_in(source.path(), Severity::Warning);
                let resolution = Lookup::new(project, Want::File).verdict(severity, paths.into_iter().map(Some));
                let resolution = leave_unexplained(project, resolution);
                report.add(kinds::REFERENCE, reference.range.start, reference.range.len(), resolution);
            }
        }
        let overlaps =
            |one: &Checked| more.iter().any(|new| new.range.start < one.range.end && one.range.start < new.range.end);
        found.retain(|one| !overlaps(one));
        found.append(&mut more);
    }
}

/// The outcome for a name that no file has: a build can make it, unless git had it or it is one typo from a file. Many languages that no
/// rule knows do not tell cases apart.
fn leave_unexplained(project: &Project, (verdict, tried): Resolution) -> Resolution {
    let had = |path: &String| project.tree().was_there(path);
    match verdict {
        Verdict::Missing(missing)
            if missing.code == Code::CaseMismatch || missing.instead.is_none() && !tried.iter().any(had) =>
        {
            (Verdict::Unknown(Reason::Elsewhere), tried)
        }
        verdict => (verdict, tried),
    }
}

/// Returns whether a rule leaves open where a name leads: its search path is not known to it.
fn is_open(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::Elsewhere | Reason::Undecided(_)))
}

/// Returns whether no language but those that know no grammar reads the references of a file. Those of Lua are calls of any name.
fn has_no_rules(project: &Project, path: &str) -> bool {
    const GENERAL: [&str; 7] =
        ["code-links", "host-links", "learned-references", "lua", "moved-strings", "path-lists", "words"];
    is_read(path) && !project.is_claimed_besides(path, &GENERAL)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    /// Files of these names in a directory, each with one reference to the next.
    fn tree(names: &[&str], ending: &str, reference: impl Fn(&str) -> String) -> String {
        let next = |at: usize| names[(at + 1) % names.len()];
        let file = |(at, name): (usize, &&str)| format!("{name}.{ending} = {}", reference(next(at)));
        names.iter().enumerate().map(file).collect::<Vec<_>>().join("\n")
    }

    const NAMES: [&str; 10] = [
        "lib/a/menu",
        "lib/a/text",
        "lib/a/view",
        "lib/b/card",
        "lib/b/deck",
        "lib/b/hand",
        "lib/b/rule",
        "lib/c/play",
        "lib/c/turn",
        "lib/c/user",
    ];

    #[test]
    fn reads_names_below_a_directory() {
        let calls = tree(&NAMES, "lua", |name| format!("x = include(\"game/{name}\")"));
        check(
            &calls,
            "lib/x.lua",
            "y = include('game/lib/b/deck')\n",
            "code.reference game/lib/b/deck → lib/b/deck.lua",
        );
        check(&calls, "lib/x.lua", "y = include('game/lib/b/dek')\n", "code.reference game/lib/b/dek → missing");
        let moved = format!("{calls}\nmoved lib/dice.lua lib/a/menu.lua");
        check(&moved, "lib/x.lua", "y = include('game/lib/dice')\n", "code.reference game/lib/dice → moved");
        // The rule for `require` does not know the directory.
        let modules = tree(&NAMES, "lua", |name| format!("x = require \"{}\"", &name[4..]));
        check(
            &modules,
            "demo/x.lua",
            "require('b/card')\nrequire('b/dek')\n",
            "lua.require b/card → lib/b/card.lua\ncode.reference b/dek → missing",
        );
        // A build can make what git never had and nothing is near.
        check(&modules, "demo/x.lua", "require('b/none')\n", "code.reference b/none → unknown elsewhere");
        // Another word, another beginning, a comment.
        check(
            &calls,
            "lib/x.lua",
            "y = print('game/lib/b/dek')\n-- include('game/lib/b/dek')\ninclude('core/menu')\n",
            "",
        );
    }

    #[test]
    fn reads_names_with_dots_and_colons() {
        let dotted =
            tree(&NAMES, "bi", |name| format!("import {};", name.trim_start_matches("lib/").replace('/', ".")));
        check(
            &dotted,
            "lib/x.bi",
            "import b.card;\nimport b.dek;\n",
            "code.reference b.card → lib/b/card.bi\ncode.reference b.dek → missing",
        );
        let scheme =
            tree(&NAMES, "ks", |name| format!("import * as A from \"std:{}\"", name.trim_start_matches("lib/")));
        check(&scheme, "x.ks", "import {a} from \"std:b/deck\"\n", "code.reference b/deck → lib/b/deck.ks");
        check(
            &scheme,
            "x.ks",
            "import {a} from \"std:b/dek\"\nimport {b} from \"net:b/dek\"\n",
            "code.reference b/dek → missing",
        );
    }

    #[test]
    fn reads_names_with_a_typo_in_the_first_name() {
        let code = |name: &str| format!("import code.{};", name.trim_start_matches("lib/").replace('/', "."));
        let all = NAMES.map(|name| name.replace("lib/", "code/"));
        let names: Vec<&str> = all.iter().map(String::as_str).collect();
        let own = tree(&names, "bi", |name| code(&name.replace("code/", "lib/")));
        // Others are of a library.
        let others: Vec<String> = (0..9).map(|at| format!("t{at}.bi = import std.x{at};")).collect();
        let tree = format!("{own}\n{}", others.join("\n"));
        check(&tree, "x.bi", "import coed.b.deck;\nimport cde.b.other;\n", "code.reference coed.b.deck → missing");
        check(&tree, "x.bi", "import code.b.Deck;\n", "code.reference code.b.Deck → unknown elsewhere");
    }

    #[test]
    fn reads_names_from_the_root_and_beside_the_file() {
        let rooted = tree(&NAMES, "sw", |name| format!("  import /{name}"));
        check(
            &rooted,
            "x.sw",
            "import /lib/b/card\nimport /lib/b/dek\n",
            "code.reference /lib/b/card → lib/b/card.sw\ncode.reference /lib/b/dek → missing",
        );
        let beside = tree(&NAMES.map(|name| &name["lib/a/".len()..]), "sw", |name| format!("import {name}"));
        check(
            &beside,
            "x.sw",
            "import card\nimport dek\n",
            "code.reference card → card.sw\ncode.reference dek → missing",
        );
    }

    #[test]
    fn leaves_what_few_show() {
        // Too few files, too many names that lead nowhere, a name of the file's own, a language with rules.
        let few = tree(&NAMES[..4], "bi", |name| format!("import {};", name.replace('/', ".")));
        check(&few, "x.bi", "import lib.b.dek;\n", "");
        let lost = tree(&NAMES.map(|name| &name[4..]), "bi", |name| format!("import lib.x.{};", &name[2..]));
        let half = format!("{}\n{lost}", tree(&NAMES, "bi", |name| format!("import {};", name.replace('/', "."))));
        check(&half, "x.bi", "import lib.b.dek;\n", "");
        let own = NAMES.map(|name| format!("{name}.bi = use {}", &name[6..])).join("\n");
        check(&own, "x.bi", "use dek\n", "");
        let known = tree(&NAMES, "py", |name| format!("x = include(\"game/{name}\")"));
        check(&known, "x.py", "include('game/lib/b/dek')\n", "");
    }
}
