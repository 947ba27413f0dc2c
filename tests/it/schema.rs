//! The evidence types and the published schema give the same verdict.
//!
//! The oracle is the `jsonschema` crate over `schemas/visual-evidence.schema.json`, plus the one rule that JSON
//! Schema cannot say: a box ends inside the image.

use std::{fs, path::PathBuf};

use eyes_evidence::{
    code::Coded,
    geometry::PixelSize,
    parse::{ParseContext, parse_evidence},
    record::Evidence,
    schema::VISUAL_EVIDENCE_SCHEMA,
};
use serde_json::{Value, json};

/// Mutations in all, over four seeds.
const MUTATIONS: u32 = 1_000_000;

struct Oracle(jsonschema::Validator);

impl Oracle {
    fn new() -> Self {
        let schema = serde_json::from_str(VISUAL_EVIDENCE_SCHEMA).expect("the schema is JSON");
        Self(jsonschema::draft7::new(&schema).expect("the schema is a schema"))
    }

    fn accepts(&self, document: &Value) -> bool {
        self.0.is_valid(document) && boxes_end_inside(document)
    }
}

pub(crate) fn boxes_end_inside(document: &Value) -> bool {
    let lists = ["ocr", "regions", "objects", "observations"];
    let entries = lists
        .iter()
        .filter_map(|list| document[*list].as_array())
        .flatten();
    entries.into_iter().all(|entry| {
        let number = |at: usize| entry["bbox"][at].as_f64().unwrap_or(0.0);
        number(0) + number(2) <= 1.000_001 && number(1) + number(3) <= 1.000_001
    })
}

pub(crate) fn vectors(kind: &str) -> Vec<(String, Value)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../schemas/vectors")
        .join(kind);
    let mut vectors: Vec<_> = fs::read_dir(folder)
        .expect("the vectors are there")
        .map(|entry| {
            let path = entry.expect("a file").path();
            let text = fs::read_to_string(&path).expect("a text");
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, serde_json::from_str(&text).expect("JSON"))
        })
        .collect();
    vectors.sort_by(|a, b| a.0.cmp(&b.0));
    vectors
}

