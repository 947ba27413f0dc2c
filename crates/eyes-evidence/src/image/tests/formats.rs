//! What is admitted, and as what.

use image::ExtendedColorType;
use png::{BitDepth, ColorType};

use super::files;
use crate::{
    digest::Sha256Digest,
    geometry::PixelSize,
    image::{AdmittedImage, ImageLimits, MediaType, admit, from_base64, from_data_url},
    raster::{
        Rgb8,
        encode::{PngEffort, encode_png},
        identity::pixel_sha256,
    },
};

const W: u32 = 13;
const H: u32 = 9;

fn take(file: Vec<u8>) -> AdmittedImage {
    admit(file, &ImageLimits::default()).unwrap()
}

fn rgb() -> Vec<u8> {
    files::samples(W, H, 3)
}

fn raster(pixels: Vec<u8>) -> Rgb8 {
    let size = PixelSize {
        width: W,
        height: H,
    };
    Rgb8::new(size, pixels).unwrap()
}

/// One picture as every lossless format can hold it.
fn lossless_encodings(rgb: &[u8]) -> Vec<(&'static str, MediaType, Vec<u8>)> {
    let rgba: Vec<u8> = rgb
        .chunks(3)
        .flat_map(|p| [p[0], p[1], p[2], 255])
        .collect();
    let doubled = |samples: &[u8]| samples.iter().flat_map(|v| [*v, *v]).collect::<Vec<_>>();
    let indices: Vec<u8> = (0..(W * H) as u8).collect();
    let png = |color, depth, data: &[u8]| files::png((W, H), color, depth, data);
    let own = |effort| encode_png(&raster(rgb.to_vec()), effort).unwrap();
    let palette = files::png_with((W, H), ColorType::Indexed, BitDepth::Eight, &indices, |e| {
        e.set_palette(rgb.to_vec());
    });
    let (eight, sixteen) = (BitDepth::Eight, BitDepth::Sixteen);
    let (rgb8, rgba8) = (ExtendedColorType::Rgb8, ExtendedColorType::Rgba8);
    vec![
        ("rgb", MediaType::Png, png(ColorType::Rgb, eight, rgb)),
        ("rgba", MediaType::Png, png(ColorType::Rgba, eight, &rgba)),
        (
            "rgb 16",
            MediaType::Png,
            png(ColorType::Rgb, sixteen, &doubled(rgb)),
        ),
        (
            "rgba 16",
            MediaType::Png,
            png(ColorType::Rgba, sixteen, &doubled(&rgba)),
        ),
        ("palette", MediaType::Png, palette),
        ("bmp", MediaType::Bmp, files::bmp(W, H, rgb)),
        ("webp rgb", MediaType::Webp, files::webp(W, H, rgb, rgb8)),
        (
            "webp rgba",
            MediaType::Webp,
            files::webp(W, H, &rgba, rgba8),
        ),
        ("own fast", MediaType::Png, own(PngEffort::Fast)),
        ("own small", MediaType::Png, own(PngEffort::Small)),
    ]
}

#[test]
fn lossless_encodings_of_one_picture_have_one_pixel_identity() {
    let rgb = rgb();
    let expected = pixel_sha256(&raster(rgb.clone()));
    for (name, media_type, file) in lossless_encodings(&rgb) {
        let sha256 = Sha256Digest::of(&file);
        let bytes = file.len() as u64;
        let image = take(file);
        let identity = image.identity();
        assert_eq!(identity.pixel_sha256, expected, "{name}");
        assert_eq!(identity.sha256, sha256, "{name}");
        assert_eq!(identity.media_type, media_type, "{name}");
        assert_eq!(identity.bytes, bytes, "{name}");
        assert_eq!(
            identity.size,
            PixelSize {
                width: W,
                height: H
            },
            "{name}"
        );
        assert_eq!(identity.orientation, None, "{name}");
        assert_eq!(image.raster().pixels(), rgb, "{name}");
    }
}

