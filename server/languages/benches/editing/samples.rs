//! `Sample`: text of one language, built from `samples.txt` in any length.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One line in so many has a literal. Hand-written code has one in 30 to 200.
const LINES_PER_LITERAL: usize = 50;
/// Number of target files. Every tenth does not exist.
const TARGET_COUNT: usize = 400;

/// The parts of the text of one language.
#[derive(Default)]
pub(crate) struct Sample {
    pub(crate) path: &'static str,
    head: String,
    named: Vec<&'static str>,
    code: Vec<&'static str>,
    end: String,
}

/// Returns the samples of all languages.
pub(crate) fn samples() -> Vec<Sample> {
    let mut all: Vec<Sample> = Vec::new();
    let mut part = "";
    for line in include_str!("samples.txt").lines().skip_while(|line| !line.starts_with("@@ ")) {
        if let Some(path) = line.strip_prefix("@@ ") {
            all.push(Sample { path, ..Sample::default() });
            part = "";
        } else if let Some(next) = line.strip_prefix("-- ") {
            part = next;
        } else if let Some(sample) = all.last_mut() {
            match part {
                "named" => sample.named.push(line),
                "code" => sample.code.push(line),
                "end" => _ = writeln!(sample.end, "{line}"),
                _ => _ = writeln!(sample.head, "{line}"),
            }
        }
    }
    all
}

impl Sample {
    /// Returns a text with a number of lines. A quarter of the literals is at the start, the rest between blocks of code.
    pub(crate) fn text(&self, lines: usize) -> String {
        let mut text = self.head.clone();
        let mut written = self.head.lines().count() + self.end.lines().count();
        let mut number = 0;
        let blocks = self.blocks();
        while written < lines {
            let due = lines / LINES_PER_LITERAL / 4 + written / LINES_PER_LITERAL * 3 / 4;
            number += 1;
            let block: &[&str] = if number <= due { &blocks[number % blocks.len()] } else { &self.code };
            // Each block of code has its own number.
            let n = if number <= due { (number % TARGET_COUNT).to_string() } else { (number + written).to_string() };
            for line in block {
                _ = writeln!(text, "{}", line.replace("{n}", &n));
            }
            if number > due {
                number -= 1;
            }
            written += block.len();
        }
        text + &self.end
    }

    /// Returns the blocks with literals: a line, or several lines of which all but the last end in a space.
    fn blocks(&self) -> Vec<Vec<&'static str>> {
        let mut blocks = vec![Vec::new()];
        for line in &self.named {
            blocks.last_mut().expect("one at least").push(*line);
            if !line.ends_with(' ') {
                blocks.push(Vec::new());
            }
        }
        blocks.retain(|block| !block.is_empty());
        blocks
    }
}

/// Returns the target files of a sample, and configuration that decides where literals lead. It has only files of the sample's
/// language, because directories with files of all languages do not occur.
pub(crate) fn files(sample: &Sample) -> BTreeMap<String, String> {
    const ENDINGS: [&str; 33] = [
        "adoc", "bzl", "c", "cmake", "cs", "csproj", "css", "dart", "h", "hs", "html", "js", "json", "less", "lua",
        "md", "mk", "nix", "php", "png", "proto", "py", "rb", "rs", "rst", "scss", "sh", "tex", "toml", "ts", "txt",
        "yaml", "zig",
    ];
    let own = sample.path.rsplit('.').next().unwrap_or_default();
    let is_named = |ending: &str| {
        let ends = |line: &&str| line.contains(&format!("}}.{ending}"));
        ending == own || sample.named.iter().any(ends)
    };
    let endings: Vec<&str> = ENDINGS.into_iter().filter(|ending| is_named(ending)).collect();
    let mut texts = BTreeMap::new();
    for part in (0..TARGET_COUNT).filter(|part| part % 10 != 0) {
        for ending in &endings {
            texts.insert(format!("src/part{part}.{ending}"), String::new());
        }
        match own {
            "java" | "kt" | "scala" => {
                let text = format!("package src.part{part};\nclass Found {{}}\n");
                texts.insert(format!("src/part{part}/Found.java"), text);
            }
            "go" => _ = texts.insert(format!("src/part{part}/x.go"), format!("package part{part}\n")),
            "py" => _ = texts.insert(format!("pkg/part{part}.py"), String::new()),
            "gradle" | "xml" | "toml" | "tf" => _ = texts.insert(format!("src/part{part}/Cargo.toml"), String::new()),
            _ => {}
        }
    }
    for (path, text) in [
        ("src/Cargo.toml", "[package]\nname = 'a'\n"),
        ("go.mod", "module example.com/x\n"),
        ("pkg/__init__.py", ""),
        ("src/__init__.py", ""),
        ("package.json", "{\"name\": \"x\"}"),
    ] {
        texts.insert(path.to_owned(), text.to_owned());
    }
    texts
}
