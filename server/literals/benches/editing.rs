//! How long an editor waits: one edit in a file of 20,000 lines, and one rename in a project of 20,000 files.
//!
//! `cargo bench -p pathfinder-literals --bench editing` prints medians and 95th percentiles in milliseconds. The files are
//! made: every hundredth line names a path, as in code that is mostly code.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pathfinder_literals::{Document, Kind, Mentions, Moved, Project, Tree};

/// Lines of the file that is edited.
const LINES: usize = 20_000;
/// Edits that are measured.
const EDITS: usize = 200;
/// Files of the project in which something is renamed.
const FILES: usize = 20_000;

/// A tree in memory.
#[derive(Default)]
struct Memory {
    texts: BTreeMap<String, String>,
    directories: BTreeSet<String>,
    files: Vec<String>,
}

impl Memory {
    fn new(texts: BTreeMap<String, String>) -> Self {
        let directories =
            texts.keys().flat_map(|path| path.match_indices('/').map(|(at, _)| path[..at].to_owned())).collect();
        let files = texts.keys().cloned().collect();
        Self { texts, directories, files }
    }
}

impl Tree for Memory {
    fn kind(&self, path: &str) -> Option<Kind> {
        if path.is_empty() || self.directories.contains(path) {
            return Some(Kind::Directory);
        }
        self.texts.contains_key(path).then_some(Kind::File)
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let below = self.texts.range(prefix.clone()..).map_while(|(path, _)| path.strip_prefix(&prefix));
        below
            .map(|rest| rest.split('/').next().unwrap_or(rest).to_owned())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        self.texts.get(path).cloned()
    }

    fn files(&self) -> &[String] {
        &self.files
    }

    fn is_ignored(&self, _path: &str) -> bool {
        false
    }

    fn is_tracked(&self, _path: &str) -> Option<bool> {
        None
    }

    fn moved(&self, _path: &str) -> Option<Moved> {
        None
    }
}

/// Numbers that look random and are the same every time (Knuth's linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A file of a language: `path` lines name a path, the others are its code.
fn text(named: &dyn Fn(usize) -> String, code: &dyn Fn(usize) -> String) -> String {
    (0..LINES).map(|line| if line % 100 == 0 { named(line / 100) } else { code(line) }).collect()
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    println!("{what:28} p50 {:8.2} ms  p95 {:8.2} ms  max {:8.2} ms", at(50), at(95), at(100));
}

fn edits(path: &str, text: &str) {
    let mut texts: BTreeMap<String, String> = (0..200)
        .map(|n| (format!("src/part{n}.{}", path.rsplit('.').next().unwrap_or_default()), String::new()))
        .collect();
    texts.insert("src/Cargo.toml".to_owned(), "[package]\nname = 'a'\n".to_owned());
    texts.insert(path.to_owned(), text.to_owned());
    let project = Project::new(Arc::new(Memory::new(texts)));
    let mut document = Document::new(path, text);
    let start = Instant::now();
    let literals = document.check(&project).len();
    let whole = start.elapsed();
    let mut numbers = Numbers(7);
    let mut times = Vec::with_capacity(EDITS);
    // A letter is typed somewhere, and taken back: what an editor shows is broken in one place at most.
    for _ in 0..EDITS / 2 {
        let at = numbers.below(document.text().len());
        let at = document.text().floor_char_boundary(at);
        for (range, with) in [(at..at, "x"), (at..at + 1, "")] {
            let start = Instant::now();
            document.edit(range, with);
            document.check(&project);
            times.push(start.elapsed());
        }
    }
    report(&format!("{path} ({literals} literals)"), times);
    println!("{:28} {:12.2} ms", "    from scratch", whole.as_secs_f64() * 1e3);
}

fn rename() {
    let texts = (0..FILES).map(|n| {
        let links: Vec<String> =
            (1..=5).map(|k| format!("[x](../d{}/f{}.md)\n", (n + k * 37) % 200, (n * 7 + k) % FILES)).collect();
        (format!("docs/d{}/f{n}.md", n % 200), links.concat())
    });
    let tree = Arc::new(Memory::new(texts.collect()));
    let project = Project::new(tree.clone());
    let mut mentions = Mentions::default();
    let mut all = BTreeMap::new();
    for (path, text) in &tree.texts {
        let checked = Document::new(path, text.as_str()).check(&project);
        mentions.set(path, &checked);
        all.insert(path.clone(), checked);
    }
    let mut numbers = Numbers(7);
    let mut times = Vec::with_capacity(EDITS);
    let mut named = 0;
    for _ in 0..EDITS {
        let path = &tree.files[numbers.below(FILES)];
        let start = Instant::now();
        let mut files: Vec<String> = mentions.of(path).into_iter().map(str::to_owned).collect();
        files.extend(mentions.of(&format!("{path}.new.md")).into_iter().map(str::to_owned));
        mentions.remove(path);
        mentions.set(&format!("{path}.new.md"), &all[path]);
        times.push(start.elapsed());
        mentions.remove(&format!("{path}.new.md"));
        mentions.set(path, &all[path]);
        named += files.len();
    }
    report(&format!("rename among {FILES} files"), times);
    println!("    {:.1} files to check again on average", named as f64 / EDITS as f64);
}

fn main() {
    edits(
        "src/lib.rs",
        &text(&|n| format!("mod part{n};\n"), &|n| format!("fn f{n}(a: u32) -> u32 {{ a.wrapping_mul({n}) + 1 }}\n")),
    );
    edits(
        "src/a.ts",
        &text(&|n| format!("import {{ a{n} }} from './part{n}';\n"), &|n| {
            format!("export const f{n} = (a: number): number => a * {n} + 1;\n")
        }),
    );
    edits(
        "src/a.py",
        &text(&|n| format!("from .part{n} import a{n}\n"), &|n| format!("f{n} = lambda a: a * {n} + 1\n")),
    );
    edits(
        "src/a.c",
        &text(&|n| format!("#include \"part{n}.c\"\n"), &|n| format!("int f{n}(int a) {{ return a * {n} + 1; }}\n")),
    );
    edits(
        "src/a.md",
        &text(&|n| format!("[a](part{n}.md)\n\n"), &|n| format!("Line {n} has `code`, *words* and nothing else.\n")),
    );
    rename();
}
