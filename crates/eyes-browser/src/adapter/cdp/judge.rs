//! The policy of addresses, enforced on every document that is asked for.

use std::{net::IpAddr, sync::Arc};

use serde_json::{Value, json};

use super::{browser::Browser, events::text};
use crate::{
    driver::TabId,
    policy::{Denied, Where},
};

impl Browser {
    /// Lets a document be loaded, or not; a name may have to be looked up first.
    pub(super) fn judge(self: &Arc<Self>, session: String, params: Value) {
        let browser = Arc::clone(self);
        let (tab, place) = {
            let mut world = browser.world();
            let Some((id, tab)) = world.tab_of_session(Some(&session)) else {
                return;
            };
            let is_main = params["frameId"].as_str() == Some(tab.main.as_str());
            (id, if is_main { Where::Main } else { Where::Frame })
        };
        let address = text(&params["request"], "url");
        match browser.config.urls.check(&address, place) {
            Err(denied) => browser.rule(tab, &session, &params, Err(denied)),
            Ok(url) if browser.config.urls.needs_addresses() => {
                tokio::spawn(async move {
                    let verdict = browser.look_up(&url).await;
                    browser.rule(tab, &session, &params, verdict);
                });
            }
            Ok(_) => browser.rule(tab, &session, &params, Ok(())),
        }
    }

    /// Checks where a name leads; one that leads nowhere fails in the browser.
    async fn look_up(&self, url: &url::Url) -> Result<(), Denied> {
        let Some(url::Host::Domain(name)) = url.host() else {
            return Ok(());
        };
        let port = url.port_or_known_default().unwrap_or(443);
        let Ok(found) = tokio::net::lookup_host((name, port)).await else {
            return Ok(());
        };
        for address in found {
            self.config.urls.check_address(url, address.ip())?;
        }
        Ok(())
    }

    fn rule(&self, tab: TabId, session: &str, params: &Value, verdict: Result<(), Denied>) {
        let id = &params["requestId"];
        match verdict {
            Ok(()) => {
                self.client.post(
                    Some(session),
                    "Fetch.continueRequest",
                    &json!({"requestId": id}),
                );
            }
            Err(denied) => {
                self.note_blocked(tab, &denied);
                let failure = json!({"requestId": id, "errorReason": "BlockedByClient"});
                self.client
                    .post(Some(session), "Fetch.failRequest", &failure);
            }
        }
    }

    fn note_blocked(&self, tab: TabId, denied: &Denied) {
        if let Some(tab) = self.world().tabs.get_mut(&tab) {
            tab.blocked = Some(denied.to_string());
        }
    }

    /// Leaves a document whose name led somewhere else than it did when it was looked up (DNS rebinding).
    pub(super) fn arrived(&self, tab: TabId, session: &str, url: &str, address: &str) {
        let bare = address.trim_matches(['[', ']']);
        let (Ok(url), Ok(address)) = (url.parse::<url::Url>(), bare.parse::<IpAddr>()) else {
            return;
        };
        // A proxy has the address that the browser speaks to.
        if !self.config.urls.needs_addresses() || self.has_proxy() {
            return;
        }
        if let Err(denied) = self.config.urls.check_address(&url, address) {
            self.note_blocked(tab, &denied);
            self.client
                .post(Some(session), "Page.stopLoading", &json!({}));
            self.client.post(
                Some(session),
                "Page.navigate",
                &json!({"url": "about:blank"}),
            );
        }
    }

    fn has_proxy(&self) -> bool {
        let set = |name: &str| self.config.environment.get(name).is_some();
        [
            "http_proxy",
            "https_proxy",
            "all_proxy",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
        ]
        .into_iter()
        .any(set)
            || self
                .config
                .arguments
                .iter()
                .any(|argument| argument.starts_with("--proxy"))
    }
}
