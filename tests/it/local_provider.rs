//! The embedded eyes keep the contract of every model provider.

use eyes_evidence::image::ImageLimits;
use eyes_local::{Detail, LocalConfig, LocalProvider, PROVIDER_ID};
use eyes_router::{probe::PixelProbe, route::Route, testing::model_provider_contract};

#[test]
fn the_local_provider_keeps_the_contract() {
    let provider = LocalProvider::new(
        LocalConfig::default(),
        Detail::Standard,
        ImageLimits::default(),
    );
    let route = Route::new(PROVIDER_ID, "eyes-tiny").expect("a route");
    let request = PixelProbe::shuffled(99).request(&route).expect("a request");
    pollster::block_on(model_provider_contract(&provider, request));
}
