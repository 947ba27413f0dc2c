//! Makes encoded pictures for the tests.

use std::io::Cursor;

use image::{ExtendedColorType, ImageEncoder, codecs};

/// A picture in which every pixel differs from its neighbours: `width * height * channels` samples.
pub(super) fn samples(width: u32, height: u32, channels: u32) -> Vec<u8> {
    let pixel = |x: u32, y: u32, c: u32| (x * 37 + y * 91 + c * 53 + x * y) as u8;
    let mut all = Vec::new();
    for y in 0..height {
        for x in 0..width {
            all.extend((0..channels).map(|c| pixel(x, y, c)));
        }
    }
    all
}

pub(super) fn png(
    (width, height): (u32, u32),
    color: png::ColorType,
    depth: png::BitDepth,
    data: &[u8],
) -> Vec<u8> {
    png_with((width, height), color, depth, data, |_| {})
}

pub(super) fn png_with(
    (width, height): (u32, u32),
    color: png::ColorType,
    depth: png::BitDepth,
    data: &[u8],
    set: impl FnOnce(&mut png::Encoder<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    set(&mut encoder);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    file
}

pub(super) fn apng(frames: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 4, 4);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_animated(frames, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    for _ in 0..frames {
        writer.write_image_data(&samples(4, 4, 3)).unwrap();
    }
    writer.finish().unwrap();
    file
}

pub(super) fn bmp(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    codecs::bmp::BmpEncoder::new(&mut file)
        .encode(rgb, width, height, ExtendedColorType::Rgb8)
        .unwrap();
    file
}

pub(super) fn webp(width: u32, height: u32, rgb: &[u8], color: ExtendedColorType) -> Vec<u8> {
    let mut file = Vec::new();
    codecs::webp::WebPEncoder::new_lossless(&mut file)
        .encode(rgb, width, height, color)
        .unwrap();
    file
}

pub(super) fn jpeg(width: u32, height: u32, data: &[u8], color: ExtendedColorType) -> Vec<u8> {
    let mut file = Vec::new();
    codecs::jpeg::JpegEncoder::new_with_quality(&mut file, 95)
        .write_image(data, width, height, color)
        .unwrap();
    file
}

pub(super) fn gif(width: u16, height: u16, frames: &[[u8; 3]]) -> Vec<u8> {
    let mut file = Vec::new();
    {
        let mut encoder = codecs::gif::GifEncoder::new(Cursor::new(&mut file));
        for colour in frames {
            let frame = image::RgbaImage::from_pixel(
                u32::from(width),
                u32::from(height),
                image::Rgba([colour[0], colour[1], colour[2], 255]),
            );
            encoder.encode_frame(image::Frame::new(frame)).unwrap();
        }
    }
    file
}

/// One PNG chunk with its checksum.
pub(super) fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut bytes = (data.len() as u32).to_be_bytes().to_vec();
    let mut sum = u32::MAX;
    for byte in kind.iter().chain(data) {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 };
        }
    }
    bytes.extend(kind);
    bytes.extend(data);
    bytes.extend((!sum).to_be_bytes());
    bytes
}

/// Puts a chunk behind IHDR.
pub(super) fn insert_chunk(png: &[u8], kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut file = png[..33].to_vec();
    file.extend(chunk(kind, data));
    file.extend(&png[33..]);
    file
}

/// A PNG from its header fields and the raw (not yet compressed) rows of all passes.
pub(super) fn raw_png(
    (width, height): (u32, u32),
    depth_color_interlace: [u8; 3],
    rows: &[u8],
) -> Vec<u8> {
    let [depth, color, interlace] = depth_color_interlace;
    let mut header = width.to_be_bytes().to_vec();
    header.extend(height.to_be_bytes());
    header.extend([depth, color, 0, 0, interlace]);
    let mut file = b"\x89PNG\r\n\x1A\n".to_vec();
    file.extend(chunk(*b"IHDR", &header));
    file.extend(chunk(*b"IDAT", &zlib_stored(rows)));
    file.extend(chunk(*b"IEND", &[]));
    file
}

/// A zlib stream (RFC 1950) of stored blocks.
pub(super) fn zlib_stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = data.chunks(0xFFFF).peekable();
    while let Some(block) = blocks.next() {
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend((block.len() as u16).to_le_bytes());
        stream.extend((!(block.len() as u16)).to_le_bytes());
        stream.extend(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}

/// The data of a PNG's IDAT chunks.
pub(super) fn idat(png: &[u8]) -> Vec<u8> {
    let (mut rest, mut data) = (&png[8..], Vec::new());
    while rest.len() >= 12 {
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        if &rest[4..8] == b"IDAT" {
            data.extend(&rest[8..8 + length]);
        }
        rest = &rest[12 + length..];
    }
    data
}

/// An EXIF block whose first directory holds a camera make and one orientation entry.
pub(super) fn exif(big_endian: bool, orientation: u16) -> Vec<u8> {
    let two = |v: u16| {
        if big_endian {
            v.to_be_bytes()
        } else {
            v.to_le_bytes()
        }
    };
    let four = |v: u32| {
        if big_endian {
            v.to_be_bytes()
        } else {
            v.to_le_bytes()
        }
    };
    let mut tiff = if big_endian {
        b"MM\0*".to_vec()
    } else {
        b"II*\0".to_vec()
    };
    tiff.extend(four(8));
    tiff.extend(two(2));
    for (tag, kind, count, value) in [
        (0x010F, 2, 2, two(0x4100)),
        (0x0112, 3, 1, two(orientation)),
    ] {
        tiff.extend(two(tag));
        tiff.extend(two(kind));
        tiff.extend(four(count));
        tiff.extend(value);
        tiff.extend([0, 0]);
    }
    tiff.extend(four(0));
    tiff
}

pub(super) fn jpeg_with_exif(jpeg: &[u8], tiff: &[u8]) -> Vec<u8> {
    let mut file = jpeg[..2].to_vec();
    file.extend([0xFF, 0xE1]);
    file.extend(((tiff.len() + 8) as u16).to_be_bytes());
    file.extend(b"Exif\0\0");
    file.extend(tiff);
    file.extend(&jpeg[2..]);
    file
}

/// Wraps a simple WebP into the extended form with an EXIF chunk.
pub(super) fn webp_with_exif((width, height): (u32, u32), webp: &[u8], tiff: &[u8]) -> Vec<u8> {
    let mut body = b"WEBPVP8X".to_vec();
    body.extend(10_u32.to_le_bytes());
    body.extend([0x08, 0, 0, 0]);
    body.extend(&(width - 1).to_le_bytes()[..3]);
    body.extend(&(height - 1).to_le_bytes()[..3]);
    body.extend(&webp[12..]);
    body.extend(b"EXIF");
    body.extend((tiff.len() as u32).to_le_bytes());
    body.extend(tiff);
    if tiff.len() % 2 == 1 {
        body.push(0);
    }
    let mut file = b"RIFF".to_vec();
    file.extend((body.len() as u32).to_le_bytes());
    file.extend(body);
    file
}
