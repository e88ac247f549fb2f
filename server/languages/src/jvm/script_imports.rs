//! Checks the scripts that a script of Scala imports, as Ammonite and Mill do: `import $file.a.b` is `a/b.sc` beside the file, and `^` is
//! the parent directory.

use std::ops::Range;

use pathfinder_literals::path::join;
use pathfinder_literals::report::severity_in;
use pathfinder_literals::{Lookup, Report, Severity, Want};

use super::kinds;

/// The start of such an import.
const START: &str = "import $file.";

/// Adds the imported scripts of a file.
pub(super) fn check(report: &mut Report<'_>) {
    let source = report.source;
    let severity = severity_in(source.path(), Severity::Error);
    for range in find_scripts(source.text()) {
        let path = source.text()[range.clone()].replace('.', "/").replace('^', "..");
        let file = join(source.directory(), &format!("{path}.sc"));
        let outcome = Lookup::new(report.project, Want::File).verdict(severity, [file]);
        report.add(kinds::SCALA_FILE, range.start, range.len(), outcome);
    }
}

/// Returns the byte ranges of the imported names, without those of groups (`a.{b, c}`).
fn find_scripts(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.lines().filter_map(move |line| {
        let name = line.strip_prefix(START)?;
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '^');
        let rest = name.trim_start_matches(is_name);
        let name = &name[..name.len() - rest.len()];
        let is_whole = !name.is_empty() && !name.ends_with('.') && !rest.starts_with('`');
        let start = line.as_ptr() as usize - text.as_ptr() as usize + START.len();
        is_whole.then(|| start..start + name.len())
    })
}
