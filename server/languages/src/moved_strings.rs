//! Checks strings of programs that name a file which a recent commit moved: `open("data/list.txt")`.
//!
//! Any other string of a program can be anything, so that no rule reads it. One that is the path of a file, or ends as it does, until a
//! commit moved that file, says which file it means, in every language alike. What has stood so for long is a name of another place.
//! To look for strings costs a search for slashes; only those that end with two names of a moved file are looked up. A name alone
//! counts where a file of that name stood beside the program. The words of scripts and data files are asked here too.

mod candidates;

use std::ops::Range;

use memchr::memchr_iter;
use pathfinder_literals::path::{extension, name, parent};
use pathfinder_literals::report::is_vendored;
use pathfinder_literals::{Checked, Code, Language, LiteralKind, Project, Reason, Source, Verdict};

use crate::file_moves::FileMoves;
use crate::formats::is_read;
use crate::host_links::HostLinks;
use crate::install_directories::InstallDirectories;
use crate::jvm::full_names;
use crate::learned_references::LearnedReferences;
use crate::moved_addresses;
use crate::moved_directories::MovedDirectories;
use crate::moved_names::{KnownCalls, MovedNames};
use crate::moved_resources;
use crate::path_lists::PathLists;
use crate::path_words;
use crate::relative_names::RelativeNames;
use crate::shell::Shell;
use candidates::is_among_candidates;

/// Extensions of templates, which name files below directories that their engine or server searches.
const TEMPLATES: [&str; 25] = [
    "astro", "axaml", "cshtml", "eex", "ejs", "erb", "ftl", "haml", "hbs", "heex", "htm", "html", "j2", "jinja",
    "jinja2", "jsp", "leex", "liquid", "mustache", "njk", "pug", "slim", "tpl", "twig", "xaml",
];

/// Longest string that is read; no path that people write is longer.
const MAX_STRING_BYTES: usize = 200;
/// Strings of one file that are looked up. A file with more is a list that a program writes.
pub(crate) const MAX_STRINGS: usize = 200;

/// The strings of programs.
pub(crate) struct MovedStrings;

mod kinds {
    pathfinder_literals::literal_kinds! {
        /// String of a program that is, or was, the path of a file that a recent commit moved.
        STRING = "code.string";
        /// String of a program that names, without its ending, a file that a recent commit moved.
        NAME = "code.name";
        /// Full name of a type of the JVM that a recent commit moved, outside of an import.
        TYPE = "code.type";
        /// String of a template that is, or was, the path of a file that a recent commit moved.
        TEMPLATE = "template.string";
        /// Address, in a program or template, of a page of a site that a recent commit moved.
        ADDRESS = "code.address";
        /// Word of a file in a format without rules of its own that was the path of a file which a recent commit moved.
        WORD = "words.moved";
    }
}

