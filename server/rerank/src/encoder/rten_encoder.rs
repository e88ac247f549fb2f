//! Encoder with rten, the runtime that is part of the program and always available.

use std::borrow::Cow;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, Value, ValueOrView};
use rten_tensor::{Layout as _, NdTensor, Tensor};

use super::{Encoder, GraphInput, GraphOutput, Runtime, TokenEmbeddings, Worker, choose_output};
use crate::error::{EncodeError, ModelError};
use crate::layout::ModelFiles;
use crate::tokenizer::Tokens;

/// A model loaded with rten.
pub(super) struct RtenEncoder {
    model: Model,
    inputs: Vec<(NodeId, GraphInput)>,
    output: (NodeId, String),
}

impl std::fmt::Debug for RtenEncoder {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Rten").field("inputs", &self.inputs).field("output", &self.output).finish_non_exhaustive()
    }
}

impl RtenEncoder {
    /// Loads a model. `wanted` is the name of the output, if configured.
    pub(super) fn load(parts: &ModelFiles, wanted: Option<&str>) -> Result<Self, ModelError> {
        let file = &parts.model_file;
        let options = ModelOptions::with_all_ops();
        let model = match &parts.model {
            Cow::Borrowed(bytes) => options.load_static_slice(bytes),
            Cow::Owned(bytes) => options.load(bytes.clone()),
        };
        let wrong = |reason: String| ModelError::Graph { file: file.clone(), runtime: "rten", reason };
        let model = model.map_err(|error| wrong(error.to_string()))?;
        let name = |id: NodeId| model.node_info(id).and_then(|node| node.name().map(str::to_owned)).unwrap_or_default();
        let input = |&id: &NodeId| Ok((id, GraphInput::from_name(file, &name(id))?));
        let inputs = model.input_ids().iter().map(input).collect::<Result<Vec<_>, ModelError>>()?;
        let axes = |id| model.node_info(id).and_then(|node| node.shape()).map(|shape| shape.len());
        let outputs: Vec<_> =
            model.output_ids().iter().map(|&id| GraphOutput { name: name(id), axes: axes(id) }).collect();
        let output = choose_output(file, &outputs, wanted)?;
        let output = (model.output_ids()[output], outputs[output].name.clone());
        Ok(Self { model, inputs, output })
    }
}

impl Encoder for RtenEncoder {
    fn runtime(&self) -> Runtime {
        Runtime::Rten
    }

    fn output(&self) -> &str {
        &self.output.1
    }

    fn inputs(&self) -> Vec<&'static str> {
        self.inputs.iter().map(|(_, input)| input.name()).collect()
    }

    fn encode(&self, tokens: &Tokens, worker: &Worker) -> Result<TokenEmbeddings, EncodeError> {
        let shape = [1, tokens.ids.len()];
        // rten has no 64-bit integers, and reads those of a graph as 32-bit ones.
        let value = |input: GraphInput| Ok(NdTensor::<i32, 2>::from_data(shape, numbers(input, tokens)?).into());
        let inputs = self.inputs.iter().map(|&(id, input)| Ok((id, value(input)?)));
        let inputs = inputs.collect::<Result<Vec<(NodeId, ValueOrView<'_>)>, EncodeError>>()?;
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(worker)));
        let failed = |error: rten::RunError| EncodeError::Runtime(error.to_string());
        let output = self.model.run(inputs, &[self.output.0], Some(options)).map_err(failed)?;
        let Some(Value::FloatTensor(tensor)) = output.into_iter().next() else {
            return Err(EncodeError::Runtime(format!("{} holds no floating point numbers", self.output.1)));
        };
        let tensor: Tensor<f32> = tensor;
        let shape: Vec<usize> = tensor.shape().as_ref().to_vec();
        TokenEmbeddings::new(tokens.ids.len(), &shape, tensor.into_data())
    }
}

fn numbers(input: GraphInput, tokens: &Tokens) -> Result<Vec<i32>, EncodeError> {
    input.values(tokens)
}
