//! A provider that answers what it was told to answer.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use eyes_evidence::image::{ImageLimits, admit};
use futures_core::Stream;
use tokio::time::{Sleep, sleep};

use crate::{
    codes,
    error::ProviderError,
    limits::PROBE_CELL,
    model::{
        ContentBlock, FinishReason, GenerateRequest, Modality, ModelSpec, StreamEvent, Task,
        TokenUsage, ToolCall,
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
    /// The same as the inner one, with a wait on tokio's clock before each event.
    Paced(Duration, Box<Self>),
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

    /// An answer that calls tools, after what it says.
    pub fn calling(text: &str, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        let said = StreamEvent::TextDelta(text.to_owned());
        let mut events: Vec<_> = Some(said)
            .filter(|_| !text.is_empty())
            .into_iter()
            .collect();
        events.extend(calls.into_iter().map(StreamEvent::ToolCall));
        events.push(StreamEvent::Finish(FinishReason::ToolCalls));
        Self::Events(events.into_iter().map(Ok).collect())
    }

    /// The same with a wait before each event.
    #[must_use]
    pub fn paced(self, wait: Duration) -> Self {
        Self::Paced(wait, Box::new(self))
    }

    /// The same after a wait.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self::After(wait, Box::new(self))
    }
}

/// A [`ModelProvider`] that gives one [`Script`] a call, in order, and remembers the requests.
///
/// When the scripts are used up, the last one is given again. Final answers ([`Task::Answer`]) can have scripts of
/// their own. Pixel probes are answered by looking at the picture, unless they have scripts of their own, and are
/// not among the requests.
#[derive(Debug)]
pub struct ScriptedProvider {
    id: String,
    models: Vec<ModelSpec>,
    scripts: Mutex<VecDeque<Script>>,
    answer_scripts: Mutex<VecDeque<Script>>,
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
            models: vec![ModelSpec::new(model, [Modality::Text, Modality::Image])],
            scripts: Mutex::new(scripts.into_iter().collect()),
            answer_scripts: Mutex::default(),
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

    /// Gives final answers by scripts of their own, the last one again and again.
    #[must_use]
    pub fn with_answers(self, scripts: impl IntoIterator<Item = Script>) -> Self {
        *locked(&self.answer_scripts) = scripts.into_iter().collect();
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

    /// Returns the requests for final answers so far, oldest first.
    pub fn answers(&self) -> Vec<GenerateRequest> {
        let requests = locked(&self.requests);
        let answers = requests
            .iter()
            .filter(|request| request.task == Task::Answer);
        answers.cloned().collect()
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
            let is_answer = request.task == Task::Answer;
            locked(&self.requests).push(request);
            let own = is_answer.then(|| next(&mut locked(&self.answer_scripts)));
            return own.flatten().or_else(|| next(&mut locked(&self.scripts)));
        }
        let seen = colours(&request);
        locked(&self.probes).push(request);
        let scripted = next(&mut locked(&self.probe_scripts));
        scripted.or_else(|| Some(Script::answer(&seen?)))
    }

    fn stream(&self, events: VecDeque<Event>, hangs: bool, pace: Duration) -> EventStream {
        self.open_streams.fetch_add(1, Ordering::SeqCst);
        Box::pin(ScriptedStream {
            events,
            hangs,
            pace,
            wait: None,
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
            let mut pace = Duration::ZERO;
            loop {
                match script {
                    Some(Script::After(wait, then)) => {
                        sleep(wait).await;
                        script = Some(*then);
                    }
                    Some(Script::Paced(wait, then)) => {
                        pace = wait;
                        script = Some(*then);
                    }
                    Some(Script::Events(events)) => {
                        return Ok(self.stream(events.into(), false, pace));
                    }
                    Some(Script::Hang(events)) => {
                        let events = events.into_iter().map(Ok).collect();
                        return Ok(self.stream(events, true, pace));
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

type Event = Result<StreamEvent, ProviderError>;

struct ScriptedStream {
    events: VecDeque<Event>,
    hangs: bool,
    /// The wait before each event.
    pace: Duration,
    wait: Option<Pin<Box<Sleep>>>,
    open: Arc<AtomicUsize>,
}

impl Stream for ScriptedStream {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        if self.events.is_empty() {
            return if self.hangs {
                Poll::Pending
            } else {
                Poll::Ready(None)
            };
        }
        if !self.pace.is_zero() {
            let pace = self.pace;
            let wait = self.wait.get_or_insert_with(|| Box::pin(sleep(pace)));
            ready!(wait.as_mut().poll(context));
            self.wait = None;
        }
        Poll::Ready(self.events.pop_front())
    }
}

impl Drop for ScriptedStream {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}
