//! The list of settings, from which the command line flags, environment variables, project file keys and the table of
//! `docs/settings.md` are made.

/// A setting; also its position in [`ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Ignored directories that are indexed.
    IncludeDirs,
    /// Fewest candidates to rerank.
    Topk,
    /// Reranking on or off.
    Rerank,
    /// Precision of the model's numbers.
    ModelPrecision,
    /// The model's directory.
    ModelDir,
    /// The onnxruntime library.
    OrtLibrary,
    /// Limit of stored vectors.
    VectorCache,
    /// The cache directory.
    CacheDir,
    /// Size limit of the cache directory.
    Cache,
    /// Time for git's history.
    History,
    /// Sharing of engines between processes.
    Share,
}

/// Names and description of one setting.
#[derive(Debug)]
pub struct Setting {
    /// The setting.
    pub key: Key,
    /// Name in `pathfinder.toml` and in the output of `doctor`.
    pub name: &'static str,
    /// Command line flag, without dashes.
    pub flag: &'static str,
    /// Environment variable.
    pub variable: &'static str,
    /// Placeholder of the value in help texts.
    pub value: &'static str,
    /// Default value, in words.
    pub default: &'static str,
    /// True if a project may set it. A cloned repository must not decide where this machine reads models or writes
    /// files.
    pub is_for_projects: bool,
    /// Description in one sentence.
    pub meaning: &'static str,
}

/// All settings in display order; a [`Key`] is its position here.
pub const ALL: [Setting; 11] = [
    Setting {
        key: Key::IncludeDirs,
        name: "include_dirs",
        flag: "include-dirs",
        variable: "INCLUDE_DIRS",
        value: "NAMES",
        default: "none",
        is_for_projects: true,
        meaning: "Comma-separated names of ignored directories to index.",
    },
    Setting {
        key: Key::Topk,
        name: "topk",
        flag: "topk",
        variable: "RESOLVE_TOPK",
        value: "N",
        default: "10",
        is_for_projects: true,
        meaning: "Fewest candidates that a model compares, 1 to 200. In larger trees it compares 5 % of the files, at most 64.",
    },
    Setting {
        key: Key::Rerank,
        name: "rerank",
        flag: "rerank",
        variable: "RESOLVE_RERANK",
        value: "on|off",
        default: "on",
        is_for_projects: true,
        meaning: "Let a model change the order of candidates.",
    },
    Setting {
        key: Key::ModelPrecision,
        name: "model_precision",
        flag: "model-precision",
        variable: "RESOLVE_MODEL_PRECISION",
        value: "int8|fp16|fp32",
        default: "int8",
        is_for_projects: true,
        meaning: "Precision of the model's numbers. Falls back to another precision if the model lacks this one.",
    },
    Setting {
        key: Key::ModelDir,
        name: "model_dir",
        flag: "model-dir",
        variable: "RESOLVE_MODEL_DIR",
        value: "DIR",
        default: "none",
        is_for_projects: false,
        meaning: "Directory of a model.",
    },
    Setting {
        key: Key::OrtLibrary,
        name: "ort_library",
        flag: "ort-library",
        variable: "RESOLVE_ORT_LIBRARY",
        value: "auto|off|FILE",
        default: "auto",
        is_for_projects: false,
        meaning: "The onnxruntime library, which runs models. auto looks at ORT_DYLIB_PATH, beside the program and in the system's directories.",
    },
    Setting {
        key: Key::VectorCache,
        name: "vector_cache_mb",
        flag: "vector-cache-mb",
        variable: "RESOLVE_VECTOR_CACHE_MB",
        value: "N",
        default: "32",
        is_for_projects: false,
        meaning: "Most megabytes of stored vectors of paths, in memory and on disk. 0 stores none on disk.",
    },
    Setting {
        key: Key::CacheDir,
        name: "cache_dir",
        flag: "cache-dir",
        variable: "PATHFINDER_CACHE_DIR",
        value: "DIR",
        default: "the user's cache directory",
        is_for_projects: false,
        meaning: "Directory of the cache: file lists, git's history, declarations, reports of checks, used paths and vectors.",
    },
    Setting {
        key: Key::Cache,
        name: "cache_mb",
        flag: "cache-mb",
        variable: "PATHFINDER_CACHE_MB",
        value: "N",
        default: "1024",
        is_for_projects: false,
        meaning: "Most megabytes of the cache. Removes the least recently used files first.",
    },
    Setting {
        key: Key::History,
        name: "history_ms",
        flag: "history-ms",
        variable: "PATHFINDER_HISTORY_MS",
        value: "N",
        default: "1000",
        is_for_projects: true,
        meaning: "Most milliseconds that a start spends on git's history, newest commits first. The next start continues there; 0 turns history off.",
    },
    Setting {
        key: Key::Share,
        name: "share",
        flag: "share",
        variable: "PATHFINDER_SHARE",
        value: "on|off",
        default: "on",
        is_for_projects: false,
        meaning: "Share one engine among processes for the same roots, through a socket that only this user can open.",
    },
];

#[cfg(test)]
mod tests {
    use super::ALL;
    use std::fmt::Write as _;

    #[test]
    fn keys_are_positions() {
        for (position, setting) in ALL.iter().enumerate() {
            assert_eq!(setting.key as usize, position, "{}", setting.name);
        }
    }

    #[test]
    fn settings_document_has_the_same_table() {
        let mut table =
            String::from("| flag | environment | `pathfinder.toml` | default | meaning |\n|---|---|---|---|---|\n");
        for setting in &ALL {
            let file =
                if setting.is_for_projects { format!("`{}`", setting.name) } else { "not from a project".to_owned() };
            let value = setting.value.replace('|', "\\|");
            writeln!(
                table,
                "| `--{} {value}` | `{}` | {file} | {} | {} |",
                setting.flag, setting.variable, setting.default, setting.meaning
            )
            .unwrap();
        }
        let document = include_str!("../../../../docs/settings.md");
        assert!(document.contains(&table), "docs/settings.md needs this settings table:\n\n{table}");
    }
}
