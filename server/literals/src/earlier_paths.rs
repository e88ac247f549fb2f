//! Looks broken literals up again from the earlier paths of their file, by git's history. [`check`](fn@crate::check) calls it
//! after the languages' own checks.
//!
//! A file that was moved without its relative paths being adapted has literals that are right from its earlier path. The
//! target may have moved as well: the lookup from the earlier path reports that itself.

use std::cell::LazyCell;

use crate::before_moves::BeforeMoves;
use crate::check::check_at_current_path;
use crate::checked::{Checked, Code, Missing, Reason, Severity, Verdict, Want};
use crate::generated::is_template_of;
use crate::left_addresses::LeftAddresses;
use crate::path::{extension, is_within, name, parent};
use crate::project::Project;
use crate::report::{FILLED_IN_PAGE, is_fixture, is_own_template, is_vendored, severity_in};
use crate::rewrite::find_moved_use;
use crate::source::Source;

/// Literals of a file that are held against its text before a move, which is read for each.
const MAX_AGE_QUESTIONS: usize = 256;

/// Reports where broken literals led from earlier paths of the file, and raises hints that history confirms to warnings.
pub(crate) fn apply(source: &Source<'_>, project: &Project, found: &mut [Checked]) {
    follow_own_move(source, project, found);
    check_from_earlier_paths(source, project, found);
    check_before_moves(source, project, found);
    for at in 0..found.len() {
        if let Some(missing) = find_moved_use(source, project, found, at) {
            found[at].verdict = Verdict::Missing(missing);
        }
    }
    for literal in found.iter_mut().filter(|literal| includes_itself(source, literal)) {
        literal.verdict = Verdict::Unknown(Reason::Elsewhere);
    }
    let is_copy = is_vendored(source.path());
    let is_sample = !is_copy && is_fixture(source.path()) && !is_own_template(source.path());
    for literal in found.iter_mut().filter(|literal| !is_copy || is_renamed_beside(source, literal)) {
        raise_moved_hint(literal, is_sample);
    }
}

/// Returns whether a literal names a file that was renamed in the directory of its own: a copy of another project is updated as a whole.
fn is_renamed_beside(source: &Source<'_>, literal: &Checked) -> bool {
    let is_beside = |path: &str| parent(path) == source.directory();
    let Verdict::Missing(missing) = &literal.verdict else { return false };
    is_beside(&missing.wanted) && missing.instead.as_deref().is_some_and(is_beside)
}

/// Returns whether code includes or imports a path that its own file had: a library has the name as well, for nothing includes itself but a
/// package, which imports its modules by its own name.
fn includes_itself(source: &Source<'_>, literal: &Checked) -> bool {
    let is_own = |missing: &Missing| {
        missing.code == Code::MovedPath
            && missing.instead.as_deref() == Some(source.path())
            && !literal.kind.is_of_page()
    };
    let is_package = name(source.path()).starts_with("__init__.");
    matches!(&literal.verdict, Verdict::Missing(missing) if is_own(missing)) && is_inclusion(literal) && !is_package
}

/// Returns whether code includes or imports a file.
fn is_inclusion(literal: &Checked) -> bool {
    ["import", "include", "require"].iter().any(|start| literal.kind.construct().starts_with(start))
}

/// Raises the hint for a moved path to a warning, unless file and new path are both fixtures.
///
/// Paths in samples need not exist, and some constructs name generated files. A path that led to the project's own code until
/// that moved is neither, and so is one of a test that led to a fixture.
fn raise_moved_hint(literal: &mut Checked, is_sample: bool) {
    if let Verdict::Missing(missing) = &mut literal.verdict
        && missing.code == Code::MovedPath
        && missing.severity == Severity::Hint
        && missing.instead.as_ref().is_some_and(|path| !is_sample || !is_fixture(path))
    {
        missing.severity = Severity::Warning;
    }
}

