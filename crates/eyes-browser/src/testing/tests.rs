//! The scripted browser keeps the contract.

use super::*;

#[tokio::test(start_paused = true)]
async fn the_scripted_browser_keeps_the_contract() {
    let base = "https://fixtures.test/";
    let fixtures = fixtures();
    let urls: Vec<_> = fixtures
        .iter()
        .map(|f| format!("{base}{}", f.path))
        .collect();
    let pages = urls
        .iter()
        .zip(&fixtures)
        .map(|(url, f)| (url.as_str(), f.script.clone()));
    page_driver_contract(&ScriptedBrowser::new(pages), base).await;
}
