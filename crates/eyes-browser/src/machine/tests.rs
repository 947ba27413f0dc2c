//! No action that is grounded in an older state ever reaches the driver.

use std::{cell::RefCell, sync::Arc};

use eyes_evidence::{
    code::ErrorCode,
    state::{RunId, StateId},
    testing::{CountingRandom, FixedClock},
};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use crate::{
    driver::{Command, Spot},
    session::{Session, SessionParts, StepResult},
    testing::{Change, ElementScript, PageScript, ScriptedBrowser},
};

const HOME: &str = "https://a.test/";

/// What happens in one run.
#[derive(Debug, Clone)]
enum Happening {
    /// The caller looks.
    Look,
    /// The caller acts on the state that it was told so many answers ago.
    Act {
        age: usize,
        what: u8,
        element: usize,
    },
    /// Two calls on one state at once.
    Twice { age: usize },
    /// The page changes by itself.
    Page(u8, usize),
    /// The browser dies.
    Kill,
}

#[derive(Debug)]
struct Happenings;

impl ReferenceStateMachine for Happenings {
    type State = ();
    type Transition = Happening;

    fn init_state() -> BoxedStrategy<()> {
        Just(()).boxed()
    }

    fn transitions((): &()) -> BoxedStrategy<Happening> {
        prop_oneof![
            2 => Just(Happening::Look),
            8 => (0..3_usize, 0..5_u8, 0..6_usize)
                .prop_map(|(age, what, element)| Happening::Act { age, what, element }),
            3 => (0..2_usize).prop_map(|age| Happening::Twice { age }),
            4 => (0..6_u8, 0..4_usize).prop_map(|(kind, element)| Happening::Page(kind, element)),
            1 => Just(Happening::Kill),
        ]
        .boxed()
    }

    fn apply((): (), _: &Happening) {}
}

/// A state, and the refs and names of its elements.
type Told = (StateId, Vec<(String, String)>);

/// A session, and every state that its caller was told, with the names of its elements.
struct Run {
    runtime: Runtime,
    browser: ScriptedBrowser,
    session: Session,
    told: RefCell<Vec<Told>>,
}

impl Run {
    fn new() -> Self {
        let elements = (0..4).map(|n| {
            let say = Change::Text(vec![format!("clicked {n}")]);
            ElementScript::button(&format!("b{n}"), &format!("Button {n}"), vec![say])
        });
        let page = PageScript {
            elements: elements.collect(),
            ..PageScript::default()
        };
        let browser = ScriptedBrowser::new([(HOME, page)]);
        let parts = SessionParts::new(
            RunId::new("run").unwrap(),
            Arc::new(browser.clone()),
            Arc::new(FixedClock),
            Arc::new(CountingRandom::default()),
        );
        let mut runtime = Builder::new_current_thread();
        let run = Self {
            runtime: runtime.enable_time().start_paused(true).build().unwrap(),
            browser,
            session: Session::new(parts),
            told: RefCell::default(),
        };
        run.call(&json!({"action": "open", "url": HOME}));
        run
    }

    fn note(&self, result: &StepResult) {
        if let Some(state) = &result.state {
            let elements = state.page.elements.iter();
            let names = elements.map(|e| (e.reference.to_string(), e.name.clone()));
            self.told
                .borrow_mut()
                .push((state.state_id, names.collect()));
        }
    }

    fn call(&self, call: &Value) -> StepResult {
        let cancel = CancellationToken::new();
        let result = self.runtime.block_on(self.session.run_json(call, &cancel));
        self.note(&result);
        result
    }

    /// The state that was told so many answers ago, and the ref and name of one of its elements.
    fn held(&self, age: usize, element: usize) -> Option<(StateId, String, String)> {
        let told = self.told.borrow();
        let (id, names) = told.iter().rev().nth(age)?;
        let (reference, name) = names.get(element % names.len().max(1))?;
        Some((*id, reference.clone(), name.clone()))
    }

    fn act(&self, age: usize, what: u8, element: usize) {
        let Some((id, reference, name)) = self.held(age, element) else {
            return;
        };
        let (commands, hits) = (self.browser.commands().len(), self.browser.hits().len());
        let call = match what {
            0 | 1 => json!({"action": "click", "ref": reference}),
            2 => json!({"action": "type", "ref": reference, "value": "x"}),
            3 => json!({"action": "reload"}),
            _ => json!({"action": "click", "role": "button", "name": name, "exact": true}),
        };
        let mut call = call;
        call["stateId"] = json!(id);
        let result = self.call(&call);
        let reached = self.browser.commands().len() - commands;
        assert!(reached <= 1);
        if age > 0 {
            assert_eq!(reached, 0, "an older state reached the driver");
            assert_eq!(
                result.code().map(ErrorCode::as_str),
                Some("STALE_BROWSER_STATE")
            );
        }
        // What was hit is what the caller saw under that name.
        if let Some(hit) = self.browser.hits().get(hits) {
            assert_eq!(self.browser.name_of(hit).as_deref(), Some(name.as_str()));
        }
        if let Some(Command::Click {
            at: Spot::Node(node),
            ..
        }) = self.browser.commands().get(commands)
        {
            assert_eq!(node.fingerprint.name, name);
        }
    }

    fn twice(&self, age: usize) {
        let Some((id, reference, _)) = self.held(age, 0) else {
            return;
        };
        let before = self.browser.commands().len();
        let call = json!({"action": "click", "ref": reference, "stateId": id});
        let cancel = CancellationToken::new();
        let (one, two) = self.runtime.block_on(async {
            tokio::join!(
                self.session.run_json(&call, &cancel),
                self.session.run_json(&call, &cancel)
            )
        });
        self.note(&one);
        self.note(&two);
        let reached = self.browser.commands().len() - before;
        assert!(
            reached <= usize::from(age == 0),
            "{reached} of two calls ran"
        );
        let stale = |result: &StepResult| {
            result
                .code()
                .is_some_and(|c| c.as_str() == "STALE_BROWSER_STATE")
        };
        assert!(stale(&one) || stale(&two));
    }

    fn page(&self, kind: u8, element: usize) {
        let id = format!("b{element}");
        if self.browser.name_of(&id).is_none() {
            return;
        }
        self.browser.apply(match kind {
            0 => Change::Reload,
            1 => Change::Remove(id),
            2 => Change::Rename(id, format!("Other {}", self.told.borrow().len())),
            3 => {
                let late = ElementScript::button("late", "Late", Vec::new());
                Change::Insert(0, Box::new(late))
            }
            4 => Change::Cover(id, Some("div \"Cookies\"".to_owned())),
            _ => Change::Goto(HOME.to_owned()),
        });
    }
}

struct Held;

impl StateMachineTest for Held {
    type SystemUnderTest = Run;
    type Reference = Happenings;

    fn init_test((): &()) -> Run {
        Run::new()
    }

    fn apply(run: Run, (): &(), happening: Happening) -> Run {
        match happening {
            Happening::Look => {
                run.call(&json!({"action": "observe"}));
            }
            Happening::Act { age, what, element } => run.act(age, what, element),
            Happening::Twice { age } => run.twice(age),
            Happening::Page(kind, element) => run.page(kind, element),
            Happening::Kill => run.browser.kill(),
        }
        run
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_action_on_an_older_state_reaches_the_driver(sequential 1..24 => Held);
}
