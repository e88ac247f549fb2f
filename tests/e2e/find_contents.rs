//! `find` over contents that are hard to read or to store, and queries without a telling word: bounded work, and the right file
//! stays first.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::tree::Tree;

/// The file that has the words of [`QUESTION`], beside others.
const SOURCES: &str = "
    src/http/client.py = # Repeats failed uploads with exponential backoff
    src/auth/session.py = # Keeps the sessions of users
    docs/guide.md = # Guide
";
const QUESTION: &str = "exponential backoff of failed uploads";
const ANSWER: (&str, &str) = (QUESTION, "found src/http/client.py");

/// Adds to the tree, then asks all queries in one run, twice: the second run begins with what the first one has stored. `before` is a
/// command of the shell. Compares `STATUS [PATH]`.
#[track_caller]
fn check(add: &dyn Fn(&Path), before: &str, rows: &[(&str, &str)]) {
    let tree = Tree::new(SOURCES);
    add(&tree.root());
    let asked: String = rows.iter().map(|(query, _)| json!({ "query": query }).to_string() + "\n").collect();
    for _ in 0..2 {
        let run = tree.plan_after(before, &["find", "--batch"]).stdin(asked.as_str()).run();
        let answers = run.jsons();
        assert_eq!((run.code, answers.len()), (Some(0), rows.len()), "{run:?}");
        for ((query, expect), answer) in rows.iter().zip(answers) {
            let words = [answer["status"].as_str(), answer["results"][0]["path"].as_str()];
            let shown: String = query.chars().take(40).collect();
            assert_eq!(words.into_iter().flatten().collect::<Vec<_>>().join(" "), *expect, "{shown:?}: {answer:#}");
        }
    }
}

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Generated files that have all words of [`QUESTION`] but one, and little else.
fn write_generated(root: &Path) {
    write_items(root, "\"uploads\": \"failed\", \"backoff\"");
}

fn write_items(root: &Path, members: &str) {
    for number in 0..1_500 {
        let text = format!("{{\"id\": {number}, {members}: [{number}, {number}]}}\n");
        write(root, &format!("data/{}/{number}.json", number % 20), text.as_bytes());
    }
}

#[test]
fn a_query_without_a_telling_word_has_no_answer() {
    let long = "exponential backoff ".repeat(512);
    let rows = [
        (long.as_str(), "error"),
        ("q", "none"),
        ("where is the", "none"),
        ("where is it", "none"),
        ("how does this work and what is it for", "none"),
        ANSWER,
    ];
    check(&|_| {}, "", &rows);
}

#[test]
fn binary_files_have_no_words() {
    let add = |root: &Path| {
        write(root, "src/table.py", b"\x7fELF\0\x01\0 zanzibar quorum of exponential backoff of failed uploads \0\0");
        let noise: Vec<u8> = (0..60_000_u32).map(|at| ((at * at) >> 3).to_le_bytes()[0]).collect();
        write(root, "src/noise.py", &noise);
    };
    check(&add, "", &[("zanzibar quorum", "none"), ("table.py", "found src/table.py"), ANSWER]);
}

/// Reading it all would take more memory than the process may have.
#[test]
fn huge_files_are_known_by_name_only() {
    let add = |root: &Path| {
        write(root, "logs/huge.py", b"# zanzibar quorum of uploads\n");
        fs::File::options().write(true).open(root.join("logs/huge.py")).unwrap().set_len(8 << 30).unwrap();
    };
    let limit = "ulimit -v 4000000;";
    check(&add, limit, &[("zanzibar quorum", "none"), ("huge.py", "found logs/huge.py"), ANSWER]);
}

#[test]
fn many_generated_files_hide_no_source() {
    check(&write_generated, "", &[ANSWER]);
    let members = "\"failed\": \"uploads\", \"exponential backoff\"";
    check(&|root| write_items(root, members), "", &[ANSWER]);
}

/// Only a sure answer quotes its file, and only if the request says so.
#[test]
fn a_sure_answer_has_its_passage() {
    let tree = Tree::new(SOURCES);
    let passage = "# Repeats failed uploads with exponential backoff";
    for (query, read, expect) in
        [(QUESTION, true, Some(passage)), (QUESTION, false, None), ("users of the zanzibar quorum", true, None)]
    {
        let asked = json!({ "query": query, "read": read }).to_string();
        let answer = tree.plan(&["find", "--batch"]).stdin(asked).run().json();
        assert_eq!(answer["passage"]["text"].as_str(), expect, "{query:?}: {answer:#}");
    }
}

/// A class is named after its directory and its file: the path is one more reason for it, and not one against it.
#[test]
fn a_class_named_after_its_path_is_first() {
    let add = |root: &Path| {
        write(root, "src/db/mongo/jobstore.py", b"class MongoJobStore:\n    def jobs(self):\n        return []\n");
        write(root, "src/db/api.py", b"def get_job_store():\n    return MongoJobStore()\n");
        write(root, "src/db/store.py", b"def job_store_of_mongo():\n    return get_job_store()\n");
        write(root, "test/conftest.py", b"def mongo_job():\n    return MongoJobStore()\n");
    };
    check(&add, "", &[("MongoJobStore", "found src/db/mongo/jobstore.py")]);
}

/// The disk has less room than the words of the files take, or none.
#[test]
fn answers_do_not_need_a_disk() {
    let full = "PATHFINDER_CACHE_DIR=$HOME/full; export PATHFINDER_CACHE_DIR; mkdir -p \"$HOME/full\";
        unshare -rm sh -c 'mount -t tmpfs -o size=64k none \"$HOME/full\" && exec \"$0\" \"$@\"' \"$0\" \"$@\"; exit;";
    for before in [full, "export PATHFINDER_CACHE_DIR=/proc/nowhere;", "trap '' XFSZ; ulimit -f 8;"] {
        check(&write_generated, before, &[ANSWER]);
    }
}
