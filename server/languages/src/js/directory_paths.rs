//! Checks the paths that a script makes of its own directory: `path.join(__dirname, 'a', 'b.txt')`, `resolve(import.meta.dirname, 'a')`,
//! `__dirname + '/a.txt'`, `` `${__dirname}/a.txt` ``.
//!
//! The path is known, but not what becomes of it: a program can write what is not there. So it is missing only if a commit moved it.
//! No grammar: the name of the directory is rare, each form goes on directly after it, and to parse the whole file costs more than all
//! other rules.

use std::ops::Range;

use memchr::memmem;
use pathfinder_literals::path::{extension, is_dynamic, join, name, parent};
use pathfinder_literals::report::severity_in;
use pathfinder_literals::{LiteralKind, Lookup, Reason, Report, Resolution, Severity, Target, Verdict, Want};

use crate::keyword_hits::line_before;

/// Names of the directory of a script, without what can stand before them.
const NAMES: [&str; 2] = ["__dirname", "meta.dirname"];
/// Parts of one path. Handwritten ones have a few.
const MAX_PARTS: usize = 8;

/// Checks the paths in a part of a file.
pub(super) fn check(report: &mut Report<'_>, part: &Range<usize>, kind: LiteralKind) {
    let text = &report.source.text()[part.clone()];
    let found: Vec<(Range<usize>, Option<String>)> = NAMES
        .iter()
        .flat_map(|name| memmem::find_iter(text.as_bytes(), name).map(|at| (at, at + name.len())))
        .filter(|(at, _)| line_before(text, *at).is_some_and(|line| !is_comment(line)))
        .filter(|(at, _)| !is_of_output(&text[..*at]))
        .filter_map(|(at, end)| path_at(text, at, end))
        .filter_map(|parts| {
            let last = parts.last()?.clone();
            let written: Vec<&str> = parts.iter().map(|part| &text[part.clone()]).collect();
            let names_something = !text[last.clone()].trim_matches(['.', '/']).is_empty();
            names_something.then(|| (last, join(report.source.directory(), &written.join("/"))))
        })
        .collect();
    for (range, path) in found {
        let range = part.start + range.start..part.start + range.end;
        if let Some(outcome) = resolve(report, path).filter(|_| report.source.wants(&range)) {
            report.add(kind, range.start, range.len(), outcome);
        }
    }
}

/// The verdict on a path; `None` for a missing path of a script that may run elsewhere. The path `None` leads out of the root.
fn resolve(report: &Report<'_>, path: Option<String>) -> Option<Resolution> {
    let is_here = runs_in_place(report.source.path());
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        return is_here.then(|| (Verdict::Unknown(Reason::Outside), Vec::new()));
    };
    let tree = report.project.tree();
    if tree.kind(&path).is_some() {
        return Some((Verdict::Found(Target { path }), Vec::new()));
    }
    if !is_here {
        return None;
    }
    if tree.moved(&path).is_some_and(|moved| extension(&moved.to) == extension(&path)) {
        let severity = severity_in(report.source.path(), Severity::Warning);
        return Some(Lookup::new(report.project, Want::Any).verdict(severity, [Some(path)]));
    }
    // A directory without its like is one that a build makes.
    let tried = if extension(&path).is_empty() { Vec::new() } else { vec![path] };
    Some((Verdict::Unknown(Reason::Optional), tried))
}

/// Returns whether a script runs where it lies. Those of TypeScript run where a build puts them, unless they test or configure something.
fn runs_in_place(path: &str) -> bool {
    const DIRECTORIES: [&str; 6] = ["__tests__", "cypress", "e2e", "scripts", "test", "tests"];
    const PARTS: [&str; 4] = ["config", "setup", "spec", "test"];
    !matches!(extension(path).as_str(), "ts" | "mts" | "cts" | "tsx")
        || name(path).split('.').any(|part| PARTS.contains(&part))
        || parent(path).split('/').any(|directory| DIRECTORIES.contains(&directory))
}

/// Returns whether a text ends in the value of a key that names where a bundler writes: `output: { path: path.resolve(`.
fn is_of_output(before: &str) -> bool {
    const KEYS: [&str; 4] = ["output:", "outDir:", "outdir:", "outfile:"];
    /// Most bytes between the key and its path.
    const MAX_DISTANCE: usize = 48;
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(MAX_DISTANCE))..];
    KEYS.iter()
        .filter_map(|key| near.rfind(key).map(|at| &near[at + key.len()..]))
        .any(|rest| !rest.contains(['}', ',']))
}

