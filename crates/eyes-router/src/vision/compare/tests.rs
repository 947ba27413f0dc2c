//! What counts as the same text, and in which place.

use eyes_evidence::{
    geometry::NormalizedBbox,
    record::{Confidence, NonEmptyText, OcrEntry},
};
use proptest::prelude::*;

use super::*;

/// A line in thousandths of the picture.
pub(crate) fn line(text: &str, [x, y, w, h]: [u16; 4]) -> OcrEntry {
    let [x, y, w, h] = [x, y, w, h].map(|n| f64::from(n) / 1000.0);
    OcrEntry {
        text: NonEmptyText::new(text).expect("a text"),
        bbox: NormalizedBbox::new(x, y, w, h).expect("a box"),
        confidence: Confidence::new(0.95).expect("a confidence"),
    }
}

const RULES: Rules = Rules {
    slips: Slips::OfRecognition,
    covers: |c| c.is_ascii() || ('\u{4e00}'..='\u{9fff}').contains(&c),
    min_confidence: 0.6,
    min_height: 0.008,
};

const HERE: [u16; 4] = [100, 100, 200, 20];

#[test]
fn the_same_text_is_found_through_slips_and_never_through_other_numbers() {
    for (claim, seen, alike) in [
        ("Save changes", "Save changes", true),
        ("Save  changes", "Savechanges", true),
        ("\u{ff33}ave \u{ff11}", "Save 1", true),
        (
            "\u{201c}it\u{2019}s\u{201d} \u{2014} ok",
            "\"it's\" - ok",
            true,
        ),
        ("Save changes", "Sawe changes", true),
        ("Save changes to file", "Sawe chanqes to file", true),
        ("Save changes", "Discard changes", false),
        ("ON", "ONE", false),
        (
            "Sound of all notifications is on",
            "Sound of all notifications is off",
            false,
        ),
        (
            "Sound of all notifications is on",
            "Sound of all notlfications is on",
            true,
        ),
        ("Save", "Safe", false),
        ("Total 1,234.56", "Total 1,284.56", false),
        ("Total 1,234.56", "Total 1.234,56", false),
        ("Change -12.50 today", "Change 12.50 today", false),
        ("Battery 50%", "Battery 50", false),
        (
            "\u{8bbe}\u{7f6e}\u{8bed}\u{8a00}\u{548c}\u{5730}\u{533a}",
            "\u{8bbe}\u{7f6e}\u{8bed}\u{8a00}\u{548c}\u{5730}\u{533b}",
            true,
        ),
        ("\u{8bbe}\u{7f6e}", "\u{8bbe}\u{5907}", false),
    ] {
        let found = compare(&[line(claim, HERE)], &[line(seen, HERE)], RULES).entries;
        let expected = if alike {
            EntryCheck::Agreed
        } else {
            let text = NonEmptyText::new(seen).expect("a text");
            EntryCheck::Differs { text }
        };
        assert_eq!(found, [expected], "{claim:?} and {seen:?}");
    }
}

#[test]
fn a_part_of_a_line_is_whole_words() {
    for (claim, seen, found) in [
        ("Value", "Name: Value", true),
        ("42", "Port 42 is open", true),
        ("42", "Port 420 is open", false),
        ("12", "3.12", false),
        ("cat", "concatenate", false),
        ("\u{8bed}\u{8a00}", "\u{8bbe}\u{7f6e}\u{8bed}\u{8a00}", true),
    ] {
        let part = line(claim, [200, 100, 60, 20]);
        let all = compare(&[part], &[line(seen, HERE)], RULES).entries;
        assert_eq!(all == [EntryCheck::Agreed], found, "{claim:?} in {seen:?}");
    }
}

#[test]
fn a_claim_may_cover_several_lines() {
    let seen = [
        line("second row of it", [100, 125, 180, 20]),
        line("left", [100, 100, 60, 20]),
        line("right", [170, 101, 60, 20]),
        line("elsewhere", [100, 400, 100, 20]),
    ];
    for (claim, bbox) in [
        ("left right second row of it", [100, 100, 200, 45]),
        ("left right", [100, 100, 140, 20]),
        ("right left", [100, 100, 140, 20]),
        ("right second row of", [90, 90, 220, 60]),
    ] {
        let comparison = compare(&[line(claim, bbox)], &seen, RULES);
        assert_eq!(comparison.entries, [EntryCheck::Agreed], "{claim}");
        let unclaimed: Vec<_> = comparison
            .unclaimed
            .iter()
            .map(|l| l.text.as_str())
            .collect();
        assert!(unclaimed.contains(&"elsewhere"), "{unclaimed:?}");
    }
}

