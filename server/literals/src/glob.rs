//! Matches glob patterns in literals against the files of a tree.

use globset::GlobBuilder;

use crate::tree::Tree;

/// Returns whether a text has glob characters.
pub fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

/// Returns the first file or directory that a pattern (relative to the root) matches.
///
/// # Errors
///
/// Fails if the pattern is invalid.
pub fn first_match(tree: &dyn Tree, pattern: &str) -> Result<Option<String>, globset::Error> {
    let glob = GlobBuilder::new(pattern.trim_end_matches('/')).literal_separator(true).build()?;
    let glob = glob.compile_matcher();
    let matches = |path: &str| {
        let mut end = path.len();
        loop {
            if glob.is_match(&path[..end]) {
                return Some(path[..end].to_owned());
            }
            // The listing has files only: a directory exists if a file is below it.
            end = path[..end].rfind('/')?;
        }
    };
    // The part before the first glob character is literal, so only files below it can match.
    let fixed = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let fixed = pattern[..fixed].rfind('/').map_or("", |at| &pattern[..at]);
    let files = tree.files();
    let from = files.partition_point(|path| path.as_str() < fixed);
    let below = files[from..].iter().take_while(|path| path.starts_with(fixed));
    Ok(below.into_iter().find_map(|path| matches(path)))
}
