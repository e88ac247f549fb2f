//! `Fixes`: what was found out of how literals of one text can be mended, kept while it is edited: what is asked for again in
//! the same words has the same answer as long as the tree is the same.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::check::{Finding, Fix};

/// Who types in a literal leaves a broken one at every letter. Beyond so many they begin anew.
const MAX_ENTRIES: usize = 500;

/// A finding, as far as its fixes depend on it.
type FindingKey = (&'static str, String, String);

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct FixCache(Mutex<HashMap<FindingKey, Vec<Fix>>>);

impl FixCache {
    /// Whether fixes were looked for.
    pub(super) fn has(&self, finding: &Finding) -> bool {
        self.lock().contains_key(&key(finding))
    }

    /// Puts into findings what is known.
    pub(super) fn fill(&self, findings: &mut [Finding]) {
        let known = self.lock();
        for finding in findings {
            if let Some(fixes) = known.get(&key(finding)) {
                finding.fixes.clone_from(fixes);
            }
        }
    }

    /// Keeps what was found out.
    pub(super) fn insert(&self, finding: &Finding, fixes: Vec<Fix>) {
        let mut known = self.lock();
        if known.len() >= MAX_ENTRIES {
            known.clear();
        }
        known.insert(key(finding), fixes);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<FindingKey, Vec<Fix>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(finding: &Finding) -> FindingKey {
    (finding.kind, finding.literal.clone(), finding.wanted.clone())
}
