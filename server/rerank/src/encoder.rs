//! `Encoder`: runs a model's graph with onnxruntime. Tokens in, one vector per token out.

mod library;
mod onnxruntime;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::{EncodeError, ModelError};
use crate::tokenizer::Tokens;

pub use library::Library;
pub(crate) use onnxruntime::Encoder;

/// The name of the runtime, for display.
pub const RUNTIME: &str = "onnxruntime";

/// One vector per token of a text: `tokens × dimension` numbers, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TokenEmbeddings {
    pub(crate) dimension: usize,
    pub(crate) values: Vec<f32>,
}

impl TokenEmbeddings {
    /// Checks that a tensor has the shape 1 × tokens × dimension.
    fn new(tokens: usize, shape: &[usize], values: Vec<f32>) -> Result<Self, EncodeError> {
        match *shape {
            [1, rows, dimension] if rows == tokens && dimension > 0 && values.len() == rows * dimension => {
                Ok(Self { dimension, values })
            }
            _ => Err(EncodeError::Shape { tokens, shape: shape.to_vec() }),
        }
    }
}

/// Inputs of a graph that can be fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GraphInput {
    Ids,
    Attention,
    Types,
}

impl GraphInput {
    /// Returns the input with this name.
    fn from_name(file: &str, name: &str) -> Result<Self, ModelError> {
        match name {
            "input_ids" => Ok(Self::Ids),
            "attention_mask" => Ok(Self::Attention),
            "token_type_ids" => Ok(Self::Types),
            _ => Err(ModelError::Input { file: file.to_owned(), name: name.to_owned() }),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Ids => "input_ids",
            Self::Attention => "attention_mask",
            Self::Types => "token_type_ids",
        }
    }

    /// Returns one number per token.
    fn values<T: From<bool> + TryFrom<u32>>(self, tokens: &Tokens) -> Result<Vec<T>, EncodeError> {
        let number =
            |&id: &u32| T::try_from(id).map_err(|_| EncodeError::Runtime(format!("{id} is not a token number")));
        match self {
            Self::Ids => tokens.ids.iter().map(number).collect(),
            Self::Attention => Ok((0..tokens.ids.len()).map(|at| T::from(at < tokens.attended)).collect()),
            Self::Types => Ok(tokens.ids.iter().map(|_| T::from(false)).collect()),
        }
    }
}

/// An output of a graph: its name, and its number of axes if the graph declares it.
struct GraphOutput {
    name: String,
    axes: Option<usize>,
}

/// Usual names of outputs with one vector per token, those of `ColBERT` exports first.
const OUTPUT_NAMES: [&str; 5] = ["token_embeddings", "contextual", "embeddings", "output", "last_hidden_state"];

/// Chooses the output with one vector per token: the wanted one, else one with a usual name, else the first with three
/// axes.
fn choose_output(file: &str, outputs: &[GraphOutput], wanted: Option<&str>) -> Result<usize, ModelError> {
    let names = || outputs.iter().map(|output| output.name.as_str()).collect::<Vec<_>>().join(", ");
    let none = |reason: String| ModelError::Output { file: file.to_owned(), reason };
    let by_name = |name: &str| outputs.iter().position(|output| output.name == name);
    if let Some(wanted) = wanted {
        return by_name(wanted).ok_or_else(|| none(format!("output_name is {wanted:?}, and it has {}", names())));
    }
    let fits = |at: &usize| outputs[*at].axes.is_none_or(|axes| axes == 3);
    let usual = OUTPUT_NAMES.iter().filter_map(|name| by_name(name)).find(fits);
    usual.or_else(|| (0..outputs.len()).find(fits)).ok_or_else(|| none(format!("it has {}", names())))
}

/// Turns a panic of the runtime into an error, and drops the runtime's state.
///
/// # Errors
/// Returns an error when the work fails or panics.
pub(crate) fn catch_panics<R, E: From<EncodeError>>(work: impl FnOnce() -> Result<R, E>) -> Result<R, E> {
    let panicked = |_| Err(EncodeError::Runtime("the runtime panicked".to_owned()).into());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked)
}

#[cfg(test)]
mod tests {
    use super::{GraphOutput, TokenEmbeddings, choose_output};

    #[track_caller]
    fn check(outputs: &[(&str, Option<usize>)], wanted: Option<&str>, expect: Option<&str>) {
        let outputs: Vec<_> = outputs.iter().map(|&(name, axes)| GraphOutput { name: name.to_owned(), axes }).collect();
        let chosen = choose_output("m", &outputs, wanted).ok().map(|at| outputs[at].name.as_str());
        assert_eq!(chosen, expect);
    }

    #[test]
    fn chooses_the_output_with_a_vector_per_token() {
        check(&[("pooled", Some(2)), ("x", Some(3))], None, Some("x"));
        check(&[("last_hidden_state", Some(3)), ("token_embeddings", Some(3))], None, Some("token_embeddings"));
        check(&[("last_hidden_state", Some(3)), ("contextual", None)], None, Some("contextual"));
        check(&[("output", Some(2)), ("last_hidden_state", Some(3))], None, Some("last_hidden_state"));
        check(&[("a", Some(3)), ("b", Some(2))], Some("b"), Some("b"));
        check(&[("a", Some(3))], Some("c"), None);
        check(&[("a", Some(2))], None, None);
        check(&[], None, None);
    }

    #[test]
    fn refuses_other_shapes() {
        assert!(TokenEmbeddings::new(2, &[1, 2, 3], vec![0.0; 6]).is_ok());
        for shape in [&[1, 3, 2][..], &[2, 3], &[2, 1, 3], &[1, 2, 0], &[]] {
            assert!(TokenEmbeddings::new(2, shape, vec![0.0; 6]).is_err(), "{shape:?}");
        }
    }
}
