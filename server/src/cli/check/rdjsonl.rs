//! Prints findings as lines of the Reviewdog Diagnostic Format.

use pathfinder_check::{Finding, Fix, rules};
use pathfinder_literals::Severity;
use serde_json::{Map, Value, json};

/// The object of one finding.
pub(super) fn diagnostic(finding: &Finding) -> Value {
    let severity = match finding.severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Hint => "INFO",
    };
    let code = json!({"value": finding.code.name(), "url": rules::address(finding.code)});
    let likely = finding.likely();
    let says = likely.map(|fix| format!("; did you mean {}?", fix.literal)).unwrap_or_default();
    let mut out = Map::new();
    out.insert("message".to_owned(), format!("{}{says}", finding.reason).into());
    out.insert("location".to_owned(), json!({"path": finding.file, "range": range(finding)}));
    out.insert("severity".to_owned(), severity.into());
    out.insert("source".to_owned(), json!({"name": "pathfinder", "url": env!("CARGO_PKG_REPOSITORY")}));
    out.insert("code".to_owned(), code);
    // Only the likeliest: reviewdog offers all suggestions of a diagnostic as one change.
    if let Some(fix) = likely.filter(|fix| is_suggestion(fix)) {
        let suggestion = json!({"range": range(finding), "text": fix.literal});
        out.insert("suggestions".to_owned(), json!([suggestion]));
    }
    Value::Object(out)
}

/// Columns count bytes from 1, and the end is exclusive, in both forms.
fn range(finding: &Finding) -> Value {
    json!({
        "start": {"line": finding.line, "column": finding.column},
        "end": {"line": finding.line, "column": finding.column + finding.literal.len()},
    })
}

/// Returns whether the fix changes the literal only. Other edits have offsets in the file, which the format does not know.
fn is_suggestion(fix: &Fix) -> bool {
    fix.followers.is_empty()
}
