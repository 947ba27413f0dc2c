//! What commands do to a scripted page.

use super::{
    script::Change,
    world::{Did, VIEWPORT, World, refuse},
};
use crate::driver::{
    Command, DriverErrorKind, History, NodeTarget, Performed, ScrollSpec, Settled, Spot, Tristate,
    TypeMode, TypedText,
};

impl World {
    pub(super) fn perform(&mut self, command: &Command) -> Did<Performed> {
        self.there()?;
        self.commands.push(command.clone());
        if let Some(error) = self.faults.pop() {
            return Err(error);
        }
        if let (Some((dialog, _)), false) = (
            &self.dialog,
            matches!(
                command,
                Command::Dialog(_) | Command::SwitchTab(_) | Command::CloseTab(_)
            ),
        ) {
            return refuse(DriverErrorKind::DialogOpen(dialog.message.clone()));
        }
        self.signs = Settled::default();
        let verified = match command {
            Command::Navigate { url } => {
                self.goto(url, false)?;
                Some(true)
            }
            Command::History(step) => {
                self.travel(match step {
                    History::Back => -1,
                    History::Forward => 1,
                    History::Reload => 0,
                })?;
                None
            }
            Command::SwitchTab(tab) => {
                if !self.tabs.iter().any(|known| known.id == *tab) {
                    return refuse(DriverErrorKind::Missing(format!("there is no {tab}")));
                }
                self.current = Some(*tab);
                Some(true)
            }
            Command::CloseTab(tab) => {
                self.close_tab(*tab)?;
                Some(true)
            }
            Command::Dialog(answer) => {
                let Some((_, accepted)) = self.dialog.take() else {
                    return refuse(DriverErrorKind::Missing("no dialog is open".to_owned()));
                };
                if answer.accept {
                    self.apply_all(accepted)?;
                }
                Some(true)
            }
            Command::Pdf => {
                return Ok(Performed {
                    bytes: Some(b"%PDF-scripted".to_vec()),
                    ..Performed::default()
                });
            }
            other => return self.input(other),
        };
        Ok(Performed {
            verified,
            ..Performed::default()
        })
    }

    fn apply_all(&mut self, changes: Vec<Change>) -> Did<()> {
        changes
            .into_iter()
            .try_for_each(|change| self.apply(change))
    }

    fn spot(&mut self, spot: &Spot) -> Did<Option<String>> {
        match spot {
            Spot::Node(target) => self.check(target).map(Some),
            Spot::Point(point) => {
                let document = self.document()?;
                let hit = document.live.iter().find(|live| {
                    let b = document.node(live).bounds;
                    (b.x..b.x + b.width).contains(&point.x)
                        && (b.y..b.y + b.height).contains(&point.y)
                });
                Ok(hit.map(|live| live.script.id.clone()))
            }
        }
    }

    fn input(&mut self, command: &Command) -> Did<Performed> {
        let verified = match command {
            Command::Click { at, count, .. } => {
                self.click(at, *count)?;
                None
            }
            Command::Hover(at) => {
                let hit = self.spot(at)?;
                self.hits.extend(hit);
                None
            }
            Command::Drag { from, to } => {
                let (from, to) = (self.spot(from)?, self.spot(to)?);
                self.hits.extend(from);
                self.hits.extend(to);
                None
            }
            Command::Type {
                into: Some(into),
                text,
                mode,
                ..
            } => {
                self.type_into(into, text, *mode)?;
                Some(true)
            }
            Command::Press {
                on: Some(target), ..
            } => {
                let id = self.check(target)?;
                self.hits.push(id);
                None
            }
            Command::Select { target, options } => return self.select(target, options),
            Command::Check { target, checked } => {
                let id = self.check(target)?;
                self.hits.push(id.clone());
                self.check_box(&id, *checked)?;
                Some(true)
            }
            Command::Scroll(ScrollSpec::By { dy, .. }) => {
                let document = self.document()?;
                let most = (document.height() as f64 - f64::from(VIEWPORT.height)).max(0.0);
                document.scroll = (document.scroll + dy).clamp(0.0, most);
                None
            }
            Command::Upload { .. } => {
                self.chooser = None;
                Some(true)
            }
            _ => None,
        };
        Ok(Performed {
            verified,
            ..Performed::default()
        })
    }

    fn click(&mut self, at: &Spot, count: u8) -> Did<()> {
        let Some(id) = self.spot(at)? else {
            return Ok(());
        };
        for _ in 0..count {
            self.hits.push(id.clone());
            let script = self.script(&id)?.clone();
            if let Some(state) = script.flags.checked {
                self.check_box(&id, state != Tristate::True)?;
            }
            self.apply_all(script.on_click)?;
        }
        Ok(())
    }

    fn type_into(&mut self, into: &Spot, text: &TypedText, mode: TypeMode) -> Did<()> {
        let Some(id) = self.spot(into)? else {
            return Ok(());
        };
        self.hits.push(id.clone());
        let script = self.script(&id)?;
        let before = script.value.take().filter(|_| mode == TypeMode::Append);
        script.value = Some(before.unwrap_or_default() + text.expose());
        script.flags.secret |= text.is_secret();
        self.signs.mutated = true;
        Ok(())
    }

    fn check_box(&mut self, id: &str, checked: bool) -> Did<()> {
        self.signs.mutated = true;
        self.script(id)?.flags.checked = Some(if checked {
            Tristate::True
        } else {
            Tristate::False
        });
        Ok(())
    }

    fn select(&mut self, target: &NodeTarget, options: &[String]) -> Did<Performed> {
        let id = self.check(target)?;
        let script = self.script(&id)?;
        if let Some(missing) = options
            .iter()
            .find(|option| !script.options.contains(option))
        {
            let there = script.options.join(", ");
            return refuse(DriverErrorKind::OptionMissing(format!(
                "no option {missing:?} among {there}"
            )));
        }
        script.value = options.first().cloned();
        self.hits.push(id);
        self.signs.mutated = true;
        Ok(Performed {
            verified: Some(true),
            bytes: None,
            selected: options.to_vec(),
        })
    }
}
