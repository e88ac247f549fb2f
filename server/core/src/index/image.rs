//! Writes snapshots as bytes and reads them back, which is much faster than building them; the server caches the bytes.
//!
//! The cache file has a checksum. The contents are validated all the same: damaged bytes give no snapshot, never one on which
//! a request can fail.

use std::sync::Arc;

use super::layer::Layer;
use super::package::Package;
use super::snapshot::Snapshot;
use crate::path::RelPath;

/// Writes lists of numbers and bytes, each after its length, little-endian.
#[derive(Default)]
pub(crate) struct ImageWriter(Vec<u8>);

impl ImageWriter {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn numbers(&mut self, numbers: impl ExactSizeIterator<Item = u32>) {
        self.0.extend_from_slice(&(numbers.len() as u64).to_le_bytes());
        numbers.for_each(|number| self.0.extend_from_slice(&number.to_le_bytes()));
    }

    pub(crate) fn large(&mut self, numbers: impl ExactSizeIterator<Item = u64>) {
        self.0.extend_from_slice(&(numbers.len() as u64).to_le_bytes());
        numbers.for_each(|number| self.0.extend_from_slice(&number.to_le_bytes()));
    }

    /// The bytes written.
    pub(crate) fn done(self) -> Vec<u8> {
        self.0
    }
}

/// Reads the bytes of a [`ImageWriter`]; `None` if a list is shorter than its length.
pub(crate) struct ImageReader<'a>(&'a [u8]);

impl<'a> ImageReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns whether all bytes are read.
    pub(crate) fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    fn list(&mut self, size: usize) -> Option<&'a [u8]> {
        let (length, rest) = self.0.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?.checked_mul(size)?;
        let (list, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some(list)
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        self.list(1)
    }

    pub(crate) fn numbers(&mut self) -> Option<Vec<u32>> {
        Some(self.list(4)?.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
    }

    pub(crate) fn large(&mut self) -> Option<Vec<u64>> {
        Some(self.list(8)?.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
    }
}

impl Snapshot {
    /// Writes the snapshot as bytes.
    pub fn to_image(&self) -> Vec<u8> {
        let whole = self.merge_layers();
        let mut out = ImageWriter::default();
        whole.parts()[0].layer.write(&mut out);
        out.numbers([whole.packages().len() as u32].into_iter());
        for package in whole.packages() {
            out.bytes(package.name.as_bytes());
            out.bytes(package.directory.as_bytes());
        }
        out.done()
    }

    /// Reads a snapshot; `None` if the bytes are invalid.
    pub fn from_image(image: &[u8]) -> Option<Self> {
        let mut from = ImageReader::new(image);
        let layer = Layer::read(&mut from)?;
        let count = *from.numbers()?.first()?;
        let mut packages = Vec::new();
        for _ in 0..count {
            let name = String::from_utf8(from.bytes()?.to_vec()).ok()?;
            packages.push(Package { name, directory: RelPath::plain(from.bytes()?)? });
        }
        (from.is_done() && packages.is_sorted()).then(|| Self::from_layer(Arc::new(layer), packages))
    }
}
