//! `Project`: data that all files of one tree share, such as settings, names, submodules and build outputs.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use parking_lot::{Mutex, RwLock};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checked::{Checked, Reason};
use crate::generated;
use crate::interpreter;
use crate::language::Language;
use crate::literal_kind::LiteralKind;
use crate::lookup::MissingLookups;
use crate::path::{first_segments, is_within, parent};
use crate::project_index::{ProjectIndex, ProjectIndexes};
use crate::settings::ProjectSettings;
use crate::source::Source;
use crate::spellings::Spellings;
use crate::suffix_index::SuffixIndex;
use crate::tree::Tree;

/// One root with its configuration. Construction is cheap: everything is read at its first use.
pub struct Project {
    tree: Arc<dyn Tree>,
    languages: &'static [&'static dyn Language],
    indexes: ProjectIndexes,
    names: OnceLock<FxHashSet<String>>,
    submodules: OnceLock<Vec<String>>,
    spellings: Mutex<FxHashMap<String, Arc<Spellings>>>,
    sparse: OnceLock<bool>,
    /// Results of [`Project::generated_by`].
    generators: RwLock<FxHashMap<String, Option<Reason>>>,
    missing_lookups: MissingLookups,
    settings: ProjectSettings,
}

/// Maximum number of paths in the cache of [`Project::generated_by`]. With [`MAX_CACHED_PATH_BYTES`] they take at most 32 MiB.
const MAX_CACHED_PATHS: usize = 1 << 16;
/// Maximum length of a cached path. Longer paths do not occur in real trees.
const MAX_CACHED_PATH_BYTES: usize = 512;

