//! rten: the runtime that is part of the program, so that every machine has one.

use std::borrow::Cow;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, Value, ValueOrView};
use rten_tensor::{Layout as _, NdTensor, Tensor};

use super::{Encoder, Input, Lane, Offered, Output, Runtime, choose};
use crate::error::{EncodeError, ModelError};
use crate::layout::Parts;
use crate::tokenizer::Tokens;

pub(super) struct Rten {
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: (NodeId, String),
}

impl std::fmt::Debug for Rten {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Rten").field("inputs", &self.inputs).field("output", &self.output).finish_non_exhaustive()
    }
}

impl Rten {
    pub(super) fn load(parts: &Parts, wanted: Option<&str>) -> Result<Self, ModelError> {
        let file = &parts.model_file;
        let options = ModelOptions::with_all_ops();
        let model = match &parts.model {
            Cow::Borrowed(bytes) => options.load_static_slice(bytes),
            Cow::Owned(bytes) => options.load(bytes.clone()),
        };
        let wrong = |reason: String| ModelError::Graph { file: file.clone(), runtime: "rten", reason };
        let model = model.map_err(|error| wrong(error.to_string()))?;
        let name = |id: NodeId| model.node_info(id).and_then(|node| node.name().map(str::to_owned)).unwrap_or_default();
        let input = |&id: &NodeId| Ok((id, Input::named(file, &name(id))?));
        let inputs = model.input_ids().iter().map(input).collect::<Result<Vec<_>, ModelError>>()?;
        let axes = |id| model.node_info(id).and_then(|node| node.shape()).map(|shape| shape.len());
        let offered: Vec<_> = model.output_ids().iter().map(|&id| Offered { name: name(id), axes: axes(id) }).collect();
        let output = choose(file, &offered, wanted)?;
        let output = (model.output_ids()[output], offered[output].name.clone());
        Ok(Self { model, inputs, output })
    }
}

impl Encoder for Rten {
    fn runtime(&self) -> Runtime {
        Runtime::Rten
    }

    fn output(&self) -> &str {
        &self.output.1
    }

    fn inputs(&self) -> Vec<&'static str> {
        self.inputs.iter().map(|(_, input)| input.name()).collect()
    }

    fn encode(&self, tokens: &Tokens, lane: &Lane) -> Result<Output, EncodeError> {
        let shape = [1, tokens.ids.len()];
        // It has no 64-bit integers, and reads those of a graph as 32-bit ones.
        let value = |input: Input| Ok(NdTensor::<i32, 2>::from_data(shape, numbers(input, tokens)?).into());
        let inputs = self.inputs.iter().map(|&(id, input)| Ok((id, value(input)?)));
        let inputs = inputs.collect::<Result<Vec<(NodeId, ValueOrView<'_>)>, EncodeError>>()?;
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(lane)));
        let failed = |error: rten::RunError| EncodeError::Runtime(error.to_string());
        let output = self.model.run(inputs, &[self.output.0], Some(options)).map_err(failed)?;
        let Some(Value::FloatTensor(tensor)) = output.into_iter().next() else {
            return Err(EncodeError::Runtime(format!("{} holds no floating point numbers", self.output.1)));
        };
        let tensor: Tensor<f32> = tensor;
        let shape: Vec<usize> = tensor.shape().as_ref().to_vec();
        Output::new(tokens.ids.len(), &shape, tensor.into_data())
    }
}

fn numbers(input: Input, tokens: &Tokens) -> Result<Vec<i32>, EncodeError> {
    input.values(tokens)
}
