//! Words of data files and scripts that no rule reads, but that are paths by what the tree or git's history has.
//!
//! No knowledge of the tool is needed: a word with a directory and an ending that is the path of a file names that file, one
//! that was the path of a file names what became of it, and one that a single typo parts from a file is mistyped. A word of which
//! the tree and its history know nothing is not a literal. The languages of data files, scripts and configurations call it after
//! their own rules.

mod records;
mod scan;
mod stale;

use std::ops::Range;

use pathfinder_literals::path::{self, ancestors, extension, has_scheme, join, name, strip_parent_steps};
use pathfinder_literals::typo::is_typo;
use pathfinder_literals::{
    Checked, Code, LiteralKind, Lookup, Missing, Project, Reason, Resolution, Severity, Source, Verdict, Want,
    typo_findings,
};
use pathfinder_syntax::data::Node;
use rustc_hash::FxHashSet;

use crate::data_report::is_foreign;
use crate::data_values::tells_of_other_tree;
use crate::file_moves::FileMoves;
use crate::formats::is_dockerfile;
use crate::install_directories::InstallDirectories;
use crate::moved_directories::MovedDirectories;
use crate::other_times::is_of_other_time;
use crate::words;
pub(crate) use records::{is_joined_to, is_record, names_directory, tells_of_move};
use records::{is_left_out, is_made_directory, is_run, is_taken_to, lines_around};
pub(crate) use scan::{ends_with_output, ends_with_placeholder, is_output};
use scan::{names_of, words_of};
pub(crate) use stale::{check_moved, check_moved_in};

/// Words of one file that are looked up. A file with more is an inventory, which a program writes.
const MAX_WORDS: usize = 2_000;
/// Longest value in one line that is read: commands are shorter.
const MAX_VALUE_BYTES: usize = 1 << 10;
/// Longest word that is looked up; no path that people write is longer.
const MAX_WORD_BYTES: usize = 200;

/// Adds the words in these byte ranges of a file that are paths, unless another rule has read them.
pub(crate) fn check(
    source: &Source<'_>,
    project: &Project,
    found: &mut Vec<Checked>,
    kind: LiteralKind,
    ranges: impl IntoIterator<Item = Range<usize>>,
) {
    if is_foreign(source.path()) || is_of_other_time(source.path()) {
        return;
    }
    let offset = source.offset();
    let known: Vec<Range<usize>> = found.iter().map(|literal| literal.range.clone()).collect();
    let is_known = |word: &Range<usize>| known.iter().any(|other| other.start < word.end && word.start < other.end);
    let mut seen = FxHashSet::default();
    // A word that is the end of some path tells nothing of the others, but that of a line for a tool is a path.
    let is_one = kind.construct() == "directive";
    let is_broken = |(verdict, _): &Resolution| matches!(verdict, Verdict::Missing(_));
    // A long value in one line is a text or a program, which was written for another place.
    let is_short = |range: &Range<usize>| range.len() <= MAX_VALUE_BYTES || source.text()[range.clone()].contains('\n');
    let moves = project.index::<FileMoves>();
    let directory = working_directory(source);
    let has_lost = moves.has_lost_from(directory) && !words::matches_names_anywhere(source.path());
    let lost = |range| {
        let names = has_lost.then(|| names_of(source.text(), range)).into_iter().flatten();
        names.filter(|name| moves.stood_in(directory, &source.text()[name.clone()]))
    };
    let words = ranges.into_iter().filter(is_short);
    let directories = project.index::<MovedDirectories>();
    let installs = project.index::<InstallDirectories>();
    // A word without an ending is a path if it says that it is relative, as a part by `./`: lists of names look like directories.
    let is_path = |text: &str, is_all| has_ending(text) || text.starts_with("./") || is_all && text.starts_with('.');
    let whole = |word: Range<usize>| {
        let whole = moves.without_other_root(source, project, word.clone());
        (whole != word).then_some(whole)
    };
    let paths = |range: Range<usize>| {
        words_of(source.text(), range.clone(), installs, whole).filter_map(move |word| {
            let text = &source.text()[word.clone()];
            let is_path = is_path(text, word == range);
            (is_path || directories.may_name(text, directory)).then_some((word, is_path))
        })
    };
    let words =
        words.flat_map(|range| paths(range.clone()).chain(lost(range).map(|name| (name, true)))).take(MAX_WORDS);
    for (word, is_path) in words.filter(|(word, _)| source.wants(word) && seen.insert(word.start)) {
        let range = word.start + offset..word.end + offset;
        // The value of a variable can be a directory in another case.
        let before = &source.text()[..word.start];
        let has_variable =
            before.strip_suffix('/').is_some_and(|rest| !rest.is_empty() && !rest.ends_with(char::is_whitespace));
        let text = &source.text()[word.clone()];
        let of_directory =
            || directories.may_name(text, directory).then(|| directories.resolve(source, project, &word)).flatten();
        if !is_known(&range)
            && let Some((verdict, tried)) = if is_path {
                resolve_anywhere(source, project, text)
                    .or_else(|| resolve_moved(source, project, moves, &word).filter(|found| is_one || is_broken(found)))
                    .or_else(of_directory)
            } else {
                of_directory()
            }
            && !(has_variable && matches!(&verdict, Verdict::Missing(missing) if missing.code == Code::CaseMismatch))
        {
            found.push(Checked { kind, range, verdict, tried });
        }
    }
}