#[test]
fn accept_vectors_are_accepted_and_written_back_as_they_are() {
    let oracle = Oracle::new();
    let vectors = vectors("accept");
    assert!(vectors.len() >= 10);
    for (name, document) in vectors {
        assert!(oracle.accepts(&document), "{name}");
        let evidence =
            Evidence::from_json(&document.to_string()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let written = serde_json::to_value(&evidence).expect("JSON");
        assert_eq!(as_floats(written), as_floats(document.clone()), "{name}");
        let context = ParseContext {
            kind: evidence.kind(),
            size: PixelSize {
                width: 1920,
                height: 1080,
            },
            route: None,
        };
        let parsed = parse_evidence(&document.to_string(), &context).expect("valid documents pass");
        assert_eq!(parsed.evidence, evidence, "{name}");
        assert_eq!(
            (parsed.audit.repairs.count, parsed.audit.dropped.count),
            (0, 0),
            "{name}"
        );
    }
}

#[test]
fn reject_vectors_are_refused_with_their_code() {
    let oracle = Oracle::new();
    let vectors = vectors("reject");
    assert!(vectors.len() >= 50);
    for (name, vector) in vectors {
        let document = &vector["document"];
        assert!(!oracle.accepts(document), "{name}: {}", vector["why"]);
        let error = Evidence::from_json(&document.to_string()).expect_err(&name);
        assert_eq!(
            Some(error.code().as_str()),
            vector["code"].as_str(),
            "{name}"
        );
    }
}

/// Bounds whose documents are too long to keep as files.
#[test]
fn list_and_text_bounds_are_the_schema_s() {
    let oracle = Oracle::new();
    let ocr = json!({"text": "a", "bbox": [0, 0, 1, 1], "confidence": 1});
    let region = json!({"id": "a", "bbox": [0, 0, 1, 1], "description": "a"});
    let object = json!({"name": "a", "bbox": [0, 0, 1, 1], "attributes": []});
    let lists = [
        ("ocr", ocr, 5_000),
        ("regions", region, 1_000),
        ("objects", object, 2_000),
        ("relations", json!("a"), 2_000),
        ("quantitativeFacts", json!("a"), 2_000),
        ("uncertainties", json!("a"), 2_000),
    ];
    let mut cases = Vec::new();
    for (list, entry, bound) in lists {
        for count in [bound, bound + 1] {
            let mut document = base();
            document[list] = vec![entry.clone(); count].into();
            cases.push((document, count <= bound, list));
        }
    }
    for (count, fits) in [(20_000, true), (20_001, false)] {
        let mut document = base();
        document["summary"] = "\u{1F600}".repeat(count).into();
        cases.push((document, fits, "summary"));
    }
    for (count, fits) in [(256, true), (257, false)] {
        let mut document = base();
        document["objects"][0]["attributes"] = (0..count).map(|n| json!(n.to_string())).collect();
        cases.push((document, fits, "attributes"));
    }
    for (document, fits, name) in cases {
        assert_eq!(oracle.accepts(&document), fits, "{name}");
        assert_eq!(
            Evidence::from_json(&document.to_string()).is_ok(),
            fits,
            "{name}"
        );
    }
}

#[test]
fn a_million_mutations_get_one_verdict() {
    let threads: Vec<_> = (1..=4_u64)
        .map(|seed| std::thread::spawn(move || mutate_many(seed, MUTATIONS / 4)))
        .collect();
    let mut accepted = 0;
    for thread in threads {
        accepted += thread.join().expect("no disagreement");
    }
    // Mutations that only ever break documents would prove half of it.
    let share = f64::from(accepted) / f64::from(MUTATIONS);
    assert!(
        (0.05..0.95).contains(&share),
        "{share} of the mutations were valid"
    );
}

fn mutate_many(seed: u64, count: u32) -> u32 {
    let oracle = Oracle::new();
    let originals = [base(), target()];
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut accepted = 0;
    for _ in 0..count {
        let mut document = originals[random.below(2)].clone();
        for _ in 0..=random.below(2) {
            mutate(&mut document, &mut random);
        }
        let text = document.to_string();
        let expected = oracle.accepts(&document);
        let read = Evidence::from_json(&text);
        assert_eq!(read.is_ok(), expected, "{text}: {read:?}");
        accepted += u32::from(expected);
    }
    accepted
}

fn base() -> Value {
    vectors("accept")
        .into_iter()
        .find(|(name, _)| name == "base")
        .expect("there")
        .1
}

fn target() -> Value {
    vectors("accept")
        .into_iter()
        .find(|(name, _)| name == "target")
        .expect("there")
        .1
}

/// A xorshift generator: the same mutations in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Walks to a random place, and drops, adds, renames, repeats, widens or retypes what is there.
fn mutate(value: &mut Value, random: &mut Random) {
    let deeper = random.below(4) > 0;
    match value {
        Value::Object(object) if deeper && !object.is_empty() => {
            let at = random.below(object.len());
            if let Some((_, member)) = object.iter_mut().nth(at) {
                mutate(member, random);
            }
        }
        Value::Array(list) if deeper && !list.is_empty() => {
            let at = random.below(list.len());
            mutate(&mut list[at], random);
        }
        Value::Object(object) => {
            let name = object
                .keys()
                .nth(random.below(object.len().max(1)))
                .cloned();
            match (random.below(5), name) {
                (0, Some(name)) => drop(object.shift_remove(&name)),
                (1, Some(name)) => {
                    let member = object.shift_remove(&name).unwrap_or_default();
                    object.insert(name.to_uppercase(), member);
                }
                (2, _) => drop(object.insert("extra".to_owned(), scalar(random))),
                (3, _) => *value = object.values().cloned().collect(),
                _ => *value = scalar(random),
            }
        }
        Value::Array(list) => match random.below(5) {
            0 => drop(list.pop()),
            1 => list.push(list.first().cloned().unwrap_or_else(|| scalar(random))),
            2 => list.push(scalar(random)),
            3 => list.reverse(),
            _ => *value = scalar(random),
        },
        other => *other = near(other, random),
    }
}

/// A value of the same kind that is probably still right, or one of another kind.
fn near(value: &Value, random: &mut Random) -> Value {
    const NUMBERS: [f64; 12] = [
        0.0,
        1.0,
        0.5,
        0.05,
        0.25,
        1e-12,
        1.000_000_5,
        1.000_002,
        -1e-9,
        2.0,
        0.999_999_9,
        100.0,
    ];
    const TEXTS: [&str; 10] = [
        "a",
        "r1",
        "nav bar",
        "\u{5bfc}\u{822a}",
        "",
        "a.b_c:d-e",
        "blue",
        "enabled",
        "\n",
        "deepseekeyes.target.v1",
    ];
    match (value, random.below(6)) {
        (_, 0) => scalar(random),
        (Value::Number(_), _) => json!(NUMBERS[random.below(NUMBERS.len())]),
        (Value::String(_), _) => json!(TEXTS[random.below(TEXTS.len())]),
        (other, _) => other.clone(),
    }
}

fn scalar(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(0.5),
        3 => json!("text"),
        4 => json!([]),
        5 => json!({}),
        6 => json!([0.1, 0.1, 0.2, 0.2]),
        _ => json!(-7),
    }
}

/// The document with every number as a double, so that 1 and 1.0 compare equal.
fn as_floats(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(list) => list.into_iter().map(as_floats).collect(),
        Value::Object(object) => object
            .into_iter()
            .map(|(name, v)| (name, as_floats(v)))
            .collect(),
        other => other,
    }
}
