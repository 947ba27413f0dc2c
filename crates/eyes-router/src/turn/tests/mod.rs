mod automation;
mod bridged;
mod failures;
mod looks;
mod native;
mod prefix;
mod session;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use eyes_evidence::{
    code::Coded as _,
    digest::Sha256Digest,
    geometry::PixelSize,
    image::{ImageLimits, MediaType},
    raster::{
        Rgb8,
        encode::{PngEffort, encode_png},
    },
    record::EvidenceKind,
    store::{EvidenceStore, MemoryStore, StoreBounds},
};
use eyes_usage::{
    category::{CallCategory, Counter},
    event::UsageEntry,
    testing::MemoryUsage,
};

use super::*;
use crate::{
    codes,
    config::{TurnConfig, TurnSettings, VisionConfig, VisionSettings},
    error::ProviderError,
    model::{
        ContentBlock, FinishReason, Modality, ModelSpec, Role, StreamEvent, TokenUsage, ToolCall,
        ToolResult, ToolSpec,
    },
    ports::{AttachmentSource, BoxFuture, ModelProvider},
    testing::{CountingRandom, FixedClock, Script, ScriptedProvider, common_prefix, transcript},
    vision::{ReaderPorts, VisionReader, example},
};

/// The images of a host: real PNG files by id.
#[derive(Debug, Default)]
struct Album {
    files: Mutex<BTreeMap<String, Arc<[u8]>>>,
    reads: Mutex<Vec<String>>,
}

impl Album {
    fn put(&self, id: &str, shade: u8) -> Sha256Digest {
        let size = PixelSize {
            width: 8,
            height: 6,
        };
        let raster = Rgb8::new(size, vec![shade; 8 * 6 * 3]).expect("pixels");
        let bytes = encode_png(&raster, PngEffort::Fast).expect("a file");
        let sha256 = Sha256Digest::of(&bytes);
        self.files
            .lock()
            .unwrap()
            .insert(id.to_owned(), bytes.into());
        sha256
    }

    fn reads(&self) -> usize {
        self.reads.lock().unwrap().len()
    }
}

impl AttachmentSource for Album {
    fn read<'a>(
        &'a self,
        attachment: &'a Attachment,
    ) -> BoxFuture<'a, Result<Arc<[u8]>, AttachmentError>> {
        Box::pin(async move {
            self.reads.lock().unwrap().push(attachment.id.clone());
            let files = self.files.lock().unwrap();
            files.get(&attachment.id).cloned().ok_or(AttachmentError {
                message: "it is gone".to_owned(),
            })
        })
    }
}

/// A final model `final/text` or `final/sees`, an eye `eye/eye`, and the engine over both.
struct World {
    engine: TurnEngine,
    last: Arc<ScriptedProvider>,
    eye: Arc<ScriptedProvider>,
    album: Arc<Album>,
    usage: Arc<MemoryUsage>,
    store: Arc<dyn EvidenceStore>,
}

struct Setup {
    last: ScriptedProvider,
    eye: ScriptedProvider,
    settings: TurnSettings,
    active_probe: bool,
    window: Option<u32>,
}

fn spec(id: &str, input: &[Modality], context_window: Option<u32>) -> ModelSpec {
    ModelSpec {
        context_window,
        ..ModelSpec::new(id, input)
    }
}

fn setup(answers: impl IntoIterator<Item = Script>) -> Setup {
    Setup {
        last: ScriptedProvider::new("final", "text", answers),
        eye: ScriptedProvider::new("eye", "eye", [Script::answer(example(EvidenceKind::Base))]),
        settings: TurnSettings::default(),
        active_probe: false,
        window: None,
    }
}

impl Setup {
    fn eye(mut self, scripts: impl IntoIterator<Item = Script>) -> Self {
        self.eye = ScriptedProvider::new("eye", "eye", scripts);
        self
    }

    fn settings(mut self, change: impl FnOnce(&mut TurnSettings)) -> Self {
        change(&mut self.settings);
        self
    }

    fn build(self) -> World {
        self.build_over(Arc::new(MemoryStore::new(StoreBounds::default())))
    }

    fn build_over(self, store: Arc<dyn EvidenceStore>) -> World {
        let last = self.last.with_models(vec![
            spec("text", &[Modality::Text], self.window),
            spec("sees", &[Modality::Text, Modality::Image], self.window),
        ]);
        let (last, eye) = (Arc::new(last), Arc::new(self.eye));
        let providers: [Arc<dyn ModelProvider>; 2] =
            [Arc::clone(&last) as _, Arc::clone(&eye) as _];
        let ports = ReaderPorts::new(
            providers,
            Arc::new(FixedClock),
            Arc::new(CountingRandom::default()),
        );
        let vision = VisionSettings {
            vision_route_priority: vec!["eye/eye".parse().unwrap()],
            auto_detect_vision: false,
            active_probe: self.active_probe,
            ..VisionSettings::default()
        };
        let reader = VisionReader::new(
            ports.with_store(Some(Arc::clone(&store))),
            VisionConfig::from_settings(vision).unwrap(),
        );
        let album = Arc::new(Album::default());
        let usage = Arc::new(MemoryUsage::new(10_000));
        let ports = TurnPorts {
            reader: Arc::new(reader),
            attachments: Arc::clone(&album) as _,
            usage: Arc::clone(&usage) as _,
            clock: Arc::new(FixedClock),
        };
        World {
            engine: TurnEngine::new(
                ports,
                TurnConfig::from_settings(self.settings).unwrap(),
                ImageLimits::default(),
                MarkerKey::new([3; 32]),
            ),
            last,
            eye,
            album,
            usage,
            store,
        }
    }
}

