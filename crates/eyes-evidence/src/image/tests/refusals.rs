//! What is refused, with which code, and that nothing is allocated for it.

use image::ExtendedColorType;
use png::{BitDepth, ColorType};

use super::files;
use crate::{
    code::Coded,
    image::{ImageError, ImageLimits, admit, from_base64, from_data_url},
};

fn refuse(file: &[u8]) -> ImageError {
    admit(file.to_vec(), &ImageLimits::default()).unwrap_err()
}

fn code(error: &ImageError) -> &'static str {
    error.code().as_str()
}

#[test]
fn other_formats_are_named() {
    let cases: &[(&[u8], &str)] = &[
        (
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            "an SVG drawing",
        ),
        (
            b"\xEF\xBB\xBF <?xml version='1.0'?><!-- x --><SVG>",
            "an SVG drawing",
        ),
        (b"<?xml version='1.0'?><note/>", "an XML document"),
        (
            b"<!DOCTYPE html><html><svg></svg></html>",
            "an HTML document",
        ),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"II*\0\x08\0\0\0", "a TIFF image"),
        (b"MM\0*\0\0\0\x08", "a TIFF image"),
        (b"\0\0\x01\0\x01\0", "a Windows icon (ICO)"),
        (b"\0\0\0\x1Cftypavif\0\0\0\0", "an AVIF image"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "a HEIC image"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0", "a HEIF image"),
        (b"\0\0\0\x18ftypisom\0\0\0\0", "an MP4 or QuickTime file"),
        (b"8BPS\0\x01", "a Photoshop document"),
        (b"\xFF\x0A\0\0", "a JPEG XL image"),
        (b"P6\n2 2\n255\n", "a Netpbm image"),
        (b"qoif\0\0", "a QOI image"),
        (b"RIFF\x04\0\0\0AVI ", "a RIFF file (audio or video)"),
        (b"\x8AMNG\r\n\x1A\n", "an MNG animation"),
        (b"PK\x03\x04", "a ZIP archive"),
    ];
    for (file, name) in cases {
        let error = refuse(file);
        assert_eq!(code(&error), "UNSUPPORTED_IMAGE_TYPE", "{name}");
        assert_eq!(
            error.to_string(),
            format!("the file is {name}, which is not read")
        );
    }
    for file in [
        &b""[..],
        b"BM as a text",
        b"plain text",
        b"\x89PNG",
        b"<p",
        &[0; 64],
    ] {
        let error = refuse(file);
        assert_eq!(code(&error), "UNSUPPORTED_IMAGE_TYPE", "{file:?}");
        assert!(matches!(error, ImageError::Unrecognised { .. }), "{file:?}");
    }
}

#[test]
fn animations_are_refused_and_single_frames_are_not() {
    let mut hidden = files::apng(2);
    // A second frame that the announcement keeps quiet about.
    let at = hidden.windows(4).position(|w| w == b"acTL").unwrap();
    let fixed = files::chunk(*b"acTL", &[0, 0, 0, 1, 0, 0, 0, 0]);
    hidden[at - 4..at + 16].copy_from_slice(&fixed);
    let mut flagged = files::webp_with_exif(
        (4, 4),
        &files::webp(4, 4, &files::samples(4, 4, 3), ExtendedColorType::Rgb8),
        &files::exif(false, 1),
    );
    flagged[20] |= 0x02;
    for (name, file) in [
        ("two frames", files::apng(2)),
        ("hidden frame", hidden),
        ("webp", include_bytes!("../testdata/animated.webp").to_vec()),
        ("webp flag", flagged),
        ("gif", files::gif(4, 4, &[[1, 2, 3], [4, 5, 6]])),
    ] {
        assert_eq!(
            code(&refuse(&file)),
            "IMAGE_ANIMATION_UNSUPPORTED",
            "{name}"
        );
    }
    assert!(admit(files::apng(1), &ImageLimits::default()).is_ok());
    assert!(admit(files::gif(4, 4, &[[1, 2, 3]]), &ImageLimits::default()).is_ok());
}

