//! Documents of boxes, and the places that they mean.

use super::{Form, Plan, Written};
use crate::{geometry::PixelSize, parse::audit::Convention};

const FULL_HD: PixelSize = PixelSize {
    width: 1920,
    height: 1080,
};

fn text(values: [f64; 4]) -> Written {
    Written {
        values,
        form: Form::Unknown,
        is_text: true,
    }
}

fn thing(values: [f64; 4]) -> Written {
    Written {
        values,
        form: Form::Unknown,
        is_text: false,
    }
}

fn labelled(form: Form, values: [f64; 4]) -> Written {
    Written {
        values,
        form,
        is_text: false,
    }
}

/// Lines of text on a page, as shares of the image.
fn page(lines: usize) -> Vec<[f64; 4]> {
    (0..lines)
        .map(|i| {
            let i = i as f64;
            let x = 0.03 + 0.31 * (i % 3.0);
            let y = 0.02 + 0.94 * i / lines as f64;
            [x, y, 0.08 + 0.02 * (i % 7.0), 0.02]
        })
        .collect()
}

/// The size to which `route` shrinks a picture of `size`.
fn resized(route: &str, size: PixelSize) -> Option<PixelSize> {
    super::family::resized(route, size)
}

fn write_as(convention: Convention, size: PixelSize, boxes: &[[f64; 4]]) -> Vec<Written> {
    use Convention as C;
    let [w, h] = match convention {
        C::NormalizedXywh | C::NormalizedXyxy | C::NormalizedYxyx => [1.0, 1.0],
        C::ThousandXywh | C::ThousandXyxy | C::ThousandYxyx => [1000.0, 1000.0],
        _ => [f64::from(size.width), f64::from(size.height)],
    };
    let digits = if w > 1.0 { 1.0 } else { 1e4 };
    let round = |v: f64| (v * digits).round() / digits;
    let write = |[x, y, bw, bh]: [f64; 4]| match convention {
        C::NormalizedXywh | C::ThousandXywh | C::PixelXywh => [x * w, y * h, bw * w, bh * h],
        C::NormalizedXyxy | C::ThousandXyxy | C::PixelXyxy => {
            [x * w, y * h, (x + bw) * w, (y + bh) * h]
        }
        _ => [y * h, x * w, (y + bh) * h, (x + bw) * w],
    };
    boxes.iter().map(|b| text(write(*b).map(round))).collect()
}

#[test]
fn a_page_of_text_is_read_in_whatever_way_it_was_written() {
    use Convention as C;
    let routes = [
        (C::NormalizedXywh, "openai/gpt-4.1"),
        (C::NormalizedXywh, "dashscope/qwen3-vl-plus"),
        (C::NormalizedXywh, "google/gemini-3-flash"),
        (C::NormalizedXyxy, "moonshot/kimi-k3"),
        (C::NormalizedXyxy, "openai/gpt-4.1"),
        (C::NormalizedYxyx, "google/gemini-3-flash"),
        (C::ThousandXyxy, "opencode/qwen3.7-plus"),
        (C::ThousandXyxy, "unknown/model"),
        (C::ThousandXyxy, "zhipu/glm-5v"),
        (C::ThousandYxyx, "google/gemini-3-flash"),
        (C::ThousandXywh, "unknown/model"),
        (C::PixelXywh, "minimax/m3"),
        (C::PixelXyxy, "openai/gpt-4.1"),
        (C::PixelXyxy, "dashscope/qwen2.5-vl-72b"),
        (C::PixelXywh, "opencode/qwen3.7-plus"),
    ];
    let sizes = [
        FULL_HD,
        PixelSize {
            width: 800,
            height: 600,
        },
        PixelSize {
            width: 3840,
            height: 2160,
        },
    ];
    for size in sizes {
        for (convention, route) in routes {
            // On a small image thousandths and pixels of a full page overlap too much to tell the order apart
            // without the family's habit.
            if size.width == 800 && convention == C::ThousandXywh {
                continue;
            }
            let boxes = page(40);
            let written = write_as(convention, size, &boxes);
            let (plan, audit) = Plan::decide(written.iter().copied(), size, Some(route));
            assert_eq!(audit.convention, convention, "{route} {size:?} {audit:?}");
            for (expected, written) in boxes.iter().zip(written) {
                let placed: [f64; 4] = plan.place(written).expect("a box").bbox.into();
                for (a, b) in expected.iter().zip(placed) {
                    assert!(
                        (a - b).abs() < 0.003,
                        "{route}: {expected:?} read as {placed:?}"
                    );
                }
            }
        }
    }
}

