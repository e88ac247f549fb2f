//! Symbols as bytes and back, to be kept and read again much faster than files are.
//!
//! As with a snapshot: who keeps the bytes sees to it that they are whole, and from wrong ones come no symbols, never
//! some that a question could fail on.

use std::sync::Arc;

use super::layer::SymbolLayer;
use super::{SymbolPart, Symbols};
use crate::index::bits::Bits;
use crate::index::image::{Reader, Writer};

impl Symbols {
    /// All of them as bytes. How many files there are to read is not among these.
    pub fn to_image(&self) -> Vec<u8> {
        let whole = self.compact();
        let mut out = Writer::default();
        whole.parts.iter().for_each(|part| part.layer.write(&mut out));
        out.done()
    }

    /// The symbols that these bytes are; `None` if they are none.
    pub fn from_image(image: &[u8]) -> Option<Self> {
        let mut from = Reader::new(image);
        if from.is_done() {
            return Some(Self::default());
        }
        let layer = SymbolLayer::read(&mut from)?;
        let part = SymbolPart { layer: Arc::new(layer), dead: Bits::default() };
        from.is_done().then(|| Self { parts: Arc::new([part]), total: 0 })
    }
}