#[test]
fn one_different_sample_size_or_alpha_gives_another_identity() {
    let base = take(files::png((W, H), ColorType::Rgb, BitDepth::Eight, &rgb()));
    let mut touched = rgb();
    touched[100] ^= 1;
    let mut rgba: Vec<u8> = rgb()
        .chunks(3)
        .flat_map(|p| [p[0], p[1], p[2], 255])
        .collect();
    rgba[7] = 254;
    let mut wide: Vec<u8> = rgb().iter().flat_map(|v| [*v, *v]).collect();
    wide[1] ^= 1;
    let others = [
        files::png((W, H), ColorType::Rgb, BitDepth::Eight, &touched),
        files::png((H, W), ColorType::Rgb, BitDepth::Eight, &rgb()),
        files::png((W, H), ColorType::Rgba, BitDepth::Eight, &rgba),
        files::png((W, H), ColorType::Rgb, BitDepth::Sixteen, &wide),
    ];
    let mut seen = vec![base.identity().pixel_sha256];
    for file in others {
        let digest = take(file).identity().pixel_sha256;
        assert!(!seen.contains(&digest));
        seen.push(digest);
    }
}

#[test]
fn pixel_identity_is_the_documented_form() {
    let check = |channels: u8, bits: u8, samples: &[u8], file: Vec<u8>| {
        let mut form = b"deepseekeyes.pixels.v1\0\0".to_vec();
        form.extend([0, 0, 0, 2, 0, 0, 0, 1, channels, bits]);
        form.extend(samples);
        assert_eq!(take(file).identity().pixel_sha256, Sha256Digest::of(&form));
    };
    let png = |color, depth, data: &[u8]| files::png((2, 1), color, depth, data);
    let (eight, sixteen) = (BitDepth::Eight, BitDepth::Sixteen);
    check(
        3,
        8,
        &[7, 7, 7, 9, 9, 9],
        png(ColorType::Grayscale, eight, &[7, 9]),
    );
    check(
        4,
        8,
        &[7, 7, 7, 255, 9, 9, 9, 0],
        png(ColorType::GrayscaleAlpha, eight, &[7, 255, 9, 0]),
    );
    check(
        3,
        16,
        &[1, 2, 1, 2, 1, 2, 3, 3, 3, 3, 3, 3],
        png(ColorType::Grayscale, sixteen, &[1, 2, 3, 3]),
    );
    check(
        4,
        16,
        &[1, 2, 1, 2, 1, 2, 255, 255, 3, 3, 3, 3, 3, 3, 0, 1],
        png(
            ColorType::GrayscaleAlpha,
            sixteen,
            &[1, 2, 255, 255, 3, 3, 0, 1],
        ),
    );
}

#[test]
fn transparency_is_flattened_over_white() {
    let cases = [
        ([10, 20, 30, 255], [10, 20, 30]),
        ([10, 20, 30, 0], [255, 255, 255]),
        // round(v * 128/255 + 255 * 127/255)
        ([0, 100, 255, 128], [127, 177, 255]),
        ([0, 0, 0, 1], [254, 254, 254]),
    ];
    for (stored, shown) in cases {
        let eight = files::png((1, 1), ColorType::Rgba, BitDepth::Eight, &stored);
        let wide: Vec<u8> = stored.iter().flat_map(|v| [*v, *v]).collect();
        let sixteen = files::png((1, 1), ColorType::Rgba, BitDepth::Sixteen, &wide);
        assert_eq!(take(eight).raster().pixels(), shown, "{stored:?}");
        assert_eq!(take(sixteen).raster().pixels(), shown, "{stored:?}");
    }
}

#[test]
fn sixteen_bit_samples_round_to_the_nearest_eight_bit_value() {
    // 0x0080 is 0.498 of a step, 0x0081 is 0.502.
    for (sample, shown) in [
        ([0, 0x80], 0),
        ([0, 0x81], 1),
        ([0xFF, 0xFE], 255),
        ([0x7F, 0xFF], 127),
    ] {
        let file = files::png((1, 1), ColorType::Grayscale, BitDepth::Sixteen, &sample);
        assert_eq!(take(file).raster().pixels(), [shown; 3], "{sample:?}");
    }
}

