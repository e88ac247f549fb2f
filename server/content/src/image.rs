//! Writes an index as bytes and reads it back; the server caches the bytes.
//!
//! The cache file has a checksum. Lengths and ends are validated all the same, and a posting is when it is read: damaged bytes give
//! no index or one with fewer postings, never one on which a search can fail. Reading all postings of 10,000 files at the start took
//! longer than reading the file.

use crate::file_content::FIELDS;
use crate::index::{ContentIndex, ContentPart};
use crate::layer::Layer;
use crate::meaning::NUMBERS;
use crate::strings::StringTable;

/// Appends lists, each after its length.
#[derive(Default)]
pub(crate) struct ImageWriter(pub(crate) Vec<u8>);

impl ImageWriter {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn numbers<const N: usize>(&mut self, numbers: impl ExactSizeIterator<Item = [u8; N]>) {
        self.0.extend_from_slice(&((numbers.len() * N) as u64).to_le_bytes());
        numbers.for_each(|number| self.0.extend_from_slice(&number));
    }

    pub(crate) fn strings(&mut self, strings: &StringTable) {
        self.bytes(&strings.bytes);
        self.numbers(strings.ends.iter().map(|end| end.to_le_bytes()));
    }
}

/// Reads what an [`ImageWriter`] wrote; `None` if a list is shorter than its length. A list is read into memory of its own, so that
/// the large ones are not copied.
pub(crate) struct ImageReader<'a> {
    left: u64,
    read: &'a mut dyn FnMut(u64) -> Option<Vec<u8>>,
}

impl<'a> ImageReader<'a> {
    /// Creates a reader of an image with this length; `read` returns the next bytes of it.
    pub(crate) fn new(length: u64, read: &'a mut dyn FnMut(u64) -> Option<Vec<u8>>) -> Self {
        Self { left: length, read }
    }

    /// Returns whether all was read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.left == 0
    }

    fn piece(&mut self, length: u64) -> Option<Vec<u8>> {
        self.left = self.left.checked_sub(length)?;
        (self.read)(length)
    }

    pub(crate) fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = u64::from_le_bytes(*self.piece(8)?.first_chunk()?);
        self.piece(length)
    }

    pub(crate) fn numbers<T, const N: usize>(&mut self, read: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        let bytes = self.bytes()?;
        let (numbers, rest) = bytes.as_chunks::<N>();
        rest.is_empty().then(|| numbers.iter().map(|bytes| read(*bytes)).collect())
    }

    pub(crate) fn strings(&mut self) -> Option<StringTable> {
        let strings = StringTable { bytes: self.bytes()?, ends: self.numbers(u32::from_le_bytes)? };
        strings.is_sound().then_some(strings)
    }
}

impl ContentIndex {
    /// Writes the index as bytes.
    pub fn to_image(&self) -> Vec<u8> {
        let whole = self.compact();
        let mut out = ImageWriter::default();
        let empty = Layer::default().finish();
        let layer = whole.parts.first().map_or(&empty, |part| &*part.layer);
        for strings in [&layer.paths, &layer.imports, &layer.terms] {
            out.strings(strings);
        }
        out.numbers(layer.stamps.iter().map(|stamp| stamp.to_le_bytes()));
        out.numbers(layer.classes.iter().map(|class| class.to_le_bytes()));
        out.numbers(layer.sizes.iter().map(|size| size.to_le_bytes()));
        out.numbers(layer.first_chunks.iter().map(|chunk| chunk.to_le_bytes()));
        out.numbers(layer.lines.iter().map(|line| line.to_le_bytes()));
        for lengths in &layer.lengths {
            out.numbers(lengths.iter().map(|length| length.to_le_bytes()));
        }
        out.numbers(layer.posting_ends.iter().map(|end| end.to_le_bytes()));
        out.bytes(&layer.postings);
        out.numbers(layer.directions.iter().map(|direction| direction.map(i8::cast_unsigned)));
        out.0
    }

    /// Reads an index; `None` if the bytes are invalid.
    pub fn from_image(mut image: &[u8]) -> Option<Self> {
        let length = image.len() as u64;
        Self::from_pieces(length, &mut |length| {
            let (piece, rest) = image.split_at_checked(usize::try_from(length).ok()?)?;
            image = rest;
            Some(piece.to_vec())
        })
    }

