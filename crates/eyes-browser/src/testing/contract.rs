//! What every driver promises, checked on pages that a real browser loads and a scripted one plays.

use std::time::Duration;

use super::script::{Change, ElementScript, PageScript};
use crate::{
    driver::{
        Button, CaptureRequest, Command, DialogAnswer, DialogKind, DriverError, DriverErrorKind,
        History, Modifiers, Node, NodeTarget, Performed, Query, Scope, Settle, Settled, Snapshot,
        Spot, Tristate, TypeMode, TypedText,
    },
    ports::{BrowserDriver, PageDriver},
};

/// A page of the contract: what a server answers under `path`, and the same for a scripted browser.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// Under the base, without a slash at its front.
    pub path: &'static str,
    /// HTML.
    pub html: &'static str,
    /// The same page, scripted.
    pub script: PageScript,
}

const FORM: &str = r#"<!doctype html><html><head><meta charset="utf-8"><title>Form</title></head><body>
<p id="said">idle</p>
<button id="plain" onclick="said.textContent='clicked'">Plain</button>
<button id="off" disabled>Off</button>
<button id="covered" style="position:absolute;left:30px;top:310px;width:90px;height:30px">Covered</button>
<div id="cover" style="position:absolute;left:20px;top:300px;width:110px;height:50px;background:#888">Cookies</div>
<button id="ask" onclick="said.textContent='confirmed='+confirm('Really?')">Ask</button>
<label>Name <input id="name"></label>
<label>Password <input id="pass" type="password" value="opensesame"></label>
<label><input id="terms" type="checkbox">Terms</label>
<label>Plan <select id="plan"><option>Basic</option><option>Pro</option></select></label>
</body></html>"#;

const OTHER: &str = r#"<!doctype html><html><head><meta charset="utf-8"><title>Other</title></head><body>
<p>Another page</p><button id="only">Only</button></body></html>"#;

/// The pages of the contract; a test serves them, or gives them to a scripted browser, under one base.
pub fn fixtures() -> Vec<Fixture> {
    let say = |text: &str| vec![Change::Text(vec![text.to_owned()])];
    let mut off = ElementScript::button("off", "Off", Vec::new());
    off.flags.disabled = true;
    let mut covered = ElementScript::button("covered", "Covered", Vec::new());
    covered.covered_by = Some("div \"Cookies\"".to_owned());
    let mut pass = ElementScript::password("pass", "Password");
    pass.value = Some("opensesame".to_owned());
    let really = "Really?".to_owned();
    let ask = Change::Dialog(DialogKind::Confirm, really, say("confirmed=true"));
    let form = PageScript {
        title: "Form".to_owned(),
        elements: vec![
            ElementScript::button("plain", "Plain", say("clicked")),
            off,
            covered,
            ElementScript::button("ask", "Ask", vec![ask]),
            ElementScript::field("name", "Name"),
            pass,
            ElementScript::checkbox("terms", "Terms"),
            ElementScript::select("plan", "Plan", &["Basic", "Pro"]),
        ],
        text: vec!["idle".to_owned()],
        pictorial: 0.0,
    };
    let other = PageScript {
        title: "Other".to_owned(),
        elements: vec![ElementScript::button("only", "Only", Vec::new())],
        text: vec!["Another page".to_owned()],
        pictorial: 0.0,
    };
    vec![
        Fixture {
            path: "form.html",
            html: FORM,
            script: form,
        },
        Fixture {
            path: "other.html",
            html: OTHER,
            script: other,
        },
    ]
}

const ALL: Scope = Scope {
    max_elements: 100,
    max_text_chars: 2_000,
    within: None,
    region: None,
    find: None,
    whole_text: false,
};

const SETTLE: Settle = Settle {
    quiet: Duration::from_millis(50),
    first_sign: Duration::from_millis(600),
    cap: Duration::from_secs(5),
};

/// One driver while it is checked.
struct Subject {
    page: Box<dyn PageDriver>,
    base: String,
}

impl Subject {
    async fn look(&self) -> Snapshot {
        self.page
            .snapshot(&ALL)
            .await
            .expect("a page can be looked at")
    }

    async fn open(&self, path: &str) {
        let url = format!("{}{path}", self.base);
        self.act(Command::Navigate { url: url.clone() }).await;
        assert_eq!(
            self.look().await.page.url,
            url,
            "the page is the one that was opened"
        );
    }

    async fn act(&self, command: Command) -> (Performed, Settled) {
        let performed = self.page.perform(&command).await;
        let performed = performed.expect("the command is done");
        let settled = self.page.settle(&SETTLE).await.expect("a page settles");
        (performed, settled)
    }

