//! Prints findings as a code quality report of GitLab, which is a JSON list in the form of Code Climate.

use std::collections::BTreeSet;

use pathfinder_check::Finding;
use pathfinder_literals::Severity;
use serde_json::{Value, json};

/// Offset of the 64-bit FNV-1a hash, by its definition.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
/// Prime of the 64-bit FNV-1a hash, by its definition.
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// The whole report.
pub(super) fn report(findings: &[Finding]) -> Value {
    let mut used = BTreeSet::new();
    findings.iter().map(|finding| entry(finding, &mut used)).collect()
}

fn entry(finding: &Finding, used: &mut BTreeSet<u64>) -> Value {
    let severity = match finding.severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Hint => "info",
    };
    json!({
        "check_name": finding.code.name(),
        "description": format!("{}: {}", finding.code.name(), finding.reason),
        "fingerprint": format!("{:016x}", fingerprint(finding, used)),
        "location": {"path": finding.file, "positions": {
            "begin": {"line": finding.line, "column": finding.column},
            "end": {"line": finding.line, "column": finding.column + finding.literal.len()},
        }},
        "severity": severity,
    })
}

/// A number that stays when lines move, and differs between findings of one report.
fn fingerprint(finding: &Finding, used: &mut BTreeSet<u64>) -> u64 {
    let parts = [finding.file.as_str(), finding.code.name(), finding.kind.as_str(), &finding.literal];
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
    let mut hash = bytes.fold(FNV_OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME));
    // Repeated findings of one text in a file differ by their order.
    while !used.insert(hash) {
        hash = (hash ^ 1).wrapping_mul(FNV_PRIME);
    }
    hash
}