#[test]
fn headers_that_state_too_much_are_refused_before_anything_is_allocated() {
    // Each of these would need gigabytes if its header were believed.
    let png = |w: u32, h: u32| files::raw_png((w, h), [8, 6, 0], &[0; 8]);
    let mut jpeg = files::jpeg(8, 8, &[0; 192], ExtendedColorType::Rgb8);
    let frame = jpeg.windows(2).position(|w| w == [0xFF, 0xC0]).unwrap();
    jpeg[frame + 5..frame + 9].fill(0xFF);
    let mut bmp = files::bmp(2, 2, &[0; 12]);
    bmp[18..22].copy_from_slice(&60_000_u32.to_le_bytes());
    bmp[22..26].copy_from_slice(&60_000_u32.to_le_bytes());
    let mut gif = files::gif(4, 4, &[[1, 2, 3]]);
    gif[6..10].fill(0xFF);
    for (name, file) in [
        ("png side", png(1, 32_769)),
        ("png greatest", png(0x7FFF_FFFF, 0x7FFF_FFFF)),
        ("png pixels", png(6400, 6400)),
        ("jpeg", jpeg),
        ("bmp", bmp),
        ("gif", gif),
    ] {
        assert_eq!(code(&refuse(&file)), "IMAGE_PIXEL_LIMIT", "{name}");
    }
}

#[test]
fn each_limit_refuses_with_its_code() {
    let rgba = files::samples(20, 10, 4);
    let file = files::png((20, 10), ColorType::Rgba, BitDepth::Eight, &rgba);
    let long = files::png(
        (1000, 200),
        ColorType::Rgba,
        BitDepth::Eight,
        &vec![0; 800_000],
    );
    let limits = ImageLimits::default();
    let error = |file: &[u8], limits| admit(file.to_vec(), &limits).unwrap_err();
    let side = error(&file, limits.with_max_side(19).unwrap());
    let pixels = error(&file, limits.with_max_pixels(199).unwrap());
    let memory = error(&long, limits.with_max_memory(1024 * 1024).unwrap());
    let bytes = error(&file, limits.with_max_bytes(8).unwrap());
    assert_eq!(code(&side), "IMAGE_PIXEL_LIMIT");
    assert_eq!(
        side.to_string(),
        "the image is 20x10 pixels, with a side over the limit of 19"
    );
    assert_eq!(code(&pixels), "IMAGE_PIXEL_LIMIT");
    assert_eq!(code(&memory), "IMAGE_MEMORY_LIMIT");
    assert_eq!(code(&bytes), "IMAGE_TOO_LARGE");
    assert!(
        admit(
            file,
            &limits
                .with_max_side(20)
                .unwrap()
                .with_max_pixels(200)
                .unwrap()
        )
        .is_ok()
    );
}

#[test]
fn limits_out_of_range_are_refused() {
    let limits = ImageLimits::default();
    for wrong in [
        limits.with_max_bytes(0),
        limits.with_max_bytes(u64::MAX),
        limits.with_max_side(0),
        limits.with_max_side(32_769),
        limits.with_max_pixels(0),
        limits.with_max_pixels(40_000_001),
        limits.with_max_memory(1024),
        limits.with_max_memory(u64::MAX),
    ] {
        assert_eq!(code(&wrong.unwrap_err()), "IMAGE_LIMITS_INVALID");
    }
}

