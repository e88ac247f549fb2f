//! `AskedDirectories`: directories of a root that questions were about. Their files enter a full content index before others.

use std::collections::VecDeque;

use parking_lot::Mutex;
use pathfinder_core::{Kind, Root};

/// Directories that are remembered: more than one task is about, few enough to compare each file with.
const MAX_DIRECTORIES: usize = 16;

/// Directories relative to a root, the latest first. Snapshots of a root share them.
#[derive(Debug, Default)]
pub(crate) struct AskedDirectories(Mutex<VecDeque<String>>);

impl AskedDirectories {
    /// Notes a directory as the latest. Returns whether it is new.
    pub(crate) fn note(&self, directory: &str) -> bool {
        let mut known = self.0.lock();
        let place = known.iter().position(|other| other == directory);
        if let Some(at) = place {
            known.remove(at);
        }
        known.push_front(directory.to_owned());
        known.truncate(MAX_DIRECTORIES);
        place.is_none()
    }

    /// Returns the directories, the latest first.
    pub(crate) fn latest(&self) -> Vec<String> {
        self.0.lock().iter().cloned().collect()
    }
}

/// Returns the directories of a root that words of a query are in: `src/net/client.rs`, `src/net/**/*.rs`.
pub(crate) fn directories(query: &str, root: &Root) -> Vec<String> {
    let words = query.split_whitespace().filter(|word| word.contains('/')).take(MAX_DIRECTORIES);
    let of_word = |word: &str| {
        let mut directory = String::new();
        for name in word.trim_matches(|letter: char| !letter.is_alphanumeric()).split('/') {
            let below = if directory.is_empty() { name.to_owned() } else { [&directory, "/", name].concat() };
            if root.snapshot.get(below.as_bytes()) != Some(Kind::Directory) {
                break;
            }
            directory = below;
        }
        directory
    };
    words.map(of_word).collect()
}
