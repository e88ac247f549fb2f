//! `Project`: what all files of one tree share: configuration that decides where literals lead, read once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::checked::Reason;
use crate::configured::Configured;
use crate::language::js::Modules;
use crate::language::rust::build_script::BuildScripts;
use crate::language::rust::packages::Packages;
use crate::language::site::Sites;
use crate::language::{bazel, c, cmake, dart, docker, go, haskell, jvm, make, proto, python, ruby};
use crate::places::Places;
use crate::producer;
use crate::spellings::Spellings;
use crate::tree::Tree;

/// One root, with what its configuration says. Cheap to make: everything is read when it is first asked for.
pub struct Project {
    tree: Arc<dyn Tree>,
    names: OnceLock<FxHashSet<String>>,
    places: OnceLock<Places>,
    make: OnceLock<make::made::Made>,
    cmake: OnceLock<cmake::made::Made>,
    bazel: OnceLock<bazel::made::Made>,
    packages: producer::Packages,
    c_build: OnceLock<c::Build>,
    c_headers: OnceLock<c::Headers>,
    rust: OnceLock<Packages>,
    build_scripts: OnceLock<BuildScripts>,
    python: OnceLock<python::roots::Roots>,
    cabal: OnceLock<haskell::cabal::Packages>,
    dart: OnceLock<dart::packages::Packages>,
    go: OnceLock<go::modules::Modules>,
    jvm: OnceLock<jvm::packages::Packages>,
    proto: OnceLock<proto::modules::Modules>,
    load_paths: Mutex<FxHashMap<String, bool>>,
    ruby: OnceLock<ruby::load_path::LoadPath>,
    submodules: OnceLock<Vec<String>>,
    spellings: Mutex<FxHashMap<String, Arc<Spellings>>>,
    sparse: OnceLock<bool>,
    sites: Sites,
    docker_contexts: OnceLock<docker::Contexts>,
    modules: Modules,
    configured: Configured,
}

