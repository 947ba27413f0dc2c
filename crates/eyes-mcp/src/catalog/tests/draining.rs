use std::{sync::Mutex, time::Duration};

use serde_json::{Value, json};

use super::super::*;
use crate::{
    codes,
    error::McpError,
    ports::{BoxFuture, McpConnection, McpRequest, PeerInfo, RequestOptions},
};

type Answer = Box<dyn Fn(usize, Option<&str>) -> Result<Value, McpError> + Send + Sync>;

/// A connection that answers a list by the number of the page and its cursor.
struct Pages {
    answer: Answer,
    asked: Mutex<Vec<McpRequest>>,
    peer: PeerInfo,
    never: bool,
}

impl std::fmt::Debug for Pages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pages")
    }
}

impl McpConnection for Pages {
    fn peer(&self) -> &PeerInfo {
        &self.peer
    }

    fn request(
        &self,
        request: McpRequest,
        _options: RequestOptions,
    ) -> BoxFuture<'_, Result<Value, McpError>> {
        Box::pin(async move {
            if self.never {
                std::future::pending::<()>().await;
            }
            let (McpRequest::ListTools { cursor }
            | McpRequest::ListResources { cursor }
            | McpRequest::ListResourceTemplates { cursor }
            | McpRequest::ListPrompts { cursor }) = &request
            else {
                panic!("asked for {request:?}");
            };
            let page = self.asked.lock().unwrap().len();
            let answer = (self.answer)(page, cursor.as_deref());
            self.asked.lock().unwrap().push(request);
            answer
        })
    }

    fn close(&self) -> BoxFuture<'_, Result<(), McpError>> {
        Box::pin(async { Ok(()) })
    }
}

fn pages(
    answer: impl Fn(usize, Option<&str>) -> Result<Value, McpError> + Send + Sync + 'static,
) -> Pages {
    Pages {
        answer: Box::new(answer),
        asked: Mutex::default(),
        peer: PeerInfo::default(),
        never: false,
    }
}

async fn code(pages: &Pages, list: ListKind, limits: DrainLimits) -> &'static str {
    let error = drain(pages, list, limits).await.unwrap_err();
    error.code.as_str()
}

const LISTS: [(ListKind, &str); 4] = [
    (ListKind::Tools, "tools"),
    (ListKind::Resources, "resources"),
    (ListKind::ResourceTemplates, "resourceTemplates"),
    (ListKind::Prompts, "prompts"),
];

#[tokio::test]
async fn every_list_is_drained_to_its_end() {
    for (list, member) in LISTS {
        let pages = pages(move |page, cursor| {
            assert_eq!(
                cursor.map(str::to_owned),
                (page > 0).then(|| page.to_string())
            );
            Ok(match page {
                0 | 1 => json!({member: [page], "nextCursor": (page + 1).to_string()}),
                // An empty cursor ends the list as none does.
                _ => json!({member: [page], "nextCursor": ""}),
            })
        });
        let drained = drain(&pages, list, DrainLimits::of(list)).await.unwrap();
        assert_eq!(drained, [json!(0), json!(1), json!(2)]);
    }
}

#[tokio::test]
async fn a_cursor_that_was_seen_before_is_a_loop() {
    // The cursors go 1, 2, 3, 1: not the one before comes back, but an earlier one.
    for (list, member) in LISTS {
        let pages =
            pages(move |page, _| Ok(json!({member: [], "nextCursor": (page % 3 + 1).to_string()})));
        let expected = match list {
            ListKind::Tools => codes::MCP_CATALOG_CURSOR_LOOP,
            _ => codes::MCP_CONTENT_CURSOR_LOOP,
        };
        assert_eq!(
            code(&pages, list, DrainLimits::of(list)).await,
            expected.as_str()
        );
        assert_eq!(pages.asked.lock().unwrap().len(), 4);
    }
}

