//! How long things take, for people to read.

use tokio::time::Instant;

use super::*;

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
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
    let settle = Settle {
        quiet: QUIET,
        first_sign: FIRST_SIGN,
        cap: SETTLE_CAP,
    };
    for size in [50, 200, 1000] {
        let url = server.url(&format!("page-{size}.html"));
        page.perform(&Command::Navigate { url })
            .await
            .expect("it opens");
        page.settle(&settle).await.expect("it settles");
        let (mut looks, mut clicks, mut settles, mut all, mut types) =
            (vec![], vec![], vec![], vec![], vec![]);
        let mid = size / 20 * 10;
        let scope = Scope {
            max_elements: 500,
            ..scope()
        };
        for round in 0..20 {
            let begin = Instant::now();
            let look = page.snapshot(&scope).await.expect("a look");
            looks.push(begin.elapsed().as_secs_f64() * 1e3);
            let query = Query::Role {
                role: "button".to_owned(),
                name: Some(format!("Action {mid}")),
                exact: true,
            };
            let button = page.find(&query).await.expect("it is found").remove(0);
            let begin = Instant::now();
            page.perform(&click(&button)).await.expect("it is clicked");
            clicks.push(begin.elapsed().as_secs_f64() * 1e3);
            let between = Instant::now();
            page.settle(&settle).await.expect("it settles");
            settles.push(between.elapsed().as_secs_f64() * 1e3);
            let now = page.snapshot(&scope).await.expect("a look");
            all.push(begin.elapsed().as_secs_f64() * 1e3);
            assert!(
                now.text
                    .iter()
                    .any(|line| line.contains(&format!("clicked btn-{mid}"))),
                "{:?}",
                now.text
            );
            assert_eq!(look.element_total, now.element_total);
            let query = Query::Role {
                role: "textbox".to_owned(),
                name: Some(format!("Field {}", mid + 6)),
                exact: true,
            };
            let field = page.find(&query).await.expect("it is found").remove(0);
            let begin = Instant::now();
            page.perform(&typing(
                &field,
                &format!("hello {round}"),
                TypeMode::Fill,
                false,
            ))
            .await
            .expect("it is typed");
            types.push(begin.elapsed().as_secs_f64() * 1e3);
        }
        println!(
            "{size}: look {:.1}, click {:.1}, settle {:.1}, click+settle+look {:.1}, type {:.1} ms",
            median(looks),
            median(clicks),
            median(settles),
            median(all),
            median(types)
        );
    }
    page.close().await.expect("it closes");
}
