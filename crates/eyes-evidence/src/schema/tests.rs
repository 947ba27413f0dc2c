//! The committed schemas are those of the types.

use std::path::Path;

use schemars::Schema;

use super::generate::{check_published, schema_of};
use crate::{
    audit::AuditEvent, parse::audit::ParseAudit, provenance::EvidenceRecord, report::Report,
    state::StateDelta,
};

fn check(name: &str, schema: &Schema) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema");
    check_published(&folder.join(format!("{name}.schema.json")), schema);
}

#[test]
fn every_published_schema_is_that_of_its_types() {
    check(
        "evidence-record",
        &schema_of::<EvidenceRecord>("Evidence record"),
    );
    check("parse-audit", &schema_of::<ParseAudit>("Parse audit"));
    check("audit-event", &schema_of::<AuditEvent>("Audit event"));
    check("state-delta", &schema_of::<StateDelta>("State delta"));
    check("run-report", &schema_of::<Report>("Run report"));
}
