//! `eyes usage`: the figures of a ledger that was written before.

use std::{
    ffi::OsString,
    fs,
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::Stdio,
};

use eyes_evidence::provenance::Timestamp;
use eyes_runtime::{
    environment::{Environment, Platform},
    gate::WriteGate,
};
use eyes_tests::{Eyes, Ran};
use eyes_usage::{
    category::{CallCategory, Counter, Estimate},
    event::{UsageEntry, UsageEvent, UsageRoute},
    ledger::{Ledger, LedgerBounds},
    ports::UsageSink as _,
    session::SessionDigest,
    tokens::{EstimatedTokens, TokenUsage},
};
use serde_json::Value;

use crate::eyes;

fn event(at: &str, session: Option<&str>, entry: UsageEntry) -> UsageEvent {
    UsageEvent {
        at: Timestamp::new(at).expect("a time"),
        session: session.map(SessionDigest::of),
        entry,
    }
}

fn tokens(input: u64, output: u64) -> TokenUsage {
    TokenUsage {
        input,
        output,
        ..TokenUsage::default()
    }
}

fn route(model: &str) -> UsageRoute {
    UsageRoute::new("hub", model).expect("names")
}

fn call(category: CallCategory, model: &str, tokens: Option<TokenUsage>) -> UsageEntry {
    UsageEntry::Call {
        category,
        route: route(model),
        tokens,
    }
}

/// Two days: looking by two models, one of which tells no tokens once, an answer, a counter and an estimate.
fn events() -> Vec<UsageEvent> {
    let (first, second) = ("2026-01-30T10:00:00Z", "2026-01-31T10:00:00Z");
    let answer = UsageEntry::Final {
        route: route("deep"),
        tokens: Some(tokens(7000, 70)),
    };
    vec![
        event(
            first,
            Some("one"),
            call(CallCategory::VisionBase, "eye", Some(tokens(1000, 100))),
        ),
        event(
            first,
            Some("one"),
            call(CallCategory::VisionTarget, "eye", Some(tokens(500, 50))),
        ),
        event(first, Some("one"), answer),
        event(
            second,
            Some("two"),
            call(CallCategory::VisionBase, "other", None),
        ),
        event(
            second,
            Some("two"),
            UsageEntry::Count {
                counter: Counter::CacheHits,
                by: 3,
            },
        ),
        event(
            second,
            None,
            UsageEntry::Estimate {
                estimate: Estimate::BridgeInput,
                tokens: EstimatedTokens(4321),
            },
        ),
    ]
}

fn ledger(eyes: &Eyes) -> PathBuf {
    eyes.path("data").join("usage.jsonl")
}

fn record(eyes: &Eyes, events: &[UsageEvent]) {
    let ledger = Ledger::open(ledger(eyes), LedgerBounds::default()).expect("a ledger");
    ledger.record(events);
    ledger.flush().expect("written");
}

fn noted() -> Eyes {
    let eyes = eyes();
    record(&eyes, &events());
    eyes
}

fn show(eyes: &Eyes, more: &[&str]) -> Ran {
    eyes.run([&["usage", "show"], more].concat()).exits(0)
}

const TOML: &str = "currency = \"USD\"\n\
    [[prices]]\nprovider = \"hub\"\nmodel = \"eye\"\nfrom = \"2026-01-01\"\ninput = \"2.00\"\noutput = 10\n";
const JSON: &str = r#"{"currency": "EUR", "prices": [
    {"provider": "hub", "model": "*", "from": "2026-01-31", "input": "1", "output": "1"}]}"#;

/// Settings that name a table of prices.
fn priced(eyes: &Eyes, name: &str, text: &str) {
    eyes.write(name, text);
    eyes.write("eyes.toml", format!("usagePrices = \"{name}\"\n"));
}

#[test]
fn no_ledger_is_an_empty_one_and_reading_makes_none() {
    let eyes = eyes();
    let ran = show(&eyes, &[]);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("nothing was noted yet\n", "")
    );
    let view = &show(&eyes, &["--format=json"]).json()[0];
    assert_eq!(view["total"]["additional"]["calls"], 0);
    let ran = eyes.run(["usage", "export", "--csv"]).exits(0);
    assert_eq!(ran.stdout.lines().count(), 1, "names and nothing else");
    assert!(!eyes.path("data").exists());
}