impl Language for MovedStrings {
    fn name(&self) -> &'static str {
        "moved-strings"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        is_read(path)
    }

    fn checks_one_literal(&self) -> bool {
        true
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let moves = project.index::<FileMoves>();
        let directories = project.index::<MovedDirectories>();
        // Inputs of tests name files of other trees. A program that tests is code, however deep it stands.
        if moves.is_empty() || is_vendored(source.path()) || is_input(source.path()) {
            return;
        }
        let offset = source.offset();
        let directory = source.directory();
        let names = moves.has_lost_from(directory).then(|| find_names(source.text())).into_iter().flatten();
        let names = names.filter(|range| moves.stood_in(directory, &source.text()[range.clone()]));
        let may_name = |text: &str| {
            path_words::has_ending(text) && moves.may_name(text, directory) || directories.may_name(text, directory)
        };
        let strings = find_strings(source.text(), project.index::<InstallDirectories>())
            .filter(|range| may_name(&source.text()[range.clone()]))
            .map(|range| moves.without_other_root(source, project, range));
        // A page's text for people is none.
        let is_page = TEMPLATES.contains(&extension(source.path()).as_str());
        let kind = if is_page { kinds::TEMPLATE } else { kinds::STRING };
        let is_open = |string: &Range<usize>| {
            let before = &source.text()[..string.start];
            if is_page { !before.ends_with('>') } else { !is_in_comment(before) }
        };
        let strings = strings.chain(names).filter(is_open).take(MAX_STRINGS);
        for string in strings.filter(|string| source.wants(string) && !is_among_candidates(source, project, string)) {
            let range = string.start + offset..string.end + offset;
            let overlaps = |other: &Checked| other.range.start < range.end && range.start < other.range.end;
            let known = found.iter().position(overlaps);
            // A rule that can't read an expression leaves the names in it.
            let is_computed = |at: &usize| matches!(found[*at].verdict, Verdict::Unknown(Reason::Dynamic));
            if known.is_none_or(|at| is_computed(&at))
                && let Some((verdict, tried)) = if path_words::has_ending(&source.text()[string.clone()]) {
                    moves.resolve(source, project, &string)
                } else {
                    directories.resolve(source, project, &string)
                }
            {
                if let Some(at) = known {
                    found.remove(at);
                }
                found.push(Checked { kind, range, verdict, tried });
            }
        }
        for (string, (verdict, tried)) in moved_resources::find(source, project) {
            let range = string.start + offset..string.end + offset;
            if source.wants(&string) && !is_known(found, &range) {
                found.push(Checked { kind, range, verdict, tried });
            }
        }
        for (string, (verdict, tried)) in full_names::find(source, project) {
            let range = string.start + offset..string.end + offset;
            if source.wants(&string) && !is_known(found, &range) {
                found.push(Checked { kind: kinds::TYPE, range, verdict, tried });
            }
        }
        let relative = project.index::<RelativeNames>().find(source, project);
        for (string, (verdict, tried)) in relative.into_iter().filter(|(string, _)| source.wants(string)) {
            let range = string.start + offset..string.end + offset;
            if !is_known(found, &range) {
                found.push(Checked { kind: kinds::NAME, range, verdict, tried });
            }
        }
        add_names(source, project, found);
        follow_links(source, project, found);
        moved_addresses::add(source, project, found, kinds::ADDRESS, 0..source.text().len());
        // A format without rules of its own writes its paths in some way that is not known.
        // Without an ending it can be a script, which its first line tells. A hidden one is a list of a tool, of what it leaves out.
        let is_list = extension(source.path()).is_empty() && !name(source.path()).starts_with('.');
        let is_text = is_list && !source.text().starts_with("#!");
        let shell = if is_text { Shell.name() } else { "" };
        let others = [self.name(), LearnedReferences.name(), HostLinks.name(), PathLists.name(), shell];
        if !project.has_other_language(source, &others) {
            path_words::check_moved(source, project, kinds::WORD, found);
        }
    }
}

/// Returns whether a text ends in a line that is a comment, whose strings are examples.
fn is_in_comment(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    ["//", "/*", "* ", "# ", "-- ", ";; "].iter().any(|start| line.starts_with(start))
}

/// Returns whether another rule has read a part of a range.
fn is_known(found: &[Checked], range: &Range<usize>) -> bool {
    found.iter().any(|other| other.range.start < range.end && range.start < other.range.end)
}

/// Adds the strings that name a moved file without its ending.
fn add_names(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
    let names = project.index::<MovedNames>();
    let text = source.text();
    let is_name = |range: &Range<usize>| source.wants(range) && names.may_name(&text[range.clone()]);
    let mut calls = KnownCalls::default();
    let strings: Vec<Range<usize>> = if names.is_empty() {
        Vec::new()
    } else {
        find_quoted(text, b'/').chain(find_quoted(text, b'.')).filter(is_name).take(MAX_STRINGS).collect()
    };
    for string in strings {
        let range = string.start + source.offset()..string.end + source.offset();
        if !is_known(found, &range)
            && let Some((verdict, tried)) = names.resolve(source, project, &string, &mut calls)
        {
            found.push(Checked { kind: kinds::NAME, range, verdict, tried });
        }
    }
}

/// Reports the links of a page that lead nowhere from where they are looked for, and that end as the path of a moved file does.
fn follow_links(source: &Source<'_>, project: &Project, found: &mut [Checked]) {
    let moves = project.index::<FileMoves>();
    let is_lost = |literal: &&mut Checked| match &literal.verdict {
        Verdict::Missing(missing) => missing.code == Code::MissingPath && missing.instead.is_none(),
        Verdict::Unknown(Reason::Elsewhere) => true,
        Verdict::Unknown(Reason::Undecided(by)) => project.tree().kind(by).is_none(),
        Verdict::Unknown(_) | Verdict::Found(_) => false,
    };
    let lost = found.iter_mut().filter(|literal| literal.kind.is_of_page()).filter(is_lost).take(MAX_STRINGS);
    for literal in lost {
        let offset = source.offset();
        let start = literal.range.start.checked_sub(offset);
        let Some(range) = start.map(|start| start..literal.range.end - offset) else { continue };
        let text = source.text().get(range.clone()).unwrap_or_default();
        if path_words::has_ending(text)
            && path_words::is_path_like(text)
            && moves.may_name(text, source.directory())
            && let Some((verdict, tried)) = moves.resolve(source, project, &range)
        {
            (literal.verdict, literal.tried) = (verdict, tried);
        }
    }
}