#[test]
fn palette_transparency_low_depth_and_interlace_decode() {
    let file = files::png_with(
        (2, 1),
        ColorType::Indexed,
        BitDepth::One,
        &[0b0100_0000],
        |e| {
            e.set_palette(vec![1, 2, 3, 4, 5, 6]);
            e.set_trns(vec![0, 255]);
        },
    );
    assert_eq!(take(file).raster().pixels(), [255, 255, 255, 4, 5, 6]);

    let file = files::png(
        (4, 1),
        ColorType::Grayscale,
        BitDepth::Two,
        &[0b00_01_10_11],
    );
    let grey: Vec<u8> = [0, 85, 170, 255].iter().flat_map(|v| [*v; 3]).collect();
    assert_eq!(take(file).raster().pixels(), grey);

    // Adam7, 3x3 grey: passes hold (0,0); nothing; nothing; (2,0); (0,2)(2,2); (1,0),(1,2); row 1.
    let rows = [0, 1, 0, 3, 0, 7, 9, 0, 2, 0, 8, 0, 4, 5, 6];
    let file = files::raw_png((3, 3), [8, 0, 1], &rows);
    let grey: Vec<u8> = (1..=9).flat_map(|v| [v; 3]).collect();
    assert_eq!(take(file).raster().pixels(), grey);
}

#[test]
fn lossy_formats_decode_near_their_source() {
    let near = |name: &str, file: &[u8], size: (u32, u32), colour: [u8; 3]| {
        let image = take(file.to_vec());
        assert_eq!(
            (image.raster().size().width, image.raster().size().height),
            size,
            "{name}"
        );
        for (got, want) in image.raster().pixels().iter().zip(colour.iter().cycle()) {
            assert!(got.abs_diff(*want) <= 4, "{name}: {got} is not near {want}");
        }
    };
    let flat = |colour: [u8; 3]| colour.repeat(256);
    let grey = files::jpeg(16, 16, &[90; 256], ExtendedColorType::L8);
    let rgb = files::jpeg(16, 16, &flat([200, 40, 90]), ExtendedColorType::Rgb8);
    near("grey jpeg", &grey, (16, 16), [90; 3]);
    near("jpeg", &rgb, (16, 16), [200, 40, 90]);
    near(
        "cmyk jpeg",
        include_bytes!("../testdata/cmyk-red.jpg"),
        (16, 16),
        [255, 0, 0],
    );
    near(
        "progressive jpeg",
        include_bytes!("../testdata/progressive.jpg"),
        (16, 16),
        [200, 40, 90],
    );
    near(
        "lossy webp",
        include_bytes!("../testdata/lossy.webp"),
        (16, 16),
        [200, 40, 90],
    );
    // Half transparent over white.
    near(
        "lossy webp, alpha",
        include_bytes!("../testdata/lossy-alpha.webp"),
        (16, 16),
        [227, 147, 172],
    );
    near(
        "gif",
        &files::gif(7, 5, &[[200, 40, 90]]),
        (7, 5),
        [200, 40, 90],
    );
}

#[test]
fn orientation_is_noted_and_not_applied() {
    let rgb = rgb();
    let png = files::png((W, H), ColorType::Rgb, BitDepth::Eight, &rgb);
    let webp = files::webp(W, H, &rgb, ExtendedColorType::Rgb8);
    let jpeg = files::jpeg(W, H, &rgb, ExtendedColorType::Rgb8);
    let plain = take(jpeg.clone());
    for big_endian in [true, false] {
        for (stated, noted) in [
            (0, None),
            (1, None),
            (2, Some(2)),
            (6, Some(6)),
            (8, Some(8)),
            (9, None),
        ] {
            let tiff = files::exif(big_endian, stated);
            let png = take(files::insert_chunk(&png, *b"eXIf", &tiff));
            let webp = take(files::webp_with_exif((W, H), &webp, &tiff));
            let jpeg = take(files::jpeg_with_exif(&jpeg, &tiff));
            for image in [&png, &webp, &jpeg] {
                assert_eq!(image.identity().orientation, noted, "{stated}");
                assert_eq!(
                    image.identity().size,
                    PixelSize {
                        width: W,
                        height: H
                    }
                );
            }
            assert_eq!(png.raster().pixels(), rgb);
            assert_eq!(webp.raster().pixels(), rgb);
            assert_eq!(jpeg.raster(), plain.raster());
        }
    }
}

