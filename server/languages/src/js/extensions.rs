//! Resolves the parts of a specifier that can be omitted or written differently: the extension, `index`, and `.js` for
//! a `.ts` source.

use pathfinder_literals::path::{extension, join, name, parent};
use pathfinder_literals::{Kind, Project, Tree};

/// Extensions that a specifier can omit, in lookup order. These are the ones that bundlers support by default.
pub(super) const EXTENSIONS: [&str; 24] = [
    ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".d.mts", ".d.cts", ".json", ".vue",
    ".svelte", ".astro", ".mdx", ".node", ".wasm", ".css", ".scss", ".coffee", ".es6", ".gts", ".gjs",
];

/// Output extensions with their source extensions: a specifier names the compiler's output.
pub(super) const OUTPUT_EXTENSIONS: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts", ".js", ".jsx"]),
    (".jsx", &[".tsx", ".jsx"]),
    (".mjs", &[".mts", ".d.mts", ".mjs"]),
    (".cjs", &[".cts", ".d.cts", ".cjs"]),
];

/// Words between a name and its extension that select a platform.
const PLATFORMS: [&str; 20] = [
    "android",
    "browser",
    "client",
    "deno",
    "desktop",
    "edge",
    "electron",
    "global",
    "ios",
    "macos",
    "mobile",
    "native",
    "next",
    "node",
    "server",
    "tizen",
    "universal",
    "web",
    "windows",
    "worker",
];

/// The file of a path without an extension, or with that of the compiler's output.
pub(super) fn resolve_file(project: &Project, path: &str) -> Option<String> {
    let tree = project.tree();
    if let Some(found) = candidate_paths(path).find(|path| tree.kind(path) == Some(Kind::File)) {
        return Some(found);
    }
    if let Some(found) = find_platform_file(tree, path) {
        return Some(found);
    }
    match tree.kind(path)? {
        Kind::Directory => find_index(tree, path),
        Kind::File | Kind::Elsewhere => Some(path.to_owned()),
    }
}

/// The file of a path without an extension that has one which no bundler supports by default: a plugin compiles it (`button.gts`).
pub(super) fn other_source(tree: &dyn Tree, path: &str) -> Option<String> {
    /// Extensions of files that stand beside a module of their name and are none.
    const OTHERS: [&str; 22] = [
        "bak", "csv", "gif", "html", "ico", "jpeg", "jpg", "less", "map", "markdown", "md", "old", "orig", "png",
        "rst", "snap", "svg", "txt", "webp", "xml", "yaml", "yml",
    ];
    let names = tree.names(parent(path));
    let is_unknown = |end: &str| {
        !EXTENSIONS.contains(&format!(".{end}").as_str()) && !OTHERS.contains(&end.to_ascii_lowercase().as_str())
    };
    let is_source = |file: &&String| {
        let rest = file.strip_prefix(name(path)).and_then(|rest| rest.strip_prefix('.'));
        rest.is_some_and(|end| !end.contains('.') && !end.is_empty() && is_unknown(end))
    };
    let found = names.iter().find(is_source).filter(|_| !name(path).contains('.'))?;
    join(parent(path), found).filter(|found| tree.kind(found) == Some(Kind::File))
}

/// The likeliest paths of a specifier, which a message can name.
pub(super) fn likely_paths(path: &str, is_typed: bool) -> Vec<String> {
    let written = format!(".{}", extension(path));
    let is_code = EXTENSIONS.contains(&written.as_str());
    let mut all = Vec::new();
    if let Some((stem, others)) = source_extensions(path) {
        // A script names its compiled output only if it is TypeScript itself.
        if !is_typed {
            all.push(path.to_owned());
        }
        all.extend(others.iter().map(|other| format!("{stem}{other}")));
    } else if is_code || is_asset(&written) {
        all.push(path.to_owned());
    }
    let ends = if is_typed { [".ts", ".tsx", ".js", ".jsx"] } else { [".js", ".jsx", ".ts", ".tsx"] };
    let ends = ends.into_iter().chain([".d.ts", ".mjs", ".vue", ".svelte", ".json"]);
    all.extend(ends.map(|end| format!("{path}{end}")));
    all.extend(["ts", "tsx", "js", "jsx"].map(|end| format!("{path}/index.{end}")));
    if !all.iter().any(|other| other == path) {
        all.push(path.to_owned());
    }
    all.into_iter().map(|path| path.trim_start_matches('/').to_owned()).collect()
}

/// Returns whether files with this extension are imported unchanged.
pub(super) fn is_asset(written: &str) -> bool {
    const ASSETS: [&str; 22] = [
        ".avif", ".gif", ".glsl", ".graphql", ".gql", ".html", ".ico", ".jpeg", ".jpg", ".less", ".md", ".mp3", ".mp4",
        ".pdf", ".png", ".sass", ".styl", ".svg", ".txt", ".webp", ".yaml", ".yml",
    ];
    ASSETS.contains(&written)
}

/// The candidates of a path. The iterator is lazy: most literals resolve to the first or second.
fn candidate_paths(path: &str) -> impl Iterator<Item = String> + '_ {
    let (stem, others) = source_extensions(path).unwrap_or_default();
    let others = others.iter().map(move |other| format!("{stem}{other}"));
    let ends = EXTENSIONS.iter().map(move |end| format!("{path}{end}"));
    // TypeScript types a file that is no script (`a.css`) in `a.d.css.ts`.
    let types = path.rsplit_once('.').into_iter().map(|(stem, end)| format!("{stem}.d.{end}.ts"));
    // A script can have only a declaration, and the compiler reads the name of a declaration as that of its script.
    let declared = path.strip_suffix(".ts").map(|stem| format!("{stem}.d.ts"));
    let script =
        path.strip_suffix(".d.ts").into_iter().flat_map(|stem| [".ts", ".tsx"].map(|end| format!("{stem}{end}")));
    let types = types.chain(declared).chain(script);
    others.chain([path.to_owned()]).chain(ends).chain(types)
}

/// The path without its extension, and the source extensions.
fn source_extensions(path: &str) -> Option<(&str, &'static [&'static str])> {
    OUTPUT_EXTENSIONS.iter().find_map(|(written, others)| Some((path.strip_suffix(written)?, *others)))
}

/// Finds `a.ios.js` for `a`.
fn find_platform_file(tree: &dyn Tree, path: &str) -> Option<String> {
    let (directory, last) = (parent(path), name(path));
    let stem = source_extensions(last).map_or(last, |(stem, _)| stem);
    let names = tree.names(directory);
    let found = names.iter().find(|other| {
        let rest = other.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
        rest.and_then(|rest| rest.split_once('.')).is_some_and(|(platform, end)| {
            PLATFORMS.contains(&platform) && EXTENSIONS.iter().any(|known| known[1..] == *end)
        })
    })?;
    Some(if directory.is_empty() { found.clone() } else { format!("{directory}/{found}") })
}

/// Returns the index file of a directory.
pub(super) fn find_index(tree: &dyn Tree, directory: &str) -> Option<String> {
    let names = tree.names(directory);
    let mut known = EXTENSIONS.iter().map(|end| format!("index{end}"));
    let platform = || names.iter().find(|name| name.starts_with("index.") && !name.contains(".test.")).cloned();
    let index = known.find(|index| names.iter().any(|name| name == index)).or_else(platform)?;
    Some(if directory.is_empty() { index } else { format!("{directory}/{index}") })
}
