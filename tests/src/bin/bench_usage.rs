//! Measures what recording costs on the request path, and what it costs in all.
//!
//! `cargo xtask bench usage EVENTS ATTEMPTS`: `EVENTS` is a JSON list of `{sessionId, category, usage}`,
//! `ATTEMPTS` one of `{provider, model, status, durationMs, sessionId, imageSha256, ...}`. Both are recorded in
//! files of a temporary directory, in [`ROUNDS`] rounds. "path" is wall time of one call of `record`, which
//! clones the event and returns; "processor" is the time of the whole process, the writer included, an event.

use std::{fmt::Write as _, fs, path::Path, process::ExitCode, time::Instant};

use eyes_evidence::{
    audit::chain::{ChainedLog, LogBounds},
    digest::Sha256Digest,
    provenance::Timestamp,
};
use eyes_router::{
    attempts::{
        AttemptEvent, AttemptId, AttemptLog, AttemptPhase, AttemptRecord, AttemptStatus, Operation,
    },
    ports::AttemptSink,
    route::Route,
};
use eyes_tests::program;
use eyes_usage::{
    category::CallCategory,
    event::{UsageEntry, UsageEvent, UsageRoute},
    ledger::{Ledger, LedgerBounds},
    ports::UsageSink,
    session::SessionDigest,
    tokens::TokenUsage,
};
use serde_json::Value;

/// How often the events are recorded.
const ROUNDS: usize = 40;
/// Events that are recorded before measuring: 50 sessions and more are there then, as in the file that another
/// implementation keeps.
const BEFORE: usize = 60;
/// Attempts in the log before appending is measured.
const ATTEMPTS: usize = 1_000;

type Outcome<T> = Result<T, String>;

fn main() -> ExitCode {
    program(run)
}

fn run(arguments: &[String]) -> Outcome<String> {
    let [events, attempts] = arguments else {
        return Err("usage: cargo xtask bench usage EVENTS ATTEMPTS".to_owned());
    };
    let events: Vec<UsageEvent> = list(events)?
        .iter()
        .map(usage_event)
        .collect::<Outcome<_>>()?;
    let attempts: Vec<AttemptEvent> = list(attempts)?
        .iter()
        .map(attempt)
        .collect::<Outcome<_>>()?;
    let dir = tempfile::tempdir().map_err(told)?;
    let mut table = format!(
        "{:<44}{:>10}{:>10}{:>10}{:>12}\n",
        "microseconds", "median", "p99", "max", "processor"
    );
    usage(&mut table, &dir.path().join("usage.jsonl"), &events)?;
    attempt_logs(&mut table, dir.path(), &attempts)?;
    Ok(table)
}

fn usage(table: &mut String, path: &Path, events: &[UsageEvent]) -> Outcome<()> {
    let ledger = Ledger::open(path, LedgerBounds::default()).map_err(told)?;
    ledger.record(&events[..BEFORE.min(events.len())]);
    ledger.flush().map_err(told)?;

    let mut path_times = Times::default();
    for _ in 0..ROUNDS {
        for event in events {
            path_times.measure(|| ledger.record(std::slice::from_ref(event)));
        }
        ledger.flush().map_err(told)?;
    }
    path_times.line(table, "usage: record one event, path")?;

    let mut alone = Times::default();
    for event in events {
        let written = alone.measure(|| {
            ledger.record(std::slice::from_ref(event));
            ledger.flush()
        });
        written.map_err(told)?;
    }
    alone.line(table, "usage: record and wait for the disk")?;
    if ledger.lost() > 0 {
        return Err(format!("{} events were lost", ledger.lost()));
    }

    let mut reading = Times::default();
    for _ in 0..ROUNDS {
        reading.measure(|| Ledger::read(path)).map_err(told)?;
    }
    let bytes = fs::metadata(path).map_err(told)?.len();
    reading.line(table, &format!("usage: read the file ({bytes} bytes)"))
}

fn attempt_logs(table: &mut String, dir: &Path, attempts: &[AttemptEvent]) -> Outcome<()> {
    let open = |name: &str| ChainedLog::open(dir.join(name), LogBounds::default()).map_err(told);
    let (before, more) = attempts.split_at(ATTEMPTS.min(attempts.len()));

    let log = AttemptLog::start(open("attempts.jsonl")?).map_err(told)?;
    let mut path_times = Times::default();
    for _ in 0..ROUNDS {
        for attempts in attempts.chunks(500) {
            for attempt in attempts {
                path_times.measure(|| log.record(attempt));
            }
            log.flush();
        }
    }
    if log.lost() > 0 {
        return Err(format!("{} attempts were lost", log.lost()));
    }
    path_times.line(table, "attempts: record one, path")?;

    let records = |events: &[AttemptEvent]| events.iter().map(AttemptRecord::from).collect();
    let (before, more): (Vec<AttemptRecord>, Vec<AttemptRecord>) = (records(before), records(more));
    let log = open("appended.jsonl")?;
    log.append(&before).map_err(told)?;
    let mut append = Times::default();
    for record in &more {
        append
            .measure(|| log.append(std::slice::from_ref(record)))
            .map_err(told)?;
    }
    append.line(table, "attempts: append one to the log at 1,000")
}

