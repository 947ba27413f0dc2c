//! Records events in a usage ledger and reports how many are on the disk: for tests that kill it.

use std::{
    error::Error,
    io::{Write, stdout},
};

use eyes_evidence::provenance::Timestamp;
use eyes_usage::{
    category::CallCategory,
    event::{UsageEntry, UsageEvent, UsageRoute},
    ledger::{Ledger, LedgerBounds},
    ports::UsageSink,
    session::SessionDigest,
    tokens::TokenUsage,
};

/// Arguments: path, name of the writer, number of events, events of a flush, bytes between compactions.
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, writer, count, batch, compact_bytes] = args.as_slice() else {
        return Err("expected: path, writer, count, batch, bytes between compactions".into());
    };
    let bounds = LedgerBounds {
        compact_bytes: compact_bytes.parse()?,
        ..LedgerBounds::default()
    };
    let (count, batch): (u64, u64) = (count.parse()?, batch.parse()?);
    let ledger = Ledger::open(path, bounds)?;
    for number in 0..count {
        // The number stands in the tokens, so that the sum tells which events there are.
        let tokens = TokenUsage {
            input: number,
            ..TokenUsage::default()
        };
        ledger.record(&[UsageEvent {
            at: Timestamp::new(format!("2026-01-{:02}T10:00:00Z", 1 + number % 28))?,
            session: Some(SessionDigest::of(&format!("{writer}-{}", number % 7))),
            entry: UsageEntry::Call {
                category: CallCategory::VisionBase,
                route: UsageRoute::new("writer", writer.as_str())?,
                tokens: Some(tokens),
            },
        }]);
        if (number + 1) % batch == 0 {
            ledger.flush()?;
            writeln!(stdout(), "{}", number + 1)?;
            stdout().flush()?;
        }
    }
    match ledger.lost() {
        0 => Ok(()),
        lost => Err(format!("{lost} events were lost").into()),
    }
}
