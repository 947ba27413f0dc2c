//! Matching of globs.

/// Tells whether a glob matches the whole text: `*` is any run of characters, `?` one, ends of lines included.
///
/// Only the last `*` is ever tried again, so the steps stay below the product of both lengths.
pub fn glob_matches(glob: &str, text: &str) -> bool {
    let mut pattern = glob.chars();
    let mut rest = text.chars();
    // Where to go on when a match fails: behind the last `*`, and what it has not taken yet.
    let mut again: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        match (pattern.next(), rest.clone().next()) {
            (Some('*'), _) => {
                if pattern.as_str().is_empty() {
                    return true;
                }
                again = Some((pattern.clone(), rest.clone()));
                continue;
            }
            (None, None) => return true,
            (Some(wanted), Some(found)) if wanted == '?' || wanted == found => {
                rest.next();
                continue;
            }
            // Wherever else the last `*` ended, less text would be left.
            (Some(_), None) => return false,
            _ => {}
        }
        let Some((behind, taken)) = &mut again else {
            return false;
        };
        taken.next();
        pattern.clone_from(behind);
        rest.clone_from(taken);
    }
}