/// Wall time of single calls, and processor time of the whole process from the first to the last.
#[derive(Default)]
struct Times {
    nanoseconds: Vec<u128>,
    start: Option<f64>,
}

impl Times {
    fn measure<T>(&mut self, act: impl FnOnce() -> T) -> T {
        self.start.get_or_insert_with(processor_nanoseconds);
        let before = Instant::now();
        let result = act();
        self.nanoseconds.push(before.elapsed().as_nanos());
        result
    }

    fn line(mut self, table: &mut String, name: &str) -> Outcome<()> {
        let spent = processor_nanoseconds() - self.start.unwrap_or_default();
        self.nanoseconds.sort_unstable();
        let count = self.nanoseconds.len();
        if count == 0 {
            return Err(format!("{name}: nothing was measured"));
        }
        let micros = |at: usize| self.nanoseconds[at.min(count - 1)] as f64 / 1000.0;
        let (median, p99, most) = (micros(count / 2), micros(count * 99 / 100), micros(count));
        let processor = spent / 1000.0 / count as f64;
        let line = writeln!(
            table,
            "{name:<44}{median:>10.2}{p99:>10.2}{most:>10.2}{processor:>12.2}"
        );
        line.map_err(told)
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn list(file: &str) -> Outcome<Vec<Value>> {
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))
}

fn now() -> Outcome<Timestamp> {
    Timestamp::new("2026-01-31T23:59:59Z").map_err(told)
}

fn usage_event(event: &Value) -> Outcome<UsageEvent> {
    let number = |name: &str| event["usage"][name].as_u64().unwrap_or_default();
    let tokens = Some(TokenUsage {
        input: number("inputTokens") + number("cacheReadTokens"),
        output: number("outputTokens"),
        cache_read: number("cacheReadTokens"),
        cache_write: number("cacheWriteTokens"),
        reasoning: number("reasoningTokens"),
    });
    let name = event["category"].as_str().unwrap_or_default();
    let category = match name {
        "visionProbe" => Some(CallCategory::VisionProbe),
        "visionBase" => Some(CallCategory::VisionBase),
        "visionTarget" => Some(CallCategory::VisionTarget),
        "upstreamClarification" => Some(CallCategory::Clarification),
        "upstreamAutomation" => Some(CallCategory::Automation),
        "upstreamMcp" => Some(CallCategory::Mcp),
        "upstreamFinal" => None,
        other => return Err(format!("`{other}` is no category")),
    };
    let entry = match category {
        Some(category) => UsageEntry::Call {
            category,
            route: UsageRoute::new("provider", "vision-model").map_err(told)?,
            tokens,
        },
        None => UsageEntry::Final {
            route: UsageRoute::new("provider", "final-model").map_err(told)?,
            tokens,
        },
    };
    Ok(UsageEvent {
        at: now()?,
        session: event["sessionId"].as_str().map(SessionDigest::of),
        entry,
    })
}

fn attempt(attempt: &Value) -> Outcome<AttemptEvent> {
    let text = |name: &str| attempt[name].as_str().unwrap_or_default();
    let number = |name: &str| attempt[name].as_u64().unwrap_or_default();
    let failed = text("status") == "failed";
    let image: Result<Sha256Digest, _> = text("imageSha256").parse();
    Ok(AttemptEvent {
        attempt_id: AttemptId::from_random(u128::from(number("durationMs"))),
        timestamp: now()?,
        operation: Operation::Base,
        route: Route::new(text("provider"), text("model")).map_err(told)?,
        priority: number("priority") as u32,
        failover_index: number("failoverIndex") as u32,
        phase: AttemptPhase::Operation,
        status: if failed {
            AttemptStatus::Failed
        } else {
            AttemptStatus::Success
        },
        duration_ms: number("durationMs"),
        error_code: failed.then_some(eyes_evidence::codes::INVALID_VISION_EVIDENCE),
        session_hash: Some(Sha256Digest::of(text("sessionId").as_bytes())),
        image_sha256: Some(image.map_err(told)?),
    })
}

/// Processor time of all threads of this process that still run (Linux); 0 elsewhere.
fn processor_nanoseconds() -> f64 {
    let tasks = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let of_task = |task: fs::DirEntry| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    };
    tasks.filter_map(of_task).sum()
}
