//! What git's history says of a file's literals, beyond what became of the paths that they name.
//!
//! Whoever moves a file and forgets the relative paths in it leaves literals that are right seen from where the file was. So
//! what leads nowhere is looked up once more from there. What the literal named may have moved as well: the lookup from the
//! earlier place says so itself.

use crate::at_present;
use crate::checked::{Checked, Code, Missing, Reason, Severity, Verdict, Want};
use crate::project::Project;
use crate::report::{is_copy, is_fixture, severity_in};
use crate::source::Source;

/// Says of literals that lead nowhere where they led from the places that the file had before, and weighs what is known.
pub(crate) fn apply(source: &Source<'_>, project: &Project, found: &mut [Checked]) {
    look_back(source, project, found);
    if !is_copy(source.path()) {
        found.iter_mut().for_each(weigh);
    }
}

/// A sample's paths need not lead anywhere, and what is read of some constructs could be a path that is only made. But what
/// led to the project's own code until that was moved was neither.
fn weigh(literal: &mut Checked) {
    // Strings are hints wherever they stand.
    if literal.kind.ends_with(".string") {
        return;
    }
    if let Verdict::Missing(missing) = &mut literal.verdict
        && missing.code == Code::MovedPath
        && missing.severity == Severity::Hint
        && missing.instead.as_ref().is_some_and(|path| !is_fixture(path))
    {
        missing.severity = Severity::Warning;
    }
}

fn look_back(source: &Source<'_>, project: &Project, found: &mut [Checked]) {
    if !found.iter().any(|literal| is_open(source, literal)) {
        return;
    }
    for path in project.tree().origins(source.path()) {
        let before = at_present(&source.at(&path), project);
        for literal in found.iter_mut().filter(|literal| is_open(source, literal)) {
            let order =
                |then: &Checked| (then.range.start, then.range.end).cmp(&(literal.range.start, literal.range.end));
            let Ok(at) = before.binary_search_by(order) else { continue };
            if let Some(missing) = told(source, &path, literal, &before[at]) {
                literal.verdict = Verdict::Missing(missing);
            }
        }
        if !found.iter().any(|literal| is_open(source, literal)) {
            return;
        }
    }
}

/// Whether a literal leads nowhere and could have led somewhere from another place. What may come from elsewhere counts only
/// if it was looked for beside the file in the first place.
fn is_open(source: &Source<'_>, literal: &Checked) -> bool {
    match &literal.verdict {
        Verdict::Missing(missing) => missing.code == Code::MissingPath && missing.instead.is_none(),
        Verdict::Unknown(Reason::Outside) => true,
        Verdict::Unknown(Reason::Elsewhere) => literal.tried.first().is_some_and(|path| {
            let rest = path.strip_prefix(source.directory());
            rest.is_some_and(|rest| source.directory().is_empty() || rest.starts_with('/'))
        }),
        _ => false,
    }
}

/// What is wrong with a literal that was looked up from an earlier place of its file as well.
fn told(source: &Source<'_>, path: &str, now: &Checked, then: &Checked) -> Option<Missing> {
    let (instead, how) = match &then.verdict {
        Verdict::Found(target) if target.path != source.path() => {
            (target.path.clone(), format!("it led to {} when this file was {path}", target.path))
        }
        Verdict::Missing(Missing { code: Code::MovedPath, instead: Some(instead), reason, .. }) => {
            (instead.clone(), format!("{reason}, when this file was {path}"))
        }
        _ => return None,
    };
    let (code, instead) = (Code::MovedPath, Some(instead));
    Some(match &now.verdict {
        Verdict::Missing(missing) => Missing { code, reason: how, instead, ..missing.clone() },
        // What nobody could say before is no error now: only history says so.
        _ => Missing {
            code,
            severity: severity_in(source.path(), Severity::Warning),
            reason: how,
            wanted: now.tried.first().or(then.tried.first()).or(instead.as_ref())?.clone(),
            want: Want::Any,
            instead,
        },
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, severities};

    #[test]
    fn the_file_was_moved() {
        // What it names stayed, be it outside of the root as seen from here.
        check(
            "Cargo.toml\nb/c.md\nmoved a/b/README.md a/README.md",
            "a/README.md",
            "[x](../../Cargo.toml) [y](../../gone.toml) [z](../b/c.md) [s](README.md)",
            "md.link ../../Cargo.toml → moved
             md.link ../../gone.toml → unknown outside
             md.link ../b/c.md → b/c.md
             md.link README.md → a/README.md",
        );
        check(
            "src/index.ts\nmoved tests/a.spec.ts tests/a/a.spec.ts",
            "tests/a/a.spec.ts",
            "import a from '../src'; import b from '../gone'; import c from 'src'",
            "ts.import ../src → moved
             ts.import ../gone → missing
             ts.import src → unknown not-installed",
        );
        // What it names moved with another name.
        check(
            "src/linux-calls.h\nmoved src/linux/calls.c src/linux-calls.c\nmoved src/linux/calls.h src/linux-calls.h",
            "src/linux-calls.c",
            "#include \"calls.h\"\n#include <stdio.h>\n#include \"other.h\"\n",
            "c.include calls.h → moved
             c.include_angle stdio.h → unknown elsewhere
             c.include other.h → unknown elsewhere",
        );
        // Another file was moved here.
        check(
            "Cargo.toml\nmoved a/b/x.md a/x.md",
            "a/README.md",
            "[x](../../Cargo.toml)",
            "md.link ../../Cargo.toml → unknown outside",
        );
    }

    #[test]
    fn what_samples_lead_to() {
        let tree = "src/b.js\nspecs/y.js\nmoved src/a.js src/b.js\nmoved specs/x.js specs/y.js";
        let text = "require('../src/a'); require('./x'); require('./gone')";
        assert_eq!(severities(tree, "specs/z.js", text), ["warning", "hint", "hint"]);
        assert_eq!(severities(tree, "vendor/z.js", text), ["hint", "hint", "hint"]);
    }
}