/// Returns whether a path is that of an input of tests or of a template for other projects.
pub(crate) fn is_input(path: &str) -> bool {
    const DIRECTORIES: [&str; 12] = [
        "__fixtures__",
        "__snapshots__",
        "boilerplate",
        "fixture",
        "fixtures",
        "skeleton",
        "snapshots",
        "template",
        "templates",
        "test-data",
        "test_data",
        "testdata",
    ];
    // Frameworks keep their templates in directories of that name.
    let is_template = TEMPLATES.contains(&extension(path).as_str());
    let is_own = |name: &str| is_template && matches!(name, "template" | "templates");
    parent(path).split('/').any(|name| DIRECTORIES.contains(&name) && !is_own(name))
}

/// Returns the byte ranges of quoted paths with a directory, without a slash at their start: it joins them to a directory. So does the
/// directory where the project is installed.
fn find_strings(text: &str, installs: &InstallDirectories) -> impl Iterator<Item = Range<usize>> {
    find_quoted(text, b'/').filter_map(|range| {
        let installed = installs.strip(&text[range.clone()]).map(|rest| range.end - rest.len());
        // Bundlers read `@/` in front of a path as the directory of sources.
        let mark = ["@/", "/"].iter().find(|mark| text[range.clone()].starts_with(**mark));
        let start = installed.unwrap_or(range.start + mark.map_or(0, |mark| mark.len()));
        // A name above the program's directory is as much a path as `./a.txt`.
        let word = &text[start + usize::from(text[start..].starts_with("../"))..range.end];
        path_words::is_path_like(word).then_some(start..range.end)
    })
}

/// Returns the byte ranges of quoted names with an ending.
fn find_names(text: &str) -> impl Iterator<Item = Range<usize>> {
    find_quoted(text, b'.').filter(|range| !text[range.clone()].contains('/'))
}

