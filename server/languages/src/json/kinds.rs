//! The literal kinds of JSON.

pathfinder_literals::literal_kinds! {
    /// Path in the options of a target of `angular.json`.
    ANGULAR_OPTIONS = "json.angular.options";
    /// Root directory of a project of `angular.json`.
    ANGULAR_ROOT = "json.angular.root";
    /// Plugin of `biome.json`.
    BIOME_PLUGINS = "json.biome.plugins";
    /// File that `CMakePresets.json` includes.
    CMAKE_INCLUDE = "json.cmake.include";
    /// Directory of a sandbox of CodeSandbox CI.
    CODESANDBOX_SANDBOXES = "json.codesandbox.sandboxes";
    /// Program in `bin` of `composer.json`.
    COMPOSER_BIN = "json.composer.bin";
    /// Path in `autoload.classmap` of `composer.json`.
    COMPOSER_CLASSMAP = "json.composer.classmap";
    /// File in `autoload.files` of `composer.json`.
    COMPOSER_FILES = "json.composer.files";
    /// Directory of a PSR-0 prefix of `composer.json`.
    COMPOSER_PSR0 = "json.composer.psr0";
    /// Directory of a PSR-4 prefix of `composer.json`.
    COMPOSER_PSR4 = "json.composer.psr4";
    /// Path repository of `composer.json`.
    COMPOSER_REPOSITORY = "json.composer.repository";
    /// File that a script of `composer.json` runs.
    COMPOSER_SCRIPT = "json.composer.script";
    /// Directory of a package of covector.
    COVECTOR_PACKAGES = "json.covector.packages";
    /// Module in `exports` of `deno.json`.
    DENO_EXPORTS = "json.deno.exports";
    /// Import map of `deno.json`.
    DENO_IMPORT_MAP = "json.deno.importMap";
    /// Path in `imports` of `deno.json`.
    DENO_IMPORTS = "json.deno.imports";
    /// Member of the workspace of `deno.json`.
    DENO_WORKSPACE = "json.deno.workspace";
    /// Compose file of `devcontainer.json`.
    DEVCONTAINER_COMPOSE = "json.devcontainer.compose";
    /// Build context of `devcontainer.json`.
    DEVCONTAINER_CONTEXT = "json.devcontainer.context";
    /// Dockerfile of `devcontainer.json`.
    DEVCONTAINER_DOCKERFILE = "json.devcontainer.dockerfile";
    /// Image of an Expo `app.json`.
    EXPO_IMAGE = "json.expo.image";
    /// Configuration that the configuration of a tool extends.
    EXTENDS = "json.extends";
    /// Directory of packages of `lerna.json`.
    LERNA_PACKAGES = "json.lerna.packages";
    /// Directory of a linked package in `package-lock.json`.
    LOCK_RESOLVED = "json.lock.resolved";
    /// Path in the options of a target of `project.json`.
    NX_OPTIONS = "json.nx.options";
    /// Source directory of a project of `project.json`.
    NX_SOURCE_ROOT = "json.nx.sourceRoot";
    /// Program in `bin` of `package.json`.
    PACKAGE_BIN = "json.package.bin";
    /// File that an extension of VS Code contributes.
    PACKAGE_CONTRIBUTES = "json.package.contributes";
    /// Directory or archive of a `file:` or `link:` dependency.
    PACKAGE_DEPENDENCY = "json.package.dependency";
    /// `repository.directory` of `package.json`.
    PACKAGE_DIRECTORY = "json.package.directory";
    /// File in `exports` of `package.json`.
    PACKAGE_EXPORTS = "json.package.exports";
    /// Path in `files` of `package.json`.
    PACKAGE_FILES = "json.package.files";
    /// File in `imports` of `package.json`.
    PACKAGE_IMPORTS = "json.package.imports";
    /// `main` of `package.json`.
    PACKAGE_MAIN = "json.package.main";
    /// `module` of `package.json`.
    PACKAGE_MODULE = "json.package.module";
    /// File that a script of `package.json` runs.
    PACKAGE_SCRIPT = "json.package.script";
    /// `types` or `typings` of `package.json`.
    PACKAGE_TYPES = "json.package.types";
    /// Directory in `workspaces` of `package.json`.
    PACKAGE_WORKSPACES = "json.package.workspaces";
    /// File of a `$ref`.
    REF = "json.ref";
    /// Package of Release Please.
    RELEASE_PACKAGES = "json.release.packages";
    /// File in a package rule of Renovate.
    RENOVATE_FILES = "json.renovate.files";
    /// File of `$schema`.
    SCHEMA = "json.schema";
    /// Icon of a Tauri app.
    TAURI_ICON = "json.tauri.icon";
    /// Page that a Tauri app shows.
    TAURI_PAGE = "json.tauri.page";
    /// Configuration in `extends` of `tsconfig.json`.
    TSCONFIG_EXTENDS = "json.tsconfig.extends";
    /// File in `files` of `tsconfig.json`.
    TSCONFIG_FILES = "json.tsconfig.files";
    /// Path in `include` of `tsconfig.json`.
    TSCONFIG_INCLUDE = "json.tsconfig.include";
    /// Target in `paths` of `tsconfig.json`.
    TSCONFIG_PATHS = "json.tsconfig.paths";
    /// Project in `references` of `tsconfig.json`.
    TSCONFIG_REFERENCES = "json.tsconfig.references";
    /// `rootDir` of `tsconfig.json`.
    TSCONFIG_ROOT_DIR = "json.tsconfig.rootDir";
    /// Directory in `rootDirs` of `tsconfig.json`.
    TSCONFIG_ROOT_DIRS = "json.tsconfig.rootDirs";
    /// Directory in `typeRoots` of `tsconfig.json`.
    TSCONFIG_TYPE_ROOTS = "json.tsconfig.typeRoots";
    /// File in `globalDependencies` or `global.inputs` of `turbo.json`.
    TURBO_GLOBAL_DEPENDENCIES = "json.turbo.global-dependencies";
    /// Entry point of TypeDoc.
    TYPEDOC_ENTRY_POINTS = "json.typedoc.entryPoints";
    /// Value, or a word of one, that is a path by evidence of others, the tree or git.
    VALUE = "json.value";
    /// Directory in the arguments of a launch configuration.
    VSCODE_ARGS = "json.vscode.args";
    /// Working directory of a launch configuration or task.
    VSCODE_CWD = "json.vscode.cwd";
    /// Folder of a `.code-workspace` file.
    VSCODE_FOLDERS = "json.vscode.folders";
    /// Program of a launch configuration.
    VSCODE_PROGRAM = "json.vscode.program";
    /// File that the settings of VS Code name.
    VSCODE_SETTINGS = "json.vscode.settings";
}
