//! Scores, words, and the place in a record.

use super::*;
use crate::vision::compare::tests::line;

const SIZE: PixelSize = PixelSize {
    width: 1000,
    height: 1000,
};

pub(crate) fn reader() -> Reader {
    Reader {
        provider: RouteName::new("local").expect("a name"),
        model: RouteName::new("eyes-tiny").expect("a name"),
    }
}

#[test]
fn the_score_is_the_share_of_what_was_checked() {
    let local = [
        line("File", [0, 0, 40, 20]),
        line("Total 120", [0, 100, 90, 20]),
        line("Help", [500, 0, 40, 20]),
    ];
    let claimed = [
        line("File", [0, 0, 40, 20]),
        line("Total 720", [0, 100, 90, 20]),
        line("Nowhere", [800, 800, 90, 20]),
        line("tiny", [0, 0, 40, 7]),
    ];
    let check = grounding(&claimed, &local, SIZE, reader());
    assert_eq!(check.counts(), (1, 2));
    assert_eq!(check.score.map(Confidence::get), Some(0.5));
    assert_eq!(check.unclaimed.total, 1);
    let said = disagreements(&claimed, &check);
    let said: Vec<_> = said.iter().map(NonEmptyText::as_str).collect();
    assert_eq!(
        said,
        ["Text \"Total 720\": local/eyes-tiny reads \"Total 120\" there."]
    );
}

#[test]
fn nothing_checked_is_no_score() {
    for claimed in [&[][..], &[line("\u{43d}\u{435}\u{442}", [0, 0, 40, 20])]] {
        let check = grounding(claimed, &[], SIZE, reader());
        assert_eq!(check.score, None);
        assert!(disagreements(claimed, &check).is_empty());
    }
}

#[test]
fn words_are_bounded_and_count_the_rest() {
    let at = |n: usize| [0, (n * 12) as u16, 400, 10];
    let claimed: Vec<_> = (0..70)
        .map(|n| line(&format!("claimed {n}"), at(n)))
        .collect();
    let local: Vec<_> = (0..70)
        .map(|n| line(&format!("local {n}"), at(n)))
        .collect();
    let check = grounding(&claimed, &local, SIZE, reader());
    let said = disagreements(&claimed, &check);
    assert_eq!(said.len(), MAX_CHECK_UNCERTAINTIES + 1);
    assert_eq!(
        said[MAX_CHECK_UNCERTAINTIES].as_str(),
        "20 more texts are read differently by local/eyes-tiny."
    );
}

#[test]
fn a_long_claim_is_cut_in_words() {
    let long = "x".repeat(20_000);
    let claimed = [line(&long, [0, 0, 400, 20])];
    let check = grounding(&claimed, &[line("other", [0, 0, 400, 20])], SIZE, reader());
    let said = disagreements(&claimed, &check);
    assert!(said[0].as_str().chars().count() < 300);
}