    /// Reads an index of an image with this length; `read` returns the next bytes of it. `None` if the bytes are invalid.
    pub fn from_pieces(length: u64, read: &mut dyn FnMut(u64) -> Option<Vec<u8>>) -> Option<Self> {
        let mut from = ImageReader::new(length, read);
        let (paths, imports, terms) = (from.strings()?, from.strings()?, from.strings()?);
        let stamps = from.numbers(u64::from_le_bytes)?;
        let classes = from.numbers(u16::from_le_bytes)?;
        let sizes = from.numbers(u32::from_le_bytes)?;
        let mut first_chunks = from.numbers(u32::from_le_bytes)?;
        let lines = from.numbers(u32::from_le_bytes)?;
        let mut lengths: [Vec<u16>; FIELDS] = Default::default();
        for field in &mut lengths {
            *field = from.numbers(u16::from_le_bytes)?;
        }
        let posting_ends = from.numbers(u32::from_le_bytes)?;
        let postings = from.bytes()?;
        let directions = from.numbers(|direction: [u8; NUMBERS]| direction.map(u8::cast_signed))?;
        let count = stamps.len();
        // A file has at least the chunk of its path.
        let chunks_ascend = first_chunks.windows(2).all(|pair| pair[0] < pair[1]);
        let is_sound = from.is_at_end()
            && [paths.len(), imports.len(), classes.len(), sizes.len(), directions.len()]
                .iter()
                .all(|&length| length == count)
            && first_chunks.len() == count + 1
            && first_chunks[0] == 0
            && chunks_ascend
            && first_chunks[count] as usize == lines.len()
            && lengths.iter().all(|field| field.len() == lines.len())
            && posting_ends.len() == terms.len()
            && posting_ends.is_sorted()
            && posting_ends.last().map_or(0, |&end| end as usize) == postings.len();
        if !is_sound {
            return None;
        }
        let files = first_chunks.windows(2).enumerate();
        let chunk_files =
            files.flat_map(|(file, pair)| std::iter::repeat_n(file as u32, (pair[1] - pair[0]) as usize)).collect();
        first_chunks.pop();
        let layer = Layer {
            paths,
            stamps,
            classes,
            sizes,
            first_chunks,
            lines,
            lengths,
            chunk_files,
            imports,
            terms,
            posting_ends,
            postings,
            directions,
            ..Layer::default()
        };
        let layer = layer.finish();
        if !layer.by_path.windows(2).all(|pair| layer.path(pair[0]) < layer.path(pair[1])) {
            return None;
        }
        Some(if count == 0 {
            Self::default()
        } else {
            Self::from_parts(vec![ContentPart::new(layer)]).with_total(count)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{ContentChange, ContentIndex, ContentRoot, FileContent, TermReader, search};

    fn index() -> ContentIndex {
        let read = |path: &str, text: &str| {
            ContentChange::Read(Box::new(FileContent::read(path, 7, Some(text), &[], &mut TermReader::default())))
        };
        ContentIndex::default()
            .apply(vec![read("a/store.rs", "// Opens the store.\nfn open() {}"), read("b.py", "import store")])
    }

    #[test]
    fn images_round_trip() {
        let index = index();
        let image = index.to_image();
        let again = ContentIndex::from_image(&image).expect("an index");
        assert_eq!(again.to_image(), image);
        assert_eq!((again.stats().files, again.stamp("b.py")), (2, Some(7)));
        assert_eq!(ContentIndex::from_image(&ContentIndex::default().to_image()).expect("an index").progress(), (0, 0));
    }

    /// A list that is longer than its piece would be read from the next one.
    #[test]
    fn rejects_images_that_end_early() {
        let image = index().to_image();
        for length in 0..image.len() {
            assert!(ContentIndex::from_image(&image[..length]).is_none(), "{length}");
        }
        let longer = [&image[..], &[0]].concat();
        assert!(ContentIndex::from_image(&longer).is_none());
        assert!(ContentIndex::from_pieces(image.len() as u64, &mut |_| None).is_none());
    }

    proptest! {
        /// Damaged bytes give no index, or one that can be searched.
        #[test]
        fn damaged_images_do_no_harm(
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..3),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut image = index().to_image();
            for (at, byte) in damage {
                let at = at.index(image.len());
                image[at] = byte;
            }
            for image in [&image[..], &image[..cut.index(image.len())]] {
                if let Some(index) = ContentIndex::from_image(image) {
                    let symbols = pathfinder_core::symbols::Symbols::default();
                    search("where is the store opened", &[ContentRoot { index: &index, symbols: &symbols, subjects: None }], 10);
                    // Merging reads all postings.
                    let other = FileContent::read("c.rs", 7, Some("fn close() {}"), &[], &mut TermReader::default());
                    _ = index.apply(vec![ContentChange::Read(Box::new(other))]).to_image();
                }
            }
        }
    }
}
