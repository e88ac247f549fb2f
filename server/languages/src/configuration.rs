//! Recognises configuration files, which decide where the literals of other files lead.

use pathfinder_literals::path::{extension, name};

/// Returns whether a file is configuration for other files. When such a file is created, deleted or changed, the caller
/// must check every literal of the project again with a new [`Project`](pathfinder_literals::Project).
pub fn is_configuration(path: &str) -> bool {
    const FILE_NAMES: [&str; 41] = [
        ".bowerrc",
        ".clangd",
        ".dockerignore",
        ".gitattributes",
        ".gitignore",
        ".gitmodules",
        ".ignore",
        "BUILD",
        "CMakeLists.txt",
        "Cargo.toml",
        "GNUmakefile",
        "Gemfile",
        "Makefile",
        "MODULE.bazel",
        "Makefile.am",
        "Package.swift",
        "WORKSPACE",
        "_config.yml",
        "angular.json",
        "antora.yml",
        "book.toml",
        "buf.work.yaml",
        "buf.yaml",
        "build.rs",
        "compile_commands.json",
        "compile_flags.txt",
        "composer.json",
        "conf.py",
        "go.mod",
        "go.work",
        "lerna.json",
        "makefile",
        "meson.build",
        "mkdocs.yml",
        "nx.json",
        "pathfinder.toml",
        "pnpm-workspace.yaml",
        "pubspec.yaml",
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
    ];
    const EXTENSIONS: [&str; 8] = ["bazel", "bzl", "cabal", "cmake", "csproj", "gemspec", "mk", "props"];
    let name = name(path);
    let stem = name.split('.').next().unwrap_or(name);
    FILE_NAMES.contains(&name)
        || EXTENSIONS.contains(&extension(path).as_str())
        || name.contains(".config.")
        || matches!(extension(path).as_str(), "json" | "json5")
            && ["package", "tsconfig", "jsconfig"].iter().any(|known| stem.starts_with(known))
        || stem == "Dockerfile"
        || ["compose", "docker-compose", "docker-bake", "vercel", "hugo"].contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::is_configuration;

    #[test]
    fn recognises_configuration_files() {
        for path in
            ["Cargo.toml", "web/tsconfig.base.json", "vite.config.ts", "a/b.cmake", "x/Dockerfile.dev", "package.json"]
        {
            assert!(is_configuration(path), "{path}");
        }
        for path in ["src/config.rs", "data/a.json", "README.md", "docs/conf.md", "config.ts"] {
            assert!(!is_configuration(path), "{path}");
        }
    }
}
