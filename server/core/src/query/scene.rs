//! What relative and absolute paths of one request are measured against, taken apart once.

use super::place::Place;
use super::prefix::{self, RootForm};
use super::segments::split;
use super::uri::{self, Uri};
use crate::request::Request;

/// A directory that a relative path can start from.
#[derive(Debug)]
pub(super) struct Base {
    /// The root it is in; `None` where the caller did not say.
    pub(super) root: Option<usize>,
    /// Its segments under the root.
    pub(super) segments: Vec<String>,
}

impl Base {
    /// The segments, to join others to.
    pub(super) fn parts(&self) -> Vec<&str> {
        self.segments.iter().map(String::as_str).collect()
    }
}

/// Place and request, ready to be compared with.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    /// Every absolute form of every root.
    pub(super) forms: Vec<RootForm>,
    /// The current directory, where it is not a root itself.
    pub(super) cwd: Option<Base>,
    /// The file in which the path was written.
    pub(super) file: Option<Base>,
    /// The hinted directory.
    pub(super) hint: Option<Base>,
    /// The home directory.
    pub(super) home: Option<&'a str>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(request: &Request, place: &'a Place) -> Self {
        let Forms(forms) = Forms::new(place);
        let cwd = place.cwd.as_ref().map(|(root, path)| Base { root: Some(*root), segments: owned(path) });
        let cwd = cwd.filter(|base| !base.segments.is_empty());
        let mut scene = Self { forms, cwd, file: None, hint: None, home: place.home.as_deref() };
        scene.file = request.from_file.as_deref().and_then(|text| scene.base(text));
        scene.hint = request.root_hint.as_deref().and_then(|text| scene.base(text));
        scene.hint.take_if(|base| base.segments.is_empty());
        scene
    }

    /// The directory of the file; `None` when no file is known.
    pub(super) fn file_directory(&self) -> Option<Base> {
        let file = self.file.as_ref()?;
        let above = file.segments.len().checked_sub(1)?;
        Some(Base { root: file.root, segments: file.segments[..above].to_vec() })
    }

    /// A path that the caller vouches for, relative to a root or absolute under one.
    fn base(&self, text: &str) -> Option<Base> {
        let text = match uri::read(text) {
            Some(Uri::File(path)) => super::escape::percent_decoded(&path).unwrap_or(path),
            _ => text.to_owned(),
        };
        let text = text.trim().replace('\\', "/");
        if text.contains('\0') {
            return None;
        }
        let Some((volume, rest)) = prefix::volume(&text) else {
            let parts = split(&text);
            return (parts.climbs == 0).then(|| Base { root: None, segments: owned(&text) });
        };
        let parts = split(rest);
        let (root, length, _) = prefix::root_of(&self.forms, volume, &parts.segments)?;
        Some(Base { root: Some(root), segments: parts.segments[length..].iter().map(|&s| s.to_owned()).collect() })
    }
}

/// Every absolute form of every root.
#[derive(Debug)]
pub(crate) struct Forms(Vec<RootForm>);

impl Forms {
    pub(crate) fn new(place: &Place) -> Self {
        let roots = place.roots.iter().enumerate();
        Self(
            roots.flat_map(|(root, at)| at.absolute.iter().filter_map(move |text| RootForm::new(root, text))).collect(),
        )
    }

    /// The root that an absolute path lies under, if any, and the path's segments relative to it.
    pub(crate) fn localise(&self, path: &str) -> (Option<usize>, Vec<String>) {
        let path = path.replace('\\', "/");
        let named = |path: &str| -> Vec<String> {
            path.split('/').filter(|segment| !segment.is_empty() && *segment != ".").map(str::to_owned).collect()
        };
        let under = prefix::volume(&path).and_then(|(volume, rest)| {
            let segments = named(rest);
            let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
            let (root, length, _) = prefix::root_of(&self.0, volume, &parts)?;
            Some((Some(root), segments[length..].to_vec()))
        });
        under.unwrap_or_else(|| (None, named(&path)))
    }
}

fn owned(path: &str) -> Vec<String> {
    split(path).segments.into_iter().map(str::to_owned).collect()
}
