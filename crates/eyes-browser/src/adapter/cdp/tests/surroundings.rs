//! What happens around a page: dialogs, tabs, files, the console, secrets, addresses.

use eyes_evidence::{
    digest::Sha256Digest,
    geometry::PixelRect,
    image::{ImageLimits, admit},
};

use super::*;
use crate::{
    driver::{
        Bounds, CaptureRequest, ConsoleLevel, DialogAnswer, DialogKind, DownloadState, History,
    },
    policy::{DownloadPolicy, UrlPolicy},
};

fn answer(accept: bool, text: Option<&str>) -> Command {
    let text = text.map(|text| TypedText::new(text, false));
    Command::Dialog(DialogAnswer { accept, text })
}

#[tokio::test]
async fn dialogs_wait_for_an_answer() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("dialogs").await;
    for (name, kind, accept, text, logged) in [
        ("Confirm", DialogKind::Confirm, true, None, "confirm true"),
        ("Confirm", DialogKind::Confirm, false, None, "confirm false"),
        (
            "Prompt",
            DialogKind::Prompt,
            true,
            Some("you"),
            "prompt you",
        ),
        ("Prompt", DialogKind::Prompt, true, None, "prompt me"),
        ("Alert", DialogKind::Alert, true, None, "alerted"),
    ] {
        bench
            .click(named(&look, name))
            .await
            .expect("it is clicked");
        assert!(bench.settle().await.surroundings);
        let now = bench.look().await;
        let dialog = now.dialog.expect("a dialog");
        assert_eq!((dialog.kind, now.elements.len()), (kind, 0), "{dialog:?}");
        let blocked = refusal(bench.click(named(&look, "Alert")).await);
        assert!(
            matches!(blocked, DriverErrorKind::DialogOpen(_)),
            "{blocked:?}"
        );
        let done = bench
            .perform(answer(accept, text))
            .await
            .expect("it is answered");
        assert_eq!(done.verified, Some(true));
        bench.settle().await;
        assert!(bench.log().await.ends_with(logged), "{logged}");
    }
    let none = refusal(bench.perform(answer(true, None)).await);
    assert!(matches!(none, DriverErrorKind::Missing(_)), "{none:?}");
    bench.close().await;
}

#[tokio::test]
async fn tabs_are_reported_and_followed_only_when_told() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("popup").await;
    let first = look.page.tab;
    bench
        .click(named(&look, "Pop"))
        .await
        .expect("it is clicked");
    assert!(bench.settle().await.surroundings);
    let now = bench.look().await;
    assert_eq!((now.page.tab, now.tabs.len()), (first, 2));
    let popup = now.tabs[1].clone();
    bench
        .perform(Command::SwitchTab(popup.id))
        .await
        .expect("it is there");
    bench.settle().await;
    assert_eq!(bench.click_named("Inner pop").await, "popped");
    let inner = bench.look().await;
    assert!(inner.page.url.ends_with("/popped") && inner.page.tab == popup.id);
    bench
        .perform(Command::CloseTab(popup.id))
        .await
        .expect("it closes");
    let back = bench.look().await;
    assert_eq!((back.page.tab, back.tabs.len()), (first, 1));
    let last = refusal(bench.perform(Command::CloseTab(first)).await);
    assert!(matches!(last, DriverErrorKind::Missing(_)), "{last:?}");

    // One that closes itself gives the page back to the tab that opened it.
    bench.click_named("Open").await;
    let opened = bench.look().await.tabs[1].clone();
    assert_eq!(opened.opener, Some(first));
    bench
        .perform(Command::SwitchTab(opened.id))
        .await
        .expect("it is there");
    bench.settle().await;
    let look = bench.look().await;
    bench
        .click(named(&look, "Close me"))
        .await
        .expect("it is clicked");
    bench.settle().await;
    assert_eq!(bench.look().await.page.tab, first);
    bench.close().await;
}