#[test]
fn a_damaged_exif_block_is_no_reason_to_refuse() {
    let png = files::png((W, H), ColorType::Rgb, BitDepth::Eight, &rgb());
    let whole = files::exif(false, 6);
    for length in 0..whole.len() - 4 {
        let image = take(files::insert_chunk(&png, *b"eXIf", &whole[..length]));
        let entry_is_whole = length >= whole.len() - 6;
        assert_eq!(
            image.identity().orientation.is_some(),
            entry_is_whole,
            "{length}"
        );
    }
    let mut far = whole.clone();
    far[4..8].fill(0xFF);
    assert_eq!(
        take(files::insert_chunk(&png, *b"eXIf", &far))
            .identity()
            .orientation,
        None
    );
}

#[test]
fn bytes_behind_the_picture_belong_to_the_encoded_identity_only() {
    let rgb = rgb();
    for file in [
        files::png((W, H), ColorType::Rgb, BitDepth::Eight, &rgb),
        files::jpeg(W, H, &rgb, ExtendedColorType::Rgb8),
        files::gif(7, 5, &[[1, 2, 3]]),
        files::bmp(W, H, &rgb),
        files::webp(W, H, &rgb, ExtendedColorType::Rgb8),
    ] {
        let plain = take(file.clone());
        let mut longer = file;
        longer.extend(b"trailing bytes");
        let other = take(longer.clone());
        assert_eq!(other.identity().pixel_sha256, plain.identity().pixel_sha256);
        assert_ne!(other.identity().sha256, plain.identity().sha256);
        assert_eq!(other.bytes().as_ref(), longer);
    }
}

#[test]
fn text_transports_admit_the_same_image() {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let file = files::png((W, H), ColorType::Rgb, BitDepth::Eight, &rgb());
    let text = STANDARD.encode(&file);
    let limits = ImageLimits::default();
    let plain = take(file.clone());
    for image in [
        from_base64(&text, &limits),
        from_data_url(&format!("data:image/png;base64,{text}"), &limits),
        // The declared type is not believed, and case does not matter before the comma.
        from_data_url(
            &format!("DATA:Image/JPEG;charset=utf-8;Base64,{text}"),
            &limits,
        ),
    ] {
        let image = image.unwrap();
        assert_eq!(image.identity(), plain.identity());
        assert_eq!(image.bytes(), plain.bytes());
    }
}

#[test]
fn an_exact_byte_limit_admits_and_one_less_refuses() {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    for extra in 0..3 {
        let mut file = files::png((W, H), ColorType::Rgb, BitDepth::Eight, &rgb());
        file.extend(vec![0; extra]);
        let text = STANDARD.encode(&file);
        let limits = |bytes| ImageLimits::default().with_max_bytes(bytes).unwrap();
        let length = file.len() as u64;
        assert!(admit(file.clone(), &limits(length)).is_ok());
        assert!(admit(file.clone(), &limits(length - 1)).is_err());
        assert!(from_base64(&text, &limits(length)).is_ok());
        assert!(from_base64(&text, &limits(length - 1)).is_err());
    }
}

#[test]
fn the_first_bytes_tell_the_format() {
    let pixels = rgb();
    for (name, media_type, file) in lossless_encodings(&pixels) {
        assert_eq!(MediaType::of_bytes(&file), Some(media_type), "{name}");
    }
    for other in [&b""[..], b"GIF", b"<svg></svg>", b"%PDF-1.7"] {
        assert_eq!(MediaType::of_bytes(other), None);
    }
}
