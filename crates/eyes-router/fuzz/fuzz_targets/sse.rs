//! Event streams from anywhere: no panic, bounds hold, and the cuts between the pieces change nothing.
#![no_main]

use eyes_router::provider::sse::{SseEvent, SseParser};
use libfuzzer_sys::fuzz_target;

const LIMIT: usize = 256;

fn parse<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Option<Vec<SseEvent>> {
    let mut parser = SseParser::with_limits(LIMIT, LIMIT);
    let mut events = Vec::new();
    for piece in pieces {
        parser.push(piece, &mut events).ok()?;
    }
    events.extend(parser.finish().ok()?);
    Some(events)
}

fuzz_target!(|input: (u8, Vec<u8>)| {
    let (step, bytes) = input;
    let whole = parse([bytes.as_slice()]);
    let pieces = parse(bytes.chunks(usize::from(step).max(1)));
    assert_eq!(whole, pieces);
    for event in whole.into_iter().flatten() {
        assert!(event.data.len() <= LIMIT);
    }
});
