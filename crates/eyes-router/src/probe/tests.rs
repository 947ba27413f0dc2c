use std::collections::BTreeSet;

use super::*;

#[test]
fn each_seed_gives_an_order_of_all_nine_colours() {
    let mut orders = BTreeSet::new();
    for seed in 0..1_000 {
        let cells = PixelProbe::shuffled(seed).cells();
        assert_eq!(BTreeSet::from(cells).len(), 9, "seed {seed}");
        orders.insert(cells);
    }
    assert_eq!(orders.len(), 1_000, "small seeds give distinct orders");
}

#[test]
fn the_picture_shows_the_cells_in_order() {
    let probe = PixelProbe::shuffled(12_345);
    let raster = probe.raster();
    for (at, colour) in probe.0.iter().enumerate() {
        let (x, y) = (at % 3, at / 3);
        let middle = PROBE_CELL / 2;
        let row = raster.row(y as u32 * PROBE_CELL + middle);
        let pixel = (x as u32 * PROBE_CELL + middle) as usize * 3;
        assert_eq!(row[pixel..pixel + 3], colour.rgb, "cell {at}");
    }
}

#[test]
fn only_nine_right_names_are_an_answer() {
    let probe = PixelProbe::shuffled(7);
    let right = format!("{:?}", probe.cells());
    let other = format!("{:?}", PixelProbe::shuffled(8).cells());
    for (answer, expected) in [
        (format!("{{\"cells\":{right}}}"), true),
        (
            format!("I see: {{\"cells\":{}}} there", right.to_uppercase()),
            true,
        ),
        (format!("{{\"cells\":{other}}}"), false),
        ("{\"cells\":[]}".to_owned(), false),
        ("{\"cells\":[1,2,3,4,5,6,7,8,9]}".to_owned(), false),
        ("}{".to_owned(), false),
        (String::new(), false),
        (
            format!(
                "{{\"cells\":{right}}}{}",
                " ".repeat(MAX_PROBE_ANSWER_BYTES)
            ),
            false,
        ),
    ] {
        assert_eq!(probe.is_answered_by(&answer), expected, "{answer:.60}");
    }
}

#[test]
fn the_request_shows_the_admitted_picture() {
    let route: Route = "local/eye".parse().expect("a route");
    let request = PixelProbe::shuffled(1).request(&route).expect("a request");
    assert_eq!((request.model.as_str(), request.task), ("eye", Task::Probe));
    let ContentBlock::Image(image) = &request.messages[0].content[0] else {
        panic!("an image first");
    };
    assert_eq!(image.identity.size.width, 3 * PROBE_CELL);
}
