//! Reads the built-in tables of numbers: one `name value` per line, written by the programs that fit them.

/// The lines `name value` of a table; `#` begins a comment. Other lines are skipped: the tables are part of the program,
/// and a test reads every line of each.
pub fn lines(text: &str) -> impl Iterator<Item = (&str, f32)> {
    text.lines().filter_map(|line| {
        let mut columns = line.split('#').next()?.split_whitespace();
        Some((columns.next()?, columns.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn reads_names_and_values() {
        let text = "# name  value\n\na 1.5  # of this\n  b   -2 3\nc\nd much\n";
        assert_eq!(lines(text).collect::<Vec<_>>(), [("a", 1.5), ("b", -2.0)]);
    }
}