#[tokio::test]
async fn a_list_without_end_stops_at_the_bound_of_pages() {
    for (list, member) in LISTS {
        let pages = pages(move |page, _| Ok(json!({member: [], "nextCursor": page.to_string()})));
        let expected = match list {
            ListKind::Tools => codes::MCP_CATALOG_PAGE_LIMIT,
            _ => codes::MCP_CONTENT_PAGE_LIMIT,
        };
        assert_eq!(
            code(&pages, list, DrainLimits::of(list)).await,
            expected.as_str()
        );
        assert_eq!(pages.asked.lock().unwrap().len(), 256);
    }
}

#[tokio::test]
async fn entries_and_bytes_are_bounded_over_all_pages() {
    for (list, member) in LISTS {
        let limits = DrainLimits {
            entries: 3,
            bytes: 40,
            ..DrainLimits::of(list)
        };
        let (entries, bytes) = match list {
            ListKind::Tools => (
                codes::MCP_CATALOG_TOOL_LIMIT,
                codes::MCP_CATALOG_SCHEMA_BYTES_LIMIT,
            ),
            _ => (
                codes::MCP_CONTENT_CATALOG_ENTRY_LIMIT,
                codes::MCP_CONTENT_CATALOG_BYTE_LIMIT,
            ),
        };
        let two = pages(move |page, _| Ok(json!({member: [1, 2], "nextCursor": page.to_string()})));
        assert_eq!(code(&two, list, limits).await, entries.as_str());
        let long = pages(move |page, _| {
            Ok(json!({member: ["x".repeat(28)], "nextCursor": page.to_string()}))
        });
        assert_eq!(code(&long, list, limits).await, bytes.as_str());
        assert_eq!(long.asked.lock().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn a_page_without_its_list_is_invalid() {
    for page in [
        json!({}),
        json!({"tools": {}}),
        json!([]),
        json!({"tools": [], "nextCursor": 7}),
    ] {
        let said = page.clone();
        let pages = pages(move |_, _| Ok(said.clone()));
        let found = code(&pages, ListKind::Tools, DrainLimits::of(ListKind::Tools)).await;
        assert_eq!(found, codes::MCP_CATALOG_SCHEMA_INVALID.as_str(), "{page}");
    }
    let content = pages(|_, _| Ok(json!({})));
    let found = code(
        &content,
        ListKind::Prompts,
        DrainLimits::of(ListKind::Prompts),
    )
    .await;
    assert_eq!(found, codes::MCP_CONTENT_CATALOG_INVALID.as_str());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_ends_with_the_total_time() {
    let mut pages = pages(|_, _| Ok(json!({})));
    pages.never = true;
    let limits = DrainLimits {
        total: Duration::from_secs(5),
        ..DrainLimits::of(ListKind::Tools)
    };
    assert_eq!(
        code(&pages, ListKind::Tools, limits).await,
        codes::MCP_CATALOG_TIMEOUT.as_str()
    );
}

#[tokio::test]
async fn only_templates_may_be_a_method_that_the_server_does_not_know() {
    for (rpc_code, message) in [
        (-32_601, "nothing"),
        (-32_000, "Method not found"),
        (-32_603, "is not supported"),
    ] {
        let pages = pages(move |_, _| {
            Err(McpError::new(codes::MCP_REQUEST_FAILED, message).with_rpc_code(rpc_code))
        });
        let list = ListKind::ResourceTemplates;
        assert!(
            drain(&pages, list, DrainLimits::of(list))
                .await
                .unwrap()
                .is_empty()
        );
        let found = code(&pages, ListKind::Resources, DrainLimits::of(list)).await;
        assert_eq!(found, codes::MCP_REQUEST_FAILED.as_str());
    }
    let other =
        pages(|_, _| Err(McpError::new(codes::MCP_REQUEST_FAILED, "no").with_rpc_code(-32_603)));
    let list = ListKind::ResourceTemplates;
    assert_eq!(
        code(&other, list, DrainLimits::of(list)).await,
        "MCP_REQUEST_FAILED"
    );
}
