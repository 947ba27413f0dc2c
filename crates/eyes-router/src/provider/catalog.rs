//! Lists of models, in the shapes that providers give them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{endpoint::Endpoint, fault::Fault};
use crate::{
    codes,
    error::ProviderError,
    limits::MAX_CATALOG_MODELS,
    model::{Modality, ModelSpec},
    route::Route,
};

/// Reads one page of a list: `{"data": […]}`, `{"models": […]}` or `[…]`.
///
/// Entries that no route can name are left out: nothing could be asked of them.
pub(super) fn read_models(page: &Value, endpoint: &Endpoint) -> Result<Vec<ModelSpec>, Fault> {
    let list = page
        .as_array()
        .or_else(|| page.get("data")?.as_array())
        .or_else(|| page.get("models")?.as_array());
    let Some(list) = list else {
        let fault = "the list of models has no array `data`";
        return Err(Fault::Invalid(fault.to_owned()));
    };
    let config = &endpoint.config;
    Ok(list
        .iter()
        .filter_map(|entry| read_model(entry, &config.undeclared_input))
        .filter(|model| Route::new(config.id.as_str(), model.id.as_str()).is_ok())
        .collect())
}

/// Joins what the provider lists with what the settings declare: a declaration replaces an entry.
pub(super) fn merge(listed: Vec<ModelSpec>, declared: &[ModelSpec]) -> Vec<ModelSpec> {
    let mut known = BTreeSet::new();
    let mut merged: Vec<ModelSpec> = Vec::new();
    let replaced = listed.into_iter().map(|model| {
        let own = declared.iter().find(|own| own.id == model.id);
        own.cloned().unwrap_or(model)
    });
    for model in replaced.chain(declared.iter().cloned()) {
        if known.insert(model.id.clone()) && merged.len() < MAX_CATALOG_MODELS {
            merged.push(model);
        }
    }
    merged
}

/// Decides what a failed listing means: a server without a list serves the declared models.
pub(super) fn without_list(
    error: ProviderError,
    declared: &[ModelSpec],
) -> Result<Vec<ModelSpec>, ProviderError> {
    let has_no_list = matches!(error.status, Some(404 | 405 | 501));
    if has_no_list && !declared.is_empty() {
        return Ok(merge(Vec::new(), declared));
    }
    Err(error)
}

/// Refuses a model that a closed list does not have.
pub(super) fn check_declared(endpoint: &Endpoint, model: &str) -> Result<(), ProviderError> {
    if endpoint.config.list_models || endpoint.declared(model).is_some() {
        return Ok(());
    }
    let message = format!("provider {} has no model {model:?}", endpoint.config.id);
    Err(ProviderError::new(codes::VISION_ROUTE_ERROR, message))
}

fn read_model(entry: &Value, undeclared: &[Modality]) -> Option<ModelSpec> {
    let id = match entry {
        Value::String(id) => id,
        _ => ["id", "name", "model"]
            .iter()
            .find_map(|name| entry.get(name)?.as_str())?,
    };
    let number = |paths: &[&str]| {
        paths
            .iter()
            .find_map(|path| entry.pointer(path)?.as_u64())
            .and_then(|value| u32::try_from(value).ok())
            .filter(|&value| value > 0)
    };
    Some(ModelSpec {
        id: id.to_owned(),
        input: input_modalities(entry).unwrap_or_else(|| undeclared.to_vec()),
        context_window: number(&[
            "/context_length",
            "/context_window",
            "/max_model_len",
            "/max_context_length",
            "/max_input_tokens",
            "/meta/n_ctx",
            "/meta/n_ctx_train",
        ]),
        default_max_output: number(&[
            "/top_provider/max_completion_tokens",
            "/max_completion_tokens",
            "/max_output_tokens",
            "/max_tokens",
        ]),
        revision: None,
    })
}

/// Finds what the entry says of its input, in the words of the providers that say anything.
fn input_modalities(entry: &Value) -> Option<Vec<Modality>> {
    let lists = [
        "/architecture/input_modalities",
        "/input_modalities",
        "/modalities/input",
        "/capabilities",
    ];
    for path in lists {
        if let Some(words) = entry.pointer(path).and_then(Value::as_array) {
            let sees = words.iter().filter_map(Value::as_str).any(names_images);
            return Some(accepts(sees));
        }
    }
    // `text+image->text`
    if let Some(arrow) = entry
        .pointer("/architecture/modality")
        .and_then(Value::as_str)
    {
        let input = arrow.split("->").next().unwrap_or_default();
        return Some(accepts(input.split('+').any(names_images)));
    }
    let flags = [
        "/capabilities/vision",
        "/capabilities/image_input/supported",
        "/supports_image_in",
        "/supports_vision",
    ];
    let sees = flags
        .iter()
        .find_map(|path| entry.pointer(path)?.as_bool())?;
    Some(accepts(sees))
}

fn names_images(word: &str) -> bool {
    matches!(
        word.trim().to_ascii_lowercase().as_str(),
        "image" | "images" | "vision" | "multimodal"
    )
}

fn accepts(images: bool) -> Vec<Modality> {
    if images {
        vec![Modality::Text, Modality::Image]
    } else {
        vec![Modality::Text]
    }
}
