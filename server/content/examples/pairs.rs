//! Reads questions and their code from a repository, to train word vectors: `pairs OUT GIT`; see `models/README.md`.
//!
//! Writes OUT.words, one a line; OUT.docs, a text after the other as numbers (counts of the words of the path, the name and the body, then
//! these words); OUT.queries (kind, number of the text, count, words). Words are stems, each once, without stop words, letters and numbers.
//! Kinds: 1 comment of a declaration, 2 its name, 3 title of a test, 4 subject of a commit, with the declaration of a changed file that
//! shares most words with it, 5 heading of a section, 6 comment of a file, with the names that it declares.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "it runs git and reads its answers")]
#![allow(dead_code, unreachable_pub, reason = "it needs a part of the modules of the package")]

use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};

use comments::CommentLines;
use pathfinder_symbols::Symbol;
use stop_words::STOP_WORDS;
use terms::TermReader;

#[path = "../src/comments.rs"]
mod comments;
#[path = "../src/stop_words.rs"]
mod stop_words;
#[path = "../src/terms.rs"]
mod terms;

/// Words of a path, of all before the name, of a body, and of questions that are read.
const PATH_WORDS: usize = 10;
const NAME_WORDS: usize = 6;
const BODY_WORDS: usize = 56;
const QUERY_WORDS: usize = 20;
/// Lines of a body.
const BODY_LINES: usize = 45;
/// Files of a repository: of more, every second, third and so on.
const MAX_FILES: usize = 5000;
const CODE: &[&str] = &[
    "rs", "go", "py", "js", "jsx", "ts", "tsx", "mjs", "java", "kt", "kts", "scala", "c", "h", "cc", "cpp", "cxx",
    "hpp", "hh", "cs", "rb", "php", "swift", "ex", "exs", "hs", "lua", "zig", "dart", "m", "vue", "svelte", "erl",
    "clj", "sh", "jl", "d", "elm", "ml",
];
const DOCUMENTS: &[&str] = &["md", "mdx", "rst"];
const LEFT_OUT: &[&str] = &[
    "/vendor/",
    "/third_party/",
    "/third-party/",
    "/node_modules/",
    "/dist/",
    "/generated/",
    "/testdata/",
    "/fixtures/",
    "/__fixtures__/",
    "/deps/",
    "/external/",
    ".min.",
    ".pb.",
    "_generated",
    "/locale/",
    "/locales/",
    "/snapshots/",
    "/__snapshots__/",
    "/compiled/",
    "zz_",
    "/changelog",
    "/changes",
];
const TESTS: &[&str] = &[
    "/test", "_test.", "_spec.", ".spec.", ".test.", "/spec", "tests/", "/e2e", "-tests/", "-test/", "test.", "tests.",
    "spec.",
];
/// Words with which a title of a test begins.
const TITLES: &[&str] = &[
    "it(",
    "test(",
    "it \"",
    "test \"",
    "it '",
    "test '",
    "TEST_CASE(",
    "SECTION(",
    "scenario",
    "Deno.test(",
    "context \"",
    "t.Run(",
];

/// Numbers of words, and what was read.
#[derive(Default)]
struct Pairs {
    numbers: HashMap<String, u32>,
    words: Vec<String>,
    reader: TermReader,
    docs: Vec<u32>,
    doc_count: u32,
    queries: Vec<u32>,
    /// Declarations of each file: number of the text, and all its words.
    of_file: HashMap<String, Vec<(u32, Vec<u32>)>>,
}

impl Pairs {
    /// Appends the words of a text, each once, up to a count.
    fn read(&mut self, text: &str, most: usize, into: &mut Vec<u32>) {
        let mut parts: Vec<&str> = Vec::new();
        terms::for_each_identifier(text, |_, identifier| terms::for_each_part(identifier, |part| parts.push(part)));
        for part in parts {
            let is_word = part.len() > 1 && !part.bytes().all(|byte| byte.is_ascii_digit());
            if !is_word || STOP_WORDS.binary_search(&&*part.to_lowercase()).is_ok() {
                continue;
            }
            let Some(stem) = self.reader.stem(part) else { continue };
            let next = self.words.len() as u32;
            let number = *self.numbers.entry(stem.to_owned()).or_insert(next);
            if number == next {
                self.words.push(stem.to_owned());
            }
            if into.len() < most && !into.contains(&number) {
                into.push(number);
            }
        }
    }

