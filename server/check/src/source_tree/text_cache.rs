//! `TextCache`: texts of files, stored for one run during which no file changes.

use std::sync::Arc;

use parking_lot::RwLock;
use rustc_hash::FxHashMap;

/// Limit of the stored text: room for the manifests, entry points and pages of a large repository, and small beside
/// its index. Further files are read again whenever they are wanted.
const MAX_BYTES: usize = 64 << 20;

/// Texts by path. The cache changes no answer, because no file changes during the run.
#[derive(Debug, Default)]
pub(super) struct TextCache(RwLock<CachedTexts>);

#[derive(Debug, Default)]
struct CachedTexts {
    by_path: FxHashMap<String, Option<Arc<str>>>,
    bytes: usize,
}

impl TextCache {
    /// The text at a path, read if it is not stored; `None` if there is none.
    pub(super) fn get(&self, path: &str, read: impl FnOnce() -> Option<String>) -> Option<String> {
        let known = self.0.read().by_path.get(path).cloned();
        if let Some(known) = known {
            return known.map(|text| text.as_ref().to_owned());
        }
        let text = read();
        self.keep(path, text.as_ref().map_or(0, String::len), || text.as_deref().map(Arc::from));
        text
    }

    /// The text at a path as in [`Self::get`], shared with the cache.
    pub(super) fn get_shared(&self, path: &str, read: impl FnOnce() -> Option<String>) -> Option<Arc<str>> {
        let known = self.0.read().by_path.get(path).cloned();
        known.unwrap_or_else(|| {
            let text: Option<Arc<str>> = read().map(Arc::from);
            self.keep(path, text.as_ref().map_or(0, |text| text.len()), || text.clone());
            text
        })
    }

    /// Stores a text of so many bytes if there is room.
    fn keep(&self, path: &str, length: usize, text: impl FnOnce() -> Option<Arc<str>>) {
        let mut kept = self.0.write();
        let bytes = kept.bytes + path.len() + length;
        if bytes <= MAX_BYTES {
            kept.bytes = bytes;
            kept.by_path.insert(path.to_owned(), text());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, TextCache};

    #[test]
    fn reads_each_text_once() {
        let texts = TextCache::default();
        assert_eq!(texts.get("a", || Some("x".to_owned())).as_deref(), Some("x"));
        assert_eq!(texts.get("a", || panic!("read twice")).as_deref(), Some("x"));
        assert_eq!(texts.get_shared("a", || panic!("read twice")).as_deref(), Some("x"));
        assert_eq!(texts.get_shared("c", || Some("y".to_owned())).as_deref(), Some("y"));
        assert_eq!(texts.get("c", || panic!("read twice")).as_deref(), Some("y"));
        assert_eq!(texts.get("b", || None), None);
        assert_eq!(texts.get("b", || panic!("read twice")), None);
    }

    #[test]
    fn keeps_a_bounded_number_of_bytes() {
        let texts = TextCache::default();
        for path in ["a", "b", "c"] {
            texts.get(path, || Some(" ".repeat(MAX_BYTES / 2 - 10)));
        }
        let kept = texts.0.read();
        assert!(kept.by_path.len() == 2 && kept.bytes <= MAX_BYTES);
    }
}
