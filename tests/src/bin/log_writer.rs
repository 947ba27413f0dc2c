//! Appends events to a chained log and reports each one when it is written: for tests that kill it.

use std::{
    error::Error,
    io::{Write, stdout},
};

use eyes_evidence::audit::chain::{ChainedLog, LogBounds};
use serde_json::json;

/// Arguments: path, name of the writer, number of events, bytes of a file, files.
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, writer, count, file_bytes, files] = args.as_slice() else {
        return Err("expected: path, writer, count, bytes of a file, files".into());
    };
    let bounds = LogBounds {
        file_bytes: file_bytes.parse()?,
        files: files.parse()?,
    };
    let log = ChainedLog::open(path, bounds)?;
    for number in 0..count.parse::<u64>()? {
        log.append(&[json!({ "writer": writer, "event": number })])?;
        writeln!(stdout(), "{number}")?;
        stdout().flush()?;
    }
    Ok(())
}
