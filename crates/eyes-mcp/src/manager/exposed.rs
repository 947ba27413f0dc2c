//! What models are told of the tools; made again only where something of it changed.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::content::{PROMPT_TOOL, RESOURCE_TOOL, content_tools};
use crate::{
    catalog::CatalogTool,
    config::{McpConfig, ServerConfig},
    connection::{PolicedTools, ServerView},
    exposure::{
        Capabilities, Exposure, ExposureInput, FitMemo, ModelTool, ServerTools, ToolRow,
        value_tokens,
    },
    names::ServerId,
    policy::{Candidates, decide_selected},
    schema::SchemaProfile,
};

/// Whom an exposure is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Audience {
    pub(super) context_tokens: Option<u64>,
    pub(super) native_defer: bool,
    pub(super) profile: SchemaProfile,
}

/// What models are told.
#[derive(Debug)]
pub(super) struct Exposed {
    pub(super) exposure: Exposure,
    /// The fixed tools for resources and prompts.
    pub(super) content_tools: Vec<ModelTool>,
    pub(super) content_tokens: u64,
}

impl Exposed {
    /// Returns what became of a tool.
    pub(super) fn row(&self, public_name: &str) -> Option<&ToolRow> {
        let mut rows = self.exposure.rows.iter();
        rows.find(|row| row.public_name.as_ref() == public_name)
    }

    pub(super) fn schema_tokens(&self) -> u64 {
        self.exposure.schema_tokens + self.content_tokens
    }
}

/// The tools of one server in the form that exposures take.
#[derive(Debug)]
struct ServerShare {
    config: Arc<ServerConfig>,
    policed: Arc<PolicedTools>,
    tools: Arc<[Arc<CatalogTool>]>,
    has_resources: bool,
    has_prompts: bool,
}

impl ServerShare {
    /// Tells whether nothing changed since this was made.
    fn is_of(&self, view: &ServerView) -> bool {
        let (has_resources, has_prompts) = offered_content(view);
        Arc::ptr_eq(&self.config, &view.config)
            && Arc::ptr_eq(&self.policed, &view.tools)
            && (self.has_resources, self.has_prompts) == (has_resources, has_prompts)
    }

    fn of(view: &ServerView) -> Self {
        let (has_resources, has_prompts) = offered_content(view);
        Self {
            config: Arc::clone(&view.config),
            policed: Arc::clone(&view.tools),
            tools: view.tools.allowed().iter().map(Arc::clone).collect(),
            has_resources,
            has_prompts,
        }
    }
}

/// Tells whether at least one resource or template, and one prompt, may be used now.
fn offered_content(view: &ServerView) -> (bool, bool) {
    let config = &view.config;
    let allowed = |selectors, identity: &str| {
        decide_selected(selectors, &Candidates::of_content(config, identity)).is_allowed()
    };
    let content = &view.content;
    let live = view.is_live();
    let mut resources = content
        .resources
        .iter()
        .map(|resource| resource.uri.as_str());
    let mut templates = content
        .templates
        .iter()
        .map(|template| template.uri_template.as_str());
    let mut prompts = content.prompts.iter().map(|prompt| prompt.name.as_str());
    let has_resources = live
        && view.ready.resources
        && (resources.any(|uri| allowed(&config.resources, uri))
            || templates.any(|template| allowed(&config.resources, template)));
    let has_prompts =
        live && view.ready.prompts && prompts.any(|name| allowed(&config.prompts, name));
    (has_resources, has_prompts)
}

/// Keeps what was made last; what did not change is not made again.
#[derive(Debug, Default)]
pub(super) struct ExposureCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    config: Option<Arc<McpConfig>>,
    shares: Vec<Arc<ServerShare>>,
    capabilities: Capabilities,
    standard: Option<Arc<Exposed>>,
    memos: BTreeMap<SchemaProfile, FitMemo>,
}