/// Returns the byte ranges of quoted words of paths that have a byte.
pub(crate) fn find_quoted(text: &str, mark: u8) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'+' | b'-' | b'@');
    let mut end_of_last = 0;
    memchr_iter(mark, bytes).filter_map(move |at| {
        if at < end_of_last {
            return None;
        }
        let before = bytes[end_of_last.max(at.saturating_sub(MAX_STRING_BYTES))..at].iter().rev();
        let start = at - before.take_while(|byte| is_part(byte)).count();
        let after = bytes[at..].iter().take(MAX_STRING_BYTES);
        let end = at + after.take_while(|byte| is_part(byte)).count();
        end_of_last = end;
        // Bundlers look for what follows a `~` where packages and sources are. `~/` is the home of the user.
        let is_of_bundler = start >= 2 && bytes[start - 1] == b'~' && bytes[start] != b'/';
        let opening = *start.checked_sub(if is_of_bundler { 2 } else { 1 }).and_then(|before| bytes.get(before))?;
        let closing = *bytes.get(end)?;
        let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'`');
        // Quotes in a string are escaped.
        let is_escaped = closing == b'\\' && is_quote(opening) && text[..start - 1].ends_with('\\');
        // Elements of XML are as good as quotes, and a path ends where the query of an address begins. A command begins with its program,
        // and often ends with the file that it reads.
        let is_command = mark == b'/' && (is_quote(opening) && closing == b' ' || opening == b' ' && is_quote(closing));
        let is_whole = is_quote(opening) && (closing == opening || closing == b'?')
            || (opening, closing) == (b'>', b'<')
            || is_escaped
            || is_command;
        if is_whole {
            return Some(start..end);
        }
        // A pattern for what is in a directory names the directory.
        if is_quote(opening) && closing == b'*' && end - start > 2 && text[start..end].ends_with('/') {
            return Some(start..end - 1);
        }
        // So does what stands before a variable: `"docs/img/${name}.png"`.
        if mark == b'/' && is_quote(opening) && matches!(closing, b'$' | b'{' | b'#' | b'%') {
            let last = start + text[start..end].rfind('/')?;
            return (last > start).then_some(start..last);
        }
        // The value of a variable is a directory: `"${base}/a/b.txt"`, `"$base/a/b.txt"`.
        let slash = start + text[start..end].find('/')?;
        if slash == start && opening == b'>' && path_words::ends_with_placeholder(&text[..start]) {
            return is_quote(closing).then_some(slash + 1..end);
        }
        let is_after_variable = match opening {
            b'$' => !path_words::is_output(&text[start..slash]),
            // Longer expressions are no names. That of a template can end with a slash.
            b'}' => {
                let from = text.floor_char_boundary(start.saturating_sub(MAX_STRING_BYTES));
                let is_joined = slash == start || text[..start].ends_with("}}");
                is_joined && !path_words::ends_with_output(&text[from..start])
            }
            // So is what a page of PHP or Ruby prints: `<?= BASE ?>js/a.js`.
            b'>' => text[..start].ends_with("?>") || text[..start].ends_with("%>"),
            // The root of a site: `~/js/a.js`.
            b'~' => slash == start && text[..start - 1].ends_with(['"', '\'']),
            _ => false,
        };
        let start = if matches!(opening, b'}' | b'>') { start } else { slash };
        (is_after_variable && is_quote(closing)).then_some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    const TREE: &str = "app/sql/web/new_list.sql\napp/main.py\ntools/run/a.py\nother/x.txt\n\
                        moved app/sql/web/list.sql app/sql/web/new_list.sql\nmoved tools/a.py tools/run/a.py";

    #[test]
    fn reads_strings_that_were_files() {
        check(TREE, "src/b.go", "x := open(\"tools/a.py\")\n", "code.string tools/a.py → moved");
        check(TREE, "src/b.py", "x = open('../tools/a.py')\n", "code.string ../tools/a.py → moved");
        check(TREE, "a.ts", "x = ['<rootDir>/tools/a.py']\n", "code.string tools/a.py → moved");
        check(TREE, "a.ts", "x = ['<b x>/tools/a.py']\n", "");
        check(TREE, "Rakefile", "files = ['tools/a.py']\n", "code.string tools/a.py → moved");
        check(TREE, "src/b.py", "x = root + '/tools/a.py'\n", "code.string tools/a.py → moved");
        check(TREE, "app/main.py", "x = read('web/list.sql')\n", "code.string web/list.sql → moved");
        // The directory of a container, or of a build.
        let deep = "tools/run/a.py\nmoved tools/x/a.py tools/run/a.py";
        check(deep, "a.go", "x := open(\"/home/me/tools/x/a.py\")\n", "code.string tools/x/a.py → moved");
        check(deep, "a.go", "x := open(\"/home/me/tools/run/a.py\")\n", "code.string tools/run/a.py → tools/run/a.py");
        check(deep, "a.go", "x := open(\"/home/me/x/a.py\")\n", "");
        // A directory before a variable.
        let images = "app/img/new/a.png\nmoved app/img/old app/img/new\nmoved app/img/old/a.png app/img/new/a.png";
        check(images, "app/a.kt", "x(\"img/old/$name.png\")\n", "code.string img/old → moved");
        check(images, "app/a.ts", "x(`./img/old/a-${n}.png`)\n", "code.string ./img/old → moved");
        check(images, "app/a.ts", "x(`img/other/${n}.png`)\n", "");
        // A list of paths that a program looks for.
        let data = "t/c/a.data.js\nmoved t/c/a.x.js t/c/a.data.js";
        check(data, "t/x.js", "['./c/a.x.js', './c/a.x.ts', './c/a.x.cjs']\n", "");
        check(data, "t/x.js", "['./c/a.x.js', './c/a.y.ts']\n", "code.string ./c/a.x.js → moved");
        // The working directory, whatever other one the program names.
        let views = "t/views/a.tpl\nmoved t/a.tpl t/views/a.tpl";
        check(views, "t/x.py", "render('./a.tpl', lookup='./views')\n", "code.string ./a.tpl → moved");
        check(views, "t/x.py", "render('a.tpl', lookup='./views')\n", "");
        // The package of another example.
        let packages = "b/package.json\nb/app/x/new.ts\nmoved b/app/old/a.ts b/app/x/new.ts";
        check(packages, "a/main.ts", "x = read('old/a.ts')\n", "");
        let moved = "code.string old/a.ts → moved";
        check(packages, "a/main.ts", "x = read(at('../b/app'), 'old/a.ts')\n", moved);
        check(packages, "b/main.ts", "x = read('old/a.ts')\n", moved);
        check(
            TREE,
            "app/main.py",
            "x = read('web/new_list.sql')\n",
            "code.string web/new_list.sql → app/sql/web/new_list.sql",
        );
    }

    #[test]
    fn reads_paths_behind_marks_of_bundlers() {
        let tree = "web/src/assets/code.png\nmoved web/src/assets/login/code.png web/src/assets/code.png";
        let page = |source: &str| format!("<template>\n<img src=\"{source}\">\n</template>\n");
        check(
            tree,
            "web/src/a/P.vue",
            &page("~src/assets/login/code.png"),
            "code.string src/assets/login/code.png → moved",
        );
        check(tree, "web/src/a/P.vue", &page("~@/assets/login/code.png"), "code.string assets/login/code.png → moved");
        check(
            tree,
            "web/src/a/P.vue",
            &page("~src/assets/code.png"),
            "code.string src/assets/code.png → web/src/assets/code.png",
        );
    }

    #[test]
    fn reads_formats_that_no_rule_knows() {
        check(TREE, "a/x.unknown", "<file>tools/a.py</file>\n", "code.string tools/a.py → moved");
        check(TREE, "a/x.unknown", "run tools/a.py now\n", "words.moved tools/a.py → moved");
        check(TREE, "a/x.unknown", "run tools/b.py now\n", "");
        check(TREE, "MANIFEST", "README\ntools/a.py\n", "words.moved tools/a.py → moved");
        check(TREE, "run", "#!/usr/bin/perl\n# tools/a.py\n", "");
        // Data, and a record of the move.
        check(TREE, "a/x.csv", "tools/a.py\n", "");
        check(TREE, "a/x.unknown", "moved tools/a.py to tools/run/a.py\n", "");
    }

    #[test]
    fn reads_the_ends_of_commands() {
        check(TREE, "src/b.go", "x := \"./tools/a.py --now\"\n", "code.string ./tools/a.py → moved");
        check(TREE, "Rakefile", "puts `bundle --file tools/a.py`\n", "code.string tools/a.py → moved");
        check(TREE, "a.podspec", "s.files = ['tools/a.py']\n", "code.string tools/a.py → moved");
    }

    #[test]
    fn reads_names_that_were_beside_the_program() {
        let tree = "app/res/icon.png\napp/main.py\nmoved app/icon.png app/res/icon.png";
        check(tree, "app/main.py", "x = image('icon.png')\n", "code.string icon.png → moved");
        check(tree, "app/main.py", "x = image('./icon.png')\n", "code.string ./icon.png → moved");
        check(tree, "app/web/a.py", "x = image('../icon.png')\n", "code.string ../icon.png → moved");
        check(tree, "app/tests/in/deep/a.py", "x = '../../../icon.png'\n", "code.string ../../../icon.png → moved");
        check(tree, "app/x.xml", "<a>\n <b>./icon.png</b></a>\n", "code.string ./icon.png → moved");
        let renamed = "app/about.php\nmoved app/help.php app/about.php";
        check(renamed, "app/m.php", "<a href='help.php'>\n", "code.string help.php → moved");
        check(renamed, "app/m.php", "<a href='about.php'>\n", "code.string about.php → app/about.php");
        // From another directory, joined to one, and an input of tests.
        check(tree, "app/web/a.py", "x = image('icon.png')\n", "");
        check(tree, "app/main.py", "x = image('res', 'icon.png')\n", "");
        check(tree, "app/fixtures/a.py", "x = image('../icon.png')\n", "");
    }

    #[test]
    fn reads_strings_of_files_that_moved_below_a_directory() {
        let tree = "src/tools/a.py\nx.txt\nmoved tools/a.py src/tools/a.py";
        check(tree, "x.lua", "files { \"tools/a.py\" }\n", "code.string tools/a.py → moved");
        check(
            tree,
            "x.lua",
            "base = \"src\"\nfiles { base, \"tools/a.py\" }\n",
            "code.string tools/a.py → src/tools/a.py",
        );
        check(tree, "src/x.lua", "files { \"tools/a.py\" }\n", "code.string tools/a.py → src/tools/a.py");
    }

    #[test]
    fn leaves_other_strings() {
        // No move, no quotes, a longer text, a record of the move, a file that is where the string says.
        check(TREE, "src/b.go", "x := open(\"tools/b.py\")\n", "");
        check(TREE, "src/b.go", "// tools/a.py\n", "");
        check(TREE, "src/b.go", "/** As \"tools/a.py\". */\n", "");
        check(TREE, "src/b.go", "x := \"/*\" + \"//*\"\n", "");
        check(TREE, "src/b.go", "x := \"see tools/a.py now\"\n", "");
        check(
            TREE,
            "src/b.go",
            "x := {\"tools/a.py\": \"tools/run/a.py\"}\n",
            "code.string tools/run/a.py → tools/run/a.py",
        );
        check(TREE, "src/b.go", "x := open(\"other/x.txt\")\n", "");
        // The end of two paths that went apart.
        let apart = "moved a/web/x.sql a/web/y.sql\nmoved b/web/x.sql b/web/z.sql\na/web/y.sql\nb/web/z.sql";
        check(apart, "m.py", "x = 'web/x.sql'\n", "");
    }

    #[test]
    fn reads_strings_without_a_known_base() {
        // After a variable, before a query, above the root, in a namesake's way, and the end of paths that all changed alike.
        check(TREE, "src/b.php", "x(\"{$root}/tools/a.py\");\n", "code.string tools/a.py → moved");
        check(TREE, "src/b.php", "x(\"$root/tools/a.py\");\n", "code.string tools/a.py → moved");
        check(TREE, "src/b.php", "x(\"$out/tools/a.py\", \"{$build}/tools/a.py\");\n", "");
        check(TREE, "src/b.js", "load('../tools/a.py?v=' + v)\n", "code.string ../tools/a.py → moved");
        check(TREE, "src/b.ipynb", "[\"x = 1\", \"load(\\\"tools/a.py\\\")\"]\n", "code.string tools/a.py → moved");
        check(TREE, "src/b.cpp", "x = \"../../../tools/a.py\";\n", "code.string ../../../tools/a.py → moved");
        let namesake = "a/web/y.sql\nc/web/x.sql\nmoved a/web/x.sql a/web/y.sql";
        check(namesake, "a/m.py", "x = 'web/x.sql'\n", "code.string web/x.sql → moved");
        check(namesake, "a/b/m.py", "x = 'web/x.sql'\n", "");
        // The file left the directory.
        let left = "moved a/web/x.sql b/y/x.sql\nb/y/x.sql";
        check(left, "c/m.py", "x = 'web/x.sql'\n", "code.string web/x.sql → moved");
        check(left, "c/m.py", "x = 'x.sql'\n", "");
        let alike = "moved a/web/x.sql a/web/y.sql\nmoved b/web/x.sql b/web/y.sql\na/web/y.sql\nb/web/y.sql";
        check(alike, "m.py", "x = 'web/x.sql'\n", "code.string web/x.sql → moved");
        // Templates name files below a directory that is searched, inside of an expression too.
        let page = "x.html\napp/static/js/b/a.js\nmoved app/static/js/a.js app/static/js/b/a.js";
        let script = "<script src=\"{{ url_for('static', filename='js/a.js') }}\"></script>\n";
        check(page, "app/templates/x.html", script, "template.string js/a.js → moved");
        check(
            page,
            "boilerplate/x.html",
            script,
            "html.src {{ url_for('static', filename='js/a.js') }} → unknown dynamic",
        );
        check(page, "app/templates/x.html", "<td>js/a.js</td>\n", "");
        let joined = "<script src=\"{{baseurl}}js/a.js\"></script>\n";
        check(page, "app/templates/x.twig", joined, "template.string js/a.js → moved");
        check(
            page,
            "app/templates/x.cshtml",
            "<script src=\"~/js/a.js\"></script>\n",
            "template.string js/a.js → moved",
        );
        check(page, "app/static/x.xaml", "<A Source=\"/js/a.js\"/>\n", "template.string js/a.js → moved");
        // Another ending, where the file is not made of the new one.
        let ending = "a/x.new.json\na/x.conf.in\nmoved a/x.json.new a/x.new.json\nmoved a/x.conf a/x.conf.in";
        check(ending, "m.py", "x = ['a/x.json.new', 'a/x.conf']\n", "code.string a/x.json.new → moved");
    }
}
