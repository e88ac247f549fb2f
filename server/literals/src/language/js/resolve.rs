//! From a specifier to a verdict.

use super::endings::{file_at, index_of, named};
use super::modules::Modules;
use super::packages::{Entry, Packages};
use super::produced;
use super::sample;
use super::scan::Construct;
use super::virtual_mocks::{VirtualMocks, virtual_mocks};
use crate::checked::{Code, Missing, Reason, Severity, Target, Verdict};
use crate::language::html::site::ancestors;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, has_scheme, is_dynamic, join, name, parent};
use crate::project::Project;
use crate::report::{Resolution, unknown};
use crate::source::Source;
use crate::tree::Kind;

/// Directories below which a server has what is named with a `/` before it.
const PUBLIC: [&str; 5] = ["public", "static", "src", "app", ""];

/// Who asks: a file, its language, what the literal is part of.
pub(super) struct Asking<'a> {
    pub(super) project: &'a Project,
    pub(super) source: &'a Source<'a>,
    pub(super) is_typed: bool,
    pub(super) construct: Construct,
    pub(super) is_optional: bool,
}

impl Asking<'_> {
    /// The verdict on a specifier as it is written.
    pub(super) fn verdict(&self, written: &str) -> Resolution {
        let specifier = without_suffix(written);
        if is_dynamic(written)
            || written.contains(['{', '}', '<', '>', '*', '$', '|', '\n']) && !has_known_mark(written)
        {
            return unknown(Reason::Dynamic);
        }
        if has_scheme(written) || written.contains(['!', ':', '\u{0}']) || specifier.is_empty() {
            return unknown(Reason::Elsewhere);
        }
        let outcome = if is_relative(specifier) {
            self.relative(written, specifier)
        } else if self.construct == Construct::Reference {
            self.relative(written, &format!("./{specifier}"))
        } else if self.construct == Construct::Url {
            unknown(Reason::Undecided("what the page is relative to".to_owned()))
        } else if let Some(rest) = specifier.strip_prefix('/') {
            self.served(rest)
        } else {
            self.bare(written, specifier)
        };
        match outcome {
            (Verdict::Missing(_), tried)
                if self.is_optional || is_said_to_be_gone(specifier) || self.is_virtual(specifier) =>
            {
                (Verdict::Unknown(Reason::Optional), tried)
            }
            outcome => outcome,
        }
    }

    /// Whether a test makes the module up: `jest.mock('./x', () => …, {virtual: true})`, here or in a file beside this one.
    fn is_virtual(&self, specifier: &str) -> bool {
        let Some(path) = is_relative(specifier).then(|| join(self.source.directory(), specifier)).flatten() else {
            return false;
        };
        let own = virtual_mocks(self.source.text());
        own.iter().filter_map(|other| join(self.source.directory(), other)).any(|other| other == path)
            || self.project.index::<VirtualMocks>().0.contains(&path)
    }

    /// Of a specifier with a dot before it.
    fn relative(&self, written: &str, specifier: &str) -> Resolution {
        let project = self.project;
        let Some(path) = join(self.source.directory(), specifier) else { return self.too_far(specifier) };
        let fragment = join(self.source.directory(), written.split('?').next().unwrap_or(written));
        for path in [Some(&path), fragment.as_ref()].into_iter().flatten() {
            let is_directory = specifier.ends_with('/') || matches!(name(specifier), "." | "..");
            let found = if is_directory { index_of(project.tree(), path) } else { file_at(project, path) };
            if let Some(path) = found {
                return (Verdict::Found(Target { path }), Vec::new());
            }
        }
        if self.construct == Construct::Url {
            return self.url(path);
        }
        if let Some(path) = self.modules_resolve(written) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        let tree = project.tree();
        let is_package = join(&path, "package.json").is_some_and(|path| tree.kind(&path).is_some());
        if tree.kind(&path) == Some(Kind::Directory) && is_package {
            return unknown(Reason::Produced("the package's build".to_owned()));
        }
        if self.is_for_output(specifier) {
            return unknown(Reason::Undecided("where it is compiled to".to_owned()));
        }
        self.missing(&[path])
    }

    /// Whether a call would find its file from where the script is compiled to: compilers leave calls as they are.
    fn is_for_output(&self, specifier: &str) -> bool {
        // An import of a script is looked for among the sources; a style sheet beside what is compiled.
        let is_left = match self.construct {
            Construct::Require | Construct::Url => true,
            Construct::Import | Construct::Dynamic => extension(specifier) == "css",
            _ => false,
        };
        if !self.is_typed || !is_left {
            return false;
        }
        let project = self.project;
        let directory = self.source.directory();
        let is_package = |at: &&str| join(at, "package.json").is_some_and(|path| project.tree().kind(&path).is_some());
        let Some(package) = ancestors(directory).find(is_package) else { return false };
        let below = directory.strip_prefix(package).unwrap_or_default().trim_start_matches('/');
        let stripped = below.strip_prefix("src").unwrap_or(below);
        [("dist", below), ("dist", stripped), ("", stripped)].iter().any(|(output, below)| {
            let path = join(package, output).and_then(|at| join(&at, below)).and_then(|at| join(&at, specifier));
            path.is_some_and(|path| file_at(project, &path).is_some())
        })
    }

    /// Of what leads out of the root. A repository needs nothing from there: where it has the rest of the path itself,
    /// the literal has too many steps up.
    fn too_far(&self, specifier: &str) -> Resolution {
        let project = self.project;
        let is_whole = project.tree().kind(".git").is_some();
        let rest = specifier.trim_start_matches("./").trim_start_matches("../");
        match join("", rest).filter(|rest| is_whole && !rest.is_empty()).and_then(|path| file_at(project, &path)) {
            Some(path) => {
                let reason = format!("{specifier} leads out of the repository");
                let (code, severity) = (Code::MissingPath, self.severity(&path));
                let missing = Missing { code, severity, reason, wanted: path, want: Want::File, instead: None };
                (Verdict::Missing(missing), Vec::new())
            }
            None => unknown(Reason::Outside),
        }
    }

    /// Of the first argument of `URL`: a file or a directory, and often one that is about to be written.
    fn url(&self, path: String) -> Resolution {
        const WRITES: [&str; 6] = ["writeFile", "createWriteStream", "outputFile", "mkdir", "cpSync", "copyFile"];
        let project = self.project;
        if project.tree().kind(&path).is_some() {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        // Where there is no such directory, it is a name for something that a test or a tool thinks of.
        if extension(&path).is_empty()
            || project.tree().kind(parent(&path)).is_none()
            || WRITES.iter().any(|word| self.source.text().contains(word))
        {
            return unknown(Reason::Undecided("a place, or a file".to_owned()));
        }
        self.missing(&[path])
    }

    /// Of a specifier with a slash before it: what a server has at its root, if anybody can say.
    fn served(&self, rest: &str) -> Resolution {
        let roots = ancestors(self.source.directory()).flat_map(|at| PUBLIC.map(|below| join(at, below)));
        let mut paths = roots.flatten().filter_map(|root| join(&root, rest));
        match paths.find_map(|path| file_at(self.project, &path)) {
            Some(path) => (Verdict::Found(Target { path }), Vec::new()),
            None => unknown(Reason::Undecided("the server's root".to_owned())),
        }
    }

    /// Of a specifier without a dot: a package, an alias, or what only tools know.
    fn bare(&self, written: &str, specifier: &str) -> Resolution {
        let project = self.project;
        if let Some(path) = self.modules_resolve(written) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        let modules = project.index::<Modules>();
        let said = modules.aliases().of(self.source.path(), specifier);
        if let Some(path) = said.paths.iter().find_map(|path| file_at(project, path)) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        let entry = if specifier.starts_with('#') {
            Packages::import(project, self.source.directory(), specifier)
        } else {
            modules.packages().entry(project, specifier)
        };
        let paths = match entry {
            Some(Entry::Found(path)) => return (Verdict::Found(Target { path }), Vec::new()),
            Some(Entry::Missing(paths)) => paths,
            Some(Entry::Unknown) => return unknown(Reason::Produced("the package's build".to_owned())),
            None if said.is_sole && !said.paths.is_empty() => said.paths,
            None => return unknown(Reason::NotInstalled),
        };
        if modules.packages().is_asked_for(specifier) && !specifier.starts_with('#') {
            return unknown(Reason::NotInstalled);
        }
        if modules.is_declared(specifier) {
            return unknown(Reason::Elsewhere);
        }
        self.missing(&paths)
    }

    fn modules_resolve(&self, written: &str) -> Option<String> {
        let is_require = matches!(self.construct, Construct::Require | Construct::Mock);
        self.project.index::<Modules>().resolve(self.source.path(), written, is_require)
    }

    /// Of what is not there as any of these paths: missing, unless somebody makes it.
    fn missing(&self, paths: &[String]) -> Resolution {
        let tree = self.project.tree();
        if let Some(by) = paths.iter().find_map(|path| produced::by(self.project, path)) {
            return (Verdict::Unknown(Reason::Produced(by.to_owned())), paths.to_vec());
        }
        if paths.iter().any(|path| ancestors(path).any(|at| tree.kind(at) == Some(Kind::Elsewhere))) {
            return unknown(Reason::Outside);
        }
        if self.construct == Construct::Url {
            return Lookup::new(self.project, Want::Any)
                .verdict(self.severity(&paths[0]), paths.iter().cloned().map(Some));
        }
        let all = paths.iter().flat_map(|path| {
            // An index file below `a.js` says nothing where all that is called `*.js` is ignored.
            let is_hidden = self.is_ignored_by_extension(path);
            let named = named(path, self.is_typed).into_iter();
            named.filter(move |other| {
                !is_hidden || !other.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/'))
            })
        });
        let all = all.enumerate().filter(|(index, path)| *index == 0 || !self.is_ignored_by_extension(path));
        let mut lookup = Lookup::new(self.project, Want::File);
        for (_, path) in all {
            lookup.try_path(Some(path));
        }
        lookup.missing(self.severity(paths.first().map_or("", String::as_str)))
    }

    /// Whether the project ignores all files with this extension, wherever they are: then that says nothing of this one.
    fn is_ignored_by_extension(&self, path: &str) -> bool {
        let tree = self.project.tree();
        let Some((_, end)) = name(path).split_once('.') else { return false };
        let other = |name: &str| join(parent(path), name).is_some_and(|path| tree.is_ignored(&path));
        tree.is_ignored(path) && other(&format!("zzpathfinder.{end}")) && !other("zzpathfinder.zz")
    }

    /// How bad it is that this path is not there.
    fn severity(&self, path: &str) -> Severity {
        let severity = match self.construct {
            Construct::Mock | Construct::Url | Construct::Module => Severity::Warning,
            // Only a checker of types reads it in JavaScript.
            Construct::Reference if !self.is_typed => Severity::Warning,
            Construct::Import | Construct::Dynamic | Construct::Require | Construct::Reference => Severity::Error,
        };
        let file = self.source.path();
        let is_thought_of = self.construct == Construct::Url && sample::is_test(file);
        if is_thought_of || sample::is_sample(self.project.tree(), file, path) { Severity::Hint } else { severity }
    }
}

/// Whether a name says itself that nothing is there.
fn is_said_to_be_gone(specifier: &str) -> bool {
    const WORDS: [&str; 9] =
        ["non-exist", "nonexist", "non_exist", "not-exist", "notexist", "not_exist", "no-such", "no_such", "i-do-not"];
    let specifier = specifier.to_ascii_lowercase();
    WORDS.iter().any(|word| specifier.contains(word))
}

/// Whether a specifier is relative to the file that it stands in.
fn is_relative(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../")
}

/// The specifier without what tells a bundler how to load it.
fn without_suffix(written: &str) -> &str {
    let end = written.find('?').unwrap_or(written.len());
    // At its beginning it is a part of the name.
    let end = written[..end].get(1..).and_then(|rest| rest.find('#')).map_or(end, |at| at + 1);
    &written[..end]
}

/// Whether what looks computed is a name that frameworks give: `$lib`, `[...slug]`.
fn has_known_mark(written: &str) -> bool {
    !written.contains(['{', '}', '<', '>', '*', '|', '\n'])
}