/// Corrects where moved targets are if the file itself moved and the literal is from before: `../README.md` of `docs/old/a.md` means the
/// readme above `docs`, whatever became of `docs/README.md`.
fn follow_own_move(source: &Source<'_>, project: &Project, found: &mut [Checked]) {
    let has_moved =
        |literal: &Checked| matches!(&literal.verdict, Verdict::Missing(missing) if missing.code == Code::MovedPath);
    if !found.iter().any(has_moved) {
        return;
    }
    let Some(origin) = project.tree().origins(source.path()).into_iter().next() else { return };
    let before = check_at_current_path(&source.at(&origin), project);
    for literal in found.iter_mut().filter(|literal| has_moved(literal)).take(MAX_AGE_QUESTIONS) {
        let then = before.iter().find(|then| then.range == literal.range && then.kind == literal.kind);
        let Some(then) = then.filter(|then| matches!(then.verdict, Verdict::Found(_))) else { continue };
        let is_as_old = |text| project.tree().had_text_at_origin(source.path(), &origin, text) == Some(true);
        let missing = moved_file_finding(source, &origin, literal, then);
        if let Some(missing) = missing.filter(|_| source.text_at(&literal.range).is_some_and(is_as_old)) {
            literal.verdict = Verdict::Missing(missing);
        }
    }
}

fn check_from_earlier_paths(source: &Source<'_>, project: &Project, found: &mut [Checked]) {
    let mut asked = 0;
    let moves = || project.tree().recent_moves();
    let has_moved = LazyCell::new(|| moves().iter().any(|(_, moved)| moved.to == source.path()));
    let can_resolve = |literal: &Checked| can_resolve_elsewhere(source, literal, || *has_moved);
    if !found.iter().any(can_resolve) {
        return;
    }
    // `a.d.ts` of a package is read where the package is installed, `a.ts` was compiled here.
    let is_declared = |path: &str| path.ends_with(".d.ts");
    let origins = project.tree().origins(source.path());
    for path in origins.into_iter().filter(|path| is_declared(path) == is_declared(source.path())) {
        let before = check_at_current_path(&source.at(&path), project);
        for literal in found.iter_mut().filter(|literal| can_resolve(literal)) {
            let order =
                |then: &Checked| (then.range.start, then.range.end).cmp(&(literal.range.start, literal.range.end));
            let Ok(at) = before.binary_search_by(order) else { continue };
            let missing = moved_file_finding(source, &path, literal, &before[at]);
            let mut is_as_old = |_: &Missing| {
                asked += 1;
                asked > MAX_AGE_QUESTIONS || can_be_as_old(source, project, literal, &path)
            };
            if let Some(missing) = missing.filter(&mut is_as_old) {
                literal.verdict = Verdict::Missing(missing);
            }
        }
        if !found.iter().any(can_resolve) {
            return;
        }
    }
}

/// Reports literals that lead nowhere and led to a file or directory when a recent commit moved it.
fn check_before_moves(source: &Source<'_>, project: &Project, found: &mut [Checked]) {
    /// Languages whose rules know what else can have a name: a dependency, a system, another version, a condition.
    const VERSIONED_LANGUAGES: [&str; 7] = ["c", "cmake", "haskell", "java", "kotlin", "py", "scala"];
    let mut asked = 0;
    let moves = project.index::<BeforeMoves>();
    let can_have_led = |literal: &Checked| {
        let is_open = match &literal.verdict {
            Verdict::Missing(missing) => missing.code == Code::MissingPath && missing.instead.is_none(),
            // These name what may be there; that it led to a file, and no longer does, is known.
            // A module of the project itself is there, whatever its importer does without it.
            Verdict::Unknown(Reason::Optional) if literal.kind.language() == "py" => true,
            Verdict::Unknown(
                Reason::Elsewhere | Reason::NotInstalled | Reason::Outside | Reason::Optional | Reason::Undecided(_),
            ) => !VERSIONED_LANGUAGES.contains(&literal.kind.language()),
            Verdict::Unknown(_) | Verdict::Found(_) => false,
        };
        is_open && source.text_at(&literal.range).is_some_and(|text| !text.contains('*') && moves.can_name_moved(text))
    };
    if !found.iter().any(can_have_led) {
        return;
    }
    let before = moves.check(source);
    for literal in found.iter_mut().filter(|literal| can_have_led(literal)) {
        let is_it = |then: &&Checked| then.range == literal.range && then.kind == literal.kind;
        let Some(Verdict::Found(led)) = before.iter().find(is_it).map(|then| &then.verdict) else { continue };
        let Some(to) = moves.target_of(&led.path) else { continue };
        // A template or a source of another extension is what the file is made from since.
        let is_named = matches!(&literal.verdict, Verdict::Unknown(Reason::Undecided(by)) if *by == to.to);
        let is_other = extension(&led.path) != extension(&to.to)
            || is_template_of(&to.to, &led.path)
            || literal.tried.contains(&to.to)
            || is_named;
        asked += usize::from(!is_other);
        // One that was written since the move means something else.
        let is_guess = matches!(literal.verdict, Verdict::Unknown(Reason::Optional | Reason::Undecided(_)));
        let is_route = is_guess && literal.kind.is_of_page();
        // A page among the inputs of tests was made for another place.
        if is_route && is_fixture(source.path()) {
            continue;
        }
        let is_as_old = |text: &str| {
            // A file that is younger than the move says nothing of it.
            project.tree().had_text_at_origin(source.path(), &led.path, text).unwrap_or(!is_guess)
                && !(is_route && keeps_address(project, source.path(), (&led.path, &to.to), text))
        };
        if is_other || asked > MAX_AGE_QUESTIONS || !source.text_at(&literal.range).is_some_and(is_as_old) {
            continue;
        }
        literal.verdict = Verdict::Missing(Missing {
            code: Code::MovedPath,
            severity: severity_in(source.path(), Severity::Warning),
            reason: format!("moved to {} in {}", to.to, to.commit),
            wanted: led.path.clone(),
            want: Want::Any,
            instead: Some(to.to),
        });
    }
}

