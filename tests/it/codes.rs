//! Refusals that need an odd machine: their codes, told from the outside.

use std::fs::File;

use eyes_tests::fixture;

use crate::eyes;

#[test]
fn odd_files_have_codes_of_their_own() {
    let eyes = eyes();
    eyes.write("file.png", b"x");
    // Sparse: the length is there, the bytes take no room.
    let long = File::create(eyes.path("long.png")).expect("a file");
    long.set_len(1 << 40).expect("a sparse file");
    let settings = fixture("settings.png");
    let settings = settings.to_string_lossy();
    for (args, exit, start) in [
        (
            &["read", "file.png/inner.png"][..],
            4,
            "error[INPUT_UNAVAILABLE]: ",
        ),
        (&["read", "long.png"], 5, "error[IMAGE_TOO_LARGE]: "),
        (
            &["evidence", "parse", "long.png", "--size", "9x9"],
            5,
            "error[INPUT_LIMIT]: ",
        ),
        (
            &["read", &settings, "--overlay", "none/overlay.png"],
            6,
            "error[OUTPUT_FAILED]: ",
        ),
    ] {
        let ran = eyes.run(args);
        assert!(ran.stderr.contains(start), "{args:?}: {}", ran.stderr);
        drop(ran.exits(exit));
    }
}

#[test]
fn every_code_is_explained() {
    let eyes = eyes();
    // These four have no way to be provoked from outside: a defect, a lying reader, and a missing download.
    for code in [
        "INTERNAL_FAILED",
        "VISION_PROBE_FAILED",
        "LOCAL_MODEL_DOWNLOAD_FAILED",
        "VISION_OUTPUT_LIMIT",
    ] {
        let ran = eyes.run(["explain", code]).exits(0);
        assert!(ran.stdout.contains(code), "{}", ran.stdout);
    }
}
