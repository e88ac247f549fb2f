//! `PartialReading`: a text that may be the path, with the treatments so far; `extract` makes them, `interpreter` reads them.

use super::note::Note;
use super::reading::{ForeignPrefix, Reading};

/// Texts that are followed at once. Each uncertain treatment doubles them. Three such treatments in one input are already
/// rare, and every text costs up to a dozen readings.
const MAX_PARTIAL_READINGS: usize = 8;

/// A text that may be the path, with its cost and the treatments that made it.
#[derive(Clone, Debug)]
pub(super) struct PartialReading {
    pub(super) text: String,
    pub(super) cost: f32,
    pub(super) notes: Vec<Note>,
    /// Set if the text is the path part of a URL: its segments that are not the project's.
    pub(super) url_prefix: Option<ForeignPrefix>,
}

impl PartialReading {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), cost: 0.0, notes: Vec::new(), url_prefix: None }
    }

    /// This text after one more treatment.
    fn with_text(&self, text: String, note: Note, cost: f32) -> Self {
        let mut next = Self { text, cost: self.cost + cost, notes: self.notes.clone(), url_prefix: self.url_prefix };
        if next.notes.last() != Some(&note) {
            next.notes.push(note);
        }
        next
    }

    /// A reading with these segments, and with the cost and notes of this text.
    pub(super) fn to_reading<S: AsRef<str>>(&self, segments: &[S]) -> Reading {
        let segments = segments.iter().map(|segment| segment.as_ref().to_owned()).collect();
        Reading { segments, cost: self.cost, notes: self.notes.clone(), ..Reading::default() }
    }
}

/// The texts that are followed, in no order of cost.
#[derive(Debug)]
pub(super) struct PartialReadings(pub(super) Vec<PartialReading>);

impl PartialReadings {
    /// Applies a treatment that is always right where it applies. Returns whether it changed any text.
    pub(super) fn replace(&mut self, note: Note, cost: f32, treat: impl Fn(&str) -> Option<String>) -> bool {
        let mut done = false;
        for partial in &mut self.0 {
            if let Some(text) = treat(&partial.text).filter(|text| !text.trim().is_empty()) {
                *partial = partial.with_text(text, note, cost);
                done = true;
            }
        }
        done
    }

    /// Applies an uncertain treatment: keeps the text without it too.
    pub(super) fn branch(&mut self, note: Note, cost: f32, treat: impl Fn(&str) -> Option<String>) {
        let room = MAX_PARTIAL_READINGS.saturating_sub(self.0.len());
        let more: Vec<PartialReading> = self
            .0
            .iter()
            .filter_map(|partial| {
                let text = treat(&partial.text).filter(|text| !text.trim().is_empty())?;
                Some(partial.with_text(text, note, cost))
            })
            .take(room)
            .collect();
        self.0.extend(more);
    }
}
