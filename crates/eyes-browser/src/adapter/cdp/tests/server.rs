//! A small HTTP server on loopback.

use std::sync::Arc;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// Answers the path and query of a request; a path that nobody knows gets status 404.
pub(super) type Answer = Arc<dyn Fn(&str, u16) -> Option<Body> + Send + Sync>;

pub(super) struct Body {
    pub(super) kind: &'static str,
    pub(super) headers: String,
    pub(super) status: u16,
    pub(super) bytes: Vec<u8>,
}

impl Body {
    pub(super) fn page(html: String) -> Self {
        Self {
            kind: "text/html; charset=utf-8",
            headers: String::new(),
            status: 200,
            bytes: html.into_bytes(),
        }
    }
}

pub(super) struct Server {
    port: u16,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    pub(super) async fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answer), port));
            }
        });
        Self { port, task }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }
}

async fn serve(mut stream: TcpStream, answer: Answer, port: u16) {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read_buf(&mut request).await {
            Ok(read) if read > 0 && request.len() < 64 << 10 => {}
            _ => return,
        }
    }
    let text = String::from_utf8_lossy(&request);
    let path = text
        .split(' ')
        .nth(1)
        .unwrap_or_default()
        .trim_start_matches('/');
    let body = answer(path, port).unwrap_or_else(|| Body {
        status: 404,
        ..Body::page("there is no such page".to_owned())
    });
    let head = format!(
        "HTTP/1.1 {} OK\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n",
        body.status,
        body.kind,
        body.bytes.len(),
        body.headers
    );
    drop(
        stream
            .write_all(&[head.as_bytes(), &body.bytes].concat())
            .await,
    );
}
