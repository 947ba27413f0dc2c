//! Fields: text, options, checks, files.

use std::path::PathBuf;

use serde_json::json;

use super::{browser::Browser, world::DocumentState};
use crate::{
    adapter::script::{self, Aim, Checked, Prepared, Selected},
    driver::{
        Button, DriverError, DriverErrorKind, Key, KeyChord, Modifiers, NodeTarget, Performed,
        Spot, TypeMode, TypedText,
    },
    limits::{CALL_TIMEOUT, FRAME_TIMEOUT},
};

const fn mode_name(mode: TypeMode) -> &'static str {
    match mode {
        TypeMode::Fill => "fill",
        TypeMode::Keys => "keys",
        TypeMode::Append => "append",
    }
}

fn chord(name: &'static str) -> KeyChord {
    KeyChord {
        key: Key::Named(name),
        modifiers: Modifiers::default(),
    }
}

impl Browser {
    pub(super) async fn type_text(
        &self,
        into: Option<&Spot>,
        text: &TypedText,
        mode: TypeMode,
        submit: bool,
    ) -> Result<Performed, DriverError> {
        let (document, field, began) = self.field(into, text, mode).await?;
        let typed = self.enter(&document, field, text, mode).await;
        typed.map_err(|error| DriverError {
            began: began || error.began,
            ..error
        })?;
        let verified = self.holds(&document, field, text, mode).await;
        if submit {
            self.press(&chord("Enter"))
                .await
                .map_err(|error| DriverError::after(error.kind))?;
        }
        Ok(Performed {
            verified,
            ..Performed::default()
        })
    }

    /// Gives the field the focus; says whether that took input.
    async fn field(
        &self,
        into: Option<&Spot>,
        text: &TypedText,
        mode: TypeMode,
    ) -> Result<(DocumentState, Prepared, bool), DriverError> {
        let prepare =
            |node: Option<u32>| script::call("prepare", &(node, mode_name(mode), text.is_secret()));
        let main = self.world().main_document().map(|(id, _)| id);
        match into {
            Some(spot @ Spot::Node(target)) => {
                let at = self.aim(spot, true).await?;
                let document = self.document_of(target.key)?;
                // A frame gets the focus of the whole browser only by a click into it.
                let clicks = main != Some(target.key.document);
                if clicks {
                    self.click(at, Button::Left, 1, Modifiers::default())
                        .await?;
                }
                let prepared = self
                    .try_call(&document, &prepare(Some(target.key.node)))
                    .await;
                let prepared = prepared.map_err(|kind| DriverError {
                    kind,
                    began: clicks,
                })?;
                Ok((document, prepared, clicks))
            }
            Some(Spot::Point(at)) => {
                self.click(*at, Button::Left, 1, Modifiers::default())
                    .await?;
                let (document, prepared) = self
                    .focused(&prepare(None))
                    .await
                    .map_err(DriverError::after)?;
                Ok((document, prepared, true))
            }
            None => {
                let (document, prepared) = self.focused(&prepare(None)).await?;
                Ok((document, prepared, false))
            }
        }
    }

    /// Prepares the field that has the focus, in whichever frame it is.
    async fn focused(&self, prepare: &str) -> Result<(DocumentState, Prepared), DriverErrorKind> {
        let mut refusal =
            DriverErrorKind::WrongElement("nothing that takes text has the focus".to_owned());
        for (index, (_, document)) in self.page_documents().into_iter().enumerate() {
            let in_frame: Result<bool, _> = self
                .eval(
                    &document,
                    &script::call("hasActiveFrame", &[0; 0]),
                    FRAME_TIMEOUT,
                )
                .await;
            if matches!(in_frame, Ok(true)) {
                continue;
            }
            match self.try_call(&document, prepare).await {
                Ok(prepared) => return Ok((document, prepared)),
                Err(kind) if index == 0 => refusal = kind,
                Err(_) => {}
            }
        }
        Err(refusal)
    }

