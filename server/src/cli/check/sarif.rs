//! Prints findings as a SARIF 2.1.0 log, for code scanning.

use pathfinder_literals::{Code, Severity};
use pathfinder_protocol::uri::NOT_IN_PATHS;
use percent_encoding::{AsciiSet, utf8_percent_encode};
use serde_json::{Map, Value, json};

use pathfinder_check::{CheckReport, Finding, Fix, rules};

/// The schema of the log.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log of one run. Members are in the order of their names.
pub(super) fn log(report: &CheckReport) -> Value {
    let rules: Vec<_> = Code::ALL.into_iter().map(rule).collect();
    let home = env!("CARGO_PKG_REPOSITORY");
    let version = env!("CARGO_PKG_VERSION");
    let driver = json!({"informationUri": home, "name": "pathfinder", "rules": rules, "version": version});
    let results: Vec<_> = report.findings.iter().map(result).collect();
    let run = json!({"columnKind": "unicodeCodePoints", "results": results, "tool": {"driver": driver}});
    json!({"$schema": SCHEMA, "runs": [run], "version": "2.1.0"})
}

/// The description of a code, which viewers show beside its results.
fn rule(code: Code) -> Value {
    let page = rules::page(code);
    json!({
        "fullDescription": {"text": rules::summary(code)},
        "help": {"markdown": page, "text": page},
        "helpUri": rules::address(code),
        "id": code.name(),
        "shortDescription": {"text": rules::summary(code)},
    })
}

fn result(finding: &Finding) -> Value {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    };
    let mut result = Map::new();
    if !finding.fixes.is_empty() {
        // Likeliest first, since SARIF has no field for the probability.
        let fixes: Vec<_> = finding.fixes.iter().map(|it| fix(finding, it)).collect();
        result.insert("fixes".to_owned(), fixes.into());
    }
    let place = json!({"artifactLocation": artifact(finding), "region": region(finding)});
    result.insert("level".to_owned(), level.into());
    result.insert("locations".to_owned(), json!([{"physicalLocation": place}]));
    result.insert("message".to_owned(), json!({"text": finding.reason}));
    result.insert("ruleId".to_owned(), finding.code.name().into());
    Value::Object(result)
}

/// A fix that replaces the literal and keeps its quotes.
fn fix(finding: &Finding, fix: &Fix) -> Value {
    let replacement = json!({"deletedRegion": region(finding), "insertedContent": {"text": fix.literal}});
    let follower = |(range, new): &(std::ops::Range<usize>, String)| {
        let region = json!({"byteLength": range.len(), "byteOffset": range.start});
        json!({"deletedRegion": region, "insertedContent": {"text": new}})
    };
    let replacements: Vec<Value> = std::iter::once(replacement).chain(fix.followers.iter().map(follower)).collect();
    let change = json!({"artifactLocation": artifact(finding), "replacements": replacements});
    let says = if fix.preferred { format!("{} (preferred)", fix.literal) } else { fix.literal.clone() };
    json!({"artifactChanges": [change], "description": {"text": says}})
}

fn artifact(finding: &Finding) -> Value {
    json!({"uri": uri(&finding.file)})
}

fn region(finding: &Finding) -> Value {
    let column = column(finding);
    json!({
        "byteLength": finding.range.len(),
        "byteOffset": finding.range.start,
        "endColumn": column + finding.literal.chars().count(),
        "startColumn": column,
        "startLine": finding.line,
    })
}

/// The column in characters, as SARIF counts them; findings count bytes.
fn column(finding: &Finding) -> usize {
    let (before, rest) = finding.line_before();
    before.chars().count() + rest + 1
}

/// A relative URI with unsafe characters escaped, segment by segment.
fn uri(path: &str) -> String {
    // A colon in the first segment would end a scheme.
    const UNSAFE: &AsciiSet = &NOT_IN_PATHS.add(b':');
    utf8_percent_encode(path, UNSAFE).to_string()
}
