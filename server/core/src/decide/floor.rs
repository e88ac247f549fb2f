//! What a candidate is worth at least, whatever the regression says: a mistake that can be nothing else, and of which the cases
//! have too few to learn from.

use super::Found;
use crate::distance::edits_within;
use crate::features::Feature;
use crate::features::extension::is_known;
use crate::rank::Ranked;
use crate::words::split_extension;

/// The name and its directory exist with an extension that is one slip from the asked one, which is no extension:
/// `Cargo.tml` is `Cargo.toml`. Above the bar to answer and below the one to act.
const EXTENSION_SLIP: f32 = 0.9;

/// Letters of the shorter extension. Of two letters nearly every extension is a slip of another: `rb` of `rs`.
const MIN_EXTENSION_LETTERS: usize = 3;

/// The least that the first candidate is worth.
pub(super) fn least(found: &Found<'_>, first: &Ranked) -> f32 {
    let target = &found.asked.targets[first.target];
    let asked = &found.asked.names[target.name];
    let path = first.path.as_bytes();
    let (directory, name) = match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (&b""[..], path),
    };
    let (stem, extension) = split_extension(name);
    let asked_directory = target.directories.iter().map(|segment| segment.text.as_str()).collect::<Vec<_>>().join("/");
    let is_slip = asked.extension.len().min(extension.len()) >= MIN_EXTENSION_LETTERS
        && !is_known(&asked.extension)
        && edits_within(asked.extension.as_bytes(), extension, 1) == Some(1);
    let has_rival = found.ranked[1..].iter().any(|other| other.get(Feature::StemStyle) > 0.0);
    let is_sure = is_slip && asked.stem.as_bytes() == stem && asked_directory.as_bytes() == directory && !has_rival;
    if is_sure { EXTENSION_SLIP } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use crate::testing::Tree;
    use crate::{Request, Status};

    #[track_caller]
    fn check(tree: &str, asked: &str, is_resolved: bool) {
        let answer = Tree::new(tree).ask(&Request::new(asked));
        assert_eq!(answer.status == Status::Resolved, is_resolved, "{asked}: {} {}", answer.confidence, answer.why);
    }

    #[test]
    fn resolves_slips_in_extensions() {
        let tree = "Cargo.toml\nsrc/lib.rs\nsrc/style.css\ndocs/guide.md";
        check(tree, "Cargo.tml", true);
        check(tree, "src/Cargo.tml", false);
        check(tree, "src/style.csv", false);
        check(tree, "src/lib.rb", false);
        check("Cargo.toml\nCargo.html\nsrc/lib.rs", "Cargo.tml", false);
    }
}
