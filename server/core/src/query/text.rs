//! The text stage: from what was sent to the texts that may be the path.

use super::draft::{Draft, Drafts};
use super::note::Note;
use super::uri::{self, Uri};
use super::{alike, clean, cost, escape, frame, location};

/// What the text stage found.
#[derive(Debug)]
pub(super) struct Texts {
    /// The texts that may be the path; one of them, unless treatments that can be wrong applied.
    pub(super) drafts: Vec<Draft>,
    /// The text as sent carries marks that names of files do not carry.
    pub(super) doubtful: bool,
    /// It has backslashes where others have `/`.
    pub(super) backslashed: bool,
    /// The text as sent is one of the drafts.
    pub(super) untouched: bool,
}

/// Takes the text out of what surrounds it and undoes what was done to it.
pub(super) fn texts(raw: &str) -> Texts {
    let first = Draft::new(raw);
    if is_plain(raw) || uri::is_opaque(raw) {
        return Texts { drafts: vec![first], doubtful: false, backslashed: false, untouched: true };
    }
    let mut drafts = Drafts(vec![first]);
    drafts.replace(Note::Invisible, cost::INVISIBLE, alike::visible);
    drafts.replace(Note::Composed, cost::COMPOSED, alike::composed);
    // From here on a treatment that applies for sure speaks against the text as sent.
    let mut doubtful = drafts.replace(Note::Colours, cost::INVISIBLE, clean::without_colours);
    doubtful |= unwrap(&mut drafts);
    drafts.branch(Note::FirstLine, cost::FIRST_LINE, first_line);
    let linked = drafts.replace(Note::MarkdownLink, cost::MARKDOWN, frame::link_target);
    let framed = drafts.replace(Note::Message, cost::MESSAGE, frame::path_in);
    if linked || framed {
        doubtful = true;
        unwrap(&mut drafts);
    }
    doubtful |= uris(&mut drafts);
    doubtful |= lines(&mut drafts);
    doubtful |= drafts.0.iter().any(|draft| draft.text.contains(|c: char| c.is_control()));
    drafts.replace(Note::OctalEscapes, cost::OCTAL, escape::octal_decoded);
    drafts.branch(Note::ShellEscapes, cost::SHELL, escape::shell_unescaped);
    drafts.replace(Note::EatenBackslash, cost::EATEN, escape::backslashes_restored);
    drafts.branch(Note::Percent, cost::PERCENT, escape::percent_decoded);
    drafts.branch(Note::LookAlike, cost::LOOK_ALIKE, alike::plain);
    let backslashed = drafts.replace(Note::Backslashes, cost::BACKSLASHES, escape::slashed);
    drafts.branch(Note::QueryString, cost::QUERY_STRING, |text| location::without_query(text).map(str::to_owned));
    drafts.branch(Note::Anchor, cost::ANCHOR, |text| location::without_anchor(text).map(str::to_owned));
    drafts.branch(Note::Symbol, cost::SYMBOL, |text| location::without_symbol(text).map(str::to_owned));
    drafts.branch(Note::Revision, cost::REVISION, |text| location::without_revision(text).map(str::to_owned));
    drafts.branch(Note::Mark, cost::MARK, |text| clean::unmarked(text).map(str::to_owned));
    let untouched = drafts.0.iter().any(|draft| draft.notes.is_empty());
    Texts { drafts: drafts.0, doubtful, backslashed, untouched }
}

/// Whether there is nothing to treat: the fast way, taken by nearly every path.
fn is_plain(text: &str) -> bool {
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-+,=@~$".contains(&b));
    plain && !text.ends_with(['.', ',']) && !text.starts_with('@')
}

/// Takes off what is around each draft; whether there was anything that no name has around it.
fn unwrap(drafts: &mut Drafts) -> bool {
    let mut doubtful = false;
    for draft in &mut drafts.0 {
        let Some((inner, notes)) = clean::unwrapped(&draft.text) else { continue };
        // `(group)`, `[id]` and `{x}` are names in some frameworks, and a name may end in a dot; nothing else that
        // stands around a path is part of a name.
        let nameable = match notes.as_slice() {
            [Note::Brackets] => !draft.text.starts_with('<'),
            [Note::Punctuation] => draft.text[inner.len()..].bytes().all(|b| b == b'.'),
            _ => false,
        };
        doubtful |= !nameable;
        draft.text = inner.to_owned();
        for note in notes {
            if !draft.notes.contains(&note) {
                draft.notes.push(note);
            }
        }
        draft.cost += cost::SURROUNDINGS;
    }
    doubtful
}

fn uris(drafts: &mut Drafts) -> bool {
    let mut done = false;
    for draft in &mut drafts.0 {
        let (text, note, cost, address) = match uri::read(&draft.text) {
            Some(Uri::File(path)) => (path, Note::FileUri, cost::FILE_URI, None),
            Some(Uri::Url(path, prefix)) => (path, Note::Url, cost::URL, Some(prefix)),
            None => continue,
        };
        if text.trim().is_empty() {
            continue;
        }
        draft.text = text;
        draft.address = address;
        draft.notes.push(note);
        draft.cost += cost;
        done = true;
    }
    done
}

fn lines(drafts: &mut Drafts) -> bool {
    let mut done = false;
    for draft in &mut drafts.0 {
        let Some((path, note)) = location::without_line(&draft.text) else { continue };
        draft.text = path.to_owned();
        if !draft.notes.contains(&note) {
            draft.notes.push(note);
        }
        draft.cost += cost::LINE_SUFFIX;
        done = true;
    }
    done
}

/// The first line of several.
fn first_line(text: &str) -> Option<String> {
    text.split_once(['\n', '\r']).map(|(line, _)| line.trim_end().to_owned())
}
