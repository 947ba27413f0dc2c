//! From the allowed tools to what a session sends.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use eyes_evidence::digest::Sha256Digest;

use super::{
    Exposure, ExposureBlock, ExposureInput, ModelTool, Presentation, ServerTools, ToolRow,
    description::managed,
    estimate::{Sent, text_tokens},
    fixed,
    index::index_text,
};
use crate::{
    catalog::CatalogTool,
    config::ExposureMode,
    limits::{DEFERRED_TOOL_TOKENS, INLINE_CONTEXT_PART},
    schema::{FitNote, SchemaProfile, Unfit, fit},
};

/// A definition in the form in which it would be sent in line, and what that costs.
#[derive(Debug)]
struct Fitted {
    form: Result<(ModelTool, Vec<FitNote>), Unfit>,
    sent: Sent,
}

/// What a form depends on: the whole definition, the provider, and the server's name in the description.
type FitKey = (Sha256Digest, SchemaProfile, String);

/// Forms and estimates that were made before; those of definitions that did not change are not made again.
///
/// It holds what the last exposure needed, and nothing else.
#[derive(Debug, Default)]
pub struct FitMemo {
    kept: BTreeMap<FitKey, Arc<Fitted>>,
    made: usize,
}

impl FitMemo {
    /// Returns how many forms the last exposure had to make.
    pub const fn made(&self) -> usize {
        self.made
    }
}

/// A tool and its form.
struct Candidate<'a> {
    tool: &'a Arc<CatalogTool>,
    fitted: Arc<Fitted>,
    is_duplicate: bool,
}

impl Exposure {
    /// Makes the exposure of a session.
    ///
    /// Servers come in the order of the settings, tools by public name. What does not fit in the budgets of
    /// definitions in line is passed over and smaller ones after it may still fit. [`ExposureMode::Auto`] becomes
    /// [`ExposureMode::Catalog`] when the definitions in line are more than the budgets or a tenth of the context,
    /// so that no tool is out of reach; [`ExposureMode::NativeDefer`] is taken as it where the provider does not
    /// support it.
    pub fn build(input: &ExposureInput<'_>) -> Self {
        Self::build_again(input, &mut FitMemo::default())
    }

    /// Makes an exposure as [`build`](Self::build) does, from the forms that were made before where their
    /// definitions did not change.
    pub fn build_again(input: &ExposureInput<'_>, memo: &mut FitMemo) -> Self {
        let mut seen = BTreeSet::new();
        let mut next = FitMemo::default();
        let servers: Vec<(&ServerTools<'_>, Vec<Candidate<'_>>)> = input
            .servers
            .iter()
            .map(|server| {
                let fit = |tool: &Arc<CatalogTool>| {
                    fitted(tool, (server, input.profile), (&*memo, &mut next))
                };
                (server, candidates(server, fit, &mut seen))
            })
            .collect();
        *memo = next;
        let auto = auto_mode(input, &servers);
        let mut made = Made::default();
        let mut listed = Vec::new();
        for (server, candidates) in servers {
            let presentation = presentation(input, server, auto);
            if presentation != Presentation::Inline {
                let tools = candidates
                    .iter()
                    .filter(|candidate| candidate.is_reachable(presentation));
                listed.push((
                    &server.server.id,
                    tools.map(|candidate| candidate.tool).collect(),
                ));
            }
            for candidate in candidates {
                made.take(&candidate, presentation, input);
            }
        }
        made.finish(&listed)
    }

    /// Returns the definitions as one JSON array in the form that `form` gives each.
    pub fn to_values(
        &self,
        form: impl Fn(&ModelTool) -> serde_json::Value,
    ) -> Vec<serde_json::Value> {
        self.definitions.iter().map(form).collect()
    }
}

impl Candidate<'_> {
    fn is_reachable(&self, presentation: Presentation) -> bool {
        // What is only described and called need not be acceptable to the provider.
        !self.is_duplicate && (self.fitted.form.is_ok() || presentation == Presentation::Catalog)
    }
}

