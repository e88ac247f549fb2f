//! Renames by content that is the same, for commits whose files are missing or too many to look into.

use std::collections::HashMap;

use gix::ObjectId;
use pathfinder_core::RelPath;

/// Files with their content's id.
pub(super) type Files = Vec<(ObjectId, RelPath)>;

/// Takes the pairs of the same content out of both lists: (before, after). Of several with one content, those
/// of the same name belong together, then those that come first by path.
pub(super) fn renames(gone: &mut Files, new: &mut Files) -> Vec<(RelPath, RelPath)> {
    gone.sort_unstable();
    new.sort_unstable();
    let mut renames = Vec::new();
    for same_name in [true, false] {
        let key = |(id, path): &(ObjectId, RelPath)| (*id, if same_name { name(path).to_vec() } else { Vec::new() });
        // Last ones first, so that the first by path is taken off the end.
        let mut sources: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, file) in gone.iter().enumerate().rev().filter(|(_, (id, _))| !is_empty(*id)) {
            sources.entry(key(file)).or_default().push(at);
        }
        let mut taken = vec![false; gone.len()];
        new.retain(|file| {
            let Some(at) = sources.get_mut(&key(file)).and_then(Vec::pop) else { return true };
            taken[at] = true;
            renames.push((gone[at].1.clone(), file.1.clone()));
            false
        });
        let mut taken = taken.into_iter();
        gone.retain(|_| !taken.next().unwrap_or(false));
    }
    renames
}

/// Empty files are all alike, which says nothing.
fn is_empty(id: ObjectId) -> bool {
    id.is_empty_blob()
}

fn name(path: &RelPath) -> &[u8] {
    path.as_bytes().rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}