    fn words_of(&mut self, text: &str, most: usize) -> Vec<u32> {
        let mut words = Vec::new();
        self.read(text, most, &mut words);
        words
    }

    fn doc(&mut self, path: &[u32], name: &[u32], body: &[u32]) -> u32 {
        self.docs.extend([path, name, body].map(|field| field.len() as u32));
        self.docs.extend(path.iter().chain(name).chain(body));
        self.doc_count += 1;
        self.doc_count - 1
    }

    fn query(&mut self, kind: u32, doc: u32, words: &[u32]) {
        self.queries.extend([kind, doc, words.len() as u32]);
        self.queries.extend(words);
    }

    fn read_code(&mut self, path: &str, text: &str) {
        let lines: Vec<&str> = text.lines().collect();
        let mut follow = CommentLines::new(extension(path));
        let is_comment: Vec<bool> = lines.iter().map(|line| follow.is_comment(line)).collect();
        let path_words = self.words_of(&path_text(path), PATH_WORDS);
        let symbols = pathfinder_symbols::declared(path, text);
        self.read_head(&lines, &is_comment, &path_words, &symbols);
        let mut declared = Vec::new();
        for (at, symbol) in symbols.iter().enumerate() {
            let line = (symbol.line as usize).saturating_sub(1);
            let is_first = at == 0 || symbols[at - 1].line != symbol.line;
            if line >= lines.len() || !is_first {
                continue;
            }
            let end = end_of(&lines, &is_comment, line, &symbols[at + 1..]);
            let comment = comment_of(&lines, &is_comment, line, end, extension(path));
            let name = self.words_of(&symbol.name, NAME_WORDS);
            let mut body = Vec::new();
            self.read(&lines[line].replacen(&*symbol.name, " ", 1), BODY_WORDS, &mut body);
            for own in (line + 1..end).filter(|own| !comment.contains(own)) {
                self.read(lines[own], BODY_WORDS, &mut body);
            }
            if body.len() < 5 {
                continue;
            }
            let doc = self.doc(&path_words, &name, &body);
            if let Some(words) = prose(&lines[comment]).map(|text| self.words_of(&text, QUERY_WORDS))
                && words.len() >= 3
            {
                self.query(1, doc, &words);
            }
            if name.len() >= 2 && body.len() >= 8 {
                self.query(2, doc, &name);
            }
            declared.push((doc, [path_words.clone(), name, body].concat()));
        }
        self.of_file.insert(path.into(), declared);
    }

    /// Reads the comment that a file begins with, if it is not that of the first declaration.
    fn read_head(&mut self, lines: &[&str], is_comment: &[bool], path_words: &[u32], symbols: &[Symbol]) {
        let Some(start) = is_comment.iter().take(40).position(|is_comment| *is_comment) else { return };
        let end = start + is_comment[start..].iter().take_while(|is_comment| **is_comment).count();
        let first = symbols.iter().map(|symbol| symbol.line as usize).min().unwrap_or(0);
        if first <= end + 2 {
            return;
        }
        let mut names = Vec::new();
        for symbol in symbols {
            self.read(&symbol.name, BODY_WORDS, &mut names);
        }
        let Some(words) = prose(&lines[start..end]).map(|text| self.words_of(&text, QUERY_WORDS)) else { return };
        if words.len() >= 3 && names.len() >= 4 {
            let doc = self.doc(path_words, &[], &names);
            self.query(6, doc, &words);
        }
    }

