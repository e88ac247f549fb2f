//! Tables of failed paths and their readings.

#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes every string with them")]

mod absolute;
mod modules;
mod properties;
mod refused;
mod relative;
mod surroundings;

use std::fmt::Write;

use expect_test::Expect;

use super::{PathEnvironment, Reading, RootPaths, interpret};
use crate::request::Request;

/// An environment with one root.
fn environment() -> PathEnvironment {
    roots(&["/home/me/work/ripgrep"])
}

fn roots(absolute: &[&str]) -> PathEnvironment {
    let root = |text: &&str| RootPaths { absolute: vec![(*text).to_owned()] };
    PathEnvironment { roots: absolute.iter().map(root).collect(), cwd: None, home: Some("/home/me".to_owned()) }
}

/// Checks the readings of one path.
fn check(path: &str, environment: &PathEnvironment, expect: &Expect) {
    ask(&Request::new(path), environment, expect);
}

/// Checks the readings of several paths, each under its own line.
fn check_all(paths: &[&str], environment: &PathEnvironment, expect: &Expect) {
    let mut out = String::new();
    for path in paths {
        writeln!(out, "\"{}\"", path.escape_default()).expect("a string takes all");
        for line in lines(&interpret(&Request::new(*path), environment).expect("a path")) {
            writeln!(out, "  {line}").expect("a string takes all");
        }
    }
    expect.assert_eq(&out);
}

fn ask(request: &Request, environment: &PathEnvironment, expect: &Expect) {
    let found = interpret(request, environment).expect("a path");
    expect.assert_eq(&lines(&found).map(|line| line + "\n").collect::<String>());
}

fn lines(readings: &[Reading]) -> impl Iterator<Item = String> {
    readings.iter().map(|reading| {
        let notes: Vec<&str> = reading.notes.iter().map(|note| note.text()).collect();
        let path = visible(&reading.segments.join("/"));
        let mut line = format!("{:.2} {path} [{}]", reading.cost, notes.join("; "));
        if let Some(root) = reading.root {
            write!(line, " root {root}").expect("a string takes all");
        }
        let flags = [
            (reading.is_directory, " directory"),
            (reading.is_foreign, " foreign"),
            (reading.is_module, " module"),
            (reading.is_glob, " glob"),
            (reading.outside, " outside"),
        ];
        line.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, name)| name));
        line
    })
}

/// Shows invisible and look-alike characters by number.
fn visible(path: &str) -> String {
    let plain = |c: char| c.is_ascii() && !c.is_control();
    path.chars().map(|c| if plain(c) { c.to_string() } else { c.escape_unicode().to_string() }).collect()
}