async fn ended(bench: &Bench, id: usize) -> DownloadState {
    let poll = async {
        loop {
            let downloads = bench.look().await.downloads;
            match downloads.get(id) {
                Some(download) if download.state != DownloadState::Running => {
                    return download.state.clone();
                }
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    };
    tokio::time::timeout(PATIENCE, poll).await.expect("it ends")
}

#[tokio::test]
async fn downloads_are_kept_privately_under_safe_names() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("download").await;
    bench
        .click(named(&look, "Fetch"))
        .await
        .expect("it is clicked");
    assert!(bench.settle().await.surroundings);
    let DownloadState::Done { path, sha256 } = ended(&bench, 0).await else {
        panic!("it is done")
    };
    assert_eq!(sha256, Sha256Digest::of(&[7; 4096]));
    assert_eq!(std::fs::read(&path).expect("a file"), [7; 4096]);
    assert!(path.ends_with("data.bin"));
    // The same name again is another file.
    bench
        .click(named(&look, "Fetch"))
        .await
        .expect("it is clicked");
    let DownloadState::Done { path, .. } = ended(&bench, 1).await else {
        panic!("it is done")
    };
    assert!(path.ends_with("data (2).bin"), "{path:?}");
    let url = bench.server.url("data.bin");
    bench
        .perform(Command::Navigate { url })
        .await
        .expect("an address of a file is no error");
    let DownloadState::Done { .. } = ended(&bench, 2).await else {
        panic!("it is done")
    };
    bench
        .click(named(&look, "Evil"))
        .await
        .expect("it is clicked");
    let DownloadState::Done { path, .. } = ended(&bench, 3).await else {
        panic!("it is done")
    };
    assert!(
        path.starts_with(bench.folder.path()) && path.extension().is_some_and(|it| it == "exe"),
        "{path:?}"
    );
    bench.close().await;
}

#[tokio::test]
async fn downloads_that_the_policy_forbids_are_stopped() {
    let small = DownloadPolicy {
        max_bytes: 1_000,
        extensions: ["bin".to_owned()].into(),
    };
    let Some(bench) = Bench::with(|config| config.files = small).await else {
        return;
    };
    let look = bench.go("download").await;
    for (id, name) in ["Fetch", "Evil"].into_iter().enumerate() {
        bench
            .click(named(&look, name))
            .await
            .expect("it is clicked");
        let state = ended(&bench, id).await;
        assert!(matches!(state, DownloadState::Stopped { .. }), "{state:?}");
    }
    bench.close().await;
}

#[tokio::test]
async fn files_go_to_inputs_and_choosers() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let file = bench.folder.path().join("note.txt");
    std::fs::write(&file, "12345").expect("a file");
    let look = bench.go("upload").await;
    let attach = named(&look, "Attach").clone();
    let done = bench
        .perform(Command::Upload {
            target: Some(target(&attach)),
            files: vec![file.clone()],
        })
        .await
        .expect("it is taken");
    assert_eq!(done.verified, Some(true));
    bench.click(&attach).await.expect("it is clicked");
    bench.settle().await;
    assert!(bench.look().await.chooser.expect("a chooser").multiple);
    bench
        .perform(Command::Upload {
            target: None,
            files: vec![file.clone(), file.clone()],
        })
        .await
        .expect("it is taken");
    bench.settle().await;
    assert_eq!(bench.log().await, "note.txt:5 note.txt:5,note.txt:5");
    assert_eq!(bench.look().await.chooser, None);
    let none = refusal(
        bench
            .perform(Command::Upload {
                target: None,
                files: vec![file.clone()],
            })
            .await,
    );
    assert!(matches!(none, DriverErrorKind::Missing(_)), "{none:?}");
    std::fs::remove_file(file).expect("it is there");
    bench.close().await;
}

