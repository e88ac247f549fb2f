//! Measures questions to tools that have already read the tree: this program as a process, other matchers in this
//! process, `fzf` as a process.

mod batch;

use std::fs::File;
use std::time::Duration;

use serde::Serialize;

use crate::interleaved::{milliseconds, percentile, ratio};
use crate::layout::TreeLayout;
use crate::mistakes::{BenchQuestion, MISTAKE_KINDS};
use crate::programs::{InstalledPrograms, isolated_command};
use crate::sample::run_timed_with_output;
use crate::table::{Row, short};
use batch::BatchProcess;

/// The reference tool: the fastest one that tolerates a typo.
pub(crate) const REFERENCE: &str = "frizbee, 1 typo";

/// Questions for `fzf`, which reads the whole list each time: five of each kind.
const MAX_FZF_QUESTIONS: usize = 5 * MISTAKE_KINDS.len();

/// Asks one question; returns the time and whether the expected file came first.
type AskFn<'a> = Box<dyn FnMut(&BenchQuestion) -> anyhow::Result<(Duration, bool)> + 'a>;

/// Measurements of one tool.
#[derive(Debug, Serialize)]
pub(crate) struct QueryTimings {
    questions: usize,
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    /// For each kind of mistake: how often the expected file came first, and the number of questions.
    right_first: Vec<(usize, usize)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_path: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

struct BenchTool<'a> {
    name: String,
    ask: Result<AskFn<'a>, String>,
    /// Number of questions it is asked.
    questions: usize,
    bytes_per_path: Option<f64>,
}

pub(crate) fn measure(
    layout: &TreeLayout,
    programs: &InstalledPrograms,
    list: &[String],
    asked: &[BenchQuestion],
) -> Vec<Row<QueryTimings>> {
    let new_tool = |name: String, ask| BenchTool { name, ask, questions: asked.len(), bytes_per_path: None };
    let own = BatchProcess::start(layout, programs).map_err(|error| format!("{error:#}"));
    let bytes_per_path = own.as_ref().ok().map(|(_, bytes)| *bytes);
    let own = own.map(|(mut batch, _)| -> AskFn<'_> { Box::new(move |question| batch.ask(question)) });
    let mut tools = vec![BenchTool { bytes_per_path, ..new_tool("pathfinder resolve --batch".to_owned(), own) }];
    tools.extend(PEERS.into_iter().zip(matchers(list)).map(|(name, ask)| new_tool(name.to_owned(), ask)));
    let fzf = programs.fzf.clone().map(|fzf| -> AskFn<'_> {
        Box::new(move |question| {
            let mut command = isolated_command(fzf.command, layout.top());
            command.args(["--filter", &question.failed]);
            let (sample, said) = run_timed_with_output(&command, File::open(layout.list_file())?.into())?;
            let first = said.split(|byte| *byte == b'\n').next();
            Ok((sample.wall, first == Some(question.expected.as_bytes())))
        })
    });
    let fzf = BenchTool {
        questions: MAX_FZF_QUESTIONS.min(asked.len()),
        ..new_tool("fzf --filter, a process".to_owned(), fzf)
    };
    tools.push(fzf);
    ask_interleaved(tools, asked)
}

/// Asks every tool the first question as a warm-up, then all questions in alternation.
fn ask_interleaved(tools: Vec<BenchTool<'_>>, asked: &[BenchQuestion]) -> Vec<Row<QueryTimings>> {
    let mut measured: Vec<_> = tools.into_iter().map(|tool| (tool, Vec::new())).collect();
    for (number, question) in asked.iter().take(1).chain(asked).enumerate() {
        for (tool, answers) in &mut measured {
            let Ok(ask) = &mut tool.ask else { continue };
            if number > tool.questions {
                continue;
            }
            match ask(question) {
                Ok(answer) if number > 0 => answers.push(answer),
                Ok(_) => {}
                Err(error) => tool.ask = Err(format!("{error:#}")),
            }
        }
    }
    let times = |answers: &[(Duration, bool)]| answers.iter().map(|(time, _)| *time).collect::<Vec<_>>();
    let reference = measured.iter().find(|(it, _)| it.name == REFERENCE && it.ask.is_ok());
    let reference = reference.map(|(_, answers)| times(answers)).unwrap_or_default();
    let row = |(tool, answers): (BenchTool<'_>, Vec<_>)| {
        let bytes = tool.bytes_per_path;
        Row::new(tool.name, tool.ask, || {
            QueryTimings::from_answers(&answers, asked, bytes, ratio(&times(&answers), &reference))
        })
    };
    measured.into_iter().map(row).collect()
}

/// The tools in the order of `matchers::matchers`.
const PEERS: [&str; 4] = ["frizbee, 0 typos", REFERENCE, "frizbee, 2 typos", "nucleo"];

#[cfg(feature = "peers")]
fn matchers(list: &[String]) -> [Result<AskFn<'_>, String>; 4] {
    crate::matchers::matchers(list).map(|mut first| -> Result<AskFn<'_>, _> {
        Ok(Box::new(move |question: &BenchQuestion| {
            let start = std::time::Instant::now();
            let first = first(list, &question.failed);
            Ok((start.elapsed(), first.is_some_and(|first| list[first] == question.expected)))
        }))
    })
}

#[cfg(not(feature = "peers"))]
fn matchers<'a>(_: &[String]) -> [Result<AskFn<'a>, String>; 4] {
    PEERS.map(|_| Err("built without the feature peers".to_owned()))
}

impl QueryTimings {
    fn from_answers(
        answers: &[(Duration, bool)],
        asked: &[BenchQuestion],
        bytes_per_path: Option<f64>,
        ratio: Option<f64>,
    ) -> Self {
        let times: Vec<_> = answers.iter().map(|(time, _)| milliseconds(*time)).collect();
        let of_kind = |kind| answers.iter().zip(asked).filter(move |(_, question)| question.kind == kind);
        let right = |kind| of_kind(kind).filter(|((_, right), _)| *right).count();
        Self {
            questions: answers.len(),
            p50_ms: percentile(times.clone(), 0.5),
            p99_ms: percentile(times.clone(), 0.99),
            max_ms: percentile(times, 1.0),
            right_first: MISTAKE_KINDS.map(|kind| (right(kind), of_kind(kind).count())).to_vec(),
            bytes_per_path,
            ratio,
        }
    }

    /// The cells of a table row: percentiles, right first, bytes per path, ratio.
    pub(crate) fn cells(&self) -> Vec<String> {
        let mut cells = [self.p50_ms, self.p99_ms, self.max_ms].map(short).to_vec();
        cells.extend(self.right_first.iter().map(|(right, all)| format!("{right}/{all}")));
        cells.push(self.bytes_per_path.map_or("–".to_owned(), |bytes| format!("{bytes:.1}")));
        cells.push(self.ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.3}")));
        cells
    }
}
