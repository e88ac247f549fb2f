//! Tells formats apart by their names: Dockerfiles, and formats whose strings and words name no files or which other rules read. All
//! others are read alike: a list of the formats that are read would lack the next one.

use pathfinder_literals::path::{extension, name};

/// Extensions of templates and ignore files, which are no Dockerfiles.
const OTHER_EXTENSIONS: [&str; 10] =
    ["dockerignore", "j2", "jinja", "jinja2", "tmpl", "template", "tpl", "erb", "in", "md"];

/// Extensions of files whose strings are not read: what no program reads as a path, what records an earlier state, texts for people, and
/// formats whose values other rules read. All others are alike here: a list of languages would lack the next one.
const LEFT_ALONE: [&str; 150] = [
    "7z",
    "a",
    "adoc",
    "approved",
    "asciidoc",
    "avif",
    "backup",
    "bak",
    "bash",
    "bat",
    "bib",
    "bin",
    "bmp",
    "bz2",
    "cer",
    "cfg",
    "class",
    "cmake",
    "conf",
    "crt",
    "csr",
    "csv",
    "db",
    "der",
    "dex",
    "diff",
    "dll",
    "doc",
    "docx",
    "dump",
    "dylib",
    "eml",
    "eot",
    "exe",
    "expect",
    "expected",
    "fail",
    "fish",
    "flac",
    "geojson",
    "gif",
    "glb",
    "golden",
    "gpg",
    "gz",
    "icns",
    "ico",
    "ini",
    "jar",
    "jpeg",
    "jpg",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "key",
    "keystore",
    "lib",
    "lock",
    "log",
    "m4a",
    "map",
    "markdown",
    "md",
    "md5",
    "mdx",
    "mk",
    "mkd",
    "mo",
    "mov",
    "mp3",
    "mp4",
    "ndjson",
    "node",
    "npy",
    "o",
    "obj",
    "odt",
    "ogg",
    "org",
    "orig",
    "otf",
    "out",
    "output",
    "pack",
    "parquet",
    "patch",
    "pb",
    "pdf",
    "pem",
    "png",
    "po",
    "pot",
    "ppt",
    "pptx",
    "ps1",
    "psd",
    "psm1",
    "pub",
    "pyc",
    "ref",
    "rej",
    "result",
    "rlib",
    "rmeta",
    "rst",
    "rtf",
    "sh",
    "sha1",
    "sha256",
    "snap",
    "so",
    "sqlite",
    "srt",
    "stderr",
    "stdout",
    "stl",
    "strings",
    "sum",
    "svg",
    "tar",
    "tex",
    "textile",
    "tgz",
    "tif",
    "tiff",
    "toml",
    "tsbuildinfo",
    "tst",
    "tsv",
    "ttf",
    "txt",
    "vtt",
    "wasm",
    "wav",
    "webm",
    "webp",
    "whl",
    "woff",
    "woff2",
    "xlf",
    "xliff",
    "xls",
    "xlsx",
    "xz",
    "yaml",
    "yml",
    "zip",
    "zsh",
    "zst",
];

/// Names, without extension, of texts that tell what was.
const RECORDS: [&str; 6] = ["authors", "changelog", "changes", "history", "news", "releases"];

/// Returns whether the strings of a file can be paths of this tree. Those of a Dockerfile are paths of an image.
pub(crate) fn is_read(path: &str) -> bool {
    let name = name(path).trim_start_matches('.');
    let stem = name.split('.').next().unwrap_or_default();
    LEFT_ALONE.binary_search(&&*extension(path)).is_err()
        && !is_dockerfile(path)
        && !RECORDS.iter().any(|record| stem.eq_ignore_ascii_case(record))
}

/// Returns whether a path is that of a Dockerfile or Containerfile.
pub(crate) fn is_dockerfile(path: &str) -> bool {
    let name = name(path);
    let end = extension(path);
    let has_docker_name = ["Dockerfile", "Containerfile", "dockerfile"]
        .iter()
        .any(|stem| name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_'])));
    (has_docker_name || end == "dockerfile" || end == "containerfile") && !OTHER_EXTENSIONS.contains(&end.as_str())
}

#[cfg(test)]
mod tests {
    use super::{LEFT_ALONE, is_read};

    /// One out of order would not be found.
    #[test]
    fn extensions_are_sorted() {
        assert!(LEFT_ALONE.is_sorted());
    }

    #[test]
    fn reads_unknown_formats() {
        let read = ["a/res.qrc", "Rakefile", "x.unknown", "a.py"];
        let left = ["a.png", "docs/a.md", "CHANGELOG", "NEWS.d", "Dockerfile.dev", "a.json", "a.po"];
        assert!(read.iter().all(|path| is_read(path)));
        assert!(!left.iter().any(|path| is_read(path)));
    }
}
