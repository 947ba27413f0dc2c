//! What is seen of a page and done to it.

use super::*;
use crate::driver::{Key, KeyChord, ScrollSpec, Tristate};

#[tokio::test]
async fn refs_stay_with_their_elements() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("late").await;
    let save = named(&look, "Save").clone();
    bench.click_named("Later").await;
    let now = bench.look().await;
    assert_eq!(now.elements[0].fingerprint.name, "News");
    assert_eq!(named(&now, "Save").key, save.key);
    bench.click(&save).await.expect("it is there");
    assert_eq!(bench.log().await, "saved");

    let look = bench.go("rename").await;
    let stale = refusal(bench.click(&save).await);
    assert_eq!(stale, DriverErrorKind::NodeGone);
    let keep = named(&look, "Keep").clone();
    bench.click_named("Rename").await;
    let changed = refusal(bench.click(&keep).await);
    assert_eq!(
        changed,
        DriverErrorKind::NodeChanged {
            now: "button \"Remove\"".to_owned()
        }
    );
    bench.click_named("Drop it").await;
    assert_eq!(refusal(bench.click(&keep).await), DriverErrorKind::NodeGone);
    assert_eq!(bench.log().await, "");
    bench.close().await;
}

#[tokio::test]
async fn shadow_roots_and_frames_are_part_of_the_page() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    bench.go("open-root").await;
    assert_eq!(bench.click_named("Outer").await, "outer");
    assert_eq!(bench.click_named("Inner").await, "outer inner");
    assert!(bench.look().await.text.contains(&"Inner words".to_owned()));

    bench.go("closed-root").await;
    assert_eq!(bench.click_named("Vault").await, "vault");
    assert_eq!(bench.click_named("Plain vault").await, "vault plain");

    let look = bench.go("frame").await;
    assert!(
        look.text.contains(&"framed words".to_owned()),
        "{:?}",
        look.text
    );
    assert!(look.unknown.is_empty());
    assert_eq!(bench.click_named("Inside").await, "inside");
    let found = bench
        .page
        .find(&Query::Css("button".to_owned()))
        .await
        .expect("they are found");
    assert_eq!(found.len(), 2);

    let look = bench.go("near-frame").await;
    let framed = named(&look, "Framed").clone();
    let frame = framed.frame.clone().unwrap_or_default();
    assert!(frame.starts_with("http://localhost:"), "{frame:?}");
    assert_eq!(bench.click_named("Framed").await, "framed");
    let word = named(&look, "Word");
    let typed = bench
        .perform(typing(word, "abc", TypeMode::Fill, false))
        .await
        .expect("it is typed");
    assert_eq!(typed.verified, Some(true));
    bench.settle().await;
    assert_eq!(bench.log().await, "framed abc");

    bench.go("far-frame").await;
    let below = bench.look().await;
    assert!(!named(&below, "Framed").in_viewport);
    assert_eq!(bench.click_named("Framed").await, "framed");
    bench.close().await;
}

#[tokio::test]
async fn what_lies_over_an_element_is_named() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("cover").await;
    let under = named(&look, "Under");
    assert_eq!(under.covered_by.as_deref(), Some("div#lid \"Cookies?\""));
    let covered = refusal(bench.click(under).await);
    assert_eq!(
        covered,
        DriverErrorKind::Covered {
            by: "div#lid \"Cookies?\"".to_owned()
        }
    );
    assert_eq!(bench.log().await, "");
    bench.close().await;
}

