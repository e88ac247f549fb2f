//! Scripts that copy or write a missing path.

use std::sync::Arc;

use memchr::memmem;
use pathfinder_literals::path::{self, extension, name, parent};

use crate::source_tree::SourceTree;

/// Larger files are data.
pub(super) const MAX_BYTES: usize = 256 << 10;
/// Shorter names are part of too many other words.
pub(super) const MIN_NAME_BYTES: usize = 5;
/// Extensions of scripts.
pub(super) const SCRIPT_ENDS: [&str; 10] = ["sh", "bash", "py", "pl", "rb", "js", "mjs", "cjs", "ts", "ps1"];
/// Directories above a path whose scripts are read; real trees are less deep.
const MAX_DIRECTORIES: usize = 16;

/// Returns whether a script copies a file by its name, from which its links work elsewhere. The host of the code shows a readme where it
/// is.
pub(super) fn copies(script: &[u8], file: &str) -> bool {
    let (directory, own) = (name(parent(file)), name(file));
    let is_readme = own.to_ascii_lowercase().starts_with("readme");
    let copies = |line: &str| (line.contains("cp") || line.contains("copy")) && names_in_turn(line, directory, own);
    // Few scripts name the file, and only they are read line by line.
    !is_readme
        && own.len() >= MIN_NAME_BYTES
        && !directory.is_empty()
        && memmem::find(script, own.as_bytes()).is_some()
        && String::from_utf8_lossy(script).lines().any(copies)
}

/// Returns whether a script in a directory above a missing path, or beside a configuration that has it, writes the path: it copies or
/// writes files, and names the path's directory right before its name, as in `join('src', 'guide', 'INSTALL.rst')`. Or it copies a file
/// of the path's name there. The file that reads the path is none of them.
pub(super) fn is_written_by_script(tree: &dyn SourceTree, file: &str, wanted: &str) -> bool {
    const WRITES: [&str; 8] = ["copy", "write", "symlink", "mkdir", "rename", "curl", "download", "cp "];
    let (directory, last) = (parent(wanted), name(wanted));
    let writes =
        |text: &str| names_in_turn(text, name(directory), last) && WRITES.iter().any(|word| text.contains(word));
    let copies = |text: &str, here: &str| copies_into(text, here, wanted);
    last.len() >= MIN_NAME_BYTES
        && (scripts_above(tree, directory, file)
            .chain(scripts_beside(tree, file))
            .any(|(here, text)| writes(&text) || copies(&text, here))
            || scripts_in(tree, std::iter::once(directory), file).any(|(here, text)| copies(&text, here)))
}

/// Returns whether a line of a script, run in its own directory or in the root, copies a file of a path's name to the path's directory:
/// `cp -v ../LICENSE.rst .`
fn copies_into(script: &str, here: &str, wanted: &str) -> bool {
    let is_place = |word: &str| {
        let to = word.trim_matches(['"', '\'']);
        [here, ""].iter().any(|from| path::join(from, to).is_some_and(|to| to == parent(wanted)))
    };
    script.contains(name(wanted))
        && script.lines().any(|line| {
            let mut words = line.trim().strip_prefix("cp ").unwrap_or_default().split_ascii_whitespace();
            let to = words.next_back().unwrap_or_default();
            is_place(to) && words.any(|word| name(word) == name(wanted))
        })
}

/// Returns whether a script puts a file beside others of a release, whose directory or parts it has in variables:
/// `cp -r inc/class-$part.php dist/$part`.
pub(super) fn releases(script: &[u8], file: &str) -> bool {
    // Few scripts name the file's directory, and only they are read line by line.
    let directory = parent(file);
    if directory.is_empty() || memmem::find(script, format!("{directory}/").as_bytes()).is_none() {
        return false;
    }
    String::from_utf8_lossy(script).lines().any(|line| {
        let mut words = line.trim().strip_prefix("cp ").unwrap_or_default().split_ascii_whitespace();
        let to = words.next_back().unwrap_or_default();
        to.contains('$') && words.any(|word| parent(word) == directory && is_with_variable(name(word), name(file)))
    })
}

