//! What this crate needs from outside.

use std::{fmt, pin::Pin, sync::Arc};

pub use eyes_evidence::ports::{BoxFuture, Clock, RandomSource};
use futures_core::Stream;

use crate::{
    attempts::AttemptEvent,
    error::ProviderError,
    model::{GenerateRequest, ImageInput, ModelSpec, StreamEvent},
    turn::{Attachment, AttachmentError},
    vision::Draft,
};

/// A streamed answer. Dropping it stops the work behind it.
pub type EventStream = Pin<Box<dyn Stream<Item = Result<StreamEvent, ProviderError>> + Send>>;

/// A place where models are found and asked.
///
/// An implementer declares for each model what input it accepts, ends every good stream with
/// [`StreamEvent::Finish`], never retries on its own, and stops working when the stream is dropped.
pub trait ModelProvider: fmt::Debug + Send + Sync {
    /// Returns the provider's id, unique in one configuration, without a slash.
    fn id(&self) -> &str;

    /// Tells whether this is a reader on this machine that looks at the original's own pixels, and no language model.
    ///
    /// It needs no crop of a region, and comes last among the routes that are found and not named.
    fn is_local(&self) -> bool {
        false
    }

    /// Lists the models.
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelSpec>, ProviderError>>;

    /// Starts one answer.
    fn generate(
        &self,
        request: GenerateRequest,
    ) -> BoxFuture<'_, Result<EventStream, ProviderError>>;
}

/// Looks at an answer before it is sealed.
///
/// A check adds what it found to the draft, as uncertainties; it takes nothing away and never fails a reading.
pub trait EvidenceCheck: fmt::Debug + Send + Sync {
    /// Examines the draft that was read from `image`.
    fn examine<'a>(&'a self, image: &'a ImageInput, draft: &'a mut Draft) -> BoxFuture<'a, ()>;
}

/// Who is told of attempts.
///
/// Recording never fails and never waits: what cannot be taken at once is the sink's loss, to be counted there.
pub trait AttemptSink: fmt::Debug + Send + Sync {
    /// Takes note of one event.
    fn record(&self, event: &AttemptEvent);
}

/// Where the bytes of a session's images are.
pub trait AttachmentSource: fmt::Debug + Send + Sync {
    /// Reads the original bytes of an attachment; they are the same for one id.
    fn read<'a>(
        &'a self,
        attachment: &'a Attachment,
    ) -> BoxFuture<'a, Result<Arc<[u8]>, AttachmentError>>;
}
