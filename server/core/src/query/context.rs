//! `QueryContext`: the directories of one request, split into segments once; `interpreter` resolves paths against them.

use super::absolute::{self, RootForm};
use super::environment::PathEnvironment;
use super::split::split_path;
use super::uri::{self, Uri};
use crate::request::Request;

/// A path under a root that relative paths are resolved against: a directory, or the file that names them.
#[derive(Debug)]
pub(super) struct BasePath {
    /// The root it is in; `None` if the caller did not name one.
    pub(super) root: Option<usize>,
    /// Its segments under the root.
    pub(super) segments: Vec<String>,
}

impl BasePath {
    /// The segments, to join others to.
    pub(super) fn parts(&self) -> Vec<&str> {
        self.segments.iter().map(String::as_str).collect()
    }
}

/// The environment and the paths of one request, as segments.
#[derive(Debug)]
pub(super) struct QueryContext<'a> {
    /// Every absolute form of every root.
    pub(super) forms: Vec<RootForm>,
    /// The current directory, unless it is a root itself.
    pub(super) cwd: Option<BasePath>,
    /// The file in which the path was written.
    pub(super) file: Option<BasePath>,
    /// The hinted directory.
    pub(super) hint: Option<BasePath>,
    /// The home directory.
    pub(super) home: Option<&'a str>,
}

impl<'a> QueryContext<'a> {
    pub(super) fn new(request: &Request, environment: &'a PathEnvironment) -> Self {
        let RootForms(forms) = RootForms::new(environment);
        let cwd =
            environment.cwd.as_ref().map(|(root, path)| BasePath { root: Some(*root), segments: to_segments(path) });
        let cwd = cwd.filter(|base| !base.segments.is_empty());
        let mut context = Self { forms, cwd, file: None, hint: None, home: environment.home.as_deref() };
        context.file = request.from_file.as_deref().and_then(|text| context.base(text));
        context.hint = request.root_hint.as_deref().and_then(|text| context.base(text));
        context.hint.take_if(|base| base.segments.is_empty());
        context
    }

    /// The directory of the file; `None` when no file is known.
    pub(super) fn file_directory(&self) -> Option<BasePath> {
        let file = self.file.as_ref()?;
        let above = file.segments.len().checked_sub(1)?;
        Some(BasePath { root: file.root, segments: file.segments[..above].to_vec() })
    }

    /// A path that the caller vouches for, relative to a root or absolute under one.
    fn base(&self, text: &str) -> Option<BasePath> {
        let text = match uri::parse(text) {
            Some(Uri::File(path)) => super::escape::decode_percent(&path).unwrap_or(path),
            _ => text.to_owned(),
        };
        let text = text.trim().replace('\\', "/");
        if text.contains('\0') {
            return None;
        }
        let Some((volume, rest)) = absolute::split_volume(&text) else {
            let parts = split_path(&text);
            return (parts.climbs == 0).then(|| BasePath { root: None, segments: to_segments(&text) });
        };
        let parts = split_path(rest);
        let (root, length, _) = absolute::find_root(&self.forms, volume, &parts.segments)?;
        Some(BasePath { root: Some(root), segments: parts.segments[length..].iter().map(|&s| s.to_owned()).collect() })
    }
}

/// Every absolute form of every root.
#[derive(Debug)]
pub(crate) struct RootForms(Vec<RootForm>);

impl RootForms {
    pub(crate) fn new(environment: &PathEnvironment) -> Self {
        let roots = environment.roots.iter().enumerate();
        Self(
            roots.flat_map(|(root, at)| at.absolute.iter().filter_map(move |text| RootForm::new(root, text))).collect(),
        )
    }

    /// The root that an absolute path lies under, if any, and the path's segments relative to it.
    pub(crate) fn localise(&self, path: &str) -> (Option<usize>, Vec<String>) {
        let path = path.replace('\\', "/");
        let segments_of = |path: &str| -> Vec<String> {
            path.split('/').filter(|segment| !segment.is_empty() && *segment != ".").map(str::to_owned).collect()
        };
        let under = absolute::split_volume(&path).and_then(|(volume, rest)| {
            let segments = segments_of(rest);
            let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
            let (root, length, _) = absolute::find_root(&self.0, volume, &parts)?;
            Some((Some(root), segments[length..].to_vec()))
        });
        under.unwrap_or_else(|| (None, segments_of(&path)))
    }
}

fn to_segments(path: &str) -> Vec<String> {
    split_path(path).segments.into_iter().map(str::to_owned).collect()
}
