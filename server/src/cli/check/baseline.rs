//! `Baseline`: a file of findings that are accepted, so that only new ones are reported. Lines do not matter in it: an
//! entry is a file, a code and a literal, with the number of its findings.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use pathfinder_check::Finding;
use pathfinder_vfs::regular_file;
use serde::{Deserialize, Serialize};

use super::is_claim;

/// Version of the file's form.
const VERSION: u32 = 1;

/// Largest file that is read: some hundred thousand findings.
const MAX_BYTES: u64 = 64 << 20;

/// The accepted findings.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Baseline {
    version: u32,
    findings: Vec<KnownFinding>,
}

#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
struct KnownFinding {
    /// Relative to the root.
    file: String,
    code: String,
    literal: String,
    #[serde(default = "one")]
    count: usize,
}

fn one() -> usize {
    1
}

impl Baseline {
    /// Accepts these findings. Hints are never findings that count.
    pub(super) fn from_findings(findings: &[Finding]) -> Self {
        let mut counts: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| is_claim(finding)) {
            *counts.entry((&finding.file, finding.code.name(), &finding.literal)).or_default() += 1;
        }
        let known = |((file, code, literal), count): ((&str, &str, &str), usize)| KnownFinding {
            file: file.to_owned(),
            code: code.to_owned(),
            literal: literal.to_owned(),
            count,
        };
        Self { version: VERSION, findings: counts.into_iter().map(known).collect() }
    }

    /// Number of findings.
    pub(super) fn len(&self) -> usize {
        self.findings.iter().map(|known| known.count).sum()
    }

    /// Reads the file.
    pub(super) fn read(file: &Path) -> anyhow::Result<Self> {
        let wrong = || format!("cannot read the baseline {}", file.display());
        let text = regular_file::read(file, MAX_BYTES).with_context(wrong)?;
        let all: Self = serde_json::from_slice(&text).with_context(wrong)?;
        anyhow::ensure!(all.version == VERSION, "{}: version {} of a baseline is unknown", file.display(), all.version);
        Ok(all)
    }

    /// Writes the file, one finding per line, so that two versions of it can be compared.
    pub(super) fn write(&self, file: &Path) -> anyhow::Result<()> {
        let mut text = format!("{{\n  \"version\": {},\n  \"findings\": [", self.version).into_bytes();
        for (at, known) in self.findings.iter().enumerate() {
            text.extend(if at == 0 { &b"\n    "[..] } else { b",\n    " });
            serde_json::to_writer(&mut text, known)?;
        }
        text.write_all(if self.findings.is_empty() { b"]\n}\n" } else { b"\n  ]\n}\n" })?;
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
    }
}

/// The accepted findings that a run has not met yet.
#[derive(Debug)]
pub(super) struct KnownFindings {
    left: BTreeMap<(String, String, String), usize>,
    /// Number of findings that were met.
    pub(super) met: usize,
}

impl KnownFindings {
    /// All findings of a baseline.
    pub(super) fn new(baseline: Baseline) -> Self {
        let mut left: BTreeMap<_, usize> = BTreeMap::new();
        for KnownFinding { file, code, literal, count } in baseline.findings {
            *left.entry((file, code, literal)).or_default() += count;
        }
        Self { left, met: 0 }
    }

    /// Returns whether a finding is accepted; each accepted one counts once.
    pub(super) fn take(&mut self, finding: &Finding) -> bool {
        let key = (finding.file.clone(), finding.code.name().to_owned(), finding.literal.clone());
        let Some(left) = self.left.get_mut(&key).filter(|left| **left > 0) else { return false };
        *left -= 1;
        self.met += 1;
        true
    }

    /// Number of findings that were not met: they are fixed, if all files were checked.
    pub(super) fn unmet(&self) -> usize {
        self.left.values().sum()
    }
}
