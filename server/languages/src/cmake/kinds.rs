//! The literal kinds of `CMake`.

pathfinder_literals::literal_kinds! {
    /// Template of `configure_file`.
    CONFIGURE = "cmake.configure";
    /// File or module of `include`.
    INCLUDE = "cmake.include";
    /// Source of `install(FILES)`.
    INSTALLED = "cmake.install";
    /// Source in a list of `set` or `list`.
    LIST = "cmake.list";
    /// Script or source in the arguments of a command that a build or test runs.
    PATH = "cmake.path";
    /// Source of a target: `add_executable`, `add_library`, `target_sources`.
    SOURCE = "cmake.source";
    /// Directory of `add_subdirectory`.
    SUBDIRECTORY = "cmake.subdirectory";
}