/// The directory from which the words of a file are read. GitHub runs workflows and actions in the root.
pub(crate) fn working_directory<'s>(source: &'s Source<'_>) -> &'s str {
    if source.path().starts_with(".github/") { "" } else { source.directory() }
}

/// Returns the byte ranges of all strings of a document.
pub(crate) fn strings_of(root: &Node<'_>) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut rest = vec![root];
    while let Some(node) = rest.pop() {
        match node {
            Node::Text(text) => ranges.push(text.range.clone()),
            Node::List(items) => rest.extend(items),
            Node::Map(entries) if tells_of_other_tree(entries) => {}
            Node::Map(entries) => {
                // A schema names itself.
                for (key, value) in entries.iter().filter(|(key, _)| key.text != "$id") {
                    // A table of redirects has old names as keys.
                    if !value.str().is_some_and(|text| is_path_like(text) && has_ending(text)) {
                        ranges.push(key.range.clone());
                    }
                    rest.push(value);
                }
            }
            Node::Other(_) => {}
        }
    }
    ranges
}

/// Returns whether a word has the form of a relative path with a directory, or says that it is relative.
pub(crate) fn is_path_like(word: &str) -> bool {
    let is_relative = || !word.starts_with(['/', '-', '@']) && !word.contains("//") && !has_scheme(word);
    let is_path = || matches!((path::count_names(word), word.starts_with("./")), (2.., _) | (1, true));
    word.len() <= MAX_WORD_BYTES && word.contains('/') && is_relative() && is_path()
}