impl World {
    async fn turn(
        &self,
        request: &TurnRequest,
    ) -> (Vec<StreamEvent>, Result<TurnReport, Box<TurnFailure>>) {
        let mut events = Vec::new();
        let mut listener = |event| events.push(event);
        let result = self.engine.answer(request, &mut listener).await;
        (events, result)
    }

    /// Returns the text of the answer.
    async fn said(&self, request: &TurnRequest) -> (String, TurnReport) {
        let (events, result) = self.turn(request).await;
        (text_of(&events), result.expect("an answer"))
    }

    /// Returns the code of the failure.
    async fn fails(&self, request: &TurnRequest) -> (&'static str, Box<TurnFailure>) {
        let (_, result) = self.turn(request).await;
        let failure = result.expect_err("no answer");
        (failure.code().as_str(), failure)
    }

    /// What the final model was sent, call by call, as text.
    fn sent(&self) -> Vec<String> {
        self.last.requests().iter().map(transcript).collect()
    }

    fn count(&self, counter: Counter) -> u64 {
        let events = self.usage.events();
        events
            .iter()
            .map(|event| match &event.entry {
                UsageEntry::Count { counter: at, by } if *at == counter => *by,
                _ => 0,
            })
            .sum()
    }

    fn booked(&self, category: CallCategory) -> Vec<u64> {
        let events = self.usage.events();
        events
            .iter()
            .filter_map(|event| match &event.entry {
                UsageEntry::Call {
                    category: at,
                    tokens,
                    ..
                } if *at == category => Some(tokens.unwrap_or_default().input),
                _ => None,
            })
            .collect()
    }

    fn booked_final(&self) -> Vec<u64> {
        let events = self.usage.events();
        events
            .iter()
            .filter_map(|event| match &event.entry {
                UsageEntry::Final { tokens, .. } => Some(tokens.unwrap_or_default().input),
                _ => None,
            })
            .collect()
    }
}

fn text_of(events: &[StreamEvent]) -> String {
    events
        .iter()
        .filter_map(|event| match event {
            StreamEvent::TextDelta(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

fn request(route: &str, messages: Vec<TurnMessage>) -> TurnRequest {
    TurnRequest {
        session: Some("session".to_owned()),
        route: route.parse().unwrap(),
        system: Some("Be brief.".to_owned()),
        messages,
        tools: Arc::default(),
        max_output_tokens: None,
        temperature: None,
    }
}

fn text(text: &str) -> ContentBlock<Attachment> {
    ContentBlock::Text(text.to_owned())
}

fn picture(id: &str) -> ContentBlock<Attachment> {
    ContentBlock::Image(Attachment {
        id: id.to_owned(),
        media_type: MediaType::Png,
        bytes: 0,
        size: None,
        name: None,
    })
}

fn message(role: Role, content: Vec<ContentBlock<Attachment>>) -> TurnMessage {
    TurnMessage {
        id: None,
        origin: Origin::Direct,
        role,
        content,
    }
}

fn user(content: Vec<ContentBlock<Attachment>>) -> TurnMessage {
    message(Role::User, content)
}

fn assistant(said: &str) -> TurnMessage {
    message(Role::Assistant, vec![text(said)])
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    }
}

fn result(id: &str, content: Vec<ContentBlock<Attachment>>) -> TurnMessage {
    let result = ToolResult {
        call_id: id.to_owned(),
        tool_name: None,
        is_error: false,
        content,
    };
    message(Role::User, vec![ContentBlock::ToolResult(result)])
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: "Does something.".to_owned(),
        parameters: serde_json::json!({"type": "object"}),
    }
}

fn tokens(input: u64) -> TokenUsage {
    TokenUsage {
        input,
        output: 1,
        ..TokenUsage::default()
    }
}

/// An answer that used `input` tokens.
fn costing(text: &str, input: u64) -> Script {
    Script::ending(text, tokens(input), FinishReason::Stop)
}

fn calling(calls: &[ToolCall]) -> Script {
    Script::calling("", calls.iter().cloned())
}

fn control(sha256: Sha256Digest, question: &str) -> String {
    format!(
        "<deepseekeyes-request>{{\"imageSha256\":\"{sha256}\",\"question\":\"{question}\"}}</deepseekeyes-request>"
    )
}

fn target() -> Script {
    Script::ending(example(EvidenceKind::Target), tokens(7), FinishReason::Stop)
}
