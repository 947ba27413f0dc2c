//! Addresses, history, tabs, dialogs, printing.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;

use super::{browser::Browser, client::CdpError};
use crate::{
    driver::{DialogAnswer, DialogKind, DriverError, DriverErrorKind, History, Performed, TabId},
    limits::{CALL_TIMEOUT, NAVIGATION_TIMEOUT, RENDER_TIMEOUT},
    policy::Where,
};

impl Browser {
    pub(super) async fn navigate(&self, url: &str) -> Result<Performed, DriverError> {
        let blocked = |denied: crate::policy::Denied| DriverErrorKind::Blocked(denied.to_string());
        let url = self.config.urls.check(url, Where::Main).map_err(blocked)?;
        if let Some(tab) = self.world().page_mut() {
            tab.blocked = None;
            // A tab that crashed gets a new process with the next document.
            tab.crashed = false;
        }
        let session = self.page_session()?;
        let reply = self.client.start(
            Some(&session),
            "Page.navigate",
            &json!({"url": url.as_str()}),
        );
        let dialog = self.until(NAVIGATION_TIMEOUT, |world| {
            world
                .page()
                .is_none_or(|(_, tab)| tab.dialog.is_some())
                .then_some(())
        });
        let answer = tokio::select! {
            biased;
            answer = reply.within(NAVIGATION_TIMEOUT) => answer,
            // It asks whether to leave, or the tab is gone.
            Some(()) = dialog => return Ok(Performed::default()),
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(CdpError::Refused { code, message, .. }) if code != -32001 => {
                return Err(DriverError::after(DriverErrorKind::Navigation(message)));
            }
            Err(error) => return Err(DriverError::after(error.into())),
        };
        let Some(failure) = answer["errorText"].as_str().filter(|text| !text.is_empty()) else {
            return Ok(Performed {
                verified: Some(true),
                ..Performed::default()
            });
        };
        if answer["isDownload"] == true {
            return Ok(Performed::default());
        }
        let verdict = self.world().page_mut().and_then(|tab| tab.blocked.take());
        Err(DriverError::after(match verdict {
            Some(why) => DriverErrorKind::Blocked(why),
            None => DriverErrorKind::Navigation(format!("{url}: {failure}")),
        }))
    }

    pub(super) async fn history(&self, step: History) -> Result<Performed, DriverError> {
        let session = self.page_session()?;
        let session = Some(session.as_str());
        let sent = if step == History::Reload {
            self.client.start(session, "Page.reload", &json!({}))
        } else {
            let history = self
                .client
                .call(session, "Page.getNavigationHistory", &json!({}))
                .await?;
            let current = history["currentIndex"].as_i64().unwrap_or_default();
            let wanted = if step == History::Back {
                current - 1
            } else {
                current + 1
            };
            let entry = usize::try_from(wanted)
                .ok()
                .and_then(|at| history["entries"].get(at));
            let entry = entry.ok_or_else(|| {
                let way = if step == History::Back {
                    "before"
                } else {
                    "after"
                };
                DriverErrorKind::Missing(format!("there is no entry {way} this one in the history"))
            })?;
            let to = json!({"entryId": entry["id"]});
            self.client
                .start(session, "Page.navigateToHistoryEntry", &to)
        };
        self.taken(vec![sent]).await?;
        // The answer comes before the document does.
        let moved = self
            .until(crate::limits::FIRST_SIGN, |world| {
                let settled = &world.effects.settled;
                let asks = world.page().is_none_or(|(_, tab)| {
                    tab.dialog.is_some() || tab.is_loading() || tab.is_navigating()
                });
                (settled.navigated || settled.mutated || asks).then_some(())
            })
            .await;
        Ok(Performed {
            verified: moved.map(|()| true),
            ..Performed::default()
        })
    }

    pub(super) async fn answer_dialog(
        &self,
        answer: &DialogAnswer,
    ) -> Result<Performed, DriverError> {
        let open = self.world().page().and_then(|(_, tab)| tab.dialog.clone());
        let open = open.ok_or_else(|| DriverErrorKind::Missing("no dialog is open".to_owned()))?;
        if answer.text.is_some() && open.dialog.kind != DialogKind::Prompt {
            return Err(
                DriverErrorKind::WrongElement("only a prompt takes a text".to_owned()).into(),
            );
        }
        let mut params = json!({"accept": answer.accept});
        let proposed = open.dialog.default.as_deref().filter(|_| answer.accept);
        if let Some(text) = answer
            .text
            .as_ref()
            .map(crate::driver::TypedText::expose)
            .or(proposed)
        {
            params["promptText"] = json!(text);
        }
        let reply = self
            .client
            .start(Some(&open.session), "Page.handleJavaScriptDialog", &params);
        reply
            .get()
            .await
            .map_err(|error| DriverError::after(error.into()))?;
        // A dialog that follows at once is another one.
        let closed = self
            .until(CALL_TIMEOUT, |world| {
                let now = world.page().and_then(|(_, tab)| tab.dialog.as_ref());
                now.is_none_or(|now| now.dialog != open.dialog)
                    .then_some(())
            })
            .await;
        Ok(Performed {
            verified: Some(closed.is_some()),
            ..Performed::default()
        })
    }

    pub(super) async fn switch_tab(&self, id: TabId) -> Result<Performed, DriverError> {
        let missing = || DriverErrorKind::Missing(format!("there is no tab {id}"));
        let target = self
            .world()
            .tabs
            .get(&id)
            .map(|tab| tab.target.clone())
            .ok_or_else(missing)?;
        self.release_keys();
        self.world().page = Some(id);
        let activate = json!({"targetId": target});
        self.client
            .call(None, "Target.activateTarget", &activate)
            .await
            .map_err(|error| DriverError::after(error.into()))?;
        Ok(Performed {
            verified: Some(true),
            ..Performed::default()
        })
    }

    pub(super) async fn close_tab(&self, id: TabId) -> Result<Performed, DriverError> {
        let (target, count) = {
            let world = self.world();
            (
                world.tabs.get(&id).map(|tab| tab.target.clone()),
                world.tabs.len(),
            )
        };
        let target =
            target.ok_or_else(|| DriverErrorKind::Missing(format!("there is no tab {id}")))?;
        if count < 2 {
            return Err(DriverErrorKind::Missing(
                "it is the last tab: close the session instead".to_owned(),
            )
            .into());
        }
        let close = json!({"targetId": target});
        self.client
            .call(None, "Target.closeTarget", &close)
            .await
            .map_err(|error| DriverError::after(error.into()))?;
        let closed = self
            .until(CALL_TIMEOUT, |world| match world.tabs.get(&id) {
                None => Some(true),
                // It asks whether to be left.
                Some(tab) => tab.dialog.as_ref().map(|_| false),
            })
            .await;
        Ok(Performed {
            verified: closed,
            ..Performed::default()
        })
    }

    pub(super) async fn pdf(&self) -> Result<Performed, DriverError> {
        let session = self.page_session()?;
        let print = json!({"printBackground": true, "preferCSSPageSize": true});
        let reply = self.client.start(Some(&session), "Page.printToPDF", &print);
        let printed = reply.within(RENDER_TIMEOUT).await?;
        let bytes = STANDARD
            .decode(printed["data"].as_str().unwrap_or_default())
            .unwrap_or_default();
        if !bytes.starts_with(b"%PDF") {
            return Err(DriverErrorKind::Protocol(
                "the browser printed something that is no PDF".to_owned(),
            )
            .into());
        }
        Ok(Performed {
            verified: Some(true),
            bytes: Some(bytes),
            ..Performed::default()
        })
    }
}