    fn read_tests(&mut self, path: &str, text: &str) {
        let path_words = self.words_of(&path_text(path), PATH_WORDS);
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(words) = title(line.trim_start()).map(|title| self.words_of(title, 14)) else { continue };
            let mut body = Vec::new();
            for own in lines[at + 1..].iter().take(17) {
                if !own.trim().is_empty() && indent(own) <= indent(line) {
                    break;
                }
                self.read(own, 40, &mut body);
            }
            if words.len() >= 3 && body.len() >= 5 {
                let doc = self.doc(&path_words, &[], &body);
                self.query(3, doc, &words);
            }
        }
    }

    fn read_document(&mut self, path: &str, text: &str) {
        let path_words = self.words_of(&path_text(path), PATH_WORDS);
        let lines: Vec<&str> = text.lines().collect();
        let is_underline =
            |line: &str| line.len() > 2 && ["=", "-", "~", "^"].iter().any(|sign| line.replace(sign, "").is_empty());
        let is_heading = |at: usize| {
            if extension(path) == "rst" {
                lines.get(at + 1).is_some_and(|next| is_underline(next)) && lines[at].len() > 3
            } else {
                lines[at].starts_with('#')
            }
        };
        for at in (0..lines.len()).filter(|&at| is_heading(at)).take(40) {
            let words = self.words_of(lines[at], 14);
            let mut body = Vec::new();
            for own in (at + 1..lines.len()).take(39).take_while(|&own| !is_heading(own)) {
                self.read(lines[own], BODY_WORDS, &mut body);
            }
            if words.len() >= 2 && body.len() >= 12 {
                let doc = self.doc(&path_words, &[], &body);
                self.query(5, doc, &words);
            }
        }
    }

    fn read_commit(&mut self, commit: &str) {
        let mut lines = commit.lines().filter(|line| !line.is_empty());
        let Some(subject) = lines.next() else { return };
        let files: Vec<&str> = lines.collect();
        let lower = subject.to_lowercase();
        let is_routine = ["bump", "merge"].iter().any(|word| lower.starts_with(word))
            || ["release", "typo", "chore(deps"].iter().any(|word| lower.contains(word));
        if is_routine || files.len() > 8 {
            return;
        }
        let words = self.words_of(subject.split(" (#").next().unwrap_or(subject), 16);
        if words.len() < 3 {
            return;
        }
        let shared = |all: &[u32]| words.iter().filter(|word| all.contains(word)).count();
        let best = |file: &&str| {
            let declared = self.of_file.get(*file)?.iter().map(|(doc, all)| (shared(all), *doc));
            declared.filter(|one| one.0 > 0).max_by_key(|&(count, doc)| (count, u32::MAX - doc))
        };
        let docs: Vec<u32> = files.iter().filter_map(best).map(|one| one.1).take(2).collect();
        for doc in docs {
            self.query(4, doc, &words);
        }
    }
}

fn extension(path: &str) -> &str {
    path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |parts| parts.1)
}

/// Returns the stem and three directories of a path as words.
fn path_text(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |parts| parts.0);
    std::iter::once(stem).chain(parts.take(3)).collect::<Vec<_>>().join(" ").replace(['-', '.'], "_")
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the title of the test that begins at a line.
fn title(line: &str) -> Option<&str> {
    if TITLES.iter().any(|begin| line.starts_with(begin)) {
        let quote = line.find(['"', '\'', '`'])?;
        let rest = &line[quote + 1..];
        return rest.find(line[quote..].chars().next()?).map(|end| &rest[..end]);
    }
    let begins =
        ["def test_", "async def test_", "func Test", "fn ", "public void ", "void ", "fun ", "public async Task "];
    let rest = begins.iter().find_map(|begin| line.strip_prefix(begin))?;
    rest.split(['(', '<', ' ']).next()
}

/// Returns the line after a declaration: that of the next one which is no part of it, without what stands above that.
fn end_of(lines: &[&str], is_comment: &[bool], line: usize, later: &[Symbol]) -> usize {
    let most = lines.len().min(line + BODY_LINES);
    let starts = later.iter().map(|symbol| (symbol.line as usize).saturating_sub(1));
    let is_after = |at: &usize| *at > line && *at < most && indent(lines[*at]) <= indent(lines[line]);
    let Some(mut end) = starts.take_while(|at| *at < most).find(is_after) else { return most };
    while end > line + 1 && (is_comment[end - 1] || lines[end - 1].trim_start().starts_with(['@', '#'])) {
        end -= 1;
    }
    end
}

/// Returns the lines of a declaration's comment: above it and its attributes, or the first of its body.
fn comment_of(lines: &[&str], is_comment: &[bool], line: usize, end: usize, extension: &str) -> std::ops::Range<usize> {
    let is_attribute = |at: usize| {
        let text = lines[at].trim_start();
        !is_comment[at] && ["@", "#[", "[", "export", "template"].iter().any(|begin| text.starts_with(begin))
    };
    let mut bottom = line;
    while bottom > 0 && line - bottom < 4 && is_attribute(bottom - 1) {
        bottom -= 1;
    }
    let mut top = bottom;
    while top > 0 && bottom - top < 30 && is_comment[top - 1] {
        top -= 1;
    }
    let has_inside = ["py", "ex", "exs", "jl", "clj"].contains(&extension);
    if top < bottom || !has_inside {
        return top..bottom;
    }
    let from = (line + 1..end.min(line + 8)).find(|&at| is_comment[at]).unwrap_or(end);
    from..(from..end).find(|&at| !is_comment[at]).unwrap_or(end)
}

