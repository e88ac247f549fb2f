//! What could this string mean? A failed path becomes costed [`Reading`]s; nothing is looked up here.

pub mod place;
pub mod reading;

pub use place::{Place, RootPlace};
pub use reading::{Note, Reading};

/// Temporary.
pub fn readings(request: &crate::Request, _place: &Place) -> Result<Vec<Reading>, crate::RequestError> {
    let text = &request.failed_path;
    let clean = text.split('#').next().unwrap_or("");
    let base = Reading { segments: clean.split('/').filter(|s| !s.is_empty()).map(str::to_owned).collect(), root: None, cost: 0.0,
        notes: vec![Note::AsWritten], directory: text.ends_with('/'), foreign: text.starts_with('/'), module: false, glob: false, outside: false };
    let mut list = vec![base.clone()];
    let first = base.segments[0].clone();
    for (at, s) in base.segments.iter().enumerate().skip(1) {
        if *s == first { let mut r = base.clone(); r.segments = base.segments[at..].to_vec(); r.cost = 0.1; list.push(r); }
    }
    Ok(list)
}
