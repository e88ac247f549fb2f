//! `SearchPath`: the directories in which a compiler looks for the includes of one file. `resolve` tries them in order.

use pathfinder_literals::path::{ancestors, join};
use pathfinder_literals::{Project, Source};

use super::build_files::BuildFiles;
use super::scan::IncludeForm;

/// Directories that are searched below each directory above the file.
const USUAL_DIRECTORIES: [&str; 5] = ["", "include", "src", "inc", "lib"];

/// The include directories of one file, in the order of a compiler. They are found once per file, and joined with an
/// include one by one: most includes are found in one of the first.
pub(super) struct SearchPath<'a> {
    own: &'a str,
    /// The directories of the file's compile command.
    listed: &'a [String],
    usual: Vec<String>,
    /// The directories of all build files, those nearest to the file first.
    searched: Vec<&'a str>,
}

impl<'a> SearchPath<'a> {
    pub(super) fn new(source: &'a Source<'_>, project: &'a Project) -> Self {
        let own = source.directory();
        let build = project.index::<BuildFiles>();
        let command = build.compile_command(source.path());
        let listed = command.map_or(&[][..], |command| &command.directories);
        if command.is_some_and(|command| command.is_complete) {
            return Self { own, listed, usual: Vec::new(), searched: Vec::new() };
        }
        let usual = ancestors(own).flat_map(|above| USUAL_DIRECTORIES.map(|below| join(above, below)));
        Self { own, listed, usual: usual.flatten().collect(), searched: build.directories_near(source.path()) }
    }

    /// The paths that an include can lead to, in order. `None` is a path that leads out of the root.
    pub(super) fn candidates(&self, path: &str, form: IncludeForm) -> impl Iterator<Item = Option<String>> {
        // `<x.h>` belongs to the system unless an include directory has it.
        let is_plain = form == IncludeForm::Angle && !path.contains('/') || is_explicitly_relative(path);
        let own = (form == IncludeForm::Quoted).then_some(self.own);
        let usual = if is_plain { &[][..] } else { &self.usual };
        let listed = self.listed.iter().chain(usual).map(String::as_str);
        own.into_iter().chain(listed).chain(self.searched.iter().copied()).map(move |directory| join(directory, path))
    }
}

/// Returns whether a path begins with a step relative to the file.
pub(super) fn is_explicitly_relative(path: &str) -> bool {
    path.starts_with("./") || path.starts_with("../")
}
