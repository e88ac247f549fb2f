//! Prints findings as a SARIF 2.1.0 log, for code scanning.

use pathfinder_literals::{Code, Severity};
use serde_sarif::sarif;

use pathfinder_check::{CheckReport, Finding, Fix};

/// The schema of the log.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log of one run.
///
/// # Errors
/// If a part cannot be built, which is a bug.
pub(super) fn log(report: &CheckReport) -> anyhow::Result<sarif::Sarif> {
    let rules: Vec<sarif::ReportingDescriptor> =
        Code::ALL.iter().map(|code| sarif::ReportingDescriptor::builder().id(code.name()).build()).collect();
    let driver =
        sarif::ToolComponent::builder().name("pathfinder").version(env!("CARGO_PKG_VERSION")).rules(rules).build();
    let results = report.findings.iter().map(result).collect::<Vec<_>>();
    let run = sarif::Run::builder()
        .tool(sarif::Tool::builder().driver(driver).build())
        .column_kind(serde_json::to_value("unicodeCodePoints")?)
        .results(results)
        .build();
    Ok(sarif::Sarif::builder().version(serde_json::to_value("2.1.0")?).schema(SCHEMA).runs(vec![run]).build())
}

fn result(finding: &Finding) -> sarif::Result {
    let level = match finding.severity {
        Severity::Error => sarif::ResultLevel::Error,
        Severity::Warning => sarif::ResultLevel::Warning,
        Severity::Hint => sarif::ResultLevel::Note,
    };
    let place = sarif::PhysicalLocation::builder().artifact_location(artifact(finding)).region(region(finding)).build();
    let location = sarif::Location::builder().physical_location(place).build();
    let mut result = sarif::Result::builder()
        .rule_id(finding.code.name())
        .level(level)
        .message(message(finding.reason.clone()))
        .locations(vec![location])
        .build();
    // Likeliest first, since SARIF has no field for the probability.
    result.fixes = (!finding.fixes.is_empty()).then(|| finding.fixes.iter().map(|it| fix(finding, it)).collect());
    result
}

/// A fix that replaces the literal and keeps its quotes.
fn fix(finding: &Finding, fix: &Fix) -> sarif::Fix {
    let content = sarif::ArtifactContent::builder().text(fix.literal.clone()).build();
    let replacement = sarif::Replacement::builder().deleted_region(region(finding)).inserted_content(content).build();
    let change =
        sarif::ArtifactChange::builder().artifact_location(artifact(finding)).replacements(vec![replacement]).build();
    let says = if fix.preferred { format!("{} (preferred)", fix.literal) } else { fix.literal.clone() };
    sarif::Fix::builder().description(message(says)).artifact_changes(vec![change]).build()
}

fn message(text: String) -> sarif::Message {
    sarif::Message::builder().text(text).build()
}

fn artifact(finding: &Finding) -> sarif::ArtifactLocation {
    sarif::ArtifactLocation::builder().uri(uri(&finding.file)).build()
}

fn region(finding: &Finding) -> sarif::Region {
    let column = column(finding);
    sarif::Region::builder()
        .start_line(number(finding.line))
        .start_column(number(column))
        .end_column(number(column + finding.literal.chars().count()))
        .byte_offset(number(finding.range.start))
        .byte_length(number(finding.range.len()))
        .build()
}

/// The column in characters, as SARIF counts them; findings count bytes.
fn column(finding: &Finding) -> usize {
    let before = finding.text.floor_char_boundary(finding.column - 1);
    finding.text[..before].chars().count() + 1
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A relative URI with unsafe characters escaped, segment by segment.
fn uri(path: &str) -> String {
    use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
    const UNSAFE: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'#')
        .add(b'%')
        .add(b'<')
        .add(b'>')
        .add(b'?')
        .add(b'`')
        .add(b'{')
        .add(b'}')
        .add(b':');
    utf8_percent_encode(path, UNSAFE).to_string()
}