#[test]
fn what_is_exact_final_and_estimated_stands_apart() {
    let eyes = noted();
    insta::assert_snapshot!(show(&eyes, &[]).stdout, @"
    from 2026-01-30T10:00:00Z to 2026-01-31T10:00:00Z

    Looking, beyond the answers
      category      calls  unreported  input  output  cache read  cache write  reasoning
      visionBase        2           1   1000     100           0            0          0
      visionTarget      1           0    500      50           0            0          0
      all               3           1   1500     150           0            0          0

    Final answers
      category  calls  unreported  input  output  cache read  cache write  reasoning
      all           1           0   7000      70           0            0          0

    Estimates, in tokens that nobody counted
      bridgeInput  4321

    Counters
      cacheHits  3
    ");
    insta::assert_snapshot!(show(&eyes, &["--by=day"]).stdout, @"
    from 2026-01-30T10:00:00Z to 2026-01-31T10:00:00Z

    Looking, beyond the answers
      day         calls  unreported  input  output  cache read  cache write  reasoning
      2026-01-30      2           0   1500     150           0            0          0
      2026-01-31      1           1      -       -           -            -          -
      all             3           1   1500     150           0            0          0

    Final answers
      day         calls  unreported  input  output  cache read  cache write  reasoning
      2026-01-30      1           0   7000      70           0            0          0
      all             1           0   7000      70           0            0          0

    Estimates, in tokens that nobody counted
      2026-01-31 bridgeInput  4321

    Counters
      2026-01-31 cacheHits  3
    ");
    insta::assert_snapshot!(show(&eyes, &["--by=route"]).stdout, @"
    from 2026-01-30T10:00:00Z to 2026-01-31T10:00:00Z

    Looking, beyond the answers
      route      calls  unreported  input  output  cache read  cache write  reasoning
      hub/eye        2           0   1500     150           0            0          0
      hub/other      1           1      -       -           -            -          -
      all            3           1   1500     150           0            0          0

    Final answers
      route     calls  unreported  input  output  cache read  cache write  reasoning
      hub/deep      1           0   7000      70           0            0          0
      all           1           0   7000      70           0            0          0
    ");
    let ran = show(&eyes, &["--by=session"]);
    let digest = SessionDigest::of("two").to_string();
    assert!(ran.stdout.contains(&digest[..12]), "{}", ran.stdout);
    assert!(!ran.stdout.contains("unpriced") && !ran.stdout.contains("cost"));
    let view = &show(&eyes, &["--format=json", "--by=route"]).json()[0];
    let total = &view["total"];
    assert_eq!(total["additional"]["tokens"]["input"], 1500);
    assert_eq!(total["finalAnswers"]["tokens"]["input"], 7000);
    assert_eq!(total["estimates"]["bridgeInput"], 4321);
    assert_eq!(view["days"].as_array().map(Vec::len), Some(2));
    assert!(total["additional"]["cost"].is_null());
}

#[test]
fn prices_are_read_from_toml_and_json_and_what_has_none_is_never_free() {
    let eyes = noted();
    priced(&eyes, "prices.toml", TOML);
    let args = ["--config", "eyes.toml"];
    insta::assert_snapshot!(show(&eyes, &args).stdout, @"
    from 2026-01-30T10:00:00Z to 2026-01-31T10:00:00Z

    Looking, beyond the answers
      category      calls  unreported  input  output  cache read  cache write  reasoning             cost USD
      visionBase        2           1   1000     100           0            0          0  0.003000 + unpriced
      visionTarget      1           0    500      50           0            0          0             0.001500
      all               3           1   1500     150           0            0          0  0.004500 + unpriced

    Final answers
      category  calls  unreported  input  output  cache read  cache write  reasoning  cost USD
      all           1           0   7000      70           0            0          0  unpriced

    Estimates, in tokens that nobody counted
      bridgeInput  4321

    Counters
      cacheHits  3
    ");
    let view = &show(&eyes, &[&args[..], &["--format=json"]].concat()).json()[0];
    let cost = &view["total"]["additional"]["cost"];
    assert_eq!(
        (&cost["status"], &cost["amount"]),
        (&"partial".into(), &"0.0045".into())
    );
    let cost = &view["total"]["finalAnswers"]["cost"];
    assert_eq!(cost["status"], "unpriced");
    assert!(cost["amount"].is_null());

    priced(&eyes, "prices.json", JSON);
    let ran = show(&eyes, &[&args[..], &["--by=day"]].concat());
    assert!(ran.stdout.contains("cost EUR"), "{}", ran.stdout);
    let csv = [&["usage", "export", "--csv"], &args[..]].concat();
    let ran = eyes.run(csv).exits(0);
    for line in ran.stdout.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!((cells[11], cells[12]), ("EUR", ""), "{line}");
    }

    priced(
        &eyes,
        "prices.json",
        "{\"currency\": \"EURO\", \"prices\": []}",
    );
    let ran = eyes.run([&["usage", "show"], &args[..]].concat()).exits(2);
    assert!(
        ran.stderr.starts_with("error[USAGE_PRICES_INVALID]: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn figures_are_exported_as_tables_and_as_json() {
    let eyes = noted();
    for (table, lines, start) in [
        ("days", 5, "day,provider,model,category,calls"),
        ("sessions", 5, "session,firstAt,lastAt,provider"),
        ("routes", 5, "provider,model,category"),
        ("counters", 3, "day,kind,name,value"),
    ] {
        let args = ["usage", "export", "--csv", "--table", table];
        let ran = eyes.run(args).exits(0);
        assert!(ran.stdout.starts_with(start), "{}", ran.stdout);
        assert_eq!(ran.stdout.matches("\r\n").count(), lines, "{}", ran.stdout);
    }
    let ran = eyes
        .run(["usage", "export", "--csv", "--out", "days.csv"])
        .exits(0);
    assert_eq!(ran.stdout, "");
    let written = fs::read_to_string(eyes.path("days.csv")).expect("the file");
    assert_eq!(
        written,
        eyes.run(["usage", "export", "--csv"]).exits(0).stdout
    );
    let json = eyes.run(["usage", "export", "--json"]).exits(0).json();
    assert_eq!(json, show(&eyes, &["--format=json"]).json());
    for args in [
        &["usage", "export"][..],
        &["usage", "export", "--csv", "--json"],
        &["usage", "export", "--json", "--table=days"],
    ] {
        drop(eyes.run(args).exits(2));
    }
}

#[test]
fn what_is_known_to_be_missing_is_told() {
    let eyes = noted();
    let path = ledger(&eyes);
    let mut text = fs::read_to_string(&path).expect("the ledger");
    text.push_str("garbage\n{\"lost\":17}\n{\"event\":");
    fs::write(&path, text).expect("written");
    fs::write(eyes.path("data/usage.jsonl.newer"), "{\"usageLedger\":9}\n").expect("written");
    let ran = show(&eyes, &[]);
    for expected in [
        "warning[USAGE_EVENTS_MISSING]: 17 events were lost",
        "warning[USAGE_EVENTS_MISSING]: 1 lines of the ledger were left unfinished",
        "warning[USAGE_EVENTS_MISSING]: 1 lines of the ledger cannot be read",
        "warning[USAGE_LEDGER_UNSUPPORTED]: ",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
    let ran = show(&eyes, &["--format=json"]);
    assert_eq!(ran.json()[0]["missing"]["lostEvents"], 17);
    for line in ran.stderr.lines() {
        let warning: Value = serde_json::from_str(line).expect("JSON");
        assert!(warning["warning"]["code"].is_string());
    }
}

#[test]
fn watching_reports_again_when_something_was_noted() {
    let eyes = noted();
    let mut child = eyes
        .command()
        .args(["usage", "watch", "--count", "3", "--format=json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for reports in 1..=3 {
        let line = lines.next().expect("a report").expect("UTF-8");
        let view: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(view["total"]["additional"]["calls"], reports * 3);
        if reports < 3 {
            record(&eyes, &events());
        }
    }
    assert!(lines.next().is_none());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    let ran = eyes.run(["usage", "watch", "--count=1"]).exits(0);
    assert_eq!(
        ran.stdout,
        show(&eyes, &[]).stdout,
        "no control characters in a pipe"
    );
}

#[cfg(unix)]
#[test]
fn watching_ends_with_130_when_it_is_interrupted() {
    let eyes = noted();
    let mut child = eyes
        .command()
        .args(["usage", "watch", "--format=json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.next().is_some(), "it runs");
    let sent = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(sent.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn a_terminal_is_drawn_anew() {
    let eyes = noted();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io = eyes_cli::Io {
        stdin: &mut std::io::empty(),
        stdout: &mut out,
        stderr: &mut err,
        terminals: eyes_cli::Terminals {
            stdout: true,
            ..eyes_cli::Terminals::default()
        },
        gate: WriteGate::default(),
    };
    let data = eyes.path("data");
    let mut args = ["eyes", "usage", "watch", "--count=1", "--color=never"]
        .map(OsString::from)
        .to_vec();
    args.extend(["--data-dir".into(), data.into_os_string()]);
    let environment = Environment::new([], Platform::CURRENT);
    let exit = eyes_cli::run(args, &mut io, &environment);
    assert_eq!(exit, eyes_cli::Exit::Done);
    let text = String::from_utf8(out).expect("UTF-8");
    let report = text.strip_prefix("\u{1b}[H\u{1b}[2J").expect("drawn anew");
    assert_eq!(report, show(&eyes, &[]).stdout);
}

#[test]
fn resetting_asks_and_starts_anew() {
    let eyes = noted();
    let aside = eyes.write("data/usage.jsonl.unreadable", "something");
    let ran = eyes.run(["usage", "reset"]).exits(2);
    let path = ledger(&eyes);
    assert_eq!(
        ran.stdout,
        format!(
            "would remove {}\nkept {}, which was set aside\n",
            path.display(),
            aside.display()
        )
    );
    assert!(
        ran.stderr.starts_with("error[CONFIRMATION_MISSING]: "),
        "{}",
        ran.stderr
    );
    assert!(path.exists());
    let said = &eyes
        .run(["usage", "reset", "--yes", "--format=json"])
        .exits(0)
        .json()[0];
    assert_eq!(said["dryRun"], false);
    assert_eq!(said["removed"].as_array().map(Vec::len), Some(1));
    assert!(!path.exists() && aside.exists());
    assert!(show(&eyes, &[]).stdout.starts_with("nothing"));
    record(&eyes, &events());
    assert!(show(&eyes, &[]).stdout.contains("visionBase"));
    drop(eyes.run(["usage", "reset", "--all", "--yes"]).exits(0));
    assert!(!path.exists() && !aside.exists());
    let ran = eyes.run(["usage", "reset", "--yes"]).exits(0);
    assert_eq!(ran.stdout, "there is no ledger\n");
}

#[test]
fn a_newer_ledger_goes_only_when_asked_and_a_stranger_never() {
    let eyes = noted();
    let path = ledger(&eyes);
    fs::write(&path, "{\"usageLedger\":2}\n").expect("written");
    let ran = eyes.run(["usage", "reset", "--yes"]).exits(5);
    let name = path.to_string_lossy();
    assert!(
        ran.stderr.starts_with("error[USAGE_LEDGER_UNSUPPORTED]: ") && ran.stderr.contains(&*name),
        "{}",
        ran.stderr
    );
    assert!(path.exists());
    drop(eyes.run(["usage", "show"]).exits(5));
    drop(eyes.run(["usage", "reset", "--all", "--yes"]).exits(0));
    assert!(!path.exists());

    let letter = eyes.write("letter.txt", "dear reader\n");
    eyes.write("eyes.toml", "usageStatsPath = \"letter.txt\"\n");
    let args = ["usage", "reset", "--all", "--yes", "--config=eyes.toml"];
    let ran = eyes.run(args).exits(5);
    assert!(
        ran.stderr.starts_with("error[USAGE_LEDGER_INVALID]: "),
        "{}",
        ran.stderr
    );
    assert!(letter.exists());
    eyes.write("eyes.toml", "usageStatsPath = false\n");
    let ran = eyes.run(["usage", "show", "--config=eyes.toml"]).exits(2);
    assert!(
        ran.stderr.contains("keep no usage ledger"),
        "{}",
        ran.stderr
    );
}