/// Models that measure the picture as they were shown it.
#[test]
fn pixels_of_a_shrunk_picture_are_told_from_its_own() {
    use Convention as C;
    let uhd = PixelSize {
        width: 3840,
        height: 2160,
    };
    for (route, size) in [
        ("anthropic/claude-opus-4-1", FULL_HD),
        ("anthropic/claude-opus-4-1", uhd),
        ("openai/gpt-4o", FULL_HD),
        ("openai/gpt-4o", uhd),
        ("dashscope/qwen2.5-vl-72b", FULL_HD),
    ] {
        let shown = resized(route, size).expect("a rule that applies");
        for (as_pixels, expected) in [
            (C::PixelXywh, C::ResizedXywh),
            (C::PixelXyxy, C::ResizedXyxy),
        ] {
            let boxes = page(40);
            let written = write_as(as_pixels, shown, &boxes);
            let (plan, audit) = Plan::decide(written.iter().copied(), size, Some(route));
            assert_eq!(audit.convention, expected, "{route} {size:?} {audit:?}");
            assert_eq!(audit.resized, Some(shown));
            for (expected, written) in boxes.iter().zip(written) {
                let placed: [f64; 4] = plan.place(written).expect("a box").bbox.into();
                let off = |(a, b): (&f64, f64)| (a - b).abs();
                assert!(expected.iter().zip(placed).all(|pair| off(pair) < 0.003));
            }
            // The picture's own pixels stay its own.
            let written = write_as(as_pixels, size, &page(40));
            let (_, audit) = Plan::decide(written.into_iter(), size, Some(route));
            assert_eq!(
                (audit.convention, audit.resized),
                (as_pixels, None),
                "{route}"
            );
        }
    }
    let small = PixelSize {
        width: 800,
        height: 600,
    };
    assert_eq!(resized("anthropic/claude-opus-4-1", small), None);
    assert_eq!(resized("unknown/model", uhd), None);
}

/// The observed faults of per-box guessing.
#[test]
fn a_document_has_one_geometry() {
    let boxes = [thing([0.1, 0.1, 0.4, 0.3]), thing([0.7, 0.7, 0.9, 0.9])];
    let (plan, audit) = Plan::decide(boxes.into_iter(), FULL_HD, None);
    assert_eq!(audit.convention, Convention::NormalizedXyxy);
    let read = boxes.map(|b| <[f64; 4]>::from(plan.place(b).expect("a box").bbox));
    assert_eq!(read, [[0.1, 0.1, 0.3, 0.2], [0.7, 0.7, 0.2, 0.2]]);
}

#[test]
fn a_plain_document_is_decided_as_by_the_full_comparison() {
    // One box after another turns into a corner: the short way ends where the doubt begins.
    let boxes = page(12);
    for corners in 0..=12 {
        let written: Vec<_> = boxes
            .iter()
            .enumerate()
            .map(|(at, [x, y, w, h])| {
                if at < corners {
                    text([*x, *y, x + w, y + h])
                } else {
                    text([*x, *y, *w, *h])
                }
            })
            .collect();
        let (_, audit) = Plan::decide(written.iter().copied(), FULL_HD, None);
        match corners {
            0..=1 => assert_eq!(
                (audit.convention, audit.certainty),
                (Convention::NormalizedXywh, 1.0)
            ),
            12 => assert_eq!(audit.convention, Convention::NormalizedXyxy),
            _ => {}
        }
    }
}

