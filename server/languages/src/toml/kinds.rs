//! The literal kinds of TOML.

pathfinder_literals::literal_kinds! {
    /// File in `additional-css` or `additional-js` of `book.toml`.
    BOOK_ADDITIONAL = "toml.book.additional";
    /// `src` of `book.toml`.
    BOOK_SRC = "toml.book.src";
    /// `theme` of `book.toml`.
    BOOK_THEME = "toml.book.theme";
    /// File that a tool puts into a package of a Linux distribution.
    CARGO_ASSETS = "toml.cargo.assets";
    /// Path of a benchmark of `Cargo.toml`.
    CARGO_BENCH = "toml.cargo.bench";
    /// Path of a binary of `Cargo.toml`.
    CARGO_BIN = "toml.cargo.bin";
    /// Build script of `Cargo.toml`.
    CARGO_BUILD = "toml.cargo.build";
    /// Path of an example of `Cargo.toml`.
    CARGO_EXAMPLE = "toml.cargo.example";
    /// Path in `include` of `Cargo.toml`.
    CARGO_INCLUDE = "toml.cargo.include";
    /// Path of the library of `Cargo.toml`.
    CARGO_LIB = "toml.cargo.lib";
    /// `license-file` of `Cargo.toml`.
    CARGO_LICENSE_FILE = "toml.cargo.license-file";
    /// Member of the workspace of `Cargo.toml`.
    CARGO_MEMBERS = "toml.cargo.members";
    /// Directory of a path dependency of `Cargo.toml`.
    CARGO_PATH = "toml.cargo.path";
    /// Directory in `paths` of the configuration of Cargo.
    CARGO_PATHS = "toml.cargo.paths";
    /// `readme` of `Cargo.toml`.
    CARGO_README = "toml.cargo.readme";
    /// Path of a test of `Cargo.toml`.
    CARGO_TEST = "toml.cargo.test";
    /// `package.workspace` of `Cargo.toml`.
    CARGO_WORKSPACE = "toml.cargo.workspace";
    /// File in `version_files` of Commitizen.
    COMMITIZEN_VERSION_FILES = "toml.commitizen.version-files";
    /// Path in `omit` of coverage.py.
    COVERAGE_OMIT = "toml.coverage.omit";
    /// Dockerfile of `Cross.toml`.
    CROSS_DOCKERFILE = "toml.cross.dockerfile";
    /// Dockerfile of `fly.toml`.
    FLY_DOCKERFILE = "toml.fly.dockerfile";
    /// Path in `include` of Hatch.
    HATCH_INCLUDE = "toml.hatch.include";
    /// Package of a build target of Hatch.
    HATCH_PACKAGES = "toml.hatch.packages";
    /// File with the version for Hatch.
    HATCH_VERSION = "toml.hatch.version";
    /// File in `versioned_files` of Knope.
    KNOPE_VERSIONED_FILES = "toml.knope.versioned-files";
    /// `manifest-path` of maturin.
    MATURIN_MANIFEST_PATH = "toml.maturin.manifest-path";
    /// `python-source` of maturin.
    MATURIN_PYTHON_SOURCE = "toml.maturin.python-source";
    /// Path in `files` of mypy.
    MYPY_FILES = "toml.mypy.files";
    /// `base` of `netlify.toml`.
    NETLIFY_BASE = "toml.netlify.base";
    /// Plugin of `netlify.toml`.
    NETLIFY_PLUGIN = "toml.netlify.plugin";
    /// `publish` of `netlify.toml`.
    NETLIFY_PUBLISH = "toml.netlify.publish";
    /// File with the version for PDM.
    PDM_VERSION = "toml.pdm.version";
    /// Path of a dependency of a `Pipfile`.
    PIPFILE_PATH = "toml.pipfile.path";
    /// Package of Poetry.
    POETRY_PACKAGES = "toml.poetry.packages";
    /// Path of a dependency of Poetry.
    POETRY_PATH = "toml.poetry.path";
    /// License file of `pyproject.toml`.
    PYPROJECT_LICENSE = "toml.pyproject.license";
    /// Readme of `pyproject.toml`.
    PYPROJECT_README = "toml.pyproject.readme";
    /// Path in `include` of Pyright.
    PYRIGHT_INCLUDE = "toml.pyright.include";
    /// Path in `testpaths` of pytest.
    PYTEST_TESTPATHS = "toml.pytest.testpaths";
    /// File in `version_files` of Rooster.
    ROOSTER_VERSION_FILES = "toml.rooster.version-files";
    /// Path in `exclude` of Ruff.
    RUFF_EXCLUDE = "toml.ruff.exclude";
    /// Configuration in `extend` of Ruff.
    RUFF_EXTEND = "toml.ruff.extend";
    /// Path in `per-file-ignores` of Ruff.
    RUFF_PER_FILE_IGNORES = "toml.ruff.per-file-ignores";
    /// File with the version for Python Semantic Release.
    SEMANTIC_RELEASE_VERSION = "toml.semantic-release.version";
    /// File of a dynamic field of setuptools.
    SETUPTOOLS_DYNAMIC = "toml.setuptools.dynamic";
    /// Directory in `package-dir` of setuptools.
    SETUPTOOLS_PACKAGE_DIR = "toml.setuptools.package-dir";
    /// Directory in `packages.find.where` of setuptools.
    SETUPTOOLS_WHERE = "toml.setuptools.where";
    /// Template of towncrier.
    TOWNCRIER_TEMPLATE = "toml.towncrier.template";
    /// Member of the workspace of uv.
    UV_MEMBERS = "toml.uv.members";
    /// Path of a source of uv.
    UV_PATH = "toml.uv.path";
    /// Value, or a word of one, that is a path by evidence of others, the tree or git.
    VALUE = "toml.value";
    /// `main` of `wrangler.toml`.
    WRANGLER_MAIN = "toml.wrangler.main";
}