fn candidates<'a>(
    server: &ServerTools<'a>,
    mut fit: impl FnMut(&Arc<CatalogTool>) -> Arc<Fitted>,
    seen: &mut BTreeSet<&'a str>,
) -> Vec<Candidate<'a>> {
    let mut tools: Vec<&Arc<CatalogTool>> = server.tools.iter().collect();
    tools.sort_by(|a, b| a.public_name.cmp(&b.public_name));
    tools
        .into_iter()
        .map(|tool| Candidate {
            tool,
            fitted: fit(tool),
            is_duplicate: fixed::is_capability_tool(tool.public_name.as_str())
                || !seen.insert(tool.public_name.as_str()),
        })
        .collect()
}

/// Returns the form of a tool, made before or now, and notes it for the next time.
fn fitted(
    tool: &Arc<CatalogTool>,
    (server, profile): (&ServerTools<'_>, SchemaProfile),
    (before, next): (&FitMemo, &mut FitMemo),
) -> Arc<Fitted> {
    let key = (tool.digest(), profile, server.server.name.clone());
    let known = before.kept.get(&key).or_else(|| next.kept.get(&key));
    let fitted = known.map_or_else(
        || {
            next.made += 1;
            Arc::new(Fitted::of(tool, &server.server.name, profile))
        },
        Arc::clone,
    );
    next.kept.insert(key, Arc::clone(&fitted));
    fitted
}

impl Fitted {
    fn of(tool: &CatalogTool, server_name: &str, profile: SchemaProfile) -> Self {
        let form = fit(&tool.definition.input_schema, profile).map(|fitted| {
            let definition = ModelTool {
                name: tool.public_name.to_string(),
                description: managed(tool, server_name),
                input_schema: fitted.schema,
                defer_loading: false,
            };
            (definition, fitted.notes)
        });
        let sent = form
            .as_ref()
            .map_or_else(|_| Sent::default(), |(definition, _)| Sent::of(definition));
        Self { form, sent }
    }
}

fn mode_of(input: &ExposureInput<'_>, server: &ServerTools<'_>) -> ExposureMode {
    match server.server.exposure.unwrap_or(input.mode) {
        ExposureMode::NativeDefer if !input.native_defer => ExposureMode::Auto,
        mode => mode,
    }
}

/// What servers in the automatic mode become.
fn auto_mode(
    input: &ExposureInput<'_>,
    servers: &[(&ServerTools<'_>, Vec<Candidate<'_>>)],
) -> Presentation {
    let inline = servers
        .iter()
        .filter(|(server, _)| {
            matches!(
                mode_of(input, server),
                ExposureMode::Auto | ExposureMode::Inline
            )
        })
        .flat_map(|(_, candidates)| candidates);
    let (count, tokens) = inline.fold((0, 0), |(count, tokens), candidate| {
        (count + 1, tokens + candidate.fitted.sent.tokens)
    });
    let budget = [
        input
            .context_tokens
            .map(|context| context / INLINE_CONTEXT_PART),
        input.max_schema_tokens.map(|tokens| tokens as u64),
    ];
    let is_over = budget.into_iter().flatten().any(|budget| tokens > budget)
        || input.max_tools.is_some_and(|max| count > max);
    if is_over {
        Presentation::Catalog
    } else {
        Presentation::Inline
    }
}

fn presentation(
    input: &ExposureInput<'_>,
    server: &ServerTools<'_>,
    auto: Presentation,
) -> Presentation {
    match mode_of(input, server) {
        ExposureMode::Inline => Presentation::Inline,
        ExposureMode::Catalog => Presentation::Catalog,
        ExposureMode::NativeDefer => Presentation::Deferred,
        ExposureMode::Auto => auto,
    }
}

/// What was made so far.
#[derive(Default)]
struct Made {
    definitions: Vec<ModelTool>,
    /// Of each definition, in their order: its digest, and whether it is kept back.
    digests: Vec<(Sha256Digest, bool)>,
    rows: Vec<ToolRow>,
    inline_tokens: u64,
    inline_tools: usize,
    deferred: usize,
    has_catalog: bool,
}

impl Made {
    fn take(
        &mut self,
        candidate: &Candidate<'_>,
        presentation: Presentation,
        input: &ExposureInput<'_>,
    ) {
        let blocked = self.block(candidate, presentation, input);
        let mut notes = Vec::new();
        if let Ok((definition, changes)) = &candidate.fitted.form {
            notes.clone_from(changes);
            if blocked.is_none() && presentation != Presentation::Catalog {
                let mut definition = definition.clone();
                definition.defer_loading = presentation == Presentation::Deferred;
                self.digests
                    .push((candidate.fitted.sent.digest, definition.defer_loading));
                self.definitions.push(definition);
            }
        }
        if blocked.is_none() {
            match presentation {
                Presentation::Inline => {
                    self.inline_tools += 1;
                    self.inline_tokens += candidate.fitted.sent.tokens;
                }
                Presentation::Deferred => self.deferred += 1,
                Presentation::Catalog => self.has_catalog = true,
            }
        }
        self.rows.push(ToolRow {
            server: candidate.tool.server.clone(),
            public_name: candidate.tool.public_name.clone(),
            presentation,
            tokens: candidate.fitted.sent.tokens,
            blocked,
            notes,
        });
    }

    fn block(
        &self,
        candidate: &Candidate<'_>,
        presentation: Presentation,
        input: &ExposureInput<'_>,
    ) -> Option<ExposureBlock> {
        if candidate.is_duplicate {
            return Some(ExposureBlock::DuplicatePublicName);
        }
        if let Err(unfit) = &candidate.fitted.form
            && presentation != Presentation::Catalog
        {
            return Some(ExposureBlock::UnfitSchema(unfit.to_string()));
        }
        if presentation != Presentation::Inline {
            return None;
        }
        if input.max_tools.is_some_and(|max| self.inline_tools >= max) {
            return Some(ExposureBlock::MaxTools);
        }
        let after = self.inline_tokens + candidate.fitted.sent.tokens;
        input
            .max_schema_tokens
            .is_some_and(|max| after > max as u64)
            .then_some(ExposureBlock::SchemaTokenBudget)
    }

    fn finish(mut self, listed: &[(&crate::names::ServerId, Vec<&Arc<CatalogTool>>)]) -> Exposure {
        let fixed = if self.has_catalog {
            fixed::catalog_tools()
        } else if self.deferred > 0 {
            fixed::reference_tools()
        } else {
            Vec::new()
        };
        let fixed_sent: Vec<Sent> = fixed.iter().map(Sent::of).collect();
        let fixed_tokens: u64 = fixed_sent.iter().map(|sent| sent.tokens).sum();
        self.definitions.splice(0..0, fixed);
        let index = index_text(listed, self.has_catalog);
        let digests = fixed_sent
            .iter()
            .map(|sent| (sent.digest, false))
            .chain(self.digests)
            // A digest in hexadecimal, how it is sent, and a byte that is in neither.
            .map(|(digest, is_deferred)| format!("{digest}{}\0", u8::from(is_deferred)));
        let parts: Vec<String> = digests.chain(index.clone()).collect();
        Exposure {
            digest: Sha256Digest::of_parts(parts.iter().map(String::as_bytes)),
            schema_tokens: self.inline_tokens
                + fixed_tokens
                + self.deferred as u64 * DEFERRED_TOOL_TOKENS
                + index.as_deref().map_or(0, text_tokens),
            answers_with_references: self.deferred > 0,
            definitions: self.definitions,
            rows: self.rows,
            index,
        }
    }
}