#[test]
fn labels_settle_the_order() {
    let cases = [
        (
            Form::Xyxy,
            [0.1, 0.1, 0.4, 0.3],
            None,
            Convention::NormalizedXyxy,
            [0.1, 0.1, 0.3, 0.2],
        ),
        (
            Form::Xywh,
            [100.0, 200.0, 600.0, 260.0],
            Some("opencode/qwen3.7-plus"),
            Convention::ThousandXywh,
            [0.1, 0.2, 0.6, 0.26],
        ),
        (
            Form::Xywh,
            [192.0, 108.0, 960.0, 540.0],
            Some("openai/gpt-4.1"),
            Convention::PixelXywh,
            [0.1, 0.1, 0.5, 0.5],
        ),
    ];
    for (form, values, route, convention, expected) in cases {
        let written = labelled(form, values);
        let (plan, audit) = Plan::decide([written].into_iter(), FULL_HD, route);
        assert_eq!(audit.convention, convention);
        assert_eq!(
            <[f64; 4]>::from(plan.place(written).expect("a box").bbox),
            expected
        );
    }
}

#[test]
fn a_guess_is_called_a_guess() {
    let one = [thing([100.0, 200.0, 600.0, 260.0])];
    let (_, audit) = Plan::decide(one.into_iter(), FULL_HD, Some("some/model"));
    assert!(audit.ambiguous, "{audit:?}");
    assert!(audit.runner_up.is_some());
    let both = [
        thing([0.0, 0.0, 1.0, 1.0]),
        thing([100.0, 200.0, 600.0, 260.0]),
    ];
    let (_, audit) = Plan::decide(both.into_iter(), FULL_HD, Some("some/model"));
    assert_eq!(audit.convention, Convention::Mixed);
    assert!(audit.ambiguous);
}

#[test]
fn one_outlier_does_not_turn_the_document() {
    let mut written = write_as(Convention::NormalizedXywh, FULL_HD, &page(60));
    written.push(text([0.9, 0.5, 0.4, 0.02]));
    let (plan, audit) = Plan::decide(written.iter().copied(), FULL_HD, None);
    assert_eq!(audit.convention, Convention::NormalizedXywh);
    assert_eq!(plan.place(written[60]), None);
    assert!(plan.place(written[0]).is_some());
}

#[test]
fn edges_are_cut_by_a_little_and_refused_by_more() {
    let cases = [
        ([1900.0, 10.0, 21.0, 20.0], true),
        ([1900.0, 10.0, 55.0, 20.0], true),
        ([1900.0, 10.0, 90.0, 20.0], false),
        ([-5.0, 10.0, 90.0, 20.0], true),
        ([-500.0, 10.0, 900.0, 20.0], false),
        ([f64::NAN, 10.0, 90.0, 20.0], false),
        ([10.0, 10.0, f64::INFINITY, 20.0], false),
    ];
    let mut written = write_as(Convention::PixelXywh, FULL_HD, &page(40));
    for (values, fits) in cases {
        written.push(text(values));
        let (plan, audit) = Plan::decide(written.iter().copied(), FULL_HD, None);
        assert_eq!(audit.convention, Convention::PixelXywh);
        assert_eq!(plan.place(text(values)).is_some(), fits, "{values:?}");
        written.pop();
    }
}

proptest::proptest! {
    #[test]
    fn whatever_is_placed_lies_in_the_image(
        boxes in proptest::collection::vec([-2000.0..4000.0_f64, -2000.0..4000.0, -10.0..4000.0, -10.0..4000.0], 1..20),
        unit: bool,
        width in 1..4000_u32,
        height in 1..4000_u32,
    ) {
        let size = PixelSize { width, height };
        let scale = if unit { 1.0 / 3000.0 } else { 1.0 };
        let written: Vec<_> = boxes.iter().map(|b| text(b.map(|v| v * scale))).collect();
        let (plan, _) = Plan::decide(written.iter().copied(), size, None);
        for one in written {
            // Construction of the box is the check: `place` must not panic, and never returns an invalid one.
            let _placed = plan.place(one);
        }
    }
}