#[tokio::test]
async fn custom_controls_are_controls() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("custom").await;
    for (name, role) in [
        ("Card", "generic"),
        ("Fancy", "checkbox"),
        ("Tiny", "checkbox"),
        ("Wifi", "switch"),
        ("Choice", "option"),
        ("Second tab", "tab"),
        ("Notes", "textbox"),
    ] {
        let node = named(&look, name);
        assert_eq!(
            (node.fingerprint.role.as_str(), &node.covered_by),
            (role, &None),
            "{name}"
        );
    }
    assert_eq!(bench.click_named("Card").await, "card");
    for name in ["Fancy", "Tiny", "Wifi"] {
        let target = target(named(&look, name));
        let done = bench
            .perform(Command::Check {
                target,
                checked: true,
            })
            .await
            .expect("it is checked");
        assert_eq!(done.verified, Some(true), "{name}");
    }
    bench.click_named("Choice").await;
    assert_eq!(bench.log().await, "card fancy true tiny true switch option");
    let notes = named(&look, "Notes");
    bench
        .perform(typing(notes, "new words", TypeMode::Fill, false))
        .await
        .expect("it is typed");
    let now = bench.look().await;
    assert_eq!(named(&now, "Notes").value.as_deref(), Some("new words"));
    assert_eq!(named(&now, "Wifi").flags.checked, Some(Tristate::True));
    bench.close().await;
}

#[tokio::test]
async fn text_comes_with_the_events_of_a_keyboard() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("keys").await;
    let search = named(&look, "Search").clone();
    for (mode, text, value, logged) in [
        (TypeMode::Keys, "ab", "ab", "d:a i:a d:b i:ab"),
        (TypeMode::Append, "C", "abC", "d:C i:abC"),
        (TypeMode::Fill, "xyz", "xyz", "i:xyz"),
        (TypeMode::Fill, "", "", "d:Backspace i:"),
        (
            TypeMode::Keys,
            "ü文!",
            "ü文!",
            "d:ü i:ü d:文 i:ü文 d:! i:ü文!",
        ),
    ] {
        let before = bench.log().await;
        let done = bench
            .perform(typing(&search, text, mode, false))
            .await
            .expect("it is typed");
        assert_eq!(done.verified, Some(true), "{text:?}");
        assert_eq!(bench.log().await[before.len()..].trim(), logged, "{text:?}");
        assert_eq!(
            named(&bench.look().await, "Search").value.as_deref(),
            Some(value)
        );
    }
    bench.close().await;
}

fn press(on: Option<&Node>, key: Key, control: bool) -> Command {
    let modifiers = Modifiers {
        control,
        ..Modifiers::default()
    };
    Command::Press {
        on: on.map(target),
        chord: KeyChord { key, modifiers },
    }
}

#[tokio::test]
async fn keys_go_to_an_element_or_to_what_has_the_focus() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("keys").await;
    let search = named(&look, "Search");
    bench
        .perform(press(Some(search), Key::Character('a'), true))
        .await
        .expect("it is pressed");
    bench
        .perform(press(None, Key::Named("Delete"), false))
        .await
        .expect("it is pressed");
    assert_eq!(
        named(&bench.look().await, "Search").value.as_deref(),
        Some("")
    );
    bench
        .perform(Command::KeyDown(Key::Named("Shift")))
        .await
        .expect("it goes down");
    bench
        .perform(press(None, Key::Character('q'), false))
        .await
        .expect("it is pressed");
    bench
        .perform(Command::KeyUp(Key::Named("Shift")))
        .await
        .expect("it goes up");
    bench
        .perform(press(None, Key::Character('q'), false))
        .await
        .expect("it is pressed");
    assert_eq!(
        named(&bench.look().await, "Search").value.as_deref(),
        Some("Qq")
    );
    let form = Command::Type {
        into: Some(spot(named(&look, "Form"))),
        text: TypedText::new("q", false),
        mode: TypeMode::Fill,
        submit: true,
    };
    bench.perform(form).await.expect("it is typed");
    bench.settle().await;
    assert!(bench.log().await.ends_with("submitted"));
    bench.close().await;
}

#[tokio::test]
async fn a_page_that_leaves_by_a_timer_is_followed() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    for wait in [0, 10, 250, 300, 320, 350, 390] {
        let look = bench.go(&format!("timer?wait={wait}")).await;
        bench
            .click(named(&look, "Leave"))
            .await
            .expect("it is clicked");
        let settled = bench.settle().await;
        let now = bench.look().await;
        assert!(settled.navigated, "{wait}: {settled:?}");
        assert_eq!(now.page.title, "arrived", "{wait}");
        assert_ne!(now.page.document, look.page.document);
        named(&now, "Here");
    }
    bench.close().await;
}

