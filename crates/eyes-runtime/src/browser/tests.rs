//! Rules of secrets and uploads, and the files of a run.

use std::fs;

use eyes_browser::ports::{RunLog as _, SecretSource as _, UploadRule as _};

use super::{rules::*, *};
use crate::environment::Platform;

#[test]
fn a_picture_is_the_one_of_its_digest() {
    let dir = tempfile::tempdir().expect("a directory");
    let folder = RunFolder::create(&dir.path().join("run")).expect("a folder");
    let digest = Sha256Digest::of(b"picture");
    folder.picture(&digest, b"picture").expect("written");
    let name = digest.to_string();
    assert_eq!(
        run_picture(folder.dir(), &name).as_deref(),
        Some(b"picture".as_slice())
    );
    fs::write(
        folder.dir().join(PICTURES).join(format!("{digest}.png")),
        "another",
    )
    .expect("written");
    assert_eq!(run_picture(folder.dir(), &name), None);
    assert_eq!(run_picture(folder.dir(), "../run.json"), None);
}

#[test]
fn only_listed_variables_and_files_of_listed_folders_are_taken() {
    let variables = [("LISTED", "a"), ("OTHER", "b")].map(|(n, v)| (n.into(), v.into()));
    let environment = Environment::new(variables, Platform::CURRENT);
    let secrets = ListedVariables::new(&["LISTED".to_owned(), "UNSET".to_owned()], environment);
    let value = |name: &str| secrets.secret(name).map(|s| s.expose().to_owned());
    assert_eq!(
        (value("LISTED").as_deref(), value("OTHER"), value("UNSET")),
        (Some("a"), None, None)
    );

    let dir = tempfile::tempdir().expect("a directory");
    let (open, shut) = (dir.path().join("open"), dir.path().join("shut"));
    for dir in [&open, &shut] {
        fs::create_dir(dir).expect("a directory");
        fs::write(dir.join("file"), "x").expect("a file");
    }
    let uploads = UploadDirs::new(std::slice::from_ref(&open));
    assert!(uploads.admit(&open.join("file")).is_ok());
    for refused in [
        shut.join("file"),
        open.join("../shut/file"),
        open.clone(),
        open.join("none"),
    ] {
        assert!(uploads.admit(&refused).is_err(), "{}", refused.display());
    }
    assert!(UploadDirs::new(&[]).admit(&open.join("file")).is_err());
}