fn is_comment(line: &str) -> bool {
    ["//", "*", "/*"].iter().any(|start| line.trim_start().starts_with(start))
}

/// The byte ranges of the parts of the path that begins with the directory's name between two offsets; `None` if it has none, or computes
/// one.
fn path_at(text: &str, at: usize, end: usize) -> Option<Vec<Range<usize>>> {
    let before = text[..at].trim_end().trim_end_matches("import.").trim_end();
    let rest = &text[end..];
    if before.ends_with("${") {
        let inner = rest.strip_prefix("}/")?;
        let length = inner.find(['`', '$', '\n']).filter(|length| inner[*length..].starts_with('`'))?;
        let start = end + "}/".len();
        return Some(once(start..start + length));
    }
    if let Some(after) = rest.trim_start().strip_prefix('+') {
        let quoted = read_string(text, text.len() - after.trim_start().len())?;
        return text[quoted.clone()].starts_with('/').then(|| once(quoted.start + 1..quoted.end));
    }
    let called = before.strip_suffix('(')?.trim_end();
    let name = called.rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next()?;
    if !matches!(name, "join" | "resolve") {
        return None;
    }
    let mut parts = Vec::new();
    let mut at = end;
    while parts.len() < MAX_PARTS {
        let rest = text[at..].trim_start();
        if rest.starts_with(')') {
            return (!parts.is_empty()).then_some(parts);
        }
        let rest = rest.strip_prefix(',')?.trim_start();
        // A comma can follow the last part.
        if rest.starts_with(')') {
            return (!parts.is_empty()).then_some(parts);
        }
        let part = read_string(text, text.len() - rest.len())?;
        // `resolve` begins anew at an absolute part.
        if name == "resolve" && text[part.clone()].starts_with('/') {
            return None;
        }
        at = part.end + 1;
        parts.push(part);
    }
    None
}

/// One part.
fn once(part: Range<usize>) -> Vec<Range<usize>> {
    std::iter::once(part).collect()
}

/// The byte range of the contents of the string that begins at an offset; `None` if it is no string or a computed one.
fn read_string(text: &str, at: usize) -> Option<Range<usize>> {
    let mark = text[at..].chars().next().filter(|mark| "'\"`".contains(*mark))?;
    let inner = &text[at + 1..];
    let length = inner.find([mark, '\n', '\\']).filter(|length| inner[*length..].starts_with(mark))?;
    (length > 0 && !is_dynamic(&inner[..length])).then(|| at + 1..at + 1 + length)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_paths_from_the_directory_of_the_script() {
        let tree = "app/src/view.js\napp/static/b.html\nlib/c.txt\nmoved app/old.txt lib/c.txt\nmoved app/assets lib/assets\nlib/assets/x.png";
        let old = "join(__dirname, 'old.txt')";
        check(tree, "app/x.config.ts", old, "ts.path old.txt → moved");
        check(tree, "app/x.ts", "join(__dirname, 'gone.txt')", "");
        let check = |text: &str, expect: &str| check(tree, "app/x.js", text, expect);
        check("a(path.resolve(__dirname, 'src'))", "js.path src → app/src");
        check("a(path.join(__dirname, '..', \"lib\", 'c.txt',))", "js.path c.txt → lib/c.txt");
        check("join(import.meta.dirname, './old.txt')", "js.path ./old.txt → moved");
        check("x = resolve(\n  __dirname,\n  'assets'\n)", "js.path assets → moved");
        check("output: {\n  path: resolve(__dirname, 'assets')", "");
        check("output: { publicPath: 'x' }, path: resolve(__dirname, 'assets')", "js.path assets → moved");
        check("read(__dirname + '/src/view.js')", "js.path src/view.js → app/src/view.js");
        check("read(`${__dirname}/static/b.html`)", "js.path static/b.html → app/static/b.html");
        check(
            "a(path.join(__dirname, 'dist'), join(__dirname, 'src', 'b.js'))",
            "js.path dist → unknown optional\njs.path b.js → unknown optional",
        );
        check("a(path.join(__dirname, 'src', 'veiw.js'))", "js.path veiw.js → missing");
        check("a(path.join(__dirname, name, 'b.html')) + join(__dirname, `${x}/b.html`)", "");
        check("a(path.join(__dirname)) + join(__dirname, '..') + f(__dirname, 'src') + resolve(__dirname, '/src')", "");
        check("// path.join(__dirname, 'src')\n`${__dirname}/${x}/a`", "");
        check("join(__dirname, '", "");
    }
}
