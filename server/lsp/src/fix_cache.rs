//! Cache of the fixes of one document's literals, kept while the document is edited.
//!
//! A literal keeps its fixes as long as the tree is unchanged.

use std::collections::HashMap;

use parking_lot::{Mutex, MutexGuard};
use pathfinder_check::{Finding, Fix};

/// Most findings in the cache. Typing in a literal adds one per letter; a full cache is cleared.
const MAX_ENTRIES: usize = 500;

/// The parts of a finding that its fixes depend on: kind, literal and wanted path.
type FindingKey = (&'static str, String, String);

/// Fixes by finding.
#[derive(Debug, Default)]
pub(super) struct FixCache(Mutex<HashMap<FindingKey, Vec<Fix>>>);

impl FixCache {
    /// Returns whether the fixes of a finding were looked for.
    pub(super) fn contains(&self, finding: &Finding) -> bool {
        self.lock().contains_key(&key(finding))
    }

    /// Adds the known fixes to findings.
    pub(super) fn fill(&self, findings: &mut [Finding]) {
        let cache = self.lock();
        for finding in findings {
            if let Some(fixes) = cache.get(&key(finding)) {
                finding.fixes.clone_from(fixes);
            }
        }
    }

    /// Stores the fixes of a finding.
    pub(super) fn insert(&self, finding: &Finding, fixes: Vec<Fix>) {
        let mut cache = self.lock();
        if cache.len() >= MAX_ENTRIES {
            cache.clear();
        }
        cache.insert(key(finding), fixes);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<FindingKey, Vec<Fix>>> {
        self.0.lock()
    }
}

fn key(finding: &Finding) -> FindingKey {
    (finding.kind.as_str(), finding.literal.clone(), finding.wanted.clone())
}