#[test]
fn compressed_bombs_cost_no_more_than_their_header_allows() {
    // 24 MB of zero rows behind a header of one pixel.
    let large = files::png(
        (2000, 4000),
        ColorType::Rgb,
        BitDepth::Eight,
        &vec![0; 24_000_000],
    );
    let data = files::idat(&large);
    let one = files::raw_png((1, 1), [8, 2, 0], &[0, 1, 2, 3]);
    let mut file = one[..33].to_vec();
    file.extend(files::chunk(*b"IDAT", &data));
    file.extend(files::chunk(*b"IEND", &[]));
    let image = admit(file, &ImageLimits::default()).unwrap();
    assert_eq!(image.raster().pixels(), [0, 0, 0]);

    // A colour profile and a text that unpack to 24 MB are not unpacked without bound.
    let strict = ImageLimits::default().with_max_memory(1024 * 1024).unwrap();
    let mut profile = b"p\0\0".to_vec();
    profile.extend(&data);
    for kind in [*b"iCCP", *b"zTXt"] {
        // Refused or ignored: both are right, as long as the memory bound holds.
        if let Ok(image) = admit(files::insert_chunk(&one, kind, &profile), &strict) {
            assert_eq!(image.raster().pixels(), [1, 2, 3]);
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let rgb = files::samples(13, 9, 3);
    for (name, file) in [
        (
            "png",
            files::png((13, 9), ColorType::Rgb, BitDepth::Eight, &rgb),
        ),
        ("jpeg", files::jpeg(13, 9, &rgb, ExtendedColorType::Rgb8)),
        (
            "progressive",
            include_bytes!("../testdata/progressive.jpg").to_vec(),
        ),
        ("webp", files::webp(13, 9, &rgb, ExtendedColorType::Rgb8)),
        (
            "lossy webp",
            include_bytes!("../testdata/lossy.webp").to_vec(),
        ),
        ("bmp", files::bmp(13, 9, &rgb)),
        ("gif", files::gif(7, 5, &[[1, 2, 3]])),
    ] {
        // The trailer of a GIF, the checksum of IEND and the padding of the last rows hold no pixels.
        let needless = match name {
            "png" => 4,
            "gif" | "bmp" => 1,
            _ => 0,
        };
        for length in 0..file.len() - needless {
            let result = admit(file[..length].to_vec(), &ImageLimits::default());
            assert!(result.is_err(), "{name} cut to {length} of {}", file.len());
        }
    }
}

#[test]
fn text_that_is_not_canonical_base64_is_refused() {
    let limits = ImageLimits::default();
    for (text, says) in [
        ("iVBOR", "5 characters"),
        ("iVBO\nRw==", "byte 0x0a at offset 4"),
        ("iVBO Rw==", "byte 0x20 at offset 4"),
        ("iV-_", "byte 0x2d at offset 2"),
        ("iVA", "padding"),
        ("iVB=", "bits that belong to no byte"),
        ("=", "0x3d"),
    ] {
        let error = from_base64(text, &limits).unwrap_err();
        assert_eq!(code(&error), "INVALID_IMAGE_BASE64", "{text}");
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
    let small = limits.with_max_bytes(3).unwrap();
    // Not base64 at all, but first of all too long.
    let error = from_base64("********", &small).unwrap_err();
    assert_eq!(code(&error), "IMAGE_TOO_LARGE");
    assert_eq!(
        code(&from_base64("", &limits).unwrap_err()),
        "UNSUPPORTED_IMAGE_TYPE"
    );
}

#[test]
fn text_that_is_no_image_data_url_is_refused() {
    let limits = ImageLimits::default();
    let far = format!("data:image/png;{};base64,iVBO", "x".repeat(300));
    for (url, says) in [
        ("", "no comma"),
        ("data:image/png;base64", "no comma"),
        (far.as_str(), "no comma"),
        ("http://example.org/a,b", "no data: scheme"),
        ("data:text/plain;base64,iVBO", "media type"),
        ("data:image/png,iVBO", "not base64"),
        ("d\u{e4}ta:image/png;base64,iVBO", "no data: scheme"),
    ] {
        let error = from_data_url(url, &limits).unwrap_err();
        assert_eq!(code(&error), "IMAGE_DATA_URL_INVALID", "{url}");
        assert!(error.to_string().contains(says), "{url}: {error}");
    }
    let error = from_data_url("data:image/png;base64,iVB", &limits).unwrap_err();
    assert_eq!(code(&error), "INVALID_IMAGE_BASE64");
}

#[test]
fn damage_is_reported_in_one_short_line() {
    let mut file = files::png(
        (13, 9),
        ColorType::Rgb,
        BitDepth::Eight,
        &files::samples(13, 9, 3),
    );
    let at = file.windows(4).position(|w| w == b"IDAT").unwrap();
    file[at + 12] ^= 0xFF;
    let error = refuse(&file);
    assert_eq!(code(&error), "IMAGE_INVALID");
    let text = error.to_string();
    assert!(
        text.starts_with("the image/png file cannot be decoded: "),
        "{text}"
    );
    assert!(text.chars().count() < 240 && !text.contains('\n'), "{text}");
}
