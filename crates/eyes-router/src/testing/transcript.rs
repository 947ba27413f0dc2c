//! Requests as text.

use std::fmt::Arguments;

use crate::model::{ContentBlock, GenerateRequest};

/// Writes a request as one text, in the order in which providers read it: tools, system text, messages.
///
/// Equal requests give equal texts, and a request that only adds messages begins with the text of the one before.
/// Images are told by their hash.
pub fn transcript(request: &GenerateRequest) -> String {
    let mut out = String::new();
    for tool in &*request.tools {
        line(
            &mut out,
            format_args!(
                "tool {} {} {}",
                tool.name, tool.parameters, tool.description
            ),
        );
    }
    if let Some(system) = &request.system {
        line(&mut out, format_args!("system {system}"));
    }
    for message in &request.messages {
        line(&mut out, format_args!("{:?}", message.role));
        for block in &message.content {
            write_block(&mut out, block);
        }
    }
    out
}

fn write_block(out: &mut String, block: &ContentBlock) {
    match block {
        ContentBlock::Text(text) => line(out, format_args!("text {text}")),
        ContentBlock::Image(image) => {
            line(out, format_args!("image {}", image.identity.sha256));
        }
        ContentBlock::Reasoning(reasoning) => {
            line(out, format_args!("reasoning {}", reasoning.text));
            if let Some(signature) = &reasoning.signature {
                line(out, format_args!("signature {signature}"));
            }
        }
        ContentBlock::ToolCall(call) => line(
            out,
            format_args!("call {} {} {}", call.id, call.name, call.arguments),
        ),
        ContentBlock::ToolResult(result) => {
            line(
                out,
                format_args!("result {} {}", result.call_id, result.is_error),
            );
            for block in &result.content {
                write_block(out, block);
            }
        }
    }
}

fn line(out: &mut String, text: Arguments<'_>) {
    out.push_str(&text.to_string());
    out.push('\n');
}

/// Returns how many bytes two texts have in common at their start.
pub fn common_prefix(one: &str, two: &str) -> usize {
    let pairs = one.bytes().zip(two.bytes());
    pairs.take_while(|(a, b)| a == b).count()
}
