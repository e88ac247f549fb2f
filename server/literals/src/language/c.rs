//! C and its relatives: `#include`, `#import` and `#embed`.
//!
//! An own scanner: the preprocessor knows lines, strings and comments, and no grammar of the language.

mod build;
mod database;
mod foreign;
mod headers;
mod resolve;
mod scan;
#[cfg(test)]
mod tests;

pub(crate) use build::Build;
pub(crate) use headers::Headers;

use self::resolve::{Answer, answer};
use self::scan::Form;
use super::Language;
use crate::checked::{Checked, Reason, Verdict};
use crate::path::extension;
use crate::project::Project;
use crate::report::Report;
use crate::source::Source;

/// C, C++, Objective-C, CUDA.
pub(crate) struct C;

/// Extensions of C and its relatives. `inc` is also that of others, which have no such lines.
const EXTENSIONS: [&str; 23] = [
    "c", "c++", "cc", "cpp", "cu", "cuh", "cxx", "h", "h++", "hh", "hpp", "hxx", "inc", "inl", "ino", "ipp", "ixx",
    "m", "mm", "tcc", "tpp", "txx", "cppm",
];

impl Language for C {
    fn name(&self) -> &'static str {
        "c"
    }

    fn claims(&self, path: &str) -> bool {
        EXTENSIONS.contains(&extension(path).as_str())
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        let words = ["include", "import", "embed"];
        if !text.contains('#') || !words.iter().any(|word| text.contains(word)) || text.starts_with("<?") {
            return;
        }
        let mut report = Report::new(source, project, found);
        let includes = scan::includes(text);
        let answers: Vec<Answer> = includes.iter().map(|include| answer(&report, include)).collect();
        let is_own = quotes_own(&report, &includes, &answers);
        for (include, answer) in includes.into_iter().zip(answers) {
            let kind = match include.form {
                Form::Angle => "c.include_angle",
                Form::Quoted | Form::Macro | Form::Next => "c.include",
            };
            let outcome = match answer {
                // A name that is there in another case is no other library's.
                Answer::Doubted((Verdict::Missing(missing), tried)) if !is_own && missing.instead.is_none() => {
                    (Verdict::Unknown(Reason::Elsewhere), tried)
                }
                Answer::Sure(outcome) | Answer::Doubted(outcome) => outcome,
            };
            report.add(kind, include.range.start, include.range.len(), outcome);
        }
    }
}

/// Whether what this file quotes is of the project: what it quotes is there, but for few. Where headers come from
/// packages and libraries that are searched as a whole, nobody can say.
fn quotes_own(report: &Report<'_>, includes: &[scan::Include], answers: &[Answer]) -> bool {
    let is_elsewhere = matches!(extension(report.source.path()).as_str(), "m" | "mm" | "ino")
        || ["Podfile", "platformio", "library"].iter().any(|name| report.project.has_name(name));
    let quoted = || includes.iter().zip(answers).filter(|(include, _)| include.form == Form::Quoted);
    let there = quoted().filter(|(_, answer)| matches!(answer, Answer::Sure((Verdict::Found(_), _)))).count();
    let doubted = quoted().filter(|(_, answer)| matches!(answer, Answer::Doubted(_))).count();
    !is_elsewhere && doubted <= there
}