/// Returns whether a name with one variable of the shell can be another name: `class-$part.php` is `class-css.php`.
fn is_with_variable(written: &str, name: &str) -> bool {
    let Some((before, rest)) = written.split_once('$') else { return false };
    let is_of_name = |byte: char| byte.is_ascii_alphanumeric() || byte == '_';
    let after = match rest.strip_prefix('{') {
        Some(rest) => rest.split_once('}').map_or("", |(_, after)| after),
        None => rest.trim_start_matches(is_of_name),
    };
    let fixed = before.len() + after.len();
    fixed >= MIN_NAME_BYTES && name.len() > fixed && name.starts_with(before) && name.ends_with(after)
}

/// Returns whether a script in a directory above a path copies to it what it moved to: `cp gif/README.md docs/gifs.md`. Also if it lays
/// out a release with the file in the directory of the path there: `cp src/native/*.c release/src/`. Or it copies one to the other within
/// the output of a build: `cp build/content/main/a.js build/server/main/a.js`.
pub(super) fn is_copied_back(tree: &dyn SourceTree, from: &str, wanted: &str) -> bool {
    let is_source = |word: &str| {
        let ending = name(word).strip_prefix('*').is_some_and(|ending| name(from).ends_with(ending));
        parent(word) == parent(from) && (ending || name(word) == name(from))
    };
    let is_above = |directory: &str| {
        let rest = directory.trim_end_matches('/').strip_suffix(parent(wanted));
        directory.ends_with('/') && rest.is_some_and(|rest| rest.ends_with('/'))
    };
    let copies = |line: &str| {
        let mut words = line.trim().trim_start_matches('@').strip_prefix("cp ").unwrap_or_default().split(' ');
        let to = words.next_back().unwrap_or_default();
        let mut words = words.filter(|word| !word.starts_with('-'));
        to == wanted && words.clone().any(|word| word == from)
            || ends_alike(to, wanted) && words.clone().any(|word| ends_alike(word, from))
            || name(from) == name(wanted) && is_above(to) && words.any(is_source)
    };
    scripts_above(tree, parent(wanted), "").any(|(_, text)| text.lines().any(copies))
}

/// Returns whether two paths have the names of the same file, of its directory and of the directory around that.
fn ends_alike(one: &str, other: &str) -> bool {
    let tail = |path: &str| path.rmatch_indices('/').nth(2).map(|(at, _)| at);
    let (Some(from), Some(to)) = (tail(one), tail(other)) else { return false };
    one[from..] == other[to..]
}

/// The scripts in the directories above a directory, without `left_out`.
fn scripts_above<'t>(
    tree: &'t dyn SourceTree,
    directory: &'t str,
    left_out: &'t str,
) -> impl Iterator<Item = (&'t str, Arc<str>)> {
    let above = path::ancestors(directory).skip(1).take(MAX_DIRECTORIES);
    scripts_in(tree, above.filter(move |_| !directory.is_empty()), left_out)
}

/// The scripts in the directory of a configuration, without its own: the configuration of a site lies beside what fills it.
fn scripts_beside<'t>(tree: &'t dyn SourceTree, file: &'t str) -> impl Iterator<Item = (&'t str, Arc<str>)> {
    let own = Some(parent(file)).filter(|own| !own.is_empty() && is_configuration(file));
    scripts_in(tree, own.into_iter(), file)
}

/// Returns whether a file configures a tool or a site, by its name.
fn is_configuration(path: &str) -> bool {
    const DATA: [&str; 4] = ["json", "toml", "yaml", "yml"];
    DATA.contains(&extension(path).as_str()) || name(path).to_ascii_lowercase().contains("conf")
}

