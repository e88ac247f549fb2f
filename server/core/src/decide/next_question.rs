//! Builds the question to ask when candidates cannot be told apart. Called by `decide` for ambiguous answers.

use super::input::DecisionInput;
use super::visibility::is_plausible;
use crate::quote::quote_unless_plain;
use crate::rank::Ranked;

/// Most choices in one question: users do not read more.
const CHOICES_MAX: usize = 4;
/// Candidates nearer than this to the first one fit about equally, and are the choices.
pub(super) const CLOSE_POINTS: f32 = 0.7;

/// Returns a question that distinguishes the first candidates; `None` if there is nothing to choose.
pub(super) fn next_question(input: &DecisionInput<'_>) -> Option<String> {
    let first = input.ranked.first()?;
    let close = input.ranked.iter().take_while(|other| other.raw > first.raw - CLOSE_POINTS);
    let choices: Vec<&Ranked> = close.filter(|other| is_plausible(input, other)).take(CHOICES_MAX).collect();
    if choices.len() < 2 {
        return None;
    }
    let texts: Vec<String> = choices.iter().map(|choice| choice.path.text().into_owned()).collect();
    let paths: Vec<Vec<&str>> = texts.iter().map(|text| text.split('/').collect()).collect();
    let name = *paths[0].last()?;
    if paths.iter().any(|path| path.last() != Some(&name)) {
        return Some(format!("Which one: {}?", join_choices(&texts)));
    }
    let labels = distinct_labels(&paths).unwrap_or(texts.clone());
    Some(format!("Which {}: {}?", quote_unless_plain(name), join_choices(&labels)))
}

/// Returns for each path the first directory that no other path has; `None` if some path has no such directory.
fn distinct_labels(paths: &[Vec<&str>]) -> Option<Vec<String>> {
    let directories: Vec<&[&str]> = paths.iter().map(|path| &path[..path.len() - 1]).collect();
    let labels: Vec<String> = directories
        .iter()
        .enumerate()
        .map(|(at, own)| {
            let others = || directories.iter().enumerate().filter(move |&(other, _)| other != at);
            own.iter()
                .find(|segment| others().all(|(_, other)| !other.contains(segment)))
                .map(|&segment| segment.to_owned())
        })
        .collect::<Option<_>>()?;
    Some(labels)
}

fn join_choices(choices: &[String]) -> String {
    let choices: Vec<_> = choices.iter().map(|choice| quote_unless_plain(choice)).collect();
    match &choices[..] {
        [] => String::new(),
        [only] => only.to_string(),
        [head @ .., last] => format!("{} or {last}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_by_distinct_directories() {
        let check = |paths: &[&str], expected: Option<&str>| {
            let paths: Vec<Vec<&str>> = paths.iter().map(|path| path.split('/').collect()).collect();
            assert_eq!(distinct_labels(&paths).map(|labels| join_choices(&labels)).as_deref(), expected);
        };
        check(&["internal/infra/reranker/client.go", "internal/infra/vllm/client.go"], Some("reranker or vllm"));
        check(&["a/x/lib.rs", "b/x/lib.rs", "c/x/lib.rs"], Some("a, b or c"));
        check(&["lib.rs", "b/lib.rs"], None);
        check(&["a/lib.rs", "a/b/lib.rs"], None);
    }
}
