//! `Baseline`: a file of findings that are accepted, so that only new ones are reported. Lines do not matter in it: an
//! entry is a file, a code and a literal, with the number of its findings.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context as _;
use pathfinder_check::Finding;
use pathfinder_vfs::regular_file;
use pathfinder_vfs::replace::{ReplaceError, replace};
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
        self.findings.iter().fold(0, |all, known| all.saturating_add(known.count))
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
        replace_or_create(file, &text).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Refuses a file that has other contents than a baseline, so that a wrong name does not cost them.
    pub(super) fn refuse_other_file(file: &Path) -> anyhow::Result<()> {
        match regular_file::read(file, MAX_BYTES) {
            Ok(text) if text.is_empty() => Ok(()),
            Ok(_) => Self::read(file).map(drop).with_context(|| {
                format!("{} exists and is no baseline: name another file, or remove it", file.display())
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error).with_context(|| format!("cannot write {}", file.display())),
        }
    }
}

/// Writes a file. Readers see its old contents or the new ones.
fn replace_or_create(file: &Path, text: &[u8]) -> Result<(), ReplaceError> {
    if let Err(error) = File::create_new(file)
        && error.kind() != io::ErrorKind::AlreadyExists
    {
        return Err(error.into());
    }
    let real = dunce::canonicalize(file)?;
    let before = regular_file::read(&real, MAX_BYTES)?;
    let (directory, name) = real.parent().zip(real.file_name()).ok_or(ReplaceError::Gone)?;
    replace(directory, name, &before, text)
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
            let all: &mut usize = left.entry((file, code, literal)).or_default();
            *all = all.saturating_add(count);
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
        self.left.values().fold(0, |all, count| all.saturating_add(*count))
    }
}
