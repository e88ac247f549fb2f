//! Property tests: invariants of `interpret` for any input.

use proptest::prelude::*;

use super::{environment, roots};
use crate::query::{Note, PathEnvironment, Reading, interpret};
use crate::request::Request;

/// Pieces that treatments look for, in any order: far likelier to meet their edges than random characters.
fn messy() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-zA-Z0-9_.-]{1,6}",
        3 => proptest::sample::select(vec![
            "/", "\\", ".", "..", ":", "::", "#", "#L", "?", "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "`", " ",
            "\t", "\n", "%20", "%2F", "%", "$", "${", "~", "~/", "@/", "*", "**", ",", "C:", "file://", "at ", "File \"",
            "line 3", "](", "a/", "\u{200b}", "\u{2026}", "\u{2013}", "\u{ff0f}", "e\u{301}", "\\303\\251", "\u{1b}[", "://",
            "crate::", "//", "//?/", "wsl$/", "home/", "/mnt/c/", "no such file", " in ", "panicked at ", "#0 ", ":12",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 1..14).prop_map(|pieces| pieces.concat())
}

fn environments() -> Vec<PathEnvironment> {
    let nested = PathEnvironment { cwd: Some((0, "a/b".to_owned())), home: None, ..roots(&["/r/one", "C:\\r\\two"]) };
    vec![PathEnvironment::default(), environment(), nested]
}

fn interpret_path(path: &str, environment: &PathEnvironment) -> Option<Vec<Reading>> {
    let request =
        Request { from_file: Some("src/main.py".to_owned()), root_hint: Some("src".to_owned()), ..Request::new(path) };
    interpret(&request, environment).ok()
}

fn check_properties(path: &str, environment: &PathEnvironment) -> Result<(), TestCaseError> {
    let Some(found) = interpret_path(path, environment) else { return Ok(()) };
    prop_assert!(!found.is_empty() && found.len() <= 16, "{path:?}: {} readings", found.len());
    prop_assert!(found.is_sorted_by(|a, b| a.cost <= b.cost), "{path:?}: not sorted");
    for reading in &found {
        prop_assert!((0.0..=1.0).contains(&reading.cost), "{path:?}: {reading:?}");
        prop_assert!(!reading.notes.is_empty(), "{path:?}: {reading:?}");
        let as_written = reading.notes.contains(&Note::AsWritten);
        prop_assert!(!as_written || reading.notes.len() == 1, "{path:?}: {reading:?}");
        for segment in &reading.segments {
            let clean = !segment.is_empty() && segment != "." && segment != ".." && !segment.contains('/');
            prop_assert!(clean && !segment.contains('\0'), "{path:?}: {reading:?}");
        }
    }
    // A reading that is interpreted again stays as it is.
    for reading in &found {
        let joined = reading.segments.join("/");
        // A base in front can make it longer than the limit.
        if is_plain(reading) && joined.len() <= 8192 {
            let again = interpret_path(&joined, &PathEnvironment::default()).unwrap_or_default();
            prop_assert_eq!(&again[0].segments, &reading.segments, "{:?} -> {:?}", path, joined);
            prop_assert_eq!(&again[0].notes, &vec![Note::AsWritten]);
        }
    }
    Ok(())
}

/// Returns whether the segments contain only plain characters.
fn is_plain(reading: &Reading) -> bool {
    !reading.segments.is_empty()
        && reading
            .segments
            .iter()
            .all(|segment| segment.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b)))
}

proptest! {
    #[test]
    fn accepts_any_text(path in any::<String>()) {
        for environment in environments() {
            check_properties(&path, &environment)?;
        }
    }

    #[test]
    fn accepts_messy_text(path in messy()) {
        for environment in environments() {
            check_properties(&path, &environment)?;
        }
    }

    #[test]
    fn keeps_clean_paths_as_written(segments in proptest::collection::vec("[a-z0-9_][a-zA-Z0-9_.-]{0,8}", 1..8)) {
        let found = interpret_path(&segments.join("/"), &environment()).unwrap_or_default();
        prop_assert_eq!(&found[0].segments, &segments);
        prop_assert_eq!(&found[0].notes, &vec![Note::AsWritten]);
        prop_assert!(found[0].cost.abs() < f32::EPSILON);
    }
}

/// The longest input of each kind that could take more than linear time.
#[test]
fn reads_hostile_text_in_linear_time() {
    let longest = 8192;
    let unit = [
        "a/", "((", "[", "{a,", "..", "../", "a/b/", ":1", "%41", "\\", "\\ ", "\"", "](", "::a", ".a", " in ", "*",
        "at (", "\u{200b}", "#L1",
    ];
    let start = std::time::Instant::now();
    for unit in unit {
        let path = unit.repeat(longest / unit.len());
        for environment in environments() {
            check_properties(&path, &environment).expect("every property holds");
        }
    }
    // Unoptimised and on a busy machine; a quadratic step would take minutes.
    assert!(start.elapsed().as_secs() < 20, "took {:?}", start.elapsed());
}
