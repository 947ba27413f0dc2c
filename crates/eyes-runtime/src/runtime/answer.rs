//! One answer of a final model about images.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use eyes_evidence::image::AdmittedImage;
use eyes_router::{
    config::TurnConfig,
    model::{ContentBlock, Role},
    ports::{AttachmentSource, BoxFuture},
    route::Route,
    turn::{
        Attachment, AttachmentError, Listener, MarkerKey, Origin, TurnEngine, TurnMessage,
        TurnPorts, TurnReport, TurnRequest,
    },
    vision::VisionReader,
};
use eyes_usage::ports::UsageSink;

use super::{Runtime, image_limits};
use crate::{
    clock::SystemClock,
    error::RuntimeError,
    settings::{Settings, SettingsError},
};

/// What lets final models answer.
#[derive(Debug)]
pub(super) struct Answers {
    engine: TurnEngine,
    album: Arc<Album>,
}

impl Answers {
    /// Composes it.
    pub(super) fn new(
        settings: &Settings,
        markers: MarkerKey,
        reader: &Arc<VisionReader>,
        usage: &Arc<dyn UsageSink>,
    ) -> Result<Self, RuntimeError> {
        let config =
            TurnConfig::from_settings(settings.turn.clone()).map_err(SettingsError::from)?;
        let album = Arc::new(Album::default());
        let ports = TurnPorts {
            reader: Arc::clone(reader),
            attachments: Arc::clone(&album) as _,
            usage: Arc::clone(usage),
            clock: Arc::new(SystemClock),
        };
        Ok(Self {
            engine: TurnEngine::new(ports, config, image_limits(settings)?, markers),
            album,
        })
    }
}

/// What a final model is asked.
#[derive(Debug, Clone)]
pub struct AnswerAsk {
    /// The images with names for people, in order; each was admitted.
    pub images: Vec<(Option<String>, AdmittedImage)>,
    /// The question.
    pub question: String,
    /// The final model.
    pub route: Route,
    /// Output tokens at most; the model's default where absent.
    pub max_output_tokens: Option<u32>,
}

impl Runtime {
    /// Lets a final model answer; `listener` hears the answer as it comes.
    ///
    /// The composition must have been told of the route. Errors: `FINAL_MODEL_MISSING` where it was told of none,
    /// and those of a turn.
    pub async fn answer(
        &self,
        ask: AnswerAsk,
        listener: Listener<'_>,
    ) -> Result<TurnReport, RuntimeError> {
        let answers = self.answers.as_ref().ok_or(RuntimeError::NoFinalModel)?;
        let mut content: Vec<_> = ask
            .images
            .into_iter()
            .enumerate()
            .map(|(at, (name, image))| {
                let attachment = answers.album.put(at, name, &image);
                ContentBlock::Image(attachment)
            })
            .collect();
        content.push(ContentBlock::Text(ask.question));
        let request = TurnRequest {
            session: None,
            route: ask.route,
            system: None,
            messages: vec![TurnMessage {
                id: None,
                origin: Origin::Direct,
                role: Role::User,
                content,
            }],
            tools: Arc::default(),
            max_output_tokens: ask.max_output_tokens,
            temperature: None,
        };
        Ok(answers.engine.answer(&request, listener).await?)
    }
}

/// Images in memory.
#[derive(Debug, Default)]
struct Album(Mutex<BTreeMap<String, Arc<[u8]>>>);

impl Album {
    fn put(&self, at: usize, name: Option<String>, image: &AdmittedImage) -> Attachment {
        let identity = image.identity();
        let id = format!("image-{}-{}", at + 1, identity.sha256);
        let mut images = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        images.insert(id.clone(), Arc::clone(image.bytes()));
        Attachment {
            id,
            media_type: identity.media_type,
            bytes: identity.bytes,
            size: Some(identity.size),
            name,
        }
    }
}

impl AttachmentSource for Album {
    fn read<'a>(
        &'a self,
        attachment: &'a Attachment,
    ) -> BoxFuture<'a, Result<Arc<[u8]>, AttachmentError>> {
        let images = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = images.get(&attachment.id).cloned();
        drop(images);
        Box::pin(async move {
            bytes.ok_or_else(|| AttachmentError {
                message: "there is no such image".to_owned(),
            })
        })
    }
}
