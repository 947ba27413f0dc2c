//! Measures text reading on the generated suite: the embedded reader beside Tesseract 5.
//!
//! `cargo xtask bench local [--only local|tesseract] [--details] [--high] [DIR...]`
//!
//! Without a directory: `tests/fixtures` and, where it was generated, `target/reading-suite`.
//! Every image is read by a fresh process of each reader, so that time and memory include loading.

mod measure;
mod reader;
mod report;
mod score;
mod suite;

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use reader::Reader;
use score::Score;

/// What went wrong, as a line for the terminal.
type Failure = String;

#[derive(Default)]
struct Options {
    directories: Vec<PathBuf>,
    only: Option<String>,
    details: bool,
    high: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.first().map(String::as_str) {
        Some(reader::READ_ONE) => reader::read_one(&arguments[1..]),
        _ => parse(&arguments).and_then(|options| run(&options)),
    };
    match done {
        Ok(text) if io::stdout().write_all(text.as_bytes()).is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(failure) => {
            let line = format!("error: {failure}\n");
            drop(io::stderr().write_all(line.as_bytes()));
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[String]) -> Result<Options, Failure> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--only" => options.only = rest.next().cloned(),
            "--details" => options.details = true,
            "--high" => options.high = true,
            flag if flag.starts_with("--") => return Err(format!("unknown option {flag}")),
            path => options.directories.push(PathBuf::from(path)),
        }
    }
    if options.directories.is_empty() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
        options.directories.push(root.join("tests/fixtures"));
        let large = root.join("target/reading-suite");
        if large.is_dir() {
            options.directories.push(large);
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<String, Failure> {
    let images = suite::load(&options.directories)?;
    let readers = reader::available(options.only.as_deref(), options.high)?;
    let mut scores: Vec<(Reader, Vec<Score>)> = readers.into_iter().map(|r| (r, vec![])).collect();
    for image in &images {
        // Both readers see an image one after the other, so that a loaded machine hits them alike.
        for (reader, all) in &mut scores {
            let outcome = reader.read(image)?;
            all.push(score::score(image, &outcome));
        }
        let line = format!("\r{:<40}", image.name);
        drop(io::stderr().write_all(line.as_bytes()));
    }
    drop(io::stderr().write_all(format!("\r{:<40}\r", "").as_bytes()));
    Ok(report::render(&images, &scores, options.details))
}
