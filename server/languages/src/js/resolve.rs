//! `SpecifierResolver`: resolves a specifier of a script to a verdict.

use super::extensions::{OUTPUT_EXTENSIONS, find_index, likely_paths, other_source, resolve_file};
use super::generated;
use super::learned_aliases::LearnedAliases;
use super::modules::JsModules;
use super::packages::{JsPackages, PackageEntry};
use super::sample;
use super::scan::Construct;
use super::virtual_mocks::{VirtualMocks, find_virtual_mocks};
use crate::near_name::NearName;
use pathfinder_literals::path::{ancestors, extension, has_scheme, is_dynamic, join, name, parent};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{
    Code, Kind, Lookup, Missing, Project, Reason, Resolution, Severity, Source, Target, Verdict, Want,
};

/// Directories that servers publish at `/`.
const PUBLIC_DIRECTORIES: [&str; 5] = ["public", "static", "src", "app", ""];

/// One specifier's file, language and construct.
pub(super) struct SpecifierResolver<'a> {
    pub(super) project: &'a Project,
    pub(super) source: &'a Source<'a>,
    pub(super) is_typed: bool,
    pub(super) construct: Construct,
    pub(super) is_optional: bool,
}

impl SpecifierResolver<'_> {
    /// Resolves a specifier as it is written.
    pub(super) fn resolve(&self, written: &str) -> Resolution {
        let specifier = strip_loader_suffix(written);
        if is_dynamic(written)
            || written.contains(['{', '}', '<', '>', '*', '$', '|', '\n']) && !has_known_mark(written)
        {
            return unknown(Reason::Dynamic);
        }
        // A name of a file can have a colon: `./wire:stream`.
        let is_marked = written.contains(['!', '\u{0}']) || !written.starts_with('.') && written.contains(':');
        if has_scheme(written) || is_marked || specifier.is_empty() {
            return unknown(Reason::Elsewhere);
        }
        let outcome = if is_relative(specifier) {
            self.resolve_relative(written, specifier)
        } else if self.construct == Construct::Reference {
            self.resolve_relative(written, &format!("./{specifier}"))
        } else if self.construct == Construct::Url {
            unknown(Reason::Undecided("what the page is relative to".to_owned()))
        } else if let Some(rest) = specifier.strip_prefix('/') {
            self.resolve_rooted(rest)
        } else {
            self.resolve_bare(written, specifier)
        };
        match outcome {
            (Verdict::Missing(_), tried) if self.is_optional || self.is_virtual(specifier) => {
                (Verdict::Unknown(Reason::Optional), tried)
            }
            (Verdict::Missing(missing), tried) if missing.instead.is_none() && self.is_in_umd_wrapper() => {
                (Verdict::Unknown(Reason::Optional), tried)
            }
            outcome => outcome,
        }
    }

    /// Returns whether a wrapper for several loaders requires the module of a library that was copied without its other files: a page that
    /// runs it takes another branch. If the wrapper requires a file that is there, it does so in its own tree.
    fn is_in_umd_wrapper(&self) -> bool {
        let text = self.source.text();
        self.construct == Construct::Require
            && memchr::memmem::find(text.as_bytes(), b"define.amd").is_some()
            && !self.requires_a_file(text)
    }

    /// Returns whether a relative module that a text requires is there.
    fn requires_a_file(&self, text: &str) -> bool {
        /// A file of a library that requires more has no wrapper.
        const MAX_CALLS: usize = 50;
        text.match_indices("require(").take(MAX_CALLS).any(|(at, call)| {
            let rest = &text[at + call.len()..];
            let quoted = rest.strip_prefix(['"', '\'']).and_then(|rest| rest.split_once(['"', '\'']));
            let path = quoted
                .filter(|(module, _)| is_relative(module))
                .and_then(|(module, _)| join(self.source.directory(), module));
            path.is_some_and(|path| resolve_file(self.project, &path).is_some())
        })
    }

    /// Returns whether a test creates the module: `jest.mock('./x', () => …, {virtual: true})`, here or in another file.
    fn is_virtual(&self, specifier: &str) -> bool {
        let Some(path) = is_relative(specifier).then(|| join(self.source.directory(), specifier)).flatten() else {
            return false;
        };
        let own = find_virtual_mocks(self.source.text());
        own.iter().filter_map(|other| join(self.source.directory(), other)).any(|other| other == path)
            || self.project.index::<VirtualMocks>().0.contains(&path)
    }

    /// Resolves a specifier that begins with a dot.
    fn resolve_relative(&self, written: &str, specifier: &str) -> Resolution {
        let project = self.project;
        let Some(path) = join(self.source.directory(), specifier) else { return self.resolve_outside(specifier) };
        let fragment = join(self.source.directory(), written.split('?').next().unwrap_or(written));
        for path in [Some(&path), fragment.as_ref()].into_iter().flatten() {
            let is_directory = specifier.ends_with('/') || matches!(name(specifier), "." | "..");
            let found = if is_directory { find_index(project.tree(), path) } else { resolve_file(project, path) };
            if let Some(found) = found {
                return match self.without_extension_of_node(path, &found) {
                    Some(missing) => (Verdict::Missing(missing), vec![path.clone()]),
                    None => (Verdict::Found(Target { path: found }), Vec::new()),
                };
            }
        }
        if self.construct == Construct::Url {
            return self.resolve_url(path);
        }
        if let Some(path) = self.resolve_module(written) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        let tree = project.tree();
        let is_package = join(&path, "package.json").is_some_and(|path| tree.kind(&path).is_some());
        if tree.kind(&path) == Some(Kind::Directory) && is_package {
            return unknown(Reason::Produced("the package's build".to_owned()));
        }
        // The manifest of a package is above its sources, and a build lays it beside them.
        let has_manifest_above = || {
            ancestors(self.source.directory())
                .skip(1)
                .filter_map(|at| join(at, "package.json"))
                .any(|path| tree.kind(&path).is_some())
        };
        if specifier == "./package.json" && has_manifest_above() {
            return unknown(Reason::Produced("the package's build".to_owned()));
        }
        if self.is_relative_to_output(specifier) {
            return unknown(Reason::Undecided("where it is compiled to".to_owned()));
        }
        self.resolve_missing(&[path])
    }

    /// Returns the finding for a specifier without extension whose `.js` became `.mjs` or `.cjs` by git's history: bundlers add these
    /// extensions, Node does not. `require` and modules of Node are meant for Node.
    fn without_extension_of_node(&self, path: &str, found: &str) -> Option<Missing> {
        let is_for_node = match self.construct {
            Construct::Require => true,
            Construct::Import | Construct::Dynamic => extension(self.source.path()) == "mjs",
            _ => false,
        };
        if !is_for_node || !matches!(found.strip_prefix(path), Some(".mjs" | ".cjs")) {
            return None;
        }
        let wanted = format!("{path}.js");
        let moved = self.project.tree().moved(&wanted).filter(|moved| moved.to == found)?;
        let reason = format!("moved to {} in {}; Node does not add its extension", moved.to, moved.commit);
        let (code, severity) = (Code::MovedPath, self.severity(&wanted));
        Some(Missing { code, severity, reason, wanted, want: Want::File, instead: Some(moved.to) })
    }

    /// Returns whether a call resolves its file from the directory of the compiled script: compilers copy the specifiers of
    /// calls.
    fn is_relative_to_output(&self, specifier: &str) -> bool {
        // Imports of scripts resolve among the sources; a style sheet resolves beside the compiled script.
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
            path.is_some_and(|path| resolve_file(project, &path).is_some())
        })
    }

    /// Resolves a specifier that leaves the root. A repository needs no file outside; if the rest of the path exists,
    /// the specifier has too many `..` steps. What TypeScript requires at run time is relative to the compiled file, which is often a
    /// directory further down.
    fn resolve_outside(&self, specifier: &str) -> Resolution {
        let project = self.project;
        let is_compiled = matches!(extension(self.source.path()).as_str(), "ts" | "tsx" | "mts" | "cts");
        let below = specifier.strip_prefix("../").and_then(|rest| join(self.source.directory(), rest));
        if is_compiled && self.construct == Construct::Require && below.is_some() {
            return unknown(Reason::Outside);
        }
        let is_whole = project.tree().kind(".git").is_some();
        let rest = specifier.trim_start_matches("./").trim_start_matches("../");
        match join("", rest).filter(|rest| is_whole && !rest.is_empty()).and_then(|path| resolve_file(project, &path)) {
            Some(path) => {
                let reason = format!("{specifier} leads out of the repository");
                let (code, severity) = (Code::MissingPath, self.severity(&path));
                let missing = Missing { code, severity, reason, wanted: path, want: Want::File, instead: None };
                (Verdict::Missing(missing), Vec::new())
            }
            None => unknown(Reason::Outside),
        }
    }

    /// Resolves the first argument of `URL`: a file or a directory, and often one that the script will write.
    fn resolve_url(&self, path: String) -> Resolution {
        const WRITES: [&str; 6] = ["writeFile", "createWriteStream", "outputFile", "mkdir", "cpSync", "copyFile"];
        let project = self.project;
        if project.tree().kind(&path).is_some() {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        if WRITES.iter().any(|word| self.source.text().contains(word)) {
            return unknown(Reason::Undecided("a place, or a file".to_owned()));
        }
        // Without its directory, the path is an invented name in a test or a tool, if no typo explains it.
        if extension(&path).is_empty() || project.tree().kind(parent(&path)).is_none() {
            return (Verdict::Unknown(Reason::Undecided("a place, or a file".to_owned())), vec![path]);
        }
        self.resolve_missing(&[path])
    }

    /// Resolves a specifier that begins with a slash, relative to a server's root.
    fn resolve_rooted(&self, rest: &str) -> Resolution {
        let roots = ancestors(self.source.directory()).flat_map(|at| PUBLIC_DIRECTORIES.map(|below| join(at, below)));
        let paths: Vec<String> = roots.flatten().filter_map(|root| join(&root, rest)).collect();
        if let Some(path) = paths.iter().find_map(|path| resolve_file(self.project, path)) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        let is_placed = |path: &&String| self.project.tree().kind(parent(path)) == Some(Kind::Directory);
        let placed = paths.iter().filter(is_placed).filter(|_| rest.contains('/'));
        let tried = placed.flat_map(|path| likely_paths(path, self.is_typed)).collect();
        (Verdict::Unknown(Reason::Undecided("the server's root".to_owned())), tried)
    }

    /// Resolves a specifier without a dot: a package, an alias, or a name that only tools know.
    fn resolve_bare(&self, written: &str, specifier: &str) -> Resolution {
        let project = self.project;
        if let Some(path) = self.resolve_module(written) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        let modules = project.index::<JsModules>();
        let is_dependency = modules.packages().is_dependency(specifier) && !specifier.starts_with('#');
        let alias = modules.aliases().find(project.tree(), self.source.path(), specifier, is_dependency);
        if let Some(path) = alias.paths.iter().find_map(|path| resolve_file(project, path)) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        let entry = if specifier.starts_with('#') {
            JsPackages::resolve_import(project, self.source.directory(), specifier)
        } else {
            modules.packages().resolve(project, specifier)
        };
        let paths = match entry {
            Some(PackageEntry::Found(path)) => return (Verdict::Found(Target { path }), Vec::new()),
            Some(PackageEntry::Missing(paths)) => paths,
            Some(PackageEntry::Unknown) => {
                let sources = modules.packages().possible_sources(project.tree(), specifier);
                let sources = sources.iter().flat_map(|source| likely_paths(source, self.is_typed));
                let tried = sources.chain(modules.packages().mistyped_paths(project, specifier)).collect();
                return (Verdict::Unknown(Reason::Produced("the package's build".to_owned())), tried);
            }
            None if alias.is_exclusive && !alias.paths.is_empty() => alias.paths,
            None => {
                let outcome = self.resolve_learned(specifier);
                let paths = match outcome.0 {
                    Verdict::Unknown(Reason::NotInstalled) => modules.packages().mistyped_paths(project, specifier),
                    _ => Vec::new(),
                };
                if !paths.is_empty() {
                    return (Verdict::Unknown(Reason::Elsewhere), paths);
                }
                let is_open = matches!(outcome.0, Verdict::Unknown(Reason::NotInstalled));
                let near = is_open.then(|| modules.packages().near_package(project, specifier)).flatten();
                return near.map_or(outcome, |(near, wanted)| self.mistyped_package(&near, wanted));
            }
        };
        if is_dependency {
            // A package of the workspace: published it can have more files, but none with nearly the name of one here.
            return (Verdict::Unknown(Reason::Elsewhere), paths);
        }
        if modules.is_declared(specifier, alias.prefix.as_deref()) {
            return unknown(Reason::Elsewhere);
        }
        self.resolve_missing(&paths)
    }

    /// Resolves a specifier that no package and no configuration explains, by an alias that other imports show.
    fn resolve_learned(&self, specifier: &str) -> Resolution {
        let project = self.project;
        let Some(target) = LearnedAliases::find(project, self.source.path(), specifier) else {
            return unknown(Reason::NotInstalled);
        };
        if let Some(path) = resolve_file(project, &target.path) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        if project.index::<JsModules>().is_declared(specifier, Some(&target.prefix)) {
            return unknown(Reason::Elsewhere);
        }
        // In a project of several parts, the prefix can lead to a directory of each.
        let is_elsewhere =
            || likely_paths(&target.rest, self.is_typed).iter().any(|path| project.find_by_suffix(path).is_some());
        match self.resolve_missing(&[target.path]) {
            (Verdict::Missing(missing), _) if missing.instead.is_none() && (!target.is_certain || is_elsewhere()) => {
                unknown(Reason::NotInstalled)
            }
            outcome => outcome,
        }
    }

    /// The verdict on a specifier that has the name of a package of the project with a typo, in a directory of another name.
    fn mistyped_package(&self, near: &NearName, wanted: String) -> Resolution {
        let tried = vec![wanted.clone()];
        let severity = severity_in(self.source.path(), Severity::Error);
        let reason = format!("no package of the project or its dependencies is called {}", near.written);
        let code = Code::MissingPath;
        (Verdict::Missing(Missing { code, severity, reason, wanted, want: Want::Any, instead: None }), tried)
    }

    /// Resolves a specifier by the rules of Node, TypeScript and bundlers.
    fn resolve_module(&self, written: &str) -> Option<String> {
        let is_require = matches!(self.construct, Construct::Require | Construct::Mock);
        self.project.index::<JsModules>().resolve(self.source.path(), written, is_require)
    }

    /// The verdict if none of these paths exists: missing, unless the module is generated.
    fn resolve_missing(&self, paths: &[String]) -> Resolution {
        let tree = self.project.tree();
        if let Some(by) = paths.iter().find_map(|path| generated::find_generator(self.project, path)) {
            // With the names of files, so that a move of one of them is seen.
            let tried = paths.iter().flat_map(|path| likely_paths(path, self.is_typed)).collect();
            return (Verdict::Unknown(Reason::Produced(by.to_owned())), tried);
        }
        if paths.iter().any(|path| ancestors(path).any(|at| tree.kind(at) == Some(Kind::Elsewhere))) {
            return unknown(Reason::Outside);
        }
        if self.construct == Construct::Url {
            return Lookup::new(self.project, Want::Any)
                .verdict(self.severity(&paths[0]), paths.iter().cloned().map(Some));
        }
        if let Some(other) = paths.iter().find_map(|path| other_source(tree, path)) {
            return unknown(Reason::Undecided(other));
        }
        let all = paths.iter().flat_map(|path| {
            // If the project ignores all `*.js` files, an index file below `a.js` is not considered. Nor is it if the rule ignores every
            // `index.js`: hardly a directory is called `a.js`.
            let written = format!(".{}", extension(path));
            let is_output = OUTPUT_EXTENSIONS.iter().any(|(output, _)| *output == written);
            let is_hidden =
                self.is_ignored_by_extension(path) || is_output && !tree.is_ignored(&format!("{path}/zzpathfinder.zz"));
            let likely = likely_paths(path, self.is_typed).into_iter();
            likely.filter(move |other| {
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

    /// Returns whether the project ignores all files with this extension. Then the ignore rule proves nothing about this one.
    fn is_ignored_by_extension(&self, path: &str) -> bool {
        let tree = self.project.tree();
        let Some((_, end)) = name(path).split_once('.') else { return false };
        let other = |name: &str| join(parent(path), name).is_some_and(|path| tree.is_ignored(&path));
        tree.is_ignored(path) && other(&format!("zzpathfinder.{end}")) && !other("zzpathfinder.zz")
    }

    /// The severity of a finding for this missing path.
    fn severity(&self, path: &str) -> Severity {
        let severity = match self.construct {
            Construct::Mock | Construct::Url | Construct::Module | Construct::CommentType => Severity::Warning,
            // In JavaScript, only a type checker reads it.
            Construct::Reference if !self.is_typed => Severity::Warning,
            Construct::Import | Construct::Dynamic | Construct::Require | Construct::Reference => Severity::Error,
        };
        let file = self.source.path();
        let is_invented = self.construct == Construct::Url && sample::is_test(file);
        if is_invented || sample::is_sample(self.project.tree(), file, path) { Severity::Hint } else { severity }
    }
}

/// Returns whether a specifier is relative to its file.
fn is_relative(specifier: &str) -> bool {
    matches!(specifier, "." | "..") || specifier.starts_with("./") || specifier.starts_with("../")
}

/// Returns the path of a specifier after the loaders of webpack that it names: `!!raw-loader!./list.txt`.
pub(crate) fn strip_loaders(written: &str) -> &str {
    written.rsplit_once('!').map_or(written, |(_, path)| if is_relative(path) { path } else { written })
}

/// Removes the suffix that tells a bundler how to load the module.
pub(super) fn strip_loader_suffix(written: &str) -> &str {
    let end = written.find('?').unwrap_or(written.len());
    // A leading `#` is part of the name.
    let end = written[..end].get(1..).and_then(|rest| rest.find('#')).map_or(end, |at| at + 1);
    &written[..end]
}

/// Returns whether special characters are part of a framework's name: `$lib`, `[...slug]`.
fn has_known_mark(written: &str) -> bool {
    !written.contains(['{', '}', '<', '>', '*', '|', '\n'])
}
