//! `TextCache`: texts of files, stored for one run during which no file changes.

use std::sync::Arc;

use parking_lot::RwLock;
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit of the stored text: room for the manifests, entry points and pages of a large repository, and small beside
/// its index. Further files are read again whenever they are wanted.
const MAX_BYTES: usize = 64 << 20;

/// Texts by path. The cache changes no answer, because no file changes during the run.
#[derive(Debug, Default)]
pub(super) struct TextCache(RwLock<CachedTexts>);

#[derive(Debug, Default)]
struct CachedTexts {
    by_path: FxHashMap<String, Option<Arc<str>>>,
    /// Files whose text lacks their byte order mark.
    marked: FxHashSet<String>,
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

    /// Notes that the text of a file lacks its byte order mark.
    pub(super) fn mark(&self, path: &str) {
        self.0.write().marked.insert(path.to_owned());
    }

    /// The bytes of a file whose text is stored.
    pub(super) fn stored_bytes(&self, path: &str) -> Option<Vec<u8>> {
        let kept = self.0.read();
        let text = kept.by_path.get(path)?.as_ref()?;
        (!kept.marked.contains(path)).then(|| text.as_bytes().to_vec())
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
    fn returns_bytes_without_a_mark() {
        let texts = TextCache::default();
        assert_eq!(texts.stored_bytes("a"), None);
        texts.get("a", || Some("x".to_owned()));
        texts.get("b", || None);
        texts.get("c", || Some("z".to_owned()));
        texts.mark("c");
        assert_eq!(["a", "b", "c"].map(|path| texts.stored_bytes(path)), [Some(b"x".to_vec()), None, None]);
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
