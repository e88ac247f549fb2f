//! The stage itself: from a request to its readings.

use super::collect::Collector;
use super::draft::Draft;
use super::place::Place;
use super::reading::Reading;
use super::scene::Scene;
use super::stand::Stand;
use super::{accept, glob, text, uri};
use crate::error::RequestError;
use crate::request::Request;

/// Every way to read the failed path, cheapest first: each meaning once, at most sixteen.
///
/// The text exactly as sent, relative to a root or absolute under one, is always among them (`[AsWritten]`). It is the
/// first one unless the text carries marks that names of files do not carry, such as quotes or `:12`.
///
/// # Errors
/// When the request itself is unusable: no path, a NUL in it, a field too long, a limit out of range.
pub fn readings(request: &Request, place: &Place) -> Result<Vec<Reading>, RequestError> {
    accept::accept(request)?;
    let raw = request.failed_path.as_str();
    let scene = Scene::new(request, place);
    let mut stand = Stand { scene: &scene, out: Collector::default() };
    if uri::is_opaque(raw) {
        stand.as_sent(raw, false, false);
        return Ok(stand.out.finish(place.roots.len()));
    }
    let mut texts = text::texts(raw);
    if !texts.untouched {
        stand.as_sent(raw, texts.doubtful, texts.backslashed);
    }
    // The likelier ones first: there is room for only so many readings.
    texts.drafts.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    for draft in &texts.drafts {
        stand.read(draft, texts.doubtful && draft.notes.is_empty());
        for (text, note, cost) in glob::literal_parts(&draft.text) {
            let mut literal = Draft { text, ..draft.clone() };
            literal.notes.push(note);
            literal.cost += cost;
            stand.read(&literal, false);
        }
    }
    Ok(stand.out.finish(place.roots.len()))
}
