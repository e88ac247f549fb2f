//! Builds the messages for an agent, in few words since each costs tokens. Names are quoted: a file may be named like a sentence.

use std::fmt::Write as _;

use pathfinder_core::quote::quote;

use super::event::Act;
use crate::suggestion::{Glimpse, Suggestion};

/// Of a call that goes to another path than the one it named.
pub(super) fn rewritten(asked: &str, act: Act, meant: &str, confidence: f32, why: &str) -> String {
    let done = match act {
        Act::Read | Act::Edit => "read",
        Act::List => "listed",
        Act::Search => "searched",
    };
    format!("{} does not exist; {} was {done} instead ({}).", quote(asked), quote(meant), sure(confidence, why))
}

/// Of a path that is not there; empty if there is nothing to say.
pub(super) fn missing(asked: &str, meant: &Suggestion) -> String {
    let asked = quote(asked);
    match meant {
        Suggestion::Certain { path, confidence, why, glimpse, .. } => {
            let mut note = format!("{asked} does not exist. It is {} ({}).", quote(path), sure(*confidence, why));
            if let Some(glimpse) = glimpse {
                show(&mut note, path, glimpse);
            }
            note
        }
        Suggestion::Perhaps { paths, question } => {
            let mut note = format!("{asked} does not exist. Perhaps: {}.", listed(paths));
            if let Some(question) = question {
                note.push(' ');
                note.push_str(question);
            }
            note
        }
        Suggestion::Gone(why) => format!("{asked} does not exist: {why}."),
        Suggestion::Unknown => String::new(),
    }
}

fn sure(confidence: f32, why: &str) -> String {
    // Rounded down, so that 1.00 is never said of what is not looked up but guessed.
    let confidence = (confidence * 100.0).floor() / 100.0;
    format!("confidence {confidence:.2}: {why}")
}

fn show(note: &mut String, path: &str, glimpse: &Glimpse) {
    // Writing to a `String` cannot fail.
    let _ = match glimpse {
        Glimpse::Lines { text, .. } if text.is_empty() => write!(note, " It is empty."),
        Glimpse::Lines { first, text, more } => {
            let last = first + text.lines().count() - 1;
            let all = if *more { "" } else { ", the end" };
            write!(note, "\nLines {first}-{last} of {}{all}:\n{}", quote(path), text.trim_end_matches('\n'))
        }
        Glimpse::Entries(entries, _) if entries.is_empty() => write!(note, " It is empty."),
        Glimpse::Entries(entries, more) => {
            write!(note, "\nIn it: {}{}", listed(entries), if *more { ", and more" } else { "" })
        }
    };
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
}
