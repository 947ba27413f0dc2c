use super::*;

fn places(files: &[(&str, &str)]) -> Vec<String> {
    check(&Tree::of(files))
        .into_iter()
        .map(|finding| finding.place)
        .collect()
}

#[test]
fn source_files_end_at_500_lines_and_tests_at_800() {
    let at = |lines: usize| "x\n".repeat(lines);
    let (s500, s501, s800, s801) = (at(500), at(501), at(800), at(801));
    assert_eq!(
        places(&[("crates/a/src/x.rs", &s500), ("tests/it/x.rs", &s800)]),
        [""; 0]
    );
    assert_eq!(
        places(&[("crates/a/src/x.rs", &s501)]),
        ["crates/a/src/x.rs"]
    );
    assert_eq!(
        places(&[("crates/a/src/x/tests.rs", &s801)]),
        ["crates/a/src/x/tests.rs"]
    );
    assert_eq!(places(&[("docs/long.md", &s801)]), [""; 0]);
}

#[test]
fn an_exception_lifts_the_rule_for_one_file() {
    let text = "x\n".repeat(501);
    let list = "crates/a/src/x.rs 501 one table\n";
    let files = [
        ("crates/a/src/x.rs", text.as_str()),
        ("crates/a/src/y.rs", &text),
        (exceptions::PATH, list),
    ];
    assert_eq!(places(&files), ["crates/a/src/y.rs"]);
}

#[test]
fn inline_tests_end_at_60_lines() {
    let module =
        |inner: usize| format!("fn a() {{}}\nmod tests {{\n{}}}\n", "    x\n".repeat(inner));
    assert_eq!(places(&[("crates/a/src/x.rs", &module(58))]), [""; 0]);
    assert_eq!(
        places(&[("crates/a/src/x.rs", &module(59))]),
        ["crates/a/src/x.rs:2"]
    );
}

#[test]
fn crowded_folders_are_noted() {
    let paths: Vec<String> = (0..10).map(|at| format!("crates/a/src/x{at}.rs")).collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
    assert_eq!(notes(&Tree::of(&files)).len(), 1);
    assert!(notes(&Tree::of(&files[1..])).is_empty());
}
