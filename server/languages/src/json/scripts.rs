//! Checks the scripts of `package.json`: a command that runs a file of the package, or is one. So are those of `lint-staged`.
//!
//! npm runs every script in the directory of its `package.json`, so that a written path has one meaning. Commands before it in the same
//! script can change the directory or make the file, and a build writes programs without the extension of a source, or beside one.

use crate::data_report::{DataReport, has_variable};
use crate::json::kinds;
use crate::path_words::is_same_kind;
use pathfinder_literals::path::{extension, is_dynamic, join, name, parent};
use pathfinder_literals::{Lookup, Reason, SCRIPT_RUNNERS, Severity, Verdict, Want};
use pathfinder_syntax::data::{Node, Text};

/// Extensions of files that people write and run.
const SCRIPT_EXTENSIONS: [&str; 11] = ["bash", "cjs", "cts", "js", "jsx", "mjs", "mts", "py", "sh", "ts", "tsx"];
/// Directories of hand-written programs. What is missing from another one can be made by a build.
const SOURCE_DIRECTORIES: [&str; 9] =
    ["bin", "build-scripts", "scripts", "script", "src", "test", "tests", "tasks", "tools"];

/// Checks all scripts of a package.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    root.texts("scripts.*").chain(root.texts("lint-staged.**")).for_each(|text| check_script(report, text));
}

/// Checks the commands of a script up to the first that can change the directory or make files.
fn check_script(report: &mut DataReport<'_>, text: &Text) {
    // A text with escapes has other offsets in the file.
    let Some(written) = report.source.text().get(text.range.clone()).filter(|written| *written == text.text) else {
        return;
    };
    for command in written.split("&&") {
        let mut words = command.split_ascii_whitespace().skip_while(|word| is_setting(word));
        let first = words.next().unwrap_or_default();
        let is_interpreted = SCRIPT_RUNNERS.contains(&first);
        let path = if is_interpreted { program_of(words).unwrap_or_default() } else { first };
        let at = path.as_ptr() as usize - written.as_ptr() as usize;
        if is_file(path, is_interpreted) && path.contains('/') {
            check_file(report, text, at, path);
        } else {
            if is_interpreted && is_file(path, true) && is_known_name(report, path) {
                check_file(report, text, at, path);
            }
            // A program that is not known can do anything.
            return;
        }
    }
}

/// Returns the first argument of an interpreter that is no option. Some options have a value.
fn program_of<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    const WITH_VALUE: [&str; 5] = ["--experimental-loader", "--import", "--loader", "--require", "-r"];
    loop {
        let word = words.next()?;
        match word {
            _ if WITH_VALUE.contains(&word) => drop(words.next()),
            _ if word.starts_with('-') => {}
            _ => return Some(word),
        }
    }
}

/// Returns whether a name is, or was, that of a file beside the package: a build writes others.
fn is_known_name(report: &DataReport<'_>, name: &str) -> bool {
    let path = join(report.here(), name);
    path.is_some_and(|path| report.exists(&path) || report.project.tree().moved(&path).is_some())
}

/// Returns whether a word sets a variable of the command after it: `NODE_ENV=test`.
fn is_setting(word: &str) -> bool {
    matches!(word, "cross-env" | "env")
        || word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        })
}

/// Returns whether a word is the path of a script: a program alone is a path only if it begins with a dot.
fn is_file(word: &str, is_interpreted: bool) -> bool {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./+@".contains(&byte));
    is_plain
        && !is_dynamic(word)
        && !has_variable(word)
        && !word.starts_with(['/', '-'])
        && (is_interpreted || word.starts_with('.') && word.contains('/'))
        && SCRIPT_EXTENSIONS.contains(&extension(word).as_str())
}

fn check_file(report: &mut DataReport<'_>, text: &Text, at: usize, path: &str) {
    let start = text.range.start + at;
    let literal = Text { text: path.into(), range: start..start + path.len() };
    let Some(target) = join(report.here(), path) else {
        return report.unknown(kinds::PACKAGE_SCRIPT, &literal, Reason::Outside);
    };
    let is_made = !report.exists(&target) && can_be_made(report, &target);
    let answer = Lookup::new(report.project, Want::File).verdict(Severity::Warning, [Some(target)]);
    match &answer.0 {
        // A file that git moved is no output, but what was rewritten in another language can be.
        Verdict::Missing(missing)
            if is_made && missing.instead.as_deref().is_none_or(|to| !is_same_kind(path, to) && !is_source(path)) =>
        {
            let by = Reason::Produced("the package's build".to_owned());
            report.unknown(kinds::PACKAGE_SCRIPT, &literal, by);
        }
        _ => report.add(kinds::PACKAGE_SCRIPT, &literal, answer),
    }
}

/// Returns whether a script is in a language that builds read and do not write.
fn is_source(path: &str) -> bool {
    matches!(extension(path).as_str(), "cts" | "mts" | "ts" | "tsx")
}

/// Returns whether a build can make a missing script: it is in no directory of hand-written programs, or a source of its name is beside
/// it.
fn can_be_made(report: &DataReport<'_>, path: &str) -> bool {
    let own = path.strip_prefix(report.here()).unwrap_or(path);
    let stem = name(path).split('.').next().unwrap_or_default();
    let names = report.project.tree().names(parent(path));
    let has_source = names.iter().any(|other| other.split('.').next() == Some(stem));
    has_source || !parent(own).split('/').any(|directory| SOURCE_DIRECTORIES.contains(&directory))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn finds_files_that_scripts_run() {
        check(
            "bin/jest.js\npackages/a/scripts/build.mjs\npackages/a/scripts/lint.ts",
            "packages/a/package.json",
            r#"{"scripts": {
    "test": "../../bin/jest.js --watch",
    "old": "../../bin/jasmine.js",
    "build": "NODE_ENV=test node scripts/build.mjs && node ./scripts/copy.mjs && tsc && node scripts/after.js",
    "lint": "node scripts/lint.js && node dist/index.js",
    "out": "node ../../../tools/x.js",
    "other": "eslint src/a.js",
    "program": "node index.js; bash -c \"./scripts/x.sh\"",
    "computed": "node ./scripts/$npm_config_x.js"
}}"#,
            "json.package.script ../../bin/jest.js → bin/jest.js
             json.package.script ../../bin/jasmine.js → missing
             json.package.script scripts/build.mjs → packages/a/scripts/build.mjs
             json.package.script ./scripts/copy.mjs → missing
             json.package.script scripts/lint.js → unknown produced
             json.package.script dist/index.js → unknown produced
             json.package.script ../../../tools/x.js → unknown outside",
        );
        let moved = "scripts/a.js\nmoved a.js scripts/a.js";
        check(moved, "package.json", r#"{"scripts": {"a": "node ./a.js"}}"#, "json.package.script ./a.js → moved");
        let bare = r#"{"scripts": {"a": "node a.js && node ./b.js"}}"#;
        check(moved, "package.json", bare, "json.package.script a.js → moved");
        let renamed = "tools/a.mts\nmoved tools/a.ts tools/a.mts";
        let expect = "json.package.script tools/a.ts → moved";
        check(renamed, "package.json", r#"{"scripts": {"a": "tsx tools/a.ts"}}"#, expect);
        let rewritten = "src/a.ts\nmoved src/a.js src/a.ts";
        let expect = "json.package.script src/a.js → unknown produced";
        check(rewritten, "package.json", r#"{"scripts": {"a": "node src/a.js"}}"#, expect);
    }
}
