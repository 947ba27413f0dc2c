//! Results: reading, admission, canonical form, digest, and the whole step.

use std::{fs, path::Path, sync::Arc};

use eyes_evidence::{canonical::Canonical, redact::Redactor, testing::FixedClock};
use eyes_mcp::result::{ArtifactBounds, BoundContext, ResultArtifacts, admit, bound};
use serde_json::Value;

use crate::measure::{Table, Times};

/// The documents, how often each is measured, and the SHA-256 of its canonical form.
const INPUTS: [(&str, usize, &str); 3] = [
    (
        "result-text-1mb",
        25,
        "515ff1459fcdb689ddf3380cc0b12aeebfe9370d11bf6e81f3788a6d55827bec",
    ),
    (
        "result-text-10mb",
        25,
        "325bb4f71928344132d51aea1614e0575ed86e3354dc550569733b4ddc6311d3",
    ),
    (
        "result-nodes-50k",
        25,
        "108cc57f02ea5a68c1a26a1c39d21d663159a7c089f936f3e4ae2ec3f7727fce",
    ),
];

/// Measures every document and checks its digest.
pub(crate) fn measure(inputs: &Path, table: &mut Table) -> Result<(), String> {
    for (name, rounds, sha256) in INPUTS {
        let file = inputs.join(format!("{name}.json"));
        let text =
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let value: Value = serde_json::from_str(&text).map_err(told)?;
        let canonical = Canonical::of_value(&value).map_err(told)?;
        let digest = canonical.digest().to_string();
        if digest != sha256 {
            return Err(format!("{name}: SHA-256 {digest}, published {sha256}"));
        }
        let mut add = |work: &str, times| table.add(format!("{name}: {work}"), times);
        add(
            "JSON.parse only",
            Times::of(rounds, || serde_json::from_str::<Value>(&text)),
        );
        add("admit", Times::of(rounds, || admit(&value)));
        add(
            "canonicalJson",
            Times::of(rounds, || Canonical::of_value(&value)),
        );
        add(
            "sha256 of canonical",
            Times::of(rounds, || canonical.digest()),
        );
        add(
            "admit+canonical+sha256",
            Times::of(rounds, || {
                let stats = admit(&value);
                (
                    stats,
                    Canonical::of_value(&value).map(|canonical| canonical.digest()),
                )
            }),
        );
        whole_step(&value, rounds, &mut add)?;
    }
    Ok(())
}

fn whole_step(
    value: &Value,
    rounds: usize,
    add: &mut impl FnMut(&str, Times),
) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(told)?;
    let clock = Arc::new(FixedClock);
    let artifacts = ResultArtifacts::open(dir.path().join("mcp"), ArtifactBounds::default(), clock)
        .map_err(told)?;
    let redactor = Redactor::default();
    let mut context = BoundContext {
        server: "bench",
        tool: "bench",
        max_chars: 20_000,
        artifacts: None,
        redactor: &redactor,
    };
    add(
        "boundMcpResult(20000 chars, no artifact)",
        Times::of(rounds, || bound(value, &context)),
    );
    context.artifacts = Some(&artifacts);
    add(
        "boundMcpResult(20000 chars, artifact)",
        Times::of(rounds, || {
            let result = bound(value, &context);
            // Removed again, so that every round writes.
            let file = result.ok().and_then(|result| result.artifact);
            file.map(|artifact| fs::remove_file(artifact.path))
        }),
    );
    Ok(())
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
