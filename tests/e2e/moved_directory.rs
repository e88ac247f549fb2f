//! A directory with many files moved: each of its uses has a fix, and `fix` writes them all.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::tree::Tree;

/// Files of the directory. A file with more findings of another kind gets fixes for fifty.
const FILES: usize = 70;

/// Checks a file with one `usage` of each file `name` of `app/old` after that became `app/in/new`; `NR` stands for the number.
#[track_caller]
fn check(user: &str, usage: &str, name: &str, text: &str) {
    let numbered = |text: &str, at: usize| text.replace("NR", &at.to_string());
    let tree = Tree::new("README.md = # Uses");
    let root = tree.root();
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let mut written = String::new();
    for at in 0..FILES {
        write(&format!("app/old/{}", numbered(name, at)), &numbered(text, at));
        writeln!(written, "{}", numbered(usage, at)).unwrap();
    }
    write(user, &written);
    let commit = "git add -A && git -c user.name=a -c user.email=a@b commit -qm x";
    let script = format!("git init -q . && {commit} && mkdir app/in && git mv app/old app/in/new && {commit}");
    let mut command = Command::new("sh");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let made = command.arg("-c").arg(script).current_dir(&root).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let found = tree.plan(&["check", "--format", "json"]).run().stdout;
    assert_eq!(found.matches("\"preferred\":true").count(), FILES, "{found}");
    let run = tree.plan(&["fix"]).run();
    assert_eq!(run.stdout.lines().last(), Some(&*format!("{FILES} fixed in 1 file")), "{run:?}");
    let fixed = fs::read_to_string(root.join(user)).unwrap();
    assert!(!fixed.contains("old") && fixed.lines().count() == FILES, "{fixed}");
    assert_eq!(tree.plan(&["check"]).run().code, Some(0));
}

#[test]
fn all_uses_of_a_moved_directory_are_fixed() {
    check("app/use/a.ts", "import { fNR } from '../old/mNR';", "mNR.ts", "export function fNR() { return NR }\n");
    check("app/use.c", "#include \"old/mNR.h\"", "mNR.h", "int fNR(void);\n");
    check("app/a.md", "[NR](old/pNR.md)", "pNR.md", "# Page NR\n");
    check("a.py", "from app.old.mNR import fNR", "mNR.py", "def fNR(): return NR\n");
    check("app/a.rb", "require_relative 'old/mNR'", "mNR.rb", "def fNR; NR; end\n");
    check("app/a.scss", "@use 'old/mNR';", "_mNR.scss", "$fNR: NR;\n");
}
