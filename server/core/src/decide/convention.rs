//! Prior of conventional names. Agents probe for names that many projects have; where such a file is missing, no file
//! is the right answer.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::difference::is_capitals;
use super::input::DecisionInput;
use crate::path;
use crate::rank::Ranked;
use crate::table;
use crate::words::split_extension;

/// Names of [`values`], in order. The first four are shares of repositories on a logarithmic scale, 0 where no two of those
/// that the table was learned from have it.
pub(super) const NAMES: [&str; 9] = [
    // Share of repositories that have a file of this name, ignoring case.
    "convention_name",
    // Share that has it in this place: at the root, or in a directory of that name.
    "convention_path",
    // Share that has a file of this stem.
    "convention_stem",
    // Share that has a file with the first candidate's name.
    "convention_first",
    // Prior of the first candidate's name less that of the requested name: a slip of a conventional name raises it.
    "convention_gain",
    // The requested name begins with a dot; its stem is in capitals; it has no extension.
    "asked_dot",
    "asked_capitals",
    "asked_plain",
    // Number of requested directories, in quarters.
    "asked_depth",
];

/// Numbers of repositories with `name` in any directory, `directory/name` in a directory of that name, `/name` at the
/// root, and `stem.*` with any extension. `*` is the number of all repositories.
static TABLE: LazyLock<FxHashMap<&str, f32>> = LazyLock::new(|| table::lines(include_str!("convention.txt")).collect());

/// Values of the signals in [`NAMES`].
pub(super) fn values(input: &DecisionInput<'_>, first: &Ranked) -> [f32; NAMES.len()] {
    let target = &input.query.targets[first.target];
    let name = &input.query.names[target.name];
    let path = first.path.as_bytes();
    let own = path::name(path);
    let query = name.text.to_lowercase();
    let directory = target.directories.last().map_or(String::new(), |segment| segment.text.to_lowercase());
    let flag = |yes: bool| f32::from(u8::from(yes));
    let first = share(&String::from_utf8_lossy(own).to_lowercase());
    [
        share(&query),
        share(&format!("{directory}/{query}")),
        share(&format!("{}.*", name.stem.to_lowercase())),
        first,
        (first - share(&query)).max(0.0),
        flag(name.text.starts_with('.')),
        flag(is_capitals(name.stem.as_bytes())),
        flag(split_extension(name.text.as_bytes()).1.is_empty()),
        (target.directories.len().min(4) as f32) / 4.0,
    ]
}

/// Share of the repositories, on a logarithmic scale.
fn share(key: &str) -> f32 {
    let total = TABLE.get("*").copied().unwrap_or(1.0);
    (1.0 + TABLE.get(key).copied().unwrap_or(0.0)).ln() / (1.0 + total).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_line_parses() {
        let text = include_str!("convention.txt");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.count(), TABLE.len(), "each name once");
        let total = TABLE["*"];
        assert!(TABLE.values().all(|&count| (2.0..=total).contains(&count)));
    }

    #[test]
    fn common_names_have_higher_shares() {
        assert!(share("readme.md") > share("utils.py"));
        assert!(share("/readme.md") > share("src/readme.md"));
        assert!(share("no-project-has-this.txt").abs() < f32::EPSILON);
    }
}
