//! Errors here; with real programs in `programs`. Groups of processes are tested in `eyes-system`.

#[cfg(target_os = "linux")]
mod programs;

use std::collections::BTreeMap;

use eyes_evidence::code::Coded as _;
use eyes_system::process::StillRunning;

use super::*;
use crate::{
    codes::{MCP_ADAPTER_CLOSE_FAILED, MCP_CONNECT_FAILED},
    config::EnvReference,
    ports::SecretSource,
};

#[derive(Debug, Default)]
pub(super) struct Variables(pub(super) BTreeMap<&'static str, &'static str>);

impl SecretSource for Variables {
    fn resolve(&self, variable: &str) -> Option<String> {
        self.0.get(variable).map(|value| (*value).to_owned())
    }
}

fn reference(variable: &str) -> EnvReference {
    EnvReference {
        env: variable.to_owned(),
    }
}

#[test]
fn a_process_that_cannot_be_killed_is_reported() {
    let error = ProcessError::from(StillRunning { process: 4711 });
    assert_eq!(error.code(), MCP_ADAPTER_CLOSE_FAILED);
    assert!(error.to_string().contains("4711"));
    assert_eq!(
        crate::error::McpError::from(error).code,
        MCP_ADAPTER_CLOSE_FAILED
    );
}

#[test]
fn what_cannot_be_started_has_one_code() {
    for error in [
        ProcessError::CommandMissing {
            command: "npx".to_owned(),
        },
        ProcessError::DirectoryMissing {
            directory: "/none".into(),
        },
        ProcessError::StartFailed {
            command: "npx".to_owned(),
            reason: "no memory".to_owned(),
        },
    ] {
        assert_eq!(error.code(), MCP_CONNECT_FAILED);
    }
}
