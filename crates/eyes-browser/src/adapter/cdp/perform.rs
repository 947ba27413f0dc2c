//! Doing one thing.

use serde_json::json;

use super::browser::Browser;
use crate::{
    adapter::script::{self, Aim},
    driver::{
        Command, DriverError, DriverErrorKind, KeyChord, NodeTarget, Performed, Point, ScrollSpec,
        Spot,
    },
};

fn done((): ()) -> Performed {
    Performed::default()
}

impl Browser {
    pub(super) async fn perform(&self, command: &Command) -> Result<Performed, DriverError> {
        if !matches!(
            command,
            Command::Navigate { .. } | Command::SwitchTab(_) | Command::CloseTab(_)
        ) {
            self.page_session()?;
        }
        if !matches!(
            command,
            Command::Dialog(_) | Command::SwitchTab(_) | Command::CloseTab(_)
        ) {
            self.no_dialog()?;
        }
        self.world().begin();
        self.mark();
        match command {
            Command::Navigate { url } => self.navigate(url).await,
            Command::History(step) => self.history(*step).await,
            Command::Hover(spot) => {
                let at = self.aim(spot, false).await?;
                self.hover(at).await.map(done)
            }
            Command::Click {
                at,
                button,
                count,
                modifiers,
            } => {
                let at = self.aim(at, true).await?;
                self.click(at, *button, *count, *modifiers).await.map(done)
            }
            Command::Drag { from, to } => self.drag_between(from, to).await,
            Command::Type {
                into,
                text,
                mode,
                submit,
            } => self.type_text(into.as_ref(), text, *mode, *submit).await,
            Command::Press { on, chord } => self.press_on(on.as_ref(), chord).await,
            Command::KeyDown(key) => self.key_down(key).await.map(done),
            Command::KeyUp(key) => self.key_up(key).await.map(done),
            Command::Select { target, options } => self.select(target, options).await,
            Command::Check { target, checked } => self.check(target, *checked).await,
            Command::Upload { target, files } => self.upload(target.as_ref(), files).await,
            Command::Scroll(scroll) => self.scroll(scroll).await,
            Command::Dialog(answer) => self.answer_dialog(answer).await,
            Command::SwitchTab(tab) => self.switch_tab(*tab).await,
            Command::CloseTab(tab) => self.close_tab(*tab).await,
            Command::Pdf => self.pdf().await,
        }
    }

    /// Has every document count its signs from here on; what follows comes after it.
    fn mark(&self) {
        if self.no_dialog().is_err() {
            return;
        }
        for (_, document) in self.page_documents() {
            let params = json!({"expression": "__eyes.mark()", "uniqueContextId": document.unique});
            self.client
                .post(Some(&document.session), "Runtime.evaluate", &params);
        }
    }

    async fn drag_between(&self, from: &Spot, to: &Spot) -> Result<Performed, DriverError> {
        // Both ends have to be right at the same time: aiming at the second may scroll the first away.
        self.aim(from, true).await?;
        let to_point = self.aim(to, false).await?;
        let from_point = self.aim(from, true).await?;
        let again = self.aim(to, false).await?;
        if to_point != again
            && matches!(to, Spot::Node(_))
            && self.aim(from, true).await? != from_point
        {
            return Err(DriverErrorKind::NotVisible.into());
        }
        self.drag(from_point, again).await.map(done)
    }

    async fn press_on(
        &self,
        on: Option<&NodeTarget>,
        chord: &KeyChord,
    ) -> Result<Performed, DriverError> {
        if let Some(target) = on {
            let document = self.document_of(target.key)?;
            let focus = script::call("focusOn", &(target.key.node, &target.fingerprint));
            let _: Aim = self.try_call(&document, &focus).await?;
        }
        self.press(chord).await.map(done)
    }

    async fn scroll(&self, scroll: &ScrollSpec) -> Result<Performed, DriverError> {
        match scroll {
            ScrollSpec::By { over, dx, dy } => {
                let at = match over {
                    Some(spot) => self.aim(spot, false).await?,
                    None => self.middle(),
                };
                self.wheel(at, *dx, *dy).await.map(done)
            }
            ScrollSpec::To(target) => {
                let document = self.document_of(target.key)?;
                let scroll = script::call("scrollTo", &(target.key.node, &target.fingerprint));
                let at: Aim = self.try_call(&document, &scroll).await?;
                // The frames around it are scrolled as well.
                drop(self.to_viewport(&document, at, true).await);
                Ok(Performed {
                    verified: Some(true),
                    ..Performed::default()
                })
            }
        }
    }

    fn middle(&self) -> Point {
        let (width, height) = self.config.viewport;
        Point {
            x: f64::from(width) / 2.0,
            y: f64::from(height) / 2.0,
        }
    }
}
