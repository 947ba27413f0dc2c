use super::*;

fn places(files: &[(&str, &str)]) -> Vec<String> {
    check(&Tree::of(files))
        .into_iter()
        .map(|finding| finding.place)
        .collect()
}

#[test]
fn finds_a_test_file_that_the_binary_forgot() {
    let files = [
        ("tests/it/main.rs", "mod cli;\n// mod schema;\n"),
        ("tests/it/cli.rs", ""),
        ("tests/it/schema.rs", ""),
    ];
    assert_eq!(places(&files), ["tests/it/schema.rs"]);
}

#[test]
fn follows_folders_and_files() {
    let root = ("crates/a/src/lib.rs", "pub mod parse;\nmod text;\n");
    let parse = (
        "crates/a/src/parse/mod.rs",
        "pub(crate) mod repair;\n#[cfg(test)]\nmod tests;\n",
    );
    let files = [
        root,
        parse,
        ("crates/a/src/parse/repair.rs", ""),
        ("crates/a/src/parse/tests.rs", ""),
        ("crates/a/src/text.rs", "mod inner;"),
        ("crates/a/src/text/inner.rs", ""),
        ("crates/a/src/bin/x.rs", ""),
    ];
    assert_eq!(places(&files), [""; 0]);
    assert_eq!(
        places(&[
            root,
            ("crates/a/src/other.rs", ""),
            ("crates/a/src/parse/mod.rs", "")
        ]),
        ["crates/a/src/other.rs"]
    );
}

#[test]
fn finds_second_test_binaries_and_includes_that_leave_the_package() {
    assert_eq!(
        places(&[("crates/a/tests/one.rs", "")]),
        ["crates/a/tests/one.rs"]
    );
    let out = "const A: &str = include_str!(\"../../../schemas/a.json\");";
    let kept = "const A: &str = include_str!(\"../../weights/a.txt\");";
    let root = ("crates/a/src/lib.rs", "mod b;");
    assert_eq!(
        places(&[root, ("crates/a/src/b/mod.rs", out)]),
        ["crates/a/src/b/mod.rs:1"]
    );
    assert_eq!(places(&[root, ("crates/a/src/b/mod.rs", kept)]), [""; 0]);
}
