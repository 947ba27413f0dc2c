//! Pictures of the page.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::future::join_all;
use serde_json::json;

use super::browser::Browser;
use crate::{
    adapter::script::{self, Aim, Rect, bounds},
    driver::{Bounds, Capture, CaptureRequest, DriverError, DriverErrorKind, Point},
    limits::{FRAME_TIMEOUT, RENDER_TIMEOUT},
};

impl Browser {
    pub(super) async fn capture(&self, request: &CaptureRequest) -> Result<Capture, DriverError> {
        let session = self.page_session()?;
        self.no_dialog()?;
        let (_, document) = self
            .page_documents()
            .into_iter()
            .next()
            .ok_or(DriverErrorKind::NodeGone)?;
        let view = "JSON.stringify([innerWidth, innerHeight, scrollX, scrollY])";
        let [width, height, x, y]: Rect = self.eval(&document, view, FRAME_TIMEOUT).await?;
        let whole = Bounds {
            x: 0.0,
            y: 0.0,
            width,
            height,
        };
        let region = request.region.map_or(whole, |region| within(region, whole));
        let mut params = json!({"format": "png", "optimizeForSpeed": true});
        if region.width < 1.0 || region.height < 1.0 {
            return Err(DriverErrorKind::NotVisible.into());
        }
        if request.region.is_some() {
            // The protocol counts from the document's corner.
            params["clip"] = json!({
                "x": region.x + x, "y": region.y + y, "width": region.width, "height": region.height, "scale": 1,
            });
        }
        let before = self.secret_boxes().await;
        let reply = self
            .client
            .start(Some(&session), "Page.captureScreenshot", &params);
        let taken = reply.within(RENDER_TIMEOUT).await?;
        // A field may have moved while the picture was taken.
        let mut secrets = self.secret_boxes().await;
        secrets.extend(
            before
                .into_iter()
                .filter(|earlier| !secrets.contains(earlier))
                .collect::<Vec<_>>(),
        );
        let png = STANDARD
            .decode(taken["data"].as_str().unwrap_or_default())
            .unwrap_or_default();
        let pixels = png_width(&png).ok_or_else(|| {
            DriverErrorKind::Protocol("the browser drew something that is no PNG".to_owned())
        })?;
        Ok(Capture {
            scale: f64::from(pixels) / region.width,
            png,
            origin: Point {
                x: region.x,
                y: region.y,
            },
            secrets,
        })
    }

    /// Where secret values stand, in the viewport.
    async fn secret_boxes(&self) -> Vec<Bounds> {
        let all = self
            .page_documents()
            .into_iter()
            .map(|(_, document)| async move {
                let found: Vec<Rect> = self
                    .eval(&document, &script::call("secrets", &[0; 0]), FRAME_TIMEOUT)
                    .await
                    .unwrap_or_default();
                if found.is_empty() {
                    return Vec::new();
                }
                let zero = Aim {
                    x: 0.0,
                    y: 0.0,
                    scrolled: false,
                };
                let at = self
                    .to_viewport(&document, zero, false)
                    .await
                    .map(|(at, _)| at);
                let at = at.unwrap_or(Point { x: 0.0, y: 0.0 });
                found
                    .into_iter()
                    .map(|rect| bounds(rect, (at.x, at.y)))
                    .collect()
            });
        join_all(all).await.into_iter().flatten().collect()
    }
}

/// The part of a box that is in the viewport, in whole pixels.
fn within(region: Bounds, view: Bounds) -> Bounds {
    let x = region.x.floor().clamp(0.0, view.width);
    let y = region.y.floor().clamp(0.0, view.height);
    let right = (region.x + region.width).ceil().clamp(x, view.width);
    let bottom = (region.y + region.height).ceil().clamp(y, view.height);
    Bounds {
        x,
        y,
        width: right - x,
        height: bottom - y,
    }
}

/// Reads the width out of the header (PNG, 11.2.2).
fn png_width(png: &[u8]) -> Option<u32> {
    if !png.starts_with(b"\x89PNG\r\n\x1a\n") {
        return None;
    }
    png.get(16..20)?.try_into().ok().map(u32::from_be_bytes)
}
