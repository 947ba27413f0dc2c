//! Servers of MCP as the settings name them, and Eyes as a server for others.

mod network;
mod serving;
mod tools;

use std::{path::Path, sync::Arc};

use eyes_evidence::{
    audit::{AuditSink, JsonLinesAudit, chain::LogBounds},
    code::Coded as _,
    ports::Clock,
};
use eyes_mcp::{
    adapter::rmcp::{RmcpConnector, RmcpParts},
    audit::{AuthorizationAudit, McpAudit},
    config::McpConfig,
    manager::{Manager, ManagerParts},
    oauth::{KeyringTokens, OAuthParts, PolicedTransports, SystemKeyring, TokenRegistry},
    pins::{FilePins, MemoryPins, PinStore},
    ports::{Elicitor, SecretSource, TokenSources},
    result::ResultArtifacts,
};
use eyes_router::vision::ReadWarning;
use eyes_usage::ports::{NoUsageSink, UsageSink};
use tokio::runtime::Handle;

pub use self::{
    serving::{Serving, serve_http, serve_stdio},
    tools::EyesTools,
};
use crate::{
    clock::SystemClock,
    data::{DataDirectory, MCP_AUDIT, MCP_PINS, MCP_RESULTS},
    environment::Environment,
    error::RuntimeError,
    random::SystemRandom,
    settings::{Place, Settings},
    usage::ledger,
};

/// The servers of the settings, ready to be started.
#[derive(Debug)]
pub struct McpPlane {
    /// All servers.
    pub manager: Manager,
    /// Which definitions are approved.
    pub pins: Arc<dyn PinStore>,
    /// What happened: the newest events, and the log where one is kept.
    pub audit: Arc<McpAudit>,
    /// Whole results, where they are kept.
    pub artifacts: Option<Arc<ResultArtifacts>>,
    /// Tokens of servers that are authorized.
    pub tokens: Arc<TokenRegistry>,
    /// What could not be composed and is not needed for a call.
    pub warnings: Vec<ReadWarning>,
}

/// Values of references come from the environment that the program was started with.
#[derive(Debug)]
struct EnvironmentSecrets(Environment);

impl SecretSource for EnvironmentSecrets {
    fn resolve(&self, variable: &str) -> Option<String> {
        let value = self.0.get(variable)?.to_str()?;
        (!value.is_empty()).then(|| value.to_owned())
    }
}

/// What a composition of servers finds around it.
#[derive(Debug, Clone)]
pub struct McpSurroundings<'a> {
    /// Where results and pins are.
    pub data_dir: Option<&'a Path>,
    /// The variables that hold secrets and proxies.
    pub environment: &'a Environment,
    /// Who answers questions of servers; nobody where absent.
    pub elicitor: Option<Arc<dyn Elicitor>>,
}

impl McpPlane {
    /// Composes the servers of `settings`; nothing is started. Their tasks run where this is called.
    ///
    /// A place that cannot be used costs a warning, not the servers: results are then not kept, the audit and pins
    /// only in memory, so that every tool is new. Errors: those of the settings, and `EXECUTOR_UNAVAILABLE` outside an
    /// executor.
    pub fn compose(
        settings: &Settings,
        surroundings: &McpSurroundings<'_>,
    ) -> Result<Self, RuntimeError> {
        let config = settings.mcp()?;
        let runtime = Handle::try_current().map_err(|error| RuntimeError::Executor {
            source: std::io::Error::other(error),
        })?;
        let mut warnings = Vec::new();
        let secrets = Arc::new(EnvironmentSecrets(surroundings.environment.clone()));
        let (clock, random) = (Arc::new(SystemClock), Arc::new(SystemRandom));
        let net = network::net_config(settings, surroundings.environment)?;
        let Opened {
            audit,
            pins,
            artifacts,
            usage,
        } = Opened::at(settings, &config, surroundings.data_dir, &mut warnings);
        let events = AuthorizationAudit::new(
            Arc::clone(&audit) as _,
            Arc::clone(&clock) as _,
            &config.servers,
        );
        let tokens = Arc::new(TokenRegistry::new(OAuthParts {
            secrets: Arc::clone(&secrets) as _,
            clock: Arc::clone(&clock) as _,
            random: Arc::clone(&random) as _,
            transports: Arc::new(PolicedTransports::new(net.clone())),
            events: Some(Arc::new(events)),
            keyring: Some(Arc::new(KeyringTokens::new(Arc::new(SystemKeyring)))),
        }));
        let connector = RmcpConnector::new(RmcpParts {
            secrets: Arc::clone(&secrets) as _,
            elicitor: surroundings.elicitor.clone(),
            tokens: Some(Arc::clone(&tokens) as Arc<dyn TokenSources>),
            net,
        });
        let manager = Manager::new(
            config,
            ManagerParts {
                connector: Arc::new(connector),
                secrets,
                clock,
                random,
                audit: Arc::clone(&audit),
                tokens: Some(Arc::clone(&tokens) as Arc<dyn TokenSources>),
                usage,
                artifacts: artifacts.clone(),
                pins: Arc::clone(&pins),
                authorizer: None,
                runtime,
            },
        );
        Ok(Self {
            manager,
            pins,
            audit,
            artifacts,
            tokens,
            warnings,
        })
    }
}