/// Returns the first sentences of a comment; `None` if it is a licence or no prose.
fn prose(lines: &[&str]) -> Option<String> {
    let mut text = String::new();
    for line in lines {
        let line = line.trim().trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '(');
        let line = line.trim_end_matches(|letter: char| "*/\"'-}#".contains(letter));
        let lower = line.to_lowercase();
        if text.is_empty() && ["copyright", "licens", "spdx"].iter().any(|word| lower.contains(word)) {
            return None;
        }
        if ["param", "return", "throws", "args", "arguments", "example", "see ", "since"]
            .iter()
            .any(|word| lower.starts_with(word))
        {
            if text.is_empty() {
                continue;
            }
            break;
        }
        if text.len() > if line.is_empty() { 30 } else { 240 } {
            break;
        }
        text.push(' ');
        text.push_str(line);
    }
    let letters = text.chars().filter(|letter| letter.is_alphabetic() || *letter == ' ').count();
    let all = text.chars().count();
    (all >= 15 && letters * 100 >= all * 80).then_some(text)
}

/// Returns hash and path of the files to read.
fn files(git: &str) -> io::Result<Vec<(String, String)>> {
    let listed = Command::new("git").args(["-C", git, "ls-tree", "-rlz", "HEAD"]).output()?.stdout;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let found: Vec<(String, String)> = listed
        .split('\0')
        .filter_map(|entry| {
            let (meta, path) = entry.split_once('\t')?;
            let meta: Vec<&str> = meta.split_whitespace().collect();
            let size: u64 = meta.get(3)?.parse().ok()?;
            let is_text = CODE.contains(&extension(path)) || DOCUMENTS.contains(&extension(path));
            let lower = format!("/{}", path.to_lowercase());
            let is_read =
                is_text && (200..200_000).contains(&size) && !LEFT_OUT.iter().any(|part| lower.contains(part));
            is_read.then(|| (meta[2].to_owned(), path.to_owned()))
        })
        .collect();
    let step = found.len().div_ceil(MAX_FILES).max(1);
    Ok(found.into_iter().step_by(step).collect())
}

fn main() -> io::Result<()> {
    let [out, git] = [1, 2].map(|at| std::env::args().nth(at).expect("OUT GIT"));
    let mut pairs = Pairs::default();
    let mut reader = Command::new("git")
        .args(["-C", &git, "cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut asked = reader.stdin.take().expect("piped");
    let mut answers = BufReader::new(reader.stdout.take().expect("piped"));
    for (hash, path) in files(&git)? {
        writeln!(asked, "{hash}")?;
        let mut header = String::new();
        answers.read_line(&mut header)?;
        let Some(size) = header.split_whitespace().nth(2).and_then(|size| size.parse::<usize>().ok()) else { continue };
        let mut bytes = vec![0; size + 1];
        answers.read_exact(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes[..size]);
        let is_data = bytes[..size].contains(&0) || size / text.lines().count().max(1) > 160;
        let head: String = text.chars().take(400).flat_map(char::to_lowercase).collect();
        if is_data || ["do not edit", "@generated", "autogenerated"].iter().any(|mark| head.contains(mark)) {
            continue;
        }
        let lower = format!("/{}", path.to_lowercase());
        if DOCUMENTS.contains(&extension(&path)) {
            pairs.read_document(&path, &text);
        } else if TESTS.iter().any(|part| lower.contains(part)) {
            pairs.read_tests(&path, &text);
        } else {
            pairs.read_code(&path, &text);
        }
    }
    drop(asked);
    reader.wait()?;
    let form = ["log", "--no-merges", "-n", "6000", "--no-renames", "--format=%x01%s", "--name-only", "HEAD"];
    let log = Command::new("git").args(["-C", &git, "-c", "core.quotePath=off"]).args(form).output()?.stdout;
    String::from_utf8_lossy(&log).split('\u{1}').for_each(|commit| pairs.read_commit(commit));
    let bytes = |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    std::fs::write(format!("{out}.docs"), bytes(&pairs.docs))?;
    std::fs::write(format!("{out}.queries"), bytes(&pairs.queries))?;
    std::fs::write(format!("{out}.words"), pairs.words.join("\n"))
}
