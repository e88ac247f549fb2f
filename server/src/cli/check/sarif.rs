//! Findings as a SARIF 2.1.0 log, for code scanning.

use pathfinder_literals::{Code, Severity};
use serde_sarif::sarif;

use crate::check::{Finding, Report};

/// The schema that the log follows.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log of one run.
///
/// # Errors
/// When a part cannot be made, which is a defect.
pub(super) fn log(report: &Report) -> anyhow::Result<sarif::Sarif> {
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
    let column = column(finding);
    let region = sarif::Region::builder()
        .start_line(number(finding.line))
        .start_column(number(column))
        .end_column(number(column + finding.literal.chars().count()))
        .byte_offset(number(finding.range.start))
        .byte_length(number(finding.range.len()))
        .build();
    let artifact = sarif::ArtifactLocation::builder().uri(uri(&finding.file)).build();
    let place = sarif::PhysicalLocation::builder().artifact_location(artifact).region(region).build();
    let location = sarif::Location::builder().physical_location(place).build();
    sarif::Result::builder()
        .rule_id(finding.code.name())
        .level(level)
        .message(sarif::Message::builder().text(finding.reason.clone()).build())
        .locations(vec![location])
        .build()
}

/// SARIF counts characters where we count bytes.
fn column(finding: &Finding) -> usize {
    let before = finding.text.floor_char_boundary(finding.column - 1);
    finding.text[..before].chars().count() + 1
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A relative URI: what is not safe in one is escaped, segment by segment.
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