    async fn enter(
        &self,
        document: &DocumentState,
        field: Prepared,
        text: &TypedText,
        mode: TypeMode,
    ) -> Result<(), DriverError> {
        if field.native {
            let set = script::call("setNative", &(field.n, text.expose()));
            let done: Result<Aim, _> = self.try_call(document, &set).await;
            return done.map(drop).map_err(DriverError::after);
        }
        let is_empty = text.expose().is_empty();
        match mode {
            TypeMode::Append => {
                if field.end {
                    self.press(&chord("End")).await?;
                }
                self.type_keys(text.expose()).await
            }
            // What is selected goes with the key.
            TypeMode::Fill | TypeMode::Keys if is_empty && field.empty => Ok(()),
            TypeMode::Fill | TypeMode::Keys if is_empty => self.press(&chord("Backspace")).await,
            TypeMode::Keys => self.type_keys(text.expose()).await,
            TypeMode::Fill => {
                let session = self.page_session()?;
                let insert = json!({"text": text.expose()});
                let reply = self
                    .client
                    .start(Some(&session), "Input.insertText", &insert);
                self.taken(vec![reply]).await
            }
        }
    }

    async fn holds(
        &self,
        document: &DocumentState,
        field: Prepared,
        text: &TypedText,
        mode: TypeMode,
    ) -> Option<bool> {
        let holds = script::call("holdsText", &(field.n, text.expose(), mode_name(mode)));
        self.eval(document, &holds, FRAME_TIMEOUT).await.ok()?
    }

    pub(super) async fn select(
        &self,
        target: &NodeTarget,
        options: &[String],
    ) -> Result<Performed, DriverError> {
        let document = self.document_of(target.key)?;
        let choose = script::call("choose", &(target.key.node, &target.fingerprint, options));
        let chosen: Selected = self.try_call(&document, &choose).await?;
        Ok(Performed {
            verified: Some(chosen.verified),
            selected: chosen.selected,
            ..Performed::default()
        })
    }

    pub(super) async fn check(
        &self,
        target: &NodeTarget,
        checked: bool,
    ) -> Result<Performed, DriverError> {
        let document = self.document_of(target.key)?;
        let state = script::call(
            "checkedState",
            &(target.key.node, &target.fingerprint, checked),
        );
        let before: Checked = self.try_call(&document, &state).await?;
        if before.checked == checked.to_string() {
            return Ok(Performed {
                verified: Some(true),
                ..Performed::default()
            });
        }
        let at = self.aim(&Spot::Node(target.clone()), true).await?;
        self.click(at, Button::Left, 1, Modifiers::default())
            .await?;
        // Its name may have changed with it.
        let after = script::call("checkedState", &(target.key.node, None::<()>, checked));
        let after: Option<Checked> = self.try_call(&document, &after).await.ok();
        let verified = after.map(|after| after.checked == checked.to_string());
        Ok(Performed {
            verified,
            ..Performed::default()
        })
    }

    pub(super) async fn upload(
        &self,
        target: Option<&NodeTarget>,
        files: &[PathBuf],
    ) -> Result<Performed, DriverError> {
        let names: Vec<String> = files
            .iter()
            .map(|file| file.to_string_lossy().into_owned())
            .collect();
        let Some(target) = target else {
            return self.answer_chooser(&names).await;
        };
        let document = self.document_of(target.key)?;
        let check = script::call(
            "fileField",
            &(target.key.node, &target.fingerprint, files.len()),
        );
        let _: Aim = self.try_call(&document, &check).await?;
        let object = self.object(&document, target.key.node).await?;
        let set = json!({"files": names, "objectId": object});
        self.client
            .start(Some(&document.session), "DOM.setFileInputFiles", &set)
            .within(CALL_TIMEOUT)
            .await
            .map_err(|error| DriverError::after(error.into()))?;
        let count: Option<usize> = self
            .eval(
                &document,
                &script::call("fileCount", &[target.key.node]),
                FRAME_TIMEOUT,
            )
            .await
            .ok();
        Ok(Performed {
            verified: count.map(|count| count == files.len()),
            ..Performed::default()
        })
    }

    async fn answer_chooser(&self, names: &[String]) -> Result<Performed, DriverError> {
        let chooser = self.world().page().and_then(|(_, tab)| tab.chooser.clone());
        let missing = || DriverErrorKind::Missing("no file chooser is open".to_owned());
        let chooser = chooser.ok_or_else(missing)?;
        if names.len() > 1 && !chooser.multiple {
            return Err(DriverErrorKind::WrongElement(
                "the file chooser takes one file only".to_owned(),
            )
            .into());
        }
        let set = json!({"files": names, "backendNodeId": chooser.element});
        let reply = self
            .client
            .start(Some(&chooser.session), "DOM.setFileInputFiles", &set);
        reply
            .within(CALL_TIMEOUT)
            .await
            .map_err(|error| DriverError::after(error.into()))?;
        if let Some(tab) = self.world().page_mut() {
            tab.chooser = None;
        }
        Ok(Performed::default())
    }
}
