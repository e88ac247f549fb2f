//! `Project`: what all files of one tree share: configuration that decides where literals lead, read once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::checked::Reason;
use crate::configured::Configured;
use crate::facts::{Fact, Facts};
use crate::language;
use crate::language::site::Sites;
use crate::path::head_of;
use crate::places::Places;
use crate::producer;
use crate::spellings::Spellings;
use crate::tree::Tree;

/// One root, with what its configuration says. Cheap to make: everything is read when it is first asked for.
pub struct Project {
    tree: Arc<dyn Tree>,
    facts: Facts,
    names: OnceLock<FxHashSet<String>>,
    submodules: OnceLock<Vec<String>>,
    spellings: Mutex<FxHashMap<String, Arc<Spellings>>>,
    sparse: OnceLock<bool>,
    /// What makes paths that are not there, for those that were asked for.
    makers: RwLock<FxHashMap<String, Option<Reason>>>,
    configured: Configured,
}

/// Paths of which it is kept what makes them, at most. With [`MAX_KEPT_BYTES`] they cannot take more than 32 MiB.
const MAX_KEPT: usize = 1 << 16;
/// Longer paths are made up.
const MAX_KEPT_BYTES: usize = 512;

impl Project {
    /// The project in this tree.
    pub fn new(tree: Arc<dyn Tree>) -> Self {
        Self {
            tree,
            facts: Facts::default(),
            names: OnceLock::new(),
            submodules: OnceLock::new(),
            spellings: Mutex::default(),
            sparse: OnceLock::new(),
            makers: RwLock::default(),
            configured: Configured::default(),
        }
    }

    /// The same project with what it says itself.
    #[must_use]
    pub fn configured(self, configured: Configured) -> Self {
        Self { configured, ..self }
    }

    /// What the project says itself.
    pub(crate) fn says(&self) -> &Configured {
        &self.configured
    }

    /// The first file that is called like this path, with an extension behind it.
    pub(crate) fn ending(&self, path: &str) -> Option<String> {
        let files = self.tree.files();
        let from = files.partition_point(|file| file.as_str() < path);
        let mut fits = files[from..].iter().take_while(|file| file.starts_with(path));
        let plain = |rest: &str| rest.strip_prefix('.').is_some_and(|extension| !extension.contains(['.', '/']));
        fits.find(|file| plain(&file[path.len()..])).cloned()
    }

    /// What is there.
    pub(crate) fn tree(&self) -> &dyn Tree {
        &*self.tree
    }

    /// The same, for who keeps it.
    pub(crate) fn shared_tree(&self) -> Arc<dyn Tree> {
        Arc::clone(&self.tree)
    }

    /// What some language reads once of the whole tree; read now if nobody has asked for it before.
    pub(crate) fn fact<F: Fact>(&self) -> &F {
        self.facts.get(self)
    }

    /// Whether a literal was judged by the headings of a document, as they were then.
    pub fn knows_headings_of(&self, path: &str) -> bool {
        self.fact::<Sites>().knows_anchors(path)
    }

    /// Whether a directory or a file's stem anywhere in the project has this name: what begins with it is first-party.
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

    /// A path anywhere in the project that ends in these segments: some directory makes them resolve.
    pub(crate) fn ending_in(&self, suffix: &str) -> Option<&str> {
        let files = self.tree.files();
        self.fact::<Places>().ending_in(files, suffix)
    }

    /// The first so many paths that end in these segments.
    pub fn all_ending_in(&self, suffix: &str, most: usize) -> Vec<&str> {
        let files = self.tree.files();
        self.fact::<Places>().all_ending_in(files, suffix).take(most).collect()
    }

    /// The names in a directory by how they can be misspelt. It is read once: thousands of literals of one file can be
    /// missing in the same directory.
    pub(crate) fn spellings(&self, directory: &str) -> Arc<Spellings> {
        let lock = || self.spellings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(directory) {
            return Arc::clone(known);
        }
        let read = Arc::new(Spellings::new(&self.tree.names(directory)));
        Arc::clone(lock().entry(directory.to_owned()).or_insert(read))
    }

    /// What could make a path that is not there. It is asked again with each fix that is put to the proof.
    pub(crate) fn made_by(&self, path: &str) -> Option<Reason> {
        let path = head_of(path);
        if let Some(known) = self.makers.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return known.clone();
        }
        let by = self.find_maker(path);
        if path.len() <= MAX_KEPT_BYTES {
            let mut makers = self.makers.write().unwrap_or_else(PoisonError::into_inner);
            if makers.len() < MAX_KEPT {
                makers.insert(path.to_owned(), by.clone());
            }
        }
        by
    }

    fn find_maker(&self, path: &str) -> Option<Reason> {
        if let Some(at) = self.submodules().iter().find(|at| within(path, at)) {
            return Some(Reason::Submodule(at.clone()));
        }
        if self.tree.is_ignored(path) {
            return Some(Reason::Ignored(path.to_owned()));
        }
        if let Some(by) = producer::by_convention(path) {
            return Some(Reason::Produced(by.to_owned()));
        }
        if let Some(by) = producer::template(self.tree(), path) {
            return Some(Reason::Produced(by));
        }
        if let Some(by) = self.fact::<producer::Packages>().by(self.tree(), path) {
            return Some(Reason::Produced(format!("the build of {by}")));
        }
        if let Some(by) = language::ALL.iter().find_map(|language| language.made_by(path, self)) {
            return Some(Reason::Produced(by));
        }
        self.is_sparse().then_some(Reason::Sparse)
    }

    /// Submodules that are not checked out: directories without anything in them.
    fn submodules(&self) -> &[String] {
        self.submodules.get_or_init(|| {
            let text = self.tree.read(".gitmodules").unwrap_or_default();
            let paths = text.lines().filter_map(|line| line.trim().strip_prefix("path")?.trim().strip_prefix('='));
            let paths = paths.map(|path| path.trim().trim_matches('"').trim_end_matches('/').to_owned());
            paths.filter(|path| !path.is_empty() && self.tree.names(path).is_empty()).collect()
        })
    }

    /// Whether only a part of the repository is checked out.
    fn is_sparse(&self) -> bool {
        *self.sparse.get_or_init(|| self.tree.read(".git/info/sparse-checkout").is_some())
    }
}

/// Whether a path is a directory or lies below it.
pub(crate) fn within(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