#[tokio::test]
async fn secrets_stay_secret() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("password").await;
    for (name, secret) in [("Password", false), ("Card", true)] {
        let done = bench
            .perform(typing(
                named(&look, name),
                "hunter22",
                TypeMode::Fill,
                secret,
            ))
            .await
            .expect("it is typed");
        assert_eq!(done.verified, Some(true));
    }
    bench.look().await;
    // Also when the page shows them.
    bench.click_named("Show").await;
    let now = bench.look().await;
    assert!(!format!("{now:?}").contains("hunter22"));
    let card = named(&now, "Card");
    assert!(card.flags.secret && card.value.is_none() && card.value_chars == Some(8));
    let picture = bench
        .page
        .capture(&CaptureRequest::default())
        .await
        .expect("a picture");
    assert_eq!(picture.secrets.len(), 2);
    assert!(
        picture
            .secrets
            .iter()
            .any(|secret| (secret.x - card.bounds.x).abs() < 1.0),
        "{:?}",
        picture.secrets
    );
    let found = bench
        .page
        .find(&Query::Css("input".to_owned()))
        .await
        .expect("they are found");
    assert!(!format!("{found:?}").contains("hunter22"));
    bench.close().await;
}

#[tokio::test]
async fn pictures_are_of_the_viewport_or_a_part_of_it() {
    let Some(bench) = Bench::with(|config| config.scale = 2.0).await else {
        return;
    };
    bench.go("words").await;
    bench
        .perform(Command::Scroll(crate::driver::ScrollSpec::By {
            over: None,
            dx: 0.0,
            dy: 100.0,
        }))
        .await
        .expect("it scrolls");
    bench.settle().await;
    let whole = bench
        .page
        .capture(&CaptureRequest::default())
        .await
        .expect("a picture");
    assert_eq!(whole.scale, 2.0);
    let look = bench.look().await;
    assert_eq!(look.page.scroll.y, 100);
    let ok = named(&look, "OK").bounds;
    let part = bench
        .page
        .capture(&CaptureRequest { region: Some(ok) })
        .await
        .expect("a picture");
    assert_eq!(
        (part.origin.x, part.origin.y, part.scale),
        (ok.x.floor(), ok.y.floor(), 2.0)
    );
    let raster = |png: Vec<u8>| {
        let admitted = admit(png, &ImageLimits::default()).expect("a picture");
        admitted.into_raster()
    };
    let (whole, part) = (raster(whole.png), raster(part.png));
    let cut = PixelRect {
        x: ok.x.floor() as u32 * 2,
        y: ok.y.floor() as u32 * 2,
        width: part.size().width,
        height: part.size().height,
    };
    assert_eq!(
        whole.crop(cut).expect("it is within").pixels(),
        part.pixels()
    );
    bench.close().await;
}

#[tokio::test]
async fn a_page_is_printed_and_nothing_is_drawn_of_what_is_outside() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    bench.go("words").await;
    let outside = Bounds {
        x: 5_000.0,
        y: 0.0,
        width: 10.0,
        height: 10.0,
    };
    bench
        .page
        .capture(&CaptureRequest {
            region: Some(outside),
        })
        .await
        .expect_err("nothing is there");
    let pdf = bench.perform(Command::Pdf).await.expect("it is printed");
    assert!(pdf.bytes.expect("bytes").starts_with(b"%PDF"));
    bench.close().await;
}

#[tokio::test]
async fn the_console_and_the_network_are_told_once() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("console").await;
    bench
        .click(named(&look, "Break"))
        .await
        .expect("it is clicked");
    let settled = bench.settle().await;
    assert_eq!(settled.requests, 1);
    let said = bench.look().await.diagnostics;
    let levels: Vec<_> = said
        .console
        .iter()
        .map(|entry| (entry.level, entry.text.lines().next().unwrap_or_default()))
        .collect();
    assert_eq!(
        levels,
        [
            (ConsoleLevel::Error, "broken 7"),
            (ConsoleLevel::Warning, "careful"),
            (ConsoleLevel::Exception, "Error: oops")
        ]
    );
    assert_eq!(
        (said.failed_total, said.requests[0].failure.as_str()),
        (1, "404")
    );
    assert_eq!(
        bench.look().await.diagnostics,
        crate::driver::Diagnostics::default()
    );
    bench.close().await;
}

