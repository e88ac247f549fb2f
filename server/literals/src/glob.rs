//! Globs in literals: whether anything matches.

use globset::GlobBuilder;

use crate::tree::Tree;

/// Whether a text has the marks of a glob.
pub(crate) fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// The first file or directory that a pattern (relative to the root) matches; `Err` if it is no pattern that can be
/// understood.
pub(crate) fn first_match(tree: &dyn Tree, pattern: &str) -> Result<Option<String>, ()> {
    let glob = GlobBuilder::new(pattern.trim_end_matches('/')).literal_separator(true).build().map_err(|_| ())?;
    let glob = glob.compile_matcher();
    let matches = |path: &str| {
        let mut end = path.len();
        loop {
            if glob.is_match(&path[..end]) {
                return Some(path[..end].to_owned());
            }
            // A directory exists where a file is below it.
            end = path[..end].rfind('/')?;
        }
    };
    // Nothing before the first mark is a pattern: only what is below it can match.
    let fixed = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let fixed = pattern[..fixed].rfind('/').map_or("", |at| &pattern[..at]);
    let files = tree.files();
    let from = files.partition_point(|path| path.as_str() < fixed);
    let below = files[from..].iter().take_while(|path| path.starts_with(fixed));
    Ok(below.into_iter().find_map(|path| matches(path)))
}
