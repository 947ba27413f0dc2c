use super::*;

const SHA: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

fn request(question: &str) -> String {
    format!("{OPEN}{{\"imageSha256\":\"{SHA}\",\"question\":\"{question}\"}}{CLOSE}")
}

/// Returns all that was shown, and what was asked for, of an answer in pieces of `size` characters.
fn run(answer: &str, size: usize) -> (String, Control) {
    let mut gate = ControlGate::default();
    let mut shown = String::new();
    let chars: Vec<char> = answer.chars().collect();
    for piece in chars.chunks(size) {
        shown.push_str(&gate.push(&piece.iter().collect::<String>()));
    }
    let (rest, control) = gate.finish();
    shown.push_str(&rest);
    (shown, control)
}

fn look(question: &str) -> Control {
    Control::Look(LookRequest {
        image_sha256: SHA.parse().unwrap(),
        question: question.to_owned(),
        region: None,
    })
}

#[test]
fn what_is_shown_and_what_is_asked_does_not_depend_on_the_pieces() {
    let quoted = format!("You would write `{}`.", request("a"));
    let named = format!("The tag {OPEN} opens a request and {CLOSE} closes it.");
    let in_the_middle = format!("{} is what I would have sent.", request("a"));
    let unclosed_quote = format!("It begins with `{OPEN}`");
    let long = format!("{OPEN}{}", "x".repeat(MAX_CONTROL_BYTES));
    let behind = format!("Let me look.\n\n{}", request("what?"));
    let bad_behind = format!("As said: {OPEN}nothing{CLOSE}");
    let open_behind = format!("As said: {OPEN}");
    let cases: Vec<(String, &str, Control)> = vec![
        ("It is 4.".to_owned(), "It is 4.", Control::None),
        ("  a < b, b <de".to_owned(), "  a < b, b <de", Control::None),
        (request("what?"), "", look("what?")),
        (format!("\n  {}\n", request("what?")), "", look("what?")),
        (behind, "Let me look.\n\n", look("what?")),
        (quoted.clone(), &quoted, Control::None),
        (named.clone(), &named, Control::None),
        (in_the_middle.clone(), &in_the_middle, Control::None),
        (unclosed_quote.clone(), &unclosed_quote, Control::None),
        (bad_behind.clone(), &bad_behind, Control::None),
        (open_behind.clone(), &open_behind, Control::None),
        (long.clone(), &long, Control::None),
        (
            format!("{OPEN}look closer{CLOSE}"),
            "",
            Control::Malformed(LookFault::NotJson),
        ),
        (
            format!("{OPEN}{{\"question\":\"a\"}}"),
            "",
            Control::Malformed(LookFault::NotJson),
        ),
        (
            format!("{OPEN}{{\"imageSha256\":\"12\",\"question\":\"a\"}}{CLOSE}"),
            "",
            Control::Malformed(LookFault::Digest),
        ),
        (String::new(), "", Control::None),
    ];
    for (answer, shown, control) in cases {
        for size in [1, 2, 3, 7, 64, 100_000] {
            assert_eq!(
                run(&answer, size),
                (shown.to_owned(), control.clone()),
                "{answer:.80} in pieces of {size}"
            );
        }
    }
}

#[test]
fn an_answer_is_shown_at_once() {
    let mut gate = ControlGate::default();
    assert_eq!(gate.push(" "), "");
    assert_eq!(gate.push("<"), "");
    assert_eq!(gate.push("b>"), " <b>");
    assert_eq!(gate.push("Yes, "), "Yes, ");
    assert_eq!(gate.push("a <d"), "a ");
    assert_eq!(gate.push("iv>"), "<div>");
}

#[test]
fn requests_are_checked_member_by_member() {
    let with = |rest: &str| LookRequest::from_json(&format!("{{\"imageSha256\":\"{SHA}\"{rest}}}"));
    assert_eq!(with(""), Err(LookFault::Question));
    assert_eq!(with(",\"question\":\"  \""), Err(LookFault::Question));
    let long = format!(",\"question\":\"{}\"", "x".repeat(2_001));
    assert_eq!(with(&long), Err(LookFault::Question));
    let region = ",\"question\":\"a\",\"region\":";
    for bad in [
        "[]",
        "{\"x\":0,\"y\":0,\"width\":0,\"height\":1}",
        "{\"x\":0.5,\"y\":0,\"width\":0.6,\"height\":1}",
        "{\"x\":\"0\",\"y\":0,\"width\":1,\"height\":1}",
    ] {
        assert_eq!(
            with(&format!("{region}{bad}")),
            Err(LookFault::Region),
            "{bad}"
        );
    }
    let good = with(&format!(
        "{region}{{\"x\":0,\"y\":0.5,\"width\":1,\"height\":0.5}},\"more\":1"
    ));
    assert!(good.unwrap().region.is_some());
    assert!(with(&format!("{region}null")).unwrap().region.is_none());
    assert_eq!(LookRequest::from_json("[]"), Err(LookFault::NotJson));
    let shouted = with(",\"question\":\"What  IS it?\"").unwrap();
    assert_eq!(
        shouted.key(),
        with(",\"question\":\"what is it?\"").unwrap().key()
    );
}
