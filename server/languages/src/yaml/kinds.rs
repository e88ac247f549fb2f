//! The literal kinds of YAML.

pathfinder_literals::literal_kinds! {
    /// Dockerfile of an action.
    ACTION_IMAGE = "yaml.action.image";
    /// Script of a JavaScript action.
    ACTION_MAIN = "yaml.action.main";
    /// Path in the `paths` filter of a workflow.
    ACTIONS_PATHS = "yaml.actions.paths";
    /// Path in the `paths-ignore` filter of a workflow.
    ACTIONS_PATHS_IGNORE = "yaml.actions.paths-ignore";
    /// Source file in a command of a workflow.
    ACTIONS_RUN = "yaml.actions.run";
    /// Local action or workflow in `uses`.
    ACTIONS_USES = "yaml.actions.uses";
    /// File in an input of an action.
    ACTIONS_WITH = "yaml.actions.with";
    /// `working-directory` of a workflow.
    ACTIONS_WORKING_DIRECTORY = "yaml.actions.working-directory";
    /// File that a play or a task of Ansible includes.
    ANSIBLE_INCLUDE = "yaml.ansible.include";
    /// Navigation file of `antora.yml`.
    ANTORA_NAV = "yaml.antora.nav";
    /// Command of a step of Azure Pipelines that is a path.
    AZURE_SCRIPT = "yaml.azure.script";
    /// Template of an Azure pipeline.
    AZURE_TEMPLATE = "yaml.azure.template";
    /// Directory of a module of buf.
    BUF_MODULES = "yaml.buf.modules";
    /// Directory of a `file://` repository of a Helm chart.
    CHART_REPOSITORY = "yaml.chart.repository";
    /// Source file in a command of CircleCI.
    CIRCLECI_RUN = "yaml.circleci.run";
    /// Build context of a service, as a text.
    COMPOSE_BUILD = "yaml.compose.build";
    /// File of a config of Compose.
    COMPOSE_CONFIGS = "yaml.compose.configs";
    /// Build context of a service, in `context`.
    COMPOSE_CONTEXT = "yaml.compose.context";
    /// Dockerfile of a service.
    COMPOSE_DOCKERFILE = "yaml.compose.dockerfile";
    /// Environment file of a service.
    COMPOSE_ENV_FILE = "yaml.compose.env-file";
    /// File that a service extends.
    COMPOSE_EXTENDS = "yaml.compose.extends";
    /// Compose file in `include`.
    COMPOSE_INCLUDE = "yaml.compose.include";
    /// File of a secret of Compose.
    COMPOSE_SECRETS = "yaml.compose.secrets";
    /// Path of a volume of Compose that exists or moved.
    COMPOSE_VOLUMES = "yaml.compose.volumes";
    /// Directory that Dependabot updates.
    DEPENDABOT_DIRECTORY = "yaml.dependabot.directory";
    /// Local file that GitLab CI includes.
    GITLAB_INCLUDE = "yaml.gitlab.include";
    /// Path of an exclusion of golangci-lint.
    GOLANGCI_PATH = "yaml.golangci.path";
    /// Dockerfile of GoReleaser.
    GORELEASER_DOCKERFILE = "yaml.goreleaser.dockerfile";
    /// `main` of a build of GoReleaser.
    GORELEASER_MAIN = "yaml.goreleaser.main";
    /// Base of a kustomization.
    KUSTOMIZE_BASES = "yaml.kustomize.bases";
    /// Component of a kustomization.
    KUSTOMIZE_COMPONENTS = "yaml.kustomize.components";
    /// Configuration of a kustomization.
    KUSTOMIZE_CONFIGURATIONS = "yaml.kustomize.configurations";
    /// File in `crds` of a kustomization.
    KUSTOMIZE_CRDS = "yaml.kustomize.crds";
    /// File of a config map of a kustomization.
    KUSTOMIZE_FILES = "yaml.kustomize.files";
    /// Generator of a kustomization.
    KUSTOMIZE_GENERATORS = "yaml.kustomize.generators";
    /// OpenAPI schema of a kustomization.
    KUSTOMIZE_OPENAPI = "yaml.kustomize.openapi";
    /// Patch of a kustomization.
    KUSTOMIZE_PATCHES = "yaml.kustomize.patches";
    /// Replacement of a kustomization.
    KUSTOMIZE_REPLACEMENTS = "yaml.kustomize.replacements";
    /// Resource of a kustomization.
    KUSTOMIZE_RESOURCES = "yaml.kustomize.resources";
    /// File of a secret of a kustomization.
    KUSTOMIZE_SECRETS = "yaml.kustomize.secrets";
    /// Transformer of a kustomization.
    KUSTOMIZE_TRANSFORMERS = "yaml.kustomize.transformers";
    /// `custom_dir` of the theme of MkDocs.
    MKDOCS_CUSTOM_DIR = "yaml.mkdocs.custom-dir";
    /// `docs_dir` of MkDocs.
    MKDOCS_DOCS_DIR = "yaml.mkdocs.docs-dir";
    /// File in `extra_css` or `extra_javascript` of MkDocs.
    MKDOCS_EXTRA = "yaml.mkdocs.extra";
    /// Script in `hooks` of MkDocs.
    MKDOCS_HOOKS = "yaml.mkdocs.hooks";
    /// Configuration in `INHERIT` of MkDocs.
    MKDOCS_INHERIT = "yaml.mkdocs.inherit";
    /// Page in `nav` of MkDocs.
    MKDOCS_NAV = "yaml.mkdocs.nav";
    /// Package of the workspace of pnpm.
    PNPM_PACKAGES = "yaml.pnpm.packages";
    /// Patch of a dependency of pnpm.
    PNPM_PATCHES = "yaml.pnpm.patched-dependencies";
    /// Source file in the command of a pre-commit hook.
    PRE_COMMIT_ENTRY = "yaml.pre-commit.entry";
    /// Rule file of a promtool test.
    PROMTOOL_RULE_FILES = "yaml.promtool.rule-files";
    /// Asset of a Flutter package.
    PUBSPEC_ASSETS = "yaml.pubspec.assets";
    /// Directory of a path dependency of `pubspec.yaml`.
    PUBSPEC_PATH = "yaml.pubspec.path";
    /// Configuration of Sphinx or MkDocs for Read the Docs.
    READTHEDOCS_CONFIGURATION = "yaml.readthedocs.configuration";
    /// Environment of conda for Read the Docs.
    READTHEDOCS_ENVIRONMENT = "yaml.readthedocs.environment";
    /// Package to install for Read the Docs.
    READTHEDOCS_PATH = "yaml.readthedocs.path";
    /// Requirements for Read the Docs.
    READTHEDOCS_REQUIREMENTS = "yaml.readthedocs.requirements";
    /// File of a `$ref`.
    REF = "yaml.ref";
    /// Configuration in `inherit_from` of RuboCop.
    RUBOCOP_INHERIT_FROM = "yaml.rubocop.inherit-from";
    /// File in `require` of RuboCop.
    RUBOCOP_REQUIRE = "yaml.rubocop.require";
    /// Page in a `_toc.yml` of Jupyter Book.
    TOC_FILE = "yaml.toc.file";
    /// Source file in a command of Travis CI.
    TRAVIS_SCRIPT = "yaml.travis.script";
    /// Value, or a word of one, that is a path by evidence of others, the tree or git.
    VALUE = "yaml.value";
    /// Release or plugin of Yarn.
    YARN_PATH = "yaml.yarn.path";
}
