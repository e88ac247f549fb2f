//! C and its relatives: checks `#include`, `#import` and `#embed`.
//!
//! The scanner is handwritten: the preprocessor knows lines, strings and comments, but no grammar of the language.

mod build_files;
mod compile_commands;
mod condition_names;
mod directory_entries;
mod external;
mod first_party;
mod headers;
mod kinds;
mod left_headers;
mod namesakes;
mod other_includes;
mod resolve;
mod scan;
mod search_path;
#[cfg(test)]
mod tests;
mod typo;

use std::cell::LazyCell;

use self::resolve::resolve;
use self::scan::IncludeForm;
use self::search_path::SearchPath;
use pathfinder_literals::path::extension;
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Source};

/// The [`Language`] of C, C++, Objective-C and CUDA sources.
pub(crate) struct C;

/// Extensions of C and its relatives. Other formats use `inc` too, but have no such directives.
const EXTENSIONS: [&str; 23] = [
    "c", "c++", "cc", "cpp", "cu", "cuh", "cxx", "h", "h++", "hh", "hpp", "hxx", "inc", "inl", "ino", "ipp", "ixx",
    "m", "mm", "tcc", "tpp", "txx", "cppm",
];

/// Extensions of grammars of Lex and Yacc, whose code a preprocessor reads.
const GRAMMAR_EXTENSIONS: [&str; 6] = ["l", "ll", "lpp", "y", "ypp", "yy"];

/// Returns whether a preprocessor reads files with this extension.
fn is_c(path: &str) -> bool {
    EXTENSIONS.contains(&extension(path).as_str())
}

impl Language for C {
    fn name(&self) -> &'static str {
        "c"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn has_search_directories(&self, kind: LiteralKind) -> bool {
        matches!(kind, kinds::INCLUDE | kinds::INCLUDE_ANGLE)
    }

    fn search_directories(&self, kind: LiteralKind, source: &Source<'_>, project: &Project) -> Vec<String> {
        if self.has_search_directories(kind) { SearchPath::declared(source, project) } else { Vec::new() }
    }

    fn claims(&self, path: &str) -> bool {
        is_c(path) || GRAMMAR_EXTENSIONS.contains(&extension(path).as_str())
    }

    fn checks_one_literal(&self) -> bool {
        true
    }

    fn is_known_name(&self, kind: LiteralKind, text: &str) -> bool {
        matches!(kind, kinds::INCLUDE | kinds::INCLUDE_ANGLE) && external::is_known_header(text)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        let words = ["include", "import", "embed"];
        if !text.contains('#') || !words.iter().any(|word| text.contains(word)) || text.starts_with("<?") {
            return;
        }
        let search = LazyCell::new(|| SearchPath::new(source, project));
        let mut report = Report::new(source, project, found);
        let includes = scan::find_includes(text);
        for include in includes.iter().filter(|include| source.wants(&include.range)) {
            let kind = match include.form {
                IncludeForm::Angle => kinds::INCLUDE_ANGLE,
                IncludeForm::Quoted | IncludeForm::Macro | IncludeForm::Next => kinds::INCLUDE,
            };
            let outcome = resolve(&report, &search, (include, &includes));
            report.add(kind, include.range.start, include.range.len(), outcome);
        }
    }
}
