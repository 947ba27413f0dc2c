//! Any bytes are admitted within the limits or refused; never a panic, never more pixels than allowed.
#![no_main]

use eyes_evidence::image::{ImageLimits, admit};
use libfuzzer_sys::fuzz_target;

const PIXELS: u64 = 250_000;

fuzz_target!(|data: &[u8]| {
    let limits = ImageLimits::default()
        .with_max_pixels(PIXELS)
        .and_then(|l| l.with_max_memory(16 * 1024 * 1024))
        .expect("both are within the documented range");
    if let Ok(image) = admit(data, &limits) {
        let size = image.identity().size;
        let pixels = u64::from(size.width) * u64::from(size.height);
        assert!(pixels <= PIXELS);
        assert_eq!(image.raster().pixels().len() as u64, pixels * 3);
        assert_eq!(image.bytes().as_ref(), data);
    }
});