impl Project {
    /// Creates the project of a tree whose files are checked by these languages, with default settings.
    pub fn new(tree: Arc<dyn Tree>, languages: &'static [&'static dyn Language]) -> Self {
        Self {
            tree,
            languages,
            indexes: ProjectIndexes::default(),
            names: OnceLock::new(),
            submodules: OnceLock::new(),
            spellings: Mutex::default(),
            sparse: OnceLock::new(),
            generators: RwLock::default(),
            missing_lookups: MissingLookups::default(),
            settings: ProjectSettings::default(),
        }
    }

    /// Replaces the settings.
    #[must_use]
    pub fn with_settings(self, settings: ProjectSettings) -> Self {
        Self { settings, ..self }
    }

    /// Returns the languages of the project.
    pub(crate) fn languages(&self) -> &'static [&'static dyn Language] {
        self.languages
    }

    /// Returns the languages that read a file: those that claim its path, and those of the interpreter of a script without an extension
    /// or of what is made of a template.
    pub(crate) fn languages_of<'s>(
        &self,
        source: &'s Source<'_>,
    ) -> impl Iterator<Item = &'static dyn Language> + use<'s> {
        let script = interpreter::path_as_source(source);
        let claims = move |language: &&dyn Language| {
            language.claims(source.path()) || script.as_deref().is_some_and(|path| language.claims(path))
        };
        self.languages.iter().copied().filter(claims)
    }

    /// Returns whether a file has a language other than those of these names.
    pub fn has_other_language(&self, source: &Source<'_>, names: &[&str]) -> bool {
        self.languages_of(source).any(|language| !names.contains(&language.name()))
    }

    /// Returns whether a language other than those of these names claims a path.
    pub fn is_claimed_besides(&self, path: &str, names: &[&str]) -> bool {
        self.languages.iter().any(|language| !names.contains(&language.name()) && language.claims(path))
    }

    /// Returns whether a build searches several directories for targets of this kind.
    pub(crate) fn has_search_directories(&self, kind: LiteralKind) -> bool {
        self.languages.iter().any(|language| language.has_search_directories(kind))
    }

    /// Returns whether literals of this kind are spelled after another literal of their file.
    pub(crate) fn follows_binding(&self, kind: LiteralKind) -> bool {
        self.languages.iter().any(|language| language.follows_binding(kind))
    }

    /// Returns whether a literal of this kind can have a text.
    pub(crate) fn can_have_text(&self, kind: LiteralKind, text: &str) -> bool {
        self.languages.iter().all(|language| language.can_have_text(kind, text))
    }

    /// Returns whether the text of a literal of this kind is the name of a module that does not come from the project.
    pub(crate) fn is_known_name(&self, kind: LiteralKind, text: &str) -> bool {
        self.languages.iter().any(|language| language.is_known_name(kind, text))
    }

    /// Returns whether a language of imports reads a file.
    pub(crate) fn has_imports(&self, path: &str) -> bool {
        let is_import = |kind: &LiteralKind| matches!(kind.construct(), "import" | "include" | "require" | "use");
        let reads = |language: &&dyn Language| language.claims(path) && language.kinds().iter().any(is_import);
        self.languages.iter().any(|language| reads(&&**language))
    }

    /// Returns whether literals of this kind can bind a name that the file uses.
    pub(crate) fn has_uses(&self, kind: LiteralKind) -> bool {
        self.languages.iter().any(|language| language.has_uses(kind))
    }

    /// Returns the edits of the uses of a name that a literal binds, if its text becomes `new`; `None` if they are not known.
    pub(crate) fn edit_uses(
        &self,
        source: &Source<'_>,
        literal: &Checked,
        new: &str,
    ) -> Option<Vec<(Range<usize>, String)>> {
        let reads = |language: &&&dyn Language| language.has_uses(literal.kind);
        let Some(language) = self.languages.iter().find(reads) else { return Some(Vec::new()) };
        language.edit_uses(source, literal, new)
    }

    /// Returns the range in the text of the literal that a literal at `range` continues.
    pub(crate) fn continued_literal(
        &self,
        source: &Source<'_>,
        literal: &Checked,
        range: &Range<usize>,
    ) -> Option<Range<usize>> {
        self.languages.iter().find_map(|language| language.continued_literal(source, literal.kind, range))
    }

    /// The project's settings for literals.
    pub fn settings(&self) -> &ProjectSettings {
        &self.settings
    }

    /// Returns the first file whose path is `path` plus one extension.
    pub fn find_with_extension(&self, path: &str) -> Option<String> {
        let files = self.tree.files();
        let from = files.partition_point(|file| file.as_str() < path);
        let mut fits = files[from..].iter().take_while(|file| file.starts_with(path));
        let plain = |rest: &str| rest.strip_prefix('.').is_some_and(|extension| !extension.contains(['.', '/']));
        fits.find(|file| plain(&file[path.len()..])).cloned()
    }

    /// The tree of the project.
    pub fn tree(&self) -> &dyn Tree {
        &*self.tree
    }

    /// The tree of the project, for callers that store it.
    pub fn shared_tree(&self) -> Arc<dyn Tree> {
        Arc::clone(&self.tree)
    }

    /// Returns an index of the whole tree. It is built at the first call.
    pub fn index<F: ProjectIndex>(&self) -> &F {
        self.indexes.get(self)
    }

    /// Returns whether a verdict used the headings of a document. The headings are cached as they were then.
    pub fn knows_headings_of(&self, path: &str) -> bool {
        self.languages.iter().any(|language| language.has_cached_headings(path, self))
    }

    /// Returns whether any directory or file stem of the tree has this name. Paths that begin with such a name are first-party.
    pub fn has_name(&self, name: &str) -> bool {
        let names = self.names.get_or_init(|| {
            let mut names = FxHashSet::default();
            for path in self.tree.files() {
                let mut segments = path.split('/').rev();
                if let Some(last) = segments.next() {
                    names.insert(last.split('.').next().unwrap_or(last).to_owned());
                }
                names.extend(segments.map(str::to_owned));
            }
            names
        });
        names.contains(name)
    }

    /// Returns the first path of the tree that ends in the segments of `suffix`.
    pub fn find_by_suffix(&self, suffix: &str) -> Option<&str> {
        let files = self.tree.files();
        self.index::<SuffixIndex>().find(files, suffix)
    }

    /// Returns up to `limit` paths of the tree that end in the segments of `suffix`, in order.
    pub fn find_all_by_suffix(&self, suffix: &str, limit: usize) -> Vec<&str> {
        let files = self.tree.files();
        self.index::<SuffixIndex>().find_all(files, suffix).take(limit).collect()
    }

    /// Returns the names in a directory that begin with a text. One question spares many about names that mostly are not there.
    pub fn names_with_prefix(&self, directory: &str, prefix: &str) -> Vec<String> {
        self.spellings(directory).with_prefix(prefix).cloned().collect()
    }

    /// Returns the names of a directory by their case and Unicode variants. They are read once per directory, because
    /// thousands of literals of one file can be missing in the same directory.
    pub(crate) fn spellings(&self, directory: &str) -> Arc<Spellings> {
        let lock = || self.spellings.lock();
        if let Some(known) = lock().get(directory) {
            return Arc::clone(known);
        }
        let read = Arc::new(Spellings::new(self.tree.names(directory)));
        Arc::clone(lock().entry(directory.to_owned()).or_insert(read))
    }

    /// The verdicts on lookups of many paths so far.
    pub(crate) fn missing_lookups(&self) -> &MissingLookups {
        &self.missing_lookups
    }

    /// Returns the reason why a path may exist without being in the tree: an ignore rule, a tool, a build, a submodule or a
    /// sparse checkout. Results are cached, because each spelling that a rewrite verifies asks again.
    pub fn generated_by(&self, path: &str) -> Option<Reason> {
        let path = first_segments(path);
        if let Some(known) = self.generators.read().get(path) {
            return known.clone();
        }
        let by = self.find_generator(path);
        if path.len() <= MAX_CACHED_PATH_BYTES {
            let mut generators = self.generators.write();
            if generators.len() < MAX_CACHED_PATHS {
                generators.insert(path.to_owned(), by.clone());
            }
        }
        by
    }

    /// Returns what [`Self::generated_by`] does, without the cache: for paths that are asked for once.
    pub fn generated_by_once(&self, path: &str) -> Option<Reason> {
        self.find_generator(first_segments(path))
    }

    fn find_generator(&self, path: &str) -> Option<Reason> {
        // A site puts the files of several directories into one: `theme/assets/brand` is `assets/brand` of its pages.
        let is_of = |at: &&String| is_within(path, at) || last_two(at).is_some_and(|end| has_directories(path, end));
        if let Some(at) = self.submodules().iter().find(is_of) {
            return Some(Reason::Submodule(at.clone()));
        }
        if self.tree.is_ignored(path) {
            return Some(Reason::Ignored(path.to_owned()));
        }
        if let Some(by) = generated::tool_by_convention(path) {
            return Some(Reason::Produced(by.to_owned()));
        }
        if let Some(by) = self.find_template(path) {
            return Some(Reason::Produced(by));
        }
        if let Some(by) = self.languages.iter().find_map(|language| language.published_by(path, self)) {
            return Some(Reason::Produced(format!("the build of {by}")));
        }
        if let Some(by) = self.languages.iter().find_map(|language| language.generated_by(path, self)) {
            return Some(Reason::Produced(by));
        }
        self.is_sparse().then_some(Reason::Sparse)
    }

    /// Returns the template or source beside a missing path. Most missing paths are below directories that do not exist.
    pub(crate) fn find_template(&self, path: &str) -> Option<String> {
        let directory = parent(path);
        let can_have = self.tree.can_have_entries(directory);
        can_have.then(|| generated::find_template(&self.spellings(directory), path)).flatten()
    }

    /// Submodules that are not checked out: their directories are empty.
    fn submodules(&self) -> &[String] {
        self.submodules.get_or_init(|| {
            let text = self.tree.read(".gitmodules").unwrap_or_default();
            let paths = text.lines().filter_map(|line| line.trim().strip_prefix("path")?.trim().strip_prefix('='));
            let paths = paths.map(|path| path.trim().trim_matches('"').trim_end_matches('/').to_owned());
            paths.filter(|path| !path.is_empty() && self.tree.names(path).is_empty()).collect()
        })
    }

    /// Returns whether the repository is a sparse checkout.
    fn is_sparse(&self) -> bool {
        *self.sparse.get_or_init(|| self.tree.read(".git/info/sparse-checkout").is_some())
    }
}

/// The last two names of a path of three or more.
fn last_two(path: &str) -> Option<&str> {
    let (above, _) = path.rsplit_once('/')?;
    above.rfind('/').map(|at| &path[at + 1..])
}

/// Returns whether a path has these names in a row as directories.
fn has_directories(path: &str, names: &str) -> bool {
    path.match_indices(names).any(|(at, _)| {
        let (before, after) = (&path[..at], &path[at + names.len()..]);
        (before.is_empty() || before.ends_with('/')) && after.starts_with('/')
    })
}

#[cfg(test)]
mod tests {
    use super::{has_directories, last_two};

    #[test]
    fn finds_the_names_of_a_submodule() {
        assert_eq!(last_two("theme/assets/brand"), Some("assets/brand"));
        assert_eq!(last_two("vendor/zlib"), None);
        let check = |path, expect| assert_eq!(has_directories(path, "assets/brand"), expect, "{path}");
        check("blog/assets/brand/a.png", true);
        check("assets/brand/a.png", true);
        check("blog/my-assets/brand/assets/brand/a.png", true);
        check("blog/assets/branding/a.png", false);
        check("blog/my-assets/brand/a.png", false);
    }
}
