//! Pictures of a result: decoded and named, and known by their bytes.

use eyes_evidence::image::MediaType;
use serde_json::Value;

use super::{BoundContext, ResultImage, base64::decode as decode_base64};
use crate::limits::MAX_SAFE_NAME_CHARS;

/// Decodes the image of an admitted block; says why where it is none that can be shown.
pub(super) fn decode(
    block: &Value,
    context: &BoundContext<'_>,
    number: usize,
) -> Result<ResultImage, &'static str> {
    let data = block.get("data").and_then(Value::as_str);
    let bytes = decode_base64(data.ok_or("it has no data")?).ok_or("its data is not base64")?;
    let media_type = MediaType::of_bytes(&bytes)
        .ok_or("its bytes are no PNG, JPEG, WebP, GIF or BMP picture")?;
    let (server, tool) = (safe_name(context.server), safe_name(context.tool));
    Ok(ResultImage {
        media_type: media_type.as_str().to_owned(),
        bytes: bytes.into(),
        name: format!("{server}-{tool}-{number}"),
    })
}

/// Makes a part of a file name of a text: other characters than `A-Z a-z 0-9 _ -` become `_`.
pub(super) fn safe_name(text: &str) -> String {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
            c
        } else {
            '_'
        }
    };
    let name: String = text.chars().take(MAX_SAFE_NAME_CHARS).map(safe).collect();
    if name.is_empty() {
        "_".to_owned()
    } else {
        name
    }
}
