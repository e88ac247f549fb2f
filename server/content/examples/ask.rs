//! Asks questions of a directory: `ask DIRECTORY < questions.jsonl`, one answer per line, with features for fitting.
//!
//! For measuring the ranking alone. Lists files itself, so ignored files are included.

#![expect(clippy::print_stderr, reason = "its measurements go there")]
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "it reads files and the clock for itself")]

use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use pathfinder_content::{CommitSubjects, ContentChange, ContentIndex, ContentRoot, FileContent, TermReader, search};
use pathfinder_core::symbols::{SymbolChange, Symbols};
use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    let root = PathBuf::from(std::env::args().nth(1).expect("a directory"));
    let limit = std::env::args().nth(2).and_then(|limit| limit.parse().ok()).unwrap_or(150);
    let mut paths = Vec::new();
    list(&root, &mut paths)?;
    paths.sort();
    let start = Instant::now();
    let (mut index, mut symbols, mut reader) = (ContentIndex::default(), Symbols::default(), TermReader::default());
    let mut parse = std::time::Duration::ZERO;
    for batch in paths.chunks(256) {
        let (mut contents, mut declarations) = (Vec::new(), Vec::new());
        for path in batch {
            let name = path.strip_prefix(&root).expect("below").to_string_lossy().into_owned();
            let bytes = std::fs::read(path)?;
            let is_text =
                !bytes[..bytes.len().min(8000)].contains(&0) && bytes.len() <= pathfinder_content::MAX_TEXT_BYTES;
            let text = is_text.then(|| String::from_utf8_lossy(&bytes).into_owned());
            let before = Instant::now();
            let declared = text.as_deref().map_or_else(Vec::new, |text| pathfinder_symbols::declared(&name, text));
            parse += before.elapsed();
            contents.push(ContentChange::Read(Box::new(FileContent::read(
                &name,
                1,
                text.as_deref(),
                &declared,
                &mut reader,
            ))));
            declarations.push(SymbolChange::Read { file: name.into(), stamp: 1, symbols: declared });
        }
        index = index.apply(contents);
        symbols = symbols.apply(&declarations);
    }
    index = index.compact();
    symbols = symbols.compact();
    index.prepare();
    // A file of `git log --no-merges -n 4000 --format=%x01%s --name-only`.
    let log = std::env::args().nth(3).map(std::fs::read).transpose()?.unwrap_or_default();
    let log = String::from_utf8_lossy(&log).into_owned();
    let commits: Vec<(&str, Vec<String>)> = log
        .split('\u{1}')
        .filter_map(|commit| {
            let mut lines = commit.lines().filter(|line| !line.is_empty());
            Some((lines.next()?, lines.map(str::to_owned).collect()))
        })
        .collect();
    let before = Instant::now();
    let commits = commits.iter().map(|(subject, files)| (*subject, files.as_slice()));
    let subjects = CommitSubjects::build(commits, &|file| index.stamp(file).is_some());
    eprintln!("subjects {:?} {:?}", subjects.stats(), before.elapsed());
    let subjects = (!subjects.is_empty()).then_some(&subjects);
    eprintln!("{:?} {:?} parsing {parse:?}", index.stats(), start.elapsed());
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line?)?;
        let query = asked["query"].as_str().unwrap_or_default();
        let start = Instant::now();
        let answer = search(query, &[ContentRoot { index: &index, symbols: &symbols, subjects }], limit);
        let took = start.elapsed();
        let results: Vec<Value> = answer
            .files
            .iter()
            .map(|file| {
                let features: Vec<f32> = file.features.iter().map(|feature| feature.1).collect();
                json!({"path": file.path, "points": file.points, "line": file.line, "why": file.why, "features": features})
            })
            .collect();
        let missing = &answer.missing;
        let evidence: serde_json::Map<String, Value> =
            answer.evidence.iter().map(|&(name, value)| (name.to_owned(), json!(value))).collect();
        let answer = json!({"id": asked["id"], "query": query, "us": took.as_micros() as u64, "p": answer.probability,
            "fit": format!("{:?}", answer.fit), "missing": missing, "known": answer.known, "evidence": evidence, "results": results});
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

fn list(directory: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() && entry.file_name() != ".git" {
            list(&entry.path(), paths)?;
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
    Ok(())
}
