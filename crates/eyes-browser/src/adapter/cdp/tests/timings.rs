//! How long things take, for people to read.

use std::collections::BTreeMap;

use tokio::time::Instant;

use super::*;

/// Milliseconds by what took them.
#[derive(Default)]
struct Times(BTreeMap<&'static str, Vec<f64>>);

impl Times {
    fn note(&mut self, what: &'static str, since: Instant) {
        let millis = since.elapsed().as_secs_f64() * 1e3;
        self.0.entry(what).or_default().push(millis);
    }

    fn medians(&mut self) -> String {
        let all = self.0.iter_mut().map(|(what, all)| {
            all.sort_by(f64::total_cmp);
            format!("{what} {:.1}", all[all.len() / 2])
        });
        all.collect::<Vec<_>>().join(", ")
    }
}

const SETTLE: Settle = Settle {
    quiet: QUIET,
    first_sign: FIRST_SIGN,
    cap: SETTLE_CAP,
};

async fn one(page: &dyn PageDriver, role: &str, name: String) -> Node {
    let query = Query::Role {
        role: role.to_owned(),
        name: Some(name),
        exact: true,
    };
    page.find(&query).await.expect("it is found").remove(0)
}

async fn round(page: &dyn PageDriver, mid: usize, times: &mut Times) {
    let scope = Scope {
        max_elements: 500,
        ..scope()
    };
    let begin = Instant::now();
    page.snapshot(&scope).await.expect("a look");
    times.note("look", begin);
    let button = one(page, "button", format!("Action {mid}")).await;
    let begin = Instant::now();
    page.perform(&click(&button)).await.expect("it is clicked");
    times.note("click", begin);
    let settling = Instant::now();
    page.settle(&SETTLE).await.expect("it settles");
    times.note("settle", settling);
    let now = page.snapshot(&scope).await.expect("a look");
    times.note("click+settle+look", begin);
    let clicked = format!("clicked btn-{mid}");
    assert!(
        now.text.iter().any(|line| line.contains(&clicked)),
        "{:?}",
        now.text
    );
    let field = one(page, "textbox", format!("Field {}", mid + 6)).await;
    let begin = Instant::now();
    let typed = page
        .perform(&typing(&field, "hello", TypeMode::Fill, false))
        .await;
    times.note("type", begin);
    assert_eq!(typed.expect("it is typed").verified, Some(true));
}

/// Reads the pages of a bench from the folder that `EYES_BENCH_PAGES` names: `page-50.html` and its like.
#[tokio::test]
#[ignore = "prints figures"]
async fn print() {
    let folder = environment("EYES_BENCH_PAGES").expect("EYES_BENCH_PAGES names a folder of pages");
    let files = PathBuf::from(folder);
    let server = Server::start(Arc::new(move |path: &str, _| {
        let text = std::fs::read_to_string(files.join(path)).ok()?;
        Some(server::Body::page(text))
    }))
    .await;
    let own = tempfile::tempdir().expect("a directory");
    let Some(config) = config(own.path()) else {
        return;
    };
    let began = Instant::now();
    let page = CdpDriver::new(config).open().await.expect("a browser");
    println!("open {:.0} ms", began.elapsed().as_secs_f64() * 1e3);
    for size in [50, 200, 1000] {
        let url = server.url(&format!("page-{size}.html"));
        page.perform(&Command::Navigate { url })
            .await
            .expect("it opens");
        page.settle(&SETTLE).await.expect("it settles");
        let mut times = Times::default();
        for _ in 0..20 {
            round(&*page, size / 20 * 10, &mut times).await;
        }
        println!("{size} elements, milliseconds: {}", times.medians());
    }
    page.close().await.expect("it closes");
}
