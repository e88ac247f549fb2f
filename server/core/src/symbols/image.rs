//! Serialises symbols, so that a later process loads them much faster than it reads the files.
//!
//! The caller checks that the bytes are whole, as for a snapshot. Wrong bytes give no symbols, or symbols that are safe
//! to search.

use std::sync::Arc;

use super::layer::SymbolLayer;
use super::{SymbolPart, Symbols};
use crate::index::bit_set::BitSet;
use crate::index::image::{ImageReader, ImageWriter};

impl Symbols {
    /// Serialises all symbols. The number of files to read is not included.
    pub fn to_image(&self) -> Vec<u8> {
        let whole = self.compact();
        let mut out = ImageWriter::default();
        whole.parts.iter().for_each(|part| part.layer.write(&mut out));
        out.done()
    }

    /// Deserialises symbols; `None` for invalid bytes.
    pub fn from_image(image: &[u8]) -> Option<Self> {
        let mut from = ImageReader::new(image);
        if from.is_done() {
            return Some(Self::default());
        }
        let layer = SymbolLayer::read(&mut from)?;
        let part = SymbolPart { layer: Arc::new(layer), dead: BitSet::default() };
        from.is_done().then(|| Self { parts: Arc::new([part]), total: 0 })
    }
}