    async fn refused(&self, command: Command) -> DriverErrorKind {
        let error: DriverError = self
            .page
            .perform(&command)
            .await
            .expect_err("it is refused");
        assert!(!error.began, "a refusal did nothing: {error}");
        error.kind
    }

    async fn node(&self, id: &str) -> Node {
        let query = Query::Css(format!("#{id}"));
        let mut found = self.page.find(&query).await.expect("a search answers");
        assert_eq!(found.len(), 1, "#{id} is one element");
        found.remove(0)
    }

    async fn target(&self, id: &str) -> NodeTarget {
        let node = self.node(id).await;
        NodeTarget {
            key: node.key,
            fingerprint: node.fingerprint,
        }
    }

    async fn click(&self, id: &str) -> Command {
        click(self.target(id).await)
    }

    async fn text(&self) -> String {
        self.look().await.text.join("\n")
    }
}

const fn click(target: NodeTarget) -> Command {
    Command::Click {
        at: Spot::Node(target),
        button: Button::Left,
        count: 1,
        modifiers: Modifiers {
            alt: false,
            control: false,
            meta: false,
            shift: false,
        },
    }
}

/// Checks what every driver promises; `base` ends with a slash, and serves the [`fixtures`] below it.
///
/// # Panics
/// With the promise that was broken.
pub async fn page_driver_contract(driver: &dyn BrowserDriver, base: &str) {
    let page = driver.open().await.expect("a browser is opened");
    let it = Subject {
        page,
        base: base.to_owned(),
    };
    assert!(it.page.is_alive() && !it.page.capabilities().browser.is_empty());
    it.open("form.html").await;
    sees(&it).await;
    searches(&it).await;
    clicks(&it).await;
    types(&it).await;
    answers(&it).await;
    keeps_documents_apart(&it).await;
    takes_pictures(&it).await;
    it.page.close().await.expect("a browser is closed");
    assert!(!it.page.is_alive(), "a closed browser is not alive");
}

async fn sees(it: &Subject) {
    let seen = it.look().await;
    assert_eq!((seen.page.title.as_str(), seen.tabs.len()), ("Form", 1));
    assert_eq!(
        seen.element_total as usize,
        seen.elements.len(),
        "all are listed"
    );
    let names: Vec<_> = seen
        .elements
        .iter()
        .map(|n| n.fingerprint.name.as_str())
        .collect();
    for name in [
        "Plain", "Off", "Covered", "Ask", "Name", "Password", "Terms", "Plan",
    ] {
        assert!(names.contains(&name), "{name} is among {names:?}");
    }
    let again = it.look().await;
    let keys = |seen: &Snapshot| seen.elements.iter().map(|n| n.key).collect::<Vec<_>>();
    assert_eq!(keys(&seen), keys(&again), "keys stay");
    let secret = seen
        .elements
        .iter()
        .find(|n| n.fingerprint.name == "Password");
    let secret = secret.expect("the password field is listed");
    assert!(
        secret.flags.secret && secret.value.is_none(),
        "a password is not told"
    );
    let few = Scope {
        max_elements: 2,
        ..ALL
    };
    let seen = it
        .page
        .snapshot(&few)
        .await
        .expect("a page can be looked at");
    assert!(
        seen.elements.len() == 2 && seen.element_total > 2,
        "the rest is counted"
    );
}

async fn searches(it: &Subject) {
    let find = async |query: Query| it.page.find(&query).await.expect("a search answers").len();
    let role = |name: Option<&str>, exact| Query::Role {
        role: "button".to_owned(),
        name: name.map(str::to_owned),
        exact,
    };
    assert_eq!(find(role(None, false)).await, 4);
    assert_eq!(
        find(role(Some("plain"), false)).await,
        1,
        "whatever the case"
    );
    assert_eq!(find(role(Some("Plai"), true)).await, 0, "exact is equal");
    assert_eq!(
        find(Query::Css("#nothing".to_owned())).await,
        0,
        "none is no error"
    );
    let text = Query::Text {
        text: "idle".to_owned(),
        exact: true,
    };
    assert_eq!(find(text).await, 1, "text that is no element of the state");
    let key = it.node("plain").await.key;
    assert_eq!(find(Query::Key(key)).await, 1);
    let bad = it.page.find(&Query::Css("[[".to_owned())).await;
    let kind = bad.expect_err("a selector that is none").kind;
    assert!(matches!(kind, DriverErrorKind::Selector(_)), "{kind:?}");
}

