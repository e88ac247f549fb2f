//! What a specifier can leave out or say otherwise: the extension, `index`, and `.js` for what is written as `.ts`.

use crate::path::{extension, name, parent};
use crate::project::Project;
use crate::tree::{Kind, Tree};

/// What can be left out, in the order in which it is looked for. Only what any bundler of today is set up for.
pub(super) const EXTENSIONS: [&str; 22] = [
    ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".d.mts", ".d.cts", ".json", ".vue",
    ".svelte", ".astro", ".mdx", ".node", ".wasm", ".css", ".scss", ".coffee", ".es6",
];

/// What is written for what lies there: the compiler takes the extension of its output for that of its input.
pub(super) const WRITTEN_FOR: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts", ".js", ".jsx"]),
    (".jsx", &[".tsx", ".jsx"]),
    (".mjs", &[".mts", ".d.mts", ".mjs"]),
    (".cjs", &[".cts", ".d.cts", ".cjs"]),
];

/// Words between a name and its extension that stand for a platform, by which bundlers choose.
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

/// The file that a path without an extension, or with one that is written for another, leads to.
pub(super) fn file_at(project: &Project, path: &str) -> Option<String> {
    let tree = project.tree();
    if let Some(found) = forms(path).find(|path| tree.kind(path) == Some(Kind::File)) {
        return Some(found);
    }
    if let Some(found) = on_a_platform(tree, path) {
        return Some(found);
    }
    match tree.kind(path)? {
        Kind::Directory => index_of(tree, path),
        Kind::File | Kind::Elsewhere => Some(path.to_owned()),
    }
}

/// The paths that it can mean, the likeliest first: those that are worth telling a person.
pub(super) fn named(path: &str, is_typed: bool) -> Vec<String> {
    let written = format!(".{}", extension(path));
    let is_code = EXTENSIONS.contains(&written.as_str());
    let mut all = Vec::new();
    if let Some((stem, others)) = written_for(path) {
        // A script names what is compiled from it only when it is written in TypeScript itself.
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
    all.extend(["ts", "tsx", "js"].map(|end| format!("{path}/index.{end}")));
    if !all.iter().any(|other| other == path) {
        all.push(path.to_owned());
    }
    all.into_iter().map(|path| path.trim_start_matches('/').to_owned()).collect()
}

/// Whether an extension is that of something which is imported as it lies there.
pub(super) fn is_asset(written: &str) -> bool {
    const ASSETS: [&str; 22] = [
        ".avif", ".gif", ".glsl", ".graphql", ".gql", ".html", ".ico", ".jpeg", ".jpg", ".less", ".md", ".mp3", ".mp4",
        ".pdf", ".png", ".sass", ".styl", ".svg", ".txt", ".webp", ".yaml", ".yml",
    ];
    ASSETS.contains(&written)
}

/// All that a path can mean. One after another: most literals are there as the first or the second.
fn forms(path: &str) -> impl Iterator<Item = String> + '_ {
    let (stem, others) = written_for(path).unwrap_or_default();
    let others = others.iter().map(move |other| format!("{stem}{other}"));
    let ends = EXTENSIONS.iter().map(move |end| format!("{path}{end}"));
    // What TypeScript knows of a file that is no script (`a.css`): `a.d.css.ts`.
    let types = path.rsplit_once('.').into_iter().map(|(stem, end)| format!("{stem}.d.{end}.ts"));
    // And of one that is only declared.
    let declared = path.strip_suffix(".ts").map(|stem| format!("{stem}.d.ts"));
    let types = types.chain(declared);
    others.chain([path.to_owned()]).chain(ends).chain(types)
}

/// The path without its extension, and what that is written for.
fn written_for(path: &str) -> Option<(&str, &'static [&'static str])> {
    WRITTEN_FOR.iter().find_map(|(written, others)| Some((path.strip_suffix(written)?, *others)))
}

/// `a.ios.js` for `a`.
fn on_a_platform(tree: &dyn Tree, path: &str) -> Option<String> {
    let (directory, last) = (parent(path), name(path));
    let stem = written_for(last).map_or(last, |(stem, _)| stem);
    let names = tree.names(directory);
    let found = names.iter().find(|other| {
        let rest = other.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
        rest.and_then(|rest| rest.split_once('.')).is_some_and(|(platform, end)| {
            PLATFORMS.contains(&platform) && EXTENSIONS.iter().any(|known| known[1..] == *end)
        })
    })?;
    Some(if directory.is_empty() { found.clone() } else { format!("{directory}/{found}") })
}

/// The file that stands for a directory.
pub(super) fn index_of(tree: &dyn Tree, directory: &str) -> Option<String> {
    let names = tree.names(directory);
    let mut known = EXTENSIONS.iter().map(|end| format!("index{end}"));
    let platform = || names.iter().find(|name| name.starts_with("index.") && !name.contains(".test.")).cloned();
    let index = known.find(|index| names.iter().any(|name| name == index)).or_else(platform)?;
    Some(if directory.is_empty() { index } else { format!("{directory}/{index}") })
}
