//! Full-text ranking of files for questions: text in, index and ranking out. No protocol, disk or clock. The server
//! reads the files, applies [`ContentChange`]s to a [`ContentIndex`], and calls [`search()`].
//!
//! A file is cut into chunks of about a screen. Each chunk has three fields: code, comments, declared names. Words are
//! stemmed (Porter2), and identifiers count as a whole and by their words. The path of a file is a chunk of its own.
//!
//! A search scores all files and chunks (BM25F), takes the best 200, and describes each by named features: scores,
//! words of path and declarations, imports, the kind of file. `weights/*.txt` weigh them, one table per mode.

#![forbid(unsafe_code)]

mod chunks;
mod collection;
mod comments;
mod compare;
mod declarations;
mod details;
mod explanation;
mod families;
mod feature;
mod file_content;
mod fit;
mod graph;
mod history;
mod history_score;
mod image;
mod imports;
mod index;
mod layer;
mod meaning;
mod name_filter;
mod passage;
mod path_class;
mod path_names;
mod question;
mod score;
mod search;
mod stop_words;
mod strength;
mod strings;
mod synonyms;
mod terms;

pub use compare::compare;
pub use file_content::{FileContent, MAX_TEXT_BYTES};
pub use history::{CommitSubjects, MAX_COMMITS, MAX_FILES_PER_COMMIT};
pub use index::{ContentChange, ContentIndex, ContentLimits, ContentStats};
pub use passage::passage;
pub use search::{ContentAnswer, ContentRoot, Fit, RankedFile, search};
pub use terms::TermReader;