#[tokio::test]
async fn hovering_and_dragging_are_as_by_hand() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    bench.go("hover").await;
    let found = bench
        .page
        .find(&Query::Text {
            text: "Hover here".to_owned(),
            exact: false,
        })
        .await
        .expect("it is found");
    bench
        .perform(Command::Hover(spot(&found[0])))
        .await
        .expect("it is hovered");
    bench.settle().await;
    assert_eq!(bench.click_named("Item").await, "item");

    for (page, from, to, logged) in [
        ("drag", "Thing", "Box", "start dropped load"),
        ("slide", "Knob", "Goal", "released on goal"),
    ] {
        bench.go(page).await;
        let mut ends = Vec::new();
        for text in [from, to] {
            let query = Query::Text {
                text: text.to_owned(),
                exact: true,
            };
            ends.push(
                bench
                    .page
                    .find(&query)
                    .await
                    .expect("it is found")
                    .remove(0),
            );
        }
        bench
            .perform(Command::Drag {
                from: spot(&ends[0]),
                to: spot(&ends[1]),
            })
            .await
            .expect("it is dragged");
        assert_eq!(bench.log().await, logged);
    }
    bench.close().await;
}

#[tokio::test]
async fn selects_take_options_that_there_are() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("select").await;
    let size = named(&look, "Size");
    assert_eq!(
        (size.value.as_deref(), size.options.len()),
        (Some("Small"), 3)
    );
    let choose = |node: &Node, options: &[&str]| Command::Select {
        target: target(node),
        options: options.iter().map(|&option| option.to_owned()).collect(),
    };
    let done = bench
        .perform(choose(size, &["Large"]))
        .await
        .expect("it is there");
    assert_eq!(
        (done.verified, done.selected),
        (Some(true), vec!["Large".to_owned()])
    );
    for option in ["Medium", "Huge"] {
        let missing = refusal(bench.perform(choose(size, &[option])).await);
        assert!(
            matches!(missing, DriverErrorKind::OptionMissing(_)),
            "{missing:?}"
        );
    }
    let done = bench
        .perform(choose(named(&look, "Many"), &["One", "Three"]))
        .await
        .expect("they are there");
    assert_eq!(done.selected, ["One", "Three"]);
    assert_eq!(bench.log().await, "l");
    let wrong = refusal(
        bench
            .perform(Command::Check {
                target: target(size),
                checked: true,
            })
            .await,
    );
    assert!(
        matches!(wrong, DriverErrorKind::WrongElement(_)),
        "{wrong:?}"
    );
    bench.close().await;
}

#[tokio::test]
async fn states_and_visibility_are_told() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("states").await;
    assert!(named(&look, "Off").flags.disabled && named(&look, "Inert").flags.disabled);
    assert_eq!(named(&look, "Bold").flags.pressed, Some(Tristate::True));
    assert_eq!(named(&look, "More").flags.expanded, Some(false));
    assert_eq!(named(&look, "R1").flags.checked, Some(Tristate::True));
    assert!(named(&look, "Fixed").flags.readonly && named(&look, "Needed").flags.required);
    for hidden in ["Deep", "Ghost", "Clear", "None"] {
        assert!(
            !look
                .elements
                .iter()
                .any(|node| node.fingerprint.name == hidden),
            "{hidden}"
        );
    }
    bench.close().await;
}

