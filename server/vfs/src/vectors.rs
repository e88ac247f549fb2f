//! Stores vectors of paths in the cache directory: one file per model, because a path has the same vector below every
//! root.

use std::path::Path;

use super::cache_file::CacheFormat;

/// The largest size that a setting allows is a gigabyte.
const FORMAT: CacheFormat = CacheFormat { extension: "vectors", magic: *b"pathvect", version: 1, max_bytes: 2 << 30 };

/// Loads the vectors of a model by its key; `None` if they are missing or broken.
pub fn load(directory: &Path, key: &[u8; 16]) -> Option<Vec<u8>> {
    let body = FORMAT.load(&FORMAT.path_for(directory, key)?)?;
    // The body begins with the key, so two models never share a file by its name alone.
    body.strip_prefix(key).map(<[u8]>::to_vec)
}

/// Number of models whose vectors are stored: users often return from another model to the first.
const MAX_MODELS: usize = 2;

/// Stores the vectors of a model and removes those of the least recently used models. A failure only costs time later.
pub fn save(directory: &Path, key: &[u8; 16], bytes: &[u8]) {
    if let Some(path) = FORMAT.path_for(directory, key) {
        FORMAT.save(&path, &[&key[..], bytes].concat());
        remove_oldest(directory);
    }
}

fn remove_oldest(directory: &Path) {
    let Ok(entries) = directory.read_dir() else { return };
    let files =
        entries.flatten().filter(|entry| entry.path().extension().is_some_and(|found| found == FORMAT.extension));
    let mut files: Vec<_> =
        files.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    files.sort_unstable();
    for (_, path) in files.iter().rev().skip(MAX_MODELS) {
        // Another process may have removed it already.
        _ = std::fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::{load, save};

    #[test]
    fn loads_only_valid_vectors_of_the_model() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(load(directory.path(), &[1; 16]), None);
        save(directory.path(), &[1; 16], b"vectors");
        assert_eq!(load(directory.path(), &[1; 16]).as_deref(), Some(&b"vectors"[..]));
        assert_eq!(load(directory.path(), &[2; 16]), None);
        let file = directory.path().read_dir().unwrap().next().unwrap().unwrap().path();
        let mut bytes = std::fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&file, bytes).unwrap();
        assert_eq!(load(directory.path(), &[1; 16]), None, "broken");
    }

    #[test]
    fn keeps_the_last_used_models() {
        let directory = tempfile::tempdir().unwrap();
        for model in 0..5 {
            save(directory.path(), &[model; 16], b"vectors");
            assert!(load(directory.path(), &[model; 16]).is_some());
        }
        assert_eq!(directory.path().read_dir().unwrap().count(), 2);
    }
}
