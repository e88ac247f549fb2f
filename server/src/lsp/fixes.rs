//! `Fixes`: what was found out of how literals of one text can be mended, kept while it is edited: what is asked for again in
//! the same words has the same answer as long as the tree is the same.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::check::{Finding, Fix};

/// Who types in a literal leaves a broken one at every letter. Beyond so many they begin anew.
const MOST: usize = 500;

/// A finding, as far as its fixes depend on it.
type Key = (&'static str, String, String);

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct Fixes(Mutex<HashMap<Key, Vec<Fix>>>);

impl Fixes {
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
    pub(super) fn keep(&self, finding: &Finding, fixes: Vec<Fix>) {
        let mut known = self.lock();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key(finding), fixes);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Vec<Fix>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(finding: &Finding) -> Key {
    (finding.kind, finding.literal.clone(), finding.wanted.clone())
}