async fn clicks(it: &Subject) {
    let (_, settled) = it.act(it.click("plain").await).await;
    assert!(settled.any(), "a sign of the change is seen");
    assert!(it.text().await.contains("clicked"));
    let off = it.refused(it.click("off").await).await;
    assert_eq!(off, DriverErrorKind::Disabled);
    let covered = it.refused(it.click("covered").await).await;
    assert!(
        matches!(&covered, DriverErrorKind::Covered { by } if by.contains("Cookies")),
        "{covered:?}"
    );
    let mut other = it.target("plain").await;
    "Plan B".clone_into(&mut other.fingerprint.name);
    let changed = it.refused(click(other)).await;
    assert!(
        matches!(changed, DriverErrorKind::NodeChanged { .. }),
        "{changed:?}"
    );
}

async fn types(it: &Subject) {
    let typing = |target: NodeTarget, text: &str, mode| Command::Type {
        into: Some(Spot::Node(target)),
        text: TypedText::new(text, false),
        mode,
        submit: false,
    };
    let value = async || it.node("name").await.value;
    for (text, mode, whole) in [
        ("Ada", TypeMode::Fill, "Ada"),
        (" L", TypeMode::Append, "Ada L"),
        ("Bob", TypeMode::Keys, "Bob"),
        ("", TypeMode::Fill, ""),
    ] {
        let (performed, _) = it.act(typing(it.target("name").await, text, mode)).await;
        assert_ne!(performed.verified, Some(false), "{mode:?}");
        assert_eq!(value().await.as_deref(), Some(whole), "{mode:?}");
    }
    let checked = true;
    let target = it.target("terms").await;
    it.act(Command::Check { target, checked }).await;
    assert_eq!(it.node("terms").await.flags.checked, Some(Tristate::True));
    let choose = async |option: &str| Command::Select {
        target: it.target("plan").await,
        options: vec![option.to_owned()],
    };
    it.act(choose("Pro").await).await;
    assert_eq!(it.node("plan").await.value.as_deref(), Some("Pro"));
    let missing = it.refused(choose("Gold").await).await;
    assert!(
        matches!(missing, DriverErrorKind::OptionMissing(_)),
        "{missing:?}"
    );
}

async fn answers(it: &Subject) {
    let plain = it.click("plain").await;
    it.act(it.click("ask").await).await;
    let dialog = it
        .look()
        .await
        .dialog
        .expect("the dialog is part of the snapshot");
    assert_eq!(
        (dialog.kind, dialog.message.as_str()),
        (DialogKind::Confirm, "Really?")
    );
    let blocked = it.refused(plain).await;
    assert!(
        matches!(blocked, DriverErrorKind::DialogOpen(_)),
        "{blocked:?}"
    );
    let answer = || {
        Command::Dialog(DialogAnswer {
            accept: true,
            text: None,
        })
    };
    it.act(answer()).await;
    assert!(it.text().await.contains("confirmed=true"));
    let none = it.refused(answer()).await;
    assert!(matches!(none, DriverErrorKind::Missing(_)), "{none:?}");
}

async fn keeps_documents_apart(it: &Subject) {
    let (old, document) = (it.click("plain").await, it.look().await.page.document);
    it.open("other.html").await;
    assert_ne!(
        it.look().await.page.document,
        document,
        "another document has another id"
    );
    let gone = it.refused(old.clone()).await;
    assert_eq!(gone, DriverErrorKind::NodeGone);
    it.act(Command::History(History::Back)).await;
    assert_eq!(it.look().await.page.title, "Form");
    it.act(Command::History(History::Reload)).await;
    let gone = it.refused(old).await;
    assert_eq!(
        gone,
        DriverErrorKind::NodeGone,
        "a document that is loaded again is another"
    );
    it.act(Command::History(History::Forward)).await;
    assert_eq!(it.look().await.page.title, "Other");
    let end = it.refused(Command::History(History::Forward)).await;
    assert!(matches!(end, DriverErrorKind::Missing(_)), "{end:?}");
}

async fn takes_pictures(it: &Subject) {
    let viewport = it.look().await.page.viewport;
    let capture = it.page.capture(&CaptureRequest::default()).await;
    let capture = capture.expect("a picture is taken");
    let limits = eyes_evidence::image::ImageLimits::default();
    let image = eyes_evidence::image::admit(capture.png.as_slice(), &limits);
    let size = image.expect("the picture is one").identity().size;
    let wide = f64::from(viewport.width) * capture.scale;
    assert!(
        (f64::from(size.width) - wide).abs() < 1.0,
        "{size:?} at {}",
        capture.scale
    );
}
