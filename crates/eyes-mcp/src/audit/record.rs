//! Records of calls.

use std::{collections::BTreeMap, time::Duration};

use eyes_evidence::{
    audit::{AuditEvent, AuditOutcome},
    provenance::Timestamp,
    report::{ReportText, ValueDigest},
};
use eyes_usage::session::SessionDigest;

use super::arguments::{ArgumentsDigest, HASH_UNAVAILABLE, message_digest};
use crate::{codes, config::ServerConfig, error::McpError, policy::Risk, result::BoundedResult};

/// What was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallTarget<'a> {
    /// A tool.
    Tool {
        /// The server's own name.
        name: &'a str,
        /// The name that the model used.
        public_name: &'a str,
        /// What it does, by its server's word.
        risk: Risk,
        /// Whether it reaches beyond the server, by its server's word.
        open_world: Option<bool>,
    },
    /// A tool that is not there, by the name that the model used.
    UnknownTool {
        /// That name.
        public_name: &'a str,
    },
    /// A resource; its address is not recorded.
    Resource,
    /// A prompt; its name is not recorded.
    Prompt,
}

/// How a call ended.
#[derive(Debug, Clone, Copy)]
pub enum CallEnding<'a> {
    /// The server answered; a result that the tool calls an error is recorded as one.
    Answered(&'a BoundedResult),
    /// The call was refused or failed; one that had not left is recorded as refused.
    Failed(&'a McpError),
}

/// One call of a tool, resource or prompt, to be made an event.
#[derive(Debug, Clone)]
pub struct CallRecord<'a> {
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub duration: Duration,
    /// The server, where there is one of this id.
    pub server: Option<&'a ServerConfig>,
    /// What was called.
    pub target: CallTarget<'a>,
    /// Whether the risk policy lets it pass.
    pub policy_allowed: bool,
    /// The session that it is part of, where it is of one.
    pub session: Option<SessionDigest>,
    /// Its arguments.
    pub arguments: &'a ArgumentsDigest,
    /// How it ended.
    pub ending: CallEnding<'a>,
}

impl CallRecord<'_> {
    /// Makes the event.
    pub fn event(&self) -> AuditEvent {
        let mut facts = Facts::default();
        if let Some(server) = self.server {
            facts.say("serverName", &server.name);
            facts.say("riskPolicy", server.risk_policy.as_str());
            facts.say("riskPolicyAllowed", yes_or_no(self.policy_allowed));
        }
        if let Some(session) = self.session {
            facts.say("session", &session.to_string());
        }
        self.target_facts(&mut facts);
        if self.arguments.value.is_none() {
            facts.say("argsSha256", HASH_UNAVAILABLE);
        }
        let outcome = match self.ending {
            CallEnding::Answered(result) => answered(result, &mut facts),
            CallEnding::Failed(error) if error.sent => failure(error),
            CallEnding::Failed(error) => AuditOutcome::refused(error.code),
        };
        AuditEvent {
            at: self.at.clone(),
            subject: ReportText::new(self.server.map_or("mcp", |server| server.id.as_str())),
            action: ReportText::new(self.action()),
            duration_ms: rounded_ms(self.duration),
            arguments: self.arguments.value,
            facts: facts.0,
            outcome,
        }
    }

    fn action(&self) -> &str {
        match self.target {
            CallTarget::Tool { name, .. } => name,
            CallTarget::UnknownTool { public_name } => public_name,
            CallTarget::Resource => "resource",
            CallTarget::Prompt => "prompt",
        }
    }

    fn target_facts(&self, facts: &mut Facts) {
        match self.target {
            CallTarget::Tool {
                public_name,
                risk,
                open_world,
                ..
            } => {
                facts.say("plane", "tools");
                facts.say("publicName", public_name);
                facts.say("risk", risk.as_str());
                facts.say("openWorld", open_world.map_or("unknown", yes_or_no));
            }
            CallTarget::UnknownTool { .. } => facts.say("plane", "tools"),
            CallTarget::Resource | CallTarget::Prompt => facts.say("plane", "content"),
        }
    }
}

/// Tells the same of a result whether its tool calls it an error or not.
fn answered(result: &BoundedResult, facts: &mut Facts) -> AuditOutcome {
    facts.say("resultBytes", &result.bytes.to_string());
    facts.say("resultTruncated", yes_or_no(result.truncated));
    if result.is_error {
        facts.say("resultSha256", &result.sha256.to_string());
        return AuditOutcome::Error {
            code: ReportText::new(codes::MCP_TOOL_CALL_FAILED.as_str()),
            message_sha256: result.sha256,
        };
    }
    AuditOutcome::Success {
        result: Some(ValueDigest {
            length: result.chars as usize,
            sha256: result.sha256,
        }),
    }
}

#[derive(Default)]
pub(super) struct Facts(pub(super) BTreeMap<ReportText, ReportText>);

impl Facts {
    pub(super) fn say(&mut self, name: &str, value: &str) {
        self.0.insert(ReportText::new(name), ReportText::new(value));
    }
}

/// Of a failure its code and the digest of its message.
pub(super) fn failure(error: &McpError) -> AuditOutcome {
    AuditOutcome::Error {
        code: ReportText::new(error.code.as_str()),
        message_sha256: message_digest(&error.message),
    }
}

pub(super) fn rounded_ms(duration: Duration) -> u64 {
    let rounded = duration.saturating_add(Duration::from_micros(500));
    u64::try_from(rounded.as_millis()).unwrap_or(u64::MAX)
}

const fn yes_or_no(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}