/// The scripts in these directories, each with its directory and text, without `left_out`. A file without an extension is one if its
/// first line names an interpreter.
fn scripts_in<'t>(
    tree: &'t dyn SourceTree,
    directories: impl Iterator<Item = &'t str>,
    left_out: &'t str,
) -> impl Iterator<Item = (&'t str, Arc<str>)> {
    /// Files that are read; a directory with more is one of programs.
    const MAX_SCRIPTS: usize = 32;
    const MAKEFILES: [&str; 5] = ["GNUmakefile", "Makefile", "Makefile.am", "Makefile.in", "makefile"];
    let is_named = |name: &str| MAKEFILES.contains(&name) || SCRIPT_ENDS.contains(&extension(name).as_str());
    let scripts = directories.flat_map(move |directory| {
        tree.names(directory)
            .iter()
            .filter(|name| is_named(name) || !name.contains('.'))
            .filter_map(move |name| path::join(directory, name).filter(|script| script != left_out))
            .map(|script| (directory, script))
            .collect::<Vec<_>>()
    });
    scripts.take(MAX_SCRIPTS).filter_map(move |(directory, script)| {
        let text = tree.read_shared(&script)?;
        (text.len() <= MAX_BYTES && (is_named(name(&script)) || text.starts_with("#!"))).then_some((directory, text))
    })
}

/// Returns whether a text has a directory's name right before another name, with only signs between them.
fn names_in_turn(text: &str, directory: &str, last: &str) -> bool {
    let is_more = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_whole = |at: &usize| !text[at + last.len()..].starts_with(is_more);
    memmem::find_iter(text.as_bytes(), last).filter(is_whole).any(|at| {
        let before = text[..at].trim_end_matches(['/', '\\', '\'', '"', ',', ' ']);
        at - before.len() > 0
            && before.strip_suffix(directory).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use super::{copies, copies_into, names_in_turn, releases};

    #[test]
    fn recognises_releases() {
        let check = |text: &str, expect| assert_eq!(releases(text.as_bytes(), "inc/class-css.php"), expect, "{text}");
        check("for i in css\n  cp -r inc/class-$i.php build/$i dist/$FOLDER", true);
        check("cp inc/class-${i}.php $OUT", true);
        check("cp inc/class-$i.php out", false);
        check("cp lib/class-$i.php $OUT", false);
        check("cp inc/$i $OUT", false);
    }

    #[test]
    fn recognises_paths_in_parts() {
        let check = |text: &str, expect| assert_eq!(names_in_turn(text, "guide", "INSTALL.rst"), expect, "{text}");
        check("target = join(here, 'src', 'guide', 'INSTALL.rst')", true);
        check("cp INSTALL.rst guide/INSTALL.rst", true);
        check("cp ../INSTALL.rst userguide/INSTALL.rst", false);
        check("open('INSTALL.rst')", false);
        check("redirect('guide/INSTALL.rst.html')", false);
    }

    #[test]
    fn recognises_copied_files() {
        let check = |text: &str, file, expect| assert_eq!(copies(text.as_bytes(), file), expect, "{text} {file}");
        check("await cp(join('src', 'pages', 'home.mdx'), to)", "site/src/pages/home.mdx", true);
        check("shutil.copy('pages/home.mdx', to)", "site/src/pages/home.mdx", true);
        check("open('pages/home.mdx')", "site/src/pages/home.mdx", false);
        check("cp pages/home.mdx to", "site/src/parts/home.mdx", false);
        check("cp pages/README.md to", "pages/README.md", false);
    }

    #[test]
    fn recognises_copies_into_a_directory() {
        let check = |text: &str, expect| assert_eq!(copies_into(text, "doc", "doc/dev/Style.rst"), expect, "{text}");
        check("#!/bin/bash\n  cp -vf ../Style.rst ./dev/\n", true);
        check("cp Style.rst doc/dev", true);
        check("cp ../Style.rst .", false);
        check("cp ../Style.rst.in ./dev/", false);
        check("# cp ../Style.rst ./dev/", false);
    }
}
