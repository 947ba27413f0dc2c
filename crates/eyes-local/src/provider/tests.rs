use std::{
    future::Future,
    pin::pin,
    sync::{Arc, mpsc},
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use eyes_evidence::{
    geometry::{NormalizedBbox, PixelSize},
    image::{ImageLimits, admit},
    raster::Rgb8,
    record::Evidence,
};
use eyes_router::{
    error::ProviderError,
    model::{
        ContentBlock, FinishReason, GenerateRequest, ImageInput, Message, Role, StreamEvent, Task,
    },
    ports::{EventStream, ModelProvider},
    probe::PixelProbe,
    route::Route,
    testing::model_provider_contract,
};

use super::{LocalProvider, Readings, document, job};
use crate::{
    abort::AbortFlag,
    config::{Detail, LocalConfig, ModelTier},
    engine::{LocalReader, Reading},
    models::SMALL,
};

const PAGE: &[u8] = include_bytes!("../testdata/page.png");

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future on this thread.
fn wait<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        thread::park();
    }
}

fn next(stream: &mut EventStream) -> Option<Result<StreamEvent, ProviderError>> {
    wait(std::future::poll_fn(|context| {
        stream.as_mut().poll_next(context)
    }))
}

fn provider() -> LocalProvider {
    LocalProvider::new(
        LocalConfig::default(),
        Detail::Standard,
        ImageLimits::default(),
    )
}

fn image(bytes: &[u8]) -> ContentBlock {
    let image = admit(bytes, &ImageLimits::default()).unwrap();
    ContentBlock::Image(ImageInput {
        bytes: Arc::clone(image.bytes()),
        identity: image.identity().clone(),
    })
}

fn request(task: Task, content: Vec<ContentBlock>) -> GenerateRequest {
    GenerateRequest {
        model: "eyes-tiny".to_owned(),
        system: None,
        messages: vec![Message {
            role: Role::User,
            content,
        }],
        max_output_tokens: None,
        temperature: None,
        task,
        tools: Arc::default(),
    }
}

fn answer(provider: &LocalProvider, task: Task) -> String {
    let mut stream = wait(provider.generate(request(task, vec![image(PAGE)]))).unwrap();
    let Some(Ok(StreamEvent::TextDelta(text))) = next(&mut stream) else {
        panic!("the answer comes first");
    };
    let end = next(&mut stream);
    assert_eq!(end, Some(Ok(StreamEvent::Finish(FinishReason::Stop))));
    assert_eq!(next(&mut stream), None);
    text
}

#[test]
fn answers_an_overview_and_a_question_with_valid_evidence() {
    let provider = provider();
    let first = answer(&provider, Task::Base);
    let Evidence::Base(base) = serde_json::from_str(&first).unwrap() else {
        panic!("an overview is base evidence");
    };
    let texts: Vec<&str> = base.ocr.iter().map(|entry| entry.text.as_str()).collect();
    assert!(texts.contains(&"Network settings"), "{texts:?}");
    assert_eq!(
        first,
        answer(&provider, Task::Base),
        "the same image, the same answer"
    );

    let region = NormalizedBbox::new(0.0, 0.1, 1.0, 0.1).unwrap();
    let task = Task::Target {
        question: "What does the text say?".to_owned(),
        region: Some(region),
    };
    let Evidence::Target(target) = serde_json::from_str(&answer(&provider, task)).unwrap() else {
        panic!("an answer is target evidence");
    };
    assert!(
        target
            .ocr
            .iter()
            .any(|entry| entry.text.as_str().starts_with("Connection refused"))
    );
}

#[test]
fn keeps_the_promises_of_a_model_provider() {
    let request = request(Task::Base, vec![image(PAGE)]);
    wait(model_provider_contract(&provider(), request));
}

#[test]
fn names_the_cells_of_any_pixel_probe() {
    let provider = provider();
    let route = Route::new("local", "eyes-tiny").unwrap();
    for seed in [0, 1, 362_879, 123_456_789] {
        let probe = PixelProbe::shuffled(seed);
        let mut stream = wait(provider.generate(probe.request(&route).unwrap())).unwrap();
        let Some(Ok(StreamEvent::TextDelta(text))) = next(&mut stream) else {
            panic!("the answer comes first");
        };
        let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            answer["cells"],
            serde_json::json!(probe.cells()),
            "seed {seed}"
        );
    }
}

