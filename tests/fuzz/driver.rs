//! Runs one fuzz target. The packages that have targets include this file as a test module.
//!
//! `cargo test` gives a target every file of `tests/fuzz/corpus/NAME` and then [`MUTATIONS`] mutated ones, the same in each run; more
//! with `PATHFINDER_FUZZ_MUTATIONS`, where no instrumented build is at hand.
//! `tests/fuzz/run` builds with `--cfg fuzzing`; then libFuzzer chooses the inputs by the code that they reach.

use std::path::{Path, PathBuf};

/// Mutated inputs per target in `cargo test`: about a second for the slowest target in a debug build.
#[cfg(not(fuzzing))]
const MUTATIONS: usize = 2_000;

/// Edits per mutated input: more than a handful leaves nothing of the original that a parser would follow.
#[cfg(not(fuzzing))]
const MAX_EDITS: usize = 6;

/// The longest range that one edit removes or repeats, in bytes.
#[cfg(not(fuzzing))]
const MAX_EDIT_BYTES: usize = 32;

/// Pieces that parsers treat in a special way; an edit inserts one of them as often as a random byte.
#[cfg(not(fuzzing))]
const TOKENS: [&[u8]; 24] = [
    b"\"",
    b"'",
    b"\\",
    b"/",
    b"../",
    b"./-",
    b"\n",
    b"\r\n",
    b"\0",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b":",
    b"\xff",
    b"\xf0\x9f\x98\x80",
    b"\\ud83d",
    b"\\u0000",
    b"99999999999999999999",
    b"-1",
    b"null",
    b"\xe2\x80\xae",
];

/// Gives `target` inputs: the corpus of that name and `seeds`, which are inputs that are made rather than written, and mutations of
/// both. The target panics where something is wrong.
#[cfg(not(fuzzing))]
pub(crate) fn run(name: &str, seeds: Vec<Vec<u8>>, target: fn(&[u8])) {
    let corpus = [read_corpus(name), seeds].concat();
    assert!(!corpus.is_empty(), "tests/fuzz/corpus/{name} holds no input");
    for input in &corpus {
        target(input);
    }
    let mut random = fastrand::Rng::with_seed(1);
    let wanted = std::env::var("PATHFINDER_FUZZ_MUTATIONS").ok().and_then(|count| count.parse().ok());
    for _ in 0..wanted.unwrap_or(MUTATIONS) {
        target(&mutate(&corpus, &mut random));
    }
}

/// Gives `target` inputs of libFuzzer, until that ends the process. `PATHFINDER_FUZZ_CORPUS` is the
/// directory that it begins with, `PATHFINDER_FUZZ_OPTIONS` are its other arguments.
#[cfg(fuzzing)]
pub(crate) fn run(name: &str, seeds: Vec<Vec<u8>>, target: fn(&[u8])) {
    let directory = PathBuf::from(std::env::var_os("PATHFINDER_FUZZ_CORPUS").expect("tests/fuzz/run names the corpus"));
    for (at, input) in [read_corpus(name), seeds].concat().iter().enumerate() {
        std::fs::write(directory.join(format!("seed-{at}")), input).expect("the corpus can be written");
    }
    let options = std::env::var("PATHFINDER_FUZZ_OPTIONS").unwrap_or_default();
    let words = options.split_whitespace().map(str::to_owned).chain([directory.display().to_string()]);
    pathfinder_fuzz_engine::run(target, &words.collect::<Vec<_>>())
}

/// The files of one target's corpus, in the order of their names; none if there is no such directory.
fn read_corpus(name: &str) -> Vec<Vec<u8>> {
    let is_corpus =
        |directory: &Path| Some(directory.join("tests/fuzz/corpus").join(name)).filter(|path| path.is_dir());
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find_map(is_corpus);
    let Some(directory) = directory else { return Vec::new() };
    let entries = directory.read_dir().expect("the corpus can be listed");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("an input")).collect()
}

/// One input of the corpus with a few edits.
#[cfg(not(fuzzing))]
fn mutate(corpus: &[Vec<u8>], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = corpus[random.usize(..corpus.len())].clone();
    for _ in 0..random.usize(1..=MAX_EDITS) {
        let start = random.usize(..=bytes.len());
        let end = bytes.len().min(start + random.usize(..MAX_EDIT_BYTES));
        match random.u8(..6) {
            0 => drop(bytes.drain(start..end)),
            1 => bytes.truncate(start),
            2 => {
                let repeated = bytes[start..end].to_vec();
                bytes.splice(start..start, repeated.repeat(random.usize(1..4)));
            }
            3 => bytes.insert(start, random.u8(..)),
            4 => drop(bytes.splice(start..start, TOKENS[random.usize(..TOKENS.len())].iter().copied())),
            _ => {
                let other = &corpus[random.usize(..corpus.len())];
                let from = random.usize(..=other.len());
                let to = other.len().min(from + random.usize(..MAX_EDIT_BYTES));
                bytes.splice(start..end, other[from..to].iter().copied());
            }
        }
    }
    bytes
}
