//! The local reader as a model provider: a vision route that needs no network and no key.

mod document;
mod job;
mod lazy;
mod readings;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use eyes_evidence::{
    code::Coded,
    image::{ImageLimits, admit},
};
use eyes_router::{
    error::ProviderError,
    model::{ContentBlock, GenerateRequest, ImageInput, Modality, ModelSpec, Task},
    ports::{BoxFuture, EventStream, ModelProvider},
};

use self::{lazy::LazyReader, readings::Readings};
use crate::{
    abort::AbortFlag,
    analysis::probe_cells,
    codes::{LOCAL_READ_FAILED, LOCAL_REQUEST_INVALID},
    config::{Detail, LocalConfig},
    engine::Reading,
    error::LocalError,
};

/// The provider's id in routes.
pub const PROVIDER_ID: &str = "local";

/// Answers overviews, questions and the pixel probe with [`LocalReader`](crate::LocalReader)s and pixel analysis.
///
/// Its answers are evidence documents; the messages' text is not looked at, only the request's task and its
/// one image. It never refuses a question: one that it cannot answer is answered so, in `uncertainties`.
/// One image is read at a time, so memory stays that of one read.
///
/// Weights are loaded and verified when something is first read: where they are not as expected, that answer fails
/// with the code of [`LocalReader::new`](crate::LocalReader::new), and the next one tries anew.
#[derive(Debug)]
pub struct LocalProvider {
    readers: Vec<Arc<LazyReader>>,
    detail: Detail,
    limits: ImageLimits,
    readings: Arc<Mutex<Readings>>,
}

impl LocalProvider {
    /// Makes a provider with one model, named after its tier.
    pub fn new(config: LocalConfig, detail: Detail, limits: ImageLimits) -> Self {
        Self {
            readers: vec![Arc::new(LazyReader::new(config))],
            detail,
            limits,
            readings: Arc::default(),
        }
    }

    /// Adds the model of another tier; a second one of the same tier takes the place of the first.
    #[must_use]
    pub fn with_model(mut self, config: LocalConfig) -> Self {
        let name = config.tier.model_name();
        self.readers.retain(|other| other.model_name() != name);
        self.readers.push(Arc::new(LazyReader::new(config)));
        self
    }

    /// Returns what, beside the image, the answers depend on: this version (weights and analysis) and detail.
    fn revision(&self) -> String {
        let detail = match self.detail {
            Detail::Standard => "standard",
            Detail::High => "high",
        };
        format!("{}-{detail}", env!("CARGO_PKG_VERSION"))
    }

    fn start(&self, mut request: GenerateRequest) -> Result<EventStream, ProviderError> {
        let reader = self
            .readers
            .iter()
            .find(|reader| reader.model_name() == request.model)
            .ok_or_else(|| refused(format!("there is no model `{}`", request.model)))?;
        if request.task == Task::Answer {
            let message = "the local eyes look at images and hold no conversation";
            return Err(refused(message.to_owned()));
        }
        let image = take_image(&mut request)?;
        let work = Work {
            reader: Arc::clone(reader),
            detail: self.detail,
            limits: self.limits,
            readings: Arc::clone(&self.readings),
            image,
            task: request.task,
        };
        job::spawn(move |abort| work.run(abort))
    }
}

impl ModelProvider for LocalProvider {
    fn id(&self) -> &str {
        PROVIDER_ID
    }

    fn is_local(&self) -> bool {
        true
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelSpec>, ProviderError>> {
        let models = self.readers.iter().map(|reader| ModelSpec {
            revision: Some(self.revision()),
            ..ModelSpec::new(reader.model_name(), [Modality::Text, Modality::Image])
        });
        let models = models.collect();
        Box::pin(async move { Ok(models) })
    }

    fn generate(
        &self,
        request: GenerateRequest,
    ) -> BoxFuture<'_, Result<EventStream, ProviderError>> {
        Box::pin(async move { self.start(request) })
    }
}

fn refused(message: String) -> ProviderError {
    ProviderError::new(LOCAL_REQUEST_INVALID, message)
}

/// Takes the one image out of a request.
fn take_image(request: &mut GenerateRequest) -> Result<ImageInput, ProviderError> {
    let blocks = request
        .messages
        .drain(..)
        .flat_map(|message| message.content);
    let mut images = blocks.filter_map(|block| match block {
        ContentBlock::Image(image) => Some(image),
        _ => None,
    });
    match (images.next(), images.count()) {
        (Some(image), 0) => Ok(image),
        (None, _) => Err(refused("the request holds no image".to_owned())),
        (Some(_), more) => Err(refused(format!("the request holds {} images", more + 1))),
    }
}

/// One answer to be made.
struct Work {
    reader: Arc<LazyReader>,
    detail: Detail,
    limits: ImageLimits,
    readings: Arc<Mutex<Readings>>,
    image: ImageInput,
    task: Task,
}

impl Work {
    fn run(self, abort: &AbortFlag) -> Result<String, ProviderError> {
        let image = admit(self.image.bytes, &self.limits)
            .map_err(|error| ProviderError::new(error.code(), error.to_string()))?;
        let raster = image.raster();
        if self.task == Task::Probe {
            return Ok(document::probe(probe_cells(raster)));
        }
        // Another read in this provider may be under way: the lock is the turn to read.
        let mut readings = match self.readings.lock() {
            Ok(readings) => readings,
            // A read that panicked left no half-written entry: entries are added whole.
            Err(poisoned) => poisoned.into_inner(),
        };
        let key = (image.identity().pixel_sha256, self.reader.model_name());
        let reading: Arc<Reading> = if let Some(reading) = readings.get(&key) {
            reading
        } else {
            let reader = self.reader.get().map_err(failed)?;
            let reading = reader.read(raster, self.detail, abort).map_err(failed)?;
            readings.insert(key, Arc::new(reading))
        };
        drop(readings);
        abort.check().map_err(failed)?;
        match &self.task {
            Task::Target { question, region } => {
                document::target(raster, &reading, question, *region)
            }
            _ => document::base(raster, &reading),
        }
    }
}

fn failed(error: LocalError) -> ProviderError {
    match error {
        LocalError::Aborted => ProviderError::aborted(),
        error => ProviderError::new(error.code(), error.to_string()),
    }
}

/// Makes the failure of a step that cannot fail on valid input.
fn internal(message: impl Into<String>) -> ProviderError {
    ProviderError::new(LOCAL_READ_FAILED, message)
}
