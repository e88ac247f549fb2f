//! `Sample`: the text of one language, from `samples.txt`, made as long as is wanted.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One line in so many names a path: code that people write has one in 30 to 200.
const SHARE: usize = 50;
/// Files that there are to be named; every tenth is not there.
const PARTS: usize = 400;

/// One language.
#[derive(Default)]
pub(crate) struct Sample {
    pub(crate) path: &'static str,
    head: String,
    named: Vec<&'static str>,
    code: Vec<&'static str>,
    end: String,
}

/// All of them.
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
    /// A text of so many lines: a quarter of what is named stands at the beginning, the rest between blocks of code.
    pub(crate) fn text(&self, lines: usize) -> String {
        let mut text = self.head.clone();
        let mut written = self.head.lines().count() + self.end.lines().count();
        let mut number = 0;
        let blocks = self.blocks();
        while written < lines {
            let due = lines / SHARE / 4 + written / SHARE * 3 / 4;
            number += 1;
            let block: &[&str] = if number <= due { &blocks[number % blocks.len()] } else { &self.code };
            // A block of code has a number of its own.
            let n = if number <= due { (number % PARTS).to_string() } else { (number + written).to_string() };
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

    /// What is named at a time: a line, or several of which all but the last end in a space.
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

/// The files that a sample names, and configuration that decides where literals lead. Only its own: a directory with
/// files of all languages is none that there is.
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
    for part in (0..PARTS).filter(|part| part % 10 != 0) {
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