/// Returns whether a literal can have been written when its file was at an earlier path. One that was written since was never looked
/// up from there, which matters if it may be no path: a name, or a path of another base directory.
fn can_be_as_old(source: &Source<'_>, project: &Project, literal: &Checked, origin: &str) -> bool {
    let is_sure = matches!(&literal.verdict, Verdict::Missing(missing) if missing.severity != Severity::Hint);
    let Some(text) = source.text_at(&literal.range).filter(|text| !is_sure && !text.starts_with("..")) else {
        return true;
    };
    project.tree().had_text_at_origin(source.path(), origin, text).unwrap_or(true)
}

/// Returns whether something keeps the address of a page that left its path: the page declares it itself, or a configuration has declared
/// it since the move, as a redirect, or something outside of the project may do so. A list of pages that is from before the move does not
/// keep it.
pub fn keeps_address(project: &Project, file: &str, (origin, page): (&str, &str), address: &str) -> bool {
    // Pictures and downloads are not redirected.
    if !matches!(extension(origin).as_str(), "md" | "mdx" | "markdown" | "rst" | "adoc" | "html" | "htm") {
        return false;
    }
    // A number that orders pages is in no address.
    if without_order(origin) == without_order(page) {
        return true;
    }
    let address = address.split(['#', '?']).next().unwrap_or(address).trim_end_matches('/');
    let languages = project.languages();
    let is_declared = languages.iter().any(|language| match language.address_declarations(address, project) {
        Some(all) => all.iter().any(|(file, line)| {
            !lists_page(line, page) && project.tree().had_text_at_origin(file, origin, line) != Some(true)
        }),
        None => true,
    });
    let is_elsewhere = || languages.iter().any(|language| language.has_unconfigured_site(project));
    is_declared || is_elsewhere() && !project.index::<LeftAddresses>().is_left(project, file, origin, page)
}

/// A path without the numbers that order its names: `01-setup.md`.
fn without_order(path: &str) -> String {
    let plain = |name: &str| {
        let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = if rest.len() < name.len() { rest.strip_prefix(['-', '_', '.', ' ']) } else { None };
        rest.filter(|rest| !rest.is_empty()).unwrap_or(name).to_owned()
    };
    path.split('/').map(plain).collect::<Vec<_>>().join("/")
}

/// Returns whether a line has nothing of a page's name but the end of its path: the contents of a site list the page where it is.
fn lists_page(line: &str, page: &str) -> bool {
    let stem = |path: &str| path.strip_suffix(&format!(".{}", extension(path))).unwrap_or(path).to_owned();
    let page = stem(page);
    let is_between = |c: char| c.is_whitespace() || "\"'`,:[](){}".contains(c);
    let words = line.split(is_between).map(|word| stem(word.trim_matches('/')));
    let mut own = words.filter(|word| name(word) == name(&page)).peekable();
    own.peek().is_some() && own.all(|word| word.contains('/') && format!("/{page}").ends_with(&format!("/{word}")))
}

