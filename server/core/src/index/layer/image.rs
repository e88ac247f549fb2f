//! Writes a layer as bytes and reads it back. Data that is quickly computed from the rest is not stored.

use super::{Counts, Directory, File, Layer, SYMLINK};
use crate::index::image::{ImageReader, ImageWriter};
use crate::index::strings::{PackedPostings, Strings};

impl Layer {
    /// Appends the layer to `out`.
    pub(in crate::index) fn write(&self, out: &mut ImageWriter) {
        let (bytes, ends) = self.names.parts();
        out.bytes(bytes);
        out.numbers(ends.iter().copied());
        out.large(self.letter_sets.iter().copied());
        out.numbers(self.directories.iter().map(|directory| directory.parent));
        out.numbers(self.directories.iter().map(|directory| directory.name));
        out.numbers(self.files.iter().map(|file| file.directory));
        out.numbers(self.files.iter().map(|file| file.name));
        let (bytes, ends) = self.words.parts();
        out.bytes(bytes);
        out.numbers(ends.iter().copied());
        let (starts, bytes) = self.names_by_word.parts();
        out.numbers(starts.iter().copied());
        out.bytes(bytes);
        let Counts { words, extensions } = &self.counts;
        out.numbers(words.iter().copied());
        out.numbers(extensions.iter().map(|(_, files)| *files));
        for (extension, _) in extensions {
            out.bytes(extension);
        }
    }

    /// Reads the next layer; `None` if it is invalid. A valid layer has no path that leaves the root, and no lookup in it can
    /// fail or loop.
    pub(in crate::index) fn read(from: &mut ImageReader<'_>) -> Option<Self> {
        let names = Strings::from_parts(from.bytes()?.to_vec(), from.numbers()?)?;
        let letter_sets = from.large()?;
        let (parents, own) = (from.numbers()?, from.numbers()?);
        let (holders, files) = (from.numbers()?, from.numbers()?);
        let words = Strings::from_parts(from.bytes()?.to_vec(), from.numbers()?)?;
        let starts = from.numbers()?;
        let names_by_word =
            PackedPostings::from_parts(starts, from.bytes()?.to_vec(), words.len(), names.len() as u32)?;
        let counts = {
            let (words, files) = (from.numbers()?, from.numbers()?);
            let extensions: Option<_> = files.iter().map(|&files| Some((from.bytes()?.into(), files))).collect();
            Counts { words, extensions: extensions? }
        };
        let directories: Vec<Directory> =
            parents.iter().zip(&own).map(|(&parent, &name)| Directory::new(parent, name)).collect();
        let files: Vec<File> = holders.iter().zip(&files).map(|(&directory, &name)| File { directory, name }).collect();
        let is_valid = own.len() == parents.len()
            && files.len() == holders.len()
            && letter_sets.len() == names.len()
            && are_valid_names(&names)
            && are_nested(&directories, names.len() as u32)
            && are_sorted_files(&files, directories.len() as u32, names.len() as u32)
            && are_valid_counts(&counts, words.len(), (directories.len() + files.len()) as u32);
        is_valid.then(|| Self::assemble(names, letter_sets, directories, files, (words, names_by_word), Some(counts)))
    }
}

/// Returns whether these are valid names: the empty one of the root, and others of one segment each.
fn are_valid_names(names: &Strings) -> bool {
    let (bytes, _) = names.parts();
    let plain = !bytes.contains(&b'/') && !bytes.contains(&0);
    plain && names.find(b"") == Some(0) && names.find(b".").is_none() && names.find(b"..").is_none()
}

/// Returns whether directories are in the order of a depth-first walk, and siblings in the order of their names. Of two siblings
/// with one name only the first could be found.
fn are_nested(directories: &[Directory], names: u32) -> bool {
    let Some((root, rest)) = directories.split_first() else { return false };
    // The ancestors of the next directory, each with the name of its last child; 0 stands for no child.
    let mut open = vec![(0_u32, 0_u32)];
    (root.parent, root.name) == (0, 0)
        && rest.iter().zip(1..).all(|(directory, number)| {
            while open.last().is_some_and(|&(last, _)| last != directory.parent) {
                open.pop();
            }
            let Some((_, last_name)) = open.last_mut() else { return false };
            let fits = (*last_name + 1..names).contains(&directory.name);
            *last_name = directory.name;
            open.push((number, 0));
            fits
        })
}

/// Returns whether the counts fit the numbers of words and entries.
fn are_valid_counts(counts: &Counts, words: usize, entries: u32) -> bool {
    counts.words.len() == words
        && counts.words.iter().chain(counts.extensions.iter().map(|(_, files)| files)).all(|&count| count <= entries)
        && counts.extensions.is_sorted_by(|one, next| one.0 < next.0)
}

/// Returns whether files are in the order of their directories and names, each once.
fn are_sorted_files(files: &[File], directories: u32, names: u32) -> bool {
    let place = |file: &File| (file.directory, file.name & !SYMLINK);
    files.iter().all(|file| file.directory < directories && (1..names).contains(&(file.name & !SYMLINK)))
        && files.windows(2).all(|pair| place(&pair[0]) < place(&pair[1]))
}
