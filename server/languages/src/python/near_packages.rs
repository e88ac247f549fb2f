//! The packages and modules that files of a project can import by their first name, for names with a typo.

use pathfinder_literals::path::{extension, join};
use pathfinder_literals::typo::{TypoIndex, is_typo};
use pathfinder_literals::{Project, ProjectIndex};

use super::relative::has_init;
use super::roots::{ImportRoots, MODULE_ENDINGS};

/// Shorter names are one letter from those of libraries by chance.
pub(super) const MIN_NAME_BYTES: usize = 6;

/// Names that an import can begin with.
pub(super) struct OwnPackages {
    /// Each name, and the directory that has it.
    places: Vec<(String, String)>,
    index: TypoIndex,
}

impl ProjectIndex for OwnPackages {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut places = Vec::new();
        for directory in project.index::<ImportRoots>().directories() {
            for entry in tree.names(directory).iter() {
                let is_module = || MODULE_ENDINGS.contains(&format!(".{}", extension(entry)).as_str());
                let is_package = || join(directory, entry).is_some_and(|path| has_init(project, &path));
                if is_module() || is_package() {
                    let module = entry.split('.').next().unwrap_or_default();
                    places.push((module.to_owned(), directory.to_owned()));
                }
            }
        }
        let index = TypoIndex::new(places.iter().map(|(name, _)| name.as_str()));
        Self { places, index }
    }
}

impl OwnPackages {
    /// The directories that have a package or a module of at least `least` letters from whose name this one differs by a typo.
    pub(super) fn near(&self, name: &str, least: usize) -> Vec<&str> {
        let near = self.index.candidates(name).into_iter().filter_map(|at| self.places.get(at));
        let mut directories: Vec<&str> = near
            .filter(|(other, _)| other.len() >= least && is_typo(name, other))
            .map(|(_, directory)| directory.as_str())
            .collect();
        directories.sort_unstable();
        directories.dedup();
        directories
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reports_packages_with_a_typo() {
        let tree = |requires: &str| {
            format!("python/setup.py\npython/koheron/__init__.py\nrequirements.txt = {requires}\nother/far/koberon.py")
        };
        let report = |requires: &str, expect: &str| {
            check(&tree(requires), "examples/a/b.py", "import kohern\nimport numpyy\n", expect);
        };
        report("numpy", "py.import kohern → missing\npy.import numpyy → unknown elsewhere");
        report("kohern", "py.import kohern → unknown elsewhere\npy.import numpyy → unknown elsewhere");
    }

    /// A library is no directory of its name.
    #[test]
    fn leaves_modules_of_dependencies() {
        let import = |requires: &str, expect: &str| {
            let tree = format!("pyproject.toml = [project]\\ndependencies = [{requires}]\nalembic/env.py");
            check(&tree, "tests/a.py", "import alembic.config\n", expect);
        };
        import("'alembic>=1'", "py.import alembic.config → unknown elsewhere");
        import("", "py.import alembic.config → missing");
    }

    /// A directory without `__init__` can have any module, but for one that is nearly there.
    #[test]
    fn reports_modules_of_namespaces_with_a_typo() {
        check(
            "a/setup.py\na/tools/utils/config.py",
            "a/x.py",
            "from tools.utils import conig\nfrom tools.utils import other\n",
            "py.import tools.utils → a/tools/utils\npy.import conig → missing\npy.import tools.utils → a/tools/utils",
        );
    }
}