#[tokio::test]
async fn addresses_follow_the_policy_through_redirects_and_frames() {
    let urls = Arc::new(UrlPolicy {
        deny: vec!["localhost".parse().expect("a rule")],
        ..UrlPolicy::default()
    });
    let Some(bench) = Bench::with(|config| config.urls = urls).await else {
        return;
    };
    let look = bench.go("redirect").await;
    bench
        .click(named(&look, "Hop"))
        .await
        .expect("it is clicked");
    bench.settle().await;
    assert!(!format!("{:?}", bench.look().await).contains("You are here"));
    for address in [
        "file:///etc/passwd".to_owned(),
        "chrome://version".to_owned(),
        bench.server.url("hop"),
    ] {
        let error = bench
            .perform(Command::Navigate {
                url: address.clone(),
            })
            .await
            .expect_err("it is forbidden");
        assert!(
            matches!(error.kind, DriverErrorKind::Blocked(_)),
            "{address}: {error:?}"
        );
    }
    let error = bench
        .perform(Command::Navigate {
            url: "http://127.0.0.1:9/".to_owned(),
        })
        .await
        .expect_err("nobody listens");
    assert!(
        matches!(error.kind, DriverErrorKind::Navigation(_)),
        "{error:?}"
    );
    // What failed does not stand in the way of the next.
    assert_eq!(bench.go("arrived").await.page.title, "arrived");
    bench.close().await;
}

#[tokio::test]
async fn the_history_leads_back_and_forth() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    bench.go("arrived").await;
    let second = bench.go("words").await;
    for (step, title) in [
        (History::Back, "arrived"),
        (History::Forward, "words"),
        (History::Reload, "words"),
    ] {
        let done = bench
            .perform(Command::History(step))
            .await
            .expect("it moves");
        assert_eq!(done.verified, Some(true));
        bench.settle().await;
        let now = bench.look().await;
        assert_eq!(now.page.title, title);
        assert_ne!(now.page.document, second.page.document);
    }
    let none = refusal(bench.perform(Command::History(History::Forward)).await);
    assert!(matches!(none, DriverErrorKind::Missing(_)), "{none:?}");
    bench.close().await;
}

#[tokio::test]
async fn a_page_that_asks_before_it_is_left_is_asked() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let look = bench.go("leave").await;
    bench
        .perform(typing(named(&look, "Edit"), "x", TypeMode::Keys, false))
        .await
        .expect("it is typed");
    bench
        .perform(Command::Navigate {
            url: bench.server.url("arrived"),
        })
        .await
        .expect("it asks");
    let dialog = bench.look().await.dialog.expect("a dialog");
    assert_eq!(dialog.kind, DialogKind::Beforeunload);
    bench
        .perform(answer(true, None))
        .await
        .expect("it is answered");
    bench.settle().await;
    assert_eq!(bench.look().await.page.title, "arrived");
    bench.close().await;
}

#[tokio::test]
async fn a_running_browser_is_attached_to_and_left_running() {
    let Some(bench) = Bench::open().await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a directory");
    let profile = std::fs::read_dir(bench.folder.path())
        .expect("a folder")
        .next()
        .expect("ours")
        .expect("ours")
        .path();
    let port = std::fs::read_to_string(profile.join("profile/DevToolsActivePort")).expect("a port");
    let mut config = config(folder.path()).expect("it is there");
    config.attach = port.lines().next().map(str::to_owned);
    let second = CdpDriver::new(config).open().await.expect("it attaches");
    let url = bench.server.url("popup");
    second
        .perform(&Command::Navigate { url })
        .await
        .expect("it opens");
    let calm = Settle {
        quiet: QUIET,
        first_sign: FIRST_SIGN,
        cap: SETTLE_CAP,
    };
    second.settle(&calm).await.expect("it settles");
    let look = second.snapshot(&scope()).await.expect("a look");
    assert_eq!(look.tabs.len(), 1);
    second
        .perform(&click(named(&look, "Pop")))
        .await
        .expect("it is clicked");
    second.settle(&calm).await.expect("it settles");
    assert_eq!(
        second.snapshot(&scope()).await.expect("a look").tabs.len(),
        2
    );
    second.close().await.expect("it closes");
    assert!(
        std::fs::read_dir(folder.path())
            .expect("a folder")
            .next()
            .is_none()
    );
    assert_eq!(bench.go("arrived").await.page.title, "arrived");
    bench.close().await;
}
