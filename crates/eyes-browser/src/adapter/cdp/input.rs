//! Input as a person makes it: the pointer and the keyboard of the page.

use std::{sync::PoisonError, time::Duration};

use serde_json::{Value, json};

use super::{
    browser::Browser,
    client::{CdpError, Reply},
    keys,
};
use crate::{
    adapter::script::{self, Aim},
    driver::{Button, DriverError, DriverErrorKind, Key, KeyChord, Modifiers, Point, Spot},
    limits::CALL_TIMEOUT,
};

/// How long a page may take until it says that it began a drag.
const DRAG_BEGINS: Duration = Duration::from_millis(500);

const fn button_name(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Right => "right",
        Button::Middle => "middle",
    }
}

impl Browser {
    /// Finds the point of the viewport to hit, and checks everything that must be right before.
    pub(super) async fn aim(&self, spot: &Spot, enabled: bool) -> Result<Point, DriverErrorKind> {
        let target = match spot {
            Spot::Point(point) => return Ok(*point),
            Spot::Node(target) => target,
        };
        let document = self.document_of(target.key)?;
        let options = json!({"enabled": enabled});
        let call = script::call("aim", &(target.key.node, &target.fingerprint, options));
        let aim: Aim = self.try_call(&document, &call).await?;
        let (point, scrolled) = self.to_viewport(&document, aim, true).await?;
        let is_framed = self.world().main_document().map(|(id, _)| id) != Some(target.key.document);
        if scrolled && is_framed {
            // The browser knows where frames of other processes are only after they were drawn.
            let frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done('{}'))))";
            drop(
                self.eval::<Value>(&document, frames, Duration::from_millis(200))
                    .await,
            );
        }
        Ok(point)
    }

    /// Waits until inputs were taken; a dialog that one of them opened ends the wait, and so does the end of the tab.
    pub(super) async fn taken(&self, replies: Vec<Reply>) -> Result<(), DriverError> {
        let before = self.world().page;
        let interrupted = self.until(CALL_TIMEOUT, |world| {
            let is_over = |tab: &super::world::TabState| tab.dialog.is_some() || tab.crashed;
            (world.page != before || world.page().is_none_or(|(_, tab)| is_over(tab))).then_some(())
        });
        let all = async {
            for reply in replies {
                match reply.get().await {
                    // A tab that the input closed has taken it.
                    Ok(_) | Err(CdpError::Refused { code: -32001, .. }) => {}
                    Err(error) => return Err(DriverError::after(error.into())),
                }
            }
            Ok(())
        };
        tokio::select! {
            biased;
            taken = all => taken,
            Some(()) = interrupted => Ok(()),
        }
    }

    pub(super) fn mouse(&self, session: &str, kind: &str, at: Point, more: &Value) -> Reply {
        let mut event =
            json!({"type": kind, "x": at.x, "y": at.y, "modifiers": keys::bits(self.modifiers())});
        if let (Some(event), Some(more)) = (event.as_object_mut(), more.as_object()) {
            event.extend(more.clone());
        }
        self.client
            .start(Some(session), "Input.dispatchMouseEvent", &event)
    }

    pub(super) async fn click(
        &self,
        at: Point,
        button: Button,
        count: u8,
        held: Modifiers,
    ) -> Result<(), DriverError> {
        let session = self.page_session()?;
        let name = button_name(button);
        let held = keys::modifier_keys(held)
            .iter()
            .fold(self.modifiers(), keys::with);
        let bits = keys::bits(held);
        let mut replies = vec![self.mouse(&session, "mouseMoved", at, &json!({"modifiers": bits}))];
        for number in 1..=count.clamp(1, 3) {
            let more = json!({"button": name, "clickCount": number, "modifiers": bits});
            replies.push(self.mouse(&session, "mousePressed", at, &more));
            replies.push(self.mouse(&session, "mouseReleased", at, &more));
        }
        self.taken(replies).await
    }

    pub(super) async fn hover(&self, at: Point) -> Result<(), DriverError> {
        let session = self.page_session()?;
        self.taken(vec![self.mouse(&session, "mouseMoved", at, &json!({}))])
            .await
    }

    pub(super) async fn wheel(&self, at: Point, dx: f64, dy: f64) -> Result<(), DriverError> {
        let session = self.page_session()?;
        let more = json!({"deltaX": dx, "deltaY": dy});
        let replies = vec![
            self.mouse(&session, "mouseMoved", at, &json!({})),
            self.mouse(&session, "mouseWheel", at, &more),
        ];
        self.taken(replies).await
    }

    /// Presses on one point and releases on another; a drag that the page begins by HTML drag and drop is carried on
    /// by its own events, since the system's drag would take the pointer away.
    pub(super) async fn drag(&self, from: Point, to: Point) -> Result<(), DriverError> {
        let session = self.page_session()?;
        self.world().effects.drag = None;
        let intercept = |enabled: bool| {
            self.client.post(
                Some(&session),
                "Input.setInterceptDrags",
                &json!({"enabled": enabled}),
            );
        };
        intercept(true);
        let dragged = self.drag_intercepted(&session, from, to).await;
        intercept(false);
        dragged
    }

    async fn drag_intercepted(
        &self,
        session: &str,
        from: Point,
        to: Point,
    ) -> Result<(), DriverError> {
        let left = json!({"button": "left", "buttons": 1, "clickCount": 1});
        let moving = json!({"button": "left", "buttons": 1});
        let between = |part: f64| Point {
            x: from.x + (to.x - from.x) * part,
            y: from.y + (to.y - from.y) * part,
        };
        self.taken(vec![
            self.mouse(session, "mouseMoved", from, &json!({})),
            self.mouse(session, "mousePressed", from, &left),
        ])
        .await?;
        // Several steps: a drag begins only after some pixels.
        let nudge = Point {
            x: from.x + 4.0,
            y: from.y + 4.0,
        };
        let steps = [nudge, between(0.3), between(0.6)];
        let moves = steps
            .into_iter()
            .map(|at| self.mouse(session, "mouseMoved", at, &moving))
            .collect();
        self.taken(moves).await?;
        let Some(data) = self.drag_data().await else {
            return self
                .taken(vec![
                    self.mouse(session, "mouseMoved", to, &moving),
                    self.mouse(session, "mouseMoved", to, &moving),
                    self.mouse(session, "mouseReleased", to, &left),
                ])
                .await;
        };
        let replies = ["dragEnter", "dragOver", "dragOver", "drop"]
            .into_iter()
            .map(|kind| {
                let event = json!({"type": kind, "x": to.x, "y": to.y, "data": data});
                self.client
                    .start(Some(session), "Input.dispatchDragEvent", &event)
            })
            .collect();
        self.taken(replies).await?;
        self.taken(vec![self.mouse(session, "mouseReleased", to, &left)])
            .await
    }

    /// Returns what a drag carries, where the page began one.
    async fn drag_data(&self) -> Option<Value> {
        let mut began = false;
        for (_, document) in self.page_documents() {
            let answer = self
                .eval::<bool>(
                    &document,
                    &script::call("dragBegan", &[0; 0]),
                    Duration::from_secs(1),
                )
                .await;
            began |= matches!(answer, Ok(true));
        }
        let time = if began { DRAG_BEGINS } else { Duration::ZERO };
        self.until(time, |world| world.effects.drag.take()).await
    }

    /// Returns the modifiers that are held.
    pub(super) fn modifiers(&self) -> Modifiers {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.iter().fold(Modifiers::default(), keys::with)
    }

    fn key_event(&self, session: &str, event: &Value) -> Reply {
        self.client
            .start(Some(session), "Input.dispatchKeyEvent", event)
    }

    /// Presses a key with modifiers around it.
    pub(super) async fn press(&self, chord: &KeyChord) -> Result<(), DriverError> {
        let session = self.page_session()?;
        let mut held = self.modifiers();
        let before = held;
        let around = keys::modifier_keys(chord.modifiers);
        let mut replies = Vec::new();
        for key in &around {
            held = keys::with(held, key);
            replies.push(self.key_event(&session, &keys::down(key, held)));
        }
        replies.push(self.key_event(&session, &keys::down(&chord.key, held)));
        replies.push(self.key_event(&session, &keys::up(&chord.key, held)));
        for key in around.iter().rev() {
            replies.push(self.key_event(&session, &keys::up(key, before)));
        }
        self.taken(replies).await
    }

    /// Types a text key by key.
    pub(super) async fn type_keys(&self, text: &str) -> Result<(), DriverError> {
        let session = self.page_session()?;
        let held = self.modifiers();
        // In portions: each waits for the page, which may be slower than we are.
        let characters: Vec<char> = text.replace("\r\n", "\n").chars().collect();
        for portion in characters.chunks(50) {
            let mut replies = Vec::new();
            for c in portion {
                let shift = c.is_uppercase();
                let with = Modifiers {
                    shift: held.shift || shift,
                    ..held
                };
                let key = Key::Character(*c);
                replies.push(self.key_event(&session, &keys::down(&key, with)));
                replies.push(self.key_event(&session, &keys::up(&key, with)));
            }
            self.taken(replies).await?;
            if self.no_dialog().is_err() {
                return Err(DriverError::after(DriverErrorKind::DialogOpen(
                    "it opened while text was typed".to_owned(),
                )));
            }
        }
        Ok(())
    }

    pub(super) async fn key_down(&self, key: &Key) -> Result<(), DriverError> {
        let session = self.page_session()?;
        let modifiers = keys::with(self.modifiers(), key);
        {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            if !held.contains(key) {
                held.push(key.clone());
            }
        }
        self.taken(vec![self.key_event(&session, &keys::down(key, modifiers))])
            .await
    }

    pub(super) async fn key_up(&self, key: &Key) -> Result<(), DriverError> {
        let session = self.page_session()?;
        self.held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|held| held != key);
        let modifiers = self.modifiers();
        self.taken(vec![self.key_event(&session, &keys::up(key, modifiers))])
            .await
    }

    /// Releases all keys that are held, without waiting.
    pub(super) fn release_keys(&self) {
        let held = std::mem::take(&mut *self.held.lock().unwrap_or_else(PoisonError::into_inner));
        let Ok(session) = self.page_session() else {
            return;
        };
        for key in held.iter().rev() {
            let event = keys::up(key, Modifiers::default());
            self.client
                .post(Some(&session), "Input.dispatchKeyEvent", &event);
        }
    }
}
