//! Writes `why`: a short text on how the first candidate differs from the request, or why there is no answer.

use super::input::{DecisionInput, EvidenceMatch};
use super::next_question;
use super::threshold::auto_threshold;
use crate::answer::{Refusal, Status};
use crate::features::Feature;
use crate::query::Note;
use crate::quote::quote_unless_plain;
use crate::rank::Ranked;
use crate::request::Op;
use crate::words::split_extension;

/// Returns the text of `why` for an answer of this status.
pub(super) fn explain(input: &DecisionInput<'_>, status: Status, confidence: f32) -> String {
    match (status, input.ranked.first()) {
        (Status::Exists, _) => "exists as asked".to_owned(),
        (Status::Resolved, Some(first)) => describe_differences(input, first).join("; "),
        (Status::NotFound, _) if deletion_text(input).is_some() => deletion_text(input).unwrap_or_default().to_owned(),
        (Status::Ambiguous, Some(first)) => explain_ambiguous(input, first, confidence),
        (Status::NotFound | Status::Resolved | Status::Ambiguous, _) => match input.refusal {
            Refusal::OutsideRoot => "points outside every root".to_owned(),
            Refusal::Ignored => "it exists, but the project's ignore rules exclude it".to_owned(),
            Refusal::LeftOut => "tracked by git, but outside of this sparse checkout".to_owned(),
            Refusal::Deleted => "it was deleted".to_owned(),
            Refusal::NotFound | Refusal::Ambiguous => "no similar path exists".to_owned(),
        },
    }
}

/// Returns the history's text, if the history records a deletion.
fn deletion_text<'a>(input: &'a DecisionInput<'_>) -> Option<&'a str> {
    input
        .history
        .as_ref()
        .filter(|history_match| history_match.to.is_none())
        .and_then(|history_match| history_match.text.as_deref())
}

fn explain_ambiguous(input: &DecisionInput<'_>, first: &Ranked, confidence: f32) -> String {
    if input.evidence == Some(EvidenceMatch::Absent) {
        return "none of the best candidates holds the evidence".to_owned();
    }
    if input.query.op == Op::Write && confidence >= auto_threshold(input) {
        return format!(
            "only a suggestion, as the write may create it: {}",
            describe_differences(input, first).join("; ")
        );
    }
    if let Some(deleted) = deletion_text(input) {
        return format!("{deleted}; similar paths exist");
    }
    let close = input.ranked.iter().filter(|other| other.raw > first.raw - next_question::CLOSE_POINTS).count();
    if close > 1 {
        return format!("{close} candidates fit about equally");
    }
    let share = (confidence * 100.0).round();
    format!("the best candidate is only {share} % sure: {}", describe_differences(input, first).join("; "))
}

/// Lists the differences between the request and the candidate.
fn describe_differences(input: &DecisionInput<'_>, first: &Ranked) -> Vec<String> {
    let moved = input
        .history
        .as_ref()
        .filter(|history_match| history_match.to.as_ref() == Some(&first.path) && history_match.root == first.root);
    if let Some(text) = moved.and_then(|history_match| history_match.text.clone()) {
        return vec![text];
    }
    let target = &input.query.targets[first.target];
    let reading = &input.readings[target.reading];
    let plain = |note: &&Note| !matches!(note, Note::AsWritten | Note::FromCwd | Note::FromFile);
    let mut list: Vec<String> = reading.notes.iter().filter(plain).map(|note| note.text().to_owned()).collect();

    let path = first.path.text();
    let segments: Vec<&str> = path.split('/').collect();
    let (name, directories) = segments.split_last().map_or(("", &[][..]), |(name, rest)| (*name, rest));
    list.extend(name_difference(&input.query.names[target.name].text, name, first));
    let query: Vec<&str> = target.directories.iter().map(|segment| segment.text.as_str()).collect();
    list.extend(directory_difference(&query, directories));
    if target.as_file {
        list.push("a file, not a directory".to_owned());
    }
    if input.evidence == Some(EvidenceMatch::Only) {
        list.push("it alone holds the evidence".to_owned());
    }
    if list.is_empty() {
        list.push("the same path".to_owned());
    }
    list
}

fn name_difference(query: &str, name: &str, first: &Ranked) -> Option<String> {
    let has = |feature: Feature| first.get(feature) > 0.0;
    let (asked_stem, asked_extension) = split_extension(query.as_bytes());
    let (stem, extension) = split_extension(name.as_bytes());
    let stem_text = if query == name {
        None
    } else if has(Feature::NameCase) {
        Some("other case".to_owned())
    } else if asked_stem == stem {
        None
    } else if has(Feature::StemStyle) {
        Some("other naming style".to_owned())
    } else if has(Feature::StemTypo) {
        Some("typo in name".to_owned())
    } else {
        Some(format!("name {} → {}", quote_unless_plain(query), quote_unless_plain(name)))
    };
    let extension_text = (asked_extension != extension && stem_text.as_deref().is_none_or(|text| !text.contains('→')))
        .then(|| match (asked_extension, extension) {
            (b"", extension) => format!("extension {} added", with_dot(extension)),
            (query, b"") => format!("extension {} dropped", with_dot(query)),
            (query, extension) => format!("extension {} → {}", with_dot(query), with_dot(extension)),
        });
    match (stem_text, extension_text) {
        (Some(stem), Some(extension)) => Some(format!("{stem}; {extension}")),
        (stem, extension) => stem.or(extension),
    }
}

/// Returns an extension with its dot.
fn with_dot(extension: &[u8]) -> String {
    quote_unless_plain(&format!(".{}", String::from_utf8_lossy(extension))).into_owned()
}

/// Describes the range in which two lists of directories differ.
fn directory_difference(query: &[&str], found: &[&str]) -> Option<String> {
    let shared = |left: &[&str], right: &[&str]| left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let front = shared(query, found);
    let (query, found) = (&query[front..], &found[front..]);
    let back = query.iter().rev().zip(found.iter().rev()).take_while(|(a, b)| a == b).count();
    let (asked_stretch, found_stretch) = (&query[..query.len() - back], &found[..found.len() - back]);
    match (asked_stretch, found_stretch) {
        ([], []) => None,
        ([], added) if front == 0 => Some(format!("prefix {} added", join_directories(added))),
        ([], added) => Some(format!("{} added", join_directories(added))),
        (dropped, []) => Some(format!("{} dropped", join_directories(dropped))),
        (before, after) => Some(format!("{} → {}", join_directories(before), join_directories(after))),
    }
}

/// Joins directories, with a slash at the end.
fn join_directories(directories: &[&str]) -> String {
    quote_unless_plain(&format!("{}/", directories.join("/"))).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_differences_of_directories() {
        let check = |query: &str, found: &str, expected: Option<&str>| {
            let split = |text: &'static str| text.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>();
            let (query, found) = (query.to_owned().leak(), found.to_owned().leak());
            assert_eq!(directory_difference(&split(query), &split(found)).as_deref(), expected);
        };
        check("infra/reranker", "internal/infra/reranker", Some("prefix internal/ added"));
        check("a/c", "a/b/c", Some("b/ added"));
        check("a/b/c", "a/c", Some("b/ dropped"));
        check("tests/printer/src", "crates/printer/src", Some("tests/ → crates/"));
        check("a", "a", None);
        check("a/a", "a", Some("a/ dropped"));
        check("a", "a/it is. Run make/\u{202e}", Some("\"it is. Run make/\\u{202e}/\" added"));
    }
}
