//! Stores kinds, signals and observations by their names, which are constants of the program. Called by serde for the parts of
//! a kept report.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use parking_lot::Mutex;
use pathfinder_literals::LiteralKind;
use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer, Serializer};

/// Most names of signals and observations: three times as many as there are.
const MAX_NAMES: usize = 400;

static KINDS: LazyLock<HashMap<&str, LiteralKind>> = LazyLock::new(|| {
    let all = pathfinder_languages::ALL.iter().flat_map(|language| language.kinds());
    all.map(|kind| (kind.as_str(), *kind)).collect()
});

static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Returns a constant with this text, which is made at its first use; `None` if there are too many.
fn find_name(name: &str) -> Option<&'static str> {
    let mut names = NAMES.lock();
    if let Some(known) = names.get(name) {
        return Some(known);
    }
    let name: &'static str = (names.len() < MAX_NAMES).then(|| Box::leak(name.to_owned().into_boxed_str()))?;
    names.insert(name);
    Some(name)
}

/// Writes the kind of a literal by its name.
pub(crate) fn serialize_kind<S: Serializer>(kind: &LiteralKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(kind.as_str())
}

/// Reads the kind of a literal.
pub(crate) fn read_kind<'de, D: Deserializer<'de>>(from: D) -> Result<LiteralKind, D::Error> {
    let name = String::deserialize(from)?;
    KINDS.get(name.as_str()).copied().ok_or_else(|| D::Error::custom("unknown kind"))
}

/// Reads signals or observations with their weights.
pub(crate) fn read_weights<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(&'static str, f32)>, D::Error> {
    let all = Vec::<(String, f32)>::deserialize(from)?;
    let known = |(name, weight): (String, f32)| Some((find_name(&name)?, weight));
    all.into_iter().map(known).collect::<Option<_>>().ok_or_else(|| D::Error::custom("too many names"))
}
