//! A provider that answers what it was told to answer.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use eyes_evidence::image::{ImageLimits, admit};
use futures_core::Stream;
use tokio::time::sleep;

use crate::{
    codes,
    error::ProviderError,
    limits::PROBE_CELL,
    model::{
        ContentBlock, FinishReason, GenerateRequest, Modality, ModelSpec, StreamEvent, Task,
        TokenUsage,
    },
    ports::{BoxFuture, EventStream, ModelProvider},
    probe::COLOURS,
};

/// How one call is answered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Script {
    /// The call itself fails.
    Refuse(ProviderError),
    /// These events, then the end of the stream.
    Events(Vec<Result<StreamEvent, ProviderError>>),
    /// These events, then silence.
    Hang(Vec<StreamEvent>),
    /// The same as the inner one, after a wait on tokio's clock.
    After(Duration, Box<Self>),
}

impl Script {
    /// A complete answer, in two pieces where it can be cut.
    pub fn answer(text: &str) -> Self {
        Self::ending(text, TokenUsage::default(), FinishReason::Stop)
    }

    /// An answer with its tokens and its end.
    pub fn ending(text: &str, usage: TokenUsage, finish: FinishReason) -> Self {
        let middle = (0..=text.len() / 2)
            .rev()
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(0);
        let (head, tail) = text.split_at(middle);
        let mut events = vec![
            Ok(StreamEvent::TextDelta(head.to_owned())),
            Ok(StreamEvent::TextDelta(tail.to_owned())),
        ];
        if usage != TokenUsage::default() {
            events.push(Ok(StreamEvent::Usage(usage)));
        }
        events.push(Ok(StreamEvent::Finish(finish)));
        Self::Events(events)
    }

    /// The same after a wait.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self::After(wait, Box::new(self))
    }
}

/// A [`ModelProvider`] that gives one [`Script`] a call, in order, and remembers the requests.
///
/// When the scripts are used up, the last one is given again. Pixel probes are answered by looking at the
/// picture, and are not among the requests, unless they have scripts of their own.
#[derive(Debug)]
pub struct ScriptedProvider {
    id: String,
    models: Vec<ModelSpec>,
    scripts: Mutex<VecDeque<Script>>,
    probe_scripts: Mutex<VecDeque<Script>>,
    requests: Mutex<Vec<GenerateRequest>>,
    probes: Mutex<Vec<GenerateRequest>>,
    listing: Mutex<Listing>,
    open_streams: Arc<AtomicUsize>,
}

#[derive(Debug, Default)]
struct Listing {
    wait: Duration,
    failure: Option<ProviderError>,
    count: usize,
}

