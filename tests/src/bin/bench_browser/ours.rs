//! Our session.

use std::{fs, path::Path, time::Instant};

use eyes_browser::session::{Session, StepResult};
use eyes_runtime::{
    browser::{BrowserPlane, BrowserSurroundings},
    environment::Environment,
    settings::{Place, Settings},
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{Column, Figures, ROUNDS, SIZES, WARM, median, serve};

/// How often a page is opened.
const OPENS: usize = 3;

/// Measures every page; returns the figures and the memory of this process.
pub(crate) fn measure(pages: &Path) -> Result<(Column, String), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    runtime.block_on(all(pages))
}

async fn all(pages: &Path) -> Result<(Column, String), String> {
    let base = serve::start(pages.to_path_buf())?;
    let data = tempfile::tempdir().map_err(|error| error.to_string())?;
    let environment = Environment::from_process();
    let mut settings = Settings::default();
    settings.browser.browser_headless = Some(true);
    settings.browser_artifacts_dir = Place::Nowhere;
    let around = BrowserSurroundings {
        data_dir: Some(data.path()),
        environment: &environment,
    };
    let plane = BrowserPlane::compose(&settings, around).map_err(|error| error.to_string())?;
    let driven = Driven(&plane.session);
    let mut figures = Vec::new();
    for size in SIZES {
        figures.push(driven.page(&base, size).await?);
    }
    let resident = resident();
    plane
        .session
        .close()
        .await
        .map_err(|error| error.to_string())?;
    let column = Column {
        name: "eyes",
        pages: figures,
    };
    Ok((column, resident))
}

/// A session with the state that its next action is grounded in.
struct Driven<'a>(&'a Session);

/// What a call took, in milliseconds, and what it came to.
struct Took(f64, StepResult);

impl Driven<'_> {
    async fn act(&self, action: &Value) -> Result<Took, String> {
        let begin = Instant::now();
        let result = self.0.run_json(action, &CancellationToken::new()).await;
        let text = result.text();
        let took = begin.elapsed().as_secs_f64() * 1e3;
        if result.ok {
            Ok(Took(took, result))
        } else {
            Err(format!("{action}: {text}"))
        }
    }

    async fn page(&self, base: &str, size: usize) -> Result<Figures, String> {
        let url = format!("{base}/page-{size}.html");
        let mut opens = Vec::new();
        for _ in 0..OPENS {
            opens.push(self.act(&json!({"action": "open", "url": url})).await?.0);
        }
        let mut times = [const { Vec::new() }; 3];
        let mut characters = None;
        for round in 0..WARM + ROUNDS {
            let (took, observed) = self.round(size, round).await?;
            characters = Some(observed as f64);
            if round >= WARM {
                for (times, took) in times.iter_mut().zip(took) {
                    times.push(took);
                }
            }
        }
        let [observe, click, typed] = times.map(median);
        Ok(Figures {
            medians: [median(opens), observe, click, typed],
            characters,
        })
    }

    /// Observes, clicks and types; returns what they took, and the characters of the state.
    async fn round(&self, size: usize, round: usize) -> Result<([f64; 3], usize), String> {
        let mid = size / 20 * 10;
        let Took(observe, seen) = self.act(&json!({"action": "observe"})).await?;
        let button = target(&seen, "button", &format!("Action {mid}"));
        let action = grounded(&seen, json!({"action": "click"}), button);
        let Took(click, clicked) = self.act(&action).await?;
        shows(&clicked, &format!("clicked btn-{mid} "))?;
        let field = target(&clicked, "textbox", &format!("Field {}", mid + 6));
        let text = format!("hello {round}");
        let action = grounded(&clicked, json!({"action": "type", "value": text}), field);
        let Took(typed, done) = self.act(&action).await?;
        shows(&done, &format!("input in-{} = {text}", mid + 6))?;
        Ok(([observe, click, typed], seen.text().chars().count()))
    }
}

/// Names an element: by its ref where the state lists it, else by role and name.
fn target(result: &StepResult, role: &str, name: &str) -> Value {
    let elements = result.state.iter().flat_map(|state| &state.page.elements);
    let mut found = elements.filter(|e| e.role == role && e.name == name);
    found.next().map_or_else(
        || json!({"role": role, "name": name, "exact": true}),
        |element| json!({"ref": element.reference.to_string()}),
    )
}

fn grounded(result: &StepResult, mut action: Value, target: Value) -> Value {
    if let (Value::Object(action), Value::Object(target)) = (&mut action, target) {
        action.extend(target);
        let state = result.state_id().map(|id| id.to_string());
        action.insert("stateId".to_owned(), state.into());
    }
    action
}

/// Checks that what a model is told shows what the page answered.
fn shows(result: &StepResult, expected: &str) -> Result<(), String> {
    let text = result.text();
    if text.contains(expected) {
        Ok(())
    } else {
        Err(format!("`{expected}` is not shown:\n{text}"))
    }
}

/// Resident memory of this process; only Linux tells it.
fn resident() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
