use eyes_evidence::{provenance::EntryCheck, record::Evidence};

use super::*;

/// An overview with one text over the whole picture.
fn reads(text: &str) -> Script {
    let json = example(EvidenceKind::Base).replace("text exactly as shown", text);
    Script::answer(&json)
}

fn doubts(reading: &Reading) -> Vec<String> {
    let Evidence::Base(base) = reading.record.evidence() else {
        panic!("an overview");
    };
    let doubts = base.uncertainties.iter();
    doubts.map(|doubt| doubt.as_str().to_owned()).collect()
}

#[tokio::test]
async fn two_routes_that_agree_confirm_each_other() {
    let world = world([
        eye("a", [reads("Port 8080")]),
        eye("b", [reads("Port 8080")]),
    ])
    .settings(|settings| settings.vision_consensus = true)
    .build();
    let reading = world.base().await.expect("a reading");
    assert_eq!(reading.route, route("a/eye"));
    assert_eq!((world.calls(0), world.calls(1)), (1, 1));
    let check = reading
        .record
        .checks()
        .and_then(|checks| checks.consensus.as_ref());
    let check = check.expect("a consensus on record");
    assert_eq!((check.provider.as_str(), check.counts()), ("b", (1, 1)));
    assert!(
        doubts(&reading)
            .iter()
            .all(|doubt| !doubt.contains("b/eye"))
    );
}

#[tokio::test]
async fn what_a_second_route_reads_otherwise_becomes_a_doubt() {
    let world = world([
        eye("a", [reads("Port 8080")]),
        eye("b", [reads("Port 3030")]),
    ])
    .settings(|settings| settings.vision_consensus = true)
    .build();
    let reading = world.base().await.expect("a reading");
    let check = reading
        .record
        .checks()
        .and_then(|checks| checks.consensus.as_ref());
    let check = check.expect("a consensus on record");
    assert!(matches!(check.entries[0], EntryCheck::Differs { .. }));
    let doubts = doubts(&reading);
    assert!(
        doubts
            .iter()
            .any(|doubt| doubt.contains("b/eye") && doubt.contains("3030")),
        "{doubts:?}"
    );
}

#[tokio::test]
async fn a_second_route_that_fails_leaves_the_reading_and_says_so() {
    let world = world([eye("a", [reads("Port 8080")]), eye("b", [down()])])
        .settings(|settings| settings.vision_consensus = true)
        .build();
    let reading = world.base().await.expect("a reading");
    assert_eq!(reading.record.checks(), None);
    let doubts = doubts(&reading);
    assert!(
        doubts
            .iter()
            .any(|doubt| doubt.contains("nothing here is confirmed")),
        "{doubts:?}"
    );
}

#[tokio::test]
async fn without_consensus_one_route_is_asked() {
    let world = world([eye("a", [reads("Port 8080")]), eye("b", [reads("x")])]).build();
    let reading = world.base().await.expect("a reading");
    assert_eq!((world.calls(0), world.calls(1)), (1, 0));
    assert_eq!(reading.record.checks(), None);
}

/// A reader that stands for the local eyes.
fn local(script: Script) -> Arc<dyn EvidenceCheck> {
    let reader = world([eye("local", [script])]).build().reader;
    Arc::new(GroundingCheck::new(reader))
}

#[tokio::test]
async fn a_claim_that_the_local_eyes_read_otherwise_becomes_a_doubt() {
    for (claimed, agrees) in [("Port 8080", true), ("Port 3030", false)] {
        let mut builder = world([eye("a", [reads(claimed)])]);
        builder.checks.push(local(reads("Port 8080")));
        let reading = builder.build().base().await.expect("a reading");
        let check = reading
            .record
            .checks()
            .and_then(|checks| checks.grounding.as_ref());
        let check = check.expect("a check on record");
        assert_eq!(check.provider.as_str(), "local");
        assert_eq!(check.entries[0] == EntryCheck::Agreed, agrees);
        let doubted = doubts(&reading).iter().any(|doubt| doubt.contains("8080"));
        assert_eq!(doubted, !agrees);
    }
}

#[tokio::test]
async fn a_local_reading_that_fails_or_is_its_own_witness_checks_nothing() {
    for (provider, script) in [("a", down()), ("local", reads("y"))] {
        let mut builder = world([eye(provider, [reads("x")])]);
        builder.checks.push(local(script));
        let reading = builder.build().base().await.expect("a reading");
        assert_eq!(reading.record.checks(), None);
    }
}