#[tokio::test]
async fn what_cannot_be_done_is_refused() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("states").await;
    assert_eq!(
        refusal(bench.click(named(&look, "Off")).await),
        DriverErrorKind::Disabled
    );
    let fixed = refusal(
        bench
            .perform(typing(named(&look, "Fixed"), "x", TypeMode::Fill, false))
            .await,
    );
    assert!(
        matches!(fixed, DriverErrorKind::WrongElement(_)),
        "{fixed:?}"
    );
    let radio = refusal(
        bench
            .perform(Command::Check {
                target: target(named(&look, "R1")),
                checked: false,
            })
            .await,
    );
    assert!(
        matches!(radio, DriverErrorKind::WrongElement(_)),
        "{radio:?}"
    );
    assert!(!named(&look, "Clipped").in_viewport);
    assert_eq!(bench.click_named("Clipped").await, "clipped");
    let found = bench
        .page
        .find(&Query::Css("button[style]".to_owned()))
        .await
        .expect("it is found");
    assert!(!found[0].visible);
    assert_eq!(
        refusal(bench.click(&found[0]).await),
        DriverErrorKind::NotVisible
    );
    let error = bench
        .page
        .find(&Query::Css("a[".to_owned()))
        .await
        .expect_err("no selector");
    assert!(
        matches!(error.kind, DriverErrorKind::Selector(_)),
        "{error}"
    );
    bench.close().await;
}

#[tokio::test]
async fn names_follow_the_algorithm() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("names").await;
    let names: Vec<&str> = look
        .elements
        .iter()
        .map(|node| node.fingerprint.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "Bill ing",
            "Home page",
            "Gear",
            "Your name",
            "Tip",
            "Field",
            "Close",
            "Wrapped km",
            "Submit",
            "Pick",
            "Boldly",
            "Volume",
            "Titled"
        ]
    );
    let query = Query::Role {
        role: "button".to_owned(),
        name: Some("bold".to_owned()),
        exact: false,
    };
    assert_eq!(bench.page.find(&query).await.expect("it is found").len(), 1);
    bench.close().await;
}

#[tokio::test]
async fn a_look_is_of_what_is_asked_for() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("words").await;
    assert_eq!(
        look.text,
        ["Title", "First bold line", "one", "two", "Press now"]
    );
    assert_eq!((look.element_total, look.in_viewport_total), (2, 1));
    let whole = bench
        .page
        .snapshot(&Scope {
            whole_text: true,
            ..scope()
        })
        .await
        .expect("a look");
    assert_eq!(whole.text.last().map(String::as_str), Some("Far below"));
    let found = bench
        .page
        .snapshot(&Scope {
            find: Some("bott".to_owned()),
            whole_text: true,
            ..scope()
        })
        .await
        .expect("a look");
    assert_eq!((found.elements.len(), found.text.len()), (1, 0));
    let ok = named(&look, "OK").clone();
    let within = bench
        .page
        .snapshot(&Scope {
            within: Some(ok.key),
            ..scope()
        })
        .await
        .expect("a look");
    assert_eq!(within.element_total, 1);
    let region = bench
        .page
        .snapshot(&Scope {
            region: Some(ok.bounds),
            ..scope()
        })
        .await
        .expect("a look");
    assert_eq!(region.elements.len(), 1);

    bench.close().await;
}

#[tokio::test]
async fn what_is_far_below_is_reached() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("words").await;
    let bottom = target(named(&look, "Bottom"));
    bench
        .perform(Command::Scroll(ScrollSpec::To(bottom)))
        .await
        .expect("it is scrolled");
    assert!(named(&bench.look().await, "Bottom").in_viewport);
    bench
        .perform(Command::Scroll(ScrollSpec::By {
            over: None,
            dx: 0.0,
            dy: -500.0,
        }))
        .await
        .expect("it is scrolled");
    bench.settle().await;
    assert!(!named(&bench.look().await, "Bottom").in_viewport);

    let long = bench.go("long").await;
    assert_eq!(long.element_total, 1);
    assert!(long.text.len() < 100 && long.text[0] == "Line 0 of the text");
    assert_eq!(bench.click_named("Bottom").await, "bottom");
    bench.close().await;
}

#[tokio::test]
async fn a_panel_that_slides_in_is_looked_at_where_it_ends() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("fade").await;
    assert_eq!(look.element_total, 1);
    bench
        .click(named(&look, "Open"))
        .await
        .expect("it is clicked");
    let settled = bench.settle().await;
    assert!(settled.mutated && !settled.capped, "{settled:?}");
    let now = bench.look().await;
    assert!(named(&now, "Faded").bounds.x < 50.0, "{now:?}");
    assert_eq!(bench.click_named("Faded").await, "faded");
    bench.close().await;
}
