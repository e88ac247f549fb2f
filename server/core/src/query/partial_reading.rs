//! A text on its way to becoming readings, with what was done to it so far.

use super::note::Note;
use super::reading::{ForeignPrefix, Reading};

/// How many texts are followed at once. Each treatment that may be wrong doubles them; three such in one input is
/// already rare, and every text costs up to a dozen readings.
const MAX_PARTIAL_READINGS: usize = 8;

/// One text.
#[derive(Clone, Debug)]
pub(super) struct PartialReading {
    pub(super) text: String,
    pub(super) cost: f32,
    pub(super) notes: Vec<Note>,
    /// It is the path part of a URL, of which these segments are not the project's.
    pub(super) url_prefix: Option<ForeignPrefix>,
}

impl PartialReading {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), cost: 0.0, notes: Vec::new(), url_prefix: None }
    }

    /// This partial with another text.
    fn step(&self, text: String, note: Note, cost: f32) -> Self {
        let mut next = Self { text, cost: self.cost + cost, notes: self.notes.clone(), url_prefix: self.url_prefix };
        if next.notes.last() != Some(&note) {
            next.notes.push(note);
        }
        next
    }

    /// A reading with these segments, at this partial's cost and with its notes.
    pub(super) fn reading<S: AsRef<str>>(&self, segments: &[S]) -> Reading {
        let segments = segments.iter().map(|segment| segment.as_ref().to_owned()).collect();
        Reading { segments, cost: self.cost, notes: self.notes.clone(), ..Reading::default() }
    }
}

/// The texts that are followed; cheapest need not be first.
#[derive(Debug)]
pub(super) struct PartialReadings(pub(super) Vec<PartialReading>);

impl PartialReadings {
    /// Applies a treatment that is surely right where it applies at all; says whether it did anywhere.
    pub(super) fn replace(&mut self, note: Note, cost: f32, treat: impl Fn(&str) -> Option<String>) -> bool {
        let mut done = false;
        for partial in &mut self.0 {
            if let Some(text) = treat(&partial.text).filter(|text| !text.trim().is_empty()) {
                *partial = partial.step(text, note, cost);
                done = true;
            }
        }
        done
    }

    /// Applies a treatment that may be wrong: the text without it is kept beside it.
    pub(super) fn branch(&mut self, note: Note, cost: f32, treat: impl Fn(&str) -> Option<String>) {
        let room = MAX_PARTIAL_READINGS.saturating_sub(self.0.len());
        let more: Vec<PartialReading> = self
            .0
            .iter()
            .filter_map(|partial| {
                let text = treat(&partial.text).filter(|text| !text.trim().is_empty())?;
                Some(partial.step(text, note, cost))
            })
            .take(room)
            .collect();
        self.0.extend(more);
    }
}
