//! Finding elements of any kind.

use futures_util::future::join_all;
use serde_json::json;

use super::browser::{Browser, Unanswered};
use crate::{
    adapter::script::{self, Found, Place},
    driver::{DriverError, DriverErrorKind, Node, Query},
    limits::{FRAME_TIMEOUT, MAX_FOUND},
};

/// Returns the origin of a frame's document, or its address where it has none.
pub(super) fn origin(address: &str) -> String {
    match url::Url::parse(address).map(|url| url.origin()) {
        Ok(origin @ url::Origin::Tuple(..)) => origin.ascii_serialization(),
        _ => address.chars().take(60).collect(),
    }
}

impl Browser {
    pub(super) async fn find(&self, query: &Query) -> Result<Vec<Node>, DriverError> {
        self.page_session()?;
        self.no_dialog()?;
        // The number of an element is that of its own document alone.
        let only = match query {
            Query::Key(key) => Some(key.document),
            _ => None,
        };
        let query = match query {
            Query::Key(key) => json!({"key": key.node}),
            Query::Css(css) => json!({"css": css}),
            Query::Role { role, name, exact } => {
                json!({"role": role, "name": name, "exact": exact})
            }
            Query::Text { text, exact } => json!({"text": text, "exact": exact}),
        };
        let expression = script::call("find", &[query]);
        let documents = self.page_documents().into_iter().enumerate();
        let wanted =
            documents.filter(|(_, (document, _))| only.is_none_or(|only| only == *document));
        let looks = wanted.map(|(index, (document, state))| {
            let expression = &expression;
            async move {
                let found: Result<Found, _> = self.eval(&state, expression, FRAME_TIMEOUT).await;
                let zero = script::Aim {
                    x: 0.0,
                    y: 0.0,
                    scrolled: false,
                };
                // Most frames hold nothing: only one that does is placed.
                let offset = match &found {
                    Ok(found) if !found.nodes.is_empty() => {
                        self.to_viewport(&state, zero, false).await.ok()
                    }
                    _ => None,
                };
                (index, document, found, offset)
            }
        });
        let mut nodes = Vec::new();
        for (index, document, found, offset) in join_all(looks).await {
            let found = match found {
                Ok(found) => found,
                Err(Unanswered::Failed(kind)) if index == 0 => return Err(kind.into()),
                Err(_) => continue,
            };
            if let Some(error) = found.error {
                return Err(DriverErrorKind::Selector(error).into());
            }
            let Some((at, _)) = offset else { continue };
            let frame = (index > 0).then(|| origin(&found.url));
            let place = Place {
                document,
                offset: (at.x, at.y),
                frame,
                covered_by: None,
            };
            nodes.extend(found.nodes.into_iter().map(|node| node.into_node(&place)));
        }
        nodes.truncate(MAX_FOUND);
        Ok(nodes)
    }
}
