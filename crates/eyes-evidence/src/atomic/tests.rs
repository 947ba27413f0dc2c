//! Whole or not there, private, no links.

use super::*;

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_fault_at_any_step_leaves_the_old_or_the_new_content() {
    for kind in [fault::Fault::Full, fault::Fault::Kill] {
        let mut steps = 0;
        loop {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("file");
            write_private(&path, b"old").unwrap();
            let (result, reached) = fault::at(steps, kind, || write_private(&path, b"new content"));
            if !reached {
                result.unwrap();
                assert!(steps >= 5);
                break;
            }
            let error = result.unwrap_err();
            assert!(error.is_full(), "{error:?}");
            assert_eq!(error.code().as_str(), "FILE_WRITE_FAILED");
            let content = fs::read(&path).unwrap();
            assert!(content == b"old" || content == b"new content");
            if kind == fault::Fault::Full {
                assert_eq!(names(dir.path()), ["file"]);
            }
            sweep_temps(dir.path()).unwrap();
            assert_eq!(names(dir.path()), ["file"]);
            steps += 1;
        }
    }
}

#[test]
fn a_name_of_its_own_is_written_over_and_leaves_nothing() {
    for kind in [fault::Fault::Full, fault::Fault::Kill] {
        let mut steps = 0;
        loop {
            let dir = tempfile::tempdir().unwrap();
            let (path, temp) = (dir.path().join("file"), dir.path().join("file.next"));
            write_private(&path, b"old").unwrap();
            fs::write(&temp, b"left by a process that died, and longer").unwrap();
            let write = |content: &[u8]| Staged::write_to(&temp, [content])?.commit(&path);
            let (result, reached) = fault::at(steps, kind, || write(b"new content"));
            if !reached {
                result.unwrap();
                assert!(steps >= 5);
                break;
            }
            assert!(result.unwrap_err().is_full());
            let content = fs::read(&path).unwrap();
            assert!(content == b"old" || content == b"new content");
            write(b"next").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"next");
            assert_eq!(names(dir.path()), ["file"]);
            steps += 1;
        }
    }
}

#[test]
fn holders_of_a_lock_exclude_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lock");
    let first = FileLock::shared(&path).unwrap();
    let second = FileLock::shared(&path).unwrap();
    assert!(FileLock::try_exclusive(&path).unwrap().is_none());
    drop((first, second));
    let held = FileLock::try_exclusive(&path).unwrap();
    assert!(held.is_some());
    assert!(FileLock::try_exclusive(&path).unwrap().is_none());
    drop(held);
    drop(FileLock::exclusive(&path).unwrap());
    let error = FileLock::exclusive(dir.path()).unwrap_err();
    assert_eq!(error.code().as_str(), "FILE_PLACE_BLOCKED");
}

#[test]
fn the_parent_of_a_bare_name_is_the_working_directory() {
    sync_dir(Path::new("name").parent().unwrap()).unwrap();
}

#[test]
fn a_free_name_is_the_first_where_nothing_stands() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file.aside");
    for name in ["file.aside", "file.aside.1", "file.aside.2"] {
        let free = free_name(&path, 3).unwrap();
        assert_eq!(free, dir.path().join(name));
        fs::write(free, b"").unwrap();
    }
    let error = free_name(&path, 3).unwrap_err();
    assert_eq!(error.code().as_str(), "FILE_WRITE_FAILED");
}

#[test]
fn reading_is_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    write_private(&path, b"12345").unwrap();
    assert_eq!(read_private(&path, 5).unwrap(), b"12345");
    assert_eq!(
        read_private(&path, 4).unwrap_err().code().as_str(),
        "FILE_SIZE_LIMIT"
    );
    assert!(
        read_private(&dir.path().join("none"), 4)
            .unwrap_err()
            .is_missing()
    );
}

#[test]
fn what_is_no_directory_or_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    write_private(&file, b"").unwrap();
    for error in [
        private_dir(&file).unwrap_err(),
        write_private(dir.path(), b"").unwrap_err(),
        read_private(dir.path(), 9).unwrap_err(),
    ] {
        assert_eq!(error.code().as_str(), "FILE_PLACE_BLOCKED", "{error}");
    }
    let below = private_dir(&file.join("x")).unwrap_err();
    assert_eq!(below.code().as_str(), "FILE_WRITE_FAILED");
}

#[cfg(unix)]
#[test]
fn files_and_directories_are_private_and_links_are_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let dir = tempfile::tempdir().unwrap();
    let deep = dir.path().join("a/b");
    private_dir(&deep).unwrap();
    assert_eq!((mode(&dir.path().join("a")), mode(&deep)), (0o700, 0o700));
    fs::set_permissions(&deep, fs::Permissions::from_mode(0o755)).unwrap();
    private_dir(&deep).unwrap();
    assert_eq!(mode(&deep), 0o700);
    let file = deep.join("file");
    write_private(&file, b"x").unwrap();
    assert_eq!(mode(&file), 0o600);

    let link = dir.path().join("link");
    symlink(&deep, &link).unwrap();
    assert_eq!(
        private_dir(&link).unwrap_err().code().as_str(),
        "FILE_PLACE_BLOCKED"
    );
    let file_link = dir.path().join("file-link");
    symlink(&file, &file_link).unwrap();
    assert_eq!(
        read_private(&file_link, 9).unwrap_err().code().as_str(),
        "FILE_PLACE_BLOCKED"
    );
    assert_eq!(
        write_private(&file_link, b"y").unwrap_err().code().as_str(),
        "FILE_PLACE_BLOCKED"
    );
    assert_eq!(fs::read(&file).unwrap(), b"x");
}