impl Project {
    /// The project in this tree.
    pub fn new(tree: Arc<dyn Tree>) -> Self {
        Self {
            modules: Modules::new(Arc::clone(&tree)),
            tree,
            names: OnceLock::new(),
            c_build: OnceLock::new(),
            c_headers: OnceLock::new(),
            rust: OnceLock::new(),
            build_scripts: OnceLock::new(),
            submodules: OnceLock::new(),
            spellings: Mutex::default(),
            sparse: OnceLock::new(),
            sites: Sites::default(),
            docker_contexts: OnceLock::new(),
            places: OnceLock::new(),
            make: OnceLock::new(),
            cmake: OnceLock::new(),
            bazel: OnceLock::new(),
            packages: producer::Packages::default(),
            python: OnceLock::new(),
            cabal: OnceLock::new(),
            dart: OnceLock::new(),
            go: OnceLock::new(),
            jvm: OnceLock::new(),
            proto: OnceLock::new(),
            load_paths: Mutex::default(),
            ruby: OnceLock::new(),
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

    /// The document sites, as far as they are known.
    pub(crate) fn sites(&self) -> &Sites {
        &self.sites
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
        self.places.get_or_init(|| Places::new(files)).ending_in(files, suffix)
    }

    /// The first so many paths that end in these segments.
    pub(crate) fn all_ending_in(&self, suffix: &str, most: usize) -> Vec<&str> {
        let files = self.tree.files();
        self.places.get_or_init(|| Places::new(files)).all_ending_in(files, suffix).take(most).collect()
    }

    /// The makefile that has a rule for a path.
    pub(crate) fn made_by_make(&self, path: &str) -> Option<&str> {
        self.make.get_or_init(|| make::made::Made::new(self.tree())).by(path)
    }

    /// The value of a make variable that has the same plain one everywhere.
    pub(crate) fn make_value(&self, name: &str) -> Option<&str> {
        self.make.get_or_init(|| make::made::Made::new(self.tree())).value(name)
    }

    /// What the `CMake` files of the project say together.
    pub(crate) fn cmake(&self) -> &cmake::made::Made {
        self.cmake.get_or_init(|| cmake::made::Made::new(self.tree()))
    }

    /// Directories, and whether style sheets can be read from there; filled by who asks.
    pub(crate) fn load_paths(&self) -> &Mutex<FxHashMap<String, bool>> {
        &self.load_paths
    }

    /// The modules of protocol buffers that are declared.
    pub(crate) fn proto_modules(&self) -> &proto::modules::Modules {
        self.proto.get_or_init(|| proto::modules::Modules::new(self.tree()))
    }

    /// What the rules of Bazel make.
    pub(crate) fn made_by_bazel(&self) -> &bazel::made::Made {
        self.bazel.get_or_init(|| bazel::made::Made::new(self.tree()))
    }

    /// What build files say of headers.
    pub(crate) fn c_build(&self) -> &c::Build {
        self.c_build.get_or_init(|| c::Build::new(self.tree()))
    }

    /// Where the headers of C are.
    pub(crate) fn c_headers(&self) -> &c::Headers {
        self.c_headers.get_or_init(|| c::Headers::new(self.tree.files()))
    }

    /// The packages of Cargo.
    pub(crate) fn rust_packages(&self) -> &Packages {
        self.rust.get_or_init(|| Packages::new(self.tree()))
    }

    /// Where Python finds the project's packages.
    pub(crate) fn python(&self) -> &python::roots::Roots {
        self.python.get_or_init(|| python::roots::Roots::new(self.tree()))
    }

    /// The Go modules that the project holds.
    pub(crate) fn go_modules(&self) -> &go::modules::Modules {
        self.go.get_or_init(|| go::modules::Modules::new(self.tree()))
    }

    /// The packages that files of the JVM's languages declare.
    pub(crate) fn jvm_packages(&self) -> &jvm::packages::Packages {
        self.jvm.get_or_init(|| jvm::packages::Packages::new(self.tree()))
    }

    /// The Dart packages that the project holds.
    pub(crate) fn dart_packages(&self) -> &dart::packages::Packages {
        self.dart.get_or_init(|| dart::packages::Packages::new(self.tree()))
    }

    /// The Haskell packages that the project holds, by directory.
    pub(crate) fn cabal_packages(&self) -> &haskell::cabal::Packages {
        self.cabal.get_or_init(|| haskell::cabal::packages(self.tree()))
    }

    /// Where Ruby finds the project's libraries.
    pub(crate) fn ruby(&self) -> &ruby::load_path::LoadPath {
        self.ruby.get_or_init(|| ruby::load_path::LoadPath::new(self.tree()))
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

    /// What could make a path that is not there.
    pub(crate) fn made_by(&self, path: &str) -> Option<Reason> {
        if let Some(at) = self.submodules().iter().find(|at| within(path, at)) {
            return Some(Reason::Submodule(at.clone()));
        }
        if self.tree.is_ignored(path) {
            return Some(Reason::Ignored(path.to_owned()));
        }
        if let Some(by) = producer::by_convention(path) {
            return Some(Reason::Produced(by.to_owned()));
        }
        if let Some(by) = self.packages.by(self.tree(), path) {
            return Some(Reason::Produced(format!("the build of {by}")));
        }
        if let Some(package) = self.made_by_bazel().by(path) {
            return Some(Reason::Produced(format!("a rule of {package}")));
        }
        if let Some(by) = self.build_scripts.get_or_init(|| BuildScripts::new(self.tree())).by(path) {
            return Some(Reason::Produced(by.to_owned()));
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

    /// How images are built; read by who asks first.
    pub(crate) fn docker_contexts(&self) -> &OnceLock<docker::Contexts> {
        &self.docker_contexts
    }

    /// What scripts share.
    pub(crate) fn modules(&self) -> &Modules {
        &self.modules
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
