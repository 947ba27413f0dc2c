//! The readers that are compared, each as a program of its own.

use std::{fs, path::PathBuf, process::Command, time::Instant};

use eyes_evidence::{
    geometry::{NormalizedBbox, PixelRect},
    image::{ImageLimits, admit},
};
use eyes_local::{AbortFlag, Detail, LocalConfig, LocalReader, analysis::base_evidence};
use eyes_runtime::eval::union;
use serde::{Deserialize, Serialize};

use crate::{
    Failure,
    measure::{self, Cost},
    suite::SuiteImage,
};

/// The first argument by which this program becomes the embedded reader of one image.
pub(crate) const READ_ONE: &str = "--read-one";

/// Text with its place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) text: String,
    pub(crate) rect: PixelRect,
}

/// What a reader made of one image.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reading {
    /// Lines, as the reader reports them.
    pub(crate) entries: Vec<Found>,
    /// Words, for boxes of text that is part of a longer entry.
    pub(crate) words: Vec<Found>,
    /// Reading without start and loading, milliseconds, where the reader says it.
    pub(crate) read_ms: Option<f64>,
}

/// A reading and what it cost.
pub(crate) struct Outcome {
    pub(crate) reading: Reading,
    pub(crate) cost: Cost,
}

/// One of the readers.
pub(crate) enum Reader {
    /// The embedded reader, text and layout analysis; with closer detail.
    Local { high: bool },
    /// Tesseract of the system.
    Tesseract,
}

/// Returns the readers asked for; Tesseract is left out where it is not installed.
pub(crate) fn available(only: Option<&str>, high: bool) -> Result<Vec<Reader>, Failure> {
    let installed = Command::new("tesseract").arg("--version").output().is_ok();
    match only {
        Some("local") => Ok(vec![Reader::Local { high }]),
        Some("tesseract") if installed => Ok(vec![Reader::Tesseract]),
        Some("tesseract") => Err("tesseract is not installed".to_owned()),
        Some(other) => Err(format!("unknown reader {other}")),
        None if installed => Ok(vec![Reader::Local { high }, Reader::Tesseract]),
        None => Ok(vec![Reader::Local { high }]),
    }
}

impl Reader {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Local { high: false } => "eyes-local",
            Self::Local { high: true } => "eyes-local --detail high",
            Self::Tesseract => "tesseract",
        }
    }

    pub(crate) fn read(&self, image: &SuiteImage) -> Result<Outcome, Failure> {
        let (reading, cost) = match self {
            Self::Local { high } => {
                let program = std::env::current_exe().map_err(|e| e.to_string())?;
                let mut command = Command::new(program);
                command.arg(READ_ONE).arg(&image.path);
                if *high {
                    command.arg("high");
                }
                let (text, cost) = measure::run(&mut command)?;
                let reading = serde_json::from_str(&text).map_err(|e| e.to_string())?;
                (reading, cost)
            }
            Self::Tesseract => {
                let mut command = Command::new("tesseract");
                command.arg(&image.path);
                command.args(["-", "-l", "eng+chi_sim", "--psm", "3", "tsv"]);
                let (text, cost) = measure::run(&mut command)?;
                (parse_tsv(&text), cost)
            }
        };
        Ok(Outcome { reading, cost })
    }
}

/// Reads one image with the embedded reader and prints the reading as JSON.
pub(crate) fn read_one(arguments: &[String]) -> Result<String, Failure> {
    let path = arguments
        .first()
        .map(PathBuf::from)
        .ok_or("no image given")?;
    let detail = match arguments.get(1).map(String::as_str) {
        Some("high") => Detail::High,
        _ => Detail::Standard,
    };
    let bytes = fs::read(&path).map_err(|e| e.to_string())?;
    let image = admit(bytes, &ImageLimits::default()).map_err(|e| e.to_string())?;
    let reader = LocalReader::new(LocalConfig::default()).map_err(|e| e.to_string())?;
    let start = Instant::now();
    let lines = reader
        .read_text(image.raster(), detail, &AbortFlag::new())
        .map_err(|e| e.to_string())?;
    let evidence = base_evidence(image.raster(), &lines);
    let read_ms = start.elapsed().as_secs_f64() * 1000.0;
    let size = image.raster().size();
    let found = |text: &str, bbox: NormalizedBbox| Found {
        text: text.to_owned(),
        rect: bbox.to_pixels(size),
    };
    let words = lines.iter().flat_map(|line| &line.words).map(|word| Found {
        text: word.text.clone(),
        rect: word.rect,
    });
    let reading = Reading {
        entries: evidence
            .ocr
            .iter()
            .map(|e| found(e.text.as_str(), e.bbox))
            .collect(),
        words: words.collect(),
        read_ms: Some(read_ms),
    };
    serde_json::to_string(&reading).map_err(|e| e.to_string())
}

/// Reads Tesseract's table: level, page, block, paragraph, line, word, box, confidence, text.
fn parse_tsv(text: &str) -> Reading {
    let mut entries: Vec<(Vec<String>, Found)> = Vec::new();
    let mut words = Vec::new();
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.splitn(12, '\t').collect();
        let [level, _, block, paragraph, line, _, x, y, w, h, _, text] = cells[..] else {
            continue;
        };
        if level != "5" || text.trim().is_empty() {
            continue;
        }
        let number = |cell: &str| cell.parse::<u32>().unwrap_or(0);
        let rect = PixelRect {
            x: number(x),
            y: number(y),
            width: number(w).max(1),
            height: number(h).max(1),
        };
        let word = Found {
            text: text.trim().to_owned(),
            rect,
        };
        words.push(word.clone());
        let key: Vec<String> = [block, paragraph, line].map(str::to_owned).into();
        match entries.last_mut() {
            Some((same, entry)) if *same == key => {
                entry.text = format!("{} {}", entry.text, word.text);
                entry.rect = union(entry.rect, rect);
            }
            _ => entries.push((key, word)),
        }
    }
    Reading {
        entries: entries.into_iter().map(|(_, entry)| entry).collect(),
        words,
        read_ms: None,
    }
}
