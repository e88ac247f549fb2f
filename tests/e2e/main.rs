//! The built binary on small trees. Each feature has one file with one `check`; the rows are the tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it stands")]

mod age;
mod ahead;
mod alike;
mod bad_input;
mod bad_projects;
mod batch;
mod cache;
mod check;
mod check_cache;
mod check_paths;
mod check_stdin;
mod check_watch;
mod doctor;
mod evidence;
mod find;
mod find_contents;
mod first_fix;
mod fix;
mod history;
mod hooks;
mod huge;
mod index;
mod install;
mod live;
mod look;
mod made_elsewhere;
mod moved_directory;
mod moved_words;
mod page_readers;
mod probability;
mod progress;
mod resolve;
mod rewrite;
mod roots;
mod run;
mod served;
mod settings;
mod shell;
mod still_named;
mod suffix;
mod tree;
mod uncommitted;
