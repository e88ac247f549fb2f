//! Checks solutions: `Project("{…}") = "Name", "src\Name.csproj", "{…}"`.

use crate::dotnet::kinds;
use pathfinder_literals::path::{extension, has_scheme, join};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{Code, Lookup, Missing, Reason, Report, Severity, Target, Verdict, Want};

/// The project type of a solution folder, which has no path.
const FOLDER_TYPE_GUID: &str = "2150E333-8FDC-42A3-9474-1A3956D46DE8";

/// Adds the projects of a solution.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let at = offset;
        offset += line.len();
        if !line.starts_with("Project(") || line.to_ascii_uppercase().contains(FOLDER_TYPE_GUID) {
            continue;
        }
        // The path is the third quoted string, after type and name.
        let mut quotes = line.match_indices('"').map(|(at, _)| at);
        let (Some(from), Some(end)) = (quotes.nth(4), quotes.next()) else { continue };
        let written = &line[from + 1..end];
        let path = written.replace('\\', "/");
        let outcome = if path.is_empty() || has_scheme(&path) || path.contains(['$', '%']) {
            unknown(Reason::Elsewhere)
        } else {
            let severity = severity_in(report.source.path(), Severity::Error);
            let path = join(report.source.directory(), &path);
            match Lookup::new(report.project, Want::Any).verdict(severity, [path]) {
                // Projects of C++ are built on Windows alone, where letter case makes no difference.
                (Verdict::Missing(Missing { code: Code::CaseMismatch, instead: Some(path), .. }), tried)
                    if extension(&path) == "vcxproj" =>
                {
                    (Verdict::Found(Target { path }), tried)
                }
                outcome => outcome,
            }
        };
        report.add(kinds::SOLUTION, at + from + 1, written.len(), outcome);
    }
}
