//! Writes records into an evidence store and reports each one when it is written: for tests that kill it.

use std::{
    error::Error,
    io::{Write, stdout},
};

use eyes_evidence::{
    store::{EvidenceStore, StoreBounds, fs::FsStore},
    testing::sample_record,
};

/// Arguments: directory, first seed, number of records, records in one put.
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, first, count, batch] = args.as_slice() else {
        return Err("expected: directory, first seed, count, batch".into());
    };
    let (first, count, batch): (u64, u64, usize) = (first.parse()?, count.parse()?, batch.parse()?);
    let store = FsStore::open(root, StoreBounds::default())?;
    let seeds: Vec<u64> = (first..first + count).collect();
    for seeds in seeds.chunks(batch) {
        let records: Vec<_> = seeds.iter().map(|&seed| sample_record(seed, "a")).collect();
        store.put_all(&records)?;
        let mut report = String::new();
        for record in &records {
            report.push_str(&record.record_sha256().to_string());
            report.push('\n');
        }
        stdout().write_all(report.as_bytes())?;
        stdout().flush()?;
    }
    Ok(())
}