/// Returns whether a literal is broken and could resolve from another path of the file. A literal that may name something
/// outside the tree or a file that is made, is optional, or is written for an unknown place, counts only if it is relative to
/// the file. Where it is unknown from what directory it is read, `has_moved` (lately) tells that the move broke it: its readers have not
/// gone on without it.
fn can_resolve_elsewhere(source: &Source<'_>, literal: &Checked, has_moved: impl FnOnce() -> bool) -> bool {
    // A pattern that matches nothing yet is not broken, and what it once matched tells of one file only.
    if source.text_at(&literal.range).is_some_and(|text| text.contains('*')) {
        return false;
    }
    match &literal.verdict {
        Verdict::Missing(missing) => missing.code == Code::MissingPath && missing.instead.is_none(),
        Verdict::Unknown(Reason::Outside) => true,
        // The root of a site does not move with the page.
        Verdict::Unknown(Reason::Undecided(_))
            if source.text_at(&literal.range).is_some_and(|text| text.starts_with('/')) =>
        {
            false
        }
        // A page that a program fills in is read at an address of the program.
        Verdict::Unknown(Reason::Undecided(by)) if by == FILLED_IN_PAGE => {
            is_written_relative(source, literal) && has_moved()
        }
        Verdict::Unknown(Reason::Elsewhere | Reason::Undecided(_)) => {
            is_tried_in_directory(source, literal) || is_written_relative(source, literal) && has_moved()
        }
        Verdict::Unknown(Reason::Optional) => {
            is_tried_in_directory(source, literal) || is_written_relative(source, literal)
        }
        // A rule guesses that something makes the file; that it led to one from another directory is known.
        Verdict::Unknown(Reason::Produced(_)) => is_written_relative(source, literal),
        _ => false,
    }
}

/// Returns whether the first lookup of a literal was below the directory of the file.
fn is_tried_in_directory(source: &Source<'_>, literal: &Checked) -> bool {
    literal.tried.first().is_some_and(|path| source.directory().is_empty() || is_within(path, source.directory()))
}

/// Returns whether a literal begins with a step to a parent directory.
fn is_written_relative(source: &Source<'_>, literal: &Checked) -> bool {
    !literal.tried.is_empty() && source.text_at(&literal.range).is_some_and(|text| text.starts_with("../"))
}

/// Returns the finding for a literal, given its verdict from an earlier path of its file.
fn moved_file_finding(source: &Source<'_>, path: &str, now: &Checked, then: &Checked) -> Option<Missing> {
    // A file that became a template is laid out where its literals lead to files again. Frameworks have code of their own in `templates`.
    if is_own_template(source.path()) && !is_own_template(path) && !is_inclusion(now) {
        return None;
    }
    let (instead, how, origin) = match &then.verdict {
        // A page that names itself says nothing about another file.
        Verdict::Found(target) if target.path != source.path() && target.path != path => {
            (target.path.clone(), format!("it led to {} when this file was {path}", target.path), None)
        }
        Verdict::Missing(Missing { code: Code::MovedPath, instead: Some(instead), reason, wanted, .. }) => {
            (instead.clone(), format!("{reason}, when this file was {path}"), Some(wanted))
        }
        _ => return None,
    };
    // The literal leads there already, and a rule refuses what it finds: a file in place of a directory.
    if now.tried.contains(&instead) {
        return None;
    }
    // A search path can still lead to it: `core/log.h` to `targets/pc/core/log.h`.
    // A makefile that others include is read from their directory: `../../lib/a.c`.
    let is_make = now.kind.language() == "make";
    let has_tail = |text: &str| {
        let text = if is_make { text.trim_start_matches("../") } else { text };
        let is_end = |rest: &str| rest.ends_with('/') || is_make && rest.is_empty();
        text.contains('/') && !text.starts_with('.') && instead.strip_suffix(text).is_some_and(is_end)
    };
    if matches!(&now.verdict, Verdict::Unknown(_))
        && (is_make || now.kind.language() == "c")
        && source.text_at(&now.range).is_some_and(has_tail)
    {
        return None;
    }
    // It is made from the template that it became.
    if matches!(&now.verdict, Verdict::Unknown(Reason::Produced(by)) if by == name(&instead)) {
        return None;
    }
    // A rule names the same target, and only doubts that the literal leads there.
    if matches!(&now.verdict, Verdict::Unknown(Reason::Undecided(by)) if *by == instead) {
        return None;
    }
    let (code, instead) = (Code::MovedPath, Some(instead));
    Some(match &now.verdict {
        Verdict::Missing(missing) => {
            // A module was found below the directory where its target was, wherever the rules look for it now.
            let is_module = |text: &str| !text.starts_with('.') && !text.contains('/');
            let is_import = now.kind.construct() == "import" && source.text_at(&now.range).is_some_and(is_module);
            let origin = origin.filter(|_| is_import);
            let wanted = origin.unwrap_or(&missing.wanted).clone();
            Missing { code, reason: how, wanted, instead, ..missing.clone() }
        }
        // The verdict was unknown, and only history says that it is broken: that is no error.
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
