//! Running one neural network.

use std::{fmt::Display, sync::Arc};

use rten::{Model, RunOptions, ThreadPool};
use rten_tensor::{NdTensor, Tensor};

use crate::error::LocalError;

/// A loaded network with one input and one output.
pub(super) struct Network {
    model: Model,
    pool: Arc<ThreadPool>,
    stage: &'static str,
}

impl Network {
    /// Takes a loaded model; `stage` names it in errors.
    pub(super) const fn new(model: Model, pool: Arc<ThreadPool>, stage: &'static str) -> Self {
        Self { model, pool, stage }
    }

    /// Runs the network on planes of `[1, 3, height, width]` and returns its output of `N` dimensions.
    pub(super) fn run<const N: usize>(
        &self,
        input: NdTensor<f32, 4>,
    ) -> Result<NdTensor<f32, N>, LocalError> {
        let mut options = RunOptions::default();
        options.thread_pool = Some(Arc::clone(&self.pool));
        let output = self
            .model
            .run_one(input.into(), Some(options))
            .map_err(|error| self.failed(error))?;
        let output: Tensor<f32> = output.try_into().map_err(|error| self.failed(error))?;
        output
            .try_into()
            .map_err(|_| self.failed("the output has another number of dimensions"))
    }

    /// Makes the error of this network.
    pub(super) fn failed(&self, reason: impl Display) -> LocalError {
        LocalError::Inference {
            stage: self.stage,
            reason: reason.to_string(),
        }
    }
}
