//! Families of extensions that people mix up, and names of index and entry files. Used by `features` and `decide`.

/// Extensions (lower case) that people and agents mix up, because their contents are of one kind.
const FAMILIES: &[&[&str]] = &[
    &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte", "astro"],
    &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "ipp", "inc", "m", "mm", "cu"],
    &["yml", "yaml", "json", "json5", "jsonc", "toml", "ini", "cfg", "conf", "properties", "xml"],
    &["md", "mdx", "markdown", "rst", "txt", "adoc", "html", "htm"],
    &["py", "pyi", "pyx", "ipynb"],
    &["css", "scss", "sass", "less", "styl"],
    &["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico"],
    &["sh", "bash", "zsh", "fish", "ps1", "bat", "cmd"],
    &["java", "kt", "kts", "scala", "groovy", "gradle"],
    &["erb", "haml", "slim", "ejs", "hbs", "tpl", "tmpl", "jinja", "j2", "html", "pug", "twig", "liquid"],
    &["rb", "rake", "gemspec"],
    &["ex", "exs", "eex", "heex", "leex"],
    &["csv", "tsv", "parquet"],
    &["proto", "textproto", "pbtxt"],
];

/// Nearness of two different extensions: 0 unrelated … 1. Within a family, an extension that continues the other (`ts`,
/// `tsx`) is nearer than the rest.
pub(crate) fn nearness(left: &str, right: &str) -> f32 {
    let continued = left.starts_with(right) || right.starts_with(left);
    let family = FAMILIES.iter().any(|family| family.contains(&left) && family.contains(&right));
    match (family, continued) {
        (true, true) => 1.0,
        (true, false) => 0.7,
        (false, true) => 0.5,
        (false, false) => 0.0,
    }
}

/// Returns whether people mix this extension (lower case) up with others; then it is no slip of another extension.
pub(crate) fn is_known(extension: &str) -> bool {
    FAMILIES.iter().any(|family| family.contains(&extension))
}

/// Returns whether one is a header and the other a source: two files that belong together, and hold different things.
pub(crate) fn are_counterparts(left: &str, right: &str) -> bool {
    let header = |extension: &str| matches!(extension, "h" | "hh" | "hpp" | "hxx" | "pyi" | "mli" | "fsi");
    let source =
        |extension: &str| matches!(extension, "c" | "cc" | "cpp" | "cxx" | "m" | "mm" | "cu" | "py" | "ml" | "fs");
    header(left) && source(right) || source(left) && header(right)
}

/// Length in bytes of the longest stem of [`is_index`] and [`is_entry`].
pub(crate) const STANDING_STEM_MAX: usize = 8;

/// Returns whether a file of this stem (lower case) stands for its directory.
pub(crate) fn is_index(stem: &str) -> bool {
    matches!(
        stem,
        "index" | "mod" | "__init__" | "readme" | "main" | "lib" | "default" | "_index" | "package" | "__main__"
    )
}

/// Returns whether a program, a package or a page begins in a file of this stem (lower case). Projects rename such
/// files to one another.
pub(crate) fn is_entry(stem: &str) -> bool {
    is_index(stem) || matches!(stem, "app" | "server" | "cli" | "start" | "init" | "run" | "entry" | "setup")
}