impl ScriptedProvider {
    /// Makes a provider `id` with one model `model` that accepts text and images.
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
            probe_scripts: Mutex::default(),
            requests: Mutex::default(),
            probes: Mutex::default(),
            listing: Mutex::default(),
            open_streams: Arc::default(),
        }
    }

    /// Replaces the models.
    #[must_use]
    pub fn with_models(mut self, models: Vec<ModelSpec>) -> Self {
        self.models = models;
        self
    }

    /// Answers pixel probes by scripts, the last one again and again.
    #[must_use]
    pub fn with_probes(self, scripts: impl IntoIterator<Item = Script>) -> Self {
        *locked(&self.probe_scripts) = scripts.into_iter().collect();
        self
    }

    /// Lets each listing take this long on tokio's clock.
    #[must_use]
    pub fn with_listing_time(self, wait: Duration) -> Self {
        locked(&self.listing).wait = wait;
        self
    }

    /// Lets listings fail from now on, or work again.
    pub fn fail_listings(&self, failure: Option<ProviderError>) {
        locked(&self.listing).failure = failure;
    }

    /// Returns how many times the models were listed.
    pub fn listings(&self) -> usize {
        locked(&self.listing).count
    }

    /// Returns the requests so far, oldest first.
    pub fn requests(&self) -> Vec<GenerateRequest> {
        locked(&self.requests).clone()
    }

    /// Returns the pixel probes so far, oldest first.
    pub fn probes(&self) -> Vec<GenerateRequest> {
        locked(&self.probes).clone()
    }

    /// Returns how many streams were handed out and not yet dropped.
    pub fn open_streams(&self) -> usize {
        self.open_streams.load(Ordering::SeqCst)
    }

    /// Remembers the request and returns its script.
    fn take(&self, request: GenerateRequest) -> Option<Script> {
        if request.task != Task::Probe {
            locked(&self.requests).push(request);
            return next(&mut locked(&self.scripts));
        }
        let seen = colours(&request);
        locked(&self.probes).push(request);
        let scripted = next(&mut locked(&self.probe_scripts));
        scripted.or_else(|| Some(Script::answer(&seen?)))
    }

    fn stream(&self, events: Vec<Result<StreamEvent, ProviderError>>, hangs: bool) -> EventStream {
        self.open_streams.fetch_add(1, Ordering::SeqCst);
        Box::pin(ScriptedStream {
            events: events.into(),
            hangs,
            open: Arc::clone(&self.open_streams),
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn next(scripts: &mut VecDeque<Script>) -> Option<Script> {
    if scripts.len() > 1 {
        scripts.pop_front()
    } else {
        scripts.front().cloned()
    }
}

/// Names the colours in the middles of the nine cells.
fn colours(request: &GenerateRequest) -> Option<String> {
    let content = request.messages.iter().flat_map(|message| &message.content);
    let image = content.into_iter().find_map(|block| match block {
        ContentBlock::Image(image) => Some(image),
        _ => None,
    })?;
    let image = admit(Arc::clone(&image.bytes), &ImageLimits::default()).ok()?;
    let mut names = Vec::new();
    for cell in 0..9_u32 {
        let (x, y) = (cell % 3, cell / 3);
        let middle = PROBE_CELL / 2;
        let row = image.raster().row(y * PROBE_CELL + middle);
        let at = (x * PROBE_CELL + middle) as usize * 3;
        let colour = COLOURS
            .iter()
            .find(|colour| row[at..at + 3] == colour.rgb)?;
        names.push(colour.name);
    }
    Some(format!("{{\"cells\":{names:?}}}"))
}

impl ModelProvider for ScriptedProvider {
    fn id(&self) -> &str {
        &self.id
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelSpec>, ProviderError>> {
        Box::pin(async move {
            let wait = {
                let mut listing = locked(&self.listing);
                listing.count += 1;
                listing.wait
            };
            if !wait.is_zero() {
                sleep(wait).await;
            }
            match &locked(&self.listing).failure {
                Some(failure) => Err(failure.clone()),
                None => Ok(self.models.clone()),
            }
        })
    }

    fn generate(
        &self,
        request: GenerateRequest,
    ) -> BoxFuture<'_, Result<EventStream, ProviderError>> {
        Box::pin(async move {
            let name = request.model.clone();
            if !self.models.iter().any(|model| model.id == name) {
                let message = format!("no model {name}");
                return Err(ProviderError::new(codes::VISION_ROUTE_ERROR, message));
            }
            let mut script = self.take(request);
            loop {
                match script {
                    Some(Script::After(wait, then)) => {
                        sleep(wait).await;
                        script = Some(*then);
                    }
                    Some(Script::Events(events)) => return Ok(self.stream(events, false)),
                    Some(Script::Hang(events)) => {
                        return Ok(self.stream(events.into_iter().map(Ok).collect(), true));
                    }
                    Some(Script::Refuse(error)) => return Err(error),
                    None => {
                        let message = "no script is left";
                        return Err(ProviderError::new(codes::VISION_MODEL_FAILED, message));
                    }
                }
            }
        })
    }
}

struct ScriptedStream {
    events: VecDeque<Result<StreamEvent, ProviderError>>,
    hangs: bool,
    open: Arc<AtomicUsize>,
}

impl Stream for ScriptedStream {
    type Item = Result<StreamEvent, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.events.pop_front() {
            None if self.hangs => Poll::Pending,
            event => Poll::Ready(event),
        }
    }
}

impl Drop for ScriptedStream {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}
