//! The text engine: finds lines of text in an image and reads them.

mod crop;
mod detect;
mod frame;
mod ink;
mod line;
mod network;
mod pixels;
mod recognise;
mod spaces;
#[cfg(test)]
mod tests;

use std::{num::NonZeroUsize, sync::Arc, thread};

use eyes_evidence::{geometry::PixelRect, raster::Rgb8};
use rayon::prelude::*;
use rten::ThreadPool;

use self::{
    crop::Crop,
    detect::{Core, Detector},
    line::{Outcome, read_crop},
    network::Network,
    recognise::{Alphabet, Recogniser},
};
use crate::{
    abort::AbortFlag,
    config::{Detail, LocalConfig, ModelTier},
    error::LocalError,
    limits::{MAX_DEFAULT_THREADS, MAX_THREADS},
    models::{self, ModelSet},
    text::TextLine,
};

/// The text of one image, and what could not be read.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Reading {
    /// The lines, sorted by top edge and then left edge; reading order is a question of layout.
    pub lines: Vec<TextLine>,
    /// Places that look like text and could not be read, in the same order.
    pub unread: Vec<PixelRect>,
    /// Boxes found beyond [`MAX_TEXT_BOXES`](crate::limits::MAX_TEXT_BOXES) and not read.
    pub skipped: usize,
}

/// Reads text with one set of models.
///
/// Equal images give equal readings, whatever the number of threads. One reader serves several threads.
pub struct LocalReader {
    tier: ModelTier,
    detector: Detector,
    recogniser: Recogniser,
    pool: Arc<ThreadPool>,
}

impl std::fmt::Debug for LocalReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LocalReader({})", self.model_name())
    }
}

impl LocalReader {
    /// Loads the models of the chosen tier.
    ///
    /// Fails with `LOCAL_MODEL_MISSING`, `LOCAL_MODEL_MISMATCH` or `LOCAL_MODEL_STORE_FAILED` where files
    /// of the tier `Small` are not the expected ones, and with `LOCAL_MODEL_INVALID` where the inference
    /// engine refuses a model.
    pub fn new(config: LocalConfig) -> Result<Self, LocalError> {
        let threads = config
            .threads
            .or_else(|| {
                let available = thread::available_parallelism().map_or(1, NonZeroUsize::get);
                NonZeroUsize::new(available.min(MAX_DEFAULT_THREADS))
            })
            .map_or(1, NonZeroUsize::get);
        let pool = Arc::new(ThreadPool::with_num_threads(threads.min(MAX_THREADS)));
        let ModelSet {
            detection,
            recognition,
            dictionary,
        } = models::load(&config.tier)?;
        let network = |model, stage| Network::new(model, Arc::clone(&pool), stage);
        Ok(Self {
            tier: config.tier,
            detector: Detector::new(network(detection, "text detection")),
            recogniser: Recogniser::new(
                network(recognition, "text recognition"),
                Alphabet::new(&dictionary),
            ),
            pool,
        })
    }

    /// Returns the tier whose models read.
    pub const fn tier(&self) -> &ModelTier {
        &self.tier
    }

    /// Returns the name of the reader as a model: `eyes-tiny` or `eyes-small`.
    pub const fn model_name(&self) -> &'static str {
        self.tier.model_name()
    }

    /// Reads the lines of text of an image, sorted by top edge and then left edge.
    ///
    /// Fails with `ABORTED` once `abort` is raised, and with `LOCAL_READ_FAILED`.
    pub fn read_text(
        &self,
        image: &Rgb8,
        detail: Detail,
        abort: &AbortFlag,
    ) -> Result<Vec<TextLine>, LocalError> {
        Ok(self.read(image, detail, abort)?.lines)
    }

    /// Reads the text of an image and says what could not be read.
    ///
    /// Fails like [`read_text`](Self::read_text).
    pub fn read(
        &self,
        image: &Rgb8,
        detail: Detail,
        abort: &AbortFlag,
    ) -> Result<Reading, LocalError> {
        abort.check()?;
        let copy = detect::search_copy(image, detail);
        let map = self.detector.run(copy.as_ref().unwrap_or(image), abort)?;
        drop(copy);
        let (cores, skipped) = detect::lines(&map, image);
        drop(map);
        let outcomes: Vec<Outcome> = self.pool.run(|| {
            cores
                .par_iter()
                .map(|core| self.read_core(image, core, abort))
                .collect::<Result<_, _>>()
        })?;
        let mut reading = Reading {
            skipped,
            ..Reading::default()
        };
        for outcome in outcomes {
            reading.lines.extend(outcome.lines);
            reading.unread.extend(outcome.unread);
        }
        reading.lines.sort_by_key(|line| position(line.rect));
        reading.unread.sort_by_key(|rect| position(*rect));
        Ok(reading)
    }

    fn read_core(
        &self,
        image: &Rgb8,
        core: &Core,
        abort: &AbortFlag,
    ) -> Result<Outcome, LocalError> {
        match Crop::of(image, core) {
            Some(crop) => read_crop(&self.recogniser, &crop, image.size(), abort),
            None => Ok(Outcome::default()),
        }
    }
}

const fn position(rect: PixelRect) -> (u32, u32) {
    (rect.y, rect.x)
}