#[test]
fn what_is_no_probe_gets_no_names() {
    assert_eq!(answer(&provider(), Task::Probe), r#"{"cells":[]}"#);
    let names = [
        "red", "green", "blue", "yellow", "cyan", "magenta", "black", "white", "gray",
    ];
    let text = document::probe(Some(names));
    assert!(text.starts_with(r#"{"cells":["red","green","#), "{text}");
}

#[test]
fn refuses_requests_that_it_cannot_look_at() {
    let provider = provider();
    let code = |request| {
        wait(provider.generate(request))
            .err()
            .unwrap()
            .code
            .as_str()
    };
    let text = || ContentBlock::Text("hello".to_owned());
    assert_eq!(
        code(request(Task::Base, vec![text()])),
        "LOCAL_REQUEST_INVALID"
    );
    let two = vec![image(PAGE), text(), image(PAGE)];
    assert_eq!(code(request(Task::Base, two)), "LOCAL_REQUEST_INVALID");
    let answer = request(Task::Answer, vec![image(PAGE), text()]);
    assert_eq!(code(answer), "LOCAL_REQUEST_INVALID");
    let mut other = request(Task::Base, vec![image(PAGE)]);
    other.model = "eyes-small".to_owned();
    assert_eq!(code(other), "LOCAL_REQUEST_INVALID");
}

#[test]
fn bytes_that_are_no_image_fail_with_the_code_of_admission() {
    let ContentBlock::Image(mut input) = image(PAGE) else {
        panic!("an image block");
    };
    input.bytes = Arc::from(&b"no image at all"[..]);
    let request = request(Task::Base, vec![ContentBlock::Image(input)]);
    let mut stream = wait(provider().generate(request)).unwrap();
    let error = next(&mut stream).unwrap().unwrap_err();
    assert_eq!(error.code.as_str(), "UNSUPPORTED_IMAGE_TYPE");
    assert_eq!(next(&mut stream), None);
}

#[test]
fn lists_one_model_for_each_tier() {
    let provider = provider().with_model(LocalConfig::default());
    let models = wait(provider.models()).unwrap();
    let revision = models[0].revision.as_deref().unwrap();
    assert!(revision.ends_with("-standard"), "{revision}");
    assert_eq!(provider.id(), "local");
    assert_eq!(
        models
            .iter()
            .map(|model| model.id.as_str())
            .collect::<Vec<_>>(),
        ["eyes-tiny"]
    );
}

#[test]
fn weights_are_looked_at_when_something_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let small = LocalConfig {
        tier: ModelTier::Small(directory.path().to_owned()),
        threads: None,
    };
    let provider = LocalProvider::new(small, Detail::Standard, ImageLimits::default());
    let models = wait(provider.models()).unwrap();
    assert_eq!(models[0].id, "eyes-small");
    let first = |task| {
        let request = GenerateRequest {
            model: "eyes-small".to_owned(),
            ..request(task, vec![image(PAGE)])
        };
        let mut stream = wait(provider.generate(request)).unwrap();
        next(&mut stream).unwrap()
    };
    first(Task::Probe).expect("a probe takes no weights");
    let code = || first(Task::Base).unwrap_err().code.as_str();
    assert_eq!(code(), "LOCAL_MODEL_MISSING");
    std::fs::write(directory.path().join(SMALL.detection.name), b"short").unwrap();
    assert_eq!(code(), "LOCAL_MODEL_MISMATCH", "each reading looks anew");
}

#[test]
fn dropping_the_stream_stops_the_work() {
    let (send, receive) = mpsc::channel();
    let (started, start) = mpsc::channel();
    let stream = job::spawn(move |abort| {
        started.send(()).unwrap();
        while !abort.is_aborted() {
            thread::yield_now();
        }
        send.send("stopped").unwrap();
        Ok(String::new())
    })
    .unwrap();
    start.recv().unwrap();
    drop(stream);
    assert_eq!(receive.recv(), Ok("stopped"));
}

#[test]
fn work_that_panics_ends_the_stream_with_a_failure() {
    let mut stream = job::spawn(|_| panic!("on purpose")).unwrap();
    let error = next(&mut stream).unwrap().unwrap_err();
    assert_eq!(error.code.as_str(), "LOCAL_READ_FAILED");
    assert_eq!(next(&mut stream), None);
}

#[test]
fn the_longest_unused_reading_makes_room() {
    let mut readings = Readings::default();
    let key = |n: u8| (eyes_evidence::digest::Sha256Digest::of(&[n]), "eyes-tiny");
    for n in 0..8 {
        readings.insert(key(n), Arc::new(Reading::default()));
    }
    assert!(readings.get(&key(0)).is_some());
    readings.insert(key(8), Arc::new(Reading::default()));
    assert!(readings.get(&key(1)).is_none());
    assert!(readings.get(&key(0)).is_some() && readings.get(&key(8)).is_some());
}

#[test]
fn what_could_not_be_read_is_said() {
    let size = PixelSize {
        width: 100,
        height: 100,
    };
    let blank = Rgb8::new(size, vec![255; 30_000]).unwrap();
    let reader = LocalReader::new(LocalConfig::default()).unwrap();
    let mut reading = reader
        .read(&blank, Detail::Standard, &AbortFlag::new())
        .unwrap();
    let place = eyes_evidence::geometry::PixelRect {
        x: 3,
        y: 4,
        width: 5,
        height: 6,
    };
    reading.unread = vec![place; 12];
    reading.skipped = 7;
    let text = document::base(&blank, &reading).unwrap();
    assert_eq!(
        text.matches("at x 3, y 4, 5 x 6 px could not be read")
            .count(),
        10
    );
    assert!(
        text.contains("2 further places") && text.contains("7 lines of text"),
        "{text}"
    );
}
