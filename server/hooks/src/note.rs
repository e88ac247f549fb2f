//! Builds the notes for an agent. They are short, since each word costs tokens. Names are quoted, since a file name may read like
//! an instruction.

use std::fmt::Write as _;

use pathfinder_core::quote::quote;

use super::event::ToolKind;
use pathfinder_ipc::suggestion::{ContentPreview, Suggestion};

/// Returns the note about a call that was redirected to another path.
pub(super) fn write_rewrite_note(requested: &str, kind: ToolKind, target: &str, confidence: f32, why: &str) -> String {
    let verb = match kind {
        ToolKind::Read | ToolKind::Edit => "read",
        ToolKind::List => "listed",
        ToolKind::Search => "searched",
    };
    format!(
        "{} does not exist; {} was {verb} instead ({}).",
        quote(requested),
        quote(target),
        format_confidence(confidence, why)
    )
}

/// Returns the note about a missing path; empty if there is no suggestion.
pub(super) fn write_missing_note(requested: &str, suggestion: &Suggestion) -> String {
    let requested = quote(requested);
    match suggestion {
        Suggestion::Certain { path, confidence, why, preview, .. } => {
            let mut note =
                format!("{requested} does not exist. It is {} ({}).", quote(path), format_confidence(*confidence, why));
            if let Some(preview) = preview {
                append_preview(&mut note, path, preview);
            }
            note
        }
        Suggestion::Perhaps { paths, question } => {
            let mut note = format!("{requested} does not exist. Perhaps: {}.", quote_all(paths));
            if let Some(question) = question {
                note.push(' ');
                note.push_str(question);
            }
            note
        }
        Suggestion::Gone(why) => format!("{requested} does not exist: {why}."),
        Suggestion::Unknown => String::new(),
    }
}

fn format_confidence(confidence: f32, why: &str) -> String {
    // Rounded down, so that a guess never shows as 1.00.
    let confidence = (confidence * 100.0).floor() / 100.0;
    format!("confidence {confidence:.2}: {why}")
}

fn append_preview(note: &mut String, path: &str, preview: &ContentPreview) {
    // Writing to a `String` cannot fail.
    let _ = match preview {
        ContentPreview::Lines { text, .. } if text.is_empty() => write!(note, " It is empty."),
        ContentPreview::Lines { first, text, more } => {
            let last = first + text.lines().count() - 1;
            let all = if *more { "" } else { ", the end" };
            write!(note, "\nLines {first}-{last} of {}{all}:\n{}", quote(path), text.trim_end_matches('\n'))
        }
        ContentPreview::Entries(entries, _) if entries.is_empty() => write!(note, " It is empty."),
        ContentPreview::Entries(entries, more) => {
            write!(note, "\nIn it: {}{}", quote_all(entries), if *more { ", and more" } else { "" })
        }
    };
}

fn quote_all(names: &[String]) -> String {
    names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
}
