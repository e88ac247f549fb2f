//! Tables of measurements, and how they are written in Markdown.

use std::fmt::Write as _;

use serde::Serialize;

/// Measurements on one tree.
#[derive(Debug, Serialize)]
pub(crate) struct BenchTable<T> {
    pub(crate) files: usize,
    pub(crate) rows: Vec<Row<T>>,
}

/// Measurements of one program, or the reason why there are none.
#[derive(Debug, Serialize)]
pub(crate) struct Row<T> {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) measurement: Measurement<T>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Measurement<T> {
    Measured(T),
    Absent { absent: String },
}

impl<T> Row<T> {
    /// A row for a program that ran, or for one that could not.
    pub(crate) fn new<A>(name: String, asked: Result<A, String>, figures: impl FnOnce() -> T) -> Self {
        let measurement =
            asked.map_or_else(|absent| Measurement::Absent { absent }, |_| Measurement::Measured(figures()));
        Self { name, measurement }
    }
}

/// Writes tables of one kind as one Markdown table.
pub(crate) fn write_tables<T>(
    out: &mut String,
    columns: &[&str],
    tables: &[BenchTable<T>],
    cells: impl Fn(&T) -> Vec<String>,
) {
    let mut line = |cells: Vec<String>| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    line(columns.iter().map(|name| (*name).to_owned()).collect());
    line(vec!["---".to_owned(); columns.len()]);
    for table in tables {
        for row in &table.rows {
            let mut all = vec![grouped(table.files), row.name.clone()];
            match &row.measurement {
                Measurement::Measured(figures) => all.extend(cells(figures)),
                Measurement::Absent { absent } => all.push(absent.clone()),
            }
            // A row without measurements has a reason and empty cells.
            all.resize(columns.len(), String::new());
            line(all);
        }
    }
}

/// Formats a number with three significant digits, and at most three after the point.
pub(crate) fn short(number: f64) -> String {
    let digits = match number {
        _ if number >= 100.0 => 0,
        _ if number >= 10.0 => 1,
        _ if number >= 1.0 => 2,
        _ => 3,
    };
    format!("{number:.digits$}")
}

/// Formats a number with separators between thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{grouped, short};

    #[test]
    fn formats_numbers() {
        assert_eq!([0.0123, 1.234, 56.78, 1422.4].map(short), ["0.012", "1.23", "56.8", "1422"]);
        assert_eq!([5, 3_261, 1_000_000].map(grouped), ["5", "3,261", "1,000,000"]);
    }
}
