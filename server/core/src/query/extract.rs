//! Extracts the texts that may be the path from the text that was sent; first step of `interpret`.

use super::note::Note;
use super::partial_reading::{PartialReading, PartialReadings};
use super::uri::{self, Uri};
use super::{cost, escape, lookalike, message, strip, suffix};

/// The extracted texts, and what they show about the text as sent.
#[derive(Debug)]
pub(super) struct ExtractedTexts {
    /// The texts that may be the path; one, unless uncertain treatments applied.
    pub(super) partials: Vec<PartialReading>,
    /// True if the text as sent carries marks that file names do not have.
    pub(super) is_doubtful: bool,
    /// True if it has backslashes as separators.
    pub(super) has_backslashes: bool,
    /// True if the text as sent is one of `partials`.
    pub(super) is_untouched: bool,
}

/// Takes the path out of its surroundings and decodes it.
pub(super) fn extract_texts(raw: &str) -> ExtractedTexts {
    let first = PartialReading::new(raw);
    if is_plain(raw) || uri::is_opaque(raw) {
        return ExtractedTexts {
            partials: vec![first],
            is_doubtful: false,
            has_backslashes: false,
            is_untouched: true,
        };
    }
    let mut partials = PartialReadings(vec![first]);
    partials.replace(Note::Invisible, cost::INVISIBLE, lookalike::strip_invisible);
    partials.replace(Note::Composed, cost::COMPOSED, lookalike::compose_accents);
    // From here on a certain treatment is evidence against the text as sent.
    let mut is_doubtful = partials.replace(Note::Colours, cost::INVISIBLE, strip::strip_colours);
    is_doubtful |= strip_all_surroundings(&mut partials);
    partials.branch(Note::FirstLine, cost::FIRST_LINE, first_line);
    let linked = partials.replace(Note::MarkdownLink, cost::MARKDOWN, message::markdown_target);
    let framed = partials.replace(Note::Message, cost::MESSAGE, message::find_path);
    if linked || framed {
        is_doubtful = true;
        strip_all_surroundings(&mut partials);
    }
    is_doubtful |= parse_uris(&mut partials);
    is_doubtful |= strip_line_suffixes(&mut partials);
    is_doubtful |= partials.0.iter().any(|partial| partial.text.contains(|c: char| c.is_control()));
    partials.replace(Note::OctalEscapes, cost::OCTAL, escape::decode_octal);
    partials.branch(Note::ShellEscapes, cost::SHELL, escape::unescape_shell);
    partials.replace(Note::EatenBackslash, cost::EATEN, escape::restore_backslashes);
    partials.branch(Note::Percent, cost::PERCENT, escape::decode_percent);
    partials.branch(Note::LookAlike, cost::LOOK_ALIKE, lookalike::replace_lookalikes);
    let has_backslashes = partials.replace(Note::Backslashes, cost::BACKSLASHES, escape::backslashes_to_slashes);
    partials.branch(Note::QueryString, cost::QUERY_STRING, |text| suffix::strip_query_string(text).map(str::to_owned));
    partials.branch(Note::Anchor, cost::ANCHOR, |text| suffix::strip_anchor(text).map(str::to_owned));
    partials.branch(Note::Symbol, cost::SYMBOL, |text| suffix::strip_symbol(text).map(str::to_owned));
    partials.branch(Note::Revision, cost::REVISION, |text| suffix::strip_revision(text).map(str::to_owned));
    partials.branch(Note::Mark, cost::MARK, |text| strip::strip_list_mark(text).map(str::to_owned));
    let is_untouched = partials.0.iter().any(|partial| partial.notes.is_empty());
    ExtractedTexts { partials: partials.0, is_doubtful, has_backslashes, is_untouched }
}

/// Returns whether no treatment can apply: the fast way for nearly every path.
fn is_plain(text: &str) -> bool {
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-+,=@~$".contains(&b));
    plain && !text.ends_with(['.', ',']) && !text.starts_with('@')
}

/// Strips the surroundings of each text. Returns whether any were such that no name has.
fn strip_all_surroundings(partials: &mut PartialReadings) -> bool {
    let mut is_doubtful = false;
    for partial in &mut partials.0 {
        let Some((inner, notes)) = strip::strip_surroundings(&partial.text) else { continue };
        // `(group)`, `[id]` and `{x}` are names in some frameworks, and a name may end in a dot; nothing else that
        // stands around a path is part of a name.
        let nameable = match notes.as_slice() {
            [Note::Brackets] => !partial.text.starts_with('<'),
            [Note::Punctuation] => partial.text[inner.len()..].bytes().all(|b| b == b'.'),
            _ => false,
        };
        is_doubtful |= !nameable;
        partial.text = inner.to_owned();
        for note in notes {
            if !partial.notes.contains(&note) {
                partial.notes.push(note);
            }
        }
        partial.cost += cost::SURROUNDINGS;
    }
    is_doubtful
}

fn parse_uris(partials: &mut PartialReadings) -> bool {
    let mut done = false;
    for partial in &mut partials.0 {
        let (text, note, cost, url_prefix) = match uri::parse(&partial.text) {
            Some(Uri::File(path)) => (path, Note::FileUri, cost::FILE_URI, None),
            Some(Uri::Url(path, prefix)) => (path, Note::Url, cost::URL, Some(prefix)),
            None => continue,
        };
        if text.trim().is_empty() {
            continue;
        }
        partial.text = text;
        partial.url_prefix = url_prefix;
        partial.notes.push(note);
        partial.cost += cost;
        done = true;
    }
    done
}

fn strip_line_suffixes(partials: &mut PartialReadings) -> bool {
    let mut done = false;
    for partial in &mut partials.0 {
        let Some((path, note)) = suffix::strip_line_suffix(&partial.text) else { continue };
        partial.text = path.to_owned();
        if !partial.notes.contains(&note) {
            partial.notes.push(note);
        }
        partial.cost += cost::LINE_SUFFIX;
        done = true;
    }
    done
}

/// The first line of several.
fn first_line(text: &str) -> Option<String> {
    text.split_once(['\n', '\r']).map(|(line, _)| line.trim_end().to_owned())
}
