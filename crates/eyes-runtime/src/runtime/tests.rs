use eyes_evidence::{
    code::{Coded as _, ErrorCode},
    geometry::PixelSize,
    raster::{
        Rgb8,
        encode::{PngEffort, encode_png},
    },
    record::EvidenceKind,
};
use eyes_router::{
    codes::{INVALID_VISION_REQUEST, NO_VISION_MODEL},
    ports::ModelProvider,
    testing::{CountingRandom, FixedClock, Script, ScriptedProvider},
    vision::example,
};

use super::*;
#[cfg(feature = "local")]
use crate::local::LocalEyes;
use crate::{Executor, codes, environment::Platform};

fn png() -> Vec<u8> {
    let size = PixelSize {
        width: 20,
        height: 10,
    };
    let raster = Rgb8::new(size, vec![9; 600]).expect("20 x 10 pixels");
    encode_png(&raster, PngEffort::Fast).expect("a picture")
}

fn runtime(kind: EvidenceKind) -> Runtime {
    let provider = ScriptedProvider::new("fake", "eye", [Script::answer(example(kind))]);
    let route = "fake/eye".parse().expect("a route");
    let providers = [Arc::new(provider) as Arc<dyn ModelProvider>];
    let config = VisionConfig::new(vec![route]);
    let random = Arc::new(CountingRandom::default());
    let ports = ReaderPorts::new(providers, Arc::new(FixedClock), random);
    let reader = VisionReader::new(ports, config);
    Runtime::from_parts(reader, ImageLimits::default())
}

fn composed(settings: &Settings) -> Result<Runtime, RuntimeError> {
    let surroundings = Surroundings {
        data_dir: None,
        environment: &Environment::new([], Platform::Unix),
        gate: &WriteGate::default(),
        finals: &[],
    };
    Runtime::compose(settings, surroundings)
}

fn compose(settings: &Settings) -> Runtime {
    composed(settings).expect("composed")
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    Executor::new().expect("an executor").block_on(future)
}

fn ask(question: &str, region: &str) -> ReadAsk {
    ReadAsk {
        question: Some(question.to_owned()),
        region: Some(region.parse().expect("a region")),
        ..ReadAsk::default()
    }
}

#[test]
fn reads_an_admitted_image() {
    let runtime = runtime(EvidenceKind::Base);
    let outcome = block_on(runtime.read(png(), &ReadAsk::default())).expect("a reading");
    assert_eq!(outcome.reading.record.kind(), EvidenceKind::Base);
    assert_eq!(
        &outcome.reading.record.source().identity,
        outcome.image.identity()
    );
    assert!(runtime.warnings().is_empty());
}

#[test]
fn asks_about_a_region_in_shares_of_the_image() {
    let runtime = runtime(EvidenceKind::Target);
    let outcome = block_on(runtime.read(png(), &ask("What?", "5,0,10,5"))).expect("a reading");
    let region = outcome.reading.record.region().expect("a region");
    assert_eq!(<[f64; 4]>::from(region), [0.25, 0.0, 0.5, 0.5]);
}

#[test]
fn refuses_regions_and_questions_out_of_bounds() {
    let runtime = runtime(EvidenceKind::Target);
    for bad in [ask("What?", "15,0,10,5"), ask(" ", "0,0,1,1")] {
        let error = block_on(runtime.read(png(), &bad)).expect_err("refused");
        assert_eq!(error.code(), INVALID_VISION_REQUEST);
    }
}

#[test]
fn a_directory_that_cannot_be_used_costs_a_warning() {
    let mut settings = Settings::default();
    settings.local.enabled = false;
    let runtime = compose(&settings);
    let codes_of: Vec<ErrorCode> = runtime.warnings().iter().map(|w| w.code).collect();
    assert_eq!(codes_of, [codes::DATA_DIRECTORY_UNAVAILABLE]);
    let error = block_on(runtime.read(png(), &ReadAsk::default())).expect_err("no route");
    assert_eq!(error.code(), NO_VISION_MODEL);
}

#[test]
fn limits_of_the_settings_hold_and_have_a_path() {
    let mut settings = Settings::default();
    settings.local.enabled = false;
    settings.persistent_evidence = false;
    settings.images.max_side = Some(19);
    let runtime = compose(&settings);
    let error = block_on(runtime.read(png(), &ReadAsk::default())).expect_err("too wide");
    assert_eq!(error.code().as_str(), "IMAGE_PIXEL_LIMIT");
    settings.images.max_side = Some(0);
    let error = composed(&settings).expect_err("refused");
    assert!(error.to_string().starts_with("setting images.maxSide: "));
}

/// Composes for weights that are not installed below `home`.
#[cfg(feature = "local")]
fn without_weights(home: &Path, vision: &str) -> Runtime {
    let text = format!("{vision}\n[local]\ntier = \"small\"");
    let settings = Settings::parse(&text).expect("settings");
    let key = ("OPENAI_API_KEY".into(), "sk-1".into());
    let surroundings = Surroundings {
        data_dir: Some(home),
        environment: &Environment::new([key], Platform::Unix),
        gate: &WriteGate::default(),
        finals: &[],
    };
    Runtime::compose(&settings, surroundings).expect("composed")
}

#[cfg(feature = "local")]
#[test]
fn a_stored_record_answers_without_weights() {
    let home = tempfile::tempdir().expect("a directory");
    let runtime = without_weights(home.path(), "");
    assert_eq!(runtime.warnings(), []);
    let error = block_on(runtime.read(png(), &ReadAsk::default())).expect_err("no weights");
    assert_eq!(error.code(), eyes_local::codes::LOCAL_MODEL_MISSING);
    drop(runtime);

    // What the same model read where its weights were.
    let mut settings = Settings::default();
    settings.local.tier = crate::settings::LocalTier::Small;
    let eyes = LocalEyes::open(&settings.local, Some(home.path())).expect("opened");
    let eyes = eyes.expect("switched on");
    let models = block_on(eyes.provider.models()).expect("a list");
    let script = Script::answer(example(EvidenceKind::Base));
    let provider = ScriptedProvider::new("local", "eyes-small", [script]).with_models(models);
    let providers = [Arc::new(provider) as Arc<dyn ModelProvider>];
    let random = Arc::new(CountingRandom::default());
    let store = compose::open_store(&settings, Some(home.path())).expect("a store");
    let ports = ReaderPorts::new(providers, Arc::new(FixedClock), random).with_store(store);
    let reader = VisionReader::new(ports, VisionConfig::new(vec![eyes.route]));
    let first = Runtime::from_parts(reader, ImageLimits::default());
    let first = block_on(first.read(png(), &ReadAsk::default())).expect("a reading");

    let runtime = without_weights(home.path(), "");
    let again = block_on(runtime.read(png(), &ReadAsk::default())).expect("stored");
    assert!(again.reading.is_cached());
    assert_eq!(again.reading.record, first.reading.record);
}

#[cfg(feature = "local")]
#[test]
fn a_check_that_lacks_its_weights_is_told() {
    let home = tempfile::tempdir().expect("a directory");
    let runtime = without_weights(home.path(), "visionRoutePriority = \"openai/gpt-4.1\"");
    let codes: Vec<ErrorCode> = runtime.warnings().iter().map(|w| w.code).collect();
    assert_eq!(codes, [eyes_local::codes::LOCAL_MODEL_MISSING]);
}
