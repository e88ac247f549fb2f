//! Trees that are too large to be written out: `trees/NAME.txt`, in a shorthand that says what repeats.
//!
//! A line is `DIRECTORIES: NAMES` (names with spaces between them, `.` is the root) or `FILE = CONTENTS`, also of a file
//! that was named before. `{a,b}` is each of them in turn; `%` in a name is the name of its directory. A file named
//! twice is an error in the shape, and stops the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Each file with its contents.
pub(crate) struct Shape(BTreeMap<String, String>);

impl Shape {
    #[track_caller]
    pub(crate) fn read(name: &str) -> Self {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ranking/trees").join(name);
        let text = fs::read_to_string(place.with_extension("txt")).unwrap();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let (with_contents, listed): (Vec<_>, Vec<_>) = lines.partition(|line| line.contains(" = "));
        let mut files = BTreeMap::new();
        for line in listed {
            let (directories, names) = line.split_once(": ").unwrap_or_else(|| panic!("{name}.txt: {line}"));
            for directory in expanded(directories) {
                let own = directory.rsplit('/').next().unwrap();
                for name in names.split_whitespace().flat_map(expanded) {
                    let name = name.replace('%', own);
                    let path = if directory == "." { name } else { format!("{directory}/{name}") };
                    assert!(files.insert(path.clone(), String::new()).is_none(), "{path} is named twice");
                }
            }
        }
        let contents = with_contents.iter().map(|line| line.split_once(" = ").unwrap());
        files.extend(contents.map(|(path, contents)| (path.to_owned(), contents.to_owned())));
        Self(files)
    }

    /// As `Tree` reads it.
    pub(crate) fn text(&self) -> String {
        let lines = self.0.iter().map(|(path, contents)| match contents.as_str() {
            "" => format!("{path}\n"),
            contents => format!("{path} = {contents}\n"),
        });
        lines.collect()
    }

    fn directories(&self) -> BTreeSet<&str> {
        self.0.keys().flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..at])).collect()
    }
}

/// `a{b,c{d,e}}` as `ab`, `acd`, `ace`.
fn expanded(text: &str) -> Vec<String> {
    let Some(open) = text.find('{') else { return vec![text.to_owned()] };
    let mut depth = 0;
    let mut choices = vec![open + 1];
    for (at, letter) in text.bytes().enumerate().skip(open) {
        match letter {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 1 => choices.push(at + 1),
            _ => {}
        }
        if depth == 0 {
            choices.push(at + 1);
            break;
        }
    }
    let (before, rest) = (&text[..open], expanded(&text[*choices.last().unwrap()..]));
    let inner = choices.windows(2).flat_map(|edge| expanded(&text[edge[0]..edge[1] - 1]));
    inner.flat_map(|choice| rest.iter().map(move |rest| format!("{before}{choice}{rest}"))).collect()
}

#[test]
fn braces_are_each_of_them() {
    assert_eq!(expanded("a{b,c{d,e}}f{g,}"), ["abfg", "abf", "acdfg", "acdf", "acefg", "acef"]);
    assert_eq!(expanded("plain"), ["plain"]);
}

/// The original's figures.
#[test]
fn the_monorepo_is_of_the_original_shape() {
    let shape = Shape::read("monorepo");
    let directories = shape.directories();
    assert_eq!((shape.0.len(), directories.len()), (3_261, 628));
    assert_eq!(shape.0.keys().filter(|path| path.ends_with("/client.go")).count(), 8);
    let both: Vec<_> = directories.iter().filter(|path| shape.0.contains_key(**path)).collect();
    assert!(both.is_empty(), "files and directories at once: {both:?}");
    for there in ["cmd/server/main.go", "devstack/README.md", "internal/config.go", "packages/resolver-go/go.mod"] {
        assert!(shape.0.contains_key(there), "{there}");
    }
    for there in ["domain/knowledge", "domain/llm", "domain/pipeline", "infra/llamacpp", "infra/openaihttp"] {
        assert!(directories.contains(format!("internal/{there}").as_str()), "internal/{there}");
    }
}
