//! `Encoder`: a graph in onnxruntime. Used by `Model`.

use half::f16;
use ort::environment::Environment;
use ort::session::{Session, SessionInputValue};
use ort::value::{Tensor, TensorElementType, ValueType};
use parking_lot::Mutex;

use super::{GraphInput, GraphOutput, RUNTIME, TokenEmbeddings, choose_output};
use crate::error::{EncodeError, ModelError};
use crate::layout::ModelFiles;
use crate::tokenizer::Tokens;

/// Runs one model. A session runs one text at a time, so there are as many sessions as encoding threads.
#[derive(Debug)]
pub(crate) struct Encoder {
    environment: &'static Environment,
    model: Vec<u8>,
    /// Sessions that are not in use.
    idle: Mutex<Vec<Session>>,
    /// The graph's inputs, and whether their numbers have 64 bits.
    inputs: Vec<(GraphInput, bool)>,
    output: String,
}

impl Encoder {
    /// Loads a model. `wanted` is the name of the output, if configured.
    ///
    /// # Errors
    /// Returns an error when the runtime refuses the graph, or it has other inputs or outputs.
    pub(crate) fn load(
        environment: &'static Environment,
        parts: &ModelFiles,
        wanted: Option<&str>,
    ) -> Result<Self, ModelError> {
        let file = &parts.model_file;
        let wrong = |reason: String| ModelError::Graph { file: file.clone(), runtime: RUNTIME, reason };
        let session = open(environment, &parts.model).map_err(|error| wrong(error.to_string()))?;
        let input = |outlet: &ort::value::Outlet| {
            let wide = !matches!(outlet.dtype(), ValueType::Tensor { ty: TensorElementType::Int32, .. });
            Ok((GraphInput::from_name(file, outlet.name())?, wide))
        };
        let inputs = session.inputs().iter().map(input).collect::<Result<Vec<_>, ModelError>>()?;
        let axes = |kind: &ValueType| match kind {
            ValueType::Tensor { shape, .. } => Some(shape.len()),
            _ => Some(0),
        };
        let outputs = session.outputs().iter();
        let outputs: Vec<_> =
            outputs.map(|outlet| GraphOutput { name: outlet.name().to_owned(), axes: axes(outlet.dtype()) }).collect();
        let output = outputs[choose_output(file, &outputs, wanted)?].name.clone();
        Ok(Self { environment, model: parts.model.clone(), idle: Mutex::new(vec![session]), inputs, output })
    }

    fn take_session(&self) -> Result<Session, EncodeError> {
        let idle = self.idle.lock().pop();
        idle.map_or_else(|| open(self.environment, &self.model).map_err(runtime_error), Ok)
    }

    /// Returns the name of the output that is used.
    pub(crate) fn output(&self) -> &str {
        &self.output
    }

    /// Returns the names of the inputs that are fed.
    pub(crate) fn inputs(&self) -> Vec<&'static str> {
        self.inputs.iter().map(|(input, _)| input.name()).collect()
    }

    /// Encodes one text on the current thread alone. Equal tokens give equal numbers, whatever else runs.
    ///
    /// # Errors
    /// Returns an error when the runtime fails.
    pub(crate) fn encode(&self, tokens: &Tokens) -> Result<TokenEmbeddings, EncodeError> {
        let shape = [1, tokens.ids.len()];
        let mut inputs: Vec<(&str, SessionInputValue<'_>)> = Vec::with_capacity(self.inputs.len());
        for &(input, wide) in &self.inputs {
            let value = if wide {
                Tensor::from_array((shape, input.values::<i64>(tokens)?)).map_err(runtime_error)?.into_dyn()
            } else {
                Tensor::from_array((shape, input.values::<i32>(tokens)?)).map_err(runtime_error)?.into_dyn()
            };
            inputs.push((input.name(), value.into()));
        }
        let mut session = self.take_session()?;
        let output = {
            let outputs = session.run(inputs).map_err(runtime_error)?;
            let output = outputs.get(&self.output).ok_or_else(|| EncodeError::Runtime("no output".to_owned()))?;
            let (shape, values) = match output.try_extract_tensor::<f16>() {
                Ok((shape, halves)) => (shape, halves.iter().map(|half| half.to_f32()).collect()),
                Err(_) => output
                    .try_extract_tensor::<f32>()
                    .map(|(shape, values)| (shape, values.to_vec()))
                    .map_err(runtime_error)?,
            };
            let shape: Vec<usize> = shape.iter().map(|&axis| usize::try_from(axis).unwrap_or(0)).collect();
            TokenEmbeddings::new(tokens.ids.len(), &shape, values)
        };
        self.idle.lock().push(session);
        output
    }
}

/// One thread each: a text has about ten tokens, whose multiplications are over before a second thread has woken up.
fn open(environment: &Environment, model: &[u8]) -> ort::Result<Session> {
    let builder = Session::builder(environment)?.with_intra_threads(1)?.with_inter_threads(1)?;
    // Its own log would go to stderr; failures are returned as errors.
    builder.with_log_level(ort::logging::LogLevel::Fatal)?.commit_from_memory(model)
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn runtime_error(error: ort::Error) -> EncodeError {
    EncodeError::Runtime(error.to_string())
}
