//! Every file in this folder is a module of the one integration binary.

use std::path::Path;

#[test]
fn every_file_here_is_a_module() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it");
    let main = std::fs::read_to_string(folder.join("main.rs")).expect("main.rs");
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a name");
        if name != "main" {
            let line = format!("mod {name};");
            assert!(main.lines().any(|l| l == line), "main.rs lacks `{line}`");
        }
    }
}