/// Returns whether a word is one name, of letters first.
fn is_name(word: &str) -> bool {
    word.len() <= MAX_WORD_BYTES && !word.contains('/') && word.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Returns whether a word is in a directory that it names from its own: `./scripts/build`.
fn is_below_own(word: &str) -> bool {
    word.strip_prefix("./").is_some_and(|rest| rest.trim_end_matches('/').contains('/'))
}

/// Returns whether a word ends as names of files do, or with one of the names without an ending that a tool gives to its file, maybe with a
/// typo.
pub(crate) fn has_ending(word: &str) -> bool {
    const NAMES: [&str; 5] = ["Dockerfile", "Jenkinsfile", "Makefile", "Procfile", "Vagrantfile"];
    let name = name(word);
    let has_ending = !name.starts_with('.') && extension(name).starts_with(|first: char| first.is_ascii_alphabetic());
    has_ending || is_dockerfile(name) || NAMES.iter().any(|known| *known == name || is_typo(name, known))
}

/// Returns the verdict on a word that is the path of a file, was one, or is one in another case or with a typo. Of a language that looks for
/// its files in several directories, a word that is the end of a path works.
pub(crate) fn resolve(source: &Source<'_>, project: &Project, word: &str) -> Option<Resolution> {
    let works = || strip_parent_steps(word).is_some_and(|tail| project.find_by_suffix(&tail).is_some());
    resolve_anywhere(source, project, word).filter(|(verdict, _)| matches!(verdict, Verdict::Found(_)) || !works())
}

/// Returns whether a file has one of these paths but for its ending.
pub(crate) fn is_module(project: &Project, paths: &[String]) -> bool {
    paths.iter().any(|path| project.find_with_extension(path).is_some())
}

/// As [`resolve`], for a word that is read from one working directory.
fn resolve_anywhere(source: &Source<'_>, project: &Project, word: &str) -> Option<Resolution> {
    let directory = working_directory(source);
    let paths = ancestors(directory).filter_map(|directory| join(directory, word)).map(Some);
    let want = if has_ending(word) { Want::File } else { Want::Any };
    let (verdict, tried) = Lookup::new(project, want).verdict(Severity::Warning, paths);
    let missing = match &verdict {
        Verdict::Found(_) => return Some((verdict, tried)),
        // A module is named without its ending.
        Verdict::Missing(_) if !has_ending(word) && is_module(project, &tried) => return None,
        Verdict::Missing(missing) => missing,
        // A tracked file can match a pattern of `.gitignore`, and so does its name with a typo.
        Verdict::Unknown(Reason::Ignored(_)) if typo_findings::is_mistyped(project, &tried) => {
            return Some((verdict, tried));
        }
        Verdict::Unknown(_) => return None,
    };
    // From another working directory the word works.
    let works_elsewhere = || strip_parent_steps(word).is_some_and(|tail| project.find_by_suffix(&tail).is_some());
    let Some(instead) = missing.instead.as_deref() else {
        if tried.iter().any(|path| project.tree().was_there(path)) && !works_elsewhere() {
            return Some((verdict, tried));
        }
        // An option can be written before its path without a space: `Mapi/x.proto=pkg`.
        let is_joined = word.starts_with(|first: char| first.is_ascii_uppercase())
            && ancestors(source.directory())
                .any(|at| join(at, &word[1..]).is_some_and(|path| project.tree().kind(&path).is_some()));
        // A directory is made as often as it is named.
        let is_near = || {
            if has_ending(word) || is_below_own(word) {
                typo_findings::is_mistyped(project, &tried)
            } else {
                word.starts_with("./") && typo_findings::is_mistyped_file(project, &tried)
            }
        };
        let is_mistyped = !is_joined && !is_left_out(source, word) && is_near() && !works_elsewhere();
        return is_mistyped.then_some((Verdict::Unknown(Reason::Elsewhere), tried));
    };
    // A word that has stood for long after the move is read from another directory, or names another file.
    let is_recent = missing.code == Code::MovedPath && project.index::<FileMoves>().have_any(&tried);
    let is_explained = match missing.code {
        Code::MovedPath => true,
        // Two words with a slash are a name more often than a directory in another case.
        Code::CaseMismatch => has_ending(word),
        _ => false,
    } && (extension(word) == extension(instead) || is_recent && is_same_kind(word, instead));
    // A text that names both paths records the move: redirects, lists of renames, a command that takes a file to a directory. A record of
    // today has them in neighbouring lines.
    let text = source.text();
    let at = word.as_ptr() as usize - text.as_ptr() as usize;
    let part = if is_recent { lines_around(text, at) } else { text };
    // The old path can end with the new one.
    let is_record = || {
        let is_named = part.replace(word, "").contains(instead) || is_taken_to(source, word, instead);
        is_named && !is_run(text, &(at..at + word.len()))
    };
    let is_left = || {
        let left = tried.iter().find(|path| project.index::<FileMoves>().was_moved(path));
        left.is_some_and(|from| is_left_behind(source, project, word, from, instead))
    };
    let is_told = is_explained && (!works_elsewhere() || is_recent && is_left());
    (is_told && !is_record() && !is_made_directory(source, word)).then_some((verdict, tried))
}

/// Returns the verdict on a word that a recent move broke wherever it is read: the end of a path that no file has any more, or the name of
/// one that stood beside the file.
fn resolve_moved(source: &Source<'_>, project: &Project, moves: &FileMoves, word: &Range<usize>) -> Option<Resolution> {
    let text = &source.text()[word.clone()];
    if !moves.may_name(text, source.directory()) {
        return None;
    }
    let (verdict, tried) = moves.resolve(source, project, word)?;
    let Verdict::Missing(Missing { instead: Some(instead), .. }) = &verdict else { return Some((verdict, tried)) };
    (!is_record(source, word, instead)).then_some((verdict, tried))
}

/// Returns whether the new path of a file has the ending of the old one, or its name up to the first dot, where no build makes one of the other:
/// `a.js` of `a.ts`, `a.conf` of `a.conf.in`.
pub(crate) fn is_same_kind(from: &str, to: &str) -> bool {
    const BUILT: [&str; 10] = ["a", "cjs", "css", "html", "js", "jsx", "map", "mjs", "o", "pdf"];
    // The kinds of a module. A build writes one for another into directories of its own.
    const SCRIPTS: [&str; 3] = ["cjs", "js", "mjs"];
    let old = extension(from);
    let is_script = |path: &str| SCRIPTS.contains(&extension(path).as_str());
    let stem = |path: &str| name(path).split('.').next().map(str::to_owned);
    let is_template = || name(to).strip_prefix(name(from)).is_some_and(|rest| rest.starts_with('.'));
    old == extension(to)
        || is_script(from) && is_script(to) && stem(from) == stem(to)
        || is_dockerfile(from) && is_dockerfile(to)
        || !BUILT.contains(&old.as_str()) && stem(from) == stem(to) && !is_template()
}

/// Returns whether a word that does not resolve, though paths end with it, led to a file until that moved. From its own directory it means no
/// namesake in another one. Where it is the end of the new path, that is the only one, and the text names no directory from which
/// it is one: that could be the working directory, or be joined to the word.
pub(crate) fn is_left_behind(source: &Source<'_>, project: &Project, word: &str, from: &str, to: &str) -> bool {
    let Some(tail) = strip_parent_steps(word) else { return false };
    let is_own = word.contains('/') && join(working_directory(source), word).is_some_and(|own| own == from);
    match to.strip_suffix(&tail).filter(|base| base.is_empty() || base.ends_with('/')) {
        Some(base) => {
            let base = name(base.trim_end_matches('/'));
            // A step from the working directory is joined to no other one.
            let is_free = word.starts_with("./") || !base.is_empty() && !names_directory(source.text(), base);
            is_free && (is_own || project.find_all_by_suffix(&tail, 2) == [to])
        }
        None => is_own,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    const TREE: &str = "data/new/list.txt\ndata/Icon.svg\nsrc/a.rs\nmoved data/list.txt data/new/list.txt";

    #[test]
    fn reads_words_that_are_files_or_were() {
        check(TREE, "x.toml", "files = [\"data/list.txt\"]\n", "toml.value data/list.txt → moved");
        check(TREE, "src/x.json", r#"{"run": "cat data/list.txt"}"#, "json.value data/list.txt → moved");
        check(TREE, "x.yml", "run: |\n  cat data/icon.svg\n", "yaml.value data/icon.svg → case-mismatch");
        check(TREE, "x.yml", "run: |\n  cat src/a.rs src/b.rs\n", "yaml.value src/a.rs → src/a.rs");
        check(TREE, "x.sh", "files=(\n  \"data/icon.svg\"\n)\n", "sh.path data/icon.svg → case-mismatch");
        check(TREE, "src/x.sh", "open \"$here/../data/list.txt\"\n", "sh.path ../data/list.txt → moved");
        check(TREE, "src/x.yml", "at: [../data/new, data/new]\n", "yaml.value ../data/new → data/new");
        check(TREE, "src/x.sh", "open \"${here}/data/list.txt\"\n", "sh.path data/list.txt → moved");
        check(TREE, "src/x.sh", "open \"${here}\"/data/list.txt\n", "sh.path data/list.txt → moved");
        check(TREE, "src/x.sh", "open \"${BUILD_DIR}/data/list.txt\"\n", "");
        check(TREE, "a.config.js", "x({ a: '<rootDir>/data/list.txt' })\n", "js.value data/list.txt → moved");
        check(TREE, "a.config.js", "x({ a: 'a>/data/list.txt', b: '<b c>/data/list.txt' })\n", "");
        let named = "images/a/Dockerfile\nmoved docker/a/Dockerfile images/a/Dockerfile";
        check(
            named,
            "Jenkinsfile",
            "docker build -f docker/a/Dockerfile .\n",
            "words.path docker/a/Dockerfile → moved",
        );
        check(TREE, "x.toml", "file = \"./x.toml\"\n", "toml.value ./x.toml → x.toml");
        // One of the old path and the new one ends with the other.
        check(
            "list.txt\nmoved data/list.txt list.txt",
            "x.yml",
            "a: data/list.txt\n",
            "yaml.value data/list.txt → moved",
        );
        let below = "in/data/list.txt\nmoved data/list.txt in/data/list.txt";
        check(below, "x.yml", "a: data/list.txt\n", "yaml.value data/list.txt → moved");
        check(below, "x.yml", "a: cd in && cat data/list.txt\n", "");
        check(below, "in/x.yml", "a: data/list.txt\n", "yaml.value data/list.txt → in/data/list.txt");
        // Another ending, which a build makes of the new one or not.
        let ending =
            "src/x.cpp\nsrc/y.ts\nsrc/z.c\nmoved src/x.c src/x.cpp\nmoved src/y.js src/y.ts\nmoved src/w.h src/z.c";
        check(ending, "x.toml", "a = ['src/x.c', 'src/y.js', 'src/w.h']\n", "toml.value src/x.c → moved");
        // A file that names the new path elsewhere.
        let apart = format!("a: data/list.txt\n{}b: data/new/list.txt\n", "c: d\n".repeat(5));
        let both = "yaml.value data/list.txt → moved\nyaml.value data/new/list.txt → data/new/list.txt";
        check(TREE, "x.yml", &apart, both);
        // Endings in capitals stay.
        check("src/y.GIF\nmoved src/x.PNG src/y.GIF", "x.toml", "a = 'src/x.PNG'\n", "");
        // GitHub runs its files in the root.
        let moved = ".github/ci/a.sh\nmoved ci/a.sh .github/ci/a.sh";
        check(moved, ".github/actions/x/action.yml", "a: sh ci/a.sh\n", "yaml.value ci/a.sh → moved");
        check(moved, ".github/x.sh", "sh ci/a.sh\n", "sh.path ci/a.sh → .github/ci/a.sh");
        // A list has both paths of a move, but a command does not run the old one beside the new one.
        let moved = "ci/a.sh\ntools/a.sh\nmoved a.sh ci/a.sh";
        let run = |command: &str| format!("run: |\n  {command}\n  ./ci/a.sh\n");
        let now = "yaml.value ./ci/a.sh → ci/a.sh";
        let stale = format!("yaml.value ./a.sh → moved\n{now}");
        check(moved, ".github/workflows/x.yml", &run("X=1 Y='a -b' ./a.sh"), &stale);
        check(moved, ".github/workflows/x.yml", &run("sudo ./a.sh"), &stale);
        check(moved, ".github/workflows/x.yml", &run("git mv ./a.sh"), now);
    }

    #[test]
    fn reads_words_that_moves_broke_anywhere() {
        // A name that stood beside the file, the end of a path, and a namesake of a file that stood below its directory.
        let tree = "app/ui/a.cpp\napp/ui/b.cpp\nmoved app/a.cpp app/ui/a.cpp";
        check(
            tree,
            "app/x.pro",
            "SOURCES += a.cpp \\\n  ui/b.cpp\n",
            "words.path a.cpp → moved\nwords.path ui/b.cpp → app/ui/b.cpp",
        );
        check(tree, "app/x.pro", "VPATH = ui\nSOURCES += a.cpp\n", "");
        check(tree, "x.pro", "SOURCES += a.cpp\n", "");
        // A name alone matches in each directory.
        check(tree, "app/CODEOWNERS", "a.cpp @a\n", "");
        check(tree, "app/.eslintignore", "a.cpp\n", "");
        check(TREE, "x.sh", "cat \"$HERE/data/list.txt\"\n", "sh.path data/list.txt → moved");
        check(TREE, "x.yml", "a: $(Build.SourcesDirectory)/data/list.txt\n", "yaml.value data/list.txt → moved");
        // The directory of a container.
        let deep = "tools/run/a.py\nmoved tools/x/a.py tools/run/a.py";
        check(deep, "x/c.yml", "run: /home/me/tools/x/a.py\n", "yaml.value tools/x/a.py → moved");
        check(deep, "x/c.yml", "run: /home/me/tools/run/a.py\n", "yaml.value tools/run/a.py → tools/run/a.py");
        check(deep, "x/c.yml", "run: /home/me/tools/z/a.py\n", "");
        // A command that writes the old path from the new one.
        let copied = "doc/a.css\nmoved doc/html/a.css doc/a.css";
        check(copied, "doc/x.bat", "copy a.css html/a.css\n", "");
        check(copied, "doc/x.bat", "type html/a.css\n", "words.path html/a.css → moved");
        let ends = "in/data/new.txt\nmoved in/data/list.txt in/data/new.txt";
        check(ends, "x.toml", "a = 'data/list.txt'\n", "toml.value data/list.txt → moved");
        check(ends, "x.toml", "a = 'data/list.txt'\n# in/data/new.txt\n", "");
        let own = "a/src/b.ts\nc/src/a.ts\nmoved a/src/a.ts a/src/b.ts";
        check(own, "a/x.toml", "a = 'src/a.ts'\n", "toml.value src/a.ts → moved");
        check(own, "a/b/x.toml", "a = 'src/a.ts'\n", "");
    }

    #[test]
    fn reads_words_with_a_typo() {
        let tree = "tools/build.js\ntools/bundle.js\nsrc/main.js\nimages/Dockerfile";
        check(
            tree,
            "x.toml",
            "run = \"docker build -f images/Dockefile .\"\n",
            "toml.value images/Dockefile → missing",
        );
        check(tree, "x.toml", "run = \"node tools/biuld.js\"\n", "toml.value tools/biuld.js → missing");
        check(tree, "x.toml", "run = \"node tolos/build.js\"\n", "toml.value tolos/build.js → missing");
        check(tree, "x.toml", "run = \"node ./tools/biuld.js\"\n", "toml.value ./tools/biuld.js → missing");
        check(tree, "x.toml", "run = \"a --entry-path tools/biuld.js\"\n", "toml.value tools/biuld.js → missing");
        check(tree, "x.toml", "run = \"find . -not -path tools/biuld.js\"\n", "");
        check(tree, "webpack.config.js", "x({ entry: './src/mian.js' })\n", "js.value ./src/mian.js → missing");
        check(tree, "webpack.config.js", "x({ entry: './src/main.js' })\n", "js.value ./src/main.js → src/main.js");
        // Two files are as near; another word; a name that the project has; a file that names the other one too.
        check(tree, "x.toml", "run = \"node tools/buindle.js\"\n", "toml.value tools/buindle.js → missing");
        check(tree, "x.toml", "run = \"node tools/deploy.js\"\n", "");
        check(tree, "x.toml", "at = './tols'\n", "");
        check("tools/run\nstart_all", "x.sh", "sudo ./start_al\n", "sh.path ./start_al → missing");
        check(tree, "x.toml", "run = \"node src/build.js\"\n", "");
        check(tree, "x.toml", "run = \"Mtools/build.js=x\"\n", "");
        check(
            tree,
            "x.toml",
            "from = \"tools/biuld.js\"\nto = \"tools/build.js\"\n",
            "toml.value tools/biuld.js → unknown elsewhere\ntoml.value tools/build.js → tools/build.js",
        );
        check(tree, "src/a.js", "x({ entry: './src/mian.js' })\n", "");
        let long = format!("x({{ entry: './src/mian.js' }})\n{}", "// \n".repeat(20_000));
        check(tree, "webpack.config.js", &long, "");
    }

    #[test]
    fn leaves_other_words_alone() {
        check(TREE, "x.toml", "files = [\"data/gone.txt\", \"list.txt\", \"data/old\"]\n", "");
        // A record of the move, a longer path, a pattern, a comment, a fixture, a command that removes it.
        check(
            TREE,
            "x.toml",
            "from = \"data/list.txt\"\nto = \"data/new/list.txt\"\n",
            "toml.value data/new/list.txt → data/new/list.txt",
        );
        check(TREE, "x.yml", "at: https://x.org/data/list.txt\n", "");
        check(TREE, "x.yml", "all: data/list.txt*\n", "");
        check(TREE, "x.yml", "# data/list.txt\na: b\n", "");
        check(TREE, "x.json", &format!("{{\"a\": \"{} data/list.txt\"}}", "x ".repeat(600)), "");
        check(TREE, "testdata/x.yml", "a: data/list.txt\n", "");
        // A plan, a task for one commit, a redirect.
        check(TREE, "docs/a/roadmap.json", "{\"a\": \"data/list.txt\"}", "");
        check(TREE, "roadmap.json", "{\"a\": \"data/list.txt\"}", "json.value data/list.txt → moved");
        check(TREE, "x.yml", &format!("- {}:\n    data/list.txt: [a]\n", "0a".repeat(20)), "");
        check(TREE, "x.json", "{\"source\": \"data/list.txt\", \"destination\": \"/b\"}", "");
        check(TREE, "x.sh", "rm -f data/list.txt\n", "");
        // A script that downloads a directory knows what is in it.
        check(TREE, "x.sh", "git clone https://x.org/data\ncat data/icon.svg\n", "");
        // Members of an archive, and a command that takes the file to where it is.
        let libraries = "lib/run/win/a.dll\nmoved lib/x64/a.dll lib/run/win/a.dll";
        check(libraries, "lib/x.sh", "load x64/a.dll\n", "sh.path x64/a.dll → moved");
        check(libraries, "lib/x.sh", "unzip -j a.zip x64/a.dll\n", "");
        check(libraries, "lib/x.sh", "extract x64/a.dll run/win/\n", "");
    }
}
