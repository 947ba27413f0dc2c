//! A provider that answers what it was told to answer.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use futures_core::Stream;

use crate::{
    codes,
    error::ProviderError,
    model::{FinishReason, GenerateRequest, Modality, ModelSpec, StreamEvent},
    ports::{BoxFuture, EventStream, ModelProvider},
};

/// How one call is answered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Script {
    /// The call itself fails.
    Refuse(ProviderError),
    /// These events, then the end of the stream.
    Events(Vec<Result<StreamEvent, ProviderError>>),
}

impl Script {
    /// A complete answer, in two pieces where it can be cut.
    pub fn answer(text: &str) -> Self {
        let middle = (0..=text.len() / 2)
            .rev()
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(0);
        let (head, tail) = text.split_at(middle);
        Self::Events(vec![
            Ok(StreamEvent::TextDelta(head.to_owned())),
            Ok(StreamEvent::TextDelta(tail.to_owned())),
            Ok(StreamEvent::Finish(FinishReason::Stop)),
        ])
    }
}

/// A [`ModelProvider`] that gives one [`Script`] a call, in order, and remembers the requests.
///
/// When the scripts are used up, the last one is given again.
#[derive(Debug)]
pub struct ScriptedProvider {
    id: String,
    models: Vec<ModelSpec>,
    scripts: Mutex<VecDeque<Script>>,
    requests: Mutex<Vec<GenerateRequest>>,
    open_streams: Arc<AtomicUsize>,
}

impl ScriptedProvider {
    /// Makes a provider `id` with one model `model` that accepts images.
    pub fn new(id: &str, model: &str, scripts: impl IntoIterator<Item = Script>) -> Self {
        Self {
            id: id.to_owned(),
            models: vec![ModelSpec {
                id: model.to_owned(),
                input: vec![Modality::Text, Modality::Image],
                context_window: None,
                default_max_output: None,
                revision: None,
            }],
            scripts: Mutex::new(scripts.into_iter().collect()),
            requests: Mutex::new(Vec::new()),
            open_streams: Arc::default(),
        }
    }

    /// Replaces the models.
    #[must_use]
    pub fn with_models(mut self, models: Vec<ModelSpec>) -> Self {
        self.models = models;
        self
    }

    /// Returns the requests so far, oldest first.
    pub fn requests(&self) -> Vec<GenerateRequest> {
        self.requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns how many streams were handed out and not yet dropped.
    pub fn open_streams(&self) -> usize {
        self.open_streams.load(Ordering::SeqCst)
    }

    fn next_script(&self) -> Option<Script> {
        let mut scripts = self.scripts.lock().unwrap_or_else(PoisonError::into_inner);
        if scripts.len() > 1 {
            scripts.pop_front()
        } else {
            scripts.front().cloned()
        }
    }
}

impl ModelProvider for ScriptedProvider {
    fn id(&self) -> &str {
        &self.id
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelSpec>, ProviderError>> {
        let models = self.models.clone();
        Box::pin(async move { Ok(models) })
    }

    fn generate(
        &self,
        request: GenerateRequest,
    ) -> BoxFuture<'_, Result<EventStream, ProviderError>> {
        Box::pin(async move {
            let known = self.models.iter().any(|model| model.id == request.model);
            let name = request.model.clone();
            self.requests
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(request);
            if !known {
                let message = format!("no model {name}");
                return Err(ProviderError::new(codes::VISION_ROUTE_ERROR, message));
            }
            match self.next_script() {
                Some(Script::Events(events)) => {
                    self.open_streams.fetch_add(1, Ordering::SeqCst);
                    let stream: EventStream = Box::pin(ScriptedStream {
                        events: events.into(),
                        open: Arc::clone(&self.open_streams),
                    });
                    Ok(stream)
                }
                Some(Script::Refuse(error)) => Err(error),
                None => Err(ProviderError::new(
                    codes::VISION_MODEL_FAILED,
                    "no script is left",
                )),
            }
        })
    }
}

struct ScriptedStream {
    events: VecDeque<Result<StreamEvent, ProviderError>>,
    open: Arc<AtomicUsize>,
}

impl Stream for ScriptedStream {
    type Item = Result<StreamEvent, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.events.pop_front())
    }
}

impl Drop for ScriptedStream {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}