#[test]
fn what_stands_elsewhere_or_cannot_be_told_is_said_so() {
    let seen = [
        line("Settings", [100, 500, 100, 20]),
        line("Cancel", HERE),
        OcrEntry {
            confidence: Confidence::new(0.3).expect("a confidence"),
            ..line("blurred", [600, 600, 100, 20])
        },
    ];
    let bbox = seen[0].bbox;
    let unchecked = |reason| EntryCheck::Unchecked { reason };
    for (claim, expected) in [
        (line("Settings", HERE), EntryCheck::Misplaced { bbox }),
        (
            line("Settings", [700, 100, 100, 20]),
            EntryCheck::Misplaced { bbox },
        ),
        (
            line("Nothing of it", [700, 100, 100, 20]),
            unchecked(UncheckedReason::NothingThere),
        ),
        (
            line("Settings", [100, 500, 100, 7]),
            unchecked(UncheckedReason::TooSmall),
        ),
        (
            line("\u{43d}\u{430}", HERE),
            unchecked(UncheckedReason::ScriptNotCovered),
        ),
        (
            line("Readable", [600, 600, 100, 20]),
            unchecked(UncheckedReason::LowConfidence),
        ),
        (line("blurred", [600, 600, 100, 20]), EntryCheck::Agreed),
    ] {
        let text = claim.text.clone();
        assert_eq!(
            compare(&[claim], &seen, RULES).entries,
            [expected],
            "{text}"
        );
    }
}

#[test]
fn the_longest_documents_are_compared_within_bounds() {
    let long = "word ".repeat(3_999);
    let seen: Vec<_> = (0..5_000_u16)
        .map(|n| line(&format!("{n} {long}"), [n % 900, n % 950, 50, 20]))
        .collect();
    let claimed: Vec<_> = seen.iter().take(50).cloned().collect();
    let entries = compare(&claimed, &seen, RULES).entries;
    assert_eq!(entries.len(), 50);
    let limit = EntryCheck::Unchecked {
        reason: UncheckedReason::Limit,
    };
    assert!(entries.contains(&limit));
}

fn lines() -> impl Strategy<Value = Vec<OcrEntry>> {
    let one = (
        "[a-zA-Z0-9 .,%-]{1,24}",
        0..800_u16,
        0..950_u16,
        20..200_u16,
        10..50_u16,
    )
        .prop_filter("a text", |(text, ..)| !text.trim().is_empty())
        .prop_map(|(text, x, y, w, h)| line(&text, [x, y, w, h]));
    prop::collection::vec(one, 0..40)
}

proptest! {
    /// A reading compared with itself agrees, whatever it says and wherever.
    #[test]
    fn a_reading_agrees_with_itself(all in lines()) {
        let rules = Rules { slips: Slips::None, covers: |_| true, min_confidence: 0.0, min_height: 0.0 };
        let comparison = compare(&all, &all, rules);
        prop_assert!(comparison.entries.iter().all(|entry| *entry == EntryCheck::Agreed), "{comparison:?}");
        prop_assert!(comparison.unclaimed.is_empty());
    }

    /// There is one verdict for each claim, and the order of the second reading makes no difference to it.
    #[test]
    fn every_claim_gets_a_verdict(claimed in lines(), seen in lines()) {
        let comparison = compare(&claimed, &seen, RULES);
        prop_assert_eq!(comparison.entries.len(), claimed.len());
        let agreed = |entries: &[EntryCheck]| -> Vec<bool> {
            entries.iter().map(|entry| *entry == EntryCheck::Agreed).collect()
        };
        let mut turned = seen.clone();
        turned.reverse();
        let again = compare(&claimed, &turned, RULES);
        prop_assert_eq!(agreed(&comparison.entries), agreed(&again.entries));
    }

    /// A digit that differs is never passed over.
    #[test]
    fn another_digit_is_another_text(text in "[a-z ]{0,30}", number in 10_u32..99_999, other in 10_u32..99_999) {
        prop_assume!(number != other);
        let claim = line(&format!("{text} {number}"), HERE);
        let seen = line(&format!("{text} {other}"), HERE);
        prop_assert_ne!(compare(&[claim], &[seen], RULES).entries.remove(0), EntryCheck::Agreed);
    }
}