/// What is kept, where that can be.
struct Opened {
    audit: Arc<McpAudit>,
    pins: Arc<dyn PinStore>,
    artifacts: Option<Arc<ResultArtifacts>>,
    usage: Arc<dyn UsageSink>,
}

impl Opened {
    fn at(
        settings: &Settings,
        config: &McpConfig,
        data_dir: Option<&Path>,
        warnings: &mut Vec<ReadWarning>,
    ) -> Self {
        let log = kept(open_audit(settings, config, data_dir), warnings, || None);
        Self {
            audit: Arc::new(McpAudit::new(config.audit_limit, log)),
            pins: kept(open_pins(settings, data_dir), warnings, || {
                Arc::new(MemoryPins::default())
            }),
            artifacts: kept(open_artifacts(settings, config, data_dir), warnings, || {
                None
            }),
            usage: kept(ledger(settings, data_dir), warnings, || {
                Arc::new(NoUsageSink) as Arc<dyn UsageSink>
            }),
        }
    }
}

/// Takes what could be opened, or notes why not and takes what does without.
fn kept<T>(
    opened: Result<T, RuntimeError>,
    warnings: &mut Vec<ReadWarning>,
    otherwise: impl FnOnce() -> T,
) -> T {
    opened.unwrap_or_else(|error| {
        let warning = ReadWarning {
            code: error.code(),
            message: error.to_string(),
        };
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
        otherwise()
    })
}

/// Opens the pins; in memory where the settings keep none.
pub fn open_pins(
    settings: &Settings,
    data_dir: Option<&Path>,
) -> Result<Arc<dyn PinStore>, RuntimeError> {
    Ok(match &settings.mcp_pins_path {
        Place::Nowhere => Arc::new(MemoryPins::default()),
        Place::At(path) => Arc::new(FilePins::new(path)),
        Place::Usual => {
            let directory = DataDirectory::open(data_dir)?;
            Arc::new(FilePins::new(directory.path().join(MCP_PINS)))
        }
    })
}

/// Opens the log of calls, connections and authorizations; nothing where the settings keep none.
fn open_audit(
    settings: &Settings,
    config: &McpConfig,
    data_dir: Option<&Path>,
) -> Result<Option<Arc<dyn AuditSink>>, RuntimeError> {
    let path = match &settings.mcp_audit_path {
        _ if !config.audit => return Ok(None),
        Place::Nowhere => return Ok(None),
        Place::At(path) => path.clone(),
        // Whoever keeps no evidence keeps no log either, unless it has a place of its own.
        Place::Usual if settings.cache_dir == Place::Nowhere => return Ok(None),
        Place::Usual => DataDirectory::open(data_dir)?.path().join(MCP_AUDIT),
    };
    let log = JsonLinesAudit::open(path, LogBounds::default())
        .map_err(|source| RuntimeError::McpAudit { source })?;
    Ok(Some(Arc::new(log)))
}

fn open_artifacts(
    settings: &Settings,
    config: &McpConfig,
    data_dir: Option<&Path>,
) -> Result<Option<Arc<ResultArtifacts>>, RuntimeError> {
    let path = match &settings.mcp_artifact_dir {
        Place::Nowhere => return Ok(None),
        Place::At(path) => path.clone(),
        // Whoever keeps no evidence keeps no results either, unless they have a place of their own.
        Place::Usual if settings.cache_dir == Place::Nowhere => return Ok(None),
        Place::Usual => DataDirectory::open(data_dir)?.path().join(MCP_RESULTS),
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let artifacts = ResultArtifacts::open(path, config.artifacts, clock)?;
    Ok(Some(Arc::new(artifacts)))
}

#[cfg(test)]
mod tests;
