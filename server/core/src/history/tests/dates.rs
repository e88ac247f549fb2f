//! Tests of dates and short ids.

use super::super::{day, short_id};

#[test]
fn formats_days() {
    let cases = [
        (0, "1970-01-01"),
        (86_399, "1970-01-01"),
        (86_400, "1970-01-02"),
        (-1, "1969-12-31"),
        (951_782_400, "2000-02-29"),
        (951_868_800, "2000-03-01"),
        (1_709_164_800, "2024-02-29"),
        (1_772_409_600, "2026-03-02"),
        (4_107_542_400, "2100-03-01"),
        (-2_208_988_800, "1900-01-01"),
    ];
    for (seconds, expected) in cases {
        assert_eq!(day(seconds), expected, "{seconds}");
    }
}

#[test]
fn shortens_ids() {
    let cases = [("1a2b3c4d5e6f", "1a2b3c4"), ("1a2b3c4", "1a2b3c4"), ("1a2", "1a2"), ("", "")];
    for (id, expected) in cases {
        assert_eq!(short_id(id), expected);
    }
}
