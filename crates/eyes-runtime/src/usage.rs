//! What was used: the ledger and the prices as the settings ask for them.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use eyes_evidence::atomic::read_private;
use eyes_usage::{
    ledger::{Ledger, LedgerBounds, LedgerMark},
    ports::{NoUsageSink, UsageSink},
    price::PriceTable,
};

use crate::{
    error::RuntimeError,
    limits::{LEDGER_LOOK_EVERY, MAX_PRICES_BYTES},
    settings::{Place, Settings},
};

/// The ledger's name below the directory for data.
pub(crate) const FILE: &str = "usage.jsonl";

/// Returns where the ledger is; nothing where the settings keep none or no directory for data is known.
pub fn ledger_path(settings: &Settings, data_dir: Option<&Path>) -> Option<PathBuf> {
    match &settings.usage_stats_path {
        Place::Nowhere => None,
        Place::At(path) => Some(path.clone()),
        // Whoever keeps no evidence keeps no ledger either, unless it has a place of its own.
        Place::Usual if settings.cache_dir == Place::Nowhere => None,
        Place::Usual => data_dir.map(|directory| directory.join(FILE)),
    }
}

/// Opens the ledger; where the settings keep none, what is told goes nowhere.
pub(crate) fn ledger(
    settings: &Settings,
    data_dir: Option<&Path>,
) -> Result<Arc<dyn UsageSink>, RuntimeError> {
    let path = ledger_path(settings, data_dir).filter(|_| settings.usage_stats);
    Ok(match path {
        None => Arc::new(NoUsageSink),
        Some(path) => Arc::new(Ledger::open(path, LedgerBounds::default())?),
    })
}

/// Waits until the ledger does not stand where it stood any more, or is there, or is gone.
pub async fn changed(path: &Path, since: Option<LedgerMark>) {
    while Ledger::mark(path) == since {
        tokio::time::sleep(LEDGER_LOOK_EVERY).await;
    }
}

/// Reads the table of prices; nothing where the settings name none.
///
/// A name that ends in `.json` is read as JSON, any other as TOML. Errors: `USAGE_PRICES_INVALID`, and those of
/// reading a file.
pub fn prices(settings: &Settings) -> Result<Option<PriceTable>, RuntimeError> {
    let Some(path) = &settings.usage_prices else {
        return Ok(None);
    };
    let unread = |source| RuntimeError::PricesFile {
        path: path.clone(),
        source,
    };
    let bytes = read_private(path, MAX_PRICES_BYTES).map_err(unread)?;
    let invalid = |source| RuntimeError::Prices {
        path: path.clone(),
        source,
    };
    let text = String::from_utf8_lossy(&bytes);
    let is_json = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let text = if is_json {
        text.into_owned()
    } else {
        let table: toml::Table =
            text.parse()
                .map_err(|error: toml::de::Error| RuntimeError::PricesSyntax {
                    path: path.clone(),
                    reason: error.message().to_owned(),
                })?;
        serde_json::to_string(&table).map_err(|error| invalid(error.into()))?
    };
    PriceTable::from_json(&text).map(Some).map_err(invalid)
}