impl ExposureCache {
    /// Returns what a model without special abilities is told now.
    pub(super) fn standard(
        &self,
        config: &Arc<McpConfig>,
        views: &[Arc<ServerView>],
    ) -> Arc<Exposed> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = kept.refresh(config, views);
        if !changed && let Some(standard) = &kept.standard {
            return Arc::clone(standard);
        }
        let standard = Arc::new(kept.build(config, Audience::default()));
        kept.standard = Some(Arc::clone(&standard));
        standard
    }

    /// Makes what one session's model is told.
    pub(super) fn of_session(
        &self,
        config: &Arc<McpConfig>,
        views: &[Arc<ServerView>],
        audience: Audience,
    ) -> Arc<Exposed> {
        if audience == Audience::default() {
            return self.standard(config, views);
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.refresh(config, views) {
            kept.standard = None;
        }
        Arc::new(kept.build(config, audience))
    }

    /// Returns how many definitions were brought into form and estimated the last time.
    #[cfg(test)]
    pub(super) fn made(&self) -> usize {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let memo = kept.memos.get(&SchemaProfile::default());
        memo.map_or(0, FitMemo::made)
    }

    /// Returns what can be found now.
    pub(super) fn capabilities(
        &self,
        config: &Arc<McpConfig>,
        views: &[Arc<ServerView>],
    ) -> Capabilities {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.refresh(config, views) {
            kept.standard = None;
        }
        kept.capabilities.clone()
    }
}

impl Kept {
    /// Takes what changed, server by server; tells whether anything did.
    fn refresh(&mut self, config: &Arc<McpConfig>, views: &[Arc<ServerView>]) -> bool {
        let mut changed = !self
            .config
            .as_ref()
            .is_some_and(|known| Arc::ptr_eq(known, config));
        self.config = Some(Arc::clone(config));
        let usable = views
            .iter()
            .filter(|view| view.is_live() && view.config.enabled);
        let mut shares = Vec::with_capacity(views.len());
        for view in usable {
            let known = self.shares.iter().find(|share| share.is_of(view));
            if let Some(share) = known {
                shares.push(Arc::clone(share));
                continue;
            }
            changed = true;
            let share = ServerShare::of(view);
            self.capabilities.replace(&share.config.id, &share.tools);
            shares.push(Arc::new(share));
        }
        let gone: Vec<ServerId> = self
            .shares
            .iter()
            .map(|share| share.config.id.clone())
            .filter(|id| !shares.iter().any(|share| share.config.id == *id))
            .collect();
        for id in &gone {
            self.capabilities.replace(id, &[]);
        }
        changed |= !gone.is_empty() || shares.len() != self.shares.len();
        self.shares = shares;
        changed
    }

    fn build(&mut self, config: &McpConfig, audience: Audience) -> Exposed {
        let servers: Vec<ServerTools<'_>> = self
            .shares
            .iter()
            .map(|share| ServerTools {
                server: &share.config,
                tools: &share.tools,
            })
            .collect();
        let input = ExposureInput {
            servers: &servers,
            max_tools: config.max_tools,
            max_schema_tokens: config.max_schema_tokens,
            context_tokens: audience.context_tokens,
            mode: config.exposure,
            native_defer: audience.native_defer,
            profile: audience.profile,
        };
        let memo = self.memos.entry(audience.profile).or_default();
        let exposure = Exposure::build_again(&input, memo);
        let offered = |name: &str| match name {
            RESOURCE_TOOL => self.shares.iter().any(|share| share.has_resources),
            PROMPT_TOOL => self.shares.iter().any(|share| share.has_prompts),
            _ => false,
        };
        let mut content = Vec::new();
        let mut content_tokens = 0;
        let mut tools = exposure.definitions.len();
        for tool in content_tools() {
            let tokens = value_tokens(&tool.to_mcp());
            let sum = exposure.schema_tokens + content_tokens + tokens;
            let fits = config.max_tools.is_none_or(|max| tools < max)
                && config.max_schema_tokens.is_none_or(|max| sum <= max as u64);
            if fits && offered(&tool.name) {
                tools += 1;
                content_tokens += tokens;
                content.push(tool);
            }
        }
        Exposed {
            exposure,
            content_tools: content,
            content_tokens,
        }
    }
}
