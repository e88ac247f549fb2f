//! `sheet_candidates`: the paths that Sass and Less try for the short name of a sheet.

use pathfinder_literals::path::{extension, name, parent};

/// Returns the paths that a short name can stand for, the plainest first.
pub(super) fn sheet_candidates(dialect: &str, path: &str) -> Vec<String> {
    let end = extension(path);
    if dialect == "less" {
        let mut all = vec![format!("{path}.less"), format!("{path}.css")];
        if matches!(end.as_str(), "less" | "css") {
            all.insert(0, path.to_owned());
        }
        return all;
    }
    let partial = |path: &str| {
        let directory = parent(path);
        let slash = if path.contains('/') { "/" } else { "" };
        format!("{directory}{slash}_{}", name(path))
    };
    let mut all = Vec::new();
    if matches!(end.as_str(), "scss" | "sass" | "css") {
        all.extend([path.to_owned(), partial(path)]);
        // Rails has `@import "a.css.scss"`: the name continues after the extension.
    }
    for end in ["scss", "sass", "css", "import.scss", "import.sass", "scss.erb", "css.scss", "scss.liquid"] {
        all.push(format!("{path}.{end}"));
        all.push(partial(&format!("{path}.{end}")));
    }
    for index in ["_index.scss", "index.scss", "_index.sass", "index.sass"] {
        all.push(format!("{path}/{index}"));
    }
    all
}
