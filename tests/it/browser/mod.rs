//! `eyes browser` with a real browser and pages of our own on loopback.
//!
//! Live group `browser`. Where it is not listed the tests do nothing, as those of every live group.

mod pages;
mod processes;
mod runs;
mod server;
mod traps;

use std::{env, fs, path::PathBuf, process::Command};

use eyes_tests::{Eyes, Ran, live::Group};
use serde_json::{Value, json};

use self::server::Server;
use crate::eyes;

const GROUP: &str = "browser";
/// The value of the secret; it must not be found anywhere.
const SECRET: &str = "correct-horse-9417";

/// The program, a server of pages, and settings.
#[derive(Debug)]
struct Bench {
    eyes: Eyes,
    server: Server,
    group: Group,
}

impl Bench {
    /// Makes one where the group is listed.
    fn listed() -> Option<Self> {
        let group = Group::listed(GROUP)?;
        let eyes = eyes();
        let uploads = eyes.path("uploads");
        fs::create_dir(&uploads).expect("a folder");
        fs::write(uploads.join("note.txt"), "twelve bytes").expect("a file");
        let settings = json!({
            "browserHeadless": true,
            "browserUploadDirs": [uploads],
            "browserSecretEnv": ["PASSPHRASE"],
        });
        eyes.write("settings.json", settings.to_string());
        Some(Self {
            eyes,
            server: Server::start(),
            group,
        })
    }

    /// The command `eyes browser`, ready for its arguments.
    fn command(&self) -> Command {
        let mut command = self.eyes.command();
        command
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("PASSPHRASE", SECRET)
            .arg("--config")
            .arg(self.eyes.path("settings.json"))
            .arg("browser");
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        Ran::of(
            &self
                .command()
                .args(args)
                .output()
                .expect("the program starts"),
        )
    }

    /// Runs a script that begins with a page of the server.
    fn script(&self, path: &str, actions: &[Value]) -> Ran {
        let open = json!({"action": "open", "url": self.server.url(path)});
        let lines: Vec<String> = [&open]
            .into_iter()
            .chain(actions)
            .map(Value::to_string)
            .collect();
        let script = self.eyes.write("script.jsonl", lines.join("\n"));
        let script = script.to_str().expect("UTF-8");
        self.run(&["run", script, "--format=json"])
    }

    /// The only run there is.
    fn run_folder(&self) -> PathBuf {
        let entries = fs::read_dir(self.eyes.path("data/browser-runs")).expect("the runs");
        let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("a run").path()).collect();
        assert_eq!(folders.len(), 1, "{folders:?}");
        folders.remove(0)
    }
}

/// What the last step came to.
fn last(ran: &Ran) -> Value {
    let mut steps = ran.json();
    assert!(!steps.is_empty(), "no step: {}", ran.stderr);
    steps.pop().expect("a step")["step"].take()
}

/// The text of the page of a step.
fn page_text(step: &Value) -> String {
    let lines = step["state"]["text"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let lines: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
    lines.join("\n")
}
